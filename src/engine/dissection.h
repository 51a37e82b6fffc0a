/* SPDX-License-Identifier: Apache-2.0 */
/* engine/dissection.h - an elimination order with little fill, by nested dissection.
 *
 * [George 1973; Lipton, Rose, Tarjan 1979]  A separator is eliminated last and its two sides
 * are ordered in the same way, each with what surrounds it in view (the halo); small pieces by
 * minimum degree [Pellegrini, Roman, Amestoy 2000].  Where minimum degree alone makes less
 * fill of a piece, that order is taken: which one does is counted, not guessed. */
#ifndef CLV_ENGINE_DISSECTION_H
#define CLV_ENGINE_DISSECTION_H

#include "base/context.h"
#include "graph/graph.h"

/* vertex[p] becomes the p-th vertex to be eliminated; the order is a postorder of its
 * elimination tree.  g is undirected; weights do not count.  Deterministic for (graph, effort,
 * ctx->seed).  Fails only with CLEAVE_ENOMEM. */
cleave_status clv_dissection(const clv_graph *g, cleave_effort effort, clv_context *ctx,
                             int32_t *vertex, cleave_error *err);

#endif
