/* SPDX-License-Identifier: Apache-2.0 */
/* engine/tasks/partition_tasks.h - schedules from acyclic partitions. */
#ifndef CLV_ENGINE_TASKS_PARTITION_TASKS_H
#define CLV_ENGINE_TASKS_PARTITION_TASKS_H

#include "base/context.h"
#include "engine/presets.h"
#include "tasks/instance.h"

/* The best of list schedules whose clusters are the parts of acyclic partitions into 2, 4, 8,
 * ... parts [Ozkaya, Benoit, Ucar, Herrmann, Catalyurek 2019]: the first task of a part
 * chooses its PE.  plan is set; after a stop, from the partitions so far. */
cleave_status clv_tasks_partition(const clv_tasks *x, const clv_task_preset *preset,
                                  clv_task_plan *plan, clv_context *ctx, cleave_error *err);

#endif
