/* SPDX-License-Identifier: Apache-2.0 */
/* mpi/map_run.c - see mpi/map_run.h. */
#include "mpi/map_run.h"

#include <string.h>

#include "base/params.h"
#include "engine/limits.h"
#include "mpi/dag_ranges.h"
#include "mpi/team.h"

enum { least_gather = 1 << 21 };

/* ---- Arguments -------------------------------------------------------------------------- */

cleave_status clv_mpi_parse_gather(const char *params, int64_t *gather, cleave_error *err)
{
    *gather = -1;
    for (const char *rest = params && *params ? params : NULL; rest;) {
        clv_param p = clv_param_next(&rest);
        if (!clv_param_is(&p, "gather") ||
            !clv_substring_integer(p.value, 0, INT64_C(1) << 40, gather))
            return clv_fail(err, CLEAVE_EINVAL,
                            "unknown parameter '%.*s'; on several ranks expected "
                            "gather=ARCS",
                            (int)(p.item.end - p.item.begin), p.item.begin);
    }
    return CLEAVE_OK;
}

/* The arcs that every rank can hold: a small number, or a sixteenth of its own share. */
static int64_t choose_gather(const clv_dist_graph *g)
{
    int64_t share = g->narc_global / g->comm.size / 16;
    return share > least_gather ? share : least_gather;
}

/* Features that need one rank. */
static cleave_status refuse(const clv_mpi_run *run, const cleave_options *opt,
                            cleave_error *err)
{
    const cleave_constraints *given = &run->constraints;
    const char *what = NULL;
    if (given->groups)
        what = "groups of vertices";
    else if (given->connected)
        what = "connected parts";
    else if (given->min)
        what = "lower bounds of parts";
    else if (given->start)
        what = "a mapping to start from";
    else if (given->fixed && run->g->kind == CLEAVE_DAG)
        what = "fixed vertices of a DAG";
    else if (opt->objective == CLEAVE_OBJECTIVE_VOLUME)
        what = "the objective volume";
    else if (opt->objective == CLEAVE_OBJECTIVE_CONGESTION)
        what = "the objective congestion";
    if (!what)
        return CLEAVE_OK;
    return clv_fail(err, CLEAVE_EINVAL, "%s: not on several ranks", what);
}

static cleave_status check_fixed(const clv_mpi_run *run, cleave_error *err)
{
    const int32_t *fixed = run->constraints.fixed;
    for (int32_t v = 0; fixed && v < run->g->nlocal; v++)
        if (fixed[v] < -1 || fixed[v] >= run->t->npes)
            return clv_fail(err, CLEAVE_EINVAL,
                            "vertex %lld is fixed to part %ld, but there are %ld parts",
                            (long long)clv_dist_global(run->g, v), (long)fixed[v],
                            (long)run->t->npes);
    return CLEAVE_OK;
}

/* A PE of speed 0 stays empty, also if its share is not 0. */
static cleave_status mask_shares(clv_mpi_run *run, cleave_error *err)
{
    const double *shares = run->constraints.shares;
    int32_t ncon = run->g->ncon;
    if (!shares || !clv_shares_of_idle(run->t, shares, ncon))
        return CLEAVE_OK;
    run->masked = clv_alloc((int64_t)run->t->npes * ncon, sizeof *run->masked);
    if (!run->masked)
        return clv_fail_memory(err);
    run->constraints.shares = run->masked;
    return clv_shares_mask(run->masked, run->t, shares, ncon, err);
}

/* Checks arrays by vertex; the checks of one machine do the rest. */
static cleave_status check(clv_mpi_run *run, const cleave_options *given, cleave_error *err)
{
    cleave_options opt;
    cleave_constraints without;
    static const clv_graph none = {.ncon = 1};
    clv_graph empty = none;
    cleave_options_init(&opt, sizeof opt);
    cleave_constraints_init(&run->constraints, sizeof run->constraints);
    if (given)
        CLV_TRY(clv_sized_copy(&opt, sizeof opt, given, "opt", err));
    if (opt.constraints)
        CLV_TRY(clv_sized_copy(&run->constraints, sizeof run->constraints, opt.constraints,
                               "opt.constraints", err));
    without = run->constraints;
    without.size = sizeof without;
    without.fixed = without.groups = NULL;
    without.start = NULL;
    opt.constraints = &without;
    const char *method = opt.method, *params = opt.params;
    if (run->g->comm.size > 1)
        opt.method = opt.params = NULL;
    empty.kind = run->g->kind;
    empty.nvtx = run->g->nglobal < INT32_MAX ? (int32_t)run->g->nglobal : INT32_MAX;
    empty.ncon = run->g->ncon;
    empty.ndim = run->g->ndim;
    CLV_TRY(clv_map_request_check(&run->request, &empty, run->t, &opt, err));
    CLV_TRY(mask_shares(run, err));
    run->request.opt.method = method;
    run->request.opt.params = params;
    if (run->g->comm.size == 1)
        return CLEAVE_OK;
    CLV_TRY(refuse(run, &run->request.opt, err));
    CLV_TRY(clv_mpi_parse_gather(params, &run->gather, err));
    if (run->gather < 0)
        run->gather = choose_gather(run->g);
    return check_fixed(run, err);
}

