/* SPDX-License-Identifier: Apache-2.0 */
/* api/remap.c - cleave_remap: checks the arguments, calls the pipeline, reports. */
#include <math.h>
#include <string.h>

#include "api/map_arguments.h"
#include "api/map_call.h"
#include "engine/remap/remap_pipeline.h"
#include "graph/order.h"

void cleave_remap_options_init(cleave_remap_options *opt, size_t size)
{
    cleave_remap_options defaults = {.migration_price = 1};
    clv_sized_init(opt, size);
    clv_sized_write(opt, &defaults, sizeof defaults);
}

void cleave_remap_report_init(cleave_remap_report *report, size_t size)
{
    clv_sized_init(report, size);
}

/* The checked arguments of a call. */
typedef struct remap_request {
    const clv_mapping *old;
    cleave_remap_options opt;
    clv_remap_strategy strategy;
    cleave_options options;         /* of the mapping; constraints are those below */
    cleave_constraints constraints; /* start: `all_pes` */
    clv_mapping *all_pes;
    clv_map_request map;
} remap_request;

/* ---- Checks ----------------------------------------------------------------------------- */

static cleave_status check_old(const remap_request *r, const clv_graph *g, cleave_error *err)
{
    const clv_mapping *old = r->old;
    if (old->nvtx != g->nvtx)
        return clv_fail(err, CLEAVE_EINVAL,
                        "the old mapping has %ld vertices, but the graph has %ld",
                        (long)old->nvtx, (long)g->nvtx);
    for (int32_t v = 0; r->opt.from && v < old->nvtx; v++)
        if (old->part[v] >= r->opt.from->npes)
            return clv_fail(err, CLEAVE_EINVAL,
                            "vertex %ld is on PE %ld of the old mapping, but the old machine "
                            "has %ld PEs",
                            (long)v, (long)old->part[v], (long)r->opt.from->npes);
    return CLEAVE_OK;
}

static cleave_status check_remap(remap_request *r, const clv_graph *g, cleave_error *err)
{
    const cleave_remap_options *opt = &r->opt;
    if (!(opt->migration_price >= 0) || !isfinite(opt->migration_price))
        return clv_fail(err, CLEAVE_EINVAL, "the price of migration is not a number >= 0");
    CLV_TRY(clv_remap_strategy_parse(&r->strategy, opt->strategy, err));
    size_t size = opt->report ? opt->report->size : sizeof *opt->report;
    if (size < sizeof size || size > 65536)
        return clv_fail(err, CLEAVE_EINVAL, "opt.report needs cleave_remap_report_init first");
    CLV_TRY(check_old(r, g, err));
    return opt->order ? cleave_order_check(opt->order, g, err) : CLEAVE_OK;
}

/* The options of cleave_map that apply here.  The engine must include every PE, because
 * vertices may currently be there: a start has that effect. */
static cleave_status check_map(remap_request *r, const clv_graph *g, const clv_target *t,
                               cleave_error *err)
{
    cleave_options_init(&r->options, sizeof r->options);
    cleave_constraints_init(&r->constraints, sizeof r->constraints);
    if (r->opt.options)
        CLV_TRY(clv_sized_copy(&r->options, sizeof r->options, r->opt.options, "opt.options",
                               err));
    if (r->options.constraints)
        CLV_TRY(clv_sized_copy(&r->constraints, sizeof r->constraints, r->options.constraints,
                               "opt.options.constraints", err));
    r->options.method = r->options.params = NULL;
    r->options.one_to_one = 0;
    r->options.constraints = &r->constraints;
    CLV_TRY(clv_mapping_new(&r->all_pes, g->nvtx, t->npes, NULL, err));
    r->constraints.start = r->all_pes;
    CLV_TRY(clv_map_request_check(&r->map, g, t, &r->options, err));
    if (r->map.opt.objective == CLEAVE_OBJECTIVE_VOLUME ||
        r->map.opt.objective == CLEAVE_OBJECTIVE_CONGESTION)
        return clv_fail(
            err, CLEAVE_EINVAL,
            "remapping minimises cut or cost, and migration; there is no other objective");
    return CLEAVE_OK;
}

/* ---- The call --------------------------------------------------------------------------- */

static void write_report(const remap_request *request, const clv_remap_job *job, double begin)
{
    cleave_remap_report report;
    cleave_remap_report_init(&report, sizeof report);
    clv_map_call_report(&job->map, begin);
    const char *name = clv_remap_strategy_name(job->result.strategy);
    memcpy(report.strategy, name, strlen(name) + 1);
    report.cut = job->map.verdict.cut;
    report.cut_before = job->cut_before;
    report.migration = job->migration;
    report.migration_bound = job->result.bound;
    clv_sized_write(request->opt.report, &report, sizeof report);
}

static cleave_status remap_checked(clv_mapping **out, const remap_request *request,
                                   double begin, cleave_error *err)
{
    const cleave_remap_options *opt = &request->opt;
    const clv_map_request *map = &request->map;
    clv_context ctx;
    CLV_TRY(clv_map_call_open(&ctx, map, err));
    clv_remap_job job = {.map = {.request = map, .ctx = &ctx},
                         .old = request->old,
                         .from = opt->from,
                         .task = {.price = opt->migration_price,
                                  .strategy = request->strategy,
                                  .order = opt->order ? opt->order->vertex : NULL}};
    cleave_status status = clv_mapping_new(out, map->g->nvtx, map->t->npes, NULL, err);
    if (status == CLEAVE_OK)
        status = clv_pipeline_remap(&job, (*out)->part, err);
    if (status == CLEAVE_OK)
        status = clv_pipeline_judge_remap(&job, (*out)->part, err);
    if (clv_status_has_mapping(status))
        write_report(request, &job, begin);
    return clv_map_call_close(out, &ctx, status);
}

cleave_status cleave_remap(cleave_mapping **out, const cleave_graph *g,
                           const cleave_mapping *old, const cleave_target *t,
                           const cleave_remap_options *opt, cleave_error *err)
{
    double begin = clv_clock();
    remap_request request = {.old = old};
    if (!out)
        return clv_fail(err, CLEAVE_EINVAL, "out is NULL");
    *out = NULL;
    if (!g || !old || !t)
        return clv_fail(err, CLEAVE_EINVAL, "%s is NULL",
                        !g     ? "the graph"
                        : !old ? "the old mapping"
                               : "the target");
    cleave_remap_options_init(&request.opt, sizeof request.opt);
    if (opt)
        CLV_TRY(clv_sized_copy(&request.opt, sizeof request.opt, opt, "opt", err));
    CLV_TRY(check_remap(&request, g, err));
    cleave_status status = check_map(&request, g, t, err);
    if (status == CLEAVE_OK)
        status = remap_checked(out, &request, begin, err);
    clv_mapping_free(request.all_pes);
    return status;
}
