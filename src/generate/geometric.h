/* SPDX-License-Identifier: Apache-2.0 */
/* generate/geometric.h - the steps of a random geometric graph: drawing points, numbering them
 * cell by cell, finding neighbours.  A single process does them for all rows of cells at once,
 * an MPI process for a window of rows. */
#ifndef CLV_GENERATE_GEOMETRIC_H
#define CLV_GENERATE_GEOMETRIC_H

#include "generate/spec.h"

/* The points of a block come from one stream of random numbers. */
enum { CLV_POINT_BLOCK = 4096 };

typedef struct clv_geometric {
    int32_t nvtx;
    int ndim; /* 2, 3 */
    uint64_t seed;
    double square_radius;
    int32_t cells; /* per axis; at least as wide as the radius */
    int64_t ncell; /* in total; x runs fastest, then y, then z */
} clv_geometric;

/* Sets all of g but the seed. */
cleave_status clv_geometric_read(clv_geometric *g, clv_spec *spec, cleave_error *err);

static inline int64_t clv_geometric_blocks(const clv_geometric *g)
{
    return ((int64_t)g->nvtx + CLV_POINT_BLOCK - 1) / CLV_POINT_BLOCK;
}
/* Writes the points of a block, ndim coordinates each, and returns their number. */
int32_t clv_geometric_draw(const clv_geometric *g, int64_t block, double *to);

int64_t clv_geometric_cell(const clv_geometric *g, const double *point);

/* The points in consecutive rows of cells, in the order of their vertices.  Vertices are
 * counted from the first in the window. */
typedef struct clv_geometric_window {
    const clv_geometric *g;
    int64_t cell;   /* the first cell of the window */
    int64_t ncell;  /* number of cells in the window */
    double *coords; /* by vertex */
    int32_t *first; /* by cell of the window: its first vertex; ncell + 1, plus one entry of
                       scratch */
} clv_geometric_window;

/* Fills coords and first, which must be zero, from n points of the window in the order in
 * which they were drawn. */
void clv_geometric_number(const clv_geometric_window *w, const double *points, int64_t n);

/* Writes the neighbours of v to `to`, ascending, unless that is NULL, and returns their
 * number.  The rows of cells around the cell of v must be in the window. */
int64_t clv_geometric_near(const clv_geometric_window *w, int64_t v, int32_t *to);

#endif
