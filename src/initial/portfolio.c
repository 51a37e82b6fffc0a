/* SPDX-License-Identifier: Apache-2.0 */
/* initial/portfolio.c - greedy graph growing, see initial/portfolio.h. */
#include "initial/portfolio.h"

#include <string.h>

#include "base/queue.h"
#include "base/rng.h"
#include "refine/fm/bipartition_fm.h"

enum { stage_grow = 201 };
typedef enum method {
    grow_greedily,
    grow_by_ties,
    grow_in_breadth,
    draw_at_random,
    nmethods
} method;

typedef struct growing {
    clv_partition_state *s;
    const double *share;
    double held[16]; /* weight of part 0; only the first constraints guide growth */
    clv_heap heap;   /* the frontier */
    int32_t *best;   /* the best part array so far */
    int32_t *order;  /* vertices in random order, for new seeds */
    int32_t next;    /* index into order */
    int64_t arcs;    /* number of arcs scanned */
} growing;

/* ---- Growing ---------------------------------------------------------------------------- */

static int32_t guided(const growing *w)
{
    return w->s->g->ncon < 16 ? w->s->g->ncon : 16;
}

/* Would adding v exceed the target by more than the current deficit? */
static bool overshoots(const growing *w, int32_t v)
{
    for (int32_t c = 0; c < guided(w); c++) {
        double after = w->held[c] + clv_graph_vwgt(w->s->g, v, c);
        if (after > w->share[c] && after - w->share[c] > w->share[c] - w->held[c])
            return true;
    }
    return false;
}

static bool full(const growing *w)
{
    for (int32_t c = 0; c < guided(w); c++)
        if (w->held[c] >= w->share[c])
            return true;
    return false;
}

static void take(growing *w, int32_t v)
{
    w->s->part[v] = 0;
    for (int32_t c = 0; c < guided(w); c++)
        w->held[c] += clv_graph_vwgt(w->s->g, v, c);
}

/* The priority of v for joining part 0, with random low digits that break ties.  Greedy growth
 * uses the change of the cut, growth by ties only the edges to part 0. */
static int64_t growth_key(growing *w, int32_t v, method how, clv_rng *rng)
{
    const clv_graph *g = w->s->g;
    int64_t gain = 0;
    w->arcs += g->xadj[v + 1] - g->xadj[v];
    for (int64_t a = g->xadj[v]; a < g->xadj[v + 1]; a++) {
        if (w->s->part[g->adj[a]] == 0)
            gain += clv_graph_ewgt(g, a);
        else if (how == grow_greedily)
            gain -= clv_graph_ewgt(g, a);
    }
    return gain * 256 + (int64_t)(clv_rng_u64(rng) >> 56);
}

static void reach(growing *w, int32_t v, method how, int64_t *clock, clv_rng *rng)
{
    const clv_graph *g = w->s->g;
    for (int64_t a = g->xadj[v]; a < g->xadj[v + 1]; a++) {
        int32_t u = g->adj[a];
        if (w->s->part[u] == 0 || clv_state_is_fixed(w->s, u))
            continue;
        if (how != grow_in_breadth)
            clv_heap_set(&w->heap, u, growth_key(w, u, how, rng));
        else if (!clv_heap_has(&w->heap, u))
            clv_heap_set(&w->heap, u, -(*clock)++);
    }
}

/* The next vertex of part 1 in random order; -1: none left. */
static int32_t fresh_seed(growing *w)
{
    while (w->next < w->s->g->nvtx) {
        int32_t v = w->order[w->next++];
        if (w->s->part[v] != 0 && !clv_state_is_fixed(w->s, v))
            return v;
    }
    return -1;
}

static void grow(growing *w, method how, clv_rng *rng)
{
    clv_partition_state *s = w->s;
    int64_t clock = 0;
    memset(w->held, 0, sizeof w->held);
    w->next = 0;
    clv_heap_clear(&w->heap);
    clv_rng_permutation(rng, s->g->nvtx, w->order);
    for (int32_t v = 0; v < s->g->nvtx; v++)
        s->part[v] = 1;
    for (int32_t v = 0; v < s->g->nvtx; v++)
        if (s->fixed && s->fixed[v] == 0)
            take(w, v);
    for (int32_t v = 0; how != draw_at_random && s->fixed && v < s->g->nvtx; v++)
        if (s->fixed[v] == 0)
            reach(w, v, how, &clock, rng);
    while (!full(w)) {
        int32_t v = w->heap.count > 0 ? clv_heap_pop(&w->heap) : fresh_seed(w);
        if (v < 0)
            return;
        if (overshoots(w, v))
            continue;
        take(w, v);
        if (how != draw_at_random)
            reach(w, v, how, &clock, rng);
    }
}

/* ---- Portfolio -------------------------------------------------------------------------- */

/* docs/design/engine.md, "Growing by ties". */
static method method_of(int32_t try_number)
{
    static const method turn[] = {grow_greedily, grow_greedily, grow_in_breadth,
                                  grow_greedily, grow_by_ties,  draw_at_random};
    return turn[try_number % 6];
}

static cleave_status try_all(growing *w, const clv_grow_params *params, clv_context *ctx,
                             cleave_error *err)
{
    clv_partition_state *s = w->s;
    clv_bipartition_fm_params fm = {params->fm_passes, params->patience};
    clv_worth best = clv_worth_none();
    int32_t last_best = 0;
    size_t bytes = (size_t)s->g->nvtx * sizeof *s->part;
    for (int32_t i = 0; i < params->most && (i < params->tries || i < 2 * last_best); i++) {
        clv_rng rng = clv_rng_make(ctx->seed, stage_grow, params->index, (uint64_t)i);
        w->arcs = s->g->narc;
        grow(w, method_of(i), &rng);
        clv_context_count(ctx, w->arcs);
        clv_state_measure(s, ctx);
        CLV_TRY(clv_bipartition_fm(s, &fm, ctx, err));
        clv_worth now = clv_state_worth(s);
        if (clv_worth_better(now, best)) {
            best = now;
            last_best = i;
            memcpy(w->best, s->part, bytes);
        }
        if (i > 0 && clv_context_stop(ctx))
            break;
    }
    memcpy(s->part, w->best, bytes);
    clv_state_measure(s, ctx);
    return CLEAVE_OK;
}

cleave_status clv_grow_bipartition(clv_partition_state *s, const clv_grow_params *params,
                                   clv_context *ctx, cleave_error *err)
{
    clv_ws_mark mark = clv_ws_save(ctx->ws);
    growing w = {.s = s, .share = s->bounds.share};
    w.best = clv_ws_alloc(ctx->ws, s->g->nvtx, sizeof *w.best);
    w.order = clv_ws_alloc(ctx->ws, s->g->nvtx, sizeof *w.order);
    cleave_status status = w.best && w.order ? clv_heap_init(&w.heap, s->g->nvtx, ctx->ws, err)
                                             : clv_fail_memory(err);
    if (status == CLEAVE_OK)
        status = try_all(&w, params, ctx, err);
    clv_ws_restore(ctx->ws, mark);
    return status;
}
