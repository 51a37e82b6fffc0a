/* SPDX-License-Identifier: Apache-2.0 */
/* engine/line_turns.h - whole runs of blocks on a line, turned around or exchanged. */
#ifndef CLV_ENGINE_LINE_TURNS_H
#define CLV_ENGINE_LINE_TURNS_H

#include "base/context.h"
#include "graph/graph.h"

/* block[v] in 0..nblocks-1; cost[d]: of an edge between blocks d apart, cost[0] is 0.  Turns
 * runs of blocks around and exchanges neighbouring runs while the sum of weight * cost falls;
 * renumbers block.  What the engine moves is a vertex or a block, and a long run that lies the
 * wrong way round would have to get worse first.  About O(rounds * nblocks^2 * degree of a
 * block). */
cleave_status clv_line_turns(const clv_graph *g, int32_t nblocks, const int32_t *cost,
                             clv_context *ctx, int32_t *block, cleave_error *err);

#endif
