/* SPDX-License-Identifier: Apache-2.0 */
/* graph/task_schedule.h - task -> (PE, start). */
#ifndef CLV_GRAPH_TASK_SCHEDULE_H
#define CLV_GRAPH_TASK_SCHEDULE_H

#include "base/mem.h"

typedef struct cleave_task_schedule clv_task_schedule;
struct cleave_task_schedule {
    int32_t ntasks;
    char method[16];
    int32_t *pe;     /* >= 0 */
    double *start;   /* finite, >= 0 */
    clv_arena arena; /* owns the arrays, not the schedule itself */
};

/* A schedule whose arrays are not set; the first 15 characters of method are kept. */
cleave_status clv_task_schedule_new(clv_task_schedule **out, int32_t ntasks,
                                    const char *method, cleave_error *err);
void clv_task_schedule_free(clv_task_schedule *s);

#endif
