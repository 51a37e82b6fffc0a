/* SPDX-License-Identifier: Apache-2.0 */
/* engine/acyclic/dagp_undirected.c - see engine/acyclic/dagp_undirected.h. */
#include "engine/acyclic/dagp_undirected.h"

#include <string.h>

#include "engine/acyclic/dag_starts.h"
#include "initial/dagp_bisection.h"

enum { stage = 0xda6c };

static cleave_status bisect_once(clv_partition_state *s, const clv_graph *undirected,
                                 int32_t run, clv_context *ctx, cleave_error *err)
{
    const clv_preset fast = {.dag = {.underlying = 1}};
    clv_multilevel_result result;
    clv_multilevel_task task = {.g = undirected, .bounds = s->bounds};
    clv_rng rng = clv_rng_make(ctx->seed, stage, (uint64_t)run, 0);
    uint64_t seed = ctx->seed;
    ctx->seed = clv_rng_u64(&rng);
    cleave_status status =
        clv_multilevel(&task, clv_preset_for_underlying(&fast), ctx, s->part, &result, err);
    ctx->seed = seed;
    CLV_TRY(status);
    return clv_dagp_fix(s, ctx, err);
}

cleave_status clv_dagp_undirected(clv_partition_state *s, int32_t runs, clv_context *ctx,
                                  cleave_error *err)
{
    clv_graph undirected;
    int32_t n = s->g->nvtx, rank[2] = {0, 1};
    clv_ws_mark mark = clv_ws_save(ctx->ws);
    clv_worth least = clv_worth_none();
    int32_t *best = clv_ws_alloc(ctx->ws, n, sizeof *best);
    if (!best)
        return clv_fail_memory(err);
    CLV_TRY(clv_forget_directions(&undirected, s->g, ctx->ws, err));
    for (int32_t run = 0; run == 0 || (run < runs && !clv_context_stop(ctx)); run++) {
        CLV_TRY(bisect_once(s, &undirected, run, ctx, err));
        if (!clv_worth_better(clv_state_worth(s), least))
            continue;
        least = clv_state_worth(s);
        memcpy(best, s->part, (size_t)n * sizeof *best);
        memcpy(rank, s->rank, sizeof rank);
    }
    memcpy(s->part, best, (size_t)n * sizeof *best);
    memcpy(s->rank, rank, sizeof rank);
    clv_state_measure(s, ctx);
    clv_ws_restore(ctx->ws, mark);
    return CLEAVE_OK;
}
