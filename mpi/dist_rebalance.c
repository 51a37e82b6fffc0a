/* SPDX-License-Identifier: Apache-2.0 */
/* mpi/dist_rebalance.c - distributed greedy rebalancing by buckets of relative loss.
 *
 * For every vertex of an overloaded part, the best part with capacity for it and the loss per
 * weight are computed.  The ranks sum, by part and by bucket of that loss, the weight that can
 * leave.  The cheapest buckets leave, as many as needed; the last one rank after rank.
 * Vertices are then admitted to their new parts in the same way: rank after rank, up to the
 * bounds.  Vertices that found no capacity try again in the next round. */
#include <string.h>

#include "base/rng.h"
#include "mpi/dist_refine.h"
#include "refine/gain/mapping_gain.h"

enum { nbuckets = 160, most_rounds = 64 };

typedef struct leaving {
    int32_t vertex, to;
    int32_t bucket;
    int32_t over; /* index of its part among the overloaded ones */
} leaving;

typedef struct rebalance {
    clv_dist_state *k;
    clv_context *ctx;
    int32_t *over;  /* overloaded parts */
    int32_t *place; /* by part: its index in over, -1 */
    int32_t *con;   /* by index: the constraint that exceeds its bound most */
    int32_t nover;
    int32_t *roomy; /* parts with capacity, the emptiest first where that is cheap */
    int32_t nroomy;
    leaving *list;
    int32_t count;
    int64_t *sum, *mine;      /* nover * nbuckets */
    int64_t *inflow, *before; /* nparts * ncon */
    int32_t round;
    bool anywhere; /* also moves to non-adjacent parts, and of inner vertices */
} rebalance;

/* ---- Overloaded parts and parts with capacity ------------------------------------------- */

static int64_t excess(const clv_partition_state *s, int32_t p, int32_t c)
{
    int64_t i = (int64_t)p * s->g->ncon + c;
    return s->weight[i] - s->bounds.max[i];
}

static void list_parts(rebalance *r)
{
    const clv_partition_state *s = &r->k->s;
    int32_t ncon = s->g->ncon;
    r->nover = r->nroomy = 0;
    for (int32_t p = 0; p < s->bounds.nparts; p++) {
        int32_t worst = 0;
        bool room = true;
        for (int32_t c = 0; c < ncon; c++) {
            if (excess(s, p, c) > excess(s, p, worst))
                worst = c;
            room &= excess(s, p, c) < 0;
        }
        r->place[p] = -1;
        if (excess(s, p, worst) > 0) {
            r->con[r->nover] = worst;
            r->place[p] = r->nover;
            r->over[r->nover++] = p;
        } else if (room) {
            r->roomy[r->nroomy++] = p;
        }
    }
}

/* ---- Candidates ------------------------------------------------------------------------- */

/* Four buckets for every power of two; no loss: bucket 0. */
static int32_t bucket_of(int64_t loss, int64_t weight)
{
    if (loss <= 0)
        return 0;
    if (loss > INT64_MAX >> 12)
        return nbuckets - 1;
    uint64_t x = (uint64_t)(loss * 1024 / (weight > 0 ? weight : 1)) + 4;
    int high = 63 - __builtin_clzll(x);
    int32_t bucket = 4 * (high - 2) + (int32_t)(x >> (high - 2) & 3);
    return bucket < nbuckets ? bucket : nbuckets - 1;
}

/* The best adjacent part with capacity, -1: none. */
static int32_t best_roomy(const rebalance *r, const clv_neighbour_parts *f, int32_t v,
                          int64_t *worth)
{
    const clv_partition_state *s = &r->k->s;
    int32_t best = -1;
    for (int32_t i = 0; i < f->count; i++) {
        int32_t p = f->touched[i];
        if (p == s->part[v] || r->place[p] >= 0 || !clv_state_fits(s, v, p))
            continue;
        int64_t here = clv_worth_at(s, f, p, s->machine != NULL);
        if (best < 0 || here > *worth || (here == *worth && p < best)) {
            best = p;
            *worth = here;
        }
    }
    return best;
}

/* Any part with capacity: it differs between vertices and rounds. */
static int32_t any_roomy(const rebalance *r, int32_t v)
{
    uint64_t lot =
        clv_hash64((uint64_t)clv_dist_global(r->k->g, v) + (uint64_t)r->round * 977);
    for (int32_t i = 0; i < r->nroomy && i < 16; i++) {
        int32_t p = r->roomy[(lot + (uint64_t)i) % (uint64_t)r->nroomy];
        if (clv_state_fits(&r->k->s, v, p))
            return p;
    }
    return -1;
}

