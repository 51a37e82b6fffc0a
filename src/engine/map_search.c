/* SPDX-License-Identifier: Apache-2.0 */
/* engine/map_search.c - see engine/map_search.h. */
#include "engine/map_search.h"

/* ---- Methods ---------------------------------------------------------------------------- */

/* Divided along the machine, and judged. */
static cleave_status divide(const clv_multilevel_task *task, const clv_effort *effort,
                            const clv_division *how, clv_context *ctx, int32_t *part,
                            clv_search_result *result, cleave_error *err)
{
    double before = clv_clock();
    CLV_TRY(clv_divide(task, effort, how, ctx, part, err));
    clv_kway s;
    clv_ws_mark mark = clv_ws_save(ctx->ws);
    CLV_TRY(clv_multilevel_state(&s, task, part, ctx, err));
    *result = (clv_search_result){.runs = 1};
    result->last = (clv_multilevel_result){.overload = clv_kway_overload(&s),
                                           .cut = s.cut,
                                           .levels = 1,
                                           .initial = clv_clock() - before};
    clv_ws_restore(ctx->ws, mark);
    return CLEAVE_OK;
}

static cleave_status multisection(const clv_multilevel_task *task, const clv_effort *effort,
                                  clv_context *ctx, int32_t *part, clv_search_result *result,
                                  cleave_error *err)
{
    static const clv_division groups = {CLV_POLICY_LEVEL, true};
    clv_effort once = *effort;
    once.cycles = once.population = 0;
    clv_ws_mark mark = clv_ws_save(ctx->ws);
    int32_t *start = clv_ws_alloc(ctx->ws, task->g->nvtx, sizeof *start);
    if (!start)
        return clv_fail_memory(err);
    clv_search_result first;
    CLV_TRY(divide(task, &once, &groups, ctx, start, &first, err));
    clv_multilevel_task again = *task;
    again.start = start;
    CLV_TRY(clv_search(&again, effort, ctx, part, result, err));
    result->last.initial += first.last.initial;
    clv_ws_restore(ctx->ws, mark);
    return CLEAVE_OK;
}

cleave_status clv_map_search(const clv_multilevel_task *task, const clv_effort *effort,
                             const clv_method *method, clv_context *ctx, int32_t *part,
                             clv_search_result *result, cleave_error *err)
{
    clv_division halves = {method->policy, false};
    bool hierarchy = task->machine && task->machine->t->levels > 1;
    if (method->kind == CLV_METHOD_DRB)
        return divide(task, effort, &halves, ctx, part, result, err);
    if (method->kind == CLV_METHOD_MULTISECTION ||
        (method->kind == CLV_METHOD_AUTO && hierarchy && !task->start))
        return multisection(task, effort, ctx, part, result, err);
    return clv_search(task, effort, ctx, part, result, err);
}
