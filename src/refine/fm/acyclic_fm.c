/* SPDX-License-Identifier: Apache-2.0 */
/* refine/fm/acyclic_fm.c - FM on the boundary of an acyclic partition.
 *
 * Every vertex that was evaluated has an entry with the two ends of refine/state/rank_ends.h:
 * they give the parts above and below to which it can move, and the gains.  A move of a
 * neighbour changes an end in O(1), except when the last neighbour at the end leaves it, so
 * that a vertex with thousands of successors is not scanned for each of them.  Ends do not
 * depend on the part of the vertex itself; they stay valid through moves and rollbacks, and
 * later passes reuse them.
 *
 * There is one queue per part, of the vertices that gain most by moving there.  The queue of a
 * part without capacity stays closed until a vertex leaves the part.
 *
 * With a machine the ends still bound the moves of a vertex, but gains need a scan of all its
 * neighbours (refine/gain/acyclic_gain.h).  A vertex with many neighbours is evaluated again
 * after a share of them have moved, or when it is first in the queue. */
#include "refine/fm/acyclic_fm.h"

#include <assert.h>
#include <string.h>

#include "base/pairing_heap.h"
#include "base/queue.h"
#include "refine/fm/acyclic_rerank.h"
#include "refine/gain/acyclic_gain.h"
#include "refine/state/rank_ends.h"

enum { up = 0, down = 1, most_turns = 3, moves_between_clocks = 4096, small_level = 5000 };
enum { looks = 16, most_waits = 60000 }; /* for vertices with many neighbours */

typedef struct entry {
    int32_t vertex;
    bool locked;    /* has moved in this pass, or is fixed */
    uint16_t waits; /* machine: neighbours that have moved since it was evaluated */
    clv_rank_end high, low;
} entry;

typedef struct step {
    int32_t entry, from;
} step;

typedef struct search {
    clv_partition_state *s;
    clv_context *ctx;
    int32_t *index;      /* nvtx: vertex -> entry, -1: none yet */
    entry *known;        /* capacity for all vertices */
    int32_t count;       /* entries */
    int32_t *label;      /* nparts: rank -> part */
    clv_pairing_heaps q; /* by part; item 2 * entry + direction; ties: the newest */
    int64_t stamp;       /* of the newest item */
    clv_heap open;       /* parts with a queue and capacity */
    step *steps;         /* of a pass */
    int32_t nsteps;
    int64_t overload;                    /* of s, kept up to date */
    clv_neighbour_parts neighbour_parts; /* of the current vertex; machine */
} search;

/* ---- Entries ---------------------------------------------------------------------------- */

static void forget_items(search *x, int32_t i)
{
    clv_pairing_forget(&x->q, 2 * i);
    clv_pairing_forget(&x->q, 2 * i + 1);
}

static int32_t add_entry(search *x, int32_t v)
{
    int32_t i = x->index[v];
    if (i >= 0)
        return i;
    i = x->count++;
    x->index[v] = i;
    x->known[i] = (entry){.vertex = v,
                          .locked = clv_state_is_fixed(x->s, v),
                          .high = clv_rank_high(x->s, v),
                          .low = clv_rank_low(x->s, v)};
    forget_items(x, i);
    return i;
}

/* A successor moved between ranks over an arc of weight w. */
static void shift_high(search *x, entry *e, int32_t from, int32_t to, int64_t w)
{
    clv_rank_end *end = &e->high;
    if (from == end->rank) {
        end->count--;
        end->weight -= w;
    }
    if (to < end->rank)
        *end = (clv_rank_end){to, 1, w};
    else if (to == end->rank)
        *end = (clv_rank_end){to, end->count + 1, end->weight + w};
    else if (end->count == 0)
        *end = clv_rank_high(x->s, e->vertex);
}

static void shift_low(search *x, entry *e, int32_t from, int32_t to, int64_t w)
{
    clv_rank_end *end = &e->low;
    if (from == end->rank) {
        end->count--;
        end->weight -= w;
    }
    if (to > end->rank)
        *end = (clv_rank_end){to, 1, w};
    else if (to == end->rank)
        *end = (clv_rank_end){to, end->count + 1, end->weight + w};
    else if (end->count == 0)
        *end = clv_rank_low(x->s, e->vertex);
}

/* ---- Queues ----------------------------------------------------------------------------- */

