/* SPDX-License-Identifier: Apache-2.0 */
/* engine/multilevel.h - the multilevel engine: coarsen, solve small, refine on the way up.
 *
 * One engine for two parts and for many: the first solution of the coarsest graph comes from
 * growing when there are two parts, and from recursive bisection (engine/bisection.h), whose
 * steps are this engine again with two parts, when there are more. */
#ifndef CLV_ENGINE_MULTILEVEL_H
#define CLV_ENGINE_MULTILEVEL_H

#include "engine/presets.h"
#include "order/spectral_source.h"

typedef struct clv_multilevel_task {
    const clv_graph *g;
    clv_bounds bounds;
    const int32_t *fixed; /* nvtx or NULL: part or -1 */
    const int32_t *start; /* nvtx or NULL: a solution to improve; classes must respect it */
    const int32_t *merge_class; /* nvtx or NULL: only vertices of one class merge; fixed ones
                             must not share a class with others */
    const clv_machine *machine; /* parts are its places; NULL: all at distance 1 */
} clv_multilevel_task;

typedef struct clv_multilevel_result {
    clv_worth worth;                 /* of part */
    int32_t levels;                  /* of the hierarchy */
    double coarsen, initial, refine; /* seconds */
    clv_spectral_quality spectral;   /* of the eigenvectors, where a method goes by them */
} clv_multilevel_result;

/* The state of the finest level, measured; part belongs to the caller, all else comes from
 * ctx->ws, which the caller restores.  Ranks are those of the numbers. */
cleave_status clv_multilevel_state(clv_partition_state *s, const clv_multilevel_task *task,
                                   int32_t *part, clv_context *ctx, cleave_error *err);

/* Fills part and *result.  With a start the result is never worse than it.
 * Deterministic for (task, effort, ctx->seed).  Fails only with CLEAVE_ENOMEM. */
cleave_status clv_multilevel(const clv_multilevel_task *task, const clv_preset *effort,
                             clv_context *ctx, int32_t *part, clv_multilevel_result *result,
                             cleave_error *err);

#endif
