/* SPDX-License-Identifier: Apache-2.0 */
/* schedule/row_split_auto.c - the cheapest schedule of tasks: the one found while splitting,
 * improved, or another one if that is far from the lower bound. */
#include <math.h>
#include <string.h>

#include "graph/schedule.h"
#include "schedule/grow_layers.h"
#include "schedule/row_split.h"

/* Schedules above this multiple of the mean load per thread are compared with others. */
static const double good_enough = 1.25;

static double cost_bound(const clv_graph *tasks, int32_t threads)
{
    double sum = 0;
    for (int32_t t = 0; t < tasks->nvtx; t++)
        sum += clv_graph_vwgt(tasks, t, 0);
    return good_enough * sum / threads;
}

/* Replaces the layers by those of clv_schedule_auto if these cost less. */
static cleave_status compare_with_auto(const clv_graph *tasks, const clv_schedule_costs *costs,
                                       double cost, clv_context *ctx, clv_layering *l,
                                       cleave_error *err)
{
    size_t bytes = (size_t)tasks->nvtx * sizeof *l->layer;
    clv_layering other = {.threads = l->threads};
    other.layer = clv_ws_alloc(ctx->ws, tasks->nvtx, sizeof *other.layer);
    other.thread = clv_ws_alloc(ctx->ws, tasks->nvtx, sizeof *other.thread);
    if (!other.layer || !other.thread)
        return clv_fail_memory(err);
    CLV_TRY(clv_schedule_auto(tasks, costs, ctx, &other, err));
    clv_schedule_spec spec = clv_layering_spec(&other);
    double other_cost = clv_schedule_cost(tasks, &spec, costs, ctx->ws, NULL, NULL);
    if (other_cost < 0)
        return clv_fail_memory(err);
    if (other_cost < cost) {
        memcpy(l->layer, other.layer, bytes);
        memcpy(l->thread, other.thread, bytes);
        l->layers = other.layers;
        l->method = other.method;
    }
    return CLEAVE_OK;
}

static int32_t count_layers(const clv_graph *tasks, const int32_t *layer)
{
    int32_t layers = 0;
    for (int32_t t = 0; t < tasks->nvtx; t++)
        layers = layer[t] >= layers ? layer[t] + 1 : layers;
    return layers;
}

cleave_status clv_row_split_auto(const clv_graph *tasks, const clv_schedule_costs *costs,
                                 clv_context *ctx, clv_layering *l, cleave_error *err)
{
    double cost;
    l->method = "grow";
    l->layers = count_layers(tasks, l->layer);
    CLV_TRY(clv_improve_layers(tasks, costs->sync, ctx, l, &cost, err));
    if (costs->read > 0) {
        clv_schedule_spec spec = clv_layering_spec(l);
        cost = clv_schedule_cost(tasks, &spec, costs, ctx->ws, NULL, NULL);
        if (cost < 0)
            return clv_fail_memory(err);
    }
    if (!clv_schedule_is_plausible(tasks->nvtx, l->layers, l->threads))
        cost = HUGE_VAL; /* clv_schedule_auto will use fewer threads */
    if (cost <= cost_bound(tasks, l->threads))
        return CLEAVE_OK;
    clv_ws_mark mark = clv_ws_save(ctx->ws);
    cleave_status status = compare_with_auto(tasks, costs, cost, ctx, l, err);
    clv_ws_restore(ctx->ws, mark);
    return status;
}