/* Called when the first item of the queue of part p or the capacity of the part changes. */
static void refresh(search *x, int32_t p)
{
    if (x->q.root[p] < 0) {
        clv_heap_remove(&x->open, p);
        return;
    }
    /* Among equal gains the emptiest part first. */
    const clv_partition_state *s = x->s;
    int64_t most = INT64_C(1) << 46, gain = x->q.item[x->q.root[p]].key;
    int64_t max = s->bounds.max[(int64_t)p * s->g->ncon],
            w = s->weight[(int64_t)p * s->g->ncon];
    int64_t room = w < max ? (int64_t)(65535 * ((double)(max - w) / (double)max)) : 0;
    gain = gain > most ? most : gain < -most ? -most : gain;
    clv_heap_set(&x->open, p, gain * 65536 + room);
}

static void unqueue(search *x, int32_t item)
{
    int32_t p = x->q.item[item].heap;
    if (p < 0)
        return;
    bool first = x->q.root[p] == item;
    clv_pairing_remove(&x->q, item);
    if (first)
        refresh(x, p);
}

static void enqueue(search *x, int32_t item, int32_t rank, int64_t gain)
{
    int32_t p = x->label[rank];
    const clv_pairing_item *old = &x->q.item[item];
    if (old->heap == p && old->key == gain)
        return;
    unqueue(x, item);
    clv_pairing_insert(&x->q, p, item, gain, ++x->stamp);
    if (x->q.root[p] == item)
        refresh(x, p);
}

static bool is_allowed(const search *x, int32_t v, int32_t to)
{
    return clv_state_fits(x->s, v, to) ||
           (x->overload > 0 && clv_state_overload_change(x->s, v, to) < 0);
}

/* The best part for the current vertex between ranks own and end; parts with capacity
 * first. */
static void enqueue_best(search *x, int32_t item, int32_t own, int32_t end, int64_t here)
{
    const clv_partition_state *s = x->s;
    int32_t best = -1;
    int64_t most = 0;
    bool open = false;
    for (int32_t r = own, next; (next = clv_acyclic_next(r, own, end)) != r; r = next) {
        int64_t gain =
            here - clv_mapping_cost(s->machine, &x->neighbour_parts, x->label[next]);
        bool room = is_allowed(x, x->known[item / 2].vertex, x->label[next]);
        if (best >= 0 && (room < open || (room == open && gain <= most)))
            continue;
        best = next;
        most = gain;
        open = room;
    }
    if (best >= 0)
        enqueue(x, item, best, most);
    else
        unqueue(x, item);
}

/* The same as requeue, with a machine. */
static void requeue_place(search *x, int32_t i)
{
    const clv_partition_state *s = x->s;
    entry *e = &x->known[i];
    int32_t own = clv_rank_of(s, e->vertex), last = s->bounds.nparts - 1;
    clv_acyclic_gather(&x->neighbour_parts, s, e->vertex);
    int64_t here = clv_mapping_cost(s->machine, &x->neighbour_parts, s->part[e->vertex]);
    enqueue_best(x, 2 * i + up, own, e->high.rank > last ? last : e->high.rank, here);
    enqueue_best(x, 2 * i + down, own, e->low.rank < 0 ? 0 : e->low.rank, here);
    clv_neighbour_parts_clear(&x->neighbour_parts);
    e->waits = 0;
}

/* Requeues entry i by its ends.  A vertex without successors, or without predecessors, can
 * move to the next part: such moves only free others. */
static void requeue(search *x, int32_t i)
{
    const entry *e = &x->known[i];
    int32_t own = clv_rank_of(x->s, e->vertex), last = x->s->bounds.nparts - 1;
    if (x->s->machine) {
        requeue_place(x, i);
        return;
    }
    if (e->high.rank > own && own < last)
        enqueue(x, 2 * i + up, e->high.rank > last ? own + 1 : e->high.rank,
                clv_rank_gain(&e->high, &e->low, own));
    else
        unqueue(x, 2 * i + up);
    if (e->low.rank < own && own > 0)
        enqueue(x, 2 * i + down, e->low.rank < 0 ? own - 1 : e->low.rank,
                clv_rank_gain(&e->low, &e->high, own));
    else
        unqueue(x, 2 * i + down);
}

