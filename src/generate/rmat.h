/* SPDX-License-Identifier: Apache-2.0 */
/* generate/rmat.h - drawing the edges of an R-MAT graph, block by block. */
#ifndef CLV_GENERATE_RMAT_H
#define CLV_GENERATE_RMAT_H

#include "generate/spec.h"

/* The edges of a block come from one stream of random numbers. */
enum { CLV_RMAT_BLOCK = 1 << 16 };

typedef struct clv_rmat {
    int scale;
    uint64_t seed;
    int64_t drawn;     /* edges drawn, with duplicates and self-loops */
    int64_t nblock;    /* of CLV_RMAT_BLOCK edges */
    uint64_t bound[3]; /* cumulative probabilities of the quarters, times 2^32 */
} clv_rmat;

/* Sets all of r but the seed. */
cleave_status clv_rmat_read(clv_rmat *r, clv_spec *spec, cleave_error *err);

/* Writes the edges of a block as keys, smaller vertex << scale | larger vertex, and returns
 * their number. */
int32_t clv_rmat_draw(const clv_rmat *r, int64_t block, uint64_t *key);

/* Insertion sort: O(n^2), fast for n up to about 64. */
void clv_rmat_insertion_sort(uint64_t *key, int64_t n);

#endif
