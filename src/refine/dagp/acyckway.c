/* SPDX-License-Identifier: Apache-2.0 */
/* refine/dagp/acyckway.c - see refine/dagp/acyckway.h.
 *
 * Arcs between parts are counted in a table; nonzero entries are also kept as rows of bits.  A
 * move of v to part p can close a cycle only through p, where all new arcs are, so that one
 * search from p decides.
 *
 * Keys in the heap can be too large: when a neighbour moves, the key rises by twice the weight
 * of the arc, the largest possible increase, and the true gain is computed when the vertex
 * comes out.  The order of the moves is that of the true gains, but a vertex with many readers
 * is not evaluated again for every move of a reader. */
#include "refine/dagp/acyckway.h"

#include <assert.h>
#include <string.h>

#include "base/queue.h"
#include "refine/state/move_log.h"
#include "refine/state/ranks.h"

enum { most_parts = 1024, most_tries = 64, looks_per_move = 16, moves_per_look = 1024 };

typedef struct pass {
    clv_partition_state *s;
    int32_t words;  /* of a row of bits; 0: too many parts, only ranks are used */
    uint64_t *next; /* by part: the parts that it has arcs to */
    int32_t *arcs;  /* nparts * nparts: number of arcs */
    uint64_t *seen; /* one row */
    int32_t *stack;
    /* The current vertex */
    int32_t *into, *out; /* by part: arcs from predecessors there, to successors there */
    int64_t *tie;        /* by part: weight of these */
    int32_t *part;       /* parts with such arcs */
    int32_t nparts;
    /* All vertices */
    clv_heap heap;
    uint8_t *moved;   /* or fixed */
    int32_t *touched; /* neighbours that have moved since the vertex was last evaluated */
    clv_move_log log;
} pass;

/* ---- The current vertex ----------------------------------------------------------------- */

static void meet(pass *t, int32_t p, int64_t wgt, int32_t *count)
{
    if (t->into[p] + t->out[p] == 0)
        t->part[t->nparts++] = p;
    count[p]++;
    t->tie[p] += wgt;
}

static void look_around(pass *t, int32_t v)
{
    const clv_graph *g = t->s->g;
    for (int32_t i = 0; i < t->nparts; i++) {
        int32_t p = t->part[i];
        t->into[p] = t->out[p] = 0;
        t->tie[p] = 0;
    }
    t->nparts = 0;
    for (int64_t a = g->xpred[v]; a < g->xpred[v + 1]; a++)
        meet(t, t->s->part[g->pred[a]], clv_graph_pwgt(g, a), t->into);
    for (int64_t a = g->xadj[v]; a < g->xadj[v + 1]; a++)
        meet(t, t->s->part[g->adj[a]], clv_graph_ewgt(g, a), t->out);
    t->touched[v] = 0;
}

/* The two largest gains of v, which has been evaluated; INT64_MIN: fewer exist. */
static void best_gains(const pass *t, int32_t v, int64_t gain[2])
{
    int32_t own = t->s->part[v];
    gain[0] = gain[1] = INT64_MIN;
    for (int32_t i = 0; i < t->nparts; i++) {
        int32_t p = t->part[i];
        if (p == own)
            continue;
        int64_t here = t->tie[p] - t->tie[own];
        if (here > gain[0]) {
            gain[1] = gain[0];
            gain[0] = here;
        } else if (here > gain[1]) {
            gain[1] = here;
        }
    }
}

/* ---- The quotient graph ----------------------------------------------------------------- */

static void set_bit(uint64_t *row, int32_t p)
{
    row[p / 64] |= UINT64_C(1) << (p % 64);
}
static void clear_bit(uint64_t *row, int32_t p)
{
    row[p / 64] &= ~(UINT64_C(1) << (p % 64));
}
static bool has_bit(const uint64_t *row, int32_t p)
{
    return row[p / 64] >> (p % 64) & 1;
}
static uint64_t *row_of(const pass *t, int32_t p)
{
    return t->next + (int64_t)p * t->words;
}

