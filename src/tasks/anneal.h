/* SPDX-License-Identifier: Apache-2.0 */
/* tasks/anneal.h - local search on schedules: simulated annealing of (order, PE). */
#ifndef CLV_TASKS_ANNEAL_H
#define CLV_TASKS_ANNEAL_H

#include "base/context.h"
#include "tasks/instance.h"

typedef struct clv_anneal {
    int64_t steps;   /* visits of tasks and arcs that it may take */
    double heat;     /* first temperature as a part of the makespan; 0: descent */
    uint64_t number; /* of the run: seeds its random numbers */
    double bound;    /* it stops at this makespan */
} clv_anneal;

/* Improves the plan, which is a valid schedule; it never becomes longer.  Ends early when the
 * context stops.  Scratch from ctx->ws, released. */
cleave_status clv_tasks_anneal(const clv_tasks *x, const clv_anneal *how, clv_task_plan *plan,
                               clv_context *ctx, cleave_error *err);

#endif
