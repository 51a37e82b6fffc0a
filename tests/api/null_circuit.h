/* SPDX-License-Identifier: Apache-2.0 */
/* tests/api/null_circuit.h - the part of test_null_api.c that is about circuits. */
#ifndef CLV_TESTS_NULL_CIRCUIT_H
#define CLV_TESTS_NULL_CIRCUIT_H

#include "api/null_target.h"

/* The public functions that are tested here. */
const null_function *null_circuit_functions(int *count);
/* Those that cannot fail. */
void null_circuit_silent(void);

#endif
