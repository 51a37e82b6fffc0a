/* SPDX-License-Identifier: Apache-2.0 */
/* graph/strong.c - strongly connected components.
 *
 * Tarjan's algorithm [1972] in the form of Pearce [2016]: one number per vertex, stored in the
 * caller's array, is its preorder index, its low link and, once the component is complete, its
 * label.  The search uses an explicit stack.
 *
 * A vertex is unseen (0), live (its number is 1..live vertices), or labelled.  Labels count
 * down from nvtx - 1.  With k complete components at most nvtx - k vertices are live, so a
 * label is never smaller than a live number, and "smaller than mine" always means "live and
 * seen before".  Only the last of all vertices can get label 0, when no unseen vertex is left.
 * A component completes after its successors: arcs between components go from a lower to a
 * higher label. */
#include "graph/topology.h"

typedef struct step {
    int64_t next;  /* next arc to visit */
    int32_t v;     /* vertex on the path */
    bool is_first; /* nothing seen before v is known to be reachable from it */
} step;

typedef struct tarjan {
    const int64_t *xadj;
    const int32_t *adj;
    int32_t *number;
    step *path;
    int32_t depth; /* of path */
    int32_t *done; /* live vertices that left the path, newest last */
    int32_t ndone;
    int32_t next_number; /* live vertices + 1 */
    int32_t next_label;
} tarjan;

static inline void enter_vertex(tarjan *t, int32_t v)
{
    t->number[v] = t->next_number++;
    t->path[t->depth++] = (step){t->xadj[v], v, true};
}

static void leave_vertex(tarjan *t)
{
    step s = t->path[--t->depth];
    if (s.is_first) {
        while (t->ndone > 0 && t->number[s.v] <= t->number[t->done[t->ndone - 1]]) {
            t->number[t->done[--t->ndone]] = t->next_label;
            t->next_number--;
        }
        t->number[s.v] = t->next_label--;
        t->next_number--;
    } else {
        t->done[t->ndone++] = s.v;
    }
}

static inline void update_low_link(tarjan *t, step *s, int32_t u)
{
    if (t->number[u] < t->number[s->v]) {
        t->number[s->v] = t->number[u];
        s->is_first = false;
    }
}

static void search_from(tarjan *t, int32_t root)
{
    enter_vertex(t, root);
    while (t->depth > 0) {
        step *s = &t->path[t->depth - 1];
        int64_t end = t->xadj[s->v + 1];
        /* The arc that led down is visited again on return; its head has a number then. */
        while (s->next < end && t->number[t->adj[s->next]] != 0)
            update_low_link(t, s, t->adj[s->next++]);
        if (s->next < end)
            enter_vertex(t, t->adj[s->next]);
        else
            leave_vertex(t);
    }
}

cleave_status clv_topology_strong(int32_t nvtx, const int64_t *xadj, const int32_t *adj,
                                  clv_ws *ws, int32_t *component, int32_t *ncomponents,
                                  cleave_error *err)
{
    clv_ws_mark mark = clv_ws_save(ws);
    tarjan t = {.xadj = xadj,
                .adj = adj,
                .number = component,
                .path = clv_ws_alloc(ws, nvtx, sizeof(step)),
                .done = clv_ws_alloc(ws, nvtx, sizeof(int32_t)),
                .next_number = 1,
                .next_label = nvtx - 1};
    if (!t.path || !t.done)
        return clv_fail_memory(err);
    for (int32_t v = 0; v < nvtx; v++)
        component[v] = 0;
    for (int32_t v = 0; v < nvtx; v++)
        if (component[v] == 0)
            search_from(&t, v);
    int32_t lowest = t.next_label + 1;
    for (int32_t v = 0; v < nvtx; v++)
        component[v] -= lowest;
    *ncomponents = nvtx - lowest;
    clv_ws_restore(ws, mark);
    return CLEAVE_OK;
}

/* ---- Checks ----------------------------------------------------------------------------- */

static cleave_status check_offsets(int32_t nvtx, const int64_t *xadj, cleave_error *err)
{
    if (xadj[0] != 0)
        return clv_fail(err, CLEAVE_EINVAL, "xadj[0] is %lld, not 0", (long long)xadj[0]);
    for (int32_t v = 0; v < nvtx; v++)
        if (xadj[v + 1] < xadj[v])
            return clv_fail(err, CLEAVE_EINVAL, "xadj[%lld] is %lld, less than xadj[%ld]",
                            (long long)v + 1, (long long)xadj[v + 1], (long)v);
    return CLEAVE_OK;
}

static cleave_status check_neighbours(int32_t nvtx, const int64_t *xadj, const int32_t *adj,
                                      cleave_error *err)
{
    for (int32_t v = 0; v < nvtx; v++)
        for (int64_t a = xadj[v]; a < xadj[v + 1]; a++)
            if (adj[a] < 0 || adj[a] >= nvtx)
                return clv_fail(err, CLEAVE_EINVAL,
                                "vertex %ld has an arc to %ld, but there are %ld vertices",
                                (long)v, (long)adj[a], (long)nvtx);
    return CLEAVE_OK;
}

cleave_status clv_topology_check_rows(int32_t nvtx, const int64_t *xadj, const int32_t *adj,
                                      cleave_error *err)
{
    if (nvtx < 0)
        return clv_fail(err, CLEAVE_EINVAL, "a graph cannot have %ld vertices", (long)nvtx);
    if (nvtx == 0)
        return CLEAVE_OK;
    if (!xadj)
        return clv_fail(err, CLEAVE_EINVAL, "xadj is NULL");
    CLV_TRY(check_offsets(nvtx, xadj, err));
    if (!adj && xadj[nvtx] > 0)
        return clv_fail(err, CLEAVE_EINVAL, "adj is NULL");
    return check_neighbours(nvtx, xadj, adj, err);
}
