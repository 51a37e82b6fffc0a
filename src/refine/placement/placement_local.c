/* SPDX-License-Identifier: Apache-2.0 */
/* refine/placement/placement_local.c - local search over swaps of two items.
 *
 * Items wait in a queue; the first one makes the best swap with a gain, after which the two
 * and their neighbours enter the queue again ("don't look bits" [Bentley 1992]).  On small
 * machines all partners are tried; on large ones those near the item's neighbours, on the
 * machine or in the graph [Heider 1972; Schulz, Traeff 2017].  When no swap gains, chains are
 * tried: i moves to the place of j, and j to a third place.
 *
 * Kicks [iterated local search; Stuetzle 2006]: a few neighbouring items change places at
 * random, the local search repairs, and a more expensive result is undone. */
#include <string.h>

#include "refine/placement/placement_search.h"

enum {
    asked = 64,      /* neighbours whose surroundings are looked at, on large machines */
    hub = 4096,      /* degree; an item with more edges tries partners but is not a partner
                        there */
    most_kicked = 6, /* items */
    between_clocks = 16
};

typedef struct descent {
    const clv_seats *x;
    clv_seating *s;
    clv_context *ctx;
    int32_t chains;
    int32_t *queue, first, waiting; /* a ring of n */
    uint8_t *waits;                 /* by item */
    int32_t *candidate, ncandidates;
    int32_t *seen, stamp; /* by place: stamp of the item whose candidate it is */
    int32_t *log;         /* pairs of items that were swapped; NULL: not recorded */
    int32_t nlog, maxlog;
    int64_t turns;
    bool stopped;
} descent;

static bool stop(descent *d)
{
    if (++d->turns % between_clocks == 0 && clv_context_stop(d->ctx))
        d->stopped = true;
    return d->stopped;
}

static void wait_in_queue(descent *d, int32_t i)
{
    const clv_seats *x = d->x;
    if (d->waits[i] || !x->movable[i] || x->xadj[i] == x->xadj[i + 1])
        return;
    int64_t end = (int64_t)d->first + d->waiting++;
    d->queue[end < x->n ? end : end - x->n] = i;
    d->waits[i] = 1;
}

static int32_t next_in_queue(descent *d)
{
    int32_t i = d->queue[d->first];
    d->first = d->first + 1 < d->x->n ? d->first + 1 : 0;
    d->waiting--;
    d->waits[i] = 0;
    return i;
}

static void wake(descent *d, int32_t i)
{
    wait_in_queue(d, i);
    for (int64_t a = d->x->xadj[i]; a < d->x->xadj[i + 1]; a++)
        wait_in_queue(d, d->x->adj[a]);
}

static void make_swap(descent *d, int32_t i, int32_t j, int64_t gain)
{
    clv_seating_swap(d->s, i, j);
    d->s->cost -= gain;
    if (d->log) {
        d->log[2 * d->nlog] = i;
        d->log[2 * d->nlog++ + 1] = j;
    }
    wake(d, i);
    wake(d, j);
}

/* ---- Candidates ------------------------------------------------------------------------- */

static void add_candidate(descent *d, int32_t place)
{
    if (d->seen[place] == d->stamp)
        return;
    d->seen[place] = d->stamp;
    d->candidate[d->ncandidates++] = place;
}

/* Places near those of the neighbours, and the places of their neighbours. */
static void add_around(descent *d, int32_t i)
{
    const clv_seats *x = d->x;
    const int32_t *at = d->s->at;
    int64_t end = x->xadj[i + 1] - x->xadj[i] < asked ? x->xadj[i + 1] : x->xadj[i] + asked;
    for (int64_t a = x->xadj[i]; a < end; a++) {
        int32_t u = x->adj[a];
        for (int32_t k = 0; k < x->nnear; k++)
            add_candidate(d, x->near[(int64_t)at[u] * x->nnear + k]);
        int64_t last = x->xadj[u + 1] - x->xadj[u] < 8 ? x->xadj[u + 1] : x->xadj[u] + 8;
        for (int64_t b = x->xadj[u]; b < last; b++)
            add_candidate(d, at[x->adj[b]]);
    }
}

static void find_candidates(descent *d, int32_t i)
{
    d->ncandidates = 0;
    if (d->x->n <= clv_seats_wide) {
        for (int32_t q = 0; q < d->x->n; q++)
            d->candidate[d->ncandidates++] = q;
        return;
    }
    if (++d->stamp == INT32_MAX) {
        memset(d->seen, 0, (size_t)d->x->n * sizeof *d->seen);
        d->stamp = 1;
    }
    add_around(d, i);
}

static bool is_asked(const descent *d, int32_t i, int32_t j)
{
    const clv_seats *x = d->x;
    if (x->n > clv_seats_wide && x->xadj[j + 1] - x->xadj[j] > hub)
        return false;
    return clv_seats_may_swap(x, d->s->at, i, j);
}

/* ---- Swaps and chains ------------------------------------------------------------------- */

static bool try_swap(descent *d, int32_t i)
{
    int32_t partner = -1;
    int64_t most = 0;
    find_candidates(d, i);
    for (int32_t k = 0; k < d->ncandidates; k++) {
        int32_t j = d->s->item[d->candidate[k]];
        if (!is_asked(d, i, j))
            continue;
        int64_t gain = clv_seats_gain(d->x, d->s->at, i, j);
        if (gain > most) {
            most = gain;
            partner = j;
        }
    }
    if (partner >= 0)
        make_swap(d, i, partner, most);
    return partner >= 0;
}

