/* SPDX-License-Identifier: Apache-2.0 */
/* engine/order/build_order.h - computes a linear order of a graph's vertices by a named
 * method. */
#ifndef CLV_ENGINE_ORDER_BUILD_ORDER_H
#define CLV_ENGINE_ORDER_BUILD_ORDER_H

#include "engine/order/line_method.h"
#include "graph/order.h"

/* method must not be AUTO (see clv_line_method_choose).  With CLEAVE_ECANCEL, *out is an
 * order. */
cleave_status clv_order_build(clv_order **out, const clv_graph *g,
                              const clv_line_method *method, cleave_effort effort,
                              clv_context *ctx, cleave_error *err);

#endif
