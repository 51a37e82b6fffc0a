/* SPDX-License-Identifier: Apache-2.0 */
/* graph/priority_order.h - topological orders by priority. */
#ifndef CLV_GRAPH_PRIORITY_ORDER_H
#define CLV_GRAPH_PRIORITY_ORDER_H

#include "graph/graph.h"

/* Kahn's algorithm on plain rows: the next vertex is the ready vertex with the smallest
 * priority (NULL: all equal), ties broken by number.  *complete false: there is a cycle, and
 * order has only some of the vertices.  Rows need not ascend and may have parallel arcs.
 * O(narc + nvtx log nvtx). */
cleave_status clv_priority_order(int32_t nvtx, const int64_t *xadj, const int32_t *adj,
                                 const int64_t *priority, clv_ws *ws, int32_t *order,
                                 bool *complete, cleave_error *err);

#endif
