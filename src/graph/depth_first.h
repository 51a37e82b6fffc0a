/* SPDX-License-Identifier: Apache-2.0 */
/* graph/depth_first.h - depth-first topological orders of a DAG. */
#ifndef CLV_GRAPH_DEPTH_FIRST_H
#define CLV_GRAPH_DEPTH_FIRST_H

#include "base/rng.h"
#include "graph/graph.h"

/* Kahn's algorithm with a stack in place of the queue: next comes a vertex that the one before
 * has made ready, if there is any.  Sources and successors are taken as they are stored, or,
 * when rng is not NULL, in random order.  Rows need not be sorted.  O(nvtx + narc). */
cleave_status clv_depth_first_order(const clv_graph *g, clv_rng *rng, clv_ws *ws,
                                    int32_t *order, cleave_error *err);

#endif
