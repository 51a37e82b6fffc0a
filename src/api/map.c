/* SPDX-License-Identifier: Apache-2.0 */
/* api/map.c - cleave_map: check, let the engine work, judge its mapping from scratch, report.
 *
 * A mapping is handed out with CLEAVE_OK, CLEAVE_EBALANCE and CLEAVE_ECANCEL; nothing else
 * of the caller's is written but the report. */
#include "api/map_arguments.h"
#include "engine/partition.h"
#include "engine/verdict.h"
#include "graph/topology.h"

/* Graphs that are done before another thread has started. */
enum { small_graph = 1 << 14 }; /* arcs and vertices */

/* Everything that one call works on; arrays are from the context's first workspace. */
typedef struct mapping_run {
    const clv_map_request *request;
    clv_context *ctx;
    clv_limits limits;
    clv_units units;
    clv_part_order order; /* of a DAG */
    const int32_t *start; /* consistent with fixed vertices and groups; NULL: none */
    clv_partition_stats stats;
    clv_verdict verdict;
} mapping_run;

/* ---- Preparing ------------------------------------------------------------------------ */

/* A unit starts where it is fixed, or else where its first vertex starts. */
static cleave_status prepare_start(mapping_run *run, cleave_error *err)
{
    const clv_mapping *given = run->request->constraints.start;
    const clv_units *units = &run->units;
    run->start = given ? given->part : NULL;
    if (!given || (!units->unit && !units->fixed))
        return CLEAVE_OK;
    clv_ws *ws = &run->ctx->ws[0];
    int32_t *start = clv_ws_alloc(ws, given->nvtx, sizeof *start);
    int32_t *place = clv_ws_alloc(ws, units->count, sizeof *place);
    if (!start || !place)
        return clv_fail_memory(err);
    for (int32_t u = 0; u < units->count; u++)
        place[u] = units->fixed ? units->fixed[u] : -1;
    for (int32_t v = 0; v < given->nvtx; v++) {
        int32_t *at = &place[clv_units_of(units, v)];
        if (*at < 0)
            *at = given->part[v];
        start[v] = *at;
    }
    run->start = start;
    return CLEAVE_OK;
}

/* Do all arcs run from lower to higher numbers?  Most DAGs are made that way. */
static bool is_numbered_forward(const clv_graph *g)
{
    bool forward = true;
    for (int32_t v = 0; v < g->nvtx && forward; v++)
        for (int64_t a = g->xadj[v]; a < g->xadj[v + 1]; a++)
            forward = forward && g->adj[a] > v;
    return forward;
}

/* A graph that was taken on trust may have cycles, which the engine could not bear. */
static cleave_status refuse_cycle(const clv_graph *g, clv_ws *ws, cleave_error *err)
{
    if (is_numbered_forward(g))
        return CLEAVE_OK;
    bool complete;
    int32_t length;
    clv_ws_mark mark = clv_ws_save(ws);
    int32_t *order = clv_ws_alloc(ws, g->nvtx, sizeof *order);
    if (!order)
        return clv_fail_memory(err);
    CLV_TRY(clv_topology_sort(g->nvtx, g->xadj, g->adj, ws, order, &complete, err));
    if (!complete) {
        char text[160];
        CLV_TRY(clv_topology_find_cycle(g->nvtx, g->xadj, g->adj, ws, order, &length, err));
        clv_topology_cycle_text(order, length, &g->names, 0, text, sizeof text);
        return clv_fail(err, CLEAVE_ECYCLE, "the graph has a cycle: %s", text);
    }
    clv_ws_restore(ws, mark);
    return CLEAVE_OK;
}

static cleave_status prepare(mapping_run *run, cleave_error *err)
{
    const clv_map_request *request = run->request;
    const cleave_constraints *given = &request->constraints;
    clv_ws *ws = &run->ctx->ws[0];
    if (request->g->kind == CLEAVE_DAG)
        CLV_TRY(refuse_cycle(request->g, ws, err));
    CLV_TRY(clv_limits_make(&run->limits, request->g, request->t, given,
                            request->opt.imbalance, ws, err));
    CLV_TRY(
        clv_units_make(&run->units, request->g->nvtx, given->fixed, given->groups, ws, err));
    if (request->g->kind == CLEAVE_DAG)
        CLV_TRY(clv_part_order_make(&run->order, request->g, &run->units, given->fixed,
                                    &run->limits, ws, err));
    return prepare_start(run, err);
}

/* ---- Mapping -------------------------------------------------------------------------- */

/* The only part that may hold something; -1: there are several, or none. */
static int32_t only_part(const clv_limits *limits)
{
    int32_t only = -1;
    for (int32_t p = 0; p < limits->nparts; p++) {
        if (limits->nparts > 1 && clv_limits_idle(limits, p))
            continue;
        if (only >= 0)
            return -1;
        only = p;
    }
    return only;
}

static cleave_status fill(const mapping_run *run, int32_t p, int32_t *part, cleave_error *err)
{
    const clv_graph *g = run->request->g;
    const int32_t *fixed = run->units.fixed;
    if (fixed && g->kind == CLEAVE_DAG)
        return clv_part_order_fill(&run->order, g, &run->units, p, run->ctx->ws, part, err);
    for (int32_t v = 0; v < g->nvtx; v++) {
        int32_t u = clv_units_of(&run->units, v);
        part[v] = fixed && fixed[u] >= 0 ? fixed[u] : p;
    }
    return CLEAVE_OK;
}

