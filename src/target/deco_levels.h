/* SPDX-License-Identifier: Apache-2.0 */
/* target/deco_levels.h - graphs that are too large for a table of distances: Scotch's "deco 2"
 * [Pellegrini, Lachat 2017, 3.4], in memory linear in the graph.
 *
 * Heavy-edge matching makes ever coarser graphs down to one vertex; what was merged is the
 * tree of bipartitions.  How far two PEs are from each other is found by a search from both of
 * them that looks at a bounded number of arcs.  Where they do not meet, it starts again
 * between their vertices in the next coarser graph.  An answer of the first level is exact.
 *
 * Coarse graphs have lengths of arcs (the mean of those that became one) and costs of crossing
 * a vertex.  Two things keep the estimates near the truth, which the costs alone do not: they
 * overestimate ever more with each level.  Each level has a factor, fitted to exact distances
 * from a few PEs; and the exact distances of each PE from a few landmarks bound what its
 * distance from another can be [Goldberg, Harrelson 2005]. */
#ifndef CLV_TARGET_DECO_LEVELS_H
#define CLV_TARGET_DECO_LEVELS_H

#include "graph/graph.h"
#include "target/bipartition_tree.h"
#include "target/pair_memo.h"

enum { clv_deco_landmarks = 8, clv_deco_most_levels = 96 };

typedef struct clv_deco_level {
    int32_t nvtx;
    const int64_t *xadj;
    const int32_t *adj;
    const int32_t *exact; /* lengths of the arcs of level 0; NULL: 1 */
    float *length;        /* of the arcs of other levels; NULL on level 0 */
    float *cost;          /* of crossing a vertex; NULL: 0 */
    const int32_t *pes;   /* by vertex: how many PEs it stands for; NULL: 1 */
    int32_t *up;          /* by vertex: the one of the next level; NULL: there is none */
    double factor;        /* of the distances that are found here */
    double reach;         /* beyond it, searches here are not worth a try */
} clv_deco_level;

typedef struct clv_deco_levels {
    clv_bipartition_tree bipartition;
    int32_t nlevels;
    clv_deco_level level[clv_deco_most_levels];
    int32_t *mark; /* by PE, side by side: its distances from the landmarks; NULL: not yet */
    clv_pair_memo *memo;
} clv_deco_levels;

/* g is connected, has more than one vertex and outlives the target.  *out is not NULL on
 * failure.  Speeds are for the caller to set.  O(narc log nvtx). */
cleave_status clv_deco_levels_make(clv_target **out, const clv_graph *g, clv_ws *ws,
                                   cleave_error *err);

/* Between two different PEs; *level: which one answered. */
int32_t clv_deco_levels_between(const clv_deco_levels *d, int32_t p, int32_t q,
                                int32_t *level);

/* As clv_shape.table: exact distances of PEs that are close together (deco_table.c).  Looks at
 * 128 * count arcs for each of them at most, after O(nvtx). */
cleave_status clv_deco_levels_table(const clv_deco_levels *d, int32_t count,
                                    const int32_t *list, int32_t *table, clv_ws *ws,
                                    cleave_error *err);

/* ---- Inside ----------------------------------------------------------------------------- */

/* Adds all levels but the first, which is there, and fills half as for
 * clv_deco_make_bipartition_tree. Arrays from the arena (deco_coarsen.c). */
cleave_status clv_deco_coarsen(clv_deco_levels *d, const clv_graph *g, int32_t (*half)[2],
                               clv_arena *arena, clv_ws *ws, cleave_error *err);

/* The length of a shortest way between two vertices of a level, half the costs of its ends
 * included; negative: not found by a bounded search. */
double clv_deco_search(const clv_deco_level *level, int32_t x, int32_t y);

/* What the landmarks say of two PEs: *low <= distance <= *high. */
void clv_deco_bound(const clv_deco_levels *d, int32_t p, int32_t q, double *low, double *high);

/* Sets the landmarks, the factors and the reaches (deco_calibrate.c). */
cleave_status clv_deco_calibrate(clv_deco_levels *d, const clv_graph *g, clv_arena *arena,
                                 clv_ws *ws, cleave_error *err);

#endif
