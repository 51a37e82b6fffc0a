/* SPDX-License-Identifier: Apache-2.0 */
/* tests/api/null_run.h - the part of test_null_api.c that is about teams and triangular
 * solves. */
#ifndef CLV_TESTS_NULL_RUN_H
#define CLV_TESTS_NULL_RUN_H

#include "api/null_target.h"

/* The public functions that are tested here. */
const null_function *null_run_functions(int *count);
/* Those that cannot fail. */
void null_run_silent(void);

#endif
