/* SPDX-License-Identifier: Apache-2.0 */
/* target/task_problem.h - tasks, and the machine that runs them (model: tasks/instance.h). */
#ifndef CLV_TARGET_TASK_PROBLEM_H
#define CLV_TARGET_TASK_PROBLEM_H

#include "graph/graph.h"
#include "target/target.h"

typedef struct clv_task_problem {
    const clv_graph *g;
    const clv_target *t;
    double bandwidth, latency; /* finite; bandwidth > 0, latency >= 0 */
} clv_task_problem;

#endif
