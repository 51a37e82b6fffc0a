/* SPDX-License-Identifier: Apache-2.0 */
/* schedule/two_way_orders.c - linear orders of the sources in which sources that share
 * descendants are close: by number; breadth first from one end of each component of the DAG,
 * with the components in order, packed into two bins, or packed around the heaviest one; in
 * the order of a depth-first search backwards from the sinks; grown by shared descendants; by
 * the sources of arcs from earlier layers. */
#include <string.h>

#include "base/sort.h"
#include "schedule/two_way_instance.h"

typedef struct walk {
    const clv_two_way_instance *t;
    int32_t *queue; /* vertices */
    uint8_t *seen;
    int32_t *sources; /* the result */
    int32_t count;
    clv_sort_item *items, *scratch; /* of sources or components */
    int32_t *begin;                 /* start of each component in the order, and the end */
    int64_t *number;                /* by vertex, or by component: its worth */
    int32_t npieces;
} walk;

/* ---- By breadth ------------------------------------------------------------------------- */

static int32_t push_new(walk *w, const int32_t *row, int64_t from, int64_t to, int32_t tail,
                        uint8_t turn)
{
    for (int64_t a = from; a < to; a++)
        if (w->seen[row[a]] < turn) {
            w->seen[row[a]] = turn;
            w->queue[tail++] = row[a];
        }
    return tail;
}

/* Visits all vertices connected with v by distance; returns the last source. */
static int32_t visit_piece(walk *w, int32_t v, uint8_t turn)
{
    const clv_graph *g = w->t->g;
    int32_t tail = 0, last = v;
    w->seen[v] = turn;
    w->queue[tail++] = v;
    for (int32_t head = 0; head < tail; head++) {
        int32_t u = w->queue[head];
        tail = push_new(w, g->adj, g->xadj[u], g->xadj[u + 1], tail, turn);
        tail = push_new(w, g->pred, g->xpred[u], g->xpred[u + 1], tail, turn);
        if (!clv_two_way_is_source(w->t, u))
            continue;
        last = u;
        if (turn == 2)
            w->sources[w->count++] = u;
    }
    if (turn == 2) {
        for (int32_t i = 0; i < tail; i++)
            w->number[w->npieces] += w->t->worth[w->queue[i]];
        w->begin[++w->npieces] = w->count;
    }
    return last;
}

static void order_by_breadth(walk *w)
{
    for (int32_t i = 0; i < w->t->nsources; i++)
        if (w->seen[w->t->source[i]] == 0)
            visit_piece(w, visit_piece(w, w->t->source[i], 1), 2);
}

/* Packs components in descending order of worth into the lighter of two bins, one at the front
 * of the order, the other at its end. centred: the heaviest component is between them, so that
 * it is cut. */
static void pack_pieces(walk *w, bool centred)
{
    int32_t front = 0, back = w->count;
    int64_t bin[2] = {0};
    clv_sort_item *items = w->items;
    memcpy(w->queue, w->sources, (size_t)w->count * sizeof *w->queue);
    for (int32_t p = 0; p < w->npieces; p++)
        items[p] = (clv_sort_item){.key = -w->number[p], .with.index = p};
    items = clv_sort(items, w->scratch, w->npieces);
    for (int32_t i = 0; i < w->npieces; i++) {
        /* The component in the centre is last and gets the remaining positions. */
        int32_t p = (int32_t)items[centred ? (i + 1) % w->npieces : i].with.index;
        int32_t size = w->begin[p + 1] - w->begin[p];
        bool behind = bin[1] < bin[0];
        bin[behind] += w->number[p];
        back -= behind ? size : 0;
        memcpy(w->sources + (behind ? back : front), w->queue + w->begin[p],
               (size_t)size * sizeof *w->queue);
        front += behind ? 0 : size;
    }
}

/* ---- By depth --------------------------------------------------------------------------- */

/* A vertex stays on the stack until its predecessors are done; done[v]: number of predecessors
 * that are done. */
