/* SPDX-License-Identifier: Apache-2.0 */
/* schedule/row_split_auto.c - the cheapest schedule of tasks: that by which rows were cut,
 * improved, or another one where that is far from what so many threads can reach. */
#include <math.h>
#include <string.h>

#include "graph/schedule.h"
#include "schedule/grow_layers.h"
#include "schedule/row_split.h"

/* Of the weight by thread: dearer schedules have to compete. */
static const double good_enough = 1.25;

static double cost_bound(const clv_graph *tasks, int32_t threads)
{
    double sum = 0;
    for (int32_t t = 0; t < tasks->nvtx; t++)
        sum += clv_graph_vwgt(tasks, t, 0);
    return good_enough * sum / threads;
}

static cleave_status compete(const clv_graph *tasks, int32_t threads,
                             const clv_schedule_costs *costs, double cost, clv_context *ctx,
                             int32_t *layer, int32_t *thread, const char **method,
                             cleave_error *err)
{
    size_t bytes = (size_t)tasks->nvtx * sizeof *layer;
    const char *name;
    int32_t *other_layer = clv_ws_alloc(ctx->ws, tasks->nvtx, sizeof *other_layer);
    int32_t *other_thread = clv_ws_alloc(ctx->ws, tasks->nvtx, sizeof *other_thread);
    if (!other_layer || !other_thread)
        return clv_fail_memory(err);
    CLV_TRY(
        clv_schedule_auto(tasks, threads, costs, ctx, other_layer, other_thread, &name, err));
    double other = clv_schedule_cost(tasks, threads, other_layer, other_thread, costs, ctx->ws,
                                     NULL, NULL);
    if (other < 0)
        return clv_fail_memory(err);
    if (other < cost) {
        memcpy(layer, other_layer, bytes);
        memcpy(thread, other_thread, bytes);
        *method = name;
    }
    return CLEAVE_OK;
}

cleave_status clv_row_split_auto(const clv_graph *tasks, int32_t threads,
                                 const clv_schedule_costs *costs, clv_context *ctx,
                                 int32_t *layer, int32_t *thread, const char **method,
                                 cleave_error *err)
{
    int32_t layers = 0;
    *method = "grow";
    for (int32_t t = 0; t < tasks->nvtx; t++)
        layers = layer[t] >= layers ? layer[t] + 1 : layers;
    double cost;
    CLV_TRY(clv_improve_layers(tasks, threads, costs->sync, ctx, layer, thread, &layers, &cost,
                               err));
    if (costs->read > 0) {
        cost = clv_schedule_cost(tasks, threads, layer, thread, costs, ctx->ws, NULL, NULL);
        if (cost < 0)
            return clv_fail_memory(err);
    }
    if (!clv_schedule_is_plausible(tasks->nvtx, layers, threads))
        cost = HUGE_VAL; /* auto makes do with fewer threads */
    if (cost <= cost_bound(tasks, threads))
        return CLEAVE_OK;
    clv_ws_mark mark = clv_ws_save(ctx->ws);
    cleave_status status =
        compete(tasks, threads, costs, cost, ctx, layer, thread, method, err);
    clv_ws_restore(ctx->ws, mark);
    return status;
}
