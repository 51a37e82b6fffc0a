/* SPDX-License-Identifier: Apache-2.0 */
/* schedule/window.h - which vertices are looked at for the next super layer: S1 of [Shah et
 * al. 2022], Algorithm 3.
 *
 * Vertices are numbered by level (ALAP, the sources' side first), so that a window is the
 * first so many of those left, and holds the predecessors of its vertices that are left. */
#ifndef CLV_SCHEDULE_WINDOW_H
#define CLV_SCHEDULE_WINDOW_H

#include "base/mem.h"

typedef struct clv_window {
    int32_t *rest; /* vertices in no super layer yet, ascending from `head` on */
    int32_t head, nvtx;
    const int32_t *level; /* by vertex, ascending */
} clv_window;

/* All vertices are left; memory from ws. */
cleave_status clv_window_init(clv_window *w, int32_t nvtx, const int32_t *level, clv_ws *ws,
                              cleave_error *err);
/* All are left again. */
void clv_window_restart(clv_window *w);

static inline int32_t clv_window_left(const clv_window *w)
{
    return w->nvtx - w->head;
}
static inline const int32_t *clv_window_vertices(const clv_window *w)
{
    return w->rest + w->head;
}

/* How many vertices whole levels have that together are more than `wanted`, or all that are
 * left.  O(size of the last level). */
int32_t clv_window_count(const clv_window *w, int64_t wanted);

/* The vertices v of the first `count` with thread[v] >= 0 are done.  O(count). */
void clv_window_advance(clv_window *w, int32_t count, const int32_t *thread);

#endif
