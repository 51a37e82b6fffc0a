/* SPDX-License-Identifier: Apache-2.0 */
/* schedule/list_coarsen.c - see schedule/list_coarsen.h.
 *
 * The list is the postorder of a depth-first search from the sinks against the arcs.  Every
 * arc goes forward in it, and any division into contiguous ranges gives an acyclic coarse
 * graph.  A range ends where it would exceed the size threshold, where the search has jumped
 * further than the depth threshold, and before a vertex with more successors than the degree
 * threshold.
 *
 * Algorithm 5 as printed has gaps.  Its stack can hold a vertex twice: here a vertex is
 * entered when it is reached from the top, and only if it is not done.  It loses the last
 * cluster, closes an empty one if the first vertex exceeds a threshold, and does not say that
 * sizes are numbers of vertices and logarithms are to base 2. "Difference in depth" is the
 * number of visits to the top of the stack since the last vertex was listed; the visit to the
 * vertex that is listed does not count, because otherwise a threshold of 0 (fewer than two
 * vertices per cluster) would end a cluster at every vertex. */
#include "schedule/list_coarsen.h"

typedef struct search {
    const clv_pred_rows *dag;
    int32_t *successors; /* by vertex: their number */
    int32_t *stack;
    int64_t
        *next; /* by vertex on the stack: predecessors below index `next` are to be visited */
    bool *done;
    int32_t *list, *jump; /* vertices in postorder, and visits on the way to each */
    int32_t count, looks;
} search;

static cleave_status search_init(search *s, clv_ws *ws, cleave_error *err)
{
    int32_t n = s->dag->nvtx;
    s->successors = clv_ws_zalloc(ws, n, sizeof *s->successors);
    s->stack = clv_ws_alloc(ws, n, sizeof *s->stack);
    s->next = clv_ws_alloc(ws, n, sizeof *s->next);
    s->done = clv_ws_zalloc(ws, n, sizeof *s->done);
    s->list = clv_ws_alloc(ws, n, sizeof *s->list);
    s->jump = clv_ws_alloc(ws, n, sizeof *s->jump);
    if (!s->successors || !s->stack || !s->next || !s->done || !s->list || !s->jump)
        return clv_fail_memory(err);
    for (int64_t a = 0; a < s->dag->xpred[n]; a++)
        s->successors[s->dag->pred[a]]++;
    return CLEAVE_OK;
}

/* The last unvisited predecessor of v below next[v]; -1: none. */
static int32_t next_below(search *s, int32_t v)
{
    while (s->next[v] > s->dag->xpred[v]) {
        int32_t u = s->dag->pred[--s->next[v]];
        if (!s->done[u])
            return u;
    }
    return -1;
}

static void visit_from(search *s, int32_t root)
{
    int32_t depth = 0;
    bool entered = true; /* the vertex on top was just entered */
    s->stack[depth++] = root;
    s->next[root] = s->dag->xpred[root + 1];
    while (depth > 0) {
        int32_t v = s->stack[depth - 1], u = next_below(s, v);
        /* One visit when the search first goes down from v, one when it leaves v; as in the
         * paper, v is not visited between two of its predecessors. */
        if (u >= 0) {
            s->looks += entered;
            s->stack[depth++] = u;
            s->next[u] = s->dag->xpred[u + 1];
            entered = true;
            continue;
        }
        s->done[v] = true;
        s->list[s->count] = v;
        s->jump[s->count++] = s->looks;
        s->looks = 0;
        entered = false;
        depth--;
    }
}

static int32_t log2_of(int32_t size)
{
    int32_t log = 0;
    for (; size > 1; size >>= 1)
        log++;
    return log;
}

static int32_t cut_list(const search *s, const clv_list_limits *limits, int32_t *cluster)
{
    int32_t size_limit = s->dag->nvtx / limits->coarse;
    int32_t depth_limit = limits->depth > 0 ? limits->depth : log2_of(size_limit);
    int32_t current = 0, size = 0;
    for (int32_t i = 0; i < s->count; i++) {
        int32_t v = s->list[i];
        bool ends =
            size > size_limit || s->jump[i] > depth_limit || s->successors[v] > limits->degree;
        if (ends && size > 0) {
            current++;
            size = 0;
        }
        cluster[v] = current;
        size++;
    }
    return current + (size > 0);
}

cleave_status clv_list_coarsen(const clv_pred_rows *dag, const clv_list_limits *limits,
                               clv_ws *ws, int32_t *cluster, int32_t *nclusters,
                               cleave_error *err)
{
    clv_ws_mark mark = clv_ws_save(ws);
    search s = {.dag = dag};
    cleave_status status = search_init(&s, ws, err);
    if (status == CLEAVE_OK) {
        for (int32_t v = 0; v < dag->nvtx; v++)
            if (s.successors[v] == 0)
                visit_from(&s, v);
        *nclusters = cut_list(&s, limits, cluster);
    }
    clv_ws_restore(ws, mark);
    return status;
}