static void order_by_depth(walk *w)
{
    int64_t *done = w->number;
    const clv_graph *g = w->t->g;
    for (int32_t sink = 0; sink < g->nvtx; sink++) {
        int32_t depth = 0;
        if (g->xadj[sink] != g->xadj[sink + 1])
            continue;
        w->queue[depth++] = sink;
        w->seen[sink] = 1;
        while (depth > 0) {
            int32_t v = w->queue[depth - 1];
            if (clv_two_way_is_source(w->t, v))
                w->sources[w->count++] = v;
            int64_t a = g->xpred[v] + done[v]++;
            if (a >= g->xpred[v + 1]) {
                depth--;
            } else if (!w->seen[g->pred[a]]) {
                w->seen[g->pred[a]] = 1;
                w->queue[depth++] = g->pred[a];
            }
        }
    }
}

/* ---- By growth -------------------------------------------------------------------------- */

/* Starts at one end: the last source of a breadth-first search. */
static bool order_by_growth(walk *w)
{
    const clv_two_way_instance *t = w->t;
    int32_t last = t->nsources > 0 ? visit_piece(w, t->source[0], 1) : -1, first = 0;
    while (first < t->nsources && t->source[first] != last)
        first++;
    return clv_two_way_growth(t, first, true, w->sources);
}

/* ---- By affinity ------------------------------------------------------------------------ */

/* Sorts sources by cost in part 1 minus cost in part 2, where every vertex passes its value on
 * to its predecessors in equal shares. */
static void order_by_affinity(walk *w)
{
    enum { fraction = 1024 };
    const clv_two_way_instance *t = w->t;
    const clv_graph *g = t->g;
    clv_sort_item *items = w->items;
    int64_t *wish = w->number;
    for (int32_t v = 0; v < t->nvtx; v++)
        wish[v] = fraction * (t->cost[1][v] - t->cost[2][v]);
    for (int32_t i = t->nvtx - 1; i >= 0; i--) {
        int32_t v = t->order[i];
        int64_t share =
            clv_two_way_is_source(t, v) ? 0 : wish[v] / (g->xpred[v + 1] - g->xpred[v]);
        for (int64_t a = g->xpred[v]; a < g->xpred[v + 1]; a++)
            wish[g->pred[a]] += share;
    }
    for (int32_t i = 0; i < t->nsources; i++)
        items[i] = (clv_sort_item){.key = wish[t->source[i]], .with.index = t->source[i]};
    items = clv_sort(items, w->scratch, t->nsources);
    for (int32_t i = 0; i < t->nsources; i++)
        w->sources[w->count++] = (int32_t)items[i].with.index;
}

/* ---- All orders ------------------------------------------------------------------------- */

/* False: out of memory. */
static bool make_order(walk *w, clv_two_way_order_kind kind)
{
    switch (kind) {
    case CLV_TWO_WAY_BREADTH:
    case CLV_TWO_WAY_PACKED:
    case CLV_TWO_WAY_CENTRED:
        order_by_breadth(w);
        if (kind != CLV_TWO_WAY_BREADTH)
            pack_pieces(w, kind == CLV_TWO_WAY_CENTRED);
        return true;
    case CLV_TWO_WAY_DEPTH:
        order_by_depth(w);
        return true;
    case CLV_TWO_WAY_GROWTH:
        return order_by_growth(w);
    case CLV_TWO_WAY_AFFINITY:
        order_by_affinity(w);
        return true;
    default:
        memcpy(w->sources, w->t->source, (size_t)w->t->nsources * sizeof *w->sources);
        return true;
    }
}

cleave_status clv_two_way_order(clv_two_way_instance *t, clv_two_way_order_kind kind,
                                int32_t *sources, cleave_error *err)
{
    clv_ws *ws = t->ctx->ws;
    clv_ws_mark mark = clv_ws_save(ws);
    walk w = {.t = t, .sources = sources};
    w.queue = clv_ws_alloc(ws, t->nvtx, sizeof *w.queue);
    w.seen = clv_ws_zalloc(ws, t->nvtx, 1);
    w.number = clv_ws_zalloc(ws, t->nvtx, sizeof *w.number);
    w.begin = clv_ws_zalloc(ws, (int64_t)t->nsources + 1, sizeof *w.begin);
    w.items = clv_ws_alloc(ws, t->nsources, sizeof *w.items);
    w.scratch = clv_ws_alloc(ws, t->nsources, sizeof *w.scratch);
    bool enough = w.queue && w.seen && w.number && w.begin && w.items && w.scratch;
    enough = enough && make_order(&w, kind);
    t->steps -= t->nvtx + t->g->narc;
    clv_ws_restore(ws, mark);
    return enough ? CLEAVE_OK : clv_fail_memory(err);
}