static void count_arcs(pass *t, int32_t p, int32_t q, int32_t change)
{
    if (p == q || change == 0)
        return;
    int32_t *count = &t->arcs[(int64_t)p * t->s->bounds.nparts + q];
    *count += change;
    if (*count > 0)
        set_bit(row_of(t, p), q);
    else
        clear_bit(row_of(t, p), q);
}

/* Moves the arcs of the current vertex from one part to another. */
static void change_quotient(pass *t, int32_t from, int32_t to)
{
    for (int32_t i = 0; i < t->nparts; i++) {
        int32_t p = t->part[i];
        count_arcs(t, from, p, -t->out[p]);
        count_arcs(t, p, from, -t->into[p]);
        count_arcs(t, to, p, t->out[p]);
        count_arcs(t, p, to, t->into[p]);
    }
}

/* Adds the new parts of the row to the parts to search. */
static int32_t push_row(pass *t, const uint64_t *row, int32_t height)
{
    for (int32_t w = 0; w < t->words; w++) {
        uint64_t fresh = row[w] & ~t->seen[w];
        t->seen[w] |= fresh;
        for (; fresh; fresh &= fresh - 1)
            t->stack[height++] = 64 * w + __builtin_ctzll(fresh);
    }
    return height;
}

static int32_t push_part(pass *t, int32_t p, int32_t height)
{
    if (!has_bit(t->seen, p)) {
        set_bit(t->seen, p);
        t->stack[height++] = p;
    }
    return height;
}

/* Whether all arcs from p to q belong to the current vertex. */
static bool all_of(const pass *t, int32_t p, int32_t q, int32_t mine)
{
    return t->arcs[(int64_t)p * t->s->bounds.nparts + q] == mine;
}

/* The arcs from `own` that remain without the current vertex. */
static int32_t push_own(pass *t, int32_t own, int32_t height)
{
    const uint64_t *row = row_of(t, own);
    for (int32_t w = 0; w < t->words; w++)
        for (uint64_t bits = row[w]; bits; bits &= bits - 1) {
            int32_t q = 64 * w + __builtin_ctzll(bits);
            if (!all_of(t, own, q, t->out[q]))
                height = push_part(t, q, height);
        }
    return height;
}

/* Whether the current vertex would close a cycle in part `to`. */
static bool closes_cycle(pass *t, int32_t own, int32_t to)
{
    int32_t height = 0;
    memset(t->seen, 0, (size_t)t->words * sizeof *t->seen);
    height = push_row(t, row_of(t, to), height);
    if (has_bit(t->seen, own) && all_of(t, to, own, t->into[to])) {
        /* The only arcs back were its own, which are inside `to` after the move. */
        clear_bit(t->seen, own);
        for (int32_t i = 0; i < height; i++)
            if (t->stack[i] == own)
                t->stack[i] = t->stack[--height];
    }
    for (int32_t i = 0; i < t->nparts; i++)
        if (t->out[t->part[i]] > 0 && t->part[i] != to)
            height = push_part(t, t->part[i], height);
    while (height > 0) {
        int32_t p = t->stack[--height];
        if (p == to || t->into[p] > 0)
            return true;
        height = p == own ? push_own(t, own, height) : push_row(t, row_of(t, p), height);
    }
    return false;
}

static bool keeps_acyclic(pass *t, int32_t v, int32_t to)
{
    if (t->words > 0)
        return !closes_cycle(t, t->s->part[v], to);
    clv_rank_range range = clv_ranks_range(t->s, v);
    return range.low <= t->s->rank[to] && t->s->rank[to] <= range.high;
}

/* ---- Selecting and moving --------------------------------------------------------------- */

