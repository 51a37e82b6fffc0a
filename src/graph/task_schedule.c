/* SPDX-License-Identifier: Apache-2.0 */
/* See graph/task_schedule.h. */
#include "graph/task_schedule.h"

#include <string.h>

cleave_status clv_task_schedule_new(clv_task_schedule **out, int32_t ntasks,
                                    const char *method, cleave_error *err)
{
    clv_task_schedule *s = clv_zalloc(1, sizeof *s);
    *out = NULL;
    if (!s)
        return clv_fail_memory(err);
    s->ntasks = ntasks;
    size_t length = strlen(method);
    memcpy(s->method, method, length < sizeof s->method ? length : sizeof s->method - 1);
    s->pe = clv_arena_alloc(&s->arena, ntasks, sizeof *s->pe);
    s->start = clv_arena_alloc(&s->arena, ntasks, sizeof *s->start);
    if (!s->pe || !s->start) {
        clv_task_schedule_free(s);
        return clv_fail_memory(err);
    }
    *out = s;
    return CLEAVE_OK;
}

void clv_task_schedule_free(clv_task_schedule *s)
{
    if (!s)
        return;
    clv_arena_free(&s->arena);
    clv_sys_free(s);
}
