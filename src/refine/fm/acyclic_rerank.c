/* SPDX-License-Identifier: Apache-2.0 */
/* refine/fm/acyclic_rerank.c - FM on the exact reachability between parts.
 *
 * The ranks are one of many topological orders of the parts; a move can break them and still
 * leave the quotient graph acyclic.  Here the arcs between any two parts are counted, and each
 * part has a word with the set of parts it reaches.  Transitive closures do not support
 * deletion, so they are recomputed when an arc of the quotient appears or disappears: some
 * thousand operations at most.
 *
 * A move of v to p closes a cycle only if a successor's part reaches p or p reaches a
 * predecessor's part.  Two words usually show that none does.  Otherwise the arcs of v itself
 * may be the only obstacle, so the quotient is tested without them.
 *
 * Gains are gathered from the neighbours when a vertex is evaluated.  A vertex with many
 * neighbours is evaluated again only after a share of them have moved, or when it is first in
 * the queue. */
#include "refine/fm/acyclic_rerank.h"

#include <assert.h>
#include <string.h>

#include "base/queue.h"
#include "refine/state/neighbour_parts.h"

enum { parts = CLV_RERANK_PARTS, looks = 16, moves_between_clocks = 1024 };

typedef struct step {
    int32_t vertex, from;
} step;

/* The connectivity of v. */
typedef struct around {
    uint64_t after, before; /* parts of successors and predecessors */
    int32_t next[parts];    /* arcs to successors, by part; valid in `after` */
    int32_t prev[parts];    /* ... in `before` */
    int64_t weight[parts];  /* of the arcs either way; valid in both */
} around;

typedef struct target {
    int32_t part; /* -1: none */
    int64_t gain;
} target;

typedef struct search {
    clv_partition_state *s;
    clv_context *ctx;
    int64_t arcs[parts][parts]; /* between different parts */
    uint64_t out[parts];        /* direct successors in the quotient graph */
    uint64_t behind[parts];     /* all parts that it reaches */
    uint64_t ahead[parts];      /* all parts that reach it */
    around near;                /* of the current vertex */
    clv_heap heap;              /* vertices by the gain of their best move */
    uint8_t *locked;            /* nvtx */
    int32_t *waits;             /* nvtx: changes since it was evaluated, times `looks` */
    step *steps;
    int32_t nsteps;
    int64_t overload; /* of s, kept up to date */
} search;

static inline uint64_t bit(int32_t p)
{
    return UINT64_C(1) << p;
}

/* ---- The quotient graph ----------------------------------------------------------------- */

static void count_arcs(search *x)
{
    const clv_graph *g = x->s->g;
    memset(x->arcs, 0, sizeof x->arcs);
    for (int32_t v = 0; v < g->nvtx; v++)
        for (int64_t a = g->xadj[v]; a < g->xadj[v + 1]; a++)
            x->arcs[x->s->part[v]][x->s->part[g->adj[a]]]++;
    for (int32_t p = 0; p < x->s->bounds.nparts; p++)
        x->arcs[p][p] = 0;
}

/* New ranks that keep the old order where possible; false when there is a cycle.
 * O(parts^2). */
static bool renew_ranks(int32_t k, const uint64_t *out, int32_t *rank)
{
    int32_t label[parts];
    uint64_t left = k == parts ? ~UINT64_C(0) : bit(k) - 1;
    for (int32_t p = 0; p < k; p++)
        label[rank[p]] = p;
    /* From the last to the first: a part can be placed after all parts behind it. */
    int32_t place = k, r = k - 1;
    while (left) {
        while (r >= 0 && (!(left & bit(label[r])) || (out[label[r]] & left)))
            r--;
        if (r < 0)
            return false;
        rank[label[r]] = --place;
        left &= ~bit(label[r]);
        r = k - 1;
    }
    return true;
}

