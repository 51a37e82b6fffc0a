/* SPDX-License-Identifier: Apache-2.0 */
/* initial/repair.h - makes a partition of a DAG acyclic.
 *
 * A partition of the undirected graph is a good start for an acyclic one once its cycles are
 * broken [Herrmann et al. 2019; Moreira et al. 2017].  The parts are ordered by their mean
 * position in the graph.  Then descendants are pushed forward to at least the rank of their
 * ancestors, or ancestors are pulled back, or the vertices are sorted by part as far as the
 * arcs allow, within parts by level or by the distance from the borders, and sliced.  The best
 * result is kept. */
#ifndef CLV_INITIAL_REPAIR_H
#define CLV_INITIAL_REPAIR_H

#include "refine/state/partition_state.h"

/* Makes s->part acyclic; fills s->rank and the rest of the state.  s->part is any partition
 * with the fixed vertices in their parts.  Bounds are met as far as clv_acyclic_balance can.
 * With fixed vertices the order of the parts is s->rank on entry; CLEAVE_ECYCLE if the fixed
 * vertices contradict it.  Two parts are tried in both orders.  quick: only pushes or pulls,
 * whichever needs less rebalancing, and as in order/slices.h. Scratch from ctx->ws.  Nearly
 * linear.  On failure the state is undefined. */
cleave_status clv_repair(clv_partition_state *s, bool quick, clv_context *ctx,
                         cleave_error *err);

/* Is s so unbalanced that weight would have to pass many parts to reach one with room?
 * Rebalancing then takes as many moves and destroys the partition: repair is better. */
bool clv_repair_beyond_balance(const clv_partition_state *s);

#endif
