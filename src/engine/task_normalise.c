/* SPDX-License-Identifier: Apache-2.0 */
/* engine/task_normalise.c - translation of requests and tasks, see engine/task_normalise.h. */
#include "engine/task_normalise.h"

#include <string.h>

#include "coarsen/contract.h"
#include "graph/topology.h"

/* ---- The request: a DAG ----------------------------------------------------------------- */

/* Do all arcs lead from lower to higher numbers?  Most DAGs are numbered that way. */
static bool is_numbered_forward(const clv_graph *g)
{
    bool forward = true;
    for (int32_t v = 0; v < g->nvtx && forward; v++)
        for (int64_t a = g->xadj[v]; a < g->xadj[v + 1]; a++)
            forward = forward && g->adj[a] > v;
    return forward;
}

/* An unchecked graph may have cycles, which the DAG methods cannot handle. */
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

/* ---- The request: the machine ----------------------------------------------------------- */

/* The largest distance, or an upper bound.  Without a table, distances are those of paths: no
 * two PEs are farther apart than twice the largest distance from the first. */
static double farthest_apart(const clv_target *t, const int32_t *table)
{
    double farthest = 0;
    int64_t n = t->npes;
    for (int64_t i = 0; i < (table ? n * n : n); i++) {
        double d = table ? table[i] : 2.0 * clv_target_distance(t, 0, (int32_t)i);
        farthest = d > farthest ? d : farthest;
    }
    return farthest;
}

cleave_status clv_check_costs(const clv_graph *g, const clv_target *t, const int32_t *table,
                              cleave_error *err)
{
    double weight = 0;
    for (int64_t a = 0; a < g->narc; a++)
        weight += clv_graph_ewgt(g, a);
    /* Finding the largest distance takes one lookup per PE and is rarely necessary. */
    const double most = (double)(INT64_MAX / 4);
    if (weight * INT32_MAX > most && weight * farthest_apart(t, table) > most)
        return clv_fail(
            err, CLEAVE_ERANGE,
            "the weights of the edges times the distances of the target do not fit "
            "into 63 bits");
    return CLEAVE_OK;
}

/* Parts of an undirected graph are numbered by the machine's recursive halves; those of a DAG
 * have their own order. */
static cleave_status normalise_machine(clv_map_job *job, cleave_error *err)
{
    const clv_graph *g = job->request->g;
    const clv_target *t = job->request->t;
    clv_ws *ws = &job->ctx->ws[0];
    const int32_t *order = job->order.by_place;
    if (!clv_target_has_distances(t))
        return CLEAVE_OK;
    if (g->kind == CLEAVE_DAG && !order) {
        int32_t *numbers = clv_ws_alloc(ws, t->npes, sizeof *numbers);
        if (!numbers)
            return clv_fail_memory(err);
        for (int32_t pe = 0; pe < t->npes; pe++)
            numbers[pe] = pe;
        order = numbers;
    }
    CLV_TRY(clv_machine_make(&job->machine, t, order, ws, err));
    CLV_TRY(clv_check_costs(g, t, job->machine.table, err));
    job->order = (clv_part_order){job->machine.pe, job->machine.place};
    return CLEAVE_OK;
}

/* ---- The request ------------------------------------------------------------------------ */

/* A group starts in its fixed part, otherwise in the part of its first vertex. */
static cleave_status normalise_start(clv_map_job *job, cleave_error *err)
{
    const clv_mapping *given = job->request->constraints.start;
    const clv_groups *groups = &job->groups;
    job->start = given ? given->part : NULL;
    if (!given || (!groups->group && !groups->fixed))
        return CLEAVE_OK;
    clv_ws *ws = &job->ctx->ws[0];
    int32_t n = job->request->g->nvtx, *start = clv_ws_alloc(ws, n, sizeof *start);
    if (!start)
        return clv_fail_memory(err);
    memcpy(start, given->part, (size_t)n * sizeof *start);
    CLV_TRY(clv_groups_obey(groups, n, start, ws, err));
    job->start = start;
    return CLEAVE_OK;
}

cleave_status clv_normalise_request(clv_map_job *job, cleave_error *err)
{
    const clv_map_request *request = job->request;
    const cleave_constraints *given = &request->constraints;
    clv_ws *ws = &job->ctx->ws[0];
    if (request->g->kind == CLEAVE_DAG)
        CLV_TRY(refuse_cycle(request->g, ws, err));
    const clv_weight_demands demands = {given, request->opt.imbalance};
    CLV_TRY(clv_limits_make(&job->limits, request->g, request->t, &demands, ws, err));
    CLV_TRY(
        clv_groups_make(&job->groups, request->g->nvtx, given->fixed, given->groups, ws, err));
    if (request->g->kind == CLEAVE_DAG)
        CLV_TRY(clv_part_order_make(&job->order, request->g, &job->groups, given->fixed,
                                    &job->limits, ws, err));
    if (request->opt.one_to_one) /* vertex weights do not matter */
        CLV_TRY(clv_bounds_lift(&job->limits.bounds, &job->limits.bounds, job->limits.total,
                                ws, err));
    CLV_TRY(normalise_machine(job, err));
    return normalise_start(job, err);
}

/* ---- The task: unit weights ------------------------------------------------------------- */