/* Computes the closures from the direct arcs, along the ranks. */
static void close_arcs(search *x)
{
    int32_t k = x->s->bounds.nparts, label[parts];
    for (int32_t p = 0; p < k; p++) {
        label[x->s->rank[p]] = p;
        x->ahead[p] = 0;
    }
    for (int32_t r = k; r-- > 0;) {
        uint64_t all = x->out[label[r]];
        for (uint64_t rest = all; rest; rest &= rest - 1)
            all |= x->behind[__builtin_ctzll(rest)];
        x->behind[label[r]] = all;
    }
    for (int32_t r = 0; r < k; r++) {
        uint64_t all = x->ahead[label[r]] | bit(label[r]);
        for (uint64_t rest = x->out[label[r]]; rest; rest &= rest - 1)
            x->ahead[__builtin_ctzll(rest)] |= all;
    }
}

static void find_arcs(search *x, uint64_t *out)
{
    for (int32_t p = 0; p < x->s->bounds.nparts; p++) {
        out[p] = 0;
        for (int32_t q = 0; q < x->s->bounds.nparts; q++)
            out[p] |= x->arcs[p][q] > 0 ? bit(q) : 0;
    }
}

static void renew_quotient(search *x)
{
    find_arcs(x, x->out);
    bool acyclic = renew_ranks(x->s->bounds.nparts, x->out, x->s->rank);
    assert(acyclic);
    (void)acyclic;
    close_arcs(x);
}

/* ---- Evaluating a vertex ---------------------------------------------------------------- */

static void look_around(search *x, int32_t v)
{
    const clv_partition_state *s = x->s;
    const clv_graph *g = s->g;
    around *n = &x->near;
    n->after = n->before = 0;
    for (int64_t a = g->xadj[v]; a < g->xadj[v + 1]; a++) {
        int32_t p = s->part[g->adj[a]];
        if (!(n->after & bit(p))) {
            n->after |= bit(p);
            n->next[p] = 0;
            n->weight[p] = 0;
        }
        n->next[p]++;
        n->weight[p] += clv_graph_ewgt(g, a);
    }
    for (int64_t a = g->xpred[v]; a < g->xpred[v + 1]; a++) {
        int32_t p = s->part[g->pred[a]];
        if (!(n->before & bit(p))) {
            n->before |= bit(p);
            n->prev[p] = 0;
            if (!(n->after & bit(p)))
                n->weight[p] = 0;
        }
        n->prev[p]++;
        n->weight[p] += clv_graph_pwgt(g, a);
    }
}

/* Moves the arcs of the current vertex between parts of its neighbours. */
static void shift_arcs(search *x, int32_t from, int32_t to)
{
    for (uint64_t rest = x->near.after; rest; rest &= rest - 1) {
        int32_t q = __builtin_ctzll(rest);
        x->arcs[from][q] -= q != from ? x->near.next[q] : 0;
        x->arcs[to][q] += q != to ? x->near.next[q] : 0;
    }
    for (uint64_t rest = x->near.before; rest; rest &= rest - 1) {
        int32_t q = __builtin_ctzll(rest);
        x->arcs[q][from] -= q != from ? x->near.prev[q] : 0;
        x->arcs[q][to] += q != to ? x->near.prev[q] : 0;
    }
}

static bool keeps_acyclic(search *x, int32_t from, int32_t to)
{
    const around *n = &x->near;
    if (!(x->ahead[to] & n->after) && !(x->behind[to] & n->before))
        return true;
    /* Not possible with all arcs.  Those of the vertex itself move with it; that matters only
     * when one of them was the last between its parts. */
    bool last = false;
    for (uint64_t rest = n->after & ~bit(from); rest; rest &= rest - 1)
        last |= x->arcs[from][__builtin_ctzll(rest)] == n->next[__builtin_ctzll(rest)];
    for (uint64_t rest = n->before & ~bit(from); rest; rest &= rest - 1)
        last |= x->arcs[__builtin_ctzll(rest)][from] == n->prev[__builtin_ctzll(rest)];
    if (!last)
        return false;
    uint64_t out[parts];
    int32_t rank[parts];
    memcpy(rank, x->s->rank, (size_t)x->s->bounds.nparts * sizeof rank[0]);
    shift_arcs(x, from, to);
    find_arcs(x, out);
    shift_arcs(x, to, from);
    return renew_ranks(x->s->bounds.nparts, out, rank);
}

