/* SPDX-License-Identifier: Apache-2.0 */
/* mpi/dist_acyclic.c - moves on a distributed DAG that keep the quotient graph acyclic.
 *
 * Parts have topological ranks, and no arc leads to a part of a lower rank.  In one round all
 * moves go up, or all go down.  A vertex can move up to the lowest rank of its successors
 * before the round.  Successors only move up in the same round, so all moves of a round are
 * valid together, also those of different MPI ranks. */
#include <string.h>

#include "base/rng.h"
#include "engine/limits.h"
#include "mpi/dist_refine.h"

typedef struct acyclic {
    clv_dist_state *k;
    clv_context *ctx;
    int32_t *by_rank;
    int32_t *list; /* vertices that have a better part */
    int32_t *to;   /* by place in list */
    int32_t count;
    int32_t *best;
    clv_worth best_worth;
    int64_t *inflow, *before;
} acyclic;

/* The range of v: the highest rank of its predecessors, the lowest of its successors. */
static void window(const acyclic *d, int32_t v, int32_t *low, int32_t *high)
{
    const clv_dist_graph *g = d->k->g;
    const clv_partition_state *s = &d->k->s;
    *low = 0;
    *high = s->bounds.nparts - 1;
    for (int64_t a = g->xpred[v]; a < g->xpred[v + 1]; a++) {
        int32_t r = s->rank[s->part[g->pred[a]]];
        *low = r > *low ? r : *low;
    }
    for (int64_t a = g->xadj[v]; a < g->xadj[v + 1]; a++) {
        int32_t r = s->rank[s->part[g->adj[a]]];
        *high = r < *high ? r : *high;
    }
}

/* The gain of moving v. */
static int64_t gain_of(const acyclic *d, int32_t v, int32_t to)
{
    const clv_dist_graph *g = d->k->g;
    const clv_partition_state *s = &d->k->s;
    int32_t from = s->part[v];
    int64_t gain = 0;
    for (int64_t a = g->xadj[v]; a < g->xadj[v + 1]; a++) {
        int32_t p = s->part[g->adj[a]];
        int64_t w = clv_dist_ewgt(g, a);
        gain += clv_state_cost(s, w, from, p) - clv_state_cost(s, w, to, p);
    }
    for (int64_t a = g->xpred[v]; a < g->xpred[v + 1]; a++) {
        int32_t p = s->part[g->pred[a]];
        int64_t w = clv_dist_pwgt(g, a);
        gain += clv_state_cost(s, w, from, p) - clv_state_cost(s, w, to, p);
    }
    if (d->k->home && d->k->home[v] >= 0)
        gain += clv_state_cost(s, d->k->tie[v], from, d->k->home[v]) -
                clv_state_cost(s, d->k->tie[v], to, d->k->home[v]);
    return gain;
}

static bool is_over(const clv_partition_state *s, int32_t p)
{
    for (int32_t c = 0; c < s->g->ncon; c++)
        if (s->weight[(int64_t)p * s->g->ncon + c] >
            s->bounds.max[(int64_t)p * s->g->ncon + c])
            return true;
    return false;
}

/* Only half of the vertices are considered each time, because the gains of neighbours that
 * move together would be wrong. */
static void consider(acyclic *d, int32_t v, bool up, int32_t round)
{
    const clv_partition_state *s = &d->k->s;
    int32_t from = s->part[v], mine = s->rank[from], low, high;
    uint64_t lot =
        clv_hash64((uint64_t)clv_dist_global(d->k->g, v) * 2654435761u + (uint64_t)round);
    bool over = is_over(s, from);
    if (clv_state_is_fixed(s, v) || (!over && (lot & 1)))
        return;
    window(d, v, &low, &high);
    int32_t goal = up ? high : low;
    if (goal == mine)
        return;
    int32_t to = d->by_rank[goal];
    if (!clv_state_fits(s, v, to) || gain_of(d, v, to) < (over ? 0 : 1)) {
        to = d->by_rank[mine + (up ? 1 : -1)];
        if (!over || !clv_state_fits(s, v, to))
            return;
    }
    if (clv_bounds_is_idle(&s->bounds, to))
        return;
    d->list[d->count] = v;
    d->to[d->count++] = to;
}

