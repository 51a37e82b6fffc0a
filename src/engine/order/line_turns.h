/* SPDX-License-Identifier: Apache-2.0 */
/* engine/order/line_turns.h - local search on a linear order of blocks: reverses runs of
 * blocks and exchanges neighbouring runs. */
#ifndef CLV_ENGINE_ORDER_LINE_TURNS_H
#define CLV_ENGINE_ORDER_LINE_TURNS_H

#include "base/context.h"
#include "graph/graph.h"

/* block[v] in 0..nblocks-1; cost[d] is the cost of an edge between blocks at distance d,
 * cost[0] is 0.  Reverses runs and exchanges neighbouring runs while the sum of weight * cost
 * falls, and renumbers block.  Refinement moves single vertices or blocks; reversing a long
 * run that way would have to pass through worse orders.  About O(rounds * nblocks^2 * degree
 * of a block). */
cleave_status clv_line_turns(const clv_graph *g, int32_t nblocks, const int32_t *cost,
                             clv_context *ctx, int32_t *block, cleave_error *err);

#endif
