/* SPDX-License-Identifier: Apache-2.0 */
/* view/dag_layout.c - levels of a DAG, the order of its bands, and its critical path, the same
 * as in evaluate/critical_path.c. */
#include "base/sort.h"
#include "graph/topology.h"
#include "view/dag_picture.h"

static cleave_status order_bands(clv_dag_layout *l, int32_t nvtx, clv_arena *arena, clv_ws *ws,
                                 cleave_error *err)
{
    clv_ws_mark mark = clv_ws_save(ws);
    double *mean = clv_arena_zalloc(arena, l->nbands, sizeof *mean);
    int32_t *band = clv_arena_alloc(arena, l->nbands, sizeof *band);
    int64_t *count = clv_ws_zalloc(ws, l->nbands, sizeof *count);
    clv_sort_item *item = clv_ws_alloc(ws, l->nbands, sizeof *item);
    clv_sort_item *scratch = clv_ws_alloc(ws, l->nbands, sizeof *scratch);
    if (!mean || !band || !count || !item || !scratch)
        return clv_fail_memory(err);
    for (int32_t v = 0; v < nvtx; v++) {
        mean[l->part[v]] += l->level[v];
        count[l->part[v]]++;
    }
    for (int32_t p = 0; p < l->nbands; p++) {
        mean[p] = count[p] > 0 ? mean[p] / (double)count[p] : l->depth;
        item[p] = (clv_sort_item){.key = (int64_t)(mean[p] * 1024), .with.index = p};
    }
    item = clv_sort(item, scratch, l->nbands);
    for (int32_t b = 0; b < l->nbands; b++)
        band[item[b].with.index] = b;
    l->mean = mean;
    l->band = band;
    clv_ws_restore(ws, mark);
    return CLEAVE_OK;
}

/* ---- The critical path ------------------------------------------------------------------ */

typedef struct longest {
    int64_t *finish; /* by vertex: the longest path that ends at it, itself included */
    int32_t *before; /* by vertex: its predecessor on that path; -1: none */
} longest;

static bool finish_time(const clv_dag_picture *w, const clv_dag_layout *l, int32_t v,
                        longest *p)
{
    const clv_graph *g = w->g;
    int64_t latest = 0;
    p->before[v] = -1;
    for (int64_t a = g->xpred[v]; a < g->xpred[v + 1]; a++) {
        int32_t u = g->pred[a];
        int64_t arrival;
        bool inside = l->part[u] == l->part[v];
        if (!clv_add_i64(p->finish[u], inside ? w->cost_inside : w->cost_cut, &arrival))
            return false;
        if (p->before[v] < 0 || arrival > latest) {
            latest = arrival;
            p->before[v] = u;
        }
    }
    return clv_add_i64(latest, w->cost_vertex, &p->finish[v]);
}

static cleave_status find_path(clv_dag_layout *l, const clv_dag_picture *w,
                               const int32_t *order, clv_arena *arena, clv_ws *ws,
                               cleave_error *err)
{
    longest p = {clv_ws_alloc(ws, w->g->nvtx, sizeof *p.finish),
                 clv_ws_alloc(ws, w->g->nvtx, sizeof *p.before)};
    if (!p.finish || !p.before)
        return clv_fail_memory(err);
    int32_t end = -1;
    for (int32_t i = 0; i < w->g->nvtx; i++) {
        if (!finish_time(w, l, order[i], &p))
            return clv_fail(err, CLEAVE_ERANGE,
                            "the length of the critical path exceeds 2^63-1");
        if (end < 0 || p.finish[order[i]] > p.finish[end])
            end = order[i];
    }
    for (int32_t v = end; v >= 0; v = p.before[v])
        l->npath++;
    int32_t *path = clv_arena_alloc(arena, l->npath, sizeof *path);
    if (!path)
        return clv_fail_memory(err);
    l->length = end >= 0 ? p.finish[end] : 0;
    int64_t at = l->npath;
    for (int32_t v = end; v >= 0; v = p.before[v])
        path[--at] = v;
    l->path = path;
    return CLEAVE_OK;
}

static cleave_status make_layout(clv_dag_layout *l, const clv_dag_picture *what,
                                 clv_arena *arena, clv_ws *ws, cleave_error *err)
{
    const clv_graph *g = what->g;
    int32_t *level = clv_arena_alloc(arena, g->nvtx, sizeof *level);
    int32_t *order = clv_ws_alloc(ws, g->nvtx, sizeof *order);
    int32_t *none = what->part ? NULL : clv_arena_zalloc(arena, g->nvtx, sizeof *none);
    if (!level || !order || (!what->part && !none))
        return clv_fail_memory(err);
    bool complete;
    CLV_TRY(clv_topology_sort(g->nvtx, g->xadj, g->adj, ws, order, &complete, err));
    if (!complete)
        return clv_fail(err, CLEAVE_ECYCLE, "the graph has a cycle, so it has no levels");
    CLV_TRY(clv_topology_levels(g, CLEAVE_LEVELS_ALAP, ws, level, &l->depth, err));
    l->level = level;
    l->part = what->part ? what->part : none;
    l->nbands = what->part && what->nparts > 0 ? what->nparts : 1;
    CLV_TRY(order_bands(l, g->nvtx, arena, ws, err));
    return find_path(l, what, order, arena, ws, err);
}

cleave_status clv_dag_layout_make(clv_dag_layout *l, const clv_dag_picture *what,
                                  clv_arena *arena, clv_ws *ws, cleave_error *err)
{
    clv_ws_mark mark = clv_ws_save(ws);
    *l = (clv_dag_layout){0};
    cleave_status status = make_layout(l, what, arena, ws, err);
    clv_ws_restore(ws, mark);
    return status;
}
