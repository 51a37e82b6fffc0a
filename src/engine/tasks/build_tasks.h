/* SPDX-License-Identifier: Apache-2.0 */
/* engine/tasks/build_tasks.h - the pipeline of cleave_task_schedule_build. */
#ifndef CLV_ENGINE_TASKS_BUILD_TASKS_H
#define CLV_ENGINE_TASKS_BUILD_TASKS_H

#include "base/context.h"
#include "evaluate/task_metrics.h"

typedef struct clv_task_method clv_task_method;

typedef struct clv_task_request {
    cleave_task_options opt;
    const clv_task_method *method;
} clv_task_request;

/* NULL or "": auto.  NULL: unknown. */
const clv_task_method *clv_task_method_find(const char *name);
/* Checks whether g can be scheduled. */
cleave_status clv_task_graph_check(const clv_graph *g, cleave_error *err);
/* Builds and validates a schedule.  CLEAVE_ECANCEL: the callback stopped the search; *out is
 * set nevertheless. */
cleave_status clv_task_schedule_build(clv_task_schedule **out, const clv_task_request *request,
                                      const clv_graph *g, const clv_target *t,
                                      clv_context *ctx, cleave_error *err);

#endif