static void consider(rebalance *r, int32_t v)
{
    clv_dist_state *k = r->k;
    const clv_partition_state *s = &k->s;
    clv_neighbour_parts *f = &k->f[0];
    int32_t over = r->place[s->part[v]];
    int64_t weight = clv_graph_vwgt(s->g, v, r->con[over]), worth = 0;
    if (weight == 0 || clv_state_is_fixed(s, v))
        return;
    clv_dist_gather(k, f, v);
    bool mapped = s->machine != NULL;
    int32_t to = best_roomy(r, f, v, &worth);
    if (to < 0 && r->anywhere && (to = any_roomy(r, v)) >= 0)
        worth = clv_worth_at(s, f, to, mapped);
    if (to >= 0) {
        int64_t loss = clv_worth_at(s, f, s->part[v], mapped) - worth;
        r->list[r->count++] = (leaving){v, to, bucket_of(loss, weight), over};
    }
    clv_neighbour_parts_clear(f);
}

static void list_leaving(rebalance *r)
{
    const clv_partition_state *s = &r->k->s;
    r->count = 0;
    for (int32_t v = 0; v < r->k->g->nlocal; v++)
        if (r->place[s->part[v]] >= 0 && (r->anywhere || s->maybe_boundary[v]))
            consider(r, v);
}

/* ---- Departures ------------------------------------------------------------------------- */

static int64_t leaving_weight(const rebalance *r, const leaving *l)
{
    return clv_graph_vwgt(r->k->s.g, l->vertex, r->con[l->over]);
}

/* Keeps the departing vertices in the list: the buckets below the last one needed, and of that
 * one what the lower ranks leave to this rank. */
static void choose_leaving(rebalance *r, int64_t *quota)
{
    const clv_comm *comm = &r->k->g->comm;
    int64_t cells = (int64_t)r->nover * nbuckets;
    memset(r->mine, 0, (size_t)cells * sizeof *r->mine);
    for (int32_t i = 0; i < r->count; i++)
        r->mine[(int64_t)r->list[i].over * nbuckets + r->list[i].bucket] +=
            leaving_weight(r, &r->list[i]);
    memcpy(r->sum, r->mine, (size_t)cells * sizeof *r->sum);
    clv_comm_sum_all(comm, r->sum, cells);
    for (int32_t o = 0; o < r->nover; o++) {
        int64_t wanted = excess(&r->k->s, r->over[o], r->con[o]), sum = 0;
        int32_t last = 0;
        const int64_t *here = r->sum + (int64_t)o * nbuckets;
        while (last < nbuckets - 1 && sum + here[last] < wanted)
            sum += here[last++];
        quota[2 * o] = last;
        quota[2 * o + 1] = wanted - sum;
        r->before[o] = r->mine[(int64_t)o * nbuckets + last];
    }
    int64_t *own = r->inflow; /* scratch of at least nover places */
    memcpy(own, r->before, (size_t)r->nover * sizeof *own);
    memset(r->before, 0, (size_t)r->nover * sizeof *r->before);
    if (comm->size > 1)
        MPI_Exscan(own, r->before, r->nover, MPI_INT64_T, MPI_SUM, comm->mpi);
    for (int32_t o = 0; o < r->nover; o++)
        quota[2 * o + 1] -= comm->rank == 0 ? 0 : r->before[o];
}

static void drop_staying(rebalance *r, int64_t *quota)
{
    int32_t kept = 0;
    for (int32_t i = 0; i < r->count; i++) {
        const leaving *l = &r->list[i];
        int64_t *q = quota + 2 * (int64_t)l->over;
        if (l->bucket > q[0] || (l->bucket == q[0] && q[1] <= 0))
            continue;
        if (l->bucket == q[0])
            q[1] -= leaving_weight(r, l);
        r->list[kept++] = *l;
    }
    r->count = kept;
}

/* ---- Admissions ------------------------------------------------------------------------- */

static bool let_in(const rebalance *r, const leaving *l, int64_t *taken)
{
    const clv_partition_state *s = &r->k->s;
    int32_t ncon = s->g->ncon;
    for (int32_t c = 0; c < ncon; c++) {
        int64_t i = (int64_t)l->to * ncon + c;
        if (s->weight[i] + taken[i] + clv_graph_vwgt(s->g, l->vertex, c) > s->bounds.max[i])
            return false;
    }
    for (int32_t c = 0; c < ncon; c++)
        taken[(int64_t)l->to * ncon + c] += clv_graph_vwgt(s->g, l->vertex, c);
    return true;
}

