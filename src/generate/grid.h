/* SPDX-License-Identifier: Apache-2.0 */
/* generate/grid.h - implicit regular grids: neighbours and coordinates of any vertex.  Numbers
 * have 64 bits, for grids larger than the memory of one machine. */
#ifndef CLV_GENERATE_GRID_H
#define CLV_GENERATE_GRID_H

#include <stdbool.h>

#include "generate/spec.h"

typedef struct clv_grid {
    int ndim;        /* 2, 3 */
    int32_t size[3]; /* size[2] is 1 in two dimensions */
    int64_t nvtx;    /* their product */
    bool wide;       /* 9 or 27 points, not 5 or 7 */
    bool periodic;
} clv_grid;

/* The grid described by the spec; more than `most` vertices: CLEAVE_ERANGE. */
cleave_status clv_grid_read(clv_grid *g, clv_spec *spec, int ndim, int64_t most,
                            cleave_error *err);
/* Writes the neighbours of v to `to`, ascending, and returns their number; at most 26. */
int clv_grid_list(const clv_grid *g, int64_t v, int64_t *to);
/* The ndim coordinates of v. */
void clv_grid_place(const clv_grid *g, int64_t v, double *coords);

#endif
