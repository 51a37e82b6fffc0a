/* SPDX-License-Identifier: Apache-2.0 */
/* graph/priority_order.h - topological orders by priority. */
#ifndef CLV_GRAPH_PRIORITY_ORDER_H
#define CLV_GRAPH_PRIORITY_ORDER_H

#include "graph/graph.h"

/* Kahn's algorithm on bare rows: of the vertices that are ready, the one with the smallest
 * priority comes next (NULL: all alike), among equals the smallest number.  *complete becomes
 * false when there is a cycle; order then holds only part of the vertices.  Rows need not
 * ascend; parallel arcs are fine.  O(narc + nvtx log nvtx). */
cleave_status clv_priority_order(int32_t nvtx, const int64_t *xadj, const int32_t *adj,
                                 const int64_t *priority, clv_ws *ws, int32_t *order,
                                 bool *complete, cleave_error *err);

#endif
