/* SPDX-License-Identifier: Apache-2.0 */
/* api/map_prepare.c - what a mapping is asked to keep to, in the engine's terms; see
 * api/map_run.h. */
#include "api/map_run.h"

#include <string.h>

#include "graph/topology.h"

cleave_status clv_map_run_start(const clv_map_run *run, const int32_t *given,
                                const int32_t **out, cleave_error *err)
{
    const clv_units *units = &run->units;
    int32_t n = run->request->g->nvtx;
    *out = given;
    if (!given || (!units->unit && !units->fixed))
        return CLEAVE_OK;
    clv_ws *ws = &run->ctx->ws[0];
    int32_t *start = clv_ws_alloc(ws, n, sizeof *start);
    if (!start)
        return clv_fail_memory(err);
    memcpy(start, given, (size_t)n * sizeof *start);
    CLV_TRY(clv_units_obey(units, n, start, ws, err));
    *out = start;
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
    /* Looking for the largest distance takes one per PE, and is rarely needed. */
    const double most = (double)(INT64_MAX / 4);
    if (weight * INT32_MAX > most && weight * farthest_apart(m) > most)
        return clv_fail(
            err, CLEAVE_ERANGE,
            "the weights of the edges times the distances of the target do not fit "
            "into 63 bits");
    return CLEAVE_OK;
}

/* Parts of an undirected graph are places in the order of the machine's halves; those of a
 * DAG have an order of their own. */
static cleave_status prepare_machine(clv_map_run *run, cleave_error *err)
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

cleave_status clv_map_run_prepare(clv_map_run *run, cleave_error *err)
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
    if (request->opt.one_to_one) /* what vertices weigh does not matter */
        CLV_TRY(clv_bounds_lift(&run->limits.bounds, &run->limits.bounds, run->limits.total,
                                ws, err));
    CLV_TRY(prepare_machine(run, err));
    return clv_map_run_start(run, given->start ? given->start->part : NULL, &run->start, err);
}
