/* SPDX-License-Identifier: Apache-2.0 */
/* target/deco_paths.c - exact distances between the PEs of a small graph: a breadth-first
 * search from each PE, or Dijkstra's algorithm with lengths. */
#include "target/deco_paths.h"

#include "target/deco.h"

cleave_status clv_paths_open(clv_paths *s, const clv_graph *g, clv_ws *ws, cleave_error *err)
{
    s->g = g;
    s->far = clv_ws_alloc(ws, g->nvtx, sizeof *s->far);
    s->order = clv_ws_alloc(ws, g->nvtx, sizeof *s->order);
    if (!s->far || !s->order)
        return clv_fail_memory(err);
    return g->ewgt ? clv_heap_init(&s->heap, g->nvtx, ws, err) : CLEAVE_OK;
}

static void search_breadth_first(clv_paths *s, int32_t source)
{
    const clv_graph *g = s->g;
    int32_t done = 0, found = 0;
    s->order[found++] = source;
    while (done < found) {
        int32_t v = s->order[done++];
        for (int64_t a = g->xadj[v]; a < g->xadj[v + 1]; a++) {
            int32_t u = g->adj[a];
            if (s->far[u] < 0) {
                s->far[u] = s->far[v] + 1;
                s->order[found++] = u;
            }
        }
    }
}

static void search_by_length(clv_paths *s, int32_t source)
{
    const clv_graph *g = s->g;
    int32_t done = 0;
    clv_heap_set(&s->heap, source, 0);
    while (s->heap.count > 0) {
        int32_t v = clv_heap_pop(&s->heap);
        s->order[done++] = v;
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

void clv_paths_from(clv_paths *s, int32_t source)
{
    for (int32_t v = 0; v < s->g->nvtx; v++)
        s->far[v] = -1;
    s->far[source] = 0;
    if (s->g->ewgt)
        search_by_length(s, source);
    else
        search_breadth_first(s, source);
}

static cleave_status keep_row(clv_deco *d, const clv_paths *s, int32_t source,
                              cleave_error *err)
{
    for (int32_t v = 0; v < source; v++) {
        if (s->far[v] > INT32_MAX)
            return clv_fail(err, CLEAVE_ERANGE,
                            "PEs %ld and %ld are %lld apart: more than a distance can be",
                            (long)v, (long)source, (long long)s->far[v]);
        d->far[clv_deco_pair(source, v)] = (int32_t)s->far[v];
    }
    return CLEAVE_OK;
}

cleave_status clv_deco_shortest_paths(clv_deco *d, const clv_graph *g, clv_ws *ws,
                                      cleave_error *err)
{
    clv_paths s = {0};
    clv_ws_mark mark = clv_ws_save(ws);
    CLV_TRY(clv_paths_open(&s, g, ws, err));
    for (int32_t source = 0; source < g->nvtx; source++) {
        clv_paths_from(&s, source);
        CLV_TRY(keep_row(d, &s, source, err));
    }
    clv_ws_restore(ws, mark);
    return CLEAVE_OK;
}