static bool weighs_nothing(const clv_graph *g)
{
    int64_t count = (int64_t)g->nvtx * g->ncon;
    for (int64_t i = 0; i < count; i++)
        if (!g->vwgt || g->vwgt[i] != 0)
            return false;
    return count > 0;
}

cleave_status clv_unit_weights(clv_normal_task *to, clv_ws *ws, cleave_error *err)
{
    clv_partition_task *task = &to->task;
    if (!weighs_nothing(task->g))
        return CLEAVE_OK;
    CLV_TRY(clv_bounds_scale_to_count(&task->bounds, &task->bounds, task->g->nvtx, ws, err));
    to->unit_weights = *task->g;
    clv_graph_set_vwgts(&to->unit_weights, (clv_weights){0});
    to->unit_weights.ncon = 1;
    task->g = &to->unit_weights;
    return CLEAVE_OK;
}

/* ---- The task: parts by place ----------------------------------------------------------- */

/* A copy of parts (-1 stays) as places; NULL: none were given, or out of memory. */
static const int32_t *parts_by_place(const int32_t *parts, int32_t count, const int32_t *place,
                                     clv_ws *ws)
{
    int32_t *at = parts ? clv_ws_alloc(ws, count, sizeof *at) : NULL;
    for (int32_t i = 0; at && i < count; i++)
        at[i] = parts[i] < 0 ? -1 : place[parts[i]];
    return at;
}

static cleave_status number_by_place(clv_normal_task *to, cleave_error *err)
{
    clv_partition_task *task = &to->task;
    const int32_t *fixed = to->groups.fixed, *start = task->start, *place = task->order.place;
    clv_ws *ws = to->ctx->ws;
    if (!task->order.by_place)
        return CLEAVE_OK;
    to->groups.fixed = parts_by_place(fixed, to->groups.count, place, ws);
    task->start = parts_by_place(start, task->g->nvtx, place, ws);
    if ((fixed && !to->groups.fixed) || (start && !task->start))
        return clv_fail_memory(err);
    clv_bounds bounds = task->bounds;
    return clv_bounds_permute(&task->bounds, &bounds, task->order.by_place, ws, err);
}

/* ---- The task: groups ------------------------------------------------------------------- */

static int32_t *values_of_groups(const clv_normal_task *n, const int32_t *by_vertex)
{
    int32_t *values = clv_ws_alloc(n->ctx->ws, n->groups.count, sizeof *values);
    for (int32_t v = 0; values && v < n->task.g->nvtx; v++)
        values[n->groups.group[v]] = by_vertex[v];
    return values;
}

/* The size of a group is the sum of its vertices' sizes. */
static cleave_status sum_sizes(clv_normal_task *to, cleave_error *err)
{
    const clv_graph *g = to->task.g;
    clv_graph *c = to->contracted;
    int64_t *sum = clv_arena_zalloc(&c->arena, c->nvtx, sizeof *sum);
    if (!sum)
        return clv_fail_memory(err);
    for (int32_t v = 0; v < g->nvtx; v++)
        sum[to->groups.group[v]] += clv_graph_vsize(g, v);
    c->wide_vsize = sum;
    return CLEAVE_OK;
}

static cleave_status contract_groups(clv_normal_task *to, cleave_error *err)
{
    const clv_partition_task *task = &to->task;
    clv_contraction how = {.map = to->groups.group, .ncoarse = to->groups.count};
    if (!to->groups.group)
        return CLEAVE_OK;
    CLV_TRY(clv_contract(&to->contracted, task->g, &how, to->ctx, err));
    to->t.g = to->contracted;
    if (task->start) {
        to->t.start = values_of_groups(to, task->start);
        if (!to->t.start)
            return clv_fail_memory(err);
    }
    to->part = clv_ws_alloc(to->ctx->ws, to->groups.count, sizeof *to->part);
    if (!to->part)
        return clv_fail_memory(err);
    return task->objective == CLEAVE_OBJECTIVE_VOLUME ? sum_sizes(to, err) : CLEAVE_OK;
}

/* ---- The task --------------------------------------------------------------------------- */

cleave_status clv_task_normalise(clv_normal_task *to, const clv_partition_task *task,
                                 clv_context *ctx, int32_t *part, cleave_error *err)
{
    *to = (clv_normal_task){.task = *task, .groups = *task->groups, .part = part, .ctx = ctx};
    to->task.groups = &to->groups;
    CLV_TRY(clv_unit_weights(to, ctx->ws, err));
    CLV_TRY(number_by_place(to, err));
    to->t = (clv_multilevel_task){.g = to->task.g,
                                  .bounds = to->task.bounds,
                                  .fixed = to->groups.fixed,
                                  .start = to->task.start};
    return contract_groups(to, err);
}

void clv_task_project_back(const clv_normal_task *n, const clv_partition_task *task,
                           int32_t *part)
{
    const int32_t *group = n->groups.group, *by_place = task->order.by_place;
    for (int32_t v = 0; group && v < task->g->nvtx; v++)
        part[v] = n->part[group[v]];
    for (int32_t v = 0; by_place && v < task->g->nvtx; v++)
        part[v] = by_place[part[v]];
}

void clv_task_release(clv_normal_task *n)
{
    clv_graph_free(n->contracted);
    n->contracted = NULL;
}
