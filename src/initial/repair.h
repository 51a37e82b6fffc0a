/* SPDX-License-Identifier: Apache-2.0 */
/* initial/repair.h - an acyclic partition from one that may have cycles.
 *
 * A partition of the undirected graph is a good start for an acyclic one once its cycles are
 * broken [Herrmann et al. 2019; Moreira et al. 2017].  The parts are put in the order of their
 * mean places in the graph.  Then descendants are pushed forward to at least the rank of
 * their ancestors, or ancestors are pulled back, or the vertices are ordered by their part as
 * far as the arcs allow and sliced.  The best is kept. */
#ifndef CLV_INITIAL_REPAIR_H
#define CLV_INITIAL_REPAIR_H

#include "refine/partition_state.h"

/* Makes s->part, which is any partition with the fixed vertices in their places, acyclic;
 * fills s->rank and the rest of the state.  Bounds are met as far as clv_acyclic_balance gets.
 * With fixed vertices the order of the parts is that of s->rank at the call, and CLEAVE_ECYCLE
 * says that they contradict it.  Two parts are tried in both orders.  quick: pushes
 * or pulls, whichever needs less balancing, and as in refine/slices.h.  Scratch from ctx->ws.
 * Near linear.  On failure the state is undefined. */
cleave_status clv_repair(clv_partition_state *s, bool quick, clv_context *ctx,
                         cleave_error *err);

/* Is s so uneven that weight would have to pass many parts to reach one with room?  Balancing
 * takes as many moves then, and nothing remains of the partition: repair is better. */
bool clv_repair_beyond_balance(const clv_partition_state *s);

#endif