static bool has_room(const search *x, int32_t v, int32_t to)
{
    return clv_state_fits(x->s, v, to) ||
           (x->overload > 0 && clv_state_overload_change(x->s, v, to) < 0);
}

/* The cost of the arcs of the current vertex at place p. */
static int64_t cost_at(const search *x, int32_t p)
{
    int64_t cost = 0;
    for (uint64_t rest = x->near.after | x->near.before; rest; rest &= rest - 1) {
        int32_t q = __builtin_ctzll(rest);
        cost += clv_state_cost(x->s, x->near.weight[q], p, q);
    }
    return cost;
}

/* The best possible move of v to the part of a neighbour.  One of the two parts then reaches
 * the other by an arc of v itself, so that a vertex with predecessors and successors in its
 * own part is rejected. */
static target best_target(search *x, int32_t v)
{
    const clv_partition_state *s = x->s;
    target best = {-1, 0};
    if (!clv_state_may_leave(s, v))
        return best;
    look_around(x, v);
    int32_t own = s->part[v];
    uint64_t all = x->near.after | x->near.before;
    int64_t inside = all & bit(own) ? x->near.weight[own] : 0;
    int64_t here = s->machine ? cost_at(x, own) : 0;
    for (uint64_t rest = all & ~bit(own); rest; rest &= rest - 1) {
        int32_t p = __builtin_ctzll(rest);
        int64_t gain = s->machine ? here - cost_at(x, p) : x->near.weight[p] - inside;
        if ((best.part < 0 || gain > best.gain) && has_room(x, v, p) &&
            keeps_acyclic(x, own, p))
            best = (target){p, gain};
    }
    return best;
}

static void look(search *x, int32_t v)
{
    target best = best_target(x, v);
    x->waits[v] = 0;
    if (best.part >= 0)
        clv_heap_set(&x->heap, v, best.gain);
    else
        clv_heap_remove(&x->heap, v);
}

static void update_neighbours(search *x, const int32_t *row, int64_t count)
{
    const clv_graph *g = x->s->g;
    for (int64_t i = 0; i < count; i++) {
        int32_t u = row[i];
        int64_t degree = g->xadj[u + 1] - g->xadj[u] + g->xpred[u + 1] - g->xpred[u];
        if (x->locked[u] || clv_state_is_fixed(x->s, u))
            continue;
        x->waits[u] += looks;
        if (x->waits[u] >= degree)
            look(x, u);
    }
}

/* ---- Passes ----------------------------------------------------------------------------- */

static void shift_weight(search *x, int32_t v, int32_t to)
{
    x->overload += clv_state_overload_change(x->s, v, to);
    clv_state_move(x->s, v, to);
    clv_state_mark(x->s, v);
}

/* v is the current vertex. */
static void move(search *x, int32_t v, target to)
{
    const clv_graph *g = x->s->g;
    int32_t from = x->s->part[v];
    x->steps[x->nsteps++] = (step){v, from};
    x->locked[v] = 1;
    shift_arcs(x, from, to.part);
    uint64_t old[parts];
    memcpy(old, x->out, sizeof old);
    find_arcs(x, x->out);
    if (memcmp(old, x->out, (size_t)x->s->bounds.nparts * sizeof old[0]) != 0)
        renew_quotient(x);
    shift_weight(x, v, to.part);
    x->s->cut -= to.gain;
    update_neighbours(x, g->adj + g->xadj[v], g->xadj[v + 1] - g->xadj[v]);
    update_neighbours(x, g->pred + g->xpred[v], g->xpred[v + 1] - g->xpred[v]);
}

