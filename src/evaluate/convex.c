/* SPDX-License-Identifier: Apache-2.0 */
/* evaluate/convex.c - convexity: no path of the DAG leaves a part and returns to it.
 *
 * An acyclic quotient is convex; a cyclic one may still be (0 -> 1, 1' -> 0' without a path
 * that joins them).  A path that returns stays inside one strongly connected component of the
 * quotient and ends in a part of two vertices or more, so only those parts are checked, 64 at
 * a time: the vertices of the component are visited in topological order, and left[v] is the
 * set of parts that some path to v has visited and left.  With b such parts in a component of
 * m arcs this takes O(m * b / 64). */
#include "base/group.h"
#include "evaluate/evaluate.h"
#include "graph/derive.h"
#include "graph/topology.h"

typedef struct sweep {
    const clv_graph *g;
    const int32_t *part;
    int32_t ncomponents;
    int32_t *component; /* by part */
    int32_t *slot;      /* by part: its number among the component's candidates, or -1 */
    int32_t *slots;     /* by component: candidates in it */
    int32_t *start;     /* by component, plus one: where its vertices are in `order` */
    int32_t *order;     /* vertices by component, topologically inside one */
    uint64_t *left;     /* by vertex, for the current 64 slots */
} sweep;

static bool allocate(sweep *s, int32_t nparts, clv_ws *ws)
{
    int64_t nvtx = s->g->nvtx, n = nparts;
    s->component = clv_ws_alloc(ws, n, sizeof *s->component);
    s->slot = clv_ws_zalloc(ws, n, sizeof *s->slot);
    s->slots = clv_ws_zalloc(ws, n, sizeof *s->slots);
    s->start = clv_ws_zalloc(ws, n + 1, sizeof *s->start);
    s->order = clv_ws_alloc(ws, nvtx, sizeof *s->order);
    s->left = clv_ws_alloc(ws, nvtx, sizeof *s->left);
    return s->component && s->slot && s->slots && s->start && s->order && s->left;
}

static void choose_candidates(sweep *s, int32_t nparts)
{
    for (int32_t v = 0; v < s->g->nvtx; v++)
        s->slot[s->part[v]]++;
    for (int32_t p = 0; p < nparts; p++)
        s->slot[p] = s->slot[p] > 1 ? s->slots[s->component[p]]++ : -1;
}

/* Counting sort, stable: the topological order survives inside each component. */
static void sort_by_component(sweep *s, const int32_t *topological)
{
    int32_t nvtx = s->g->nvtx, *start = s->start;
    for (int32_t v = 0; v < nvtx; v++)
        start[s->component[s->part[v]]]++;
    clv_running_sums32(start, s->ncomponents);
    for (int32_t i = nvtx; i-- > 0;)
        s->order[--start[s->component[s->part[topological[i]]]]] = topological[i];
}

static uint64_t bit_of(const sweep *s, int32_t p, int32_t base)
{
    int32_t i = s->slot[p] - base;
    return i >= 0 && i < 64 ? (uint64_t)1 << i : 0;
}

/* Checks the slots base..base+63 of component c. */
static bool block_is_convex(sweep *s, int32_t c, int32_t base)
{
    const clv_graph *g = s->g;
    for (int32_t i = s->start[c]; i < s->start[c + 1]; i++) {
        int32_t v = s->order[i], p = s->part[v];
        uint64_t left = 0;
        for (int64_t a = g->xpred[v]; a < g->xpred[v + 1]; a++) {
            int32_t u = g->pred[a], q = s->part[u];
            if (s->component[q] == c)
                left |= s->left[u] | (q != p ? bit_of(s, q, base) : 0);
        }
        if (left & bit_of(s, p, base))
            return false;
        s->left[v] = left;
    }
    return true;
}

static bool all_convex(sweep *s)
{
    for (int32_t c = 0; c < s->ncomponents; c++)
        for (int32_t base = 0; base < s->slots[c]; base += 64)
            if (!block_is_convex(s, c, base))
                return false;
    return true;
}

static cleave_status decide(sweep *s, int32_t nparts, clv_ws *ws, bool *convex,
                            cleave_error *err)
{
    const clv_graph *g = s->g;
    clv_quotient q;
    if (!allocate(s, nparts, ws))
        return clv_fail_memory(err);
    CLV_TRY(clv_derive_quotient_rows(&q, g, nparts, s->part, ws, err));
    CLV_TRY(
        clv_topology_strong(nparts, q.xadj, q.adj, ws, s->component, &s->ncomponents, err));
    *convex = true;
    if (s->ncomponents == nparts)
        return CLEAVE_OK;
    int32_t *topological = clv_ws_alloc(ws, g->nvtx, sizeof *topological);
    if (!topological)
        return clv_fail_memory(err);
    bool complete;
    CLV_TRY(clv_topology_sort(g->nvtx, g->xadj, g->adj, ws, topological, &complete, err));
    if (!complete)
        return clv_fail(err, CLEAVE_ECYCLE, "the graph has a cycle, so no convex parts");
    choose_candidates(s, nparts);
    sort_by_component(s, topological);
    *convex = all_convex(s);
    return CLEAVE_OK;
}

cleave_status clv_evaluate_convex(const clv_parted_graph *p, clv_ws *ws, bool *convex,
                                  cleave_error *err)
{
    clv_ws_mark mark = clv_ws_save(ws);
    sweep s = {.g = p->g, .part = p->part};
    cleave_status status = decide(&s, p->nparts, ws, convex, err);
    clv_ws_restore(ws, mark);
    return status;
}
