/* SPDX-License-Identifier: Apache-2.0 */
/* schedule/row_split_cuts.c - decides which rows to split, and where.
 *
 * No row is split if the longest path of whole rows is short compared with the work per
 * thread.  Otherwise layers are grown over rows that may be split (schedule/row_split_grow.c);
 * the pieces that threads took instead of idling are the tasks. */
#include <math.h>

#include "base/group.h"
#include "base/sort.h"
#include "graph/topology.h"
#include "schedule/row_split_grow.h"

/* A path of whole rows is short up to this fraction of the work per thread. */
static const double short_path = 0.5;

typedef struct rows {
    const clv_graph *g;
    const int32_t *order; /* topological; NULL: the numbers are */
    int64_t total;        /* weight */
    uint8_t *heavy;
    int64_t most_pieces; /* upper bound on the pieces of heavy rows */
} rows;

static int32_t at_place(const rows *r, int32_t i)
{
    return r->order ? r->order[i] : i;
}

static cleave_status find_order(rows *r, clv_ws *ws, cleave_error *err)
{
    const clv_graph *g = r->g;
    int32_t v = 0;
    while (v < g->nvtx && (g->xpred[v] == g->xpred[v + 1] || g->pred[g->xpred[v + 1] - 1] < v))
        v++;
    if (v == g->nvtx)
        return CLEAVE_OK;
    bool complete;
    int32_t *order = clv_ws_alloc(ws, g->nvtx, sizeof *order);
    if (!order)
        return clv_fail_memory(err);
    CLV_TRY(clv_topology_sort(g->nvtx, g->xadj, g->adj, ws, order, &complete, err));
    if (!complete)
        return clv_fail(err, CLEAVE_ECYCLE, "the graph was not validated and has a cycle");
    r->order = order;
    return CLEAVE_OK;
}

/* height[v]: the largest sum of min(weight, most) on a path from v to a sink. */
static int64_t find_heights(const rows *r, int64_t most, int64_t *height)
{
    const clv_graph *g = r->g;
    int64_t largest = 0;
    for (int32_t i = g->nvtx - 1; i >= 0; i--) {
        int32_t v = at_place(r, i);
        int64_t behind = 0, weight = clv_graph_vwgt(g, v, 0);
        for (int64_t a = g->xadj[v]; a < g->xadj[v + 1]; a++)
            if (height[g->adj[a]] > behind)
                behind = height[g->adj[a]];
        height[v] = behind + (weight < most ? weight : most);
        if (height[v] > largest)
            largest = height[v];
    }
    return largest;
}

/* A row is heavy if it can be two tasks of sufficient weight. */
static void find_heavy(rows *r)
{
    const clv_graph *g = r->g;
    for (int32_t v = 0; v < g->nvtx; v++) {
        int64_t weight = clv_graph_vwgt(g, v, 0), degree = g->xpred[v + 1] - g->xpred[v];
        int64_t pieces = weight / clv_row_least;
        r->total += weight;
        r->heavy[v] = degree > 1 && pieces > 1;
        if (r->heavy[v])
            r->most_pieces += pieces < degree ? pieces : degree;
    }
}

static cleave_status sort_by_height(clv_row_grower *w, clv_ws *ws, cleave_error *err)
{
    int32_t n = w->g->nvtx;
    int32_t *by_height = clv_ws_alloc(ws, n, sizeof *by_height);
    int32_t *place = clv_ws_alloc(ws, n, sizeof *place);
    clv_ws_mark mark = clv_ws_save(ws);
    clv_sort_item *items = clv_ws_alloc(ws, n, sizeof *items);
    clv_sort_item *scratch = clv_ws_alloc(ws, n, sizeof *scratch);
    if (!by_height || !place || !items || !scratch)
        return clv_fail_memory(err);
    for (int32_t v = 0; v < n; v++)
        items[v] = (clv_sort_item){.key = -w->height[v], .with.index = v};
    const clv_sort_item *sorted = clv_sort(items, scratch, n);
    for (int32_t i = 0; i < n; i++) {
        by_height[i] = (int32_t)sorted[i].with.index;
        place[by_height[i]] = i;
    }
    clv_ws_restore(ws, mark);
    w->by_height = by_height;
    w->place = place;
    return CLEAVE_OK;
}

/* Time per row in a dense triangle.  The last tasks of b rows take 1.5 b^2 if the layer before
 * also has b rows; a row then costs sync / b + 1.5 b, which has its minimum sqrt(6 sync) at
 * b^2 = sync / 1.5.  Longer rows take little more, because their other parts are in other
 * tasks. */
