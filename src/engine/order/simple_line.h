/* SPDX-License-Identifier: Apache-2.0 */
/* engine/order/simple_line.h - linear orders in linear time, for use after the deadline.
 *
 * An order whose search was interrupted early may be worse than the numerical or a
 * breadth-first order.  Replacing it keeps longer time limits from giving worse results. */
#ifndef CLV_ENGINE_ORDER_SIMPLE_LINE_H
#define CLV_ENGINE_ORDER_SIMPLE_LINE_H

#include "base/context.h"
#include "graph/graph.h"

/* Replaces vertex, an order of an undirected graph, by the numerical or a breadth-first order
 * if a sample of the edges is shorter in it.  O(nvtx + narc).  Fails only with
 * CLEAVE_ENOMEM. */
cleave_status clv_simple_line_replace(const clv_graph *g, clv_context *ctx, int32_t *vertex,
                                      cleave_error *err);

#endif
