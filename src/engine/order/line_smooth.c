/* SPDX-License-Identifier: Apache-2.0 */
/* engine/order/line_smooth.c - orders the vertices inside blocks of a linear order, see
 * engine/order/line_smooth.h.
 *
 * Each sweep moves a vertex towards the mean position of its neighbours; neighbours in other
 * blocks are clamped to a position near the block.  Vertices are then sorted by position and
 * spread evenly.  This is power iteration for the Fiedler vector of the block with its
 * surroundings fixed; positions are replaced by ranks so that they do not collapse to a
 * point. */
#include "engine/order/line_smooth.h"

#include "base/group.h"
#include "base/sort.h"

enum { places_between_clocks = 4096 };
/* Not tuned. */
static const double reach = 1;   /* distance outside its block at which neighbours are
                                    clamped, in blocks */
static const double drawn = 0.7; /* damping: step towards the mean, per sweep */

typedef struct smoothing {
    const clv_graph *g;
    const int32_t *block;
    const int32_t *first; /* nblocks + 1: first place of each block */
    int32_t *vertex;
    double *at;                    /* by vertex: position; block b covers b .. b + 1 */
    double *want;                  /* by vertex: next position */
    clv_sort_item *item, *scratch; /* by place */
} smoothing;

static double mean_of_neighbours(const smoothing *s, int32_t v)
{
    const clv_graph *g = s->g;
    double sum = 0, weight = 0, low = s->block[v] - reach, high = s->block[v] + 1 + reach;
    for (int64_t a = g->xadj[v]; a < g->xadj[v + 1]; a++) {
        double x = s->at[g->adj[a]], w = clv_graph_ewgt(g, a);
        sum += w * (x < low ? low : x > high ? high : x);
        weight += w;
    }
    return weight > 0 ? sum / weight : s->at[v];
}

static void draw_range(void *context, int64_t begin, int64_t end, int member)
{
    const smoothing *s = context;
    (void)member;
    for (int32_t v = (int32_t)begin; v < (int32_t)end; v++)
        s->want[v] = s->at[v] + drawn * (mean_of_neighbours(s, v) - s->at[v]);
}

/* Integer sort key of a position within its block; 40 bits are precise enough. */
static int64_t key_of(const smoothing *s, int32_t v)
{
    return (int64_t)((s->want[v] - s->block[v]) * 0x1p40);
}

static void sort_range(void *context, int64_t begin, int64_t end, int member)
{
    const smoothing *s = context;
    (void)member;
    for (int64_t b = begin; b < end; b++) {
        int64_t first = s->first[b], count = s->first[b + 1] - first;
        for (int64_t i = first; i < first + count; i++) {
            s->item[i].key = key_of(s, s->vertex[i]);
            s->item[i].with.index = s->vertex[i];
        }
        const clv_sort_item *sorted = clv_sort(s->item + first, s->scratch + first, count);
        for (int64_t i = 0; i < count; i++) {
            int32_t v = (int32_t)sorted[i].with.index;
            s->vertex[first + i] = v;
            s->at[v] = (double)b + ((double)i + 0.5) / (double)count;
        }
    }
}

static cleave_status smooth_line(const clv_graph *g, clv_line_blocks blocks, int32_t sweeps,
                                 clv_context *ctx, int32_t *vertex, cleave_error *err)
{
    clv_ws *ws = ctx->ws;
    int64_t n = g->nvtx;
    int32_t *first = clv_ws_alloc(ws, blocks.count + INT64_C(1), sizeof *first);
    smoothing s = {.g = g, .block = blocks.of, .first = first, .vertex = vertex};
    s.at = clv_ws_alloc(ws, n, sizeof *s.at);
    s.want = clv_ws_alloc(ws, n, sizeof *s.want);
    s.item = clv_ws_alloc(ws, n, sizeof *s.item);
    s.scratch = clv_ws_alloc(ws, n, sizeof *s.scratch);
    if (!first || !s.at || !s.want || !s.item || !s.scratch)
        return clv_fail_memory(err);
    clv_group_by_key(g->nvtx, blocks.of, blocks.count, first, vertex);
    for (int32_t v = 0; v < g->nvtx; v++)
        s.at[v] = blocks.of[v] + 0.5;
    for (int32_t sweep = 0; sweep < sweeps && !clv_context_stop(ctx); sweep++) {
        clv_parallel_for(ctx->team, n, 4096, draw_range, &s);
        clv_parallel_for(ctx->team, blocks.count, 4, sort_range, &s);
    }
    return CLEAVE_OK;
}

cleave_status clv_line_smooth(const clv_graph *g, clv_line_blocks blocks, int32_t sweeps,
                              clv_context *ctx, int32_t *vertex, cleave_error *err)
{
    clv_ws_mark mark = clv_ws_save(ctx->ws);
    cleave_status status = smooth_line(g, blocks, sweeps, ctx, vertex, err);
    clv_ws_restore(ctx->ws, mark);
    return status;
}

