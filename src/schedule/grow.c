/* SPDX-License-Identifier: Apache-2.0 */
/* schedule/grow.c - super layers by direct growth: one growth with a budget derived from the
 * size of the DAG (schedule/grow_pass.c), then improvement (schedule/improve_layers.c). */
#include <math.h>

#include "graph/schedule.h"
#include "schedule/grow_layers.h"

/* A pipeline of P threads, each with its share W / P in B pieces, costs (B + P - 1) (W / P / B
 * + sync): the best piece is the square root of sync W / P / (P - 1).  Without homes, where
 * threads take over work of others, somewhat larger pieces were best in experiments. */
int64_t clv_grow_budget(const clv_grow_base *base, int32_t threads, bool homes, double sync)
{
    double square = sync * (double)base->total / threads;
    double budget =
        sqrt(homes ? square / (threads > 1 ? threads - 1 : 1) : 2.25 * square / threads);
    if (!(budget < (double)base->total)) /* also true for NaN */
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

/* One growth of that many threads, improved. */
static cleave_status grow_for(const clv_graph *g, const clv_grow_base *base, double sync,
                              clv_context *ctx, clv_layering *l, cleave_error *err)
{
    double cost;
    clv_grow_rule rule = {.order = {.vertex = base->vertex},
                          .budget = clv_grow_budget(base, l->threads, false, sync),
                          .sync = sync};
    CLV_TRY(clv_grow_pass(g, &rule, ctx, l, err));
    return clv_improve_layers(g, sync, ctx, l, &cost, err);
}

static cleave_status grow(const clv_graph *g, double sync, clv_context *ctx, clv_layering *l,
                          cleave_error *err)
{
    enum { always_plausible = 256 };
    clv_grow_base base;
    clv_graph thin;
    CLV_TRY(clv_grow_skeleton(&thin, g, ctx->ws, err));
    CLV_TRY(clv_grow_base_make(&base, &thin, ctx->ws, err));
    l->threads = clv_grow_useful(&base, g->nvtx, l->threads);
    CLV_TRY(grow_for(&thin, &base, sync, ctx, l, err));
    if (clv_schedule_is_plausible(g->nvtx, l->layers, l->threads))
        return CLEAVE_OK;
    l->threads = always_plausible;
    return grow_for(&thin, &base, sync, ctx, l, err);
}

cleave_status clv_schedule_grow(const clv_graph *g, const clv_schedule_costs *costs,
                                clv_context *ctx, clv_layering *l, cleave_error *err)
{
    clv_ws_mark mark = clv_ws_save(ctx->ws);
    clv_layering fewer = *l; /* with the useful number of threads */
    cleave_status status = grow(g, costs->sync, ctx, &fewer, err);
    l->layers = fewer.layers;
    clv_ws_restore(ctx->ws, mark);
    return status;
}
