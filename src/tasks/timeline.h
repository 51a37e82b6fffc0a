/* SPDX-License-Identifier: Apache-2.0 */
/* tasks/timeline.h - a partial schedule, into whose gaps tasks can be inserted.
 *
 * The idle gaps of a PE are a list in order of time.  The search for a gap begins with the
 * last one and looks at no more than `most_gaps`, so that its work is bounded. */
#ifndef CLV_TASKS_TIMELINE_H
#define CLV_TASKS_TIMELINE_H

#include "tasks/instance.h"

typedef struct clv_gap {
    double begin, end;
    int32_t next, prev; /* -1: none */
} clv_gap;

typedef struct clv_timeline {
    const clv_tasks *x;
    int32_t *pe; /* by task; -1: not placed */
    double *start, *finish;
    double *end;       /* by PE: finish of its last task */
    int32_t *last_gap; /* by PE; -1: none */
    clv_gap *gap;
    int32_t gaps;
} clv_timeline;

/* Where a task could run. */
typedef struct clv_slot {
    int32_t pe, gap; /* gap -1: after the last task */
    double start, finish;
} clv_slot;

/* A placement that can be taken back. */
typedef struct clv_insertion {
    int32_t task, gap, gaps;
    clv_gap before; /* of that gap */
    double end;
} clv_insertion;

cleave_status clv_timeline_open(clv_timeline *l, const clv_tasks *x, clv_ws *ws,
                                cleave_error *err);
/* at[p]: when the data of the placed predecessors of v are on PE p. */
void clv_timeline_arrivals(const clv_timeline *l, int32_t v, double *at);
/* The earliest slot on p of work that can begin at `ready`. */
clv_slot clv_timeline_earliest(const clv_timeline *l, int32_t p, double ready, double work);
/* The slot of earliest finish over all PEs, ties: the lowest PE.  at: scratch, npes. */
clv_slot clv_timeline_best(const clv_timeline *l, int32_t v, double *at);
void clv_timeline_place(clv_timeline *l, int32_t v, clv_slot slot);
/* The same, to be undone in reverse order of placement. */
clv_insertion clv_timeline_try(clv_timeline *l, int32_t v, clv_slot slot);
void clv_timeline_undo(clv_timeline *l, clv_insertion placement);
/* All tasks are placed. */
void clv_timeline_plan(const clv_timeline *l, clv_task_plan *plan);

#endif
