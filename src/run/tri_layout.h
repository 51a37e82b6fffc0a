/* SPDX-License-Identifier: Apache-2.0 */
/* run/tri_layout.h - from rows and a schedule to streams. */
#ifndef CLV_RUN_TRI_LAYOUT_H
#define CLV_RUN_TRI_LAYOUT_H

#include "run/tri_stream.h"

/* The tasks of a schedule over the rows they are parts of. */
typedef struct clv_tri_tasks {
    const clv_tri_rows *rows;
    const clv_schedule *s;
    const int64_t *begin, *end; /* by task: its entries */
    const int32_t *last;        /* by row: the task that ends it; NULL: tasks are rows */
    const int32_t *carry;       /* by task: where its sum is kept; -1: it ends its row.  NULL
                                   likewise */
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

/* Heads: what begins with a task.  1: it is alone; 0: it belongs to what began before. */
enum { clv_tri_together = 4, clv_tri_chained = 8 | 4 };
static inline int32_t clv_tri_size(uint8_t head)
{
    return head & 7;
}

/* The first of the entries begin .. end, which ascend, that is a row ended by one of these
 * tasks; else end. */
int64_t clv_tri_first_of(const clv_tri_tasks *t, const int32_t *task, int32_t count,
                         int64_t begin, int64_t end);
/* Arrays from ws. */
cleave_status clv_tri_tasks_find(clv_tri_tasks *t, const clv_tri_rows *rows,
                                 const clv_schedule *s, clv_ws *ws, cleave_error *err);
cleave_status clv_tri_reads_find(clv_sync_reads *reads, const clv_tri_tasks *t, clv_ws *ws,
                                 cleave_error *err);
/* Puts the tasks of each step (xtask[step] on in `task`) into a better order; head says which
 * four go side by side: independent of each other, or a chain. */
cleave_status clv_tri_order(const clv_tri_tasks *t, int64_t steps, const int64_t *xtask,
                            int32_t *task, uint8_t *head, clv_ws *ws, cleave_error *err);
/* Streams, order and places of a plan that has its sync. */
cleave_status clv_tri_layout(clv_tri_plan *plan, const clv_tri_tasks *t, clv_ws *ws,
                             cleave_error *err);

#endif
