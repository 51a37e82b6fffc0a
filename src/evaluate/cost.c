/* SPDX-License-Identifier: Apache-2.0 */
/* evaluate/cost.c - the cost of a mapping: the sum over all edges of weight times the distance
 * of the PEs of its two ends [Pellegrini, Roman 1996: "dilation"]. */
#include "evaluate/traffic.h"

cleave_status clv_evaluate_cost(const clv_traffic *traffic, int64_t *cost, int64_t *cut,
                                int64_t *level, cleave_error *err)
{
    const clv_target *t = traffic->t;
    int64_t sum = 0, weight = 0, a = 0, term;
    int32_t row = 0;
    clv_talk talk;
    for (int32_t i = 0; level && i < t->levels; i++)
        level[i] = 0;
    while (clv_traffic_next(traffic, &row, &a, &talk)) {
        int64_t distance = clv_target_distance(t, talk.from, talk.to);
        if (!clv_add_i64(weight, talk.weight, &weight))
            return clv_fail(err, CLEAVE_ERANGE, "the weight of the cut exceeds 2^63-1");
        if (!clv_mul_i64(talk.weight, distance, &term) || !clv_add_i64(sum, term, &sum))
            return clv_fail(err, CLEAVE_ERANGE, "the cost of the mapping exceeds 2^63-1");
        if (level && t->levels > 0)
            level[t->shape->level(t, talk.from, talk.to) - 1] += term;
    }
    *cost = sum;
    *cut = weight;
    return CLEAVE_OK;
}

/* Are there so many PEs that most pairs of them exchange at most one edge?  A quotient graph
 * would then be as large as the graph, and take several times as long as the distances. */
static bool has_many_pes(const clv_graph *g, const clv_target *t)
{
    return !t->shape->searched && (int64_t)t->npes * t->npes > g->narc;
}

/* Edge by edge. */
static cleave_status sum_edges(const clv_graph *g, const clv_target *t, const int32_t *part,
                               int64_t *cost, cleave_error *err)
{
    int64_t sum = 0, term;
    bool both = g->kind == CLEAVE_UNDIRECTED; /* edges are stored in both directions */
    for (int32_t v = 0; v < g->nvtx; v++)
        for (int64_t a = g->xadj[v]; a < g->xadj[v + 1]; a++) {
            int32_t u = g->adj[a];
            if (part[u] == part[v] || (both && u < v))
                continue;
            int64_t distance = clv_target_distance(t, part[v], part[u]);
            if (!clv_mul_i64(clv_graph_ewgt(g, a), distance, &term) ||
                !clv_add_i64(sum, term, &sum))
                return clv_fail(err, CLEAVE_ERANGE, "the cost of the mapping exceeds 2^63-1");
        }
    *cost = sum;
    return CLEAVE_OK;
}

cleave_status clv_evaluate_cost_of(const clv_graph *g, const clv_target *t,
                                   const int32_t *part, clv_ws *ws, int64_t *cost,
                                   cleave_error *err)
{
    clv_ws_mark mark = clv_ws_save(ws);
    clv_traffic traffic;
    int64_t cut;
    if (has_many_pes(g, t))
        return sum_edges(g, t, part, cost, err);
    cleave_status status = clv_traffic_make(&traffic, g, t, part, ws, err);
    if (status == CLEAVE_OK)
        status = clv_evaluate_cost(&traffic, cost, &cut, NULL, err);
    clv_ws_restore(ws, mark);
    return status;
}
