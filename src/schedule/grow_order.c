/* SPDX-License-Identifier: Apache-2.0 */
/* schedule/grow_order.c - the order in which a growing layer prefers vertices: by the heaviest
 * path to a sink, which keeps the critical path short [Hu 1961]; ties by number, which keeps
 * neighbours together. */
#include <string.h>

#include "base/sort.h"
#include "graph/topology.h"
#include "schedule/grow_layers.h"

/* Do all arcs lead to larger numbers, as in a lower triangle?  Rows ascend.  (A graph read
 * with `trust` may have loops.) */
static bool runs_forward(const clv_graph *g)
{
    for (int32_t v = 0; v < g->nvtx; v++)
        if (g->xadj[v] < g->xadj[v + 1] && g->adj[g->xadj[v]] <= v)
            return false;
    return true;
}

/* path[v]: the heaviest path from v, itself included; returns the maximum. */
static int64_t weigh_paths(const clv_graph *g, const int32_t *topological, int64_t *path)
{
    int64_t heaviest = 0;
    for (int32_t i = g->nvtx; i-- > 0;) {
        int32_t v = topological ? topological[i] : i;
        int64_t after = 0;
        for (int64_t a = g->xadj[v]; a < g->xadj[v + 1]; a++)
            after = path[g->adj[a]] > after ? path[g->adj[a]] : after;
        path[v] = after + clv_graph_vwgt(g, v, 0);
        heaviest = path[v] > heaviest ? path[v] : heaviest;
    }
    return heaviest;
}

/* ---- Sorting ---------------------------------------------------------------------------- */

/* Sorts key and vertex in one word, alternating between two arrays; with items if keys are too
 * long. */
typedef struct sorting {
    uint64_t *word, *other;
    clv_sort_item *items, *scratch;
} sorting;

static cleave_status make_sorting(sorting *s, int32_t count, int64_t longest, clv_ws *ws,
                                  cleave_error *err)
{
    *s = (sorting){0};
    if (longest <= UINT32_MAX) {
        s->word = clv_ws_alloc(ws, count, sizeof *s->word);
        s->other = clv_ws_alloc(ws, count, sizeof *s->other);
        return s->word && s->other ? CLEAVE_OK : clv_fail_memory(err);
    }
    s->items = clv_ws_alloc(ws, count, sizeof *s->items);
    s->scratch = clv_ws_alloc(ws, count, sizeof *s->scratch);
    return s->items && s->scratch ? CLEAVE_OK : clv_fail_memory(err);
}

/* One digit of radix sort, stable. */
static void sort_digit(const uint64_t *from, uint64_t *to, int32_t count, int shift, int bits)
{
    enum { most = 1 << 11 };
    int32_t place[most], sum = 0, mask = (1 << bits) - 1;
    memset(place, 0, ((size_t)mask + 1) * sizeof *place);
    for (int32_t i = 0; i < count; i++)
        place[from[i] >> shift & (uint64_t)mask]++;
    for (int32_t d = 0; d <= mask; d++) {
        int32_t here = place[d];
        place[d] = sum;
        sum += here;
    }
    for (int32_t i = 0; i < count; i++)
        to[place[from[i] >> shift & (uint64_t)mask]++] = from[i];
}

/* Sorts vertex[0..count) by descending value (by vertex), at most `longest`; stable. */
static void sort_falling(sorting *s, int32_t *vertex, int32_t count, const int64_t *value,
                         int64_t longest)
{
    if (!s->word) {
        for (int32_t i = 0; i < count; i++)
            s->items[i] = (clv_sort_item){.key = longest - value[vertex[i]],
                                          .with = {.index = vertex[i]}};
        const clv_sort_item *sorted = clv_sort(s->items, s->scratch, count);
        for (int32_t i = 0; i < count; i++)
            vertex[i] = (int32_t)sorted[i].with.index;
        return;
    }
    int bits = count < 8192 ? 8 : 11;
    uint64_t *from = s->word, *to = s->other, *swap;
    for (int32_t i = 0; i < count; i++)
        from[i] = (uint64_t)(longest - value[vertex[i]]) << 32 | (uint32_t)vertex[i];
    for (int shift = 0; (uint64_t)longest >> shift; shift += bits) {
        sort_digit(from, to, count, 32 + shift, bits);
        swap = from, from = to, to = swap;
    }
    for (int32_t i = 0; i < count; i++)
        vertex[i] = (int32_t)(from[i] & UINT32_MAX);
}

/* ---- Orders ----------------------------------------------------------------------------- */

