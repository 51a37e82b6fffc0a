/* SPDX-License-Identifier: Apache-2.0 */
/* refine/dagp/topref.h - FM moves along a topological order of the parts, with rollback.
 *
 * The topological refinement of [Herrmann, Kho, Ucar, Kaya, Catalyurek: Acyclic Partitioning
 * of Large Directed Acyclic Graphs, CCGRID 2017]. */
#ifndef CLV_REFINE_DAGP_TOPREF_H
#define CLV_REFINE_DAGP_TOPREF_H

#include "refine/state/partition_state.h"

/* One FM pass over the vertices of a DAG.  Every vertex has at most one target part: of the
 * parts before its own, the last one with a predecessor, when its own has none; or, of the
 * parts after it, the first one with a successor.  The best move is next, even if its gain is
 * negative; among equals the one with the smallest largest part.  No vertex moves twice.  The
 * best state by (overload, cut) of the pass is kept.  Ranks do not change.  Fails only with
 * CLEAVE_ENOMEM; s is then unchanged.  O((nvtx + narc) log nvtx). */
cleave_status clv_topref(clv_partition_state *s, clv_context *ctx, cleave_error *err);

#endif
