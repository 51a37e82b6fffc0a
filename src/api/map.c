/* SPDX-License-Identifier: Apache-2.0 */
/* api/map.c - cleave_map: check, let the engine work, judge its mapping from scratch, report.
 *
 * A mapping is handed out with CLEAVE_OK, CLEAVE_EBALANCE and CLEAVE_ECANCEL; nothing else
 * of the caller's is written but the report. */
#include "api/map_arguments.h"

#include <string.h>

#include "engine/partition.h"
#include "engine/verdict.h"
#include "evaluate/traffic.h"
#include "graph/topology.h"

/* Graphs that are done before another thread has started. */
enum { small_graph = 1 << 14 }; /* arcs and vertices */

/* Everything that one call works on; arrays are from the context's first workspace. */
typedef struct mapping_run {
    const clv_map_request *request;
    clv_context *ctx;
    clv_limits limits;
    clv_units units;
    clv_part_order order; /* of a DAG, or the places of the machine */
    clv_machine machine;  /* its places are in that order; machine.t NULL: all PEs are at
                             distance 1 */
    const int32_t *start; /* consistent with fixed vertices and groups; NULL: none */
    clv_partition_stats stats;
    clv_verdict verdict;
    int64_t cost, cost_identity; /* -1: without a machine */
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

/* The largest distance, or a bound: where there is no table, distances are those of paths, and
 * no two PEs are farther apart than twice what any is from the first. */
static double farthest_apart(const clv_machine *m)
{
    double farthest = 0;
    int64_t n = m->npes;
    for (int64_t i = 0; i < (m->table ? n * n : n); i++) {
        double d = m->table ? m->table[i] : 2.0 * clv_machine_distance(m, 0, (int32_t)i);
        farthest = d > farthest ? d : farthest;
    }
    return farthest;
}

/* Sums of weight times distance must fit wherever they are computed. */
static cleave_status check_costs(const clv_graph *g, const clv_machine *m, cleave_error *err)
{
    double weight = 0;
    for (int64_t a = 0; a < g->narc; a++)
        weight += clv_graph_ewgt(g, a);
    if (weight * farthest_apart(m) > (double)(INT64_MAX / 4))
        return clv_fail(
            err, CLEAVE_ERANGE,
            "the weights of the edges times the distances of the target do not fit "
            "into 63 bits");
    return CLEAVE_OK;
}

/* Parts of an undirected graph are places in the order of the machine's halves; those of a
 * DAG have an order of their own. */
static cleave_status prepare_machine(mapping_run *run, cleave_error *err)
{
    const clv_graph *g = run->request->g;
    const clv_target *t = run->request->t;
    clv_ws *ws = &run->ctx->ws[0];
    const int32_t *order = run->order.by_place;
    if (clv_target_is_flat(t) || t->npes == 1)
        return CLEAVE_OK;
    if (g->kind == CLEAVE_DAG && !order) {
        int32_t *numbers = clv_ws_alloc(ws, t->npes, sizeof *numbers);
        if (!numbers)
            return clv_fail_memory(err);
        for (int32_t pe = 0; pe < t->npes; pe++)
            numbers[pe] = pe;
        order = numbers;
    }
    CLV_TRY(clv_machine_make(&run->machine, t, order, ws, err));
    CLV_TRY(check_costs(g, &run->machine, err));
    run->order = (clv_part_order){run->machine.pe, run->machine.place};
    return CLEAVE_OK;
}

/* One vertex per PE: what they weigh does not matter. */
static void lift_bounds(const mapping_run *run)
{
    const clv_limits *limits = &run->limits;
    for (int64_t i = 0; i < (int64_t)limits->nparts * limits->ncon; i++)
        if (limits->max[i] > 0 && limits->max[i] < limits->total[i % limits->ncon])
            limits->max[i] = limits->total[i % limits->ncon];
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
    if (request->opt.one_to_one)
        lift_bounds(run);
    CLV_TRY(prepare_machine(run, err));
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

static cleave_status partition(mapping_run *run, bool spread, int32_t *part, cleave_error *err)
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
                               .order = run->order,
                               .machine = run->machine.t ? &run->machine : NULL,
                               .spread = spread};
    return clv_partition(&task, run->ctx, part, &run->stats, err);
}

