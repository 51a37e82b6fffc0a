/* SPDX-License-Identifier: Apache-2.0 */
/* order/tighten.h - reduces the prefix cuts of a topological order by moves within the
 * slack. */
#ifndef CLV_ORDER_TIGHTEN_H
#define CLV_ORDER_TIGHTEN_H

#include "graph/graph.h"

/* The reduction of the weight of the arcs from placed to other vertices when v is placed. */
static inline int64_t clv_order_relief(const clv_graph *g, int32_t v)
{
    int64_t gain = 0;
    for (int64_t a = g->xpred[v]; a < g->xpred[v + 1]; a++)
        gain += clv_graph_pwgt(g, a);
    for (int64_t a = g->xadj[v]; a < g->xadj[v + 1]; a++)
        gain -= clv_graph_ewgt(g, a);
    return gain;
}

/* Moves the vertices with more outgoing than incoming arc weight (and with ties_late those
 * with equal weights) to just before their first successor, the others to just after their
 * last predecessor.  The cut of a prefix never grows when such a vertex leaves or joins it:
 * inputs wait until they are read, results come at once, chains of equal arcs stay together.
 * O(nvtx + narc). */
cleave_status clv_order_tighten(const clv_graph *g, bool ties_late, clv_ws *ws, int32_t *order,
                                cleave_error *err);

#endif
