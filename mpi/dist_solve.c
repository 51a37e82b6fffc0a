/* SPDX-License-Identifier: Apache-2.0 */
/* mpi/dist_solve.c - see mpi/dist_solve.h. */
#include "mpi/dist_solve.h"

#include <math.h>
#include <string.h>

#include "base/rng.h"
#include "engine/limits.h"
#include "engine/multilevel/multilevel.h"
#include "graph/derive.h"
#include "graph/mapping.h"
#include "target/target.h"

enum { most_solvers = 2 }; /* more seeds rarely help, and ranks share processors */

typedef struct solving {
    const clv_dist_task *task;
    clv_context *ctx;
    clv_graph *g;         /* the whole graph */
    int32_t *merge_class; /* of the whole graph; NULL: none */
    int64_t *size;        /* likewise */
    cleave_options opt;
    cleave_constraints constraints;
    clv_limits limits;
    clv_mapping *best;
    double worth; /* objective value of best */
} solving;

void clv_dist_solution_free(clv_dist_solution *s)
{
    clv_sys_free(s->max);
    clv_sys_free(s->rank);
    *s = (clv_dist_solution){0};
}

/* ---- Gathering -------------------------------------------------------------------------- */

/* *all becomes the items of all ranks, or NULL where there are none. */
static cleave_status gather_attributes(const clv_dist_graph *g, const void *mine, size_t each,
                                       void **all, cleave_error *err)
{
    clv_arrivals got = {0};
    cleave_status status = CLEAVE_OK;
    if (mine)
        status = clv_comm_gather_all(&g->comm, mine, g->nlocal, each, &got, err);
    clv_sys_free(got.first);
    *all = got.items;
    return status;
}

/* ---- Solving on one rank ---------------------------------------------------------------- */

static double beyond_bounds(cleave_status status)
{
    return status == CLEAVE_EBALANCE ? 1e300 : 0;
}

/* The call had its own context: the stop reason is copied to ours.  A call that only used up a
 * share of the time leaves the rest to the next steps. */
static void note_stop(const solving *k, cleave_status status, int32_t timed_out)
{
    if (status == CLEAVE_ECANCEL)
        atomic_store(k->ctx->stopped, 2);
    else if (timed_out) {
        clv_context_hurry(k->ctx);
        clv_context_stop(k->ctx);
    }
}

static cleave_status map_alone(solving *k, cleave_error *err)
{
    cleave_map_report report;
    cleave_map_report_init(&report, sizeof report);
    k->opt.report = &report;
    k->constraints.fixed = k->task->fixed ? k->merge_class : NULL;
    cleave_status status = cleave_map(&k->best, k->g, k->task->t, &k->opt, err);
    k->worth = (double)(report.cost >= 0 ? report.cost : report.cut) + beyond_bounds(status);
    note_stop(k, status, report.timed_out);
    return status;
}

/* A vertex without a home PE has its home on a PE that no longer exists. */
static cleave_status remap_alone(solving *k, cleave_error *err)
{
    cleave_remap_options opt;
    cleave_remap_report report;
    cleave_map_report map;
    clv_mapping *old = NULL;
    int32_t npes = k->task->t->npes;
    for (int32_t v = 0; v < k->g->nvtx; v++)
        if (k->merge_class[v] < 0)
            k->merge_class[v] = npes;
    CLV_TRY(clv_mapping_new(&old, k->g->nvtx, npes + 1, k->merge_class, err));
    for (int32_t v = 0; v < k->g->nvtx; v++)
        if (k->merge_class[v] == npes)
            k->merge_class[v] = -1;
    cleave_remap_options_init(&opt, sizeof opt);
    cleave_remap_report_init(&report, sizeof report);
    cleave_map_report_init(&map, sizeof map);
    opt.migration_price = k->task->price;
    opt.strategy = k->task->strategy;
    opt.options = &k->opt;
    opt.report = &report;
    k->opt.report = &map;
    cleave_status status = cleave_remap(&k->best, k->g, old, k->task->t, &opt, err);
    k->opt.report = NULL;
    int64_t cost = map.cost >= 0 ? map.cost : map.cut;
    double moving = k->task->price * (double)report.migration;
    k->worth = (double)cost + (moving < 1e299 ? moving : 1e299) + beyond_bounds(status);
    note_stop(k, status, map.timed_out);
    clv_mapping_free(old);
    return status;
}

