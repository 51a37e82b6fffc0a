/* SPDX-License-Identifier: Apache-2.0 */
/* initial/dag_orders.h - topological orders that are worth slicing (refine/slices.h).
 *
 * The order decides the cut of slices.  Which kind of order is good depends on the graph, so
 * there are several, and each has a mirror image, made on the graph with reversed arcs. */
#ifndef CLV_INITIAL_DAG_ORDERS_H
#define CLV_INITIAL_DAG_ORDERS_H

#include "graph/graph.h"

typedef enum clv_dag_order_kind {
    CLV_ORDER_STACK,    /* the vertex that became ready last comes next */
    CLV_ORDER_DEMAND,   /* depth first from each sink: what it needs, then itself */
    CLV_ORDER_BREADTH,  /* the vertex that became ready first comes next */
    CLV_ORDER_LEVEL,    /* by level, inside as in STACK */
    CLV_ORDER_FRONTIER, /* the ready vertex that adds least to the arcs cut behind it */
    CLV_ORDER_LIVE,     /* the ready vertex that leaves fewest values waiting for readers */
    CLV_ORDER_SMOOTH,   /* short arcs: places averaged over neighbours, made an order again */
    CLV_ORDER_BLEND,    /* by the sum of the places in two of the above, weighted at random */
    CLV_ORDER_MIRRORED, /* added to one of the above: its mirror image */
    CLV_ORDER_KINDS = 2 * CLV_ORDER_MIRRORED
} clv_dag_order_kind;

/* The same DAG with its arcs turned around; the arrays are those of g. */
static inline clv_graph clv_dag_mirrored(const clv_graph *g)
{
    clv_graph m = *g;
    m.xadj = g->xpred;
    m.adj = g->pred;
    clv_graph_set_ewgts(&m, clv_graph_pwgts(g));
    m.xpred = g->xadj;
    m.pred = g->adj;
    clv_graph_set_pwgts(&m, clv_graph_ewgts(g));
    return m;
}

static inline void clv_dag_order_reverse(int32_t nvtx, int32_t *order)
{
    for (int32_t i = 0, j = nvtx - 1; i < j; i++, j--) {
        int32_t v = order[i];
        order[i] = order[j];
        order[j] = v;
    }
}

/* Fills order (nvtx), tightened (refine/tighten.h).  Ties fall by the seed; 0: by the numbers
 * of the vertices. O(narc + nvtx log nvtx), SMOOTH some tens of times that. */
cleave_status clv_dag_order_make(clv_dag_order_kind kind, const clv_graph *g, uint64_t seed,
                                 clv_ws *ws, int32_t *order, cleave_error *err);

/* Brings a topological order nearer to short arcs (CLV_ORDER_SMOOTH starts from STACK or
 * DEMAND): `rounds` times new places by averaging and a topological order that follows them.
 */
cleave_status clv_dag_order_smooth(const clv_graph *g, int32_t rounds, clv_ws *ws,
                                   int32_t *order, cleave_error *err);

#endif
