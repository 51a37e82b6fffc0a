/* SPDX-License-Identifier: Apache-2.0 */
/* generate/rmat.h - drawing the edges of an R-MAT graph, block by block. */
#ifndef CLV_GENERATE_RMAT_H
#define CLV_GENERATE_RMAT_H

#include "generate/spec.h"

/* Edges of a block are drawn from one stream of random numbers. */
enum { CLV_RMAT_BLOCK = 1 << 16 };

typedef struct clv_rmat {
    int scale;
    uint64_t seed;
    int64_t drawn;     /* edges, duplicates and self-loops among them */
    int64_t nblock;    /* of CLV_RMAT_BLOCK edges */
    uint64_t bound[3]; /* of the quarters, times 2^32 */
} clv_rmat;

/* All of r but the seed. */
cleave_status clv_rmat_read(clv_rmat *r, clv_spec *spec, cleave_error *err);

/* Writes the edges of a block as keys, smaller vertex << scale | larger vertex, and returns
 * how many they are. */
int32_t clv_rmat_draw(const clv_rmat *r, int64_t block, uint64_t *key);

/* Sorts a few keys: O(n^2), fast where n is about 64. */
void clv_rmat_sort_few(uint64_t *key, int64_t n);

#endif
