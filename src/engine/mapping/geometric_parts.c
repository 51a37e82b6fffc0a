/* SPDX-License-Identifier: Apache-2.0 */
/* engine/mapping/geometric_parts.c - RCB, space-filling curves and recursive spectral
 * bisection, see engine/mapping/geometric_parts.h. */
#include "engine/mapping/geometric_parts.h"

#include <string.h>

#include "engine/mapping/place_parts.h"
#include "engine/multilevel/refine_level.h"
#include "engine/order/line_parts.h"
#include "order/curve.h"
#include "refine/balance/acyclic_balance.h"
#include "refine/balance/rebalance.h"
#include "refine/state/ranks.h"

/* ---- Parts ------------------------------------------------------------------------------ */

/* Restricts the task to what these methods support: only the first vertex weight is used. */
static cleave_status simplify(clv_multilevel_task *to, clv_graph *view,
                              const clv_multilevel_task *task, clv_ws *ws, cleave_error *err)
{
    *to = *task;
    if (task->g->ncon == 1)
        return CLEAVE_OK;
    CLV_TRY(clv_order_graph(view, task->g, ws, err));
    to->g = view;
    return clv_bounds_first(&to->bounds, &task->bounds, ws, err);
}

/* If all upper bounds are 0, so are all shares: then the parts are equal. */
static clv_split_rule rule_of(const clv_multilevel_task *task, const clv_method *method)
{
    const clv_bounds *b = &task->bounds;
    bool any_share = false;
    for (int32_t p = 0; p < b->nparts && !any_share; p++)
        any_share = b->share[p] > 0;
    return (clv_split_rule){
        .npes = b->nparts, .speed = any_share ? b->share : NULL, .grouping = method->grouping};
}

/* Cuts a space-filling curve into intervals. */
static cleave_status cut_curve(const clv_multilevel_task *task, const clv_method *method,
                               clv_context *ctx, int32_t *part, cleave_error *err)
{
    clv_ws *ws = ctx->ws;
    int32_t n = task->g->nvtx, k = task->bounds.nparts;
    clv_order *line = NULL;
    int32_t *vertex = clv_ws_alloc(ws, n, sizeof *vertex);
    int32_t *sequence = clv_ws_alloc(ws, k, sizeof *sequence);
    int32_t *begin = clv_ws_alloc(ws, k, sizeof *begin);
    int32_t *end = clv_ws_alloc(ws, k, sizeof *end);
    if (!vertex || !sequence || !begin || !end)
        return clv_fail_memory(err);
    clv_curve curve = method->kind == CLV_METHOD_HCI ? CLV_CURVE_HILBERT : CLV_CURVE_MORTON;
    CLV_TRY(clv_curve_order(task->g, curve, ctx, vertex, err));
    CLV_TRY(clv_order_given(&line, n, vertex, task->g->vwgt, err));
    clv_split_rule rule = rule_of(task, method);
    clv_grouping_sequence(rule.grouping, rule.speed, k, sequence, begin);
    clv_split(line, &rule, sequence, begin, end);
    for (int32_t p = 0; p < k; p++)
        for (int32_t at = begin[p]; at < end[p]; at++)
            part[line->vertex[at]] = p;
    clv_order_free(line);
    return CLEAVE_OK;
}

static cleave_status halve_by_vectors(const clv_multilevel_task *task,
                                      const clv_method *method, clv_context *ctx,
                                      int32_t *part, clv_spectral_quality *quality,
                                      cleave_error *err)
{
    clv_spectral_notes noted = {0}, *notes = &noted;
    clv_halving_source source = clv_source_spectral_noting(&notes);
    clv_split_rule rule = rule_of(task, method);
    CLV_TRY(clv_halving_parts(task->g, &source, &rule, ctx, part, err));
    *quality = clv_spectral_summary(notes);
    bool undirected = task->g->kind == CLEAVE_UNDIRECTED, replaced;
    bool shortened = clv_context_is_hurried(ctx) || clv_context_is_stopped(ctx);
    if (!shortened || !undirected)
        return CLEAVE_OK;
    return clv_line_replace(task, ctx, part, &replaced, err);
}

