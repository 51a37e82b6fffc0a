/* SPDX-License-Identifier: Apache-2.0 */
/* order/tighten.c - see order/tighten.h. */
#include "order/tighten.h"

#include "base/group.h"

static void find_late_places(const clv_graph *g, const int32_t *order, bool ties_late,
                             int32_t *key)
{
    for (int32_t i = g->nvtx; i-- > 0;) {
        int32_t v = order[i], first = g->nvtx;
        key[v] = i;
        for (int64_t a = g->xadj[v]; a < g->xadj[v + 1]; a++)
            first = key[g->adj[a]] < first ? key[g->adj[a]] : first;
        if (first < g->nvtx && first > i + 1 && clv_order_relief(g, v) < ties_late)
            key[v] = first;
    }
}

static void find_early_places(const clv_graph *g, const int32_t *order, bool ties_late,
                              int32_t *key)
{
    for (int32_t i = 0; i < g->nvtx; i++) {
        int32_t v = order[i], last = -1;
        key[v] = i;
        for (int64_t a = g->xpred[v]; a < g->xpred[v + 1]; a++)
            last = key[g->pred[a]] > last ? key[g->pred[a]] : last;
        if (last >= 0 && last < i - 1 && clv_order_relief(g, v) >= ties_late)
            key[v] = last;
    }
}

cleave_status clv_order_tighten(const clv_graph *g, bool ties_late, clv_ws *ws, int32_t *order,
                                cleave_error *err)
{
    int32_t n = g->nvtx;
    clv_ws_mark mark = clv_ws_save(ws);
    int32_t *key = clv_ws_alloc(ws, n, sizeof *key);
    int32_t *copy = clv_ws_alloc(ws, n, sizeof *copy);
    int32_t *start = clv_ws_alloc(ws, (int64_t)n + 1, sizeof *start);
    if (!key || !copy || !start)
        return clv_fail_memory(err);
    find_late_places(g, order, ties_late, key);
    clv_group_list_by_key(n, order, key, n, start, copy);
    find_early_places(g, copy, ties_late, key);
    clv_group_list_by_key(n, copy, key, n, start, order);
    clv_ws_restore(ws, mark);
    return CLEAVE_OK;
}
