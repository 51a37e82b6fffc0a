/* SPDX-License-Identifier: Apache-2.0 */
/* engine/build_order.h - an order of the vertices of a graph by a method chosen by name. */
#ifndef CLV_ENGINE_BUILD_ORDER_H
#define CLV_ENGINE_BUILD_ORDER_H

#include "engine/line_method.h"
#include "graph/order.h"

/* The method is not AUTO (clv_line_method_choose).  CLEAVE_ECANCEL leaves an order. */
cleave_status clv_order_build(clv_order **out, const clv_graph *g,
                              const clv_line_method *method, cleave_effort effort,
                              clv_context *ctx, cleave_error *err);

#endif