static cleave_status make_parts(const clv_multilevel_task *task, const clv_method *method,
                                clv_context *ctx, int32_t *part, clv_spectral_quality *quality,
                                cleave_error *err)
{
    if (method->kind == CLV_METHOD_BORDERS) {
        memcpy(part, task->start, (size_t)task->g->nvtx * sizeof *part);
        return CLEAVE_OK;
    }
    if (method->kind == CLV_METHOD_RSB)
        return halve_by_vectors(task, method, ctx, part, quality, err);
    clv_split_rule rule = rule_of(task, method);
    if (method->kind == CLV_METHOD_RCB)
        return clv_halving_parts(task->g, &clv_source_coordinates, &rule, ctx, part, err);
    return cut_curve(task, method, ctx, part, err);
}

/* ---- Borders ---------------------------------------------------------------------------- */

/* Rebalances parts that the recursion left out of the bounds. */
static cleave_status repair(const clv_multilevel_task *task, clv_context *ctx, int32_t *part,
                            clv_multilevel_result *result, cleave_error *err)
{
    clv_partition_state s;
    clv_ws_mark mark = clv_ws_save(ctx->ws);
    CLV_TRY(clv_multilevel_state(&s, task, part, ctx, err));
    if (clv_state_overload(&s) > 0)
        CLV_TRY(clv_rebalance(&s, ctx, err));
    result->worth = clv_state_worth(&s);
    clv_ws_restore(ctx->ws, mark);
    return CLEAVE_OK;
}

static cleave_status improve_borders(const clv_multilevel_task *task, bool refine,
                                     clv_context *ctx, int32_t *part,
                                     clv_multilevel_result *result, cleave_error *err)
{
    clv_partition_state s;
    bool acyclic = true;
    clv_ws_mark mark = clv_ws_save(ctx->ws);
    CLV_TRY(clv_multilevel_state(&s, task, part, ctx, err));
    if (s.rank)
        CLV_TRY(clv_ranks_make(&s, 0, ctx->ws, &acyclic, err));
    if (refine && acyclic)
        CLV_TRY(clv_refine_level(&s, clv_preset_for_borders(), ctx, err));
    result->worth = clv_state_worth(&s);
    clv_ws_restore(ctx->ws, mark);
    return CLEAVE_OK;
}

/* Refines with all vertex weights.  If the bounds of the unused weights are far exceeded,
 * rebalancing would destroy the parts without reaching them: then only the first weight is
 * used again. */
static cleave_status refine_borders(const clv_multilevel_task *task,
                                    const clv_multilevel_task *simple, clv_context *ctx,
                                    int32_t *part, clv_multilevel_result *result,
                                    cleave_error *err)
{
    size_t bytes = (size_t)task->g->nvtx * sizeof *part;
    if (task->g->ncon == 1)
        return improve_borders(task, true, ctx, part, result, err);
    int32_t *before = clv_ws_alloc(ctx->ws, task->g->nvtx, sizeof *before);
    if (!before)
        return clv_fail_memory(err);
    memcpy(before, part, bytes);
    CLV_TRY(improve_borders(task, true, ctx, part, result, err));
    if (result->worth.overload == 0)
        return CLEAVE_OK;
    memcpy(part, before, bytes);
    CLV_TRY(improve_borders(simple, true, ctx, part, result, err));
    return improve_borders(task, false, ctx, part, result, err);
}

cleave_status clv_geometric_parts(const clv_method_task *to, clv_search_result *found,
                                  cleave_error *err)
{
    const clv_multilevel_task *task = &to->t;
    const clv_method *method = to->method;
    clv_context *ctx = to->ctx;
    clv_multilevel_result *result = &found->last;
    int32_t *part = to->part;
    clv_multilevel_task simple;
    clv_graph view;
    clv_ws_mark mark = clv_ws_save(ctx->ws);
    double start = clv_clock();
    *found = (clv_search_result){.runs = 1, .last.levels = 1};
    CLV_TRY(simplify(&simple, &view, task, ctx->ws, err));
    CLV_TRY(make_parts(&simple, method, ctx, part, to->spectral, err));
    result->initial = clv_clock() - start;
    if (task->machine)
        CLV_TRY(clv_place_parts(&simple, to->effort, false, ctx, part, err));
    if (method->refine || method->kind == CLV_METHOD_BORDERS) {
        CLV_TRY(refine_borders(task, &simple, ctx, part, result, err));
    } else {
        CLV_TRY(repair(&simple, ctx, part, result, err));
        if (task->g->ncon > 1) /* of all weights */
            CLV_TRY(improve_borders(task, false, ctx, part, result, err));
    }
    result->refine = clv_clock() - start - result->initial;
    clv_ws_restore(ctx->ws, mark);
    return CLEAVE_OK;
}
