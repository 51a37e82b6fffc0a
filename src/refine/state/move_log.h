/* SPDX-License-Identifier: Apache-2.0 */
/* refine/state/move_log.h - the moves of a pass, and its best state.
 *
 * For passes that make moves of positive and negative gain and finally roll back to the best
 * state by (overload, cut).  Moves must satisfy clv_state_fits and clv_state_may_leave: then
 * no state has a larger overload than the one before. */
#ifndef CLV_REFINE_STATE_MOVE_LOG_H
#define CLV_REFINE_STATE_MOVE_LOG_H

#include "refine/state/partition_state.h"

typedef struct clv_move_log {
    int32_t *vertex, *from; /* capacity for every vertex once */
    int32_t count, best;    /* moves so far, and those of the best state */
    int64_t overload;       /* relative to the start: <= 0 */
    clv_worth best_worth;   /* its overload relative to the start, too */
} clv_move_log;

static inline cleave_status clv_move_log_init(clv_move_log *log, const clv_partition_state *s,
                                              clv_ws *ws, cleave_error *err)
{
    *log = (clv_move_log){.best_worth.cut = s->cut};
    log->vertex = clv_ws_alloc(ws, s->g->nvtx, sizeof *log->vertex);
    log->from = clv_ws_alloc(ws, s->g->nvtx, sizeof *log->from);
    return log->vertex && log->from ? CLEAVE_OK : clv_fail_memory(err);
}

static inline int64_t clv_move_log_overload(const clv_partition_state *s, int32_t p)
{
    return clv_bounds_excess_of_part(&s->bounds, p, s->weight) +
           (s->count[p] == 0 && clv_bounds_wants_vertex(&s->bounds, p));
}

/* Moves v; only clv_move_log_rewind updates `maybe_boundary`. */
static inline void clv_move_log_apply(clv_move_log *log, clv_partition_state *s, int32_t v,
                                      int32_t to, int64_t gain)
{
    int32_t from = s->part[v];
    log->vertex[log->count] = v;
    log->from[log->count++] = from;
    log->overload -= clv_move_log_overload(s, from) + clv_move_log_overload(s, to);
    clv_state_move(s, v, to);
    log->overload += clv_move_log_overload(s, from) + clv_move_log_overload(s, to);
    s->cut -= gain;
    clv_worth now = {log->overload, s->cut};
    if (clv_worth_better(now, log->best_worth)) {
        log->best_worth = now;
        log->best = log->count;
    }
}

/* Rolls back to the best state, or to that after even fewer moves. */
static inline void clv_move_log_undo(clv_move_log *log, clv_partition_state *s, int32_t count)
{
    while (log->count > count) {
        log->count--;
        clv_state_move(s, log->vertex[log->count], log->from[log->count]);
    }
}
static inline void clv_move_log_rewind(clv_move_log *log, clv_partition_state *s)
{
    clv_move_log_undo(log, s, log->best);
    s->cut = log->best_worth.cut;
    for (int32_t i = 0; i < log->best; i++)
        clv_state_mark(s, log->vertex[i]);
}

#endif
