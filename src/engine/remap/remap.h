/* SPDX-License-Identifier: Apache-2.0 */
/* engine/remap/remap.h - repartitioning: a new mapping of vertices that already have one,
 * minimising cut plus migration.
 *
 * cut + price * migration is the cut of a larger graph.  Every remaining PE gets an anchor, a
 * vertex of weight 0 that is fixed to it, with an edge to every vertex that is currently on
 * it.  The weight of that edge is the cost of moving the vertex [Catalyurek et al. 2007,
 * repartitioning with fixed vertices].  The strategies are different starts of one search on
 * that graph.  Anchors would close cycles in a DAG: there, starts are improved by the cut
 * alone, and the price selects among the results. */
#ifndef CLV_ENGINE_REMAP_REMAP_H
#define CLV_ENGINE_REMAP_REMAP_H

#include "engine/pipeline.h"

typedef enum clv_remap_strategy {
    CLV_REMAP_AUTO,     /* tries all; the cheapest result is kept */
    CLV_REMAP_INTERVAL, /* intervals of an order, split for the new PEs */
    CLV_REMAP_DIFFUSE,  /* the current mapping; vertices without a PE join their neighbours */
    CLV_REMAP_SCRATCH   /* partition from scratch, then relabel the parts */
} clv_remap_strategy;

typedef struct clv_remap_task {
    clv_partition_task to; /* the new mapping; its start is ignored; objective: cut or cost */
    const int32_t *home;   /* nvtx: the current PE of a vertex; -1: none of these */
    double price;          /* per unit of migration, finite, >= 0 */
    clv_remap_strategy strategy;
    const int32_t *order; /* nvtx: vertex by place, for INTERVAL; NULL: one is computed */
} clv_remap_task;

typedef struct clv_remap_result {
    clv_remap_strategy strategy; /* the one that gave the mapping */
    clv_partition_stats stats;   /* summed over all that were tried */
    int64_t bound;               /* clv_remap_bound */
} clv_remap_result;

/* Names as in cleave_remap_options; NULL or "": "auto".  The message of CLEAVE_EINVAL lists
 * them. */
cleave_status clv_remap_strategy_parse(clv_remap_strategy *strategy, const char *name,
                                       cleave_error *err);
const char *clv_remap_strategy_name(clv_remap_strategy strategy);

/* Fills part with the best mapping by (excess over the bounds, cut or cost + price *
 * migration, migration) that the strategy finds.  There must be fewer free PEs than vertices
 * that are not fixed.  If the context is stopped, part is the best mapping found so far. */
cleave_status clv_remap(const clv_remap_task *task, clv_context *ctx, int32_t *part,
                        clv_remap_result *result, cleave_error *err);

/* The same if each vertex that is not fixed gets its own PE, or there is one PE: `made` is
 * such a mapping; relabelling and homes improve it. */
cleave_status clv_remap_trivial(const clv_remap_task *task, const int32_t *made,
                                clv_context *ctx, int32_t *part, clv_remap_result *result,
                                cleave_error *err);

/* ---- Numbers ---------------------------------------------------------------------------- */

/* Sum of vsize over the vertices that are not at home. */
int64_t clv_remap_migration(const clv_graph *g, const int32_t *home, const int32_t *part);

/* A lower bound: no mapping within the upper bounds of task->to moves less
 * (engine/remap/remap_bound.c). */
cleave_status clv_remap_bound(const clv_remap_task *task, clv_ws *ws, int64_t *bound,
                              cleave_error *err);

/* ---- Steps ------------------------------------------------------------------------------ */

/* task->to on the graph with anchors; arrays from ws (engine/remap/remap_graph.c). */
typedef struct clv_remap_anchored {
    clv_graph g; /* vertices of task->to.g, then the anchors */
    clv_groups groups;
    int32_t *pe; /* by anchor */
    int32_t anchors;
} clv_remap_anchored;
/* price replaces task->price.  If it is 0 or too small, there are no anchors. */
cleave_status clv_remap_anchor(clv_remap_anchored *x, const clv_remap_task *task, double price,
                               clv_ws *ws, cleave_error *err);

/* part: every vertex at home; vertices without a home join their neighbours, or else a PE with
 * room (engine/remap/remap_starts.c). */
cleave_status clv_remap_spread(const clv_remap_task *task, clv_ws *ws, int32_t *part,
                               cleave_error *err);
/* part: intervals of the order; the PEs are arranged along it by where their vertices are. */
cleave_status clv_remap_cut(const clv_remap_task *task, const int32_t *order, clv_ws *ws,
                            int32_t *part, cleave_error *err);
/* Relabels the parts so that as much as possible stays at home.  Parts with fixed vertices,
 * and parts that would not fit elsewhere, keep their label (engine/remap/remap_names.c). */
cleave_status clv_remap_rename(const clv_remap_task *task, clv_ws *ws, int32_t *part,
                               cleave_error *err);

#endif
