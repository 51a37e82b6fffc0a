/* SPDX-License-Identifier: Apache-2.0 */
/* engine/tasks/auto_tasks.h - the best of many schedules of a task graph. */
#ifndef CLV_ENGINE_TASKS_AUTO_TASKS_H
#define CLV_ENGINE_TASKS_AUTO_TASKS_H

#include "base/context.h"
#include "engine/presets.h"
#include "tasks/instance.h"

/* List schedules on all PEs and on the k fastest ones, and local search.  The work depends on
 * the effort and grows linearly with the graph.  Stops at a makespan of `bound`.  Every effort
 * continues what the lower ones do, so that more is never worse. */
cleave_status clv_tasks_auto(const clv_tasks *x, const clv_task_preset *preset, double bound,
                             clv_task_plan *plan, clv_context *ctx, cleave_error *err);

#endif
