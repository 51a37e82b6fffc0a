/* SPDX-License-Identifier: Apache-2.0 */
/* schedule/window.c - see schedule/window.h. */
#include "schedule/window.h"

cleave_status clv_window_init(clv_window *w, int32_t nvtx, const int32_t *level, clv_ws *ws,
                              cleave_error *err)
{
    *w = (clv_window){.nvtx = nvtx, .level = level};
    w->rest = clv_ws_alloc(ws, nvtx, sizeof *w->rest);
    if (!w->rest)
        return clv_fail_memory(err);
    clv_window_restart(w);
    return CLEAVE_OK;
}

void clv_window_restart(clv_window *w)
{
    w->head = 0;
    for (int32_t v = 0; v < w->nvtx; v++)
        w->rest[v] = v;
}

int32_t clv_window_count(const clv_window *w, int64_t wanted)
{
    int32_t left = clv_window_left(w);
    if (wanted >= left)
        return left;
    const int32_t *rest = clv_window_vertices(w);
    int32_t count = (int32_t)wanted + 1; /* one of them is in the last level */
    while (count < left && w->level[rest[count]] == w->level[rest[count - 1]])
        count++;
    return count;
}

void clv_window_advance(clv_window *w, int32_t count, const int32_t *thread)
{
    int32_t *rest = w->rest + w->head;
    int32_t to = count; /* the remaining ones move to the end of the window, in order */
    for (int32_t i = count; i-- > 0;)
        if (thread[rest[i]] < 0)
            rest[--to] = rest[i];
    w->head += to;
}