/* Whether this is the plain task of the multilevel engine: many vertices, equidistant parts,
 * and no part that stays empty. */
static bool is_plain(const solving *k)
{
    const clv_dist_task *task = k->task;
    bool one_run = clv_preset_is_one_run(clv_preset_of(k->opt.effort, CLEAVE_UNDIRECTED));
    bool plain = !task->home && k->g->kind == CLEAVE_UNDIRECTED && !k->opt.one_to_one &&
                 one_run && k->limits.total[0] > 0 &&
                 k->limits.bounds.nparts == task->t->npes && task->t->npes > 1 &&
                 (clv_target_is_flat(task->t) || k->opt.objective == CLEAVE_OBJECTIVE_CUT) &&
                 k->g->nvtx / 2 > task->t->npes;
    for (int32_t p = 0; plain && p < k->limits.bounds.nparts; p++)
        plain = !clv_bounds_is_idle(&k->limits.bounds, p);
    return plain;
}

static cleave_status partition_alone(solving *k, cleave_error *err)
{
    clv_preset effort = clv_preset_for_gathered(k->opt.effort, k->g, k->task->t->npes);
    clv_multilevel_task task = {.g = k->g,
                                .bounds = k->limits.bounds,
                                .fixed = k->task->fixed ? k->merge_class : NULL};
    clv_multilevel_result result;
    clv_context ctx = *k->ctx;
    ctx.seed = k->opt.seed;
    CLV_TRY(clv_mapping_new(&k->best, k->g->nvtx, k->task->t->npes, NULL, err));
    cleave_status status = clv_multilevel(&task, &effort, &ctx, k->best->part, &result, err);
    if (status != CLEAVE_OK) {
        clv_mapping_free(k->best);
        k->best = NULL;
        return status;
    }
    k->worth = (double)result.worth.cut + (result.worth.overload > 0 ? 1e300 : 0);
    return CLEAVE_OK;
}

/* A mapping that breaks a bound or was stopped is a valid result. */
static cleave_status solve_alone(solving *k, cleave_error *err)
{
    cleave_error said = {0};
    if (k->size) {
        k->g->vsize = NULL;
        k->g->wide_vsize = k->size;
    }
    cleave_status status = is_plain(k)     ? partition_alone(k, &said)
                           : k->task->home ? remap_alone(k, &said)
                                           : map_alone(k, &said);
    if (k->best)
        return CLEAVE_OK;
    if (err)
        *err = said;
    return status;
}

static void prepare_options(solving *k, const clv_comm *comm)
{
    const cleave_constraints *given = k->task->constraints;
    k->opt = *k->task->opt;
    cleave_constraints_init(&k->constraints, sizeof k->constraints);
    k->constraints.shares = given->shares;
    k->constraints.imbalance = given->imbalance;
    k->constraints.max = given->max;
    k->opt.constraints = &k->constraints;
    k->opt.method = k->opt.params = NULL;
    k->opt.threads = clv_context_threads(k->ctx);
    if (comm->rank > 0)
        k->opt.seed = clv_hash64(k->opt.seed ^ clv_hash64((uint64_t)comm->rank));
    if (k->opt.time_limit > 0) {
        double left = k->ctx->deadline - clv_clock();
        k->opt.time_limit = left > 0.001 ? left : 0.001;
    }
}

/* ---- Selecting the best ----------------------------------------------------------------- */

