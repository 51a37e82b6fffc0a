/* SPDX-License-Identifier: Apache-2.0 */
/* engine/mapping/place_parts.c - places whole parts on a machine, see
 * engine/mapping/place_parts.h. */
#include "engine/mapping/place_parts.h"

#include <string.h>

#include "engine/multilevel/refine_level.h"
#include "engine/order/line_parts.h"
#include "evaluate/traffic.h"
#include "refine/balance/rebalance.h"
#include "refine/placement/placement.h"
#include "refine/state/ranks.h"

/* ---- The mapping that follows the numbers ----------------------------------------------- */

cleave_status clv_place_state(clv_partition_state *s, const clv_multilevel_task *task,
                              int32_t *part, clv_context *ctx, bool *acyclic,
                              cleave_error *err)
{
    *acyclic = true;
    CLV_TRY(clv_multilevel_state(s, task, part, ctx, err));
    return s->rank ? clv_ranks_make(s, 0, ctx->ws, acyclic, err) : CLEAVE_OK;
}

static cleave_status search_from(const clv_multilevel_task *task, cleave_effort effort,
                                 const int32_t *start, clv_context *ctx, int32_t *part,
                                 cleave_error *err)
{
    clv_search_result ignored;
    clv_multilevel_task again = *task;
    clv_preset preset = clv_preset_for_machine(effort);
    again.start = start;
    if (task->g->kind == CLEAVE_UNDIRECTED)
        return clv_search(&again, &preset, ctx, part, &ignored, err);
    memcpy(part, start, (size_t)task->g->nvtx * sizeof *part);
    return clv_place_parts(task, effort, true, ctx, part, err);
}

/* Does a sample of the edges show that another mapping is worse? */
static bool looks_worse(const clv_multilevel_task *task, int32_t *other, int32_t *part)
{
    clv_partition_state s = {.g = task->g, .bounds = task->bounds, .machine = task->machine};
    s.part = other;
    double cost = clv_line_sample(&s);
    s.part = part;
    return 1.02 * cost >= clv_line_sample(&s); /* or only slightly better */
}

cleave_status clv_prefer_identity(const clv_multilevel_task *task, cleave_effort effort,
                                  clv_context *ctx, int32_t *part, cleave_error *err)
{
    const clv_machine *m = task->machine;
    int32_t n = task->g->nvtx;
    clv_partition_state now, before;
    bool acyclic, stopped = clv_context_stop(ctx);
    clv_ws_mark mark = clv_ws_save(ctx->ws);
    int32_t *identity = clv_ws_alloc(ctx->ws, n, sizeof *identity);
    if (!identity)
        return clv_fail_memory(err);
    clv_evaluate_identity(n, m->npes, identity);
    for (int32_t v = 0; v < n; v++)
        identity[v] = m->place[identity[v]];
    if (!stopped || !looks_worse(task, identity, part)) {
        CLV_TRY(clv_place_state(&before, task, identity, ctx, &acyclic, err));
        clv_worth worth = clv_state_worth(&before);
        bool meets = acyclic && worth.overload == 0;
        if (!stopped)
            CLV_TRY(clv_multilevel_state(&now, task, part, ctx, err));
        if (stopped && meets)
            memcpy(part, identity, (size_t)n * sizeof *part);
        else if (meets && clv_worth_better(worth, clv_state_worth(&now)))
            CLV_TRY(search_from(task, effort, identity, ctx, part, err));
    }
    clv_ws_restore(ctx->ws, mark);
    return CLEAVE_OK;
}

/* ---- Whole parts ------------------------------------------------------------------------ */

cleave_status clv_place_parts(const clv_multilevel_task *task, cleave_effort effort,
                              bool moves, clv_context *ctx, int32_t *part, cleave_error *err)
{
    clv_partition_state s;
    clv_placement_params params = clv_preset_placement_of_parts(effort);
    clv_preset how = clv_preset_for_placed_parts(effort, task->g->kind);
    bool acyclic = true, may_move = moves && !clv_context_stop(ctx);
    clv_ws_mark mark = clv_ws_save(ctx->ws);
    CLV_TRY(clv_multilevel_state(&s, task, part, ctx, err));
    if (s.rank && may_move)
        CLV_TRY(clv_ranks_make(&s, 0, ctx->ws, &acyclic, err));
    params = clv_preset_placement_on(&params, task->machine);
    CLV_TRY(clv_placement_kway(&s, &params, ctx, err));
    if (may_move && s.rank && acyclic && !clv_context_stop(ctx))
        CLV_TRY(clv_refine_level(&s, &how, ctx, err));
    clv_ws_restore(ctx->ws, mark);
    return CLEAVE_OK;
}

static cleave_status relieve(const clv_multilevel_task *task, cleave_effort effort,
                             clv_context *ctx, int32_t *part, int64_t *largest,
                             cleave_error *err)
{
    clv_partition_state s;
    bool acyclic;
    clv_ws_mark mark = clv_ws_save(ctx->ws);
    CLV_TRY(clv_place_state(&s, task, part, ctx, &acyclic, err));
    CLV_TRY(clv_placement_relieve_kway(&s, clv_preset_congestion_steps(effort), largest, ctx,
                                       err));
    clv_ws_restore(ctx->ws, mark);
    return CLEAVE_OK;
}

/* Takes the parts of a line if their largest load is lower. */
static cleave_status offer_line(const clv_multilevel_task *task, cleave_effort effort,
                                int64_t given, clv_context *ctx, int32_t *part,
                                cleave_error *err)
{
    clv_partition_state s;
    int64_t largest = INT64_MAX, n = task->g->nvtx;
    clv_ws_mark mark = clv_ws_save(ctx->ws);
    int32_t *line = clv_ws_zalloc(ctx->ws, n, sizeof *line);
    if (!line)
        return clv_fail_memory(err);
    CLV_TRY(clv_multilevel_state(&s, task, line, ctx, err));
    CLV_TRY(clv_line_parts(&s, ctx, err));
    if (clv_state_overload(&s) > 0)
        CLV_TRY(clv_rebalance(&s, ctx, err));
    if (clv_state_overload(&s) == 0)
        CLV_TRY(clv_placement_relieve_kway(&s, clv_preset_congestion_steps(effort), &largest,
                                           ctx, err));
    if (largest < given)
        memcpy(part, line, (size_t)n * sizeof *part);
    clv_ws_restore(ctx->ws, mark);
    return CLEAVE_OK;
}

cleave_status clv_lower_congestion(const clv_multilevel_task *task, cleave_effort effort,
                                   bool line, clv_context *ctx, int32_t *part,
                                   cleave_error *err)
{
    int64_t largest = INT64_MAX;
    if (clv_context_stop(ctx))
        return CLEAVE_OK;
    CLV_TRY(relieve(task, effort, ctx, part, &largest, err));
    if (!line || largest == INT64_MAX || clv_context_stop(ctx))
        return CLEAVE_OK;
    return offer_line(task, effort, largest, ctx, part, err);
}
