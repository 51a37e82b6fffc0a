/* SPDX-License-Identifier: Apache-2.0 */
/* evaluate/critical_path.c - the longest path of a DAG, with one cost per vertex, per arc
 * inside a part and per arc between parts.  Weights are not used.
 *
 * One pass in topological order: finish[v] = cost_vertex + the latest arrival over the
 * arcs into v. */
#include "evaluate/evaluate.h"
#include "graph/topology.h"

static bool finish_vertex(const clv_graph *g, const int32_t *part, const clv_path_costs *cost,
                          int32_t v, int64_t *finish)
{
    int64_t latest = 0;
    for (int64_t a = g->xpred[v]; a < g->xpred[v + 1]; a++) {
        int32_t u = g->pred[a];
        int64_t arrival;
        if (!clv_add_i64(finish[u], part[u] == part[v] ? cost->inside : cost->cut, &arrival))
            return false;
        if (arrival > latest)
            latest = arrival;
    }
    return clv_add_i64(latest, cost->vertex, &finish[v]);
}

static cleave_status longest(const clv_graph *g, const int32_t *part,
                             const clv_path_costs *cost, clv_ws *ws, int64_t *length,
                             cleave_error *err)
{
    int32_t *order = clv_ws_alloc(ws, g->nvtx, sizeof *order);
    int64_t *finish = clv_ws_alloc(ws, g->nvtx, sizeof *finish);
    if (!order || !finish)
        return clv_fail_memory(err);
    bool complete;
    CLV_TRY(clv_topology_sort(g->nvtx, g->xadj, g->adj, ws, order, &complete, err));
    if (!complete)
        return clv_fail(err, CLEAVE_ECYCLE, "the graph has a cycle, so no longest path");
    int64_t most = 0;
    for (int32_t i = 0; i < g->nvtx; i++) {
        if (!finish_vertex(g, part, cost, order[i], finish))
            return clv_fail(err, CLEAVE_ERANGE,
                            "the length of the critical path exceeds 2^63-1");
        if (finish[order[i]] > most)
            most = finish[order[i]];
    }
    *length = most;
    return CLEAVE_OK;
}

cleave_status clv_evaluate_critical_path(const clv_graph *g, const int32_t *part,
                                         const clv_path_costs *cost, clv_ws *ws,
                                         int64_t *length, cleave_error *err)
{
    clv_ws_mark mark = clv_ws_save(ws);
    cleave_status status = longest(g, part, cost, ws, length, err);
    clv_ws_restore(ws, mark);
    return status;
}
