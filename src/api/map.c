/* SPDX-License-Identifier: Apache-2.0 */
/* api/map.c - cleave_map: check, let the engine work, judge its mapping from scratch, report.
 *
 * A mapping is handed out with CLEAVE_OK, CLEAVE_EBALANCE and CLEAVE_ECANCEL; nothing else
 * of the caller's is written but the report. */
#include "api/map_run.h"

#include <string.h>

#include "evaluate/traffic.h"

/* Graphs that are done before another thread has started. */
enum { small_graph = 1 << 14 }; /* arcs and vertices */

/* The only part that may hold something; -1: there are several, or none. */
static int32_t only_part(const clv_limits *limits)
{
    int32_t only = -1;
    for (int32_t p = 0; p < limits->bounds.nparts; p++) {
        if (limits->bounds.nparts > 1 && clv_bounds_is_idle(&limits->bounds, p))
            continue;
        if (only >= 0)
            return -1;
        only = p;
    }
    return only;
}

static cleave_status fill(const clv_map_run *run, int32_t p, int32_t *part, cleave_error *err)
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

clv_partition_task clv_map_run_task(const clv_map_run *run)
{
    const clv_map_request *request = run->request;
    return (clv_partition_task){.g = request->g,
                                .bounds = run->limits.bounds,
                                .method = request->method,
                                .effort = request->opt.effort,
                                .objective = request->opt.objective,
                                .units = &run->units,
                                .start = run->start,
                                .connected = request->constraints.connected != 0,
                                .order = run->order,
                                .machine = run->machine.t ? &run->machine : NULL};
}

static cleave_status partition(clv_map_run *run, bool spread, int32_t *part, cleave_error *err)
{
    clv_partition_task task = clv_map_run_task(run);
    task.spread = spread;
    return clv_partition(&task, run->ctx, part, &run->stats, err);
}

/* Does every vertex have a part of its own?  useful: and one that may hold something. */
static cleave_status is_spread(const clv_map_run *run, const int32_t *part, bool useful,
                               bool *yes, cleave_error *err)
{
    clv_ws *ws = &run->ctx->ws[0];
    const clv_limits *limits = &run->limits;
    clv_ws_mark mark = clv_ws_save(ws);
    uint8_t *taken = clv_ws_zalloc(ws, limits->bounds.nparts, sizeof *taken);
    if (!taken)
        return clv_fail_memory(err);
    *yes = true;
    for (int32_t v = 0; v < run->request->g->nvtx; v++) {
        int32_t p = part[v];
        *yes = *yes && p < limits->bounds.nparts && !taken[p] &&
               !(useful && clv_bounds_is_idle(&limits->bounds, p));
        if (*yes)
            taken[p] = 1;
    }
    clv_ws_restore(ws, mark);
    return CLEAVE_OK;
}

/* Each vertex gets a PE of its own; which one matters where distances differ.  Without fixed
 * vertices and different speeds the search starts from what follows the numbers, so that it
 * ends no worse. */
static cleave_status spread(clv_map_run *run, int32_t *part, cleave_error *err)
{
    const clv_graph *g = run->request->g;
    const clv_target *t = run->request->t;
    clv_ws *ws = &run->ctx->ws[0];
    if (clv_map_run_is_sparse(run))
        return clv_map_run_compact(run, part, err);
    CLV_TRY(clv_units_spread(&run->units, g, &run->limits, ws, part, err));
    if (!run->machine.t || run->units.unit)
        return CLEAVE_OK;
    int32_t *start = clv_ws_alloc(ws, g->nvtx, sizeof *start);
    if (!start)
        return clv_fail_memory(err);
    memcpy(start, part, (size_t)g->nvtx * sizeof *start);
    bool given = false;
    if (run->start)
        CLV_TRY(is_spread(run, run->start, true, &given, err));
    if (given)
        memcpy(start, run->start, (size_t)g->nvtx * sizeof *start);
    else if (!run->units.fixed && !run->limits.shares)
        clv_evaluate_identity(g->nvtx, t->npes, start);
    run->start = start;
    return partition(run, true, part, err);
}

cleave_status clv_map_run_few(clv_map_run *run, int32_t *part, bool *done, cleave_error *err)
{
    clv_ws *ws = &run->ctx->ws[0];
    int32_t only = only_part(&run->limits), free_parts, free_units;
    run->stats.levels = 1;
    *done = true;
    CLV_TRY(clv_units_count(&run->units, &run->limits, ws, &free_parts, &free_units, err));
    if (run->request->opt.one_to_one && run->limits.bounds.nparts > 1 &&
        free_parts < free_units)
        return clv_fail(err, CLEAVE_EINVAL,
                        "one vertex per PE was asked for, but only %ld PEs are left for %ld "
                        "vertices",
                        (long)free_parts, (long)free_units);
    if (only >= 0)
        return fill(run, only, part, err);
    if (free_parts >= free_units)
        return spread(run, part, err);
    *done = false;
    return CLEAVE_OK;
}

/* The engine is for what has a choice. */
cleave_status clv_map_run_search(clv_map_run *run, int32_t *part, cleave_error *err)
{
    bool done;
    CLV_TRY(clv_map_run_few(run, part, &done, err));
    return done ? CLEAVE_OK : partition(run, false, part, err);
}

/* Fixed vertices may stand in the way.  status: what there is to say if they do not. */
static cleave_status check_one_to_one(const clv_map_run *run, const int32_t *part,
                                      cleave_status status, cleave_error *err)
{
    bool spread;
    CLV_TRY(is_spread(run, part, false, &spread, err));
    if (spread)
        return status;
    return clv_fail(err, CLEAVE_EINVAL,
                    "one vertex per PE was asked for, but several are fixed to the same one");
}

/* ---- The call ------------------------------------------------------------------------- */

static cleave_status work(clv_mapping **out, const clv_map_request *request, clv_context *ctx,
                          double begin, cleave_error *err)
{
    clv_map_run run = {.request = request, .ctx = ctx};
    CLV_TRY(clv_map_run_prepare(&run, err));
    CLV_TRY(clv_mapping_new(out, request->g->nvtx, request->t->npes, NULL, err));
    cleave_status status = clv_map_run_search(&run, (*out)->part, err);
    if (status == CLEAVE_OK)
        status = clv_map_run_judge(&run, (*out)->part, err);
    if (clv_map_run_hands_out(status) && request->opt.one_to_one)
        status = check_one_to_one(&run, (*out)->part, status, err);
    if (clv_map_run_hands_out(status))
        clv_map_run_hand_report(&run, clv_clock() - begin);
    return status;
}

int clv_map_run_threads(const clv_map_request *request)
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
    CLV_TRY(clv_context_open(&ctx, clv_map_run_threads(&request), request.opt.seed,
                             request.opt.time_limit, request.opt.progress, request.opt.payload,
                             err));
    cleave_status status = work(out, &request, &ctx, begin, err);
    clv_context_close(&ctx);
    if (!clv_map_run_hands_out(status)) {
        clv_mapping_free(*out);
        *out = NULL;
    }
    return status;
}