/* A neighbour of entry j has moved. */
static void renew(search *x, int32_t j)
{
    const clv_graph *g = x->s->g;
    entry *e = &x->known[j];
    if (e->locked)
        return;
    if (x->s->machine) {
        int32_t v = e->vertex;
        int64_t degree = g->xadj[v + 1] - g->xadj[v] + g->xpred[v + 1] - g->xpred[v];
        if (++e->waits < most_waits && (int64_t)e->waits * looks < degree)
            return;
    }
    requeue(x, j);
}

/* ---- Moves ------------------------------------------------------------------------------ */

/* Both directions of arcs; entries are updated before v moves: a trusted graph can name a
 * neighbour twice. */
static void learn_around(search *x, int32_t v)
{
    const clv_graph *g = x->s->g;
    for (int64_t a = g->xadj[v]; a < g->xadj[v + 1]; a++)
        add_entry(x, g->adj[a]);
    for (int64_t a = g->xpred[v]; a < g->xpred[v + 1]; a++)
        add_entry(x, g->pred[a]);
}

static void move(search *x, int32_t i, int32_t to, bool queues)
{
    clv_partition_state *s = x->s;
    const clv_graph *g = s->g;
    int32_t v = x->known[i].vertex, from = s->rank[s->part[v]], rank = s->rank[to];
    learn_around(x, v);
    x->overload += clv_state_overload_change(s, v, to);
    int32_t left = s->part[v];
    clv_state_move(s, v, to);
    s->maybe_boundary[v] = 1;
    for (int64_t a = g->xadj[v]; a < g->xadj[v + 1]; a++) {
        int32_t u = g->adj[a], j = x->index[u];
        s->maybe_boundary[u] = 1;
        shift_low(x, &x->known[j], from, rank, clv_graph_ewgt(g, a));
        if (queues)
            renew(x, j);
    }
    for (int64_t a = g->xpred[v]; a < g->xpred[v + 1]; a++) {
        int32_t u = g->pred[a], j = x->index[u];
        s->maybe_boundary[u] = 1;
        shift_high(x, &x->known[j], from, rank, clv_graph_pwgt(g, a));
        if (queues)
            renew(x, j);
    }
    if (queues) {
        refresh(x, left);
        refresh(x, to);
    }
}

/* The best possible move: item in its queue, or -1.  An impossible move leaves the queue until
 * its key changes. */
static int32_t pick(search *x)
{
    while (x->open.count > 0) {
        int32_t p = clv_heap_top(&x->open), item = x->q.root[p];
        int32_t v = x->known[item / 2].vertex;
        if (x->known[item / 2].waits > 0) {
            requeue(x, item / 2);
        } else if (!clv_state_may_leave(x->s, v)) {
            unqueue(x, item);
        } else if (is_allowed(x, v, p)) {
            return item;
        } else if (!clv_weights_any(clv_graph_vwgts(x->s->g)) && x->overload == 0) {
            clv_heap_remove(&x->open, p); /* full: no other vertex fits either */
        } else {
            unqueue(x, item);
        }
    }
    return -1;
}

/* ---- Passes ----------------------------------------------------------------------------- */

/* Inner vertices without predecessors or without successors can move as well and free others.
 * This improves small levels: bisections of 12 vertices ended in the optimum in 76 % instead
 * of 54 % of the runs. */
static void learn_ends(search *x)
{
    const clv_graph *g = x->s->g;
    for (int32_t v = 0; v < g->nvtx; v++)
        if (g->xadj[v] == g->xadj[v + 1] || g->xpred[v] == g->xpred[v + 1])
            add_entry(x, v);
}

static void fill_queues(search *x, bool first)
{
    if (first) {
        int32_t *list = (int32_t *)x->steps, n = clv_state_boundary(x->s, list);
        for (int32_t j = 0; j < n; j++)
            add_entry(x, list[j]);
        if (x->s->g->nvtx <= small_level)
            learn_ends(x);
    }
    for (int32_t i = 0; i < x->count; i++)
        if (!x->known[i].locked)
            requeue(x, i);
}

static void clear(search *x)
{
    clv_heap_clear(&x->open);
    for (int32_t i = 0; i < x->count; i++)
        forget_items(x, i);
    memset(x->q.root, -1, (size_t)x->s->bounds.nparts * sizeof x->q.root[0]);
    for (int32_t j = 0; j < x->nsteps; j++)
        x->known[x->steps[j].entry].locked = false;
}

