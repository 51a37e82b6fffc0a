/* SPDX-License-Identifier: Apache-2.0 */
/* engine/pipeline.c - the steps of a mapping call, see engine/pipeline.h. */
#include "engine/pipeline.h"

#include "engine/clear_idle_parts.h"
#include "engine/mapping/front_mapping.h"
#include "engine/mapping/map_search.h"
#include "engine/mapping/place_parts.h"
#include "engine/mapping/trivial_mapping.h"
#include "engine/order/line_parts.h"
#include "engine/task_normalise.h"
#include "evaluate/traffic.h"
#include "refine/balance/rebalance.h"
#include "refine/connected/connected_parts.h"
#include "refine/moves/acyclic_volume.h"
#include "refine/moves/volume_moves.h"
#include "refine/state/ranks.h"

/* Shares of the time limit for the search when other steps follow it.  Volume and congestion
 * are what the call minimises, and the search minimises something else; connecting parts takes
 * a few passes over the graph. */
static const double share_before_volume = 0.75, share_before_congestion = 0.75,
                    share_before_joining = 0.9;

/* ---- A mapping -------------------------------------------------------------------------- */

cleave_status clv_pipeline_map(clv_map_job *job, int32_t *part, cleave_error *err)
{
    bool done;
    if (clv_front_applies(job->request)) {
        CLV_TRY(clv_front_normalise(job, err));
        job->stats.levels = 1;
        return clv_front_search(job, part, err);
    }
    CLV_TRY(clv_normalise_request(job, err));
    CLV_TRY(clv_trivial_mapping(job, part, &done, err));
    if (done)
        return CLEAVE_OK;
    clv_partition_task task = clv_pipeline_task(job);
    return clv_partition(&task, job->ctx, part, &job->stats, err);
}

clv_partition_task clv_pipeline_task(const clv_map_job *job)
{
    const clv_map_request *request = job->request;
    return (clv_partition_task){.g = request->g,
                                .bounds = job->limits.bounds,
                                .method = request->method,
                                .effort = request->opt.effort,
                                .objective = request->opt.objective,
                                .groups = &job->groups,
                                .start = job->start,
                                .connected = request->constraints.connected != 0,
                                .order = job->order,
                                .machine = job->machine.t ? &job->machine : NULL};
}

/* ---- A partition: the search ------------------------------------------------------------ */

/* Is the objective the communication cost, which depends on distances, and not cut or
 * volume? */
static bool is_objective_cost(const clv_partition_task *task)
{
    return task->objective != CLEAVE_OBJECTIVE_CUT &&
           task->objective != CLEAVE_OBJECTIVE_VOLUME;
}

/* The machine if the search minimises its distances; otherwise parts are placed afterwards. */
static const clv_machine *machine_by_cost(const clv_partition_task *task)
{
    bool by_cost = is_objective_cost(task) && task->g->kind == CLEAVE_UNDIRECTED;
    return by_cost ? task->machine : NULL;
}

/* Is there an edge lighter than an eighth of the mean?  Then a cheap cut may follow such
 * edges. Edge weights of coarse levels vary as much for other reasons. */
static bool has_light_edges(const clv_graph *g)
{
    double total = 0, least = (double)INT64_MAX;
    if (!clv_weights_any(clv_graph_ewgts(g)))
        return false;
    for (int64_t a = 0; a < g->narc; a++) {
        double w = (double)clv_graph_ewgt(g, a);
        total += w;
        least = w < least ? w : least;
    }
    return least * 8 * (double)g->narc < total;
}

static clv_method_task method_task(const clv_normal_task *n, const clv_method_row *row,
                                   clv_spectral_quality *spectral)
{
    const clv_partition_task *task = &n->task;
    clv_method_task to = {.t = n->t,
                          .method = &task->method,
                          .effort = task->effort,
                          .ctx = n->ctx,
                          .part = n->part,
                          .spectral = spectral};
    if (row->machine != CLV_MACHINE_NEVER)
        to.t.machine =
            row->machine == CLV_MACHINE_ALWAYS ? task->machine : machine_by_cost(task);
    if (!row->searches)
        return to;
    to.preset = clv_preset_for_partition(task->effort, task->g->kind, to.t.machine != NULL,
                                         has_light_edges(to.t.g));
    return to;
}

/* The share of the time that the steps after the search leave. */
static double share_of_search(const clv_normal_task *n, const clv_method_row *row)
{
    if (!row->searches)
        return 1;
    if (n->task.objective == CLEAVE_OBJECTIVE_VOLUME)
        return share_before_volume;
    if (n->task.objective == CLEAVE_OBJECTIVE_CONGESTION)
        return share_before_congestion;
    return n->task.connected ? share_before_joining : 1;
}

