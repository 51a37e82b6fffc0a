/* SPDX-License-Identifier: Apache-2.0 */
/* refine/balance/acyclic_balance.c - rebalancing of a DAG by shifting weight along the ranks.
 *
 * In any part, the vertices without successors inside the part can all move to the next part
 * in rank; then others become free to follow.  So any weight can be shifted between parts of
 * neighbouring ranks, and a plan of such shifts (refine/state/rank_shifts.h) balances all
 * parts.  A shift takes the vertex with the best gain first.  A free vertex has no neighbour
 * that can still move before it, so its gain is constant.  An empty part can have any rank: it
 * is placed after a heavy one.
 *
 * With unequal vertex weights, several constraints or fixed vertices a plan can fail: rounds
 * are repeated while they help, one that does not help is rolled back, and in the end single
 * moves are tried. */
#include "refine/balance/acyclic_balance.h"

#include <string.h>

#include "base/queue.h"
#include "base/sort.h"
#include "refine/gain/move_gain.h"
#include "refine/state/neighbour_parts.h"
#include "refine/state/rank_ends.h"
#include "refine/state/rank_shifts.h"
#include "refine/state/ranks.h"

enum { most_rounds = 8, most_ranks = 8 };

typedef struct balancing {
    clv_partition_state *s;
    clv_context *ctx;
    int32_t con;          /* the constraint that is shifted */
    int32_t *label;       /* nparts: rank -> part */
    int32_t *head, *next; /* the vertices of each part as linked lists; -1: the end */
    int32_t *own;         /* nvtx: of the part that loses vertices */
    int32_t *blockers;    /* nvtx: neighbours that must move first, -1: not counted */
    clv_heap heap;        /* the free vertices */
    int64_t sequence;
    int64_t *shift;  /* nparts - 1: weight to move up (> 0) or down (< 0) from each rank */
    int32_t *before; /* nvtx: the parts at the start of a round */
} balancing;

/* ---- Moves ------------------------------------------------------------------------------ */

static void apply(clv_partition_state *s, int32_t v, int32_t to, int64_t gain)
{
    clv_state_move(s, v, to);
    clv_state_mark(s, v);
    s->cut -= gain;
}

/* ---- One shift -------------------------------------------------------------------------- */

typedef struct pair {
    int32_t from, to;
    bool up;
} pair;

static int32_t count_in(const clv_partition_state *s, const int32_t *begin, const int32_t *end,
                        int32_t p)
{
    int32_t count = 0;
    for (const int32_t *u = begin; u < end; u++)
        count += s->part[*u] == p;
    return count;
}

static int32_t count_blockers(const clv_partition_state *s, int32_t v, const pair *q)
{
    const clv_graph *g = s->g;
    return q->up ? count_in(s, g->adj + g->xadj[v], g->adj + g->xadj[v + 1], q->from)
                 : count_in(s, g->pred + g->xpred[v], g->pred + g->xpred[v + 1], q->from);
}

static int64_t gain_of(const clv_partition_state *s, int32_t v, const pair *q)
{
    const clv_graph *g = s->g;
    int64_t gain = 0;
    if (s->machine)
        return clv_move_gain(s, v, q->to);
    for (int64_t a = g->xadj[v]; a < g->xadj[v + 1]; a++) {
        int32_t p = s->part[g->adj[a]];
        gain += p == q->to ? clv_graph_ewgt(g, a) : p == q->from ? -clv_graph_ewgt(g, a) : 0;
    }
    for (int64_t a = g->xpred[v]; a < g->xpred[v + 1]; a++) {
        int32_t p = s->part[g->pred[a]];
        int64_t w = clv_graph_pwgt(g, a);
        gain += p == q->to ? w : p == q->from ? -w : 0;
    }
    return gain;
}

/* Among equal gains the newest first, which keeps a shift local. */
static void release(balancing *x, int32_t v, const pair *q)
{
    if (clv_state_is_fixed(x->s, v))
        return;
    int64_t most = INT64_C(1) << 31, gain = gain_of(x->s, v, q);
    gain = gain > most ? most : gain < -most ? -most : gain;
    clv_heap_set(&x->heap, v, gain * most + x->sequence++ % most);
}

/* v has left: its neighbours may be free now. */
static void release_around(balancing *x, int32_t v, const pair *q)
{
    const clv_graph *g = x->s->g;
    const int32_t *row = q->up ? g->pred : g->adj;
    const int64_t *xrow = q->up ? g->xpred : g->xadj;
    for (int64_t a = xrow[v]; a < xrow[v + 1]; a++) {
        int32_t u = row[a];
        if (x->s->part[u] != q->from || x->blockers[u] == 0)
            continue;
        if (x->blockers[u] < 0)
            x->blockers[u] = count_blockers(x->s, u, q);
        else
            x->blockers[u]--;
        if (x->blockers[u] == 0)
            release(x, u, q);
    }
}

