/* SPDX-License-Identifier: Apache-2.0 */
/* refine/dagp/topref.c - see refine/dagp/topref.h.
 *
 * For each vertex, the highest rank among the parts of its predecessors is stored, with the
 * number of predecessors of that rank and the weight of their arcs; for its successors the
 * same for the lowest rank.  These two ends give the part it can move to and the gain.  A move
 * of a neighbour changes them in O(1), except for a new scan when the last neighbour at the
 * end has left.  Inputs that are read a hundred thousand times do not take longer than
 * others. */
#include "refine/dagp/topref.h"

#include <assert.h>

#include "base/pairing_heap.h"
#include "base/queue.h"
#include "refine/state/move_log.h"
#include "refine/state/rank_ends.h"
#include "refine/state/ranks.h"

enum { most_ties = 64, moves_per_look = 1024 };

typedef struct pass {
    clv_partition_state *s;
    const int32_t *at;        /* rank -> part */
    clv_rank_end *low, *high; /* nvtx each */
    int32_t *to;              /* target part of a vertex in the heaps */
    clv_pairing_heaps heaps;  /* vertices by the part they are in; ties: smaller vertex */
    clv_heap sources;         /* parts whose heaps are not empty, by their best gain */
    clv_heap loads;           /* all parts, by their load */
    uint8_t *moved;           /* or fixed */
    clv_move_log log;
} pass;

/* ---- Ends ------------------------------------------------------------------------------- */

/* A neighbour has moved from one rank to another.  False: none is left at the end. */
static bool shift(clv_rank_end *e, bool beyond, int32_t from, int32_t to, int64_t wgt)
{
    if (beyond)
        *e = (clv_rank_end){to, 0, 0};
    else if (from == e->rank) {
        e->count--;
        e->weight -= wgt;
    }
    if (to == e->rank) {
        e->count++;
        e->weight += wgt;
    }
    return e->count > 0;
}

/* ---- The queue -------------------------------------------------------------------------- */

static void refresh_source(pass *t, int32_t p)
{
    int32_t top = t->heaps.root[p];
    if (top < 0)
        clv_heap_remove(&t->sources, p);
    else if (!clv_heap_has(&t->sources, p) || t->sources.key[p] != t->heaps.item[top].key)
        clv_heap_set(&t->sources, p, t->heaps.item[top].key);
}

static void take_out(pass *t, int32_t v)
{
    int32_t p = t->s->part[v];
    clv_pairing_remove(&t->heaps, v);
    refresh_source(t, p);
}

/* The part v can move to, and the gain; its own part when it cannot move.  A vertex without
 * neighbours on a side can move to the next part there. */
static int32_t target_of(const pass *t, int32_t v, int64_t *gain)
{
    const clv_rank_end *low = &t->low[v], *high = &t->high[v];
    int32_t own = clv_rank_of(t->s, v), last = t->s->bounds.nparts - 1;
    int32_t below = low->count ? low->rank : own > 0 ? own - 1 : own;
    int32_t above = high->count ? high->rank : own < last ? own + 1 : own;
    int64_t down = clv_rank_gain(low, high, own), up = clv_rank_gain(high, low, own);
    bool goes_up = above > own && (below == own || up > down);
    *gain = goes_up ? up : down;
    return t->at[goes_up ? above : below];
}

static void refresh(pass *t, int32_t v)
{
    if (t->moved[v])
        return;
    int64_t gain;
    int32_t to = target_of(t, v, &gain), own = t->s->part[v];
    bool inside = t->heaps.item[v].heap >= 0;
    t->to[v] = to;
    if (inside && to != own && gain == t->heaps.item[v].key)
        return;
    if (inside)
        clv_pairing_remove(&t->heaps, v);
    if (to != own)
        clv_pairing_insert(&t->heaps, own, v, gain, -v);
    if (inside || to != own)
        refresh_source(t, own);
}

/* ---- Selecting the next move ------------------------------------------------------------ */

/* The largest excess over a bound of a part, with v added or removed. */
static int64_t load_with(const clv_partition_state *s, int32_t p, int32_t v, int sign)
{
    int64_t load = INT64_MIN;
    for (int32_t c = 0; c < s->g->ncon; c++) {
        int64_t i = (int64_t)p * s->g->ncon + c;
        int64_t here =
            s->weight[i] - s->bounds.max[i] + (sign ? sign * clv_graph_vwgt(s->g, v, c) : 0);
        load = here > load ? here : load;
    }
    return load;
}

typedef struct worth {
    int64_t largest; /* load of the fullest part after the move */
    int64_t larger;  /* of the two parts concerned */
} worth;

/* The three fullest parts, the fullest first; they are among the first seven of the heap. */
static int list_fullest(const pass *t, int32_t fullest[3])
{
    int count = 0;
    for (int32_t i = 0; i < 7 && i < t->loads.count; i++) {
        int32_t p = t->loads.item[i];
        int place = count < 3 ? count++ : 3;
        for (; place > 0 && t->loads.key[fullest[place - 1]] < t->loads.key[p]; place--)
            if (place < 3)
                fullest[place] = fullest[place - 1];
        if (place < 3)
            fullest[place] = p;
    }
    return count;
}

static worth worth_of(const pass *t, int32_t v, const int32_t *fullest, int count)
{
    const clv_partition_state *s = t->s;
    int32_t from = s->part[v], to = t->to[v];
    int64_t a = load_with(s, from, v, -1), b = load_with(s, to, v, 1);
    worth w;
    w.larger = w.largest = a > b ? a : b;
    int i = 0;
    while (i < count && (fullest[i] == from || fullest[i] == to))
        i++;
    if (i < count && t->loads.key[fullest[i]] > w.largest)
        w.largest = t->loads.key[fullest[i]];
    return w;
}

