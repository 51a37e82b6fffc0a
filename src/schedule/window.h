/* SPDX-License-Identifier: Apache-2.0 */
/* schedule/window.h - the candidates for the next super layer: S1 of [Shah et al. 2022],
 * Algorithm 3.
 *
 * Vertices are numbered by ALAP level, sources first: a window is a prefix of the remaining
 * vertices, and contains the remaining predecessors of its vertices. */
#ifndef CLV_SCHEDULE_WINDOW_H
#define CLV_SCHEDULE_WINDOW_H

#include "base/mem.h"

typedef struct clv_window {
    int32_t *rest; /* vertices in no super layer yet, ascending, from `head` on */
    int32_t head, nvtx;
    const int32_t *level; /* by vertex, ascending */
} clv_window;

/* All vertices remain; memory from ws. */
cleave_status clv_window_init(clv_window *w, int32_t nvtx, const int32_t *level, clv_ws *ws,
                              cleave_error *err);
/* All vertices remain again. */
void clv_window_restart(clv_window *w);

static inline int32_t clv_window_left(const clv_window *w)
{
    return w->nvtx - w->head;
}
static inline const int32_t *clv_window_vertices(const clv_window *w)
{
    return w->rest + w->head;
}

/* The number of remaining vertices in the smallest set of whole levels with more than `wanted`
 * vertices, or of all remaining.  O(size of the last level). */
int32_t clv_window_count(const clv_window *w, int64_t wanted);

/* Removes the vertices v among the first `count` with thread[v] >= 0.  O(count). */
void clv_window_advance(clv_window *w, int32_t count, const int32_t *thread);

#endif