static int64_t room_in(const clv_partition_state *s, int32_t p)
{
    int64_t room = INT64_MAX;
    for (int32_t c = 0; c < s->g->ncon; c++) {
        int64_t i = (int64_t)p * s->g->ncon + c;
        room = s->bounds.max[i] - s->weight[i] < room ? s->bounds.max[i] - s->weight[i] : room;
    }
    return room;
}

/* The best part that is not tried yet (tie < 0 marks tried ones); -1: none with enough
 * gain. */
static int32_t next_part(const pass *t, int32_t own, int64_t least)
{
    int32_t best = -1;
    for (int32_t i = 0; i < t->nparts; i++) {
        int32_t p = t->part[i];
        if (p == own || t->tie[p] < 0 || t->tie[p] - t->tie[own] < least)
            continue;
        int64_t order = best < 0 ? 1 : t->tie[p] - t->tie[best];
        if (order == 0)
            order = room_in(t->s, p) - room_in(t->s, best);
        if (order > 0 || (order == 0 && p < best))
            best = p;
    }
    return best;
}

/* The target part of v and the gain; -1: none. */
static int32_t choose(pass *t, int32_t v, const int64_t best[2], int64_t *gain)
{
    int32_t own = t->s->part[v];
    int64_t least = best[1] != INT64_MIN ? best[1] : best[0];
    if (!clv_state_may_leave(t->s, v))
        return -1;
    for (int32_t tries = 0; tries < most_tries; tries++) {
        int32_t p = next_part(t, own, least);
        if (p < 0)
            return -1;
        *gain = t->tie[p] - t->tie[own];
        if (clv_state_fits(t->s, v, p) && keeps_acyclic(t, v, p))
            return p;
        t->tie[p] = -1;
    }
    return -1;
}

static void touch(pass *t, int32_t u, int64_t degree, int64_t wgt)
{
    if (t->moved[u])
        return;
    if (clv_heap_has(&t->heap, u))
        clv_heap_set(&t->heap, u, t->heap.key[u] + 2 * (int64_t)wgt);
    else if (++t->touched[u] >= degree / looks_per_move)
        clv_heap_set(&t->heap, u, INT64_MAX / 2);
}

static void touch_neighbours(pass *t, int32_t v)
{
    const clv_graph *g = t->s->g;
    for (int64_t a = g->xpred[v]; a < g->xpred[v + 1]; a++) {
        int32_t u = g->pred[a];
        touch(t, u, g->xadj[u + 1] - g->xadj[u] + g->xpred[u + 1] - g->xpred[u],
              clv_graph_pwgt(g, a));
    }
    for (int64_t a = g->xadj[v]; a < g->xadj[v + 1]; a++) {
        int32_t u = g->adj[a];
        touch(t, u, g->xadj[u + 1] - g->xadj[u] + g->xpred[u + 1] - g->xpred[u],
              clv_graph_ewgt(g, a));
    }
}

/* Whether another vertex precedes v with this gain. */
static bool is_late(const clv_heap *heap, int32_t v, int64_t gain)
{
    int32_t top = heap->count > 0 ? clv_heap_top(heap) : -1;
    return top >= 0 && (heap->key[top] > gain || (heap->key[top] == gain && top < v));
}

static void visit(pass *t, int32_t v)
{
    int64_t best[2], gain;
    look_around(t, v);
    best_gains(t, v, best);
    if (best[0] == INT64_MIN)
        return; /* inside its part */
    if (is_late(&t->heap, v, best[0])) {
        clv_heap_set(&t->heap, v, best[0]);
        return;
    }
    int32_t from = t->s->part[v], to = choose(t, v, best, &gain);
    if (to < 0)
        return;
    if (t->words > 0)
        change_quotient(t, from, to);
    clv_move_log_apply(&t->log, t->s, v, to, gain);
    t->moved[v] = 1;
    touch_neighbours(t, v);
}