static int64_t dense_row_time(double sync)
{
    double time = sqrt(6 * sync);
    return time < 1 ? 1 : time < INT32_MAX ? (int64_t)time : INT32_MAX;
}

static cleave_status init_grower(clv_row_grower *w, const rows *r, clv_ws *ws,
                                 cleave_error *err)
{
    int32_t n = r->g->nvtx;
    int32_t *rank = clv_ws_alloc(ws, n, sizeof *rank);
    int64_t *height = clv_ws_alloc(ws, n, sizeof *height);
    w->pieces = clv_ws_alloc(ws, r->most_pieces, sizeof *w->pieces);
    if (!rank || !height || !w->pieces)
        return clv_fail_memory(err);
    for (int32_t i = 0; i < n; i++)
        rank[at_place(r, i)] = i;
    find_heights(r, dense_row_time(w->sync), height);
    w->rank = rank;
    w->height = height;
    w->heavy = r->heavy;
    w->left = r->total;
    CLV_TRY(sort_by_height(w, ws, err));
    return clv_row_grower_init(w, ws, err);
}

/* Converts the pieces of each row to cuts, and to the schedule of the tasks. */
static cleave_status collect_cuts(clv_row_cuts *cuts, const clv_row_grower *w, clv_ws *ws,
                                  cleave_error *err)
{
    int32_t n = w->g->nvtx;
    int64_t ntask = n + w->npieces;
    int64_t *xcut = clv_ws_zalloc(ws, (int64_t)n + 1, sizeof *xcut);
    int32_t *cut = clv_ws_alloc(ws, w->npieces, sizeof *cut);
    int32_t *layer = clv_ws_alloc(ws, ntask, sizeof *layer);
    int32_t *thread = clv_ws_alloc(ws, ntask, sizeof *thread);
    if (!xcut || !cut || !layer || !thread)
        return clv_fail_memory(err);
    for (int64_t i = 0; i < w->npieces; i++)
        xcut[w->pieces[i].row + 1]++;
    clv_group_starts(xcut, n);
    for (int64_t i = 0; i < w->npieces; i++) {
        const clv_row_piece *piece = &w->pieces[i];
        int64_t at = xcut[piece->row + 1]++;
        cut[at] = piece->end;
        layer[at + piece->row] = piece->layer;
        thread[at + piece->row] = piece->thread;
    }
    for (int32_t v = 0; v < n; v++) {
        layer[v + xcut[v + 1]] = w->layer[v];
        thread[v + xcut[v + 1]] = w->thread[v];
    }
    *cuts = (clv_row_cuts){w->npieces, xcut, cut, layer, thread};
    return CLEAVE_OK;
}

static cleave_status find_cuts(clv_row_cuts *cuts, rows *r, int32_t threads,
                               const clv_schedule_costs *costs, clv_context *ctx,
                               cleave_error *err)
{
    clv_row_grower w = {.g = r->g, .threads = threads, .sync = costs->sync};
    CLV_TRY(init_grower(&w, r, &ctx->ws[0], err));
    while (w.ndone < r->g->nvtx) {
        clv_row_grower_layer(&w);
        if (clv_context_stop(ctx)) /* no row is split */
            return CLEAVE_OK;
    }
    return collect_cuts(cuts, &w, &ctx->ws[0], err);
}

cleave_status clv_row_cuts_find(clv_row_cuts *cuts, const clv_graph *g, int32_t threads,
                                const clv_schedule_costs *costs, clv_context *ctx,
                                cleave_error *err)
{
    clv_ws *ws = &ctx->ws[0];
    rows r = {.g = g};
    int64_t *none = clv_ws_zalloc(ws, (int64_t)g->nvtx + 1, sizeof *none);
    r.heavy = clv_ws_alloc(ws, g->nvtx, sizeof *r.heavy);
    if (!none || !r.heavy)
        return clv_fail_memory(err);
    *cuts = (clv_row_cuts){.count = 0, .xcut = none};
    find_heavy(&r);
    if (threads < 2 || r.most_pieces == 0)
        return CLEAVE_OK;
    CLV_TRY(find_order(&r, ws, err));
    clv_ws_mark mark = clv_ws_save(ws);
    int64_t *height = clv_ws_alloc(ws, g->nvtx, sizeof *height);
    if (!height)
        return clv_fail_memory(err);
    int64_t path = find_heights(&r, INT64_MAX, height);
    clv_ws_restore(ws, mark);
    if ((double)path <= short_path * (double)r.total / threads)
        return CLEAVE_OK;
    return find_cuts(cuts, &r, threads, costs, ctx, err);
}