static void take_back(search *x, int32_t kept)
{
    for (int32_t j = x->nsteps; j-- > kept;)
        move(x, x->steps[j].entry, x->steps[j].from, false);
}

/* Returns whether the pass improved the solution. */
static bool run_pass(search *x, const clv_acyclic_fm_params *params, bool first)
{
    fill_queues(x, first);
    clv_partition_state *s = x->s;
    clv_worth start = {x->overload, s->cut}, best = start;
    int32_t kept = 0;
    x->nsteps = 0;
    while (x->nsteps - kept <= params->patience) {
        int32_t item = pick(x);
        if (item < 0 ||
            ((x->nsteps + 1) % moves_between_clocks == 0 && clv_context_stop(x->ctx)))
            break;
        int32_t i = item / 2, to = x->q.item[item].heap;
        s->cut -= x->q.item[item].key;
        x->steps[x->nsteps++] = (step){i, s->part[x->known[i].vertex]};
        unqueue(x, 2 * i + up);
        unqueue(x, 2 * i + down);
        x->known[i].locked = true;
        move(x, i, to, true);
        clv_worth now = {x->overload, s->cut};
        if (clv_worth_better(now, best)) {
            best = now;
            kept = x->nsteps;
        }
    }
    clear(x);
    take_back(x, kept);
    s->cut = best.cut;
    assert(x->overload == best.overload);
    return clv_worth_better(best, start);
}

static cleave_status open_search(search *x, clv_ws *ws, cleave_error *err)
{
    int64_t n = x->s->g->nvtx, k = x->s->bounds.nparts;
    x->index = clv_ws_alloc(ws, n, sizeof *x->index);
    x->known = clv_ws_alloc(ws, n, sizeof *x->known);
    x->label = clv_ws_alloc(ws, k, sizeof *x->label);
    x->steps = clv_ws_alloc(ws, n, sizeof *x->steps);
    if (!x->index || !x->known || !x->label || !x->steps)
        return clv_fail_memory(err);
    if (x->s->machine &&
        !clv_neighbour_parts_init(&x->neighbour_parts, x->s->bounds.nparts, ws))
        return clv_fail_memory(err);
    CLV_TRY(clv_pairing_init(&x->q, 2 * n, x->s->bounds.nparts, ws, err));
    CLV_TRY(clv_heap_init(&x->open, x->s->bounds.nparts, ws, err));
    memset(x->index, -1, (size_t)n * sizeof x->index[0]);
    for (int32_t p = 0; p < x->s->bounds.nparts; p++)
        x->label[x->s->rank[p]] = p;
    return CLEAVE_OK;
}

/* Passes along the ranks; *better: whether they improved the solution. */
static cleave_status run_passes(clv_partition_state *s, const clv_acyclic_fm_params *params,
                                clv_context *ctx, bool *better, cleave_error *err)
{
    *better = false;
    if (s->g->nvtx > INT32_MAX / 2) /* items are numbered in 32 bits */
        return CLEAVE_OK;
    clv_ws_mark mark = clv_ws_save(ctx->ws);
    search x = {.s = s, .ctx = ctx, .overload = clv_state_overload(s)};
    cleave_status status = open_search(&x, ctx->ws, err);
    for (int32_t pass = 0; status == CLEAVE_OK && pass < params->passes; pass++) {
        if (!run_pass(&x, params, pass == 0))
            break;
        *better = true;
        if (clv_context_stop(ctx))
            break;
    }
    clv_ws_restore(ctx->ws, mark);
    return status;
}

cleave_status clv_acyclic_fm(clv_partition_state *s, const clv_acyclic_fm_params *params,
                             clv_context *ctx, cleave_error *err)
{
    bool better;
    CLV_TRY(run_passes(s, params, ctx, &better, err));
    bool rerank =
        params->rerank_moves && s->bounds.nparts > 2 && s->bounds.nparts <= CLV_RERANK_PARTS;
    /* Repeats the cheap passes after those that changed the ranks. */
    for (int32_t turn = 0; rerank && turn < most_turns; turn++) {
        clv_acyclic_rerank_params wide = {params->passes, params->patience};
        CLV_TRY(clv_acyclic_rerank(s, &wide, ctx, &better, err));
        if (!better || clv_context_stop(ctx))
            break;
        CLV_TRY(run_passes(s, params, ctx, &better, err));
        if (!better)
            break;
    }
    return CLEAVE_OK;
}
