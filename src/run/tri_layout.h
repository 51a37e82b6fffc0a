/* SPDX-License-Identifier: Apache-2.0 */
/* run/tri_layout.h - from rows and a schedule to streams. */
#ifndef CLV_RUN_TRI_LAYOUT_H
#define CLV_RUN_TRI_LAYOUT_H

#include "run/tri_stream.h"

/* The tasks of a schedule, and the rows that they are part of. */
typedef struct clv_tri_tasks {
    const clv_tri_rows *rows;
    const clv_schedule *s;
    const int64_t *begin, *end; /* by task: its entries */
    const int32_t *last;        /* by row: its last task; NULL: tasks are rows */
    const int32_t *carry;       /* by task: index of its partial sum; -1: it ends its row.
                                   NULL likewise */
    int32_t ncarry;
} clv_tri_tasks;

static inline int32_t clv_tri_row(const clv_tri_tasks *t, int32_t task)
{
    return t->s->row ? t->s->row[task] : task;
}
static inline bool clv_tri_first(const clv_tri_tasks *t, int32_t task)
{
    return !t->s->row || task == 0 || t->s->row[task - 1] != t->s->row[task];
}
static inline int32_t clv_tri_last(const clv_tri_tasks *t, int32_t row)
{
    return t->last ? t->last[row] : row;
}
static inline int32_t clv_tri_carry(const clv_tri_tasks *t, int32_t task)
{
    return t->carry ? t->carry[task] : -1;
}

/* Heads: what starts at a task.  1: a single task; 0: the task belongs to a group of four that
 * started before. */
enum { clv_tri_together = 4, clv_tri_chained = 8 | 4 };
static inline int32_t clv_tri_size(uint8_t head)
{
    return head & 7;
}

/* The first of the ascending entries begin .. end whose row is ended by one of these tasks;
 * end if there is none. */
int64_t clv_tri_first_of(const clv_tri_tasks *t, const int32_t *task, int32_t count,
                         int64_t begin, int64_t end);
/* Arrays are from ws. */
cleave_status clv_tri_tasks_find(clv_tri_tasks *t, const clv_tri_rows *rows,
                                 const clv_schedule *s, clv_ws *ws, cleave_error *err);
cleave_status clv_tri_reads_find(clv_sync_reads *reads, const clv_tri_tasks *t, clv_ws *ws,
                                 cleave_error *err);
/* Tasks in the order of execution. */
typedef struct clv_tri_sequence {
    int64_t steps;
    int64_t *xtask; /* steps + 1: where the tasks of a step begin */
    int32_t *task;
    uint8_t *head; /* by position */
} clv_tri_sequence;
/* Reorders the tasks of each step; head marks groups of four that are interleaved: independent
 * ones, or a chain. */
cleave_status clv_tri_order(const clv_tri_tasks *t, clv_tri_sequence *q, clv_ws *ws,
                            cleave_error *err);
/* Streams, order and positions of a plan whose sync is set. */
cleave_status clv_tri_layout(clv_tri_plan *plan, const clv_tri_tasks *t, clv_ws *ws,
                             cleave_error *err);

#endif
