/* SPDX-License-Identifier: Apache-2.0 */
/* graph/cycle.c - a cycle for error messages, preferably a short one.
 *
 * Every cycle lies inside a strongly connected component and has a smallest vertex.  A
 * breadth-first search from s through larger vertices of its component finds a shortest cycle
 * whose smallest vertex is s; the best over all s is a shortest cycle of the graph.  That
 * would be O(nvtx * narc); therefore, after the first cycle, the searches have a budget linear
 * in the graph: in small graphs the cycle is a shortest one, in very large ones only a short
 * one. */
#include <string.h>

#include "base/number.h"
#include "graph/topology.h"

typedef struct cycle_search {
    const int64_t *xadj;
    const int32_t *adj;
    const int32_t *component;
    int32_t *parent;  /* valid if seen_by is the current source */
    int32_t *seen_by; /* the last source from which the vertex was reached; -1: none */
    int32_t *queue;
    int32_t best;   /* length of the cycle found; 0: none */
    int32_t *cycle; /* the vertices of that cycle */
    int64_t budget; /* vertices and arcs that may still be visited */
} cycle_search;

static void keep_cycle(cycle_search *c, int32_t last, int32_t length)
{
    c->best = length;
    for (int32_t v = last, i = length; i-- > 0; v = c->parent[v])
        c->cycle[i] = v;
}

/* Visits the arcs of v, which is `distance` arcs away from source.  True: one of them closes a
 * cycle. */
static bool visit_arcs(cycle_search *c, int32_t source, int32_t v, int32_t distance,
                       int32_t *end)
{
    c->budget -= 1 + c->xadj[v + 1] - c->xadj[v];
    for (int64_t a = c->xadj[v]; a < c->xadj[v + 1]; a++) {
        int32_t u = c->adj[a];
        if (u == source) {
            keep_cycle(c, v, distance + 1);
            return true;
        }
        if (u > source && c->component[u] == c->component[source] && c->seen_by[u] != source) {
            c->seen_by[u] = source;
            c->parent[u] = v;
            c->queue[(*end)++] = u;
        }
    }
    return false;
}

/* Searches for a cycle through source that is shorter than the best. */
static void search_from(cycle_search *c, int32_t source)
{
    int32_t end = 0, distance = 0;
    c->seen_by[source] = source;
    c->parent[source] = source;
    c->queue[end++] = source;
    for (int32_t i = 0, ring_end = 1; i < end; i++) {
        if (i == ring_end) {
            distance++;
            ring_end = end;
        }
        if (c->best && (distance + 1 >= c->best || c->budget < 0))
            return;
        if (visit_arcs(c, source, c->queue[i], distance, &end))
            return;
    }
}

static bool find_loop(int32_t nvtx, cycle_search *c)
{
    for (int32_t v = 0; v < nvtx; v++) {
        for (int64_t a = c->xadj[v]; a < c->xadj[v + 1]; a++) {
            if (c->adj[a] == v) {
                c->cycle[0] = v;
                c->best = 1;
                return true;
            }
        }
    }
    return false;
}

/* size[c] is the number of vertices of component c. */
static void search_components(int32_t nvtx, cycle_search *c, const int32_t *size)
{
    enum { small_graph = 1 << 22 }; /* some milliseconds */
    c->budget = small_graph + 4 * (c->xadj[nvtx] - c->xadj[0]);
    for (int32_t v = 0; v < nvtx; v++)
        c->seen_by[v] = -1;
    for (int32_t v = 0; v < nvtx; v++) {
        if (size[c->component[v]] > 1)
            search_from(c, v);
        if (c->best == 2 || (c->best && c->budget < 0))
            return;
    }
}

static cleave_status search_graph(int32_t nvtx, cycle_search *c, clv_ws *ws, cleave_error *err)
{
    int32_t count;
    int32_t *component = clv_ws_alloc(ws, nvtx, sizeof *component);
    int32_t *size = clv_ws_zalloc(ws, nvtx, sizeof *size);
    if (!component || !size)
        return clv_fail_memory(err);
    CLV_TRY(clv_topology_strong(nvtx, c->xadj, c->adj, ws, component, &count, err));
    if (count == nvtx)
        return CLEAVE_OK;
    for (int32_t v = 0; v < nvtx; v++)
        size[component[v]]++;
    c->component = component;
    c->parent = clv_ws_alloc(ws, nvtx, sizeof *c->parent);
    c->seen_by = clv_ws_alloc(ws, nvtx, sizeof *c->seen_by);
    c->queue = clv_ws_alloc(ws, nvtx, sizeof *c->queue);
    if (!c->parent || !c->seen_by || !c->queue)
        return clv_fail_memory(err);
    search_components(nvtx, c, size);
    return CLEAVE_OK;
}

cleave_status clv_topology_find_cycle(int32_t nvtx, const int64_t *xadj, const int32_t *adj,
                                      clv_ws *ws, int32_t *cycle, int32_t *length,
                                      cleave_error *err)
{
    clv_ws_mark mark = clv_ws_save(ws);
    cycle_search c = {.xadj = xadj, .adj = adj, .cycle = cycle};
    *length = 0;
    if (!find_loop(nvtx, &c))
        CLV_TRY(search_graph(nvtx, &c, ws, err));
    *length = c.best;
    clv_ws_restore(ws, mark);
    return CLEAVE_OK;
}

/* ---- As text ----------------------------------------------------------------------- */

enum {
    most_shown = 8,
    longest_name = 40,
    vertex_space = longest_name + 8, /* also enough for CLV_NUMBER_SPACE */
    text_space = (most_shown + 2) * vertex_space
};

typedef struct cycle_view {
    const int32_t *cycle;
    int32_t length;
    const clv_names *names; /* NULL: numbers */
    int base;
} cycle_view;

static char *put_text(char *to, const char *text, size_t length)
{
    memcpy(to, text, length);
    return to + length;
}

static char *put_vertex(char *to, const cycle_view *view, int32_t i)
{
    int32_t v = view->cycle[i];
    if (!view->names)
        return clv_print_i64(to, (int64_t)v + view->base);
    const char *name = view->names->text + view->names->offset[v];
    size_t length = strlen(name);
    if (length <= longest_name)
        return put_text(to, name, length);
    return put_text(put_text(to, name, longest_name - 3), "...", 3);
}

/* Writes the first shown - 1 vertices and the last one; returns the length of the text. */
static size_t format_cycle(char *text, const cycle_view *view, int32_t shown)
{
    char *to = text;
    for (int32_t i = 0; i < shown - 1; i++)
        to = put_text(put_vertex(to, view, i), " -> ", 4);
    if (shown < view->length)
        to = put_text(to, "... -> ", 7);
    if (shown > 0)
        to = put_text(put_vertex(to, view, view->length - 1), " -> ", 4);
    return (size_t)(put_vertex(to, view, 0) - text);
}

void clv_topology_cycle_text(const int32_t *cycle, int32_t length, const clv_names *names,
                             int base, char *text, size_t size)
{
    cycle_view view = {cycle, length, names && names->offset ? names : NULL, base};
    char all[text_space];
    if (size == 0)
        return;
    text[0] = '\0';
    if (length <= 0)
        return;
    for (int32_t shown = length < most_shown ? length : most_shown; shown >= 0; shown--) {
        size_t used = format_cycle(all, &view, shown);
        if (used < size) {
            put_text(text, all, used)[0] = '\0';
            return;
        }
    }
}
