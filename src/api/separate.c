/* SPDX-License-Identifier: Apache-2.0 */
/* api/separate.c - the public vertex separator: checks the arguments, calls the engine, fills
 * the result. */
#include "engine/order/separator.h"

#include <math.h>

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
        return clv_fail(err, CLEAVE_EINVAL, "unknown effort %d", (int)given->effort);
    if (given->threads < 0)
        return clv_fail(err, CLEAVE_EINVAL, "threads is %d", given->threads);
    if (!isfinite(given->imbalance) || given->imbalance < 0)
        return clv_fail(err, CLEAVE_EINVAL, "imbalance is negative or not a number");
    if (!(given->time_limit >= 0) || !isfinite(given->time_limit))
        return clv_fail(err, CLEAVE_EINVAL, "time_limit is not a number of seconds >= 0");
    if (g->kind != CLEAVE_UNDIRECTED)
        return clv_fail(
            err, CLEAVE_EINVAL,
            "separators are for undirected graphs, but the graph is a DAG: read it as "
            "\"undirected\"");
    return CLEAVE_OK;
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
    CLV_TRY(clv_context_open(&ctx, given.threads, given.seed, err));
    clv_context_watch(&ctx, given.time_limit, given.progress, given.payload);
    clv_context_lend(&ctx, g->narc + g->nvtx);
    cleave_status status =
        clv_separator_mapping(out, g, given.imbalance, given.effort, &ctx, weight, err);
    clv_context_close(&ctx);
    return status;
}
