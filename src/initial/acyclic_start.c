/* SPDX-License-Identifier: Apache-2.0 */
/* initial/acyclic_start.c - initial acyclic partitions, see initial/acyclic_start.h. */
#include "initial/acyclic_start.h"

#include <assert.h>
#include <string.h>

#include "base/queue.h"
#include "base/rng.h"
#include "initial/dag_orders.h"
#include "initial/fixed_order.h"
#include "order/slices.h"
#include "refine/balance/acyclic_balance.h"
#include "refine/fm/acyclic_fm.h"

enum { stage_start = 212, greedy = CLV_ORDER_KINDS };
enum { quick_tries_in_one = 6 }; /* time of a full try, in quick ones; not tuned */

typedef struct slices_found {
    int32_t *part;  /* nvtx */
    int32_t *ranks; /* nparts */
    clv_worth worth;
} slices_found;

typedef struct starting {
    clv_partition_state *s;
    const clv_acyclic_start_params *params;
    clv_context *ctx;
    int32_t *by_rank; /* nparts: as passed by the caller */
    int32_t *order;   /* nvtx */
    slices_found best;
    slices_found spare; /* quick slices, used if time runs out; unused without a limit */
    bool quick;         /* slicing parameter */
} starting;

/* ---- Greedy filling --------------------------------------------------------------------- */

typedef struct filling {
    const clv_graph *g;
    clv_heap ready;
    int32_t *waiting; /* by vertex: predecessors not placed yet */
    int32_t *slice;   /* nvtx: its slice; -1: not placed yet */
    int32_t now;      /* the current slice */
    uint64_t seed;
} filling;

/* Arc weight from the current slice, with random low digits. */
static int64_t fill_key(const filling *f, int32_t v)
{
    const clv_graph *g = f->g;
    int64_t gain = 0;
    for (int64_t a = g->xpred[v]; a < g->xpred[v + 1]; a++)
        if (f->slice[g->pred[a]] == f->now)
            gain += clv_graph_pwgt(g, a);
    return gain * 256 + (int64_t)(clv_hash64(f->seed ^ (uint64_t)(uint32_t)v) >> 56);
}

static void fill_with(filling *f, int32_t v)
{
    const clv_graph *g = f->g;
    f->slice[v] = f->now;
    for (int64_t a = g->xadj[v]; a < g->xadj[v + 1]; a++)
        if (--f->waiting[g->adj[a]] == 0)
            clv_heap_set(&f->ready, g->adj[a], fill_key(f, g->adj[a]));
}

/* Begins a slice; ready vertices have no arcs from it yet. */
static void next_slice(filling *f, int32_t *list)
{
    int32_t count = f->ready.count;
    f->now++;
    memcpy(list, f->ready.item, (size_t)count * sizeof *list);
    for (int32_t i = 0; i < count; i++)
        clv_heap_set(&f->ready, list[i], fill_key(f, list[i]));
}

static void fill_all(filling *f, const starting *w, int32_t *list)
{
    const clv_partition_state *s = w->s;
    const clv_graph *g = f->g;
    double room = 0, all = 0, weight = 0, total = 0;
    for (int32_t p = 0; p < s->bounds.nparts; p++)
        all += (double)s->bounds.max[(int64_t)p * g->ncon];
    for (int32_t v = 0; v < g->nvtx; v++) {
        total += clv_graph_vwgt(g, v, 0);
        if (f->waiting[v] == 0)
            clv_heap_set(&f->ready, v, fill_key(f, v));
    }
    room = (double)s->bounds.max[(int64_t)w->by_rank[0] * g->ncon];
    for (int32_t i = 0; f->ready.count > 0; i++) {
        while (f->now < s->bounds.nparts - 1 && weight * all >= room * total) {
            next_slice(f, list);
            room += (double)s->bounds.max[(int64_t)w->by_rank[f->now] * g->ncon];
        }
        int32_t v = clv_heap_pop(&f->ready);
        w->order[i] = v;
        weight += clv_graph_vwgt(g, v, 0);
        fill_with(f, v);
    }
}

