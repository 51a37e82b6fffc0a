/* SPDX-License-Identifier: Apache-2.0 */
/* api/order_arguments.h - argument checks of the functions that order vertices. */
#ifndef CLV_API_ORDER_ARGUMENTS_H
#define CLV_API_ORDER_ARGUMENTS_H

#include "engine/order/line_method.h"

/* *to becomes the caller's options (NULL: the defaults), *method the method that they name;
 * CLEAVE_EINVAL names what is invalid for any graph (api/order.c). */
cleave_status clv_order_arguments(cleave_order_options *to, clv_line_method *method,
                                  const cleave_order_options *opt, cleave_error *err);

#endif
