/* SPDX-License-Identifier: Apache-2.0 */
/* graph/depth_first.h - depth-first topological orders of a DAG. */
#ifndef CLV_GRAPH_DEPTH_FIRST_H
#define CLV_GRAPH_DEPTH_FIRST_H

#include "base/rng.h"
#include "graph/graph.h"

/* Kahn's algorithm with a stack instead of a queue: the next vertex is one that became ready
 * with the vertex before, if there is any.  Sources and successors are taken in stored order,
 * or in random order if rng is not NULL. Rows need not be sorted.  O(nvtx + narc). */
cleave_status clv_depth_first_order(const clv_graph *g, clv_rng *rng, clv_ws *ws,
                                    int32_t *order, cleave_error *err);

#endif