cleave_status clv_grow_base_make(clv_grow_base *base, const clv_graph *g, clv_ws *ws,
                                 cleave_error *err)
{
    bool complete = true;
    *base = (clv_grow_base){0};
    if (!runs_forward(g)) {
        base->topological = clv_ws_alloc(ws, g->nvtx, sizeof *base->topological);
        if (!base->topological)
            return clv_fail_memory(err);
        CLV_TRY(clv_topology_sort(g->nvtx, g->xadj, g->adj, ws, base->topological, &complete,
                                  err));
        if (!complete)
            return clv_fail(err, CLEAVE_ECYCLE, "the graph was not validated and has a cycle");
    }
    base->vertex = clv_ws_alloc(ws, g->nvtx, sizeof *base->vertex);
    clv_ws_mark mark = clv_ws_save(ws);
    int64_t *path = clv_ws_alloc(ws, g->nvtx, sizeof *path);
    sorting sort;
    if (!base->vertex || !path)
        return clv_fail_memory(err);
    base->path = weigh_paths(g, base->topological, path);
    CLV_TRY(make_sorting(&sort, g->nvtx, base->path, ws, err));
    for (int32_t v = 0; v < g->nvtx; v++) {
        base->vertex[v] = v;
        base->total += clv_graph_vwgt(g, v, 0);
    }
    sort_falling(&sort, base->vertex, g->nvtx, path, base->path);
    clv_ws_restore(ws, mark);
    return CLEAVE_OK;
}

/* The number of vertices of each home. */
static void share_homes(const clv_grow_base *base, const clv_graph *g, int32_t threads,
                        int32_t *count)
{
    int64_t before = 0;
    int32_t t = 0;
    memset(count, 0, ((size_t)threads + 1) * sizeof *count);
    for (int32_t i = 0; i < g->nvtx; i++) {
        int32_t v = base->topological ? base->topological[i] : i;
        while (t < threads - 1 &&
               (double)before * threads >= (double)(t + 1) * (double)base->total)
            t++;
        count[t]++;
        before += clv_graph_vwgt(g, v, 0);
    }
}

typedef struct homes {
    const clv_grow_base *base;
    const clv_graph *g;
    int64_t *rest; /* by vertex: time from its start to the end of the DAG */
    sorting sort;
} homes;

/* Sets rest for the vertices begin .. end - 1 of a home, given those of later homes: the
 * maximum of the longest path and of the sequential work of the thread.  Sorts them by it. */
static void time_home(homes *h, int32_t begin, int32_t end, int32_t *vertex)
{
    const clv_graph *g = h->g;
    int64_t *rest = h->rest;
    int64_t longest = 0, after = 0;
    for (int32_t i = end; i-- > begin;) {
        int32_t v = h->base->topological ? h->base->topological[i] : i;
        int64_t most = 0;
        for (int64_t a = g->xadj[v]; a < g->xadj[v + 1]; a++)
            most = rest[g->adj[a]] > most ? rest[g->adj[a]] : most;
        rest[v] = most + clv_graph_vwgt(g, v, 0);
        longest = rest[v] > longest ? rest[v] : longest;
        vertex[i - begin] = v;
    }
    sort_falling(&h->sort, vertex, end - begin, rest, longest);
    for (int32_t i = end - begin; i-- > 0;) {
        int32_t v = vertex[i];
        int64_t w = clv_graph_vwgt(g, v, 0);
        after = after + w > rest[v] ? after + w : rest[v];
        rest[v] = after;
    }
}

cleave_status clv_grow_order_homes(clv_grow_order *order, const clv_grow_base *base,
                                   const clv_graph *g, int32_t threads, clv_ws *ws,
                                   cleave_error *err)
{
    clv_ws_mark mark = clv_ws_save(ws);
    homes h = {.base = base, .g = g};
    h.rest = clv_ws_alloc(ws, g->nvtx, sizeof *h.rest);
    if (!h.rest)
        return clv_fail_memory(err);
    /* At most total: all in one home, sequentially. */
    CLV_TRY(make_sorting(&h.sort, g->nvtx, base->total, ws, err));
    share_homes(base, g, threads, order->start);
    int32_t end = g->nvtx;
    order->start[threads] = end;
    for (int32_t t = threads; t-- > 0;) {
        order->start[t] = end - order->start[t];
        time_home(&h, order->start[t], end, order->vertex + order->start[t]);
        end = order->start[t];
    }
    clv_ws_restore(ws, mark);
    return CLEAVE_OK;
}
