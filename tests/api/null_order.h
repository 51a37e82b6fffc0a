/* SPDX-License-Identifier: Apache-2.0 */
/* tests/api/null_order.h - the part of test_null_api.c that is about orders and splits. */
#ifndef CLV_TESTS_NULL_ORDER_H
#define CLV_TESTS_NULL_ORDER_H

#include "api/null_target.h"

/* The public functions that are tested here. */
const null_function *null_order_functions(int *count);
/* Those that cannot fail. */
void null_order_silent(void);

#endif
