/* SPDX-License-Identifier: Apache-2.0 */
/* target/deco_levels.h - graphs that are too large for a table of distances: Scotch's "deco 2"
 * [Pellegrini, Lachat 2017, 3.4], in memory linear in the graph.
 *
 * Heavy-edge matching makes coarser and coarser graphs down to one vertex; the merged pairs
 * are the tree of bipartitions.  The distance of two PEs is found by a bidirectional search
 * that visits a bounded number of arcs.  If the two sides do not meet, it is repeated between
 * their vertices in the next coarser graph.  A result of the first level is exact.
 *
 * Coarse graphs have arc lengths (the mean of the combined arcs) and costs of crossing a
 * vertex.  The costs alone overestimate distances more on each level.  Two corrections: each
 * level has a factor that is fitted to exact distances from some PEs, and the exact distances
 * of each PE from a small number of landmarks bound its distance from any other PE [Goldberg,
 * Harrelson 2005]. */
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
    const int32_t *pes;   /* by vertex: number of PEs that it represents; NULL: 1 */
    int32_t *up;   /* by vertex: its coarse vertex in the next level; NULL: last level */
    double factor; /* for the distances that are found here */
    double reach;  /* larger distances are not searched for here */
} clv_deco_level;

typedef struct clv_deco_levels {
    clv_bipartition_tree bipartition;
    int32_t nlevels;
    clv_deco_level level[clv_deco_most_levels];
    int32_t *mark; /* by PE: its distances from the landmarks; NULL: not computed yet */
    clv_pair_memo *memo;
} clv_deco_levels;

/* g is connected, has more than one vertex and outlives the target.  On failure *out may be
 * set.  The caller sets the speeds.  O(narc log nvtx). */
cleave_status clv_deco_levels_make(clv_target **out, const clv_graph *g, clv_ws *ws,
                                   cleave_error *err);

/* The distance of two different PEs; *level: the level that found it. */
int32_t clv_deco_levels_between(const clv_deco_levels *d, int32_t p, int32_t q,
                                int32_t *level);

/* As clv_shape.table: exact distances of PEs that are close together (deco_table.c).  Visits
 * at most 128 * count arcs for each of them, after O(nvtx). */
cleave_status clv_deco_levels_table(const clv_deco_levels *d, int32_t count,
                                    const int32_t *list, int32_t *table, clv_ws *ws,
                                    cleave_error *err);

/* ---- Internal --------------------------------------------------------------------------- */

/* Adds all levels but the first, which exists, and fills half as for
 * clv_deco_make_bipartition_tree.  Arrays from the arena (deco_coarsen.c). */
cleave_status clv_deco_coarsen(clv_deco_levels *d, const clv_graph *g, int32_t (*half)[2],
                               clv_arena *arena, clv_ws *ws, cleave_error *err);

/* The length of a shortest path between two vertices of a level, including half the costs of
 * its ends; negative: not found by a bounded search. */
double clv_deco_search(const clv_deco_level *level, int32_t x, int32_t y);

/* Bounds from the landmarks: *low <= distance <= *high. */
void clv_deco_bound(const clv_deco_levels *d, int32_t p, int32_t q, double *low, double *high);

/* Sets the landmarks, the factors and the reaches (deco_calibrate.c). */
cleave_status clv_deco_calibrate(clv_deco_levels *d, const clv_graph *g, clv_arena *arena,
                                 clv_ws *ws, cleave_error *err);

#endif
