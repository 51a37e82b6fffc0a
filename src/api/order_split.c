/* SPDX-License-Identifier: Apache-2.0 */
/* api/order_split.c - orders cut for a machine: intervals, mappings, and mappings with refined
 * boundaries. */
#include "order/split.h"

#include <math.h>
#include <string.h>

#include "api/map_arguments.h"
#include "api/map_call.h"
#include "engine/order/refine_borders.h"

void cleave_split_options_init(cleave_split_options *opt, size_t size)
{
    cleave_split_options defaults = {.imbalance = 0.03};
    clv_sized_init(opt, size);
    clv_sized_write(opt, &defaults, sizeof defaults);
}

/* ---- Intervals ------------------------------------------------------------------------- */

static cleave_status check_split(clv_split_rule *rule, const clv_order *o, const clv_target *t,
                                 const cleave_split_options *opt, cleave_error *err)
{
    cleave_split_options given;
    if (!o || !t)
        return clv_fail(err, CLEAVE_EINVAL, "%s is NULL", o ? "the target" : "the order");
    cleave_split_options_init(&given, sizeof given);
    if (opt)
        CLV_TRY(clv_sized_copy(&given, sizeof given, opt, "opt", err));
    if (!(given.imbalance >= 0) || !isfinite(given.imbalance))
        return clv_fail(err, CLEAVE_EINVAL, "the imbalance allowed is not a number >= 0");
    const char *grouping = given.grouping && *given.grouping ? given.grouping : "auto";
    bool simple = strcmp(grouping, "simple") == 0, arranged = strcmp(grouping, "auto") == 0;
    if (!simple && !arranged && strcmp(grouping, "binpacking") != 0)
        return clv_fail(err, CLEAVE_EINVAL,
                        "grouping is \"%.40s\"; expected one of auto, simple, binpacking",
                        grouping);
    *rule = (clv_split_rule){t->npes, clv_target_shares(t), given.imbalance,
                             simple ? CLV_GROUPING_SIMPLE : CLV_GROUPING_BINPACKING, arranged};
    return CLEAVE_OK;
}

cleave_status cleave_order_split(int32_t *begin, int32_t *end, const cleave_order *o,
                                 const cleave_target *t, const cleave_split_options *opt,
                                 cleave_error *err)
{
    clv_split_rule rule;
    if (!begin || !end)
        return clv_fail(err, CLEAVE_EINVAL, "%s is NULL", begin ? "end" : "begin");
    CLV_TRY(check_split(&rule, o, t, opt, err));
    clv_split_line(o, &rule, begin, end);
    return clv_split_check(o, &rule, begin, end, err);
}

/* ---- Mappings -------------------------------------------------------------------------- */

cleave_status cleave_order_mapping(cleave_mapping **out, const cleave_order *o, int32_t npes,
                                   const int32_t *begin, const int32_t *end, cleave_error *err)
{
    if (!out)
        return clv_fail(err, CLEAVE_EINVAL, "out is NULL");
    *out = NULL;
    if (!o || !begin || !end)
        return clv_fail(err, CLEAVE_EINVAL, "%s is NULL",
                        !o       ? "the order"
                        : !begin ? "begin"
                                 : "end");
    if (npes < 1)
        return clv_fail(err, CLEAVE_EINVAL, "npes is %ld", (long)npes);
    return clv_order_mapping(out, o, npes, begin, end, err);
}

/* ---- Refined boundaries ---------------------------------------------------------------- */

/* Only these options are used; all others have their default values. */
static cleave_status check_refine(clv_map_request *request, const clv_graph *g,
                                  const clv_order *o, const clv_target *t,
                                  const cleave_options *opt, cleave_error *err)
{
    cleave_options given, plain;
    if (!o)
        return clv_fail(err, CLEAVE_EINVAL, "the order is NULL");
    cleave_options_init(&given, sizeof given);
    cleave_options_init(&plain, sizeof plain);
    if (opt)
        CLV_TRY(clv_sized_copy(&given, sizeof given, opt, "opt", err));
    plain.imbalance = given.imbalance;
    plain.seed = given.seed;
    plain.threads = given.threads;
    plain.time_limit = given.time_limit;
    plain.report = given.report;
    plain.progress = given.progress;
    plain.payload = given.payload;
    CLV_TRY(clv_map_request_check(request, g, t, &plain, err));
    request->method = clv_method_of(CLV_METHOD_BORDERS);
    return cleave_order_check(o, g, err);
}

cleave_status cleave_order_split_refine(cleave_mapping **out, const cleave_graph *g,
                                        const cleave_order *o, const cleave_target *t,
                                        const cleave_options *opt, cleave_error *err)
{
    double begin = clv_clock();
    clv_map_request request;
    clv_context ctx;
    if (!out)
        return clv_fail(err, CLEAVE_EINVAL, "out is NULL");
    *out = NULL;
    CLV_TRY(check_refine(&request, g, o, t, opt, err));
    CLV_TRY(clv_map_call_open(&ctx, &request, err));
    clv_map_job job = {.request = &request, .ctx = &ctx};
    cleave_status status = clv_mapping_new(out, g->nvtx, t->npes, NULL, err);
    if (status == CLEAVE_OK)
        status = clv_refine_borders(&job, o, (*out)->part, err);
    if (status == CLEAVE_OK)
        status = clv_pipeline_judge(&job, (*out)->part, err);
    if (clv_status_has_mapping(status))
        clv_map_call_report(&job, begin);
    return clv_map_call_close(out, &ctx, status);
}
