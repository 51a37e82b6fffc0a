/* SPDX-License-Identifier: Apache-2.0 */
/* graph/priority_order.c - see graph/priority_order.h. */
#include "graph/priority_order.h"

#include "base/queue.h"

static int32_t place_ready(int32_t nvtx, const int64_t *xadj, const int32_t *adj,
                           const int64_t *priority, int32_t *waiting, clv_heap *ready,
                           int32_t *order)
{
    for (int64_t a = 0; a < xadj[nvtx]; a++)
        waiting[adj[a]]++;
    for (int32_t v = 0; v < nvtx; v++)
        if (waiting[v] == 0)
            clv_heap_set(ready, v, priority ? -priority[v] : 0);
    int32_t placed = 0;
    while (ready->count > 0) {
        int32_t v = clv_heap_pop(ready);
        order[placed++] = v;
        for (int64_t a = xadj[v]; a < xadj[v + 1]; a++)
            if (--waiting[adj[a]] == 0)
                clv_heap_set(ready, adj[a], priority ? -priority[adj[a]] : 0);
    }
    return placed;
}

cleave_status clv_priority_order(int32_t nvtx, const int64_t *xadj, const int32_t *adj,
                                 const int64_t *priority, clv_ws *ws, int32_t *order,
                                 bool *complete, cleave_error *err)
{
    clv_ws_mark mark = clv_ws_save(ws);
    clv_heap ready;
    CLV_TRY(clv_heap_init(&ready, nvtx, ws, err));
    int32_t *waiting = clv_ws_zalloc(ws, nvtx, sizeof *waiting);
    if (!waiting)
        return clv_fail_memory(err);
    *complete = place_ready(nvtx, xadj, adj, priority, waiting, &ready, order) == nvtx;
    clv_ws_restore(ws, mark);
    return CLEAVE_OK;
}
