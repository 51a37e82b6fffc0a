/* SPDX-License-Identifier: Apache-2.0 */
/* initial/dag_orders.h - topological orders of several kinds for slicing (order/slices.h).
 *
 * The order determines the cut of the slices.  Which kind is best depends on the graph, so
 * there are several.  Each has a mirror image, computed on the graph with reversed arcs. */
#ifndef CLV_INITIAL_DAG_ORDERS_H
#define CLV_INITIAL_DAG_ORDERS_H

#include "graph/graph.h"

typedef enum clv_dag_order_kind {
    CLV_ORDER_STACK,    /* last ready, first placed (stack) */
    CLV_ORDER_DEMAND,   /* depth-first from each sink along predecessors, in postorder */
    CLV_ORDER_BREADTH,  /* first ready, first placed (queue) */
    CLV_ORDER_LEVEL,    /* by level, within a level as in STACK */
    CLV_ORDER_FRONTIER, /* the ready vertex that increases the cut behind it least */
    CLV_ORDER_LIVE,     /* the ready vertex that leaves the fewest live values */
    CLV_ORDER_SMOOTH,   /* short arcs: positions averaged over neighbours, then a
                           topological order */
    CLV_ORDER_BLEND,    /* by the randomly weighted sum of the positions in two of the above */
    CLV_ORDER_MIRRORED, /* added to one of the above: its mirror image */
    CLV_ORDER_KINDS = 2 * CLV_ORDER_MIRRORED
} clv_dag_order_kind;

/* The same DAG with reversed arcs; the arrays are those of g. */
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

/* Fills order (nvtx), tightened (order/tighten.h).  The seed breaks ties; 0: by vertex
 * number. O(narc + nvtx log nvtx); SMOOTH takes some tens of times that. */
cleave_status clv_dag_order_make(clv_dag_order_kind kind, const clv_graph *g, uint64_t seed,
                                 clv_ws *ws, int32_t *order, cleave_error *err);

/* Shortens the arcs of a topological order (CLV_ORDER_SMOOTH starts from STACK or DEMAND).
 * Each of `rounds` rounds averages positions over neighbours and computes a topological order
 * that follows them. */
cleave_status clv_dag_order_smooth(const clv_graph *g, int32_t rounds, clv_ws *ws,
                                   int32_t *order, cleave_error *err);

#endif
