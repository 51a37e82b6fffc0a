/* SPDX-License-Identifier: Apache-2.0 */
/* refine/acyckway.h - moves to any part that leave the quotient acyclic, with rollback.
 *
 * The acyclic k-way refinement of [Herrmann, Kho, Ucar, Kaya, Catalyurek: Acyclic Partitioning
 * of Large Directed Acyclic Graphs, CCGRID 2017], after [Cong, Li, Bagrodia 1994]. */
#ifndef CLV_REFINE_ACYCKWAY_H
#define CLV_REFINE_ACYCKWAY_H

#include "refine/partition_state.h"

/* One pass of moves over the vertices of a DAG.  The vertex with the largest gain comes next,
 * good or bad, and goes to the part that promises it; where that would close a cycle or break
 * a bound, to one of those of the second largest gain (of equals, the one that is less full),
 * or nowhere.  No vertex moves twice.  What is best by (overload, cut) among all states on the
 * way is kept; ranks change.  Parts without a neighbour of a vertex are left out: they never
 * gain.  Beyond 1024 parts only moves that keep the ranks are made, instead of a table of all
 * pairs of parts.  Fails only with CLEAVE_ENOMEM; s is as it was then.
 * About O((nvtx + narc) log nvtx + nvtx nparts^2 / 64). */
cleave_status clv_acyckway(clv_partition_state *s, clv_context *ctx, cleave_error *err);

#endif