static void release_all(balancing *x, int32_t count, const pair *q, bool boundary)
{
    for (int32_t i = 0; i < count; i++) {
        int32_t v = x->own[i];
        if (x->s->maybe_boundary[v] != boundary || x->s->part[v] != q->from ||
            x->blockers[v] >= 0)
            continue;
        x->blockers[v] = count_blockers(x->s, v, q);
        if (x->blockers[v] == 0)
            release(x, v, q);
    }
}

/* Moves free vertices until `amount` is reached or no vertex is free. */
static int64_t drain(balancing *x, const pair *q, int64_t amount)
{
    clv_partition_state *s = x->s;
    int64_t place = (int64_t)q->to * s->g->ncon + x->con;
    while (amount > 0 && x->heap.count > 0 && s->count[q->from] > 1) {
        int32_t v = clv_heap_pop(&x->heap);
        int64_t w = clv_graph_vwgt(s->g, v, x->con);
        /* Exceeds the amount only where the part has capacity. */
        if (w > amount && s->weight[place] + w > s->bounds.max[place])
            continue;
        apply(s, v, q->to, gain_of(s, v, q));
        release_around(x, v, q);
        amount -= w;
    }
    return amount;
}

static void run_shift(balancing *x, const pair *q, int64_t amount)
{
    int32_t count = 0;
    for (int32_t v = x->head[q->from]; v >= 0; v = x->next[v])
        x->own[count++] = v;
    x->head[q->from] = -1;
    /* First boundary vertices and those that they free, then free inner vertices. */
    release_all(x, count, q, true);
    amount = drain(x, q, amount);
    if (amount > 0) {
        release_all(x, count, q, false);
        drain(x, q, amount);
    }
    clv_heap_clear(&x->heap);
    for (int32_t i = count; i-- > 0;) {
        int32_t v = x->own[i], p = x->s->part[v];
        x->blockers[v] = -1;
        x->next[v] = x->head[p];
        x->head[p] = v;
    }
}

/* ---- Rounds of shifts ------------------------------------------------------------------- */

static void list_parts(balancing *x)
{
    memset(x->head, -1, (size_t)x->s->bounds.nparts * sizeof x->head[0]);
    for (int32_t v = x->s->g->nvtx; v-- > 0;) {
        int32_t p = x->s->part[v];
        x->next[v] = x->head[p];
        x->head[p] = v;
    }
}

/* The constraint that is furthest from its bounds. */
static int32_t worst_constraint(const clv_partition_state *s)
{
    int32_t ncon = s->g->ncon, worst = 0;
    int64_t most = -1;
    for (int32_t c = 0; c < ncon; c++) {
        int64_t sum = 0;
        for (int64_t i = c; i < (int64_t)s->bounds.nparts * ncon; i += ncon)
            sum += clv_bounds_excess(&s->bounds, i, s->weight[i]);
        if (sum > most) {
            most = sum;
            worst = c;
        }
    }
    return worst;
}

/* Upward shifts from below and downward shifts from above, so that a part has received what it
 * passes on. */
static void run_shifts(balancing *x)
{
    int32_t last = x->s->bounds.nparts - 1;
    for (int32_t r = 0; r < last; r++)
        if (x->shift[r] > 0)
            run_shift(x, &(pair){x->label[r], x->label[r + 1], true}, x->shift[r]);
    for (int32_t r = last; r-- > 0;)
        if (x->shift[r] < 0)
            run_shift(x, &(pair){x->label[r + 1], x->label[r], false}, -x->shift[r]);
}

static void label_ranks(balancing *x)
{
    for (int32_t p = 0; p < x->s->bounds.nparts; p++)
        x->label[x->s->rank[p]] = p;
}

/* One round even after the time limit: a result must first be within its bounds. */
static cleave_status run_rounds(balancing *x, cleave_error *err)
{
    clv_partition_state *s = x->s;
    size_t bytes = (size_t)s->g->nvtx * sizeof s->part[0];
    for (int32_t round = 0; round < most_rounds; round++) {
        int64_t overload = clv_state_overload(s);
        if (overload == 0 || (round > 0 && clv_context_stop(x->ctx)))
            break;
        /* Before any move: the new ranks of empty parts are valid for the old state, too. */
        CLV_TRY(clv_rank_shifts_seat(s, x->ctx->ws, err));
        label_ranks(x);
        x->con = worst_constraint(s);
        CLV_TRY(clv_rank_shifts_plan(s, x->label, x->con, x->shift, x->ctx->ws, err));
        list_parts(x);
        memcpy(x->before, s->part, bytes);
        run_shifts(x);
        if (clv_state_overload(s) >= overload) {
            memcpy(s->part, x->before, bytes);
            clv_state_measure(s, x->ctx);
            break;
        }
    }
    return CLEAVE_OK;
}

