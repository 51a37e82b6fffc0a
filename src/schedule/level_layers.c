/* SPDX-License-Identifier: Apache-2.0 */
/* schedule/level_layers.c - the baseline: a layer for each ALAP level of the DAG, no arc
 * inside any.
 *
 * The vertices of a level are cut into stretches of about equal weight, neighbours staying
 * together; where that is far from even, because some are heavy, they are dealt out instead:
 * the heaviest first, each to the thread with the least [Graham 1969, LPT]. */
#include "base/queue.h"
#include "base/sort.h"
#include "graph/topology.h"
#include "schedule/schedulers.h"

typedef struct dealing {
    const clv_graph *g;
    int32_t threads;
    int32_t *thread; /* the result */
    clv_heap idle;   /* threads, the one with the least weight on top */
    clv_sort_item *items, *scratch;
} dealing;

/* Cuts [begin, end) into stretches; returns the weight of the heaviest. */
static int64_t cut_stretches(const dealing *d, const int32_t *begin, const int32_t *end,
                             int64_t total)
{
    int64_t before = 0, heaviest = 0, here = 0;
    int32_t t = 0;
    for (const int32_t *v = begin; v < end; v++) {
        int64_t w = clv_graph_vwgt(d->g, *v, 0);
        /* A vertex belongs where its middle is. */
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
    if (total == 0 || end - begin <= d->threads) { /* weights say nothing, or do not matter */
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
    int32_t *first = clv_ws_zalloc(ws, (int64_t)depth + 1, sizeof *first);
    int32_t *vertex = clv_ws_alloc(ws, n, sizeof *vertex);
    d->items = clv_ws_alloc(ws, n, sizeof *d->items);
    d->scratch = clv_ws_alloc(ws, n, sizeof *d->scratch);
    if (!first || !vertex || !d->items || !d->scratch)
        return clv_fail_memory(err);
    CLV_TRY(clv_heap_init(&d->idle, d->threads, ws, err));
    for (int32_t v = 0; v < n; v++)
        first[level[v]]++;
    int32_t end = 0;
    for (int32_t l = 0; l < depth; l++) {
        end += first[l];
        first[l] = end;
    }
    for (int32_t v = n; v-- > 0;)
        vertex[--first[level[v]]] = v;
    first[depth] = n;
    for (int32_t l = 0; l < depth; l++)
        share_level(d, vertex + first[l], vertex + first[l + 1]);
    return CLEAVE_OK;
}

cleave_status clv_schedule_levels(const clv_graph *g, int32_t threads, clv_context *ctx,
                                  int32_t *layer, int32_t *thread, cleave_error *err)
{
    int32_t depth;
    dealing d = {.g = g, .threads = threads, .thread = thread};
    CLV_TRY(clv_topology_levels(g, CLEAVE_LEVELS_ALAP, ctx->ws, layer, &depth, err));
    clv_ws_mark mark = clv_ws_save(ctx->ws);
    cleave_status status = share_levels(&d, depth, layer, ctx->ws, err);
    clv_ws_restore(ctx->ws, mark);
    return status;
}