static cleave_status partition(mapping_run *run, int32_t *part, cleave_error *err)
{
    const clv_map_request *request = run->request;
    clv_partition_task task = {.g = request->g,
                               .nparts = run->limits.nparts,
                               .method = request->method,
                               .effort = request->opt.effort,
                               .objective = request->opt.objective,
                               .share = run->limits.share,
                               .max = run->limits.max,
                               .min = run->limits.min,
                               .units = &run->units,
                               .start = run->start,
                               .connected = request->constraints.connected != 0,
                               .order = run->order};
    return clv_partition(&task, run->ctx, part, &run->stats, err);
}

/* The engine is for what has a choice. */
static cleave_status search(mapping_run *run, int32_t *part, cleave_error *err)
{
    const clv_graph *g = run->request->g;
    clv_ws *ws = &run->ctx->ws[0];
    int32_t only = only_part(&run->limits), free_parts, free_units;
    run->stats.levels = 1;
    if (only >= 0)
        return fill(run, only, part, err);
    CLV_TRY(clv_units_count(&run->units, &run->limits, ws, &free_parts, &free_units, err));
    if (free_parts >= free_units)
        return clv_units_spread(&run->units, g, &run->limits, ws, part, err);
    return partition(run, part, err);
}

/* CLEAVE_OK, or CLEAVE_EBALANCE or CLEAVE_ECANCEL with a mapping all the same. */
static cleave_status judge(mapping_run *run, const int32_t *part, cleave_error *err)
{
    const clv_map_request *request = run->request;
    clv_demands demands = {request->g, &run->limits, &run->units, request->constraints.fixed,
                           request->constraints.connected != 0};
    cleave_status status =
        clv_verdict_reach(&run->verdict, &demands, part, &run->ctx->ws[0], err);
    if (clv_context_cancelled(run->ctx) && (status == CLEAVE_OK || status == CLEAVE_EBALANCE))
        return clv_fail(err, CLEAVE_ECANCEL,
                        "the progress callback said stop; the mapping is the best so far%s",
                        status == CLEAVE_OK ? "" : " and does not meet all demands");
    return status;
}

static void write_report(const mapping_run *run, double seconds)
{
    clv_context *ctx = run->ctx;
    cleave_map_report report;
    cleave_map_report_init(&report, sizeof report);
    report.cut = run->verdict.cut;
    report.volume = run->verdict.volume;
    report.imbalance = run->verdict.imbalance;
    report.balanced = run->verdict.balanced;
    report.empty_parts = run->verdict.empty_parts;
    report.levels = run->stats.levels;
    report.threads = clv_context_threads(ctx);
    report.cycles = run->stats.cycles;
    report.timed_out = !clv_context_cancelled(ctx) && atomic_load(ctx->stopped) != 0;
    report.seconds = seconds;
    report.seconds_coarsen = run->stats.coarsen;
    report.seconds_initial = run->stats.initial;
    report.seconds_refine = run->stats.refine;
    report.acyclic = run->verdict.acyclic;
    report.critical_path = run->verdict.critical_path;
    clv_sized_write(run->request->opt.report, &report, sizeof report);
}

/* ---- The call ------------------------------------------------------------------------- */

static bool hands_out(cleave_status status)
{
    return status == CLEAVE_OK || status == CLEAVE_EBALANCE || status == CLEAVE_ECANCEL;
}

static cleave_status work(clv_mapping **out, const clv_map_request *request, clv_context *ctx,
                          double begin, cleave_error *err)
{
    mapping_run run = {.request = request, .ctx = ctx};
    CLV_TRY(prepare(&run, err));
    CLV_TRY(clv_mapping_new(out, request->g->nvtx, request->t->npes, NULL, err));
    cleave_status status = search(&run, (*out)->part, err);
    if (status == CLEAVE_OK)
        status = judge(&run, (*out)->part, err);
    if (hands_out(status))
        write_report(&run, clv_clock() - begin);
    return status;
}

static int choose_threads(const clv_map_request *request)
{
    const clv_graph *g = request->g;
    bool small = g->narc + g->nvtx < small_graph;
    return request->opt.threads == 0 && small ? 1 : request->opt.threads;
}

cleave_status cleave_map(cleave_mapping **out, const cleave_graph *g, const cleave_target *t,
                         const cleave_options *opt, cleave_error *err)
{
    double begin = clv_clock();
    clv_map_request request;
    clv_context ctx;
    if (!out)
        return clv_fail(err, CLEAVE_EINVAL, "out is NULL");
    *out = NULL;
    CLV_TRY(clv_map_request_check(&request, g, t, opt, err));
    CLV_TRY(clv_context_open(&ctx, choose_threads(&request), request.opt.seed,
                             request.opt.time_limit, request.opt.progress, request.opt.payload,
                             err));
    cleave_status status = work(out, &request, &ctx, begin, err);
    clv_context_close(&ctx);
    if (!hands_out(status)) {
        clv_mapping_free(*out);
        *out = NULL;
    }
    return status;
}