/* ---- Single moves ----------------------------------------------------------------------- */

typedef struct wish {
    int32_t to; /* -1: none */
    int64_t change, gain;
} wish;

/* The move of v that lowers the overload most, if any does. */
static wish best_wish(const balancing *x, int32_t v)
{
    const clv_partition_state *s = x->s;
    wish best = {-1, 0, 0};
    if (clv_state_is_fixed(s, v) || s->count[s->part[v]] <= 1)
        return best;
    int32_t own = clv_rank_of(s, v);
    clv_rank_range range = clv_ranks_range(s, v);
    range.low = range.low > own - most_ranks ? range.low : own - most_ranks;
    range.high = range.high < own + most_ranks ? range.high : own + most_ranks;
    for (int32_t r = range.low; r <= range.high; r++) {
        int64_t change = r == own ? 0 : clv_state_overload_change(s, v, x->label[r]);
        if (change >= 0 || change > best.change)
            continue;
        int64_t gain = gain_of(s, v, &(pair){s->part[v], x->label[r], r > own});
        if (change < best.change || gain > best.gain)
            best = (wish){x->label[r], change, gain};
    }
    return best;
}

static cleave_status run_single_moves(balancing *x, cleave_error *err)
{
    clv_partition_state *s = x->s;
    int32_t n = s->g->nvtx;
    clv_sort_item *item = clv_ws_alloc(x->ctx->ws, n, sizeof *item);
    clv_sort_item *scratch = clv_ws_alloc(x->ctx->ws, n, sizeof *scratch);
    if (!item || !scratch)
        return clv_fail_memory(err);
    for (int32_t round = 0; round < most_rounds && clv_state_overload(s) > 0; round++) {
        int64_t count = 0;
        for (int32_t v = 0; v < n; v++) {
            wish w = best_wish(x, v);
            if (w.to >= 0)
                item[count++] = (clv_sort_item){-w.gain, {.index = v}};
        }
        if (count == 0 || clv_context_stop(x->ctx))
            break;
        const clv_sort_item *sorted = clv_sort(item, scratch, count);
        for (int64_t i = 0; i < count; i++) {
            wish w = best_wish(x, (int32_t)sorted[i].with.index);
            if (w.to >= 0)
                apply(s, (int32_t)sorted[i].with.index, w.to, w.gain);
        }
    }
    return CLEAVE_OK;
}

/* ---- Rebalancing ------------------------------------------------------------------------ */

static cleave_status open_balancing(balancing *x, clv_ws *ws, cleave_error *err)
{
    int64_t n = x->s->g->nvtx, k = x->s->bounds.nparts;
    x->label = clv_ws_alloc(ws, k, sizeof *x->label);
    x->head = clv_ws_alloc(ws, k, sizeof *x->head);
    x->shift = clv_ws_alloc(ws, k, sizeof *x->shift);
    x->next = clv_ws_alloc(ws, n, sizeof *x->next);
    x->own = clv_ws_alloc(ws, n, sizeof *x->own);
    x->blockers = clv_ws_alloc(ws, n, sizeof *x->blockers);
    x->before = clv_ws_alloc(ws, n, sizeof *x->before);
    if (!x->label || !x->head || !x->shift || !x->next || !x->own || !x->blockers ||
        !x->before)
        return clv_fail_memory(err);
    memset(x->blockers, -1, (size_t)n * sizeof x->blockers[0]);
    return clv_heap_init(&x->heap, x->s->g->nvtx, ws, err);
}

cleave_status clv_acyclic_balance(clv_partition_state *s, clv_context *ctx, cleave_error *err)
{
    if (clv_state_overload(s) == 0)
        return CLEAVE_OK;
    clv_ws_mark mark = clv_ws_save(ctx->ws);
    balancing x = {.s = s, .ctx = ctx};
    cleave_status status = open_balancing(&x, ctx->ws, err);
    if (status == CLEAVE_OK)
        status = run_rounds(&x, err);
    if (status == CLEAVE_OK && clv_state_overload(s) > 0)
        status = run_single_moves(&x, err);
    clv_ws_restore(ctx->ws, mark);
    return status;
}
