/* SPDX-License-Identifier: Apache-2.0 */
/* tests/api/null_schedule.h - the part of test_null_api.c that is about schedules. */
#ifndef CLV_TESTS_NULL_SCHEDULE_H
#define CLV_TESTS_NULL_SCHEDULE_H

#include "api/null_target.h"

/* The public functions that are tested here. */
const null_function *null_schedule_functions(int *count);
/* Those that cannot fail. */
void null_schedule_silent(void);

#endif
