/* SPDX-License-Identifier: Apache-2.0 */
/* engine/multilevel_order.h - an order whose intervals are cheap to cut, by the multilevel
 * engine. */
#ifndef CLV_ENGINE_MULTILEVEL_ORDER_H
#define CLV_ENGINE_MULTILEVEL_ORDER_H

#include "base/context.h"
#include "graph/graph.h"

/* vertex[p] at place p.  g: ncon 1.  Of a DAG every arc runs forward.  Fails only with
 * CLEAVE_ENOMEM. */
cleave_status clv_multilevel_order(const clv_graph *g, cleave_effort effort, clv_context *ctx,
                                   int32_t *vertex, cleave_error *err);

#endif
