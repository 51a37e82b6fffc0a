/* SPDX-License-Identifier: Apache-2.0 */
/* engine/geometric_parts.c - see engine/geometric_parts.h. */
#include "engine/geometric_parts.h"

#include <string.h>

#include "engine/map_search.h"
#include "order/curve.h"
#include "order/halving.h"
#include "refine/acyclic_balance.h"
#include "refine/ranks.h"
#include "refine/rebalance.h"

/* Searches that start at the borders and go as far as they pay.  Measured on meshes with lines
 * of the multilevel engine, cut over that of a mapping from scratch: 1.094 after one round,
 * 1.054 after three, 1.042 after five, 1.040 after eight; unconstrained moves before them gain
 * nothing. */
static const clv_effort at_borders = {.fm_passes = 4, .fm_patience = 300, .fm_rounds = 3};

/* ---- Parts ------------------------------------------------------------------------------ */

/* Intervals along a curve. */
static cleave_status cut_curve(const clv_multilevel_task *task, const clv_method *method,
                               clv_context *ctx, int32_t *part, cleave_error *err)
{
    clv_ws *ws = ctx->ws;
    int32_t n = task->g->nvtx, k = task->nparts;
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
    clv_grouping_sequence(method->grouping, task->share, k, sequence, begin);
    clv_split(line, k, task->share, sequence, 0, begin, end);
    for (int32_t p = 0; p < k; p++)
        for (int32_t at = begin[p]; at < end[p]; at++)
            part[line->vertex[at]] = p;
    clv_order_free(line);
    return CLEAVE_OK;
}

static cleave_status make_parts(const clv_multilevel_task *task, const clv_method *method,
                                clv_context *ctx, int32_t *part, cleave_error *err)
{
    if (method->kind == CLV_METHOD_BORDERS) {
        memcpy(part, task->start, (size_t)task->g->nvtx * sizeof *part);
        return CLEAVE_OK;
    }
    if (method->kind == CLV_METHOD_RCB || method->kind == CLV_METHOD_RSB) {
        const clv_halving_source *source =
            method->kind == CLV_METHOD_RCB ? &clv_source_coordinates : &clv_source_spectral;
        return clv_halving_parts(task->g, source, task->nparts, task->share, method->grouping,
                                 ctx, part, err);
    }
    return cut_curve(task, method, ctx, part, err);
}

/* ---- Borders ---------------------------------------------------------------------------- */

static cleave_status improve(const clv_multilevel_task *task, const clv_method *method,
                             clv_context *ctx, int32_t *part, clv_multilevel_result *result,
                             cleave_error *err)
{
    clv_kway s;
    bool acyclic = true;
    CLV_TRY(clv_multilevel_state(&s, task, part, ctx, err));
    if (s.rank)
        CLV_TRY(clv_ranks_make(&s, 0, ctx->ws, &acyclic, err));
    bool refine = method->refine || method->kind == CLV_METHOD_BORDERS;
    if (refine && acyclic)
        CLV_TRY(clv_improve(&s, &at_borders, ctx, err));
    else if (!s.rank && clv_kway_overload(&s) > 0)
        CLV_TRY(clv_rebalance(&s, ctx, err));
    result->overload = clv_kway_overload(&s);
    result->cut = s.cut;
    return CLEAVE_OK;
}

cleave_status clv_geometric(const clv_multilevel_task *task, const clv_method *method,
                            cleave_effort effort, clv_context *ctx, int32_t *part,
                            clv_multilevel_result *result, cleave_error *err)
{
    clv_ws_mark mark = clv_ws_save(ctx->ws);
    double start = clv_clock();
    CLV_TRY(make_parts(task, method, ctx, part, err));
    result->initial = clv_clock() - start;
    if (task->machine)
        CLV_TRY(clv_map_place(task, effort, false, ctx, part, err));
    CLV_TRY(improve(task, method, ctx, part, result, err));
    result->refine = clv_clock() - start - result->initial;
    clv_ws_restore(ctx->ws, mark);
    return CLEAVE_OK;
}