static cleave_status order_greedily(starting *w, uint64_t seed, cleave_error *err)
{
    const clv_graph *g = w->s->g;
    clv_ws *ws = w->ctx->ws;
    clv_ws_mark mark = clv_ws_save(ws);
    filling f = {.g = g, .seed = seed};
    CLV_TRY(clv_heap_init(&f.ready, g->nvtx, ws, err));
    f.waiting = clv_ws_alloc(ws, g->nvtx, sizeof *f.waiting);
    f.slice = clv_ws_alloc(ws, g->nvtx, sizeof *f.slice);
    int32_t *list = clv_ws_alloc(ws, g->nvtx, sizeof *list);
    if (!f.waiting || !f.slice || !list)
        return clv_fail_memory(err);
    for (int32_t v = 0; v < g->nvtx; v++) {
        f.waiting[v] = (int32_t)(g->xpred[v + 1] - g->xpred[v]);
        f.slice[v] = -1;
    }
    fill_all(&f, w, list);
    clv_ws_restore(ws, mark);
    return CLEAVE_OK;
}

/* ---- Portfolio -------------------------------------------------------------------------- */

/* Sorted by how often each kind gives the best slices when the kinds before it do not:
 * docs/design/acyclic.md, "Orders". */
static const int32_t turn[] = {CLV_ORDER_BREADTH + CLV_ORDER_MIRRORED,
                               CLV_ORDER_STACK,
                               CLV_ORDER_BREADTH,
                               CLV_ORDER_FRONTIER,
                               CLV_ORDER_LIVE + CLV_ORDER_MIRRORED,
                               CLV_ORDER_DEMAND + CLV_ORDER_MIRRORED,
                               CLV_ORDER_DEMAND,
                               CLV_ORDER_BLEND,
                               greedy,
                               CLV_ORDER_STACK + CLV_ORDER_MIRRORED,
                               CLV_ORDER_SMOOTH,
                               CLV_ORDER_BLEND + CLV_ORDER_MIRRORED,
                               CLV_ORDER_SMOOTH + CLV_ORDER_MIRRORED,
                               CLV_ORDER_LIVE,
                               CLV_ORDER_LEVEL + CLV_ORDER_MIRRORED};
enum { nturns = sizeof turn / sizeof turn[0] };

static cleave_status slice_order(starting *w, cleave_error *err)
{
    clv_partition_state *s = w->s;
    clv_context_count(w->ctx, s->g->narc);
    CLV_TRY(clv_fixed_order(s, w->by_rank, w->ctx->ws, w->order, err));
    clv_slices_task task = {.g = s->g,
                            .order = w->order,
                            .by_rank = w->by_rank,
                            .bounds = s->bounds,
                            .fixed = s->fixed,
                            .quick = w->quick,
                            .ctx = w->ctx};
    int64_t cut;
    bool met;
    CLV_TRY(clv_slices(&task, w->ctx->ws, s->part, &cut, &met, err));
    assert(cut >= 0);
    clv_state_measure(s, w->ctx);
    return CLEAVE_OK;
}

/* Makes one try in s->part and s->rank. */
static cleave_status try_one(starting *w, int32_t number, cleave_error *err)
{
    clv_partition_state *s = w->s;
    clv_rng rng = clv_rng_make(w->ctx->seed, stage_start, w->params->index, (uint64_t)number);
    int32_t kind = turn[number % nturns];
    /* The first try uses the numerical order, which is often the order of execution of the
     * program that the graph comes from and hard to improve on. */
    bool by_number = number < nturns && w->params->index == 0 && kind != greedy &&
                     kind % CLV_ORDER_MIRRORED != CLV_ORDER_BLEND;
    uint64_t seed = by_number ? 0 : clv_rng_u64(&rng);
    for (int32_t i = 0; i < s->bounds.nparts; i++)
        s->rank[w->by_rank[i]] = i;
    if (kind == greedy)
        CLV_TRY(order_greedily(w, seed, err));
    else
        CLV_TRY(clv_dag_order_make((clv_dag_order_kind)kind, s->g, seed, w->ctx->ws, w->order,
                                   err));
    CLV_TRY(slice_order(w, err));
    CLV_TRY(clv_acyclic_balance(s, w->ctx, err));
    clv_acyclic_fm_params fm = {.passes = w->params->fm_passes,
                                .patience = w->params->patience};
    return fm.passes > 0 ? clv_acyclic_fm(s, &fm, w->ctx, err) : CLEAVE_OK;
}

