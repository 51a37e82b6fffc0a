/* SPDX-License-Identifier: Apache-2.0 */
/* engine/order/multilevel_order.h - a linear order whose intervals have a low cut, by the
 * multilevel engine. */
#ifndef CLV_ENGINE_ORDER_MULTILEVEL_ORDER_H
#define CLV_ENGINE_ORDER_MULTILEVEL_ORDER_H

#include "base/context.h"
#include "graph/graph.h"

/* vertex[p] becomes the vertex at place p.  g must have ncon 1.  In a DAG every arc points
 * forward.  Fails only with CLEAVE_ENOMEM. */
cleave_status clv_multilevel_order(const clv_graph *g, cleave_effort effort, clv_context *ctx,
                                   int32_t *vertex, cleave_error *err);

#endif
