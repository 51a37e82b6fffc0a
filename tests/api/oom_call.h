/* SPDX-License-Identifier: Apache-2.0 */
/* tests/api/oom_call.h - how test_oom_api.c and its parts call public functions whose nth
 * allocation fails. */
#ifndef CLV_TESTS_OOM_CALL_H
#define CLV_TESTS_OOM_CALL_H

#include "api/oom_objects.h"
#include "support/test.h"

/* A call returns its status and what came of it; `detail` names its variant. */
typedef cleave_status (*oom_call)(const char *detail, uint64_t *result, cleave_error *e);

typedef struct oom_entry {
    const char *function;
    oom_call call;
    const char *details; /* variants, separated by '|' */
} oom_entry;

extern int64_t oom_nth, oom_allocations;

/* The nth allocation of this expression fails, and none outside. */
#define UNDER_TEST(status, expression)                                                        \
    do {                                                                                      \
        test_alloc_fail_at(oom_nth);                                                          \
        (status) = (expression);                                                              \
        oom_allocations = test_alloc_calls();                                                 \
        test_alloc_fail_at(0);                                                                \
    } while (0)

/* After a failure there must be no file, and no temporary one either. */
cleave_status oom_file_result(cleave_status status, const char *path, uint64_t *result);

/* oom_circuit.c: circuits. */
const oom_entry *oom_circuit_entries(int *count);
/* oom_target.c: targets, and mappings on them. */
const oom_entry *oom_target_entries(int *count);
/* oom_matrix.c: matrices and their factors. */
const oom_entry *oom_matrix_entries(int *count);
/* oom_order.c: orders and splits. */
const oom_entry *oom_order_entries(int *count);
/* oom_run.c: teams and triangular solves. */
const oom_entry *oom_run_entries(int *count);
/* oom_schedule.c: schedules. */
const oom_entry *oom_schedule_entries(int *count);
/* oom_view.c: pictures. */
const oom_entry *oom_view_entries(int *count);

#endif
