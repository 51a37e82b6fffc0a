/* SPDX-License-Identifier: Apache-2.0 */
/* schedule/row_split.h - heavy rows as chains of tasks: the interface of the two halves.
 *
 * schedule/row_split_cuts.c decides where rows are cut, schedule/row_split.c builds the DAG of
 * the tasks.  A row reads its predecessors in ascending order and then does the rest of its
 * work (the division by the diagonal); a cut at c ends a task after the first c
 * predecessors. */
#ifndef CLV_SCHEDULE_ROW_SPLIT_H
#define CLV_SCHEDULE_ROW_SPLIT_H

#include "schedule/schedulers.h"

typedef struct clv_row_cuts {
    int64_t count;       /* of all cuts; 0: no row is split */
    const int64_t *xcut; /* nvtx + 1: where the cuts of each row start in `cut` */
    const int32_t *cut;  /* strictly ascending in each row, 0 < cut < number of predecessors */
    /* By task: a schedule; both NULL if no row is split. */
    const int32_t *layer, *thread;
} clv_row_cuts;

/* Weight of the part of a row that reads predecessors [from, to), and does the rest if `to` is
 * their number.  All predecessors and the rest have equal weight; if that is not an integer,
 * it is rounded so that parts add up to the row. */
static inline int64_t clv_row_part(const clv_graph *g, int32_t v, int64_t from, int64_t to)
{
    int64_t shares = g->xpred[v + 1] - g->xpred[v] + 1, w = clv_graph_vwgt(g, v, 0);
    if (to == shares - 1)
        to = shares;
    return w == shares ? to - from : w * to / shares - w * from / shares;
}

/* Finds the cuts for `threads` threads, and a schedule of the tasks; arrays are from ws[0],
 * the caller restores it.  About O((nvtx + narc) log nvtx). */
cleave_status clv_row_cuts_find(clv_row_cuts *cuts, const clv_graph *g, int32_t threads,
                                const clv_schedule_costs *costs, clv_context *ctx,
                                cleave_error *err);

/* The DAG of the tasks, as clv_row_split.  The tasks of a row are numbered consecutively, in
 * the order of the rows.  O(nvtx + narc). */
cleave_status clv_row_split_build(clv_graph **out, int32_t **row, const clv_graph *g,
                                  const clv_row_cuts *cuts, cleave_error *err);

#endif
