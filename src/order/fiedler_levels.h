/* SPDX-License-Identifier: Apache-2.0 */
/* order/fiedler_levels.h - the Laplacians of successively coarser graphs, and a multigrid
 * cycle that approximately solves L z = r: the preconditioner of order/fiedler.c.
 *
 * Vectors are stored in blocks: `clv_fiedler_width` values per vertex, adjacent in memory, so
 * that one pass over the graph serves all of them. */
#ifndef CLV_ORDER_FIEDLER_LEVELS_H
#define CLV_ORDER_FIEDLER_LEVELS_H

#include "coarsen/hierarchy.h"

enum {
    clv_fiedler_width = 2, /* two, because the second eigenvalue is often double, as in
                              squares */
    clv_fiedler_small = 64 /* vertices of a level that is solved as a dense matrix */
};

/* Residuals below this times the largest degree are rounding errors. */
static const double clv_fiedler_rounding = 1e-14;

typedef struct clv_fiedler_level {
    const clv_graph *g; /* vwgt: number of vertices of the finest graph that it represents */
    double *damp;       /* nvtx: Jacobi factors; 0 for isolated vertices */
    int32_t *map;       /* vertex of this level -> of the next; NULL on the last */
    bool twice;         /* a cycle visits the next level twice */
    int32_t *first, *member;         /* vertices of this level, grouped by vertex of the
                                        next */
    double *right, *solution, *rest; /* blocks for the cycle */
} clv_fiedler_level;

typedef struct clv_fiedler_levels {
    int32_t nlevels; /* >= 1; [0] is the graph itself */
    clv_fiedler_level level[clv_most_levels];
    clv_graph plain;         /* [0]: the graph, every vertex of weight 1 */
    clv_hierarchy hierarchy; /* owns the others */
    /* Of the last level if it has at most clv_fiedler_small vertices, otherwise NULL.  Row i
     * of vectors belongs to values[i]; ascending; rows are orthonormal in the masses; the
     * constant vector is the last. */
    double *values, *vectors;
    double most_degree; /* weighted, of the finest graph */
    clv_team *team;
} clv_fiedler_levels;

/* g: undirected, nvtx >= 2; vertex weights are ignored.  Arrays come from ctx->ws;
 * clv_fiedler_levels_free frees the graphs (nothing to free on failure). */
cleave_status clv_fiedler_levels_build(clv_fiedler_levels *l, const clv_graph *g,
                                       clv_context *ctx, cleave_error *err);
void clv_fiedler_levels_free(clv_fiedler_levels *l);

static inline double clv_fiedler_mass(const clv_fiedler_level *level, int64_t v)
{
    return (double)clv_graph_vwgt(level->g, (int32_t)v, 0);
}

/* ---- order/fiedler_cycle.c -------------------------------------------------------------- */

/* y = L x, blocks of the level. */
void clv_fiedler_product(const clv_fiedler_levels *l, int32_t level, const double *x,
                         double *y);
/* z becomes an approximate solution of L z = r; r must be orthogonal to the constant vector, z
 * need not be.  The operator is linear and symmetric, the same for every column, and positive
 * definite except on the constant vector. */
void clv_fiedler_cycle(const clv_fiedler_levels *l, int32_t level, const double *r, double *z);

#endif
