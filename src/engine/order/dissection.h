/* SPDX-License-Identifier: Apache-2.0 */
/* engine/order/dissection.h - fill-reducing elimination order by nested dissection.
 *
 * [George 1973; Lipton, Rose, Tarjan 1979]  The separator is eliminated last.  Its two sides
 * are ordered recursively, each together with its halo, the adjacent vertices that are
 * eliminated later.  Small pieces are ordered by minimum degree [Pellegrini, Roman, Amestoy
 * 2000].  If minimum degree alone gives a piece less fill, that order is used; the fill of
 * both is computed, not estimated. */
#ifndef CLV_ENGINE_ORDER_DISSECTION_H
#define CLV_ENGINE_ORDER_DISSECTION_H

#include "base/context.h"
#include "graph/graph.h"

/* vertex[p] becomes the p-th vertex to be eliminated.  The order is a postorder of its
 * elimination tree.  g is undirected; weights are ignored.  Deterministic for (graph, effort,
 * ctx->seed).  Fails only with CLEAVE_ENOMEM. */
cleave_status clv_dissection(const clv_graph *g, cleave_effort effort, clv_context *ctx,
                             int32_t *vertex, cleave_error *err);

#endif