/* ---- Neighbours on the line ------------------------------------------------------------- */

/* Two consecutive places, `first` and first + 1, as the neighbours of one of their vertices
 * see them. */
typedef struct pulls {
    const int32_t *place; /* by vertex */
    int32_t first;
    int64_t left, right; /* edge weight to places before and after the pair */
    bool tied;           /* the two are adjacent */
} pulls;

static void add_pull(pulls *sum, int32_t neighbour, int64_t weight)
{
    int32_t p = sum->place[neighbour];
    if (p < sum->first)
        sum->left += weight;
    else if (p > sum->first + 1)
        sum->right += weight;
    else
        sum->tied = true;
}

static pulls pulls_of(const clv_graph *g, const int32_t *place, int32_t v, int32_t first)
{
    pulls sum = {.place = place, .first = first};
    for (int64_t a = g->xadj[v]; a < g->xadj[v + 1]; a++)
        add_pull(&sum, g->adj[a], clv_graph_ewgt(g, a));
    if (g->kind == CLEAVE_DAG)
        for (int64_t a = g->xpred[v]; a < g->xpred[v + 1]; a++)
            add_pull(&sum, g->pred[a], clv_graph_pwgt(g, a));
    return sum;
}

/* Vertices by place, and the inverse. */
typedef struct pairs {
    const clv_graph *g;
    int32_t *vertex, *place;
} pairs;

static void exchange(const pairs *s, int32_t p)
{
    int32_t a = s->vertex[p], b = s->vertex[p + 1];
    s->vertex[p] = b;
    s->vertex[p + 1] = a;
    s->place[a] = p + 1;
    s->place[b] = p;
}

/* Hubs do not move: each exchange with a hub would scan all of its edges. */
static bool is_hub(const clv_graph *g, int32_t v)
{
    enum { most_arcs = 2000 }; /* not tuned */
    int64_t arcs = g->xadj[v + 1] - g->xadj[v];
    if (g->kind == CLEAVE_DAG)
        arcs += g->xpred[v + 1] - g->xpred[v];
    return arcs > most_arcs;
}

/* *more: change of the weight that crosses the gap between p and p + 1 if the two vertices are
 * exchanged; no other gap changes.  Returns false if the exchange is not allowed. */
static bool weigh_exchange(const pairs *s, int32_t p, int64_t *more)
{
    if (is_hub(s->g, s->vertex[p]) || is_hub(s->g, s->vertex[p + 1]))
        return false;
    pulls a = pulls_of(s->g, s->place, s->vertex[p], p);
    pulls b = pulls_of(s->g, s->place, s->vertex[p + 1], p);
    *more = b.right + a.left - a.right - b.left;
    return s->g->kind != CLEAVE_DAG || !a.tied;
}

/* Moves the vertex at p by up to `most` places in one direction, to where the sum of the
 * crossing weights is least. */
static bool carry(const pairs *s, int32_t p, int32_t step, int32_t most)
{
    int64_t sum = 0, least = 0, more;
    int32_t best = 0, gone = 0, n = s->g->nvtx;
    while (gone < most) {
        int32_t gap = step > 0 ? p + gone : p - gone - 1;
        if (gap < 0 || gap >= n - 1 || !weigh_exchange(s, gap, &more))
            break;
        exchange(s, gap);
        gone++;
        sum += more;
        if (sum < least) {
            least = sum;
            best = gone;
        }
    }
    for (; gone > best; gone--)
        exchange(s, step > 0 ? p + gone - 1 : p - gone);
    return best > 0;
}

cleave_status clv_line_carry(const clv_graph *g, int32_t sweeps, int32_t most,
                             clv_context *ctx, int32_t *vertex, cleave_error *err)
{
    clv_ws_mark mark = clv_ws_save(ctx->ws);
    pairs s = {g, vertex, clv_ws_alloc(ctx->ws, g->nvtx, sizeof *s.place)};
    if (!s.place)
        return clv_fail_memory(err);
    for (int32_t p = 0; p < g->nvtx; p++)
        s.place[vertex[p]] = p;
    bool changed = true;
    for (int32_t sweep = 0; sweep < sweeps && changed && !clv_context_stop(ctx); sweep++) {
        changed = false;
        /* Sweep forward and backward alternately, so that a vertex can travel far in one
         * sweep. */
        bool forth = sweep % 2 == 0;
        for (int32_t i = 0; i < g->nvtx; i++) {
            if (i % places_between_clocks == 0 && clv_context_stop(ctx))
                break;
            int32_t p = forth ? i : g->nvtx - 1 - i;
            changed = carry(&s, p, forth ? 1 : -1, most) || changed;
        }
    }
    clv_ws_restore(ctx->ws, mark);
    return CLEAVE_OK;
}
