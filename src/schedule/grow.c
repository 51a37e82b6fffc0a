/* SPDX-License-Identifier: Apache-2.0 */
/* schedule/grow.c - super layers by direct growth: one growth with a budget that suits the
 * size of the DAG (schedule/grow_pass.c), then improved (schedule/improve_layers.c). */
#include <math.h>

#include "graph/schedule.h"
#include "schedule/grow_layers.h"

/* A pipeline of P threads, each doing its W / P in B pieces, costs (B + P - 1) (W / P / B +
 * sync): the best piece is the root of sync W / P / (P - 1).  Without homes, where threads
 * fill up what others leave, somewhat larger pieces were best in trials. */
int64_t clv_grow_budget(const clv_grow_base *base, int32_t threads, bool homes, double sync)
{
    double square = sync * (double)base->total / threads;
    double budget =
        sqrt(homes ? square / (threads > 1 ? threads - 1 : 1) : 2.25 * square / threads);
    if (!(budget < (double)base->total)) /* also when it is not a number */
        return base->total + 1;
    return budget >= 1 ? (int64_t)budget : 1;
}

int32_t clv_grow_useful(const clv_grow_base *base, int32_t nvtx, int32_t threads)
{
    enum { generous = 8 };
    int64_t path = base->path > 0 ? base->path : 1;
    int64_t useful = base->total / path >= clv_schedule_most_threads
                         ? clv_schedule_most_threads
                         : generous * (base->total / path + 1);
    useful = useful < nvtx ? useful : nvtx;
    return useful < threads ? (int32_t)useful : threads;
}

static cleave_status grow_for(const clv_graph *g, const clv_grow_base *base, int32_t threads,
                              double sync, clv_context *ctx, int32_t *layer, int32_t *thread,
                              int32_t *layers, cleave_error *err)
{
    double cost;
    clv_grow_order order = {.vertex = base->vertex};
    int64_t budget = clv_grow_budget(base, threads, false, sync);
    CLV_TRY(clv_grow_pass(g, threads, &order, budget, sync, ctx, layer, thread, layers, err));
    return clv_improve_layers(g, threads, sync, ctx, layer, thread, layers, &cost, err);
}

static cleave_status grow(const clv_graph *g, int32_t threads, const clv_schedule_costs *costs,
                          clv_context *ctx, int32_t *layer, int32_t *thread, cleave_error *err)
{
    enum { always_plausible = 256 };
    clv_grow_base base;
    clv_graph thin;
    int32_t layers;
    CLV_TRY(clv_grow_skeleton(&thin, g, ctx->ws, err));
    CLV_TRY(clv_grow_base_make(&base, &thin, ctx->ws, err));
    threads = clv_grow_useful(&base, g->nvtx, threads);
    CLV_TRY(grow_for(&thin, &base, threads, costs->sync, ctx, layer, thread, &layers, err));
    if (clv_schedule_is_plausible(g->nvtx, layers, threads))
        return CLEAVE_OK;
    return grow_for(&thin, &base, always_plausible, costs->sync, ctx, layer, thread, &layers,
                    err);
}

cleave_status clv_schedule_grow(const clv_graph *g, int32_t threads,
                                const clv_schedule_costs *costs, clv_context *ctx,
                                int32_t *layer, int32_t *thread, cleave_error *err)
{
    clv_ws_mark mark = clv_ws_save(ctx->ws);
    cleave_status status = grow(g, threads, costs, ctx, layer, thread, err);
    clv_ws_restore(ctx->ws, mark);
    return status;
}
