/* SPDX-License-Identifier: Apache-2.0 */
/* api/separate.c - the public vertex separator: check the arguments, call the engine, wrap
 * the result. */
#include "engine/separator.h"

#include <math.h>

#include "graph/mapping.h"
#include "graph/order.h"

void cleave_separator_options_init(cleave_separator_options *opt, size_t size)
{
    cleave_separator_options defaults = {
        .imbalance = 0.2, .seed = 1, .effort = CLEAVE_EFFORT_DEFAULT};
    clv_sized_init(opt, size);
    clv_sized_write(opt, &defaults, sizeof defaults);
}

static cleave_status check(cleave_separator_options *given, const clv_graph *g,
                           const cleave_separator_options *opt, cleave_error *err)
{
    if (!g)
        return clv_fail(err, CLEAVE_EINVAL, "the graph is NULL");
    cleave_separator_options_init(given, sizeof *given);
    if (opt)
        CLV_TRY(clv_sized_copy(given, sizeof *given, opt, "opt", err));
    if ((int)given->effort < CLEAVE_EFFORT_FAST || given->effort > CLEAVE_EFFORT_BEST)
        return clv_fail(err, CLEAVE_EINVAL, "there is no effort %d", (int)given->effort);
    if (given->threads < 0)
        return clv_fail(err, CLEAVE_EINVAL, "threads is %d", given->threads);
    if (!isfinite(given->imbalance) || given->imbalance < 0)
        return clv_fail(err, CLEAVE_EINVAL, "imbalance is negative or not a number");
    if (!(given->time_limit >= 0) || !isfinite(given->time_limit))
        return clv_fail(err, CLEAVE_EINVAL, "time_limit is not a number of seconds >= 0");
    if (g->kind != CLEAVE_UNDIRECTED)
        return clv_fail(err, CLEAVE_EINVAL,
                        "a separator knows no directions, but the graph is a DAG: read it as "
                        "\"undirected\"");
    return CLEAVE_OK;
}

/* weight: of the graph as it is, in which vertices that were counted weigh nothing. */
static cleave_status separate(clv_mapping **out, const clv_graph *g,
                              const cleave_separator_options *opt, clv_context *ctx,
                              int64_t *weight, cleave_error *err)
{
    clv_graph view;
    CLV_TRY(clv_order_graph(&view, g, ctx->ws, err));
    int64_t total = clv_graph_weight(&view);
    if (total == 0) {
        clv_graph_set_vwgts(&view, (clv_weights){0});
        total = view.nvtx;
    }
    clv_separation s = {.g = &view, .max = clv_separator_bound(total, opt->imbalance)};
    s.part = clv_ws_alloc(ctx->ws, g->nvtx, sizeof *s.part);
    if (!s.part)
        return clv_fail_memory(err);
    clv_context_phase(ctx, "separating", 0, 0);
    CLV_TRY(clv_separator(&s, clv_separator_effort_of(opt->effort), ctx, err));
    s.g = g;
    clv_separation_measure(&s);
    for (int i = 0; weight && i < 3; i++)
        weight[i] = s.weight[i];
    CLV_TRY(clv_mapping_new(out, g->nvtx, 3, s.part, err));
    clv_context_stop(ctx);
    return clv_context_cancelled(ctx)
               ? clv_fail(err, CLEAVE_ECANCEL, "the progress callback said stop")
               : CLEAVE_OK;
}

cleave_status cleave_separator(cleave_mapping **out, const cleave_graph *g,
                               const cleave_separator_options *opt, int64_t *weight,
                               cleave_error *err)
{
    cleave_separator_options given;
    clv_context ctx;
    if (!out)
        return clv_fail(err, CLEAVE_EINVAL, "out is NULL");
    *out = NULL;
    CLV_TRY(check(&given, g, opt, err));
    CLV_TRY(clv_context_open(&ctx, given.threads, given.seed, given.time_limit, given.progress,
                             given.payload, err));
    clv_context_lend(&ctx, g->narc + g->nvtx);
    cleave_status status = separate(out, g, &given, &ctx, weight, err);
    clv_context_close(&ctx);
    return status;
}
