/* SPDX-License-Identifier: Apache-2.0 */
/* tests/api/null_target.h - the part of test_null_api.c that is about targets. */
#ifndef CLV_TESTS_NULL_TARGET_H
#define CLV_TESTS_NULL_TARGET_H

#include "cleave/cleave.h"

typedef struct null_function {
    const char *name;
    void (*test)(void);
} null_function;
/* The public functions that are tested here. */
const null_function *null_target_functions(int *count);
void null_remap(void); /* null_remap.c */
/* Those that cannot fail. */
void null_target_silent(void);

#endif