cleave_status clv_mpi_run_open(clv_mpi_run *run, const clv_dist_graph *g,
                               const cleave_target *t, const cleave_options *opt,
                               cleave_error *err)
{
    const clv_comm *comm = &g->comm;
    *run = (clv_mpi_run){.g = g, .t = t, .begin = clv_clock()};
    CLV_TRY(clv_comm_agree(comm, check(run, opt, err), err));
    run->some_fixed = clv_comm_max(comm, run->constraints.fixed != NULL) != 0;
    const cleave_options *o = &run->request.opt;
    cleave_status mine = clv_mpi_context_open(&run->ctx, comm, o->threads, o->seed, err);
    clv_context_watch(&run->ctx, o->time_limit, o->progress, o->payload);
    run->open = mine == CLEAVE_OK;
    return clv_comm_agree(comm, mine, err);
}

void clv_mpi_run_close(clv_mpi_run *run)
{
    if (run->open)
        clv_context_close(&run->ctx);
    run->open = false;
    clv_sys_free(run->masked);
    run->masked = NULL;
}

/* ---- Search ----------------------------------------------------------------------------- */

/* Where all weights are 0, vertices are counted. */
static bool weighs_nothing(const clv_dist_graph *g)
{
    int64_t some = 0;
    for (int64_t i = 0; g->vwgt && i < (int64_t)g->nlocal * g->ncon; i++)
        some |= g->vwgt[i];
    return g->vwgt && g->nglobal > 0 && clv_comm_max(&g->comm, some) == 0;
}

static cleave_status search_on(clv_mpi_run *run, const clv_dist_graph *g, const int32_t *fixed,
                               const int32_t *home, int32_t *part, cleave_error *err)
{
    clv_dist_graph counted = *g;
    cleave_constraints fewer = run->constraints;
    clv_dist_task task = {.g = g,
                          .t = run->t,
                          .opt = &run->request.opt,
                          .constraints = &run->constraints,
                          .fixed = fixed,
                          .home = home,
                          .price = run->price,
                          .strategy = run->strategy,
                          .gather = run->gather};
    if (weighs_nothing(g)) {
        if (g->ncon > 1 && fewer.shares)
            return clv_fail(err, CLEAVE_EINVAL,
                            "shares by several weights, but nothing weighs anything: not on "
                            "several ranks");
        fewer.max = NULL; /* these are bounds on weights */
        counted.vwgt = NULL;
        counted.ncon = 1;
        task.g = &counted;
        task.constraints = &fewer;
    }
    return clv_dist_multilevel(&task, &run->ctx, part, &run->result, err);
}

/* A DAG is redistributed so that its arcs lead to higher ranks; parts and home PEs move with
 * it. */
static cleave_status search_dag(clv_mpi_run *run, int32_t *part, cleave_error *err)
{
    const clv_dist_graph *g = run->g;
    clv_dist_graph *moved = NULL;
    int64_t *number = clv_alloc(g->nlocal, sizeof *number);
    int32_t *there = NULL, *home = NULL;
    cleave_status status = clv_comm_agree_memory(&g->comm, number != NULL, err);
    if (status == CLEAVE_OK)
        status = clv_dag_ranges(&moved, g, number, err);
    if (status == CLEAVE_OK && !moved) {
        status = search_on(run, g, NULL, run->home, part, err);
    } else if (status == CLEAVE_OK) {
        clv_dist_moved done = {.from = g, .to = moved, .number = number};
        there = clv_alloc(moved->nlocal, sizeof *there);
        home = run->home ? clv_alloc(moved->nlocal, sizeof *home) : NULL;
        status = clv_comm_agree_memory(&g->comm, there && (home || !run->home), err);
        if (status == CLEAVE_OK && home)
            status = clv_dist_send_values(&done, run->home, sizeof *home, home, err);
        if (status == CLEAVE_OK)
            status = search_on(run, moved, NULL, home, there, err);
        if (status == CLEAVE_OK)
            status = clv_dist_fetch_values(&done, there, sizeof *there, part, err);
    }
    clv_dist_graph_free(moved);
    clv_sys_free(number);
    clv_sys_free(there);
    clv_sys_free(home);
    return status;
}

cleave_status clv_mpi_run_search(clv_mpi_run *run, int32_t *part, cleave_error *err)
{
    if (run->g->kind == CLEAVE_DAG)
        return search_dag(run, part, err);
    bool some = run->some_fixed;
    int32_t *none = NULL;
    const int32_t *fixed = run->constraints.fixed;
    if (some && !fixed) { /* a rank without vertices may have passed NULL */
        none = clv_alloc(run->g->nlocal, sizeof *none);
        for (int32_t v = 0; none && v < run->g->nlocal; v++)
            none[v] = -1;
        fixed = none;
    }
    cleave_status status = clv_comm_agree_memory(&run->g->comm, fixed || !some, err);
    if (status == CLEAVE_OK)
        status = search_on(run, run->g, some ? fixed : NULL, run->home, part, err);
    clv_sys_free(none);
    return status;
}