static void run_queue(descent *d)
{
    while (d->waiting > 0 && !stop(d)) {
        int32_t i = next_in_queue(d);
        if (try_swap(d, i))
            wait_in_queue(d, i);
    }
}

static void forget_queue(descent *d)
{
    while (d->waiting > 0)
        next_in_queue(d);
}

/* The place that a chain tries for item i: near one of its neighbours, in turn. */
static int32_t chain_place(const descent *d, int32_t i, int32_t k)
{
    const clv_seats *x = d->x;
    int64_t degree = x->xadj[i + 1] - x->xadj[i];
    int32_t u = x->adj[x->xadj[i] + k % degree];
    return x->near[(int64_t)d->s->at[u] * x->nnear + (k / degree) % x->nnear];
}

static int32_t chain_places(const descent *d, int32_t i)
{
    int64_t all = (d->x->xadj[i + 1] - d->x->xadj[i]) * d->x->nnear;
    return all < d->chains ? (int32_t)all : d->chains;
}

/* i and j have changed places with gain `sofar`, a loss; j moves on to a third place. */
static bool try_second(descent *d, int32_t i, int32_t j, int64_t sofar)
{
    for (int32_t k = 0, most = chain_places(d, j); k < most; k++) {
        int32_t third = d->s->item[chain_place(d, j, k)];
        if (third == i || !is_asked(d, j, third))
            continue;
        int64_t gain = clv_seats_gain(d->x, d->s->at, j, third);
        if (sofar + gain > 0) {
            make_swap(d, j, third, gain);
            return true;
        }
    }
    return false;
}

static bool try_chain(descent *d, int32_t i)
{
    for (int32_t k = 0, most = chain_places(d, i); k < most; k++) {
        int32_t j = d->s->item[chain_place(d, i, k)];
        if (!is_asked(d, i, j))
            continue;
        int64_t gain = clv_seats_gain(d->x, d->s->at, i, j);
        /* The first swap alone does not enter the two into the queue. */
        clv_seating_swap(d->s, i, j);
        if (try_second(d, i, j, gain)) {
            d->s->cost -= gain;
            wake(d, i);
            wake(d, j);
            return true;
        }
        clv_seating_swap(d->s, i, j);
    }
    return false;
}

static void descend(descent *d)
{
    run_queue(d);
    bool found = d->chains > 0;
    while (found) {
        found = false;
        for (int32_t k = 0; k < d->x->nmovers && !stop(d); k++)
            if (try_chain(d, d->x->mover[k])) {
                found = true;
                run_queue(d);
            }
    }
    forget_queue(d);
}

/* ---- Kicks ------------------------------------------------------------------------------ */

static void undo(descent *d, int64_t cost)
{
    for (int32_t k = d->nlog; k-- > 0;)
        clv_seating_swap(d->s, d->log[2 * k], d->log[2 * k + 1]);
    d->s->cost = cost;
}

static void kick(descent *d, clv_rng *rng)
{
    const clv_seats *x = d->x;
    int32_t i = x->mover[clv_rng_below(rng, (uint32_t)x->nmovers)];
    int32_t count = 2 + (int32_t)clv_rng_below(rng, most_kicked - 1);
    for (int32_t k = 0; k < count; k++) {
        int64_t degree = x->xadj[i + 1] - x->xadj[i];
        int32_t u = x->adj[x->xadj[i] + clv_rng_below(rng, (uint32_t)degree)];
        int32_t p = d->s->at[u];
        int32_t q = x->near[(int64_t)p * x->nnear + clv_rng_below(rng, (uint32_t)x->nnear)];
        int32_t j = d->s->item[q];
        if (is_asked(d, i, j))
            make_swap(d, i, j, clv_seats_gain(x, d->s->at, i, j));
        if (x->movable[u])
            i = u;
    }
}

static void run_kicks(descent *d, int64_t kicks, clv_rng *rng)
{
    for (int64_t k = 0; k < kicks && !stop(d); k++) {
        int64_t cost = d->s->cost;
        d->nlog = 0;
        kick(d, rng);
        while (d->waiting > 0 && d->nlog < d->maxlog) {
            int32_t i = next_in_queue(d);
            if (try_swap(d, i))
                wait_in_queue(d, i);
        }
        forget_queue(d);
        if (d->s->cost > cost)
            undo(d, cost);
    }
}

cleave_status clv_seating_descend(const clv_seats *x, clv_seating *s,
                                  const clv_placement_params *params, clv_rng *rng,
                                  clv_context *ctx, cleave_error *err)
{
    descent d = {.x = x, .s = s, .ctx = ctx, .chains = params->chains, .maxlog = x->n + 64};
    clv_ws *ws = ctx->ws;
    clv_ws_mark mark = clv_ws_save(ws);
    d.queue = clv_ws_alloc(ws, x->n, sizeof *d.queue);
    d.waits = clv_ws_zalloc(ws, x->n, sizeof *d.waits);
    d.candidate = clv_ws_alloc(ws, x->n, sizeof *d.candidate);
    d.seen = clv_ws_zalloc(ws, x->n, sizeof *d.seen);
    int32_t *log = clv_ws_alloc(ws, 2 * (int64_t)d.maxlog, sizeof *log);
    if (!d.queue || !d.waits || !d.candidate || !d.seen || !log)
        return clv_fail_memory(err);
    for (int32_t k = 0; k < x->nmovers; k++)
        wait_in_queue(&d, x->mover[k]);
    descend(&d);
    d.log = log;
    if (x->nmovers > 0 && params->kicks > 0)
        run_kicks(&d, (int64_t)params->kicks * x->nmovers, rng);
    clv_ws_restore(ws, mark);
    return CLEAVE_OK;
}
