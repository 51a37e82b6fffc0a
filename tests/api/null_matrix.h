/* SPDX-License-Identifier: Apache-2.0 */
/* tests/api/null_matrix.h - the part of test_null_api.c that is about matrices. */
#ifndef CLV_TESTS_NULL_MATRIX_H
#define CLV_TESTS_NULL_MATRIX_H

#include "api/null_target.h"

/* The public functions that are tested here. */
const null_function *null_matrix_functions(int *count);

#endif
