/* SPDX-License-Identifier: Apache-2.0 */
/* refine/balance/rebalance_swap.c - rebalancing by swaps of two vertices, the last resort.
 *
 * With coarse weights no single vertex may fit anywhere although swapping a heavy one for a
 * lighter one would help.  Parts outside their bounds offer vertices of different weights, and
 * so do all other parts.  Each of the former is swapped with the best of the latter.  Both
 * lists are bounded: a step costs O(nvtx) plus the pairs it evaluates, which are bounded by
 * the size of the graph (clv_rebalance_most_pairs).  Bounds that cannot be met are frequent
 * with several weights, and must not cost a hundred times the rest of the search. */
#include "base/rng.h"
#include "base/sort.h"
#include "refine/balance/rebalance.h"
#include "refine/gain/gain_code.h"
#include "refine/state/neighbour_parts.h"

enum {
    most_steps = 64,
    most_bad = 128,   /* offers of parts outside their bounds */
    most_good = 1024, /* offers of the others */
    stage = 0x737770  /* mixed into the seeds of random numbers */
};

typedef struct offers {
    clv_sort_item *items, *scratch; /* nvtx each */
    int32_t bad[most_bad], good[most_good];
    int32_t nbad, ngood;
} offers;

static bool is_bad(const clv_partition_state *s, int32_t p)
{
    for (int32_t c = 0; c < s->g->ncon; c++) {
        int64_t i = (int64_t)p * s->g->ncon + c;
        if (clv_bounds_excess(&s->bounds, i, s->weight[i]) > 0)
            return true;
    }
    return false;
}

/* Only one of several vertices with the same key is offered.  For weights beyond 31 bits,
 * which coarse vertices have, the leading bits decide.  With several constraints nearly every
 * vertex is different, and the first by a hash represent all. */
static int64_t offer_key(const clv_partition_state *s, int32_t v, uint64_t salt)
{
    if (s->g->ncon > 1)
        return (int64_t)(clv_hash64(salt ^ (uint64_t)v) >> 20);
    return clv_gain_code(clv_graph_vwgt(s->g, v, 0)) << 31 | s->part[v];
}

/* Vertices in bad (or in other) parts with different keys, evenly spread over the keys. */
static int32_t collect(const clv_partition_state *s, offers *o, bool bad, uint64_t salt,
                       int32_t *list, int32_t most)
{
    int64_t n = 0, different = 0;
    for (int32_t v = 0; v < s->g->nvtx; v++)
        if (!clv_state_is_fixed(s, v) && is_bad(s, s->part[v]) == bad)
            o->items[n++] = (clv_sort_item){offer_key(s, v, salt), {v}};
    clv_sort_item *sorted = clv_sort(o->items, o->scratch, n);
    for (int64_t i = 0; i < n; i++)
        if (i == 0 || sorted[i].key != sorted[i - 1].key)
            sorted[different++] = sorted[i];
    int32_t count = different < most ? (int32_t)different : most;
    for (int32_t i = 0; i < count; i++)
        list[i] = (int32_t)sorted[count < different ? i * different / count : i].with.index;
    return count;
}

static int64_t swap_change(const clv_partition_state *s, int32_t v, int32_t u)
{
    const clv_graph *g = s->g;
    int64_t change = 0;
    for (int32_t c = 0; c < g->ncon; c++) {
        int64_t more = (int64_t)clv_graph_vwgt(g, u, c) - clv_graph_vwgt(g, v, c);
        int64_t i = (int64_t)s->part[v] * g->ncon + c, j = (int64_t)s->part[u] * g->ncon + c;
        int64_t w = s->weight[i], x = s->weight[j];
        change +=
            clv_bounds_excess(&s->bounds, i, w + more) - clv_bounds_excess(&s->bounds, i, w);
        change +=
            clv_bounds_excess(&s->bounds, j, x - more) - clv_bounds_excess(&s->bounds, j, x);
    }
    return change;
}

/* The gain of moving v to part `to`. */
static int64_t gain_of(const clv_partition_state *s, int32_t v, int32_t to)
{
    const clv_graph *g = s->g;
    int64_t gain = 0;
    for (int64_t a = g->xadj[v]; a < g->xadj[v + 1]; a++) {
        int32_t p = s->part[g->adj[a]];
        int64_t w = clv_graph_ewgt(g, a);
        gain += clv_state_cost(s, w, s->part[v], p) - clv_state_cost(s, w, to, p);
    }
    return gain;
}

static void relocate(clv_partition_state *s, int32_t v, int32_t to)
{
    s->cut -= gain_of(s, v, to);
    clv_state_move(s, v, to);
    clv_state_mark(s, v);
}

/* The offer with the best swap for v; -1: none. */
static int32_t find_partner(clv_partition_state *s, const offers *o, int32_t v)
{
    int64_t least = 0;
    int32_t best = -1;
    s->pairs_looked_at += o->ngood + o->nbad;
    /* Two parts outside their bounds can help each other, too. */
    for (int32_t j = 0; j < o->ngood + o->nbad; j++) {
        int32_t u = j < o->ngood ? o->good[j] : o->bad[j - o->ngood];
        if (s->part[u] == s->part[v])
            continue;
        int64_t change = swap_change(s, v, u);
        if (change < least) {
            least = change;
            best = u;
        }
    }
    return best;
}

/* Every offer of a bad part gets its best partner at once: where thousands of swaps are
 * needed, evaluating all pairs for each of them would take hours.  True: one was found. */
static bool swap_offers(clv_partition_state *s, const offers *o)
{
    bool any = false;
    for (int32_t i = 0; i < o->nbad; i++) {
        int32_t v = o->bad[i], u = find_partner(s, o, v);
        if (u < 0)
            continue;
        int32_t p = s->part[v], q = s->part[u];
        relocate(s, v, q);
        relocate(s, u, p);
        any = true;
    }
    return any;
}

cleave_status clv_rebalance_swap(clv_partition_state *s, clv_context *ctx, cleave_error *err)
{
    clv_ws_mark mark = clv_ws_save(&ctx->ws[0]);
    offers *o = clv_ws_alloc(&ctx->ws[0], 1, sizeof *o);
    if (o) {
        o->items = clv_ws_alloc(&ctx->ws[0], s->g->nvtx, sizeof o->items[0]);
        o->scratch = clv_ws_alloc(&ctx->ws[0], s->g->nvtx, sizeof o->scratch[0]);
    }
    if (!o || !o->items || !o->scratch) {
        clv_ws_restore(&ctx->ws[0], mark);
        return clv_fail_memory(err);
    }
    bool more = true;
    int64_t end = s->pairs_looked_at + clv_rebalance_most_pairs(s->g->nvtx);
    for (uint64_t step = 0;
         step < most_steps && more && s->pairs_looked_at < end && !clv_context_stop(ctx);
         step++) {
        uint64_t salt = clv_hash64(clv_hash64(ctx->seed ^ stage) ^ (uint64_t)s->level) ^ step;
        salt = clv_hash64(salt);
        o->nbad = collect(s, o, true, salt, o->bad, most_bad);
        o->ngood = collect(s, o, false, salt, o->good, most_good);
        more = swap_offers(s, o);
    }
    clv_ws_restore(&ctx->ws[0], mark);
    return CLEAVE_OK;
}
