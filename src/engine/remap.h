/* SPDX-License-Identifier: Apache-2.0 */
/* engine/remap.h - a new mapping when vertices already are somewhere: what is cut plus what
 * moves.
 *
 * cut + price * migration is the cut of a larger graph: every PE that lives on gets an anchor,
 * a vertex that weighs nothing and is fixed to it, tied to every vertex that lives there by an
 * edge of the weight that moving it costs [Catalyurek et al. 2007, repartitioning by fixed
 * vertices].  The strategies are different starts of the one engine on that graph.  DAGs have
 * no anchors, which would close cycles: there, starts are improved by the cut alone, and the
 * price chooses among the results. */
#ifndef CLV_ENGINE_REMAP_H
#define CLV_ENGINE_REMAP_H

#include "engine/pipeline.h"

typedef enum clv_remap_strategy {
    CLV_REMAP_AUTO,     /* all of them, the cheapest counts */
    CLV_REMAP_INTERVAL, /* an order of the vertices, cut for the new PEs */
    CLV_REMAP_DIFFUSE,  /* where vertices are now; those without a place to their neighbours */
    CLV_REMAP_SCRATCH   /* as if nothing were anywhere; then parts get the names that fit */
} clv_remap_strategy;

typedef struct clv_remap_task {
    clv_partition_task to; /* what is wanted; its start is not looked at; objective: cut or
                              cost */
    const int32_t *home;   /* nvtx: the PE where a vertex lives, -1: on none of these */
    double price;          /* of one group of migration, finite, >= 0 */
    clv_remap_strategy strategy;
    const int32_t *order; /* nvtx: vertex by place, for the intervals; NULL: one is made */
} clv_remap_task;

typedef struct clv_remap_result {
    clv_remap_strategy strategy; /* that gave the mapping */
    clv_partition_stats stats;   /* of all that was tried */
} clv_remap_result;

/* Names as in cleave_remap_options; NULL or "": "auto".  CLEAVE_EINVAL says what there is. */
cleave_status clv_remap_strategy_parse(clv_remap_strategy *strategy, const char *name,
                                       cleave_error *err);
const char *clv_remap_strategy_name(clv_remap_strategy strategy);

/* Fills part with the best mapping by (beyond the bounds, cut or cost + price * migration,
 * migration) that the strategy finds.  There are fewer free PEs than vertices that are not
 * fixed.  When the context says stop, the best so far. */
cleave_status clv_remap(const clv_remap_task *task, clv_context *ctx, int32_t *part,
                        clv_remap_result *result, cleave_error *err);

/* The same where each vertex that is not fixed gets a PE of its own, or there is one PE:
 * `made` is such a mapping; names and homes make it better. */
cleave_status clv_remap_trivial(const clv_remap_task *task, const int32_t *made,
                                clv_context *ctx, int32_t *part, clv_remap_result *result,
                                cleave_error *err);

/* ---- Numbers ---------------------------------------------------------------------------- */

/* Sum of vsize over the vertices that are not at home. */
int64_t clv_remap_migration(const clv_graph *g, const int32_t *home, const int32_t *part);

/* No mapping within the bounds max (of task->to) moves less (engine/remap_bound.c). */
cleave_status clv_remap_bound(const clv_remap_task *task, clv_ws *ws, int64_t *bound,
                              cleave_error *err);

/* ---- Steps ------------------------------------------------------------------------------ */

/* task->to on the graph with anchors; arrays from ws (engine/remap_graph.c). */
typedef struct clv_remap_anchored {
    clv_graph g; /* vertices of task->to.g, then the anchors */
    clv_groups groups;
    int32_t *pe; /* by anchor */
    int32_t anchors;
} clv_remap_anchored;
/* price: in place of task->price.  Without ties (it is 0, or too small) there are no anchors.
 */
cleave_status clv_remap_anchor(clv_remap_anchored *x, const clv_remap_task *task, double price,
                               clv_ws *ws, cleave_error *err);

/* part: every vertex at home; those without one where their neighbours are, or else where
 * there is room (engine/remap_starts.c). */
cleave_status clv_remap_spread(const clv_remap_task *task, clv_ws *ws, int32_t *part,
                               cleave_error *err);
/* part: intervals of the order, the PEs along the line as their vertices lie. */
cleave_status clv_remap_cut(const clv_remap_task *task, const int32_t *order, clv_ws *ws,
                            int32_t *part, cleave_error *err);
/* Exchanges the names of parts such that as much as can be is at home; parts with fixed
 * vertices, and those that would not fit, keep theirs (engine/remap_names.c). */
cleave_status clv_remap_rename(const clv_remap_task *task, clv_ws *ws, int32_t *part,
                               cleave_error *err);

#endif