/* Admits moves rank after rank, up to the bounds. */
static int64_t move_all(acyclic *d)
{
    clv_dist_state *k = d->k;
    clv_partition_state *s = &k->s;
    const clv_comm *comm = &k->g->comm;
    int32_t ncon = s->g->ncon;
    int64_t places = (int64_t)s->bounds.nparts * ncon, moved = 0;
    memset(d->inflow, 0, (size_t)places * sizeof *d->inflow);
    memset(d->before, 0, (size_t)places * sizeof *d->before);
    for (int32_t i = 0; i < d->count; i++)
        for (int32_t c = 0; c < ncon; c++)
            d->inflow[(int64_t)d->to[i] * ncon + c] += clv_dist_vwgt(k->g, d->list[i], c);
    if (comm->size > 1)
        MPI_Exscan(d->inflow, d->before, (int)places, MPI_INT64_T, MPI_SUM, comm->mpi);
    if (comm->rank == 0)
        memset(d->before, 0, (size_t)places * sizeof *d->before);
    for (int32_t i = 0; i < d->count; i++) {
        int64_t at = (int64_t)d->to[i] * ncon;
        bool fits = true;
        for (int32_t c = 0; c < ncon; c++)
            fits &=
                s->weight[at + c] + d->before[at + c] + clv_dist_vwgt(k->g, d->list[i], c) <=
                s->bounds.max[at + c];
        if (!fits)
            continue;
        for (int32_t c = 0; c < ncon; c++)
            d->before[at + c] += clv_dist_vwgt(k->g, d->list[i], c);
        s->part[d->list[i]] = d->to[i];
        moved++;
    }
    return clv_comm_sum(comm, moved);
}

static void look(acyclic *d)
{
    clv_dist_state *k = d->k;
    clv_dist_state_measure(k);
    if (k->g->nlocal > 0)
        memset(k->s.maybe_boundary, 1, (size_t)k->g->nlocal);
    clv_dist_state_cut(k);
    clv_worth now = clv_state_worth(&k->s);
    if (!clv_worth_better(now, d->best_worth))
        return;
    d->best_worth = now;
    if (k->g->nlocal > 0)
        memcpy(d->best, k->s.part, (size_t)k->g->nlocal * sizeof *d->best);
}

static void run_rounds(acyclic *d, int32_t rounds)
{
    clv_dist_state *k = d->k;
    int32_t idle = 0;
    for (int32_t round = 0; round < rounds && idle < 4; round++) {
        if (clv_comm_max(&k->g->comm, clv_context_stop(d->ctx)))
            return;
        d->count = 0;
        for (int32_t v = 0; v < k->g->nlocal; v++)
            if (k->s.maybe_boundary[v] || is_over(&k->s, k->s.part[v]))
                consider(d, v, round % 2 == 0, round / 2);
        idle = move_all(d) == 0 ? idle + 1 : 0;
        look(d);
    }
}

cleave_status clv_dist_acyclic(clv_dist_state *k, int32_t rounds, clv_context *ctx,
                               cleave_error *err)
{
    clv_ws_mark mark = clv_ws_save(ctx->ws);
    acyclic d = {.k = k, .ctx = ctx};
    int64_t n = k->g->nlocal, places = (int64_t)k->s.bounds.nparts * k->g->ncon;
    d.by_rank = clv_ws_alloc(ctx->ws, k->s.bounds.nparts, sizeof *d.by_rank);
    d.list = clv_ws_alloc(ctx->ws, n, sizeof *d.list);
    d.to = clv_ws_alloc(ctx->ws, n, sizeof *d.to);
    d.best = clv_ws_alloc(ctx->ws, n, sizeof *d.best);
    d.inflow = clv_ws_alloc(ctx->ws, places, sizeof *d.inflow);
    d.before = clv_ws_alloc(ctx->ws, places, sizeof *d.before);
    bool ok = d.by_rank && d.list && d.to && d.best && d.inflow && d.before;
    cleave_status status = clv_comm_agree_memory(&k->g->comm, ok, err);
    if (status == CLEAVE_OK) {
        for (int32_t p = 0; p < k->s.bounds.nparts; p++)
            d.by_rank[k->s.rank[p]] = p;
        d.best_worth = clv_worth_none();
        look(&d);
        run_rounds(&d, rounds);
        if (n > 0)
            memcpy(k->s.part, d.best, (size_t)n * sizeof *d.best);
        clv_dist_state_measure(k);
        k->s.cut = d.best_worth.cut;
    }
    clv_ws_restore(ctx->ws, mark);
    return status;
}
