/* SPDX-License-Identifier: Apache-2.0 */
/* target/deco_paths.c - how far the PEs of a small graph are from each other, exactly: a
 * breadth-first search from each PE, or with lengths Dijkstra's algorithm. */
#include "base/queue.h"
#include "target/deco.h"

typedef struct path_search {
    const clv_graph *g;
    int64_t *far;   /* by vertex: how far from the source; -1: not reached */
    int32_t *queue; /* of vertices, without lengths */
    clv_heap heap;  /* by the negative distance, with lengths */
} path_search;

static cleave_status open_search(path_search *s, const clv_graph *g, clv_ws *ws,
                                 cleave_error *err)
{
    s->g = g;
    s->far = clv_ws_alloc(ws, g->nvtx, sizeof *s->far);
    s->queue = clv_ws_alloc(ws, g->nvtx, sizeof *s->queue);
    if (!s->far || !s->queue)
        return clv_fail_memory(err);
    return g->ewgt ? clv_heap_init(&s->heap, g->nvtx, ws, err) : CLEAVE_OK;
}

static void search_breadth_first(path_search *s, int32_t source)
{
    const clv_graph *g = s->g;
    int32_t done = 0, found = 0;
    s->queue[found++] = source;
    while (done < found) {
        int32_t v = s->queue[done++];
        for (int64_t a = g->xadj[v]; a < g->xadj[v + 1]; a++) {
            int32_t u = g->adj[a];
            if (s->far[u] < 0) {
                s->far[u] = s->far[v] + 1;
                s->queue[found++] = u;
            }
        }
    }
}

static void search_by_length(path_search *s, int32_t source)
{
    const clv_graph *g = s->g;
    clv_heap_set(&s->heap, source, 0);
    while (s->heap.count > 0) {
        int32_t v = clv_heap_pop(&s->heap);
        for (int64_t a = g->xadj[v]; a < g->xadj[v + 1]; a++) {
            int32_t u = g->adj[a];
            int64_t far = s->far[v] + g->ewgt[a];
            if (s->far[u] < 0 || far < s->far[u]) {
                s->far[u] = far;
                clv_heap_set(&s->heap, u, -far);
            }
        }
    }
}

static cleave_status keep_row(clv_deco *d, const path_search *s, int32_t source,
                              cleave_error *err)
{
    for (int32_t v = 0; v < source; v++) {
        if (s->far[v] > INT32_MAX)
            return clv_fail(err, CLEAVE_ERANGE,
                            "PEs %ld and %ld are %lld apart: more than a distance can be",
                            (long)v, (long)source, (long long)s->far[v]);
        *clv_deco_twice(d, source, v) = 2 * (uint32_t)s->far[v];
    }
    return CLEAVE_OK;
}

static cleave_status search_all(clv_deco *d, const clv_graph *g, clv_ws *ws, cleave_error *err)
{
    path_search s = {0};
    CLV_TRY(open_search(&s, g, ws, err));
    for (int32_t source = 0; source < g->nvtx; source++) {
        for (int32_t v = 0; v < g->nvtx; v++)
            s.far[v] = -1;
        s.far[source] = 0;
        if (g->ewgt)
            search_by_length(&s, source);
        else
            search_breadth_first(&s, source);
        CLV_TRY(keep_row(d, &s, source, err));
    }
    return CLEAVE_OK;
}

cleave_status clv_deco_shortest_paths(clv_deco *d, const clv_graph *g, cleave_error *err)
{
    clv_ws ws = {0};
    cleave_status status = search_all(d, g, &ws, err);
    clv_ws_free(&ws);
    return status;
}
