/* SPDX-License-Identifier: Apache-2.0 */
/* mpi/dist_state.c - see mpi/dist_state.h. */
#include "mpi/dist_state.h"

#include <string.h>

cleave_status clv_dist_state_open(clv_dist_state *k, const clv_dist_graph *g,
                                  const clv_dist_bounds *bounds, int32_t *part,
                                  clv_context *ctx, cleave_error *err)
{
    int members = clv_context_threads(ctx);
    int32_t nparts = bounds->parts.nparts;
    *k = (clv_dist_state){.g = g};
    k->rows = clv_dist_local_view(g);
    k->s = (clv_partition_state){
        .g = &k->rows, .bounds = bounds->parts, .part = part, .machine = bounds->machine};
    k->s.weight = clv_ws_alloc(ctx->ws, (int64_t)nparts * g->ncon, sizeof *k->s.weight);
    k->s.count = clv_ws_alloc(ctx->ws, nparts, sizeof *k->s.count);
    k->s.maybe_boundary = clv_ws_alloc(ctx->ws, g->nlocal, sizeof *k->s.maybe_boundary);
    k->f = clv_ws_alloc(ctx->ws, members, sizeof *k->f);
    bool ok = k->s.weight && k->s.count && k->s.maybe_boundary && k->f;
    for (int i = 0; ok && i < members; i++)
        ok = clv_neighbour_parts_init(&k->f[i], nparts, ctx->ws);
    /* Counts are reduced together with the weights. */
    CLV_TRY(clv_comm_agree_memory(&g->comm, ok, err));
    if (g->nlocal > 0)
        memset(k->s.maybe_boundary, 1, (size_t)g->nlocal);
    clv_dist_state_measure(k);
    clv_dist_state_cut(k);
    return CLEAVE_OK;
}

/* Counts saturate at 2^31 - 1: callers only test for more than one. */
static void sum_counts(clv_dist_state *k)
{
    enum { block = 512 };
    int64_t sums[block];
    for (int32_t p = 0; p < k->s.bounds.nparts; p += block) {
        int32_t n = k->s.bounds.nparts - p < block ? k->s.bounds.nparts - p : block;
        for (int32_t i = 0; i < n; i++)
            sums[i] = k->s.count[p + i];
        clv_comm_sum_all(&k->g->comm, sums, n);
        for (int32_t i = 0; i < n; i++)
            k->s.count[p + i] = sums[i] < INT32_MAX ? (int32_t)sums[i] : INT32_MAX;
    }
}

void clv_dist_state_measure(clv_dist_state *k)
{
    const clv_dist_graph *g = k->g;
    clv_partition_state *s = &k->s;
    int64_t places = (int64_t)s->bounds.nparts * g->ncon;
    clv_halo_exchange(g, s->part, sizeof *s->part);
    memset(s->weight, 0, (size_t)places * sizeof *s->weight);
    memset(s->count, 0, (size_t)s->bounds.nparts * sizeof *s->count);
    for (int32_t v = 0; v < g->nlocal; v++) {
        s->count[s->part[v]]++;
        for (int32_t c = 0; c < g->ncon; c++)
            s->weight[(int64_t)s->part[v] * g->ncon + c] += clv_dist_vwgt(g, v, c);
    }
    clv_comm_sum_all(&g->comm, s->weight, places);
    sum_counts(k);
}

int64_t clv_dist_cost(const clv_dist_state *k, int32_t v)
{
    const clv_dist_graph *g = k->g;
    const clv_partition_state *s = &k->s;
    int32_t own = s->part[v];
    int64_t cost = 0;
    for (int64_t a = g->xadj[v]; a < g->xadj[v + 1]; a++)
        cost += clv_state_cost(s, clv_dist_ewgt(g, a), own, s->part[g->adj[a]]);
    if (g->kind == CLEAVE_DAG)
        cost *= 2; /* an arc is counted at its tail only */
    if (k->home && k->home[v] >= 0)
        cost += 2 * clv_state_cost(s, k->tie[v], own, k->home[v]);
    return cost;
}

static bool is_at_boundary(const clv_dist_state *k, int32_t v)
{
    const clv_dist_graph *g = k->g;
    const int32_t *part = k->s.part;
    for (int64_t a = g->xadj[v]; a < g->xadj[v + 1]; a++)
        if (part[g->adj[a]] != part[v])
            return true;
    if (g->kind == CLEAVE_DAG)
        for (int64_t a = g->xpred[v]; a < g->xpred[v + 1]; a++)
            if (part[g->pred[a]] != part[v])
                return true;
    return k->home && k->home[v] >= 0 && k->home[v] != part[v] && k->tie[v] > 0;
}

void clv_dist_state_cut(clv_dist_state *k)
{
    const clv_halo *h = &k->g->halo;
    int64_t twice = 0;
    for (int64_t i = 0; i < h->send_at[h->npeers]; i++)
        k->s.maybe_boundary[h->send[i]] = 1; /* neighbours on other ranks may have moved */
    for (int32_t v = 0; v < k->g->nlocal; v++) {
        k->s.maybe_boundary[v] = k->s.maybe_boundary[v] && is_at_boundary(k, v);
        if (k->s.maybe_boundary[v])
            twice += clv_dist_cost(k, v);
    }
    k->s.cut = clv_comm_sum(&k->g->comm, twice) / 2;
}