/* ---- A partition: after the search ------------------------------------------------------ */

/* With a time limit, a line is the result of a short one: a longer one must not be worse.
 * Without a limit, results stay as they are. */
static bool may_be_line(const clv_normal_task *n)
{
    const clv_multilevel_task *t = &n->t;
    return !n->task.connected && t->g->kind == CLEAVE_UNDIRECTED && t->g->ncon <= 1 &&
           !t->start && !t->fixed && clv_context_is_limited(n->ctx);
}

static cleave_status prefer_line(const clv_normal_task *n, bool *replaced, cleave_error *err)
{
    const clv_multilevel_task *t = &n->t;
    *replaced = false;
    if (n->task.objective != CLEAVE_OBJECTIVE_VOLUME || !may_be_line(n) ||
        clv_context_stop(n->ctx))
        return CLEAVE_OK;
    return clv_line_replace_by_volume(t, n->ctx, n->part, replaced, err);
}

static cleave_status lower_volume(const clv_normal_task *n, clv_partition_state *s,
                                  cleave_error *err)
{
    int32_t rounds = clv_preset_volume_rounds(n->task.effort);
    if (s->g->kind == CLEAVE_DAG) {
        clv_acyclic_volume_params params = clv_acyclic_volume_defaults();
        bool acyclic;
        params.rounds = rounds;
        CLV_TRY(clv_ranks_make(s, 0, n->ctx->ws, &acyclic, err));
        return acyclic ? clv_acyclic_volume(s, &params, n->ctx, err) : CLEAVE_OK;
    }
    clv_volume_params params = clv_volume_defaults();
    params.rounds = rounds;
    return clv_volume_refine(s, &params, n->ctx, err);
}

/* Enforces, on the finest level, what the search only approximates. */
static cleave_status finish_parts(const clv_normal_task *n, cleave_error *err)
{
    clv_partition_state s;
    bool volume = n->task.objective == CLEAVE_OBJECTIVE_VOLUME, connected = true, replaced;
    if (!volume && !n->task.connected)
        return CLEAVE_OK;
    if (clv_context_stop(n->ctx) && !n->task.connected)
        return CLEAVE_OK;
    CLV_TRY(prefer_line(n, &replaced, err));
    CLV_TRY(clv_multilevel_state(&s, &n->t, n->part, n->ctx, err));
    if (replaced && clv_state_overload(&s) > 0) /* intervals are not exact */
        CLV_TRY(clv_rebalance(&s, n->ctx, err));
    if (volume && !clv_context_stop(n->ctx))
        CLV_TRY(lower_volume(n, &s, err));
    return n->task.connected ? clv_connect_parts(&s, n->ctx, &connected, err) : CLEAVE_OK;
}

/* May the identity mapping be tried?  Only bounds and the order of a DAG's parts can still
 * forbid it. */
static bool may_be_identity(const clv_normal_task *n)
{
    return is_objective_cost(&n->task) && !n->t.start && !n->t.fixed && !n->contracted &&
           !n->task.connected;
}

/* Places parts that were computed without the machine; congestion is reduced on whole
 * parts. */
static cleave_status place_parts(const clv_normal_task *n, const clv_method_row *row,
                                 cleave_error *err)
{
    const clv_partition_task *task = &n->task;
    clv_multilevel_task t = n->t;
    t.machine = task->machine;
    if (!t.machine)
        return CLEAVE_OK;
    if (!row->places && !machine_by_cost(task))
        CLV_TRY(
            clv_place_parts(&t, task->effort, is_objective_cost(task), n->ctx, n->part, err));
    if (!row->places && may_be_identity(n))
        CLV_TRY(clv_prefer_identity(&t, task->effort, n->ctx, n->part, err));
    if (task->objective == CLEAVE_OBJECTIVE_CONGESTION)
        CLV_TRY(clv_lower_congestion(&t, task->effort, may_be_line(n), n->ctx, n->part, err));
    return CLEAVE_OK;
}

static clv_partition_stats stats_of(const clv_search_result *r, double refine_more)
{
    return (clv_partition_stats){
        .levels = r->last.levels,
        .cycles = r->runs,
        .coarsen = r->last.coarsen,
        .initial = r->last.initial,
        .refine = r->last.refine + refine_more,
    };
}

