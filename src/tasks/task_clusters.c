/* SPDX-License-Identifier: Apache-2.0 */
/* tasks/task_clusters.c - clusters of tasks that run on one PE.
 *
 * Dominant sequence clustering [Yang, Gerasoulis 1994] in its simple form (one parent cluster
 * is extended, ties are not broken by partially free tasks): tasks are examined by the longest
 * path through them; a task joins the cluster of the parent after which it begins earliest, if
 * that is earlier than by itself.  The clusters are mapped in two ways, and the better
 * schedule is kept: each cluster to the PE on which its first task finishes earliest, and the
 * heaviest cluster to the PE that is done with it first. */
#include <math.h>

#include "base/sort.h"
#include "tasks/list_methods.h"
#include "tasks/timeline.h"

typedef struct clustering {
    const clv_tasks *x;
    int32_t *cluster; /* by task; -1: not yet */
    int32_t count;
    double *end;           /* by cluster: finish of its last task */
    double *start, *below; /* by task: its start, and the upward rank */
} clustering;

/* The beginning of v in cluster k (-1: by itself). */
static double start_in(const clustering *c, int32_t v, int32_t k)
{
    const clv_graph *g = c->x->g;
    double start = k >= 0 ? c->end[k] : 0;
    for (int64_t a = g->xpred[v]; a < g->xpred[v + 1]; a++) {
        int32_t u = g->pred[a];
        double arrival = c->start[u] + c->x->work[u] * c->x->inverse;
        if (c->cluster[u] != k)
            arrival += c->x->spread * c->x->in[a];
        start = arrival > start ? arrival : start;
    }
    return start;
}

/* The parents from which data arrive last are worth joining: only so many are tried. */
enum { most_parents = 8 };

static int32_t choose_cluster(const clustering *c, int32_t v)
{
    const clv_graph *g = c->x->g;
    int32_t best = -1, tried = 0;
    double start = start_in(c, v, -1), latest = INFINITY;
    for (; tried < most_parents; tried++) {
        double next = -1;
        int32_t parent = -1;
        for (int64_t a = g->xpred[v]; a < g->xpred[v + 1]; a++) {
            int32_t u = g->pred[a];
            double arrival =
                c->start[u] + c->x->work[u] * c->x->inverse + c->x->spread * c->x->in[a];
            if (arrival < latest && arrival > next) {
                next = arrival;
                parent = u;
            }
        }
        if (parent < 0)
            break;
        latest = next;
        double with = start_in(c, v, c->cluster[parent]);
        if (with < start) {
            start = with;
            best = c->cluster[parent];
        }
    }
    return best;
}

/* Free tasks by the longest path through them: the start that their parents allow, plus the
 * upward rank. */
static cleave_status make_clusters(clustering *c, clv_ws *ws, cleave_error *err)
{
    const clv_tasks *x = c->x;
    const clv_graph *g = x->g;
    clv_task_heap ready;
    double *key = clv_ws_alloc(ws, x->ntasks, sizeof *key);
    if (!key)
        return clv_fail_memory(err);
    for (int32_t v = 0; v < x->ntasks; v++) {
        key[v] = c->below[v];
        c->cluster[v] = -1;
    }
    CLV_TRY(clv_task_heap_open(&ready, x, key, ws, err));
    while (ready.count > 0) {
        int32_t v = clv_task_heap_pop(&ready), k = choose_cluster(c, v);
        c->start[v] = start_in(c, v, k);
        c->cluster[v] = k >= 0 ? k : c->count++;
        c->end[c->cluster[v]] = c->start[v] + x->work[v] * x->inverse;
        for (int64_t a = g->xadj[v]; a < g->xadj[v + 1]; a++) {
            int32_t w = g->adj[a];
            double path = c->end[c->cluster[v]] + x->spread * x->out[a] + c->below[w];
            key[w] = path > key[w] ? path : key[w];
        }
        clv_task_heap_done(&ready, x, v);
    }
    return CLEAVE_OK;
}

/* ---- Mapping --------------------------------------------------------------------------- */

