/* SPDX-License-Identifier: Apache-2.0 */
/* initial/fixed_order.c - topological orders that respect fixed vertices, see
 * initial/fixed_order.h.
 *
 * Each place of the order lies in the slice that the shares assign to it.  The slices of a
 * vertex are bounded by those of its fixed ancestors and descendants.  A vertex outside of
 * them moves to the near end of the nearest allowed slice.  Arcs still point forward: neither
 * the bound nor the place of an arc's head is smaller than that of its tail. */
#include "initial/fixed_order.h"

#include "base/sort.h"

bool clv_fixed_ranks(const clv_partition_state *s, const int32_t *order, int32_t *low,
                     int32_t *high)
{
    const clv_graph *g = s->g;
    bool fine = true;
    for (int32_t i = 0; i < g->nvtx; i++) {
        int32_t v = order[i];
        low[v] = clv_state_is_fixed(s, v) ? s->rank[s->fixed[v]] : 0;
        for (int64_t a = g->xpred[v]; a < g->xpred[v + 1]; a++)
            low[v] = low[g->pred[a]] > low[v] ? low[g->pred[a]] : low[v];
    }
    for (int32_t i = g->nvtx; i-- > 0;) {
        int32_t v = order[i];
        high[v] = clv_state_is_fixed(s, v) ? s->rank[s->fixed[v]] : s->bounds.nparts - 1;
        for (int64_t a = g->xadj[v]; a < g->xadj[v + 1]; a++)
            high[v] = high[g->adj[a]] < high[v] ? high[g->adj[a]] : high[v];
        fine = fine && low[v] <= high[v];
    }
    return fine;
}

/* Computes the sort keys in the sequence of the order. */
static void make_keys(const clv_partition_state *s, const int32_t *low, const int32_t *high,
                      const int32_t *by_rank, const int32_t *order, clv_sort_item *item)
{
    const clv_graph *g = s->g;
    double all = 0, room = 0, weight = 0, total = 0;
    for (int32_t p = 0; p < s->bounds.nparts; p++)
        all += (double)s->bounds.max[(int64_t)p * g->ncon];
    for (int32_t v = 0; v < g->nvtx; v++)
        total += clv_graph_vwgt(g, v, 0);
    int32_t slice = -1;
    for (int32_t i = 0; i < g->nvtx; i++) {
        int32_t v = order[i];
        while (slice < 0 || (slice < s->bounds.nparts - 1 && weight * all >= room * total))
            room += (double)s->bounds.max[(int64_t)by_rank[++slice] * g->ncon];
        weight += clv_graph_vwgt(g, v, 0);
        int64_t inside = 1;
        int32_t to = slice;
        if (slice < low[v]) {
            to = low[v];
            inside = 0;
        } else if (slice > high[v]) {
            to = high[v];
            inside = 2;
        }
        item[i] = (clv_sort_item){.key = 3 * (int64_t)to + inside, .with.index = v};
    }
}

cleave_status clv_fixed_order(const clv_partition_state *s, const int32_t *by_rank, clv_ws *ws,
                              int32_t *order, cleave_error *err)
{
    if (!s->fixed)
        return CLEAVE_OK;
    int32_t n = s->g->nvtx;
    clv_ws_mark mark = clv_ws_save(ws);
    int32_t *low = clv_ws_alloc(ws, n, sizeof *low);
    int32_t *high = clv_ws_alloc(ws, n, sizeof *high);
    clv_sort_item *item = clv_ws_alloc(ws, n, sizeof *item);
    clv_sort_item *scratch = clv_ws_alloc(ws, n, sizeof *scratch);
    if (!low || !high || !item || !scratch)
        return clv_fail_memory(err);
    if (!clv_fixed_ranks(s, order, low, high))
        return clv_fail(err, CLEAVE_ECYCLE,
                        "the fixed vertices contradict the order of their parts");
    make_keys(s, low, high, by_rank, order, item);
    item = clv_sort(item, scratch, n);
    for (int32_t i = 0; i < n; i++)
        order[i] = (int32_t)item[i].with.index;
    clv_ws_restore(ws, mark);
    return CLEAVE_OK;
}