static int64_t move_in(rebalance *r)
{
    clv_dist_state *k = r->k;
    clv_partition_state *s = &k->s;
    const clv_comm *comm = &k->g->comm;
    int64_t places = clv_bounds_places(&s->bounds), moved = 0;
    memset(r->inflow, 0, (size_t)places * sizeof *r->inflow);
    memset(r->before, 0, (size_t)places * sizeof *r->before);
    for (int32_t i = 0; i < r->count; i++)
        for (int32_t c = 0; c < s->g->ncon; c++)
            r->inflow[(int64_t)r->list[i].to * s->g->ncon + c] +=
                clv_graph_vwgt(s->g, r->list[i].vertex, c);
    if (comm->size > 1)
        MPI_Exscan(r->inflow, r->before, (int)places, MPI_INT64_T, MPI_SUM, comm->mpi);
    if (comm->rank == 0)
        memset(r->before, 0, (size_t)places * sizeof *r->before);
    for (int32_t i = 0; i < r->count; i++) {
        const leaving *l = &r->list[i];
        if (!let_in(r, l, r->before))
            continue;
        s->part[l->vertex] = l->to;
        s->maybe_boundary[l->vertex] = 1;
        for (int64_t a = k->g->xadj[l->vertex]; a < k->g->xadj[l->vertex + 1]; a++)
            if (k->g->adj[a] < k->g->nlocal)
                s->maybe_boundary[k->g->adj[a]] = 1;
        moved++;
    }
    return clv_comm_sum(comm, moved);
}

/* ---- Rounds ----------------------------------------------------------------------------- */

/* Stops when the bounds hold, or when nothing moves even with inner vertices and non-adjacent
 * parts. */
static void run_rounds(rebalance *r, int64_t *quota)
{
    clv_dist_state *k = r->k;
    for (r->round = 0; r->round < most_rounds; r->round++) {
        int64_t before = clv_state_overload(&k->s);
        list_parts(r);
        if (r->nover == 0)
            return;
        list_leaving(r);
        choose_leaving(r, quota);
        drop_staying(r, quota);
        int64_t moved = move_in(r);
        clv_dist_state_measure(k);
        bool slow = moved == 0 || clv_state_overload(&k->s) > before - before / 4;
        if (slow && r->anywhere && moved == 0 && r->round % 4 == 3)
            return;
        if (slow)
            r->anywhere = true;
    }
}

static bool open_rebalance(rebalance *r, int64_t **quota)
{
    const clv_partition_state *s = &r->k->s;
    clv_ws *ws = r->ctx->ws;
    int64_t k = s->bounds.nparts, places = k * s->g->ncon;
    r->over = clv_ws_alloc(ws, k, sizeof *r->over);
    r->place = clv_ws_alloc(ws, k, sizeof *r->place);
    r->con = clv_ws_alloc(ws, k, sizeof *r->con);
    r->roomy = clv_ws_alloc(ws, k, sizeof *r->roomy);
    r->list = clv_ws_alloc(ws, r->k->g->nlocal, sizeof *r->list);
    r->sum = clv_ws_alloc(ws, k * nbuckets, sizeof *r->sum);
    r->mine = clv_ws_alloc(ws, k * nbuckets, sizeof *r->mine);
    r->inflow = clv_ws_alloc(ws, places, sizeof *r->inflow);
    r->before = clv_ws_alloc(ws, places, sizeof *r->before);
    *quota = clv_ws_alloc(ws, 2 * k, sizeof **quota);
    return r->over && r->place && r->con && r->roomy && r->list && r->sum && r->mine &&
           r->inflow && r->before && *quota;
}

cleave_status clv_dist_rebalance(clv_dist_state *k, clv_context *ctx, cleave_error *err)
{
    if (clv_state_overload(&k->s) == 0)
        return CLEAVE_OK;
    clv_ws_mark mark = clv_ws_save(ctx->ws);
    rebalance r = {.k = k, .ctx = ctx};
    int64_t *quota;
    cleave_status status = clv_comm_agree_memory(&k->g->comm, open_rebalance(&r, &quota), err);
    if (status == CLEAVE_OK)
        run_rounds(&r, quota);
    clv_ws_restore(ctx->ws, mark);
    return status;
}
