/* SPDX-License-Identifier: Apache-2.0 */
/* evaluate/task_metrics.h - validity, makespan and lower bounds of schedules of task graphs,
 * recomputed from the graph, the target and the schedule alone.  Scratch comes from ws and is
 * released. */
#ifndef CLV_EVALUATE_TASK_METRICS_H
#define CLV_EVALUATE_TASK_METRICS_H

#include "graph/task_schedule.h"
#include "target/task_problem.h"

/* task_metrics.c: CLEAVE_EINVAL: the message names the violation; fills makespan, serial, sent
 * and pes_used of m. */
cleave_status clv_evaluate_tasks(cleave_task_metrics *m, const clv_task_problem *problem,
                                 const clv_task_schedule *s, clv_ws *ws, cleave_error *err);

/* task_bounds.c: fills the bounds of m. */
cleave_status clv_evaluate_task_bounds(cleave_task_metrics *m, const clv_task_problem *problem,
                                       clv_ws *ws, cleave_error *err);

#endif
