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

typedef struct oom_group {
    const oom_entry *entries;         /* the last has no function */
    void (*make)(const char *detail); /* objects, before each call; NULL: none */
    void (*drop)(void);               /* and after it */
} oom_group;

extern const oom_group oom_circuit, oom_matrix, oom_order, oom_run, oom_schedule, oom_target,
    oom_tasks, oom_view;

/* The nth allocation of this expression fails, and none outside; its value is the status. */
#define UNDER_TEST(expression) (oom_begin(), oom_end(expression))
void oom_begin(void);
cleave_status oom_end(cleave_status status);
extern int64_t oom_allocations; /* of the last expression */

/* After a failure there must be no file, and no temporary one either. */
cleave_status oom_file_result(cleave_status status, const char *path, uint64_t *result);

#endif