static cleave_status share_best(solving *k, int32_t *part, cleave_error *err)
{
    const clv_dist_graph *g = k->task->g;
    const clv_comm *comm = &g->comm;
    struct {
        double worth;
        int rank;
    } mine = {k->best ? k->worth : INFINITY, comm->rank}, best = mine; /* ties: the lowest */
    if (comm->size > 1)
        MPI_Allreduce(&mine, &best, 1, MPI_DOUBLE_INT, MPI_MINLOC, comm->mpi);
    cleave_status status = CLEAVE_OK;
    if (!k->best)
        status = clv_mapping_new(&k->best, k->g->nvtx, k->task->t->npes, NULL, err);
    CLV_TRY(clv_comm_agree(comm, status, err));
    clv_comm_broadcast(comm, k->best->part, k->g->nvtx * (int64_t)sizeof *part, best.rank);
    if (g->nlocal > 0)
        memcpy(part, k->best->part + g->first[comm->rank], (size_t)g->nlocal * sizeof *part);
    return CLEAVE_OK;
}

/* ---- Data for the finer levels ---------------------------------------------------------- */

static cleave_status fill_bounds(const solving *k, clv_dist_solution *s, cleave_error *err)
{
    int32_t npes = k->task->t->npes, ncon = k->g->ncon;
    s->nparts = npes;
    s->max = clv_zalloc((int64_t)npes * ncon, sizeof *s->max);
    if (!s->max)
        return clv_fail_memory(err);
    memcpy(s->max, k->limits.bounds.max,
           (size_t)k->limits.bounds.nparts * (size_t)ncon * sizeof *s->max);
    return CLEAVE_OK;
}

static cleave_status fill_ranks(const solving *k, clv_dist_solution *s, cleave_error *err)
{
    if (k->g->kind != CLEAVE_DAG)
        return CLEAVE_OK;
    clv_ws *ws = k->ctx->ws;
    clv_ws_mark mark = clv_ws_save(ws);
    int32_t *order = clv_ws_alloc(ws, s->nparts, sizeof *order);
    s->rank = clv_alloc(s->nparts, sizeof *s->rank);
    cleave_status status = order && s->rank ? CLEAVE_OK : clv_fail_memory(err);
    k->best->nparts = s->nparts;
    if (status == CLEAVE_OK)
        status = clv_derive_part_order(k->g, k->best, ws, order, err);
    for (int32_t i = 0; status == CLEAVE_OK && i < s->nparts; i++)
        s->rank[order[i]] = i;
    clv_ws_restore(ws, mark);
    return status;
}

static cleave_status gather_task(solving *k, cleave_error *err)
{
    const clv_dist_task *task = k->task;
    const int32_t *own = task->home ? task->home : task->fixed;
    void *merge_class = NULL, *size = NULL;
    cleave_status status = clv_dist_graph_gather(&k->g, task->g, -1, err);
    if (status == CLEAVE_OK)
        status = gather_attributes(task->g, own, sizeof *own, &merge_class, err);
    if (status == CLEAVE_OK)
        status = gather_attributes(task->g, task->size, sizeof *task->size, &size, err);
    k->merge_class = merge_class;
    k->size = size;
    return status;
}

cleave_status clv_dist_solve(const clv_dist_task *task, clv_context *ctx, int32_t *part,
                             clv_dist_solution *solution, cleave_error *err)
{
    solving k = {.task = task, .ctx = ctx};
    const clv_comm *comm = &task->g->comm;
    clv_ws_mark mark = clv_ws_save(ctx->ws);
    cleave_status status = gather_task(&k, err);
    if (status == CLEAVE_OK) {
        prepare_options(&k, comm);
        const clv_weight_demands demands = {&k.constraints, k.opt.imbalance};
        cleave_status mine = clv_limits_make(&k.limits, k.g, task->t, &demands, ctx->ws, err);
        if (mine == CLEAVE_OK && comm->rank < most_solvers)
            mine = solve_alone(&k, err);
        status = clv_comm_agree(comm, mine, err);
    }
    if (status == CLEAVE_OK)
        status = share_best(&k, part, err);
    if (status == CLEAVE_OK) {
        cleave_status mine = fill_bounds(&k, solution, err);
        if (mine == CLEAVE_OK)
            mine = fill_ranks(&k, solution, err);
        status = clv_comm_agree(comm, mine, err);
    }
    clv_mapping_free(k.best);
    clv_graph_free(k.g);
    clv_sys_free(k.merge_class);
    clv_sys_free(k.size);
    clv_ws_restore(ctx->ws, mark);
    return status;
}
