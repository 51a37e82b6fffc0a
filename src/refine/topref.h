/* SPDX-License-Identifier: Apache-2.0 */
/* refine/topref.h - moves along a topological order of the parts, with rollback.
 *
 * The topological refinement of [Herrmann, Kho, Ucar, Kaya, Catalyurek: Acyclic Partitioning
 * of Large Directed Acyclic Graphs, CCGRID 2017]. */
#ifndef CLV_REFINE_TOPREF_H
#define CLV_REFINE_TOPREF_H

#include "refine/partition_state.h"

/* One pass of moves over the vertices of a DAG.  Every vertex has at most one part to go to:
 * of those before its own, the last one that holds a predecessor, when its own holds none; or,
 * of those behind, the first one that holds a successor.  The best move comes next, good or
 * bad, and of equally good ones the one after which the largest part is smallest; no vertex
 * moves twice.  What is best by (overload, cut) among all states on the way is kept.  Ranks do
 * not change.  Fails only with CLEAVE_ENOMEM; s is untouched then. O((nvtx + narc) log nvtx).
 */
cleave_status clv_topref(clv_partition_state *s, clv_context *ctx, cleave_error *err);

#endif
