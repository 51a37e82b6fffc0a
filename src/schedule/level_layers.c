/* SPDX-License-Identifier: Apache-2.0 */
/* schedule/level_layers.c - the baseline: a layer per ALAP level of the DAG; there are no arcs
 * inside a layer.
 *
 * The vertices of a level are divided into contiguous ranges of about equal weight, which
 * keeps neighbours together.  If that is far from even because of heavy vertices, they are
 * assigned in descending order of weight, each to the least loaded thread [Graham 1969,
 * LPT]. */
#include "base/group.h"
#include "base/queue.h"
#include "base/sort.h"
#include "graph/topology.h"
#include "schedule/schedulers.h"

typedef struct dealing {
    const clv_graph *g;
    int32_t threads;
    int32_t *thread; /* the result */
    clv_heap idle;   /* threads, the least loaded on top */
    clv_sort_item *items, *scratch;
} dealing;

/* Divides [begin, end) into ranges; returns the weight of the heaviest. */
static int64_t cut_stretches(const dealing *d, const int32_t *begin, const int32_t *end,
                             int64_t total)
{
    int64_t before = 0, heaviest = 0, here = 0;
    int32_t t = 0;
    for (const int32_t *v = begin; v < end; v++) {
        int64_t w = clv_graph_vwgt(d->g, *v, 0);
        /* A vertex belongs to the range that contains its middle. */
        double middle = ((double)before + (double)w / 2) * d->threads;
        while (t < d->threads - 1 && middle >= (double)(t + 1) * (double)total) {
            t++;
            here = 0;
        }
        d->thread[*v] = t;
        before += w;
        here += w;
        heaviest = here > heaviest ? here : heaviest;
    }
    return heaviest;
}

static void deal_out(dealing *d, const int32_t *begin, const int32_t *end)
{
    int64_t count = end - begin;
    for (int64_t i = 0; i < count; i++)
        d->items[i] = (clv_sort_item){.key = -(int64_t)clv_graph_vwgt(d->g, begin[i], 0),
                                      .with = {.index = begin[i]}};
    const clv_sort_item *sorted = clv_sort(d->items, d->scratch, count);
    for (int32_t t = 0; t < d->threads; t++)
        clv_heap_set(&d->idle, t, 0);
    for (int64_t i = 0; i < count; i++) {
        int32_t t = clv_heap_top(&d->idle);
        d->thread[sorted[i].with.index] = t;
        clv_heap_set(&d->idle, t, d->idle.key[t] + sorted[i].key);
    }
}

static void share_level(dealing *d, const int32_t *begin, const int32_t *end)
{
    int64_t total = 0, largest = 0;
    for (const int32_t *v = begin; v < end; v++) {
        int64_t w = clv_graph_vwgt(d->g, *v, 0);
        total += w;
        largest = w > largest ? w : largest;
    }
    if (total == 0 || end - begin <= d->threads) { /* weights are all 0, or each vertex gets a
                                                      thread */
        int64_t each = (end - begin + d->threads - 1) / d->threads;
        for (const int32_t *v = begin; v < end; v++)
            d->thread[*v] = (int32_t)((v - begin) / each);
        return;
    }
    int64_t even = (total + d->threads - 1) / d->threads;
    int64_t least = largest > even ? largest : even;
    if (cut_stretches(d, begin, end, total) > least + least / 8)
        deal_out(d, begin, end);
}

static cleave_status share_levels(dealing *d, int32_t depth, const int32_t *level, clv_ws *ws,
                                  cleave_error *err)
{
    int32_t n = d->g->nvtx;
    int32_t *first = clv_ws_alloc(ws, (int64_t)depth + 1, sizeof *first);
    int32_t *vertex = clv_ws_alloc(ws, n, sizeof *vertex);
    d->items = clv_ws_alloc(ws, n, sizeof *d->items);
    d->scratch = clv_ws_alloc(ws, n, sizeof *d->scratch);
    if (!first || !vertex || !d->items || !d->scratch)
        return clv_fail_memory(err);
    CLV_TRY(clv_heap_init(&d->idle, d->threads, ws, err));
    clv_group_by_key(n, level, depth, first, vertex);
    for (int32_t l = 0; l < depth; l++)
        share_level(d, vertex + first[l], vertex + first[l + 1]);
    return CLEAVE_OK;
}

cleave_status clv_schedule_levels(const clv_graph *g, clv_context *ctx, clv_layering *l,
                                  cleave_error *err)
{
    dealing d = {.g = g, .threads = l->threads, .thread = l->thread};
    CLV_TRY(clv_topology_levels(g, CLEAVE_LEVELS_ALAP, ctx->ws, l->layer, &l->layers, err));
    clv_ws_mark mark = clv_ws_save(ctx->ws);
    cleave_status status = share_levels(&d, l->layers, l->layer, ctx->ws, err);
    clv_ws_restore(ctx->ws, mark);
    return status;
}
