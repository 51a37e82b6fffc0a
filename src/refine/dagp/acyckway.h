/* SPDX-License-Identifier: Apache-2.0 */
/* refine/dagp/acyckway.h - FM moves to any part that keep the quotient graph acyclic, with
 * rollback.
 *
 * The acyclic k-way refinement of [Herrmann, Kho, Ucar, Kaya, Catalyurek: Acyclic Partitioning
 * of Large Directed Acyclic Graphs, CCGRID 2017], after [Cong, Li, Bagrodia 1994]. */
#ifndef CLV_REFINE_DAGP_ACYCKWAY_H
#define CLV_REFINE_DAGP_ACYCKWAY_H

#include "refine/state/partition_state.h"

/* One FM pass over the vertices of a DAG.  The vertex with the largest gain is next, even if
 * the gain is negative, and moves to the part of that gain.  If that would close a cycle or
 * break a bound, it moves to a part of the second largest gain (among equals, the emptier
 * one), or stays.  No vertex moves twice.  The best state by (overload, cut) of the pass is
 * kept; ranks change.  Parts without a neighbour of a vertex are not considered: they never
 * gain.  Beyond 1024 parts only moves that keep the ranks are made, which avoids a table of
 * all pairs of parts.  Fails only with CLEAVE_ENOMEM; s is then unchanged.  About O((nvtx +
 * narc) log nvtx + nvtx nparts^2 / 64). */
cleave_status clv_acyckway(clv_partition_state *s, clv_context *ctx, cleave_error *err);

#endif