/* Does every vertex have a part of its own, and one that may hold something? */
static cleave_status is_spread(const mapping_run *run, const int32_t *part, bool *yes,
                               cleave_error *err)
{
    clv_ws *ws = &run->ctx->ws[0];
    const clv_limits *limits = &run->limits;
    clv_ws_mark mark = clv_ws_save(ws);
    uint8_t *taken = clv_ws_zalloc(ws, limits->nparts, sizeof *taken);
    if (!taken)
        return clv_fail_memory(err);
    *yes = true;
    for (int32_t v = 0; v < run->request->g->nvtx; v++) {
        int32_t p = part[v];
        *yes = *yes && p < limits->nparts && !taken[p] && !clv_limits_idle(limits, p);
        if (*yes)
            taken[p] = 1;
    }
    clv_ws_restore(ws, mark);
    return CLEAVE_OK;
}

/* Each vertex gets a PE of its own; which one matters where distances differ.  Without fixed
 * vertices and different speeds the search starts from what follows the numbers, so that it
 * ends no worse. */
static cleave_status spread(mapping_run *run, int32_t *part, cleave_error *err)
{
    const clv_graph *g = run->request->g;
    const clv_target *t = run->request->t;
    clv_ws *ws = &run->ctx->ws[0];
    CLV_TRY(clv_units_spread(&run->units, g, &run->limits, ws, part, err));
    if (!run->machine.t || run->units.unit)
        return CLEAVE_OK;
    int32_t *start = clv_ws_alloc(ws, g->nvtx, sizeof *start);
    if (!start)
        return clv_fail_memory(err);
    memcpy(start, part, (size_t)g->nvtx * sizeof *start);
    bool given = false;
    if (run->start)
        CLV_TRY(is_spread(run, run->start, &given, err));
    if (given)
        memcpy(start, run->start, (size_t)g->nvtx * sizeof *start);
    else if (!run->units.fixed && !run->limits.shares)
        clv_evaluate_identity(g->nvtx, t->npes, start);
    run->start = start;
    return partition(run, true, part, err);
}

/* The engine is for what has a choice. */
static cleave_status search(mapping_run *run, int32_t *part, cleave_error *err)
{
    clv_ws *ws = &run->ctx->ws[0];
    int32_t only = only_part(&run->limits), free_parts, free_units;
    run->stats.levels = 1;
    if (only >= 0)
        return fill(run, only, part, err);
    CLV_TRY(clv_units_count(&run->units, &run->limits, ws, &free_parts, &free_units, err));
    if (free_parts >= free_units)
        return spread(run, part, err);
    if (run->request->opt.one_to_one)
        return clv_fail(err, CLEAVE_EINVAL,
                        "one vertex per PE was asked for, but only %ld PEs are left for %ld "
                        "vertices",
                        (long)free_parts, (long)free_units);
    return partition(run, false, part, err);
}

/* CLEAVE_OK, or CLEAVE_EBALANCE or CLEAVE_ECANCEL with a mapping all the same. */
static cleave_status judge(mapping_run *run, const int32_t *part, cleave_error *err)
{
    const clv_map_request *request = run->request;
    clv_ws *ws = &run->ctx->ws[0];
    run->cost = run->cost_identity = -1;
    if (run->machine.t) {
        CLV_TRY(clv_evaluate_cost_of(request->g, request->t, part, ws, &run->cost, NULL, NULL,
                                     err));
        CLV_TRY(clv_evaluate_cost_identity(request->g, request->t, ws, &run->cost_identity,
                                           NULL, err));
    }
    clv_demands demands = {request->g, &run->limits, &run->units, request->constraints.fixed,
                           request->constraints.connected != 0};
    cleave_status status = clv_verdict_reach(&run->verdict, &demands, part, ws, err);
    if (clv_context_cancelled(run->ctx) && (status == CLEAVE_OK || status == CLEAVE_EBALANCE))
        return clv_fail(err, CLEAVE_ECANCEL,
                        "the progress callback said stop; the mapping is the best so far%s",
                        status == CLEAVE_OK ? "" : " and does not meet all demands");
    return status;
}

/* Fixed vertices may stand in the way. */
static cleave_status check_one_to_one(const mapping_run *run, const int32_t *part,
                                      cleave_error *err)
{
    bool spread;
    CLV_TRY(is_spread(run, part, &spread, err));
    if (spread)
        return CLEAVE_OK;
    return clv_fail(err, CLEAVE_EINVAL,
                    "one vertex per PE was asked for, but several are fixed to the same one");
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
    report.cost = run->cost;
    report.cost_identity = run->cost_identity;
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
    if (status == CLEAVE_OK && request->opt.one_to_one)
        status = check_one_to_one(&run, (*out)->part, err);
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
