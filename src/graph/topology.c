/* SPDX-License-Identifier: Apache-2.0 */
/* graph/topology.c - topological orders, levels and connected components.
 *
 * Orders: Kahn [1962], a vertex is ready when all its predecessors are placed.  Levels:
 * relaxation of the arcs in such an order.  Components: breadth-first search.  No recursion: a
 * path may be as long as the graph has vertices. */
#include "graph/topology.h"

#include <assert.h>

#include "graph/priority_order.h"

/* Places the vertices without predecessors, then those that become ready, first in, first out;
 * `order` itself is the queue.  Returns how many were placed. waiting[v]: number of arcs into
 * v whose tails are not placed. */
static int32_t place_ready(int32_t nvtx, const int64_t *xadj, const int32_t *adj,
                           uint32_t *waiting, int32_t *order)
{
    int32_t placed = 0;
    for (int32_t v = 0; v < nvtx; v++)
        if (waiting[v] == 0)
            order[placed++] = v;
    for (int32_t i = 0; i < placed; i++) {
        int32_t v = order[i];
        for (int64_t a = xadj[v]; a < xadj[v + 1]; a++)
            if (--waiting[adj[a]] == 0)
                order[placed++] = adj[a];
    }
    return placed;
}

cleave_status clv_topology_sort(int32_t nvtx, const int64_t *xadj, const int32_t *adj,
                                clv_ws *ws, int32_t *order, bool *complete, cleave_error *err)
{
    clv_ws_mark mark = clv_ws_save(ws);
    uint32_t *waiting = clv_ws_zalloc(ws, nvtx, sizeof *waiting);
    if (!waiting)
        return clv_fail_memory(err);
    if (nvtx > 0)
        for (int64_t a = xadj[0]; a < xadj[nvtx]; a++)
            waiting[adj[a]]++;
    *complete = place_ready(nvtx, xadj, adj, waiting, order) == nvtx;
    clv_ws_restore(ws, mark);
    return CLEAVE_OK;
}

/* ---- The order with the smallest ready vertex first -------------------------------- */

/* Triangular matrices and graphs in program order: the order is 0, 1, 2, ... */
static bool arcs_run_forward(const clv_graph *g)
{
    /* Rows ascend: only the first successor has to be compared. */
    for (int32_t v = 0; v < g->nvtx; v++)
        if (g->xadj[v] < g->xadj[v + 1] && g->adj[g->xadj[v]] < v)
            return false;
    return true;
}

/* Graphs read with `trust` have not been checked for cycles. */
static cleave_status fail_cycle(cleave_error *err)
{
    return clv_fail(err, CLEAVE_ECYCLE, "the graph was not validated and has a cycle");
}

cleave_status clv_topology_order(const clv_graph *g, clv_ws *ws, int32_t *order,
                                 cleave_error *err)
{
    assert(g->kind == CLEAVE_DAG);
    if (arcs_run_forward(g)) {
        for (int32_t v = 0; v < g->nvtx; v++)
            order[v] = v;
        return CLEAVE_OK;
    }
    bool complete = false;
    CLV_TRY(clv_priority_order(g->nvtx, g->xadj, g->adj, NULL, ws, order, &complete, err));
    return complete ? CLEAVE_OK : fail_cycle(err);
}

/* ---- Levels ------------------------------------------------------------------------ */

static void relax_top(const clv_graph *g, const int32_t *order, int32_t *level)
{
    for (int32_t i = 0; i < g->nvtx; i++) {
        int32_t v = order[i], longest = 0;
        for (int64_t a = g->xpred[v]; a < g->xpred[v + 1]; a++)
            if (level[g->pred[a]] >= longest)
                longest = level[g->pred[a]] + 1;
        level[v] = longest;
    }
}

static void relax_bottom(const clv_graph *g, const int32_t *order, int32_t *level)
{
    for (int32_t i = g->nvtx; i-- > 0;) {
        int32_t v = order[i], longest = 0;
        for (int64_t a = g->xadj[v]; a < g->xadj[v + 1]; a++)
            if (level[g->adj[a]] >= longest)
                longest = level[g->adj[a]] + 1;
        level[v] = longest;
    }
}

static int32_t count_levels(int32_t nvtx, const int32_t *level)
{
    int32_t count = 0;
    for (int32_t v = 0; v < nvtx; v++)
        if (level[v] >= count)
            count = level[v] + 1;
    return count;
}

cleave_status clv_topology_levels(const clv_graph *g, cleave_levels which, clv_ws *ws,
                                  int32_t *level, int32_t *depth, cleave_error *err)
{
    assert(g->kind == CLEAVE_DAG);
    clv_ws_mark mark = clv_ws_save(ws);
    int32_t *order = clv_ws_alloc(ws, g->nvtx, sizeof *order);
    if (!order)
        return clv_fail_memory(err);
    bool complete;
    CLV_TRY(clv_topology_sort(g->nvtx, g->xadj, g->adj, ws, order, &complete, err));
    if (!complete)
        return fail_cycle(err);
    if (which == CLEAVE_LEVELS_TOP)
        relax_top(g, order, level);
    else
        relax_bottom(g, order, level);
    clv_ws_restore(ws, mark);

    int32_t count = count_levels(g->nvtx, level);
    if (which == CLEAVE_LEVELS_ALAP)
        for (int32_t v = 0; v < g->nvtx; v++)
            level[v] = count - 1 - level[v];
    if (depth)
        *depth = count;
    return CLEAVE_OK;
}

/* ---- Connected components ---------------------------------------------------------- */

typedef struct search {
    int32_t *component; /* -1: not reached */
    int32_t *queue;
    int32_t count; /* vertices in the queue */
} search;

static inline void enqueue_unvisited(search *s, int32_t id, const int32_t *begin,
                                     const int32_t *end)
{
    for (const int32_t *u = begin; u < end; u++) {
        if (s->component[*u] < 0) {
            s->component[*u] = id;
            s->queue[s->count++] = *u;
        }
    }
}

static void search_component(const clv_graph *g, search *s, int32_t from, int32_t id)
{
    s->count = 0;
    s->component[from] = id;
    s->queue[s->count++] = from;
    for (int32_t i = 0; i < s->count; i++) {
        int32_t v = s->queue[i];
        enqueue_unvisited(s, id, g->adj + g->xadj[v], g->adj + g->xadj[v + 1]);
        if (g->kind == CLEAVE_DAG)
            enqueue_unvisited(s, id, g->pred + g->xpred[v], g->pred + g->xpred[v + 1]);
    }
}

cleave_status clv_topology_components(const clv_graph *g, clv_ws *ws, int32_t *component,
                                      int32_t *ncomponents, cleave_error *err)
{
    clv_ws_mark mark = clv_ws_save(ws);
    search s = {component, clv_ws_alloc(ws, g->nvtx, sizeof(int32_t)), 0};
    if (!s.queue)
        return clv_fail_memory(err);
    for (int32_t v = 0; v < g->nvtx; v++)
        component[v] = -1;
    int32_t count = 0;
    for (int32_t v = 0; v < g->nvtx; v++)
        if (component[v] < 0)
            search_component(g, &s, v, count++);
    *ncomponents = count;
    clv_ws_restore(ws, mark);
    return CLEAVE_OK;
}
