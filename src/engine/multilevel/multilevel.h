/* SPDX-License-Identifier: Apache-2.0 */
/* engine/multilevel/multilevel.h - multilevel partitioning: coarsen, partition the coarsest
 * graph, refine while uncoarsening.
 *
 * The same code serves two parts and many.  The initial partition of the coarsest graph comes
 * from greedy growing for two parts, and for more from recursive bisection
 * (engine/multilevel/bisection.h), each of whose bisections is this method with two parts. */
#ifndef CLV_ENGINE_MULTILEVEL_MULTILEVEL_H
#define CLV_ENGINE_MULTILEVEL_MULTILEVEL_H

#include "engine/presets.h"

typedef struct clv_multilevel_task {
    const clv_graph *g;
    clv_bounds bounds;
    const int32_t *fixed; /* nvtx or NULL: part or -1 */
    const int32_t *start; /* nvtx or NULL: a partition to improve; merge_class must respect
                             it */
    const int32_t *merge_class; /* nvtx or NULL: only vertices of one class merge; fixed ones
                             must not share a class with others */
    int64_t known_cut; /* > 0: the cut of a valid partition that the caller has; clv_search
                          then refines only starts that are near it, so that its result may be
                          clv_worth_none(), with part undefined */
    const clv_machine *machine; /* parts are its places; NULL: all at distance 1 */
    bool no_line; /* the caller makes parts itself if the context is stopped before the parts
                     would be more than intervals of a line; only undirected graphs */
} clv_multilevel_task;

typedef struct clv_multilevel_result {
    clv_worth worth;                 /* of the partition */
    int32_t levels;                  /* of the hierarchy */
    double coarsen, initial, refine; /* seconds */
} clv_multilevel_result;

/* Makes the state of the finest level and evaluates it.  part belongs to the caller; all else
 * comes from ctx->ws, which the caller restores.  Parts are ranked by number. */
cleave_status clv_multilevel_state(clv_partition_state *s, const clv_multilevel_task *task,
                                   int32_t *part, clv_context *ctx, cleave_error *err);

/* Fills part and *result.  With no_line, result->worth is clv_worth_none() and part undefined
 * if no parts were made.  With a start the result is never worse than it.
 * Deterministic for (task, effort, ctx->seed).  Fails only with CLEAVE_ENOMEM. */
cleave_status clv_multilevel(const clv_multilevel_task *task, const clv_preset *effort,
                             clv_context *ctx, int32_t *part, clv_multilevel_result *result,
                             cleave_error *err);

#endif