static void take_back(search *x, int32_t kept)
{
    while (x->nsteps > kept) {
        step last = x->steps[--x->nsteps];
        look_around(x, last.vertex);
        shift_arcs(x, x->s->part[last.vertex], last.from);
        shift_weight(x, last.vertex, last.from);
        x->locked[last.vertex] = 0;
    }
    renew_quotient(x);
}

/* The first vertex of the queue after its key is exact; -1: none. */
static int32_t pick(search *x, target *to)
{
    while (x->heap.count > 0) {
        int32_t v = clv_heap_top(&x->heap);
        int64_t key = x->heap.key[v];
        *to = best_target(x, v);
        if (to->part >= 0 && to->gain >= key) {
            clv_heap_remove(&x->heap, v);
            return v;
        }
        if (to->part >= 0)
            clv_heap_set(&x->heap, v, to->gain);
        else
            clv_heap_remove(&x->heap, v);
    }
    return -1;
}

/* Returns whether the pass improved the solution. */
static bool run_pass(search *x, const clv_acyclic_rerank_params *params)
{
    clv_partition_state *s = x->s;
    int32_t *list = (int32_t *)x->steps, n = clv_state_boundary(s, list), kept = 0;
    for (int32_t i = 0; i < n; i++)
        if (!clv_state_is_fixed(s, list[i]))
            look(x, list[i]);
    clv_worth start = {x->overload, s->cut}, best = start;
    x->nsteps = 0;
    while (x->nsteps - kept <= params->patience) {
        target to;
        int32_t v = pick(x, &to);
        if (v < 0 || ((x->nsteps + 1) % moves_between_clocks == 0 && clv_context_stop(x->ctx)))
            break;
        move(x, v, to);
        clv_worth now = {x->overload, s->cut};
        if (clv_worth_better(now, best)) {
            best = now;
            kept = x->nsteps;
        }
    }
    clv_heap_clear(&x->heap);
    take_back(x, kept);
    for (int32_t i = 0; i < kept; i++)
        x->locked[x->steps[i].vertex] = 0;
    s->cut = best.cut;
    return clv_worth_better(best, start);
}

static cleave_status run_passes(search *x, const clv_acyclic_rerank_params *params,
                                bool *better, cleave_error *err)
{
    int32_t n = x->s->g->nvtx;
    clv_ws *ws = x->ctx->ws;
    x->locked = clv_ws_zalloc(ws, n, sizeof *x->locked);
    x->waits = clv_ws_zalloc(ws, n, sizeof *x->waits);
    x->steps = clv_ws_alloc(ws, n, sizeof *x->steps);
    if (!x->locked || !x->waits || !x->steps)
        return clv_fail_memory(err);
    CLV_TRY(clv_heap_init(&x->heap, n, ws, err));
    x->overload = clv_state_overload(x->s);
    count_arcs(x);
    renew_quotient(x);
    for (int32_t pass = 0; pass < params->passes; pass++) {
        if (!run_pass(x, params))
            break;
        *better = true;
        if (clv_context_stop(x->ctx))
            break;
    }
    return CLEAVE_OK;
}

cleave_status clv_acyclic_rerank(clv_partition_state *s,
                                 const clv_acyclic_rerank_params *params, clv_context *ctx,
                                 bool *better, cleave_error *err)
{
    assert(s->bounds.nparts <= CLV_RERANK_PARTS);
    *better = false;
    clv_ws_mark mark = clv_ws_save(ctx->ws);
    search *x = clv_ws_alloc(ctx->ws, 1, sizeof *x);
    if (!x)
        return clv_fail_memory(err);
    *x = (search){.s = s, .ctx = ctx};
    cleave_status status = run_passes(x, params, better, err);
    clv_ws_restore(ctx->ws, mark);
    return status;
}