/* ---- A partition ------------------------------------------------------------------------ */

static cleave_status finish_and_place(const clv_normal_task *n, const clv_method_row *row,
                                      cleave_error *err)
{
    CLV_TRY(finish_parts(n, err));
    CLV_TRY(place_parts(n, row, err));
    return clv_clear_idle_parts(&n->t, n->ctx, n->part, err);
}

cleave_status clv_partition(const clv_partition_task *task, clv_context *ctx, int32_t *part,
                            clv_partition_stats *stats, cleave_error *err)
{
    clv_normal_task n;
    clv_search_result r;
    clv_ws_mark mark = clv_ws_save(ctx->ws);
    clv_context_lend(ctx, task->g->narc + task->g->nvtx);
    cleave_status status = clv_task_normalise(&n, task, ctx, part, err);
    if (status == CLEAVE_OK) {
        const clv_method_row *row =
            clv_method_choose(&task->method, machine_by_cost(task), n.t.start);
        clv_spectral_quality spectral = {0};
        clv_method_task to = method_task(&n, row, &spectral);
        double deadline = clv_context_narrow(ctx, share_of_search(&n, row));
        status = row->partition(&to, &r, err);
        if (status == CLEAVE_OK && row->nests)
            status = clv_try_lower_effort(row->partition, &to, &r, err);
        clv_context_widen(ctx, deadline);
        double searched = clv_clock();
        if (status == CLEAVE_OK)
            status = finish_and_place(&n, row, err);
        if (status == CLEAVE_OK) {
            clv_task_project_back(&n, task, part);
            *stats = stats_of(&r, clv_clock() - searched);
            stats->spectral = spectral;
        }
    }
    clv_task_release(&n);
    clv_ws_restore(ctx->ws, mark);
    return status;
}

/* ---- The verdict ------------------------------------------------------------------------ */

bool clv_status_has_mapping(cleave_status status)
{
    return status == CLEAVE_OK || status == CLEAVE_EBALANCE || status == CLEAVE_ECANCEL;
}

/* Computes the cost of part and of the mapping by vertex number, which are often the same
 * after a stop. */
static cleave_status compute_costs(clv_map_job *job, const int32_t *part, cleave_error *err)
{
    const clv_map_request *request = job->request;
    clv_ws *ws = &job->ctx->ws[0];
    job->cost = job->cost_identity = -1;
    if (!job->machine.t && !job->numbered)
        return CLEAVE_OK;
    CLV_TRY(clv_evaluate_cost_of(request->g, request->t, part, ws, &job->cost, err));
    job->cost_identity = job->cost;
    if (clv_is_identity(request->g->nvtx, request->t->npes, part))
        return CLEAVE_OK;
    return clv_evaluate_cost_identity(request->g, request->t, ws, &job->cost_identity, NULL,
                                      err);
}

/* Fixed vertices may share a PE.  Returns status if all others have a PE of their own. */
static cleave_status check_one_to_one(const clv_map_job *job, const int32_t *part,
                                      cleave_status status, cleave_error *err)
{
    bool spread;
    CLV_TRY(clv_is_spread(job, part, false, &spread, err));
    if (spread)
        return status;
    return clv_fail(err, CLEAVE_EINVAL,
                    "one vertex per PE was requested, but several are fixed to the same one");
}

cleave_status clv_pipeline_judge(clv_map_job *job, const int32_t *part, cleave_error *err)
{
    const clv_map_request *request = job->request;
    clv_used_parts used = {.part = part};
    CLV_TRY(compute_costs(job, part, err));
    if (job->numbered)
        CLV_TRY(clv_evaluate_used_parts(request->g->nvtx, request->t->npes, part,
                                        &job->ctx->ws[0], &used, err));
    clv_demands demands = {.g = request->g,
                           .limits = &job->limits,
                           .groups = &job->groups,
                           .fixed = request->constraints.fixed,
                           .connected = request->constraints.connected != 0,
                           .label = used.label};
    cleave_status status =
        clv_verdict_reach(&job->verdict, &demands, used.part, job->ctx, err);
    if (clv_context_cancelled(job->ctx) && (status == CLEAVE_OK || status == CLEAVE_EBALANCE))
        status = clv_fail(err, CLEAVE_ECANCEL,
                          "stopped by the progress callback; the mapping is the best so far%s",
                          status == CLEAVE_OK ? "" : " and violates a constraint");
    if (clv_status_has_mapping(status) && request->opt.one_to_one)
        return check_one_to_one(job, used.part, status, err);
    return status;
}
