/* SPDX-License-Identifier: Apache-2.0 */
/* api/remap.c - cleave_remap: check, find out who lives where, let the engine work, judge its
 * mapping from scratch, report. */
#include <math.h>
#include <string.h>

#include "api/map_run.h"
#include "engine/remap.h"
#include "graph/order.h"
#include "target/pe_match.h"

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

/* What a call asks for, checked. */
typedef struct remap_request {
    const clv_mapping *old;
    cleave_remap_options opt;
    clv_remap_strategy strategy;
    cleave_options options;         /* of the mapping; constraints are those below */
    cleave_constraints constraints; /* start: `all_pes` */
    clv_mapping *all_pes;
    clv_map_request map;
} remap_request;

/* Everything that one call works on. */
typedef struct remap_run {
    const remap_request *request;
    clv_map_run map;
    clv_remap_task task;
    const int32_t *lives; /* by vertex: the PE of today that it is on; -1: on none */
    clv_remap_result result;
    int64_t cut_before, bound, migration;
} remap_run;

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

/* The options of cleave_map that count here.  Every PE must be known to the engine, whatever
 * its number, because vertices may live there: a start has that effect. */
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
        return clv_fail(err, CLEAVE_EINVAL,
                        "remapping makes cut or cost and migration small; there is no other "
                        "objective");
    return CLEAVE_OK;
}

/* ---- Who lives where -------------------------------------------------------------------- */

static cleave_status find_lives(remap_run *run, cleave_error *err)
{
    const clv_mapping *old = run->request->old;
    clv_ws *ws = run->map.ctx->ws;
    clv_used_parts used;
    int32_t *lives = clv_ws_alloc(ws, old->nvtx, sizeof *lives);
    if (!lives)
        return clv_fail_memory(err);
    run->lives = lives;
    CLV_TRY(clv_evaluate_used_parts(old->nvtx, old->nparts, old->part, ws, &used, err));
    int32_t *pe = clv_ws_alloc(ws, used.count, sizeof *pe);
    int32_t *match = clv_ws_alloc(ws, used.count, sizeof *match);
    if (!pe || !match)
        return clv_fail_memory(err);
    for (int32_t i = 0; i < used.count; i++)
        pe[i] = used.label ? used.label[i] : i;
    /* Empty parts may be beyond the old machine. */
    int32_t count = used.count,
            most = run->request->opt.from ? run->request->opt.from->npes : INT32_MAX;
    while (count > 0 && pe[count - 1] >= most)
        count--;
    CLV_TRY(clv_pe_match(run->request->opt.from, count, pe, run->map.request->t, match, err));
    for (int32_t v = 0; v < old->nvtx; v++)
        lives[v] = match[used.part[v]];
    return CLEAVE_OK;
}

/* May nothing be anywhere?  Then everything may be everywhere, as clv_verdict_reach sees it.
 */
static bool all_idle(const clv_limits *limits)
{
    int32_t idle = 0;
    while (idle < limits->bounds.nparts && clv_bounds_is_idle(&limits->bounds, idle))
        idle++;
    return idle == limits->bounds.nparts;
}

/* Nobody can stay on a PE that must be empty, but who is fixed there. */
static cleave_status find_homes(remap_run *run, cleave_error *err)
{
    const clv_units *units = &run->map.units;
    int32_t n = run->request->old->nvtx;
    bool anywhere = all_idle(&run->map.limits);
    int32_t *home = clv_ws_alloc(run->map.ctx->ws, n, sizeof *home);
    if (!home)
        return clv_fail_memory(err);
    for (int32_t v = 0; v < n; v++) {
        int32_t pe = run->lives[v];
        int32_t fixed = units->fixed ? units->fixed[clv_units_of(units, v)] : -1;
        bool stays =
            anywhere || fixed == pe || !clv_bounds_is_idle(&run->map.limits.bounds, pe);
        home[v] = pe >= 0 && stays ? pe : -1;
    }
    run->task.home = home;
    return CLEAVE_OK;
}

static cleave_status prepare(remap_run *run, cleave_error *err)
{
    const remap_request *request = run->request;
    CLV_TRY(clv_map_run_prepare(&run->map, err));
    run->map.start = NULL;
    CLV_TRY(find_lives(run, err));
    CLV_TRY(find_homes(run, err));
    run->task.to = clv_map_run_task(&run->map);
    run->task.price = request->opt.migration_price;
    run->task.strategy = request->strategy;
    run->task.order = request->opt.order ? request->opt.order->vertex : NULL;
    return CLEAVE_OK;
}

/* ---- Mapping ---------------------------------------------------------------------------- */

static cleave_status remap(remap_run *run, int32_t *part, cleave_error *err)
{
    bool done;
    clv_context *ctx = run->map.ctx;
    int32_t *made = clv_ws_alloc(ctx->ws, run->request->old->nvtx, sizeof *made);
    if (!made)
        return clv_fail_memory(err);
    CLV_TRY(clv_map_run_few(&run->map, made, &done, err));
    if (done)
        return clv_remap_few(&run->task, made, ctx, part, &run->result, err);
    CLV_TRY(clv_remap(&run->task, ctx, part, &run->result, err));
    run->map.stats = run->result.stats;
    return CLEAVE_OK;
}

static cleave_status judge(remap_run *run, const int32_t *part, cleave_error *err)
{
    const clv_graph *g = run->map.request->g;
    CLV_TRY(clv_evaluate_cut(g, run->request->old->part, &run->cut_before, err));
    CLV_TRY(clv_remap_bound(&run->task, run->map.ctx->ws, &run->bound, err));
    run->migration = clv_remap_migration(g, run->lives, part);
    return clv_map_run_judge(&run->map, part, err);
}

static void write_report(const remap_run *run, double seconds)
{
    cleave_remap_report report;
    cleave_remap_report_init(&report, sizeof report);
    clv_map_run_hand_report(&run->map, seconds);
    const char *name = clv_remap_strategy_name(run->result.strategy);
    memcpy(report.strategy, name, strlen(name) + 1);
    report.cut = run->map.verdict.cut;
    report.cut_before = run->cut_before;
    report.migration = run->migration;
    report.migration_bound = run->bound;
    clv_sized_write(run->request->opt.report, &report, sizeof report);
}

static cleave_status work(clv_mapping **out, const remap_request *request, clv_context *ctx,
                          double begin, cleave_error *err)
{
    remap_run run = {.request = request, .map = {.request = &request->map, .ctx = ctx}};
    CLV_TRY(prepare(&run, err));
    CLV_TRY(clv_mapping_new(out, request->map.g->nvtx, request->map.t->npes, NULL, err));
    CLV_TRY(remap(&run, (*out)->part, err));
    cleave_status status = judge(&run, (*out)->part, err);
    if (clv_map_run_hands_out(status))
        write_report(&run, clv_clock() - begin);
    return status;
}

/* ---- The call --------------------------------------------------------------------------- */

static cleave_status run_checked(clv_mapping **out, const remap_request *request, double begin,
                                 cleave_error *err)
{
    const cleave_options *opt = &request->map.opt;
    clv_context ctx;
    CLV_TRY(clv_context_open(&ctx, clv_map_run_threads(&request->map), opt->seed,
                             opt->time_limit, opt->progress, opt->payload, err));
    cleave_status status = work(out, request, &ctx, begin, err);
    clv_context_close(&ctx);
    if (!clv_map_run_hands_out(status)) {
        clv_mapping_free(*out);
        *out = NULL;
    }
    return status;
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
        status = run_checked(out, &request, begin, err);
    clv_mapping_free(request.all_pes);
    return status;
}