/* Compares the best vertices of all parts that have one of the best gain (of 64 parts, where
 * there are more): those parts are a top section of the heap. */
static int32_t next_move(const pass *t)
{
    int32_t stack[most_ties], height = 0, seen = 0, best = -1;
    int64_t gain = t->sources.key[clv_heap_top(&t->sources)];
    worth best_worth = {0, 0};
    int32_t fullest[3];
    int nfullest = list_fullest(t, fullest);
    stack[height++] = 0;
    while (height > 0 && seen++ < most_ties) {
        int32_t i = stack[--height], v = t->heaps.root[t->sources.item[i]];
        worth w = worth_of(t, v, fullest, nfullest);
        if (best < 0 || w.largest < best_worth.largest ||
            (w.largest == best_worth.largest &&
             (w.larger < best_worth.larger || (w.larger == best_worth.larger && v < best)))) {
            best = v;
            best_worth = w;
        }
        for (int64_t j = clv_heap_child(i) + 1; j >= clv_heap_child(i); j--)
            if (j < t->sources.count && t->sources.key[t->sources.item[j]] == gain &&
                height < most_ties)
                stack[height++] = (int32_t)j;
    }
    return best;
}

/* ---- Moving ----------------------------------------------------------------------------- */

static void update_neighbours(pass *t, int32_t v, int32_t from, int32_t to)
{
    const clv_graph *g = t->s->g;
    for (int64_t a = g->xadj[v]; a < g->xadj[v + 1]; a++) {
        int32_t u = g->adj[a];
        clv_rank_end *e = &t->low[u];
        if (!shift(e, to > e->rank, from, to, clv_graph_ewgt(g, a)))
            *e = clv_rank_low(t->s, u);
        refresh(t, u);
    }
    for (int64_t a = g->xpred[v]; a < g->xpred[v + 1]; a++) {
        int32_t u = g->pred[a];
        clv_rank_end *e = &t->high[u];
        if (!shift(e, to < e->rank, from, to, clv_graph_pwgt(g, a)))
            *e = clv_rank_high(t->s, u);
        refresh(t, u);
    }
}

static void apply(pass *t, int32_t v)
{
    clv_partition_state *s = t->s;
    int32_t from = s->part[v], to = t->to[v];
    clv_move_log_apply(&t->log, s, v, to, t->heaps.item[v].key);
    t->moved[v] = 1;
    clv_heap_set(&t->loads, from, load_with(s, from, v, 0));
    clv_heap_set(&t->loads, to, load_with(s, to, v, 0));
    update_neighbours(t, v, s->rank[from], s->rank[to]);
}

static void run_pass(pass *t, clv_context *ctx)
{
    for (int64_t i = 1; t->sources.count > 0; i++) {
        if (i % moves_per_look == 0 && clv_context_stop(ctx))
            break;
        int32_t v = next_move(t);
        take_out(t, v);
        if (clv_state_fits(t->s, v, t->to[v]) && clv_state_may_leave(t->s, v))
            apply(t, v);
    }
    clv_move_log_rewind(&t->log, t->s);
}

/* ---- Initialization --------------------------------------------------------------------- */

static cleave_status open_pass(pass *t, clv_ws *ws, cleave_error *err)
{
    const clv_partition_state *s = t->s;
    int32_t n = s->g->nvtx, k = s->bounds.nparts;
    int32_t *at = clv_ws_alloc(ws, k, sizeof *at);
    t->low = clv_ws_alloc(ws, n, sizeof *t->low);
    t->high = clv_ws_alloc(ws, n, sizeof *t->high);
    t->to = clv_ws_alloc(ws, n, sizeof *t->to);
    t->moved = clv_ws_zalloc(ws, n, sizeof *t->moved);
    if (!at || !t->low || !t->high || !t->to || !t->moved)
        return clv_fail_memory(err);
    CLV_TRY(clv_move_log_init(&t->log, s, ws, err));
    CLV_TRY(clv_pairing_init(&t->heaps, n, k, ws, err));
    CLV_TRY(clv_heap_init(&t->sources, k, ws, err));
    CLV_TRY(clv_heap_init(&t->loads, k, ws, err));
    for (int32_t p = 0; p < k; p++) {
        at[s->rank[p]] = p;
        clv_heap_set(&t->loads, p, load_with(s, p, 0, 0));
    }
    t->at = at;
    for (int32_t v = 0; v < n; v++) {
        t->moved[v] = clv_state_is_fixed(s, v);
        t->low[v] = clv_rank_low(s, v);
        t->high[v] = clv_rank_high(s, v);
        clv_pairing_forget(&t->heaps, v);
        refresh(t, v);
    }
    return CLEAVE_OK;
}

cleave_status clv_topref(clv_partition_state *s, clv_context *ctx, cleave_error *err)
{
    assert(s->rank && s->g->kind == CLEAVE_DAG);
    clv_ws_mark mark = clv_ws_save(ctx->ws);
    pass t = {.s = s};
    cleave_status status = open_pass(&t, ctx->ws, err);
    if (status == CLEAVE_OK)
        run_pass(&t, ctx);
    clv_ws_restore(ctx->ws, mark);
    assert(status != CLEAVE_OK || clv_ranks_hold(s));
    return status;
}