static cleave_status run_pass(pass *t, clv_context *ctx, cleave_error *err)
{
    clv_partition_state *s = t->s;
    int64_t cut = s->cut;
    for (int64_t i = 1; t->heap.count > 0; i++) {
        if (i % moves_per_look == 0 && clv_context_stop(ctx))
            break;
        visit(t, clv_heap_pop(&t->heap));
    }
    clv_move_log_rewind(&t->log, s);
    bool acyclic = true;
    cleave_status status = CLEAVE_OK;
    if (t->words > 0 && t->log.best > 0)
        status = clv_ranks_make(s, 0, ctx->ws, &acyclic, err);
    assert(acyclic);
    if (status != CLEAVE_OK) {
        clv_move_log_undo(&t->log, s, 0);
        s->cut = cut;
    }
    return status;
}

/* ---- Initialization --------------------------------------------------------------------- */

static cleave_status open_quotient(pass *t, clv_ws *ws, cleave_error *err)
{
    const clv_partition_state *s = t->s;
    const clv_graph *g = s->g;
    int64_t k = s->bounds.nparts;
    if (k > most_parts)
        return CLEAVE_OK;
    t->words = (int32_t)(k + 63) / 64;
    t->next = clv_ws_zalloc(ws, k * t->words, sizeof *t->next);
    t->arcs = clv_ws_zalloc(ws, k * k, sizeof *t->arcs);
    t->seen = clv_ws_alloc(ws, t->words, sizeof *t->seen);
    t->stack = clv_ws_alloc(ws, k, sizeof *t->stack);
    if (!t->next || !t->arcs || !t->seen || !t->stack)
        return clv_fail_memory(err);
    for (int32_t v = 0; v < g->nvtx; v++)
        for (int64_t a = g->xadj[v]; a < g->xadj[v + 1]; a++)
            count_arcs(t, s->part[v], s->part[g->adj[a]], 1);
    return CLEAVE_OK;
}

static cleave_status open_pass(pass *t, clv_ws *ws, cleave_error *err)
{
    const clv_partition_state *s = t->s;
    int32_t n = s->g->nvtx, k = s->bounds.nparts;
    t->into = clv_ws_zalloc(ws, k, sizeof *t->into);
    t->out = clv_ws_zalloc(ws, k, sizeof *t->out);
    t->tie = clv_ws_zalloc(ws, k, sizeof *t->tie);
    t->part = clv_ws_alloc(ws, k, sizeof *t->part);
    t->moved = clv_ws_alloc(ws, n, sizeof *t->moved);
    t->touched = clv_ws_alloc(ws, n, sizeof *t->touched);
    if (!t->into || !t->out || !t->tie || !t->part || !t->moved || !t->touched)
        return clv_fail_memory(err);
    CLV_TRY(open_quotient(t, ws, err));
    CLV_TRY(clv_heap_init(&t->heap, n, ws, err));
    CLV_TRY(clv_move_log_init(&t->log, s, ws, err));
    for (int32_t v = 0; v < n; v++) {
        int64_t best[2];
        t->moved[v] = clv_state_is_fixed(s, v);
        /* Makes the first move of a neighbour count. */
        t->touched[v] = INT32_MAX - 1;
        if (!s->maybe_boundary[v] || t->moved[v])
            continue;
        look_around(t, v);
        best_gains(t, v, best);
        if (best[0] != INT64_MIN)
            clv_heap_set(&t->heap, v, best[0]);
    }
    return CLEAVE_OK;
}

cleave_status clv_acyckway(clv_partition_state *s, clv_context *ctx, cleave_error *err)
{
    assert(s->rank && s->g->kind == CLEAVE_DAG);
    clv_ws_mark mark = clv_ws_save(ctx->ws);
    pass t = {.s = s};
    cleave_status status = open_pass(&t, ctx->ws, err);
    if (status == CLEAVE_OK)
        status = run_pass(&t, ctx, err);
    clv_ws_restore(ctx->ws, mark);
    assert(status != CLEAVE_OK || clv_ranks_hold(s));
    return status;
}
