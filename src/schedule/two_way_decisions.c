/* SPDX-License-Identifier: Apache-2.0 */
/* schedule/two_way_decisions.c - the order of the sources by shared descendants; the order of
 * decisions for branch and bound: the sources, then the other vertices with a cost,
 * topologically; and which vertices are indistinguishable.
 *
 * Stores the descendants of every source: for instances of moderate size only. */
#include <string.h>

#include "schedule/two_way_instance.h"

static void mark_descendants(const clv_graph *g, int32_t source, int32_t *stack,
                             uint8_t *reached)
{
    int32_t depth = 0;
    reached[source] = 1;
    stack[depth++] = source;
    while (depth > 0) {
        int32_t u = stack[--depth];
        for (int64_t a = g->xadj[u]; a < g->xadj[u + 1]; a++)
            if (!reached[g->adj[a]]) {
                reached[g->adj[a]] = 1;
                stack[depth++] = g->adj[a];
            }
    }
}

typedef struct growth {
    const clv_two_way_instance *t;
    uint8_t *reached;         /* by source and vertex: is the vertex a descendant? */
    uint8_t *touched;         /* by vertex: does it have an ancestor in the order? */
    int64_t *shared, *weight; /* by source: weight of its touched descendants, and of all; -1:
                                 the source is in the order */
} growth;

/* Is source i a better continuation than j?  By the weight shared with those in the order, or
 * by its fraction; ties: the heavier one. */
static bool goes_before(const growth *w, int32_t i, int32_t j, bool by_share)
{
    double a = (double)w->shared[i], b = (double)w->shared[j];
    if (by_share) {
        a = w->weight[i] > 0 ? a / (double)w->weight[i] : 1;
        b = w->weight[j] > 0 ? b / (double)w->weight[j] : 1;
    }
    return a != b ? a > b : w->weight[i] > w->weight[j];
}

static void touch_descendants(growth *w, int32_t source)
{
    const clv_two_way_instance *t = w->t;
    int64_t n = t->nvtx;
    for (int32_t v = 0; v < t->nvtx; v++) {
        if (!w->reached[source * n + v] || w->touched[v])
            continue;
        w->touched[v] = 1;
        for (int32_t i = 0; i < t->nsources; i++)
            w->shared[i] += w->reached[i * n + v] ? t->worth[v] : 0;
    }
}

static void grow_order(growth *w, int32_t *stack, int32_t first, bool by_share,
                       int32_t *sources)
{
    const clv_two_way_instance *t = w->t;
    int64_t n = t->nvtx;
    for (int32_t i = 0; i < t->nsources; i++) {
        mark_descendants(t->g, t->source[i], stack, w->reached + i * n);
        for (int32_t v = 0; v < t->nvtx; v++)
            w->weight[i] += w->reached[i * n + v] ? t->worth[v] : 0;
    }
    for (int32_t place = 0; place < t->nsources; place++) {
        int32_t best = place == 0 ? first : -1;
        for (int32_t i = 0; i < t->nsources && (place > 0 || first < 0); i++)
            if (w->weight[i] >= 0 && (best < 0 || goes_before(w, i, best, by_share)))
                best = i;
        sources[place] = t->source[best];
        w->weight[best] = -1;
        touch_descendants(w, best);
    }
}

bool clv_two_way_growth(const clv_two_way_instance *t, int32_t first, bool by_share,
                        int32_t *sources)
{
    clv_ws *ws = t->ctx->ws;
    clv_ws_mark mark = clv_ws_save(ws);
    growth w = {.t = t};
    int32_t *stack = clv_ws_alloc(ws, t->nvtx, sizeof *stack);
    w.reached = clv_ws_zalloc(ws, (int64_t)t->nsources * t->nvtx, 1);
    w.touched = clv_ws_zalloc(ws, t->nvtx, 1);
    w.shared = clv_ws_zalloc(ws, t->nsources, sizeof *w.shared);
    w.weight = clv_ws_zalloc(ws, t->nsources, sizeof *w.weight);
    bool enough = stack && w.reached && w.touched && w.shared && w.weight;
    if (enough)
        grow_order(&w, stack, first, by_share, sources);
    clv_ws_restore(ws, mark);
    return enough;
}

/* ---- Decisions -------------------------------------------------------------------------- */

static bool same_row(const int64_t *x, const int32_t *row, int32_t u, int32_t v)
{
    int64_t length = x[u + 1] - x[u];
    return length == x[v + 1] - x[v] &&
           memcmp(row + x[u], row + x[v], (size_t)length * sizeof *row) == 0;
}

static bool are_alike(const clv_two_way_instance *t, int32_t u, int32_t v)
{
    return t->worth[u] == t->worth[v] && t->cost[1][u] == t->cost[1][v] &&
           t->cost[2][u] == t->cost[2][v] && same_row(t->g->xpred, t->g->pred, u, v) &&
           same_row(t->g->xadj, t->g->adj, u, v);
}

static void find_twins(const clv_two_way_instance *t, int32_t count, const int32_t *decide,
                       int32_t *twin)
{
    for (int32_t i = 0; i < count; i++) {
        int32_t v = decide[i];
        twin[v] = -1;
        for (int32_t j = i - 1; j >= 0 && twin[v] < 0; j--)
            if (are_alike(t, decide[j], v))
                twin[v] = decide[j];
    }
}

bool clv_two_way_decisions(const clv_two_way_instance *t, int32_t *decide, int32_t *count,
                           int32_t *twin)
{
    /* Vertices that are expensive should be decided early. */
    if (!clv_two_way_growth(t, -1, false, decide))
        return false;
    *count = t->nsources;
    for (int32_t i = 0; i < t->nvtx; i++)
        if (!clv_two_way_is_source(t, t->order[i]) && clv_two_way_is_dear(t, t->order[i]))
            decide[(*count)++] = t->order[i];
    find_twins(t, *count, decide, twin);
    return true;
}