/* place[k]: the PE of cluster k; -1: chosen with its first task. */
static cleave_status list_clusters(const clv_tasks *x, const int32_t *cluster, int32_t *place,
                                   clv_task_plan *plan, clv_ws *ws, cleave_error *err)
{
    clv_timeline l;
    double *rank = clv_ws_alloc(ws, x->ntasks, sizeof *rank);
    double *at = clv_ws_alloc(ws, x->npes, sizeof *at);
    int32_t *list = clv_ws_alloc(ws, x->ntasks, sizeof *list);
    if (!rank || !at || !list)
        return clv_fail_memory(err);
    CLV_TRY(clv_timeline_open(&l, x, ws, err));
    clv_tasks_upward_rank(x, true, rank);
    CLV_TRY(clv_tasks_by_rank(x, rank, list, ws, err));
    for (int32_t i = 0; i < x->ntasks; i++) {
        int32_t v = list[i], *p = &place[cluster[v]];
        clv_slot slot;
        if (*p < 0) {
            slot = clv_timeline_best(&l, v, at);
            *p = slot.pe;
        } else {
            clv_timeline_arrivals(&l, v, at);
            slot = clv_timeline_earliest(&l, *p, at[*p], x->work[v]);
        }
        clv_timeline_place(&l, v, slot);
    }
    clv_timeline_plan(&l, plan);
    return CLEAVE_OK;
}

cleave_status clv_tasks_map_clusters(const clv_tasks *x, const int32_t *cluster,
                                     int32_t nclusters, clv_task_plan *plan, clv_ws *ws,
                                     cleave_error *err)
{
    int32_t *place = clv_ws_alloc(ws, nclusters, sizeof *place);
    if (!place)
        return clv_fail_memory(err);
    for (int32_t k = 0; k < nclusters; k++)
        place[k] = -1;
    return list_clusters(x, cluster, place, plan, ws, err);
}

/* The heaviest cluster first, each to the PE that is done with it first. */
static cleave_status balance_clusters(const clustering *c, int32_t *place, clv_ws *ws,
                                      cleave_error *err)
{
    const clv_tasks *x = c->x;
    int32_t n = c->count;
    double *weight = clv_ws_zalloc(ws, n, sizeof *weight);
    double *load = clv_ws_zalloc(ws, x->npes, sizeof *load);
    clv_sort_item *items = clv_ws_alloc(ws, 2 * (int64_t)n, sizeof *items);
    if (!weight || !load || !items)
        return clv_fail_memory(err);
    for (int32_t v = 0; v < x->ntasks; v++)
        weight[c->cluster[v]] += x->work[v];
    for (int32_t k = 0; k < n; k++)
        items[k] = (clv_sort_item){-(int64_t)weight[k], {k}};
    const clv_sort_item *sorted = clv_sort(items, items + n, n);
    for (int32_t i = 0; i < n; i++) {
        int32_t k = (int32_t)sorted[i].with.index, best = 0;
        for (int32_t p = 1; p < x->npes; p++)
            if ((load[p] + weight[k]) / x->speed[p] <
                (load[best] + weight[k]) / x->speed[best])
                best = p;
        load[best] += weight[k];
        place[k] = best;
    }
    return CLEAVE_OK;
}

cleave_status clv_tasks_dsc(const clv_tasks *x, clv_task_plan *plan, clv_ws *ws,
                            cleave_error *err)
{
    int32_t n = x->ntasks, *place = clv_ws_alloc(ws, n, sizeof *place);
    clv_task_plan other;
    clustering c = {.x = x,
                    .cluster = clv_ws_alloc(ws, n, sizeof *c.cluster),
                    .end = clv_ws_alloc(ws, n, sizeof *c.end),
                    .start = clv_ws_alloc(ws, n, sizeof *c.start),
                    .below = clv_ws_alloc(ws, n, sizeof *c.below)};
    if (!place || !c.cluster || !c.end || !c.start || !c.below)
        return clv_fail_memory(err);
    CLV_TRY(clv_task_plan_alloc(&other, x, ws, err));
    clv_tasks_upward_rank(x, true, c.below);
    CLV_TRY(make_clusters(&c, ws, err));
    CLV_TRY(clv_tasks_map_clusters(x, c.cluster, c.count, plan, ws, err));
    CLV_TRY(balance_clusters(&c, place, ws, err));
    CLV_TRY(list_clusters(x, c.cluster, place, &other, ws, err));
    if (other.makespan < plan->makespan)
        clv_task_plan_copy(plan, x, &other, x);
    return CLEAVE_OK;
}
