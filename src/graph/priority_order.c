/* SPDX-License-Identifier: Apache-2.0 */
/* graph/priority_order.c - see graph/priority_order.h.
 *
 * Priorities do not change: vertices are sorted once, and the ready vertices are a set of
 * positions in the sorted array, one bit each.  A heap would miss the cache at every step when
 * many vertices are ready, as after the centre of a star. */
#include "graph/priority_order.h"

#include "base/number_set.h"
#include "base/sort.h"

typedef struct ranking {
    const int32_t *vertex; /* by position; NULL: positions are vertex numbers */
    const int32_t *place;  /* by vertex; NULL likewise */
    clv_number_set ready;  /* positions */
} ranking;

static int32_t place_ready(int32_t nvtx, const int64_t *xadj, const int32_t *adj, ranking *r,
                           int32_t *waiting, int32_t *order)
{
    for (int64_t a = 0; a < xadj[nvtx]; a++)
        waiting[adj[a]]++;
    for (int32_t v = 0; v < nvtx; v++)
        if (waiting[v] == 0)
            clv_number_set_insert(&r->ready, r->place ? r->place[v] : v);
    int32_t placed = 0, first;
    while ((first = clv_number_set_next(&r->ready, 0)) >= 0) {
        int32_t v = r->vertex ? r->vertex[first] : first;
        clv_number_set_remove(&r->ready, first);
        order[placed++] = v;
        for (int64_t a = xadj[v]; a < xadj[v + 1]; a++)
            if (--waiting[adj[a]] == 0)
                clv_number_set_insert(&r->ready, r->place ? r->place[adj[a]] : adj[a]);
    }
    return placed;
}

/* Sorts the vertices by priority, then number. */
static cleave_status sort_vertices(ranking *r, int32_t nvtx, const int64_t *priority,
                                   clv_ws *ws, cleave_error *err)
{
    int32_t *vertex = clv_ws_alloc(ws, nvtx, sizeof *vertex);
    int32_t *place = clv_ws_alloc(ws, nvtx, sizeof *place);
    clv_ws_mark mark = clv_ws_save(ws);
    clv_sort_item *items = clv_ws_alloc(ws, 2 * (int64_t)nvtx, sizeof *items);
    if (!vertex || !place || !items)
        return clv_fail_memory(err);
    for (int32_t v = 0; v < nvtx; v++)
        items[v] = (clv_sort_item){.key = priority[v], .with.index = v};
    const clv_sort_item *sorted = clv_sort(items, items + nvtx, nvtx);
    for (int32_t i = 0; i < nvtx; i++) {
        vertex[i] = (int32_t)sorted[i].with.index;
        place[vertex[i]] = i;
    }
    r->vertex = vertex;
    r->place = place;
    clv_ws_restore(ws, mark);
    return CLEAVE_OK;
}

cleave_status clv_priority_order(int32_t nvtx, const int64_t *xadj, const int32_t *adj,
                                 const int64_t *priority, clv_ws *ws, int32_t *order,
                                 bool *complete, cleave_error *err)
{
    clv_ws_mark mark = clv_ws_save(ws);
    ranking r = {0};
    int32_t *waiting = clv_ws_zalloc(ws, nvtx, sizeof *waiting);
    if (!waiting || !clv_number_set_init(&r.ready, nvtx, ws))
        return clv_fail_memory(err);
    if (priority)
        CLV_TRY(sort_vertices(&r, nvtx, priority, ws, err));
    *complete = place_ready(nvtx, xadj, adj, &r, waiting, order) == nvtx;
    clv_ws_restore(ws, mark);
    return CLEAVE_OK;
}
