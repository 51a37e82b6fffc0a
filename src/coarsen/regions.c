/* SPDX-License-Identifier: Apache-2.0 */
/* coarsen/regions.c - clustering by breadth-first search, see coarsen/regions.h. */
#include "coarsen/regions.h"

/* Regions per vertex of the coarsest level; they are coarsened further as usual.  Not
 * tuned. */
enum { regions_per_vertex = 8 };

typedef struct region {
    const clv_graph *g;
    const clv_merge_rule *rule;
    int32_t *map;
    int32_t *queue;
    int32_t first, next, end; /* in queue: start of the region, next to scan, end */
    int64_t *weight;          /* ncon */
} region;

/* Adds v to the region if allowed; a region of one vertex may have any weight. */
static void take(region *r, int32_t v, int32_t number)
{
    const clv_graph *g = r->g;
    bool alone = r->end == r->first;
    const int32_t *merge_class = r->rule->merge_class;
    if (r->map[v] >= 0 ||
        (!alone && merge_class && merge_class[v] != merge_class[r->queue[r->first]]))
        return;
    for (int32_t i = 0; i < g->ncon && !alone; i++)
        if (r->weight[i] + clv_graph_vwgt(g, v, i) >
            r->rule->max_weight[i] / regions_per_vertex)
            return;
    for (int32_t i = 0; i < g->ncon; i++)
        r->weight[i] += clv_graph_vwgt(g, v, i);
    r->map[v] = number;
    r->queue[r->end++] = v;
}

static void grow(region *r, int32_t seed, int32_t number)
{
    const clv_graph *g = r->g;
    r->first = r->next = r->end = 0;
    for (int32_t i = 0; i < g->ncon; i++)
        r->weight[i] = 0;
    take(r, seed, number);
    for (; r->next < r->end; r->next++) {
        int32_t v = r->queue[r->next];
        for (int64_t a = g->xadj[v]; a < g->xadj[v + 1]; a++)
            take(r, g->adj[a], number);
    }
}

cleave_status clv_cluster_regions(const clv_graph *g, const clv_merge_rule *rule, clv_ws *ws,
                                  int32_t *map, int32_t *ncoarse, cleave_error *err)
{
    clv_ws_mark mark = clv_ws_save(ws);
    region r = {.g = g, .rule = rule, .map = map};
    r.queue = clv_ws_alloc(ws, g->nvtx, sizeof *r.queue);
    r.weight = clv_ws_alloc(ws, g->ncon, sizeof *r.weight);
    if (!r.queue || !r.weight)
        return clv_fail_memory(err);
    for (int32_t v = 0; v < g->nvtx; v++)
        map[v] = -1;
    *ncoarse = 0;
    for (int32_t v = 0; v < g->nvtx; v++)
        if (map[v] < 0)
            grow(&r, v, (*ncoarse)++);
    clv_ws_restore(ws, mark);
    return CLEAVE_OK;
}