static bool keep_better(starting *w)
{
    clv_partition_state *s = w->s;
    clv_worth now = clv_state_worth(s);
    if (!clv_worth_better(now, w->best.worth))
        return false;
    w->best.worth = now;
    memcpy(w->best.part, s->part, (size_t)s->g->nvtx * sizeof *s->part);
    memcpy(w->best.ranks, s->rank, (size_t)s->bounds.nparts * sizeof *s->rank);
    return true;
}

static void exchange_spare(starting *w)
{
    slices_found swap = w->best;
    w->best = w->spare;
    w->spare = swap;
}

/* With a time limit: makes one quick try.  *enough: there is no time for a full one. */
static cleave_status try_quickly(starting *w, bool *enough, cleave_error *err)
{
    double begin = clv_context_now(w->ctx);
    *enough = false;
    if (!clv_context_is_limited(w->ctx) && !clv_context_stop(w->ctx))
        return CLEAVE_OK;
    w->quick = true;
    CLV_TRY(try_one(w, 0, err));
    keep_better(w);
    w->quick = w->params->quick;
    double whole = (w->quick ? 1 : quick_tries_in_one) * (clv_context_now(w->ctx) - begin);
    *enough = clv_context_stop(w->ctx) || clv_context_lacks(w->ctx, whole);
    if (!*enough) /* a distant limit must not change the result */
        exchange_spare(w);
    return CLEAVE_OK;
}

static cleave_status try_all(starting *w, cleave_error *err)
{
    clv_partition_state *s = w->s;
    int32_t last_best = 0;
    bool enough;
    CLV_TRY(try_quickly(w, &enough, err));
    for (int32_t i = 0; i < w->params->most && (i < w->params->tries || i < 2 * last_best);
         i++) {
        if (enough)
            break;
        CLV_TRY(try_one(w, i, err));
        if (keep_better(w))
            last_best = i;
        if (clv_context_stop(w->ctx))
            break;
    }
    if (clv_context_is_stopped(w->ctx) && clv_worth_better(w->spare.worth, w->best.worth))
        exchange_spare(w);
    memcpy(s->part, w->best.part, (size_t)s->g->nvtx * sizeof *s->part);
    memcpy(s->rank, w->best.ranks, (size_t)s->bounds.nparts * sizeof *s->rank);
    clv_state_measure(s, w->ctx);
    return CLEAVE_OK;
}

static bool allocate_found(slices_found *f, const clv_partition_state *s, clv_ws *ws)
{
    f->worth = clv_worth_none();
    f->part = clv_ws_alloc(ws, s->g->nvtx, sizeof *f->part);
    f->ranks = clv_ws_alloc(ws, s->bounds.nparts, sizeof *f->ranks);
    return f->part && f->ranks;
}

cleave_status clv_acyclic_start(clv_partition_state *s, const clv_acyclic_start_params *params,
                                clv_context *ctx, cleave_error *err)
{
    assert(s->g->kind == CLEAVE_DAG && s->rank && params->tries >= 1);
    clv_ws_mark mark = clv_ws_save(ctx->ws);
    starting w = {.s = s, .params = params, .ctx = ctx, .quick = params->quick};
    w.spare.worth = clv_worth_none();
    w.by_rank = clv_ws_alloc(ctx->ws, s->bounds.nparts, sizeof *w.by_rank);
    w.order = clv_ws_alloc(ctx->ws, s->g->nvtx, sizeof *w.order);
    if (!w.by_rank || !w.order || !allocate_found(&w.best, s, ctx->ws) ||
        (clv_context_is_limited(ctx) && !allocate_found(&w.spare, s, ctx->ws)))
        return clv_fail_memory(err);
    for (int32_t p = 0; p < s->bounds.nparts; p++)
        w.by_rank[s->rank[p]] = p;
    cleave_status status = try_all(&w, err);
    clv_ws_restore(ctx->ws, mark);
    return status;
}
