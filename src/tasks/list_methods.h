/* SPDX-License-Identifier: Apache-2.0 */
/* tasks/list_methods.h - list schedulers for task graphs.  All ties: the lowest number. */
#ifndef CLV_TASKS_LIST_METHODS_H
#define CLV_TASKS_LIST_METHODS_H

#include "tasks/instance.h"

/* A method fills the plan; scratch from ws, not restored. */
typedef cleave_status (*clv_task_method_fn)(const clv_tasks *x, clv_task_plan *plan,
                                            clv_ws *ws, cleave_error *err);

/* tasks/ranked_lists.c, with insertion into gaps */
cleave_status clv_tasks_heft(const clv_tasks *x, clv_task_plan *plan, clv_ws *ws,
                             cleave_error *err);
cleave_status clv_tasks_lookahead(const clv_tasks *x, clv_task_plan *plan, clv_ws *ws,
                                  cleave_error *err);
cleave_status clv_tasks_cpop(const clv_tasks *x, clv_task_plan *plan, clv_ws *ws,
                             cleave_error *err);
cleave_status clv_tasks_peft(const clv_tasks *x, clv_task_plan *plan, clv_ws *ws,
                             cleave_error *err);
/* The fastest PE executes everything. */
cleave_status clv_tasks_serial(const clv_tasks *x, clv_task_plan *plan, clv_ws *ws,
                               cleave_error *err);

/* tasks/ready_lists.c: tasks are appended in the order that they are chosen in */
cleave_status clv_tasks_etf(const clv_tasks *x, clv_task_plan *plan, clv_ws *ws,
                            cleave_error *err);
cleave_status clv_tasks_dls(const clv_tasks *x, clv_task_plan *plan, clv_ws *ws,
                            cleave_error *err);
cleave_status clv_tasks_minmin(const clv_tasks *x, clv_task_plan *plan, clv_ws *ws,
                               cleave_error *err);
cleave_status clv_tasks_maxmin(const clv_tasks *x, clv_task_plan *plan, clv_ws *ws,
                               cleave_error *err);
cleave_status clv_tasks_sufferage(const clv_tasks *x, clv_task_plan *plan, clv_ws *ws,
                                  cleave_error *err);

/* tasks/task_clusters.c */
cleave_status clv_tasks_dsc(const clv_tasks *x, clv_task_plan *plan, clv_ws *ws,
                            cleave_error *err);
/* A list schedule in which all tasks of a cluster run on one PE: that of earliest finish of
 * its first task.  cluster: ntasks, < nclusters. */
cleave_status clv_tasks_map_clusters(const clv_tasks *x, const int32_t *cluster,
                                     int32_t nclusters, clv_task_plan *plan, clv_ws *ws,
                                     cleave_error *err);

#endif
