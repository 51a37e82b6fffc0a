/* SPDX-License-Identifier: Apache-2.0 */
/* engine/order/dissection_reduce.c - graph compression before nested dissection [Ashcraft
 * 1995], see engine/order/dissection_piece.h.
 *
 * Stiffness matrices have several unknowns per mesh node.  Their rows have the same pattern
 * and are consecutive in a good order.  Hubs would be part of every separator and every
 * halo. */
#include <math.h>

#include "base/rng.h"
#include "engine/order/dissection_piece.h"

typedef struct reduction {
    const clv_graph *g;
    int32_t *leader; /* by vertex: the first vertex indistinguishable from it; -1: a hub */
    int32_t *seen;   /* by vertex: the vertex that last marked it */
    uint64_t *hash;  /* by vertex: hash of v and its neighbours */
    int32_t *degree; /* by vertex: number of neighbours that are not hubs */
} reduction;

static void leave_out_hubs(reduction *r)
{
    const clv_graph *g = r->g;
    double most = 10 * sqrt((double)g->nvtx);
    for (int32_t v = 0; v < g->nvtx; v++) {
        int64_t degree = g->xadj[v + 1] - g->xadj[v];
        r->leader[v] = degree > 16 && (double)degree > most ? -1 : v;
    }
}

static void hash_rows(reduction *r)
{
    const clv_graph *g = r->g;
    for (int32_t v = 0; v < g->nvtx; v++) {
        uint64_t hash = clv_hash64((uint64_t)v);
        int32_t degree = 0;
        for (int64_t a = g->xadj[v]; a < g->xadj[v + 1]; a++)
            if (r->leader[g->adj[a]] >= 0) {
                hash += clv_hash64((uint64_t)g->adj[a]);
                degree++;
            }
        r->hash[v] = hash;
        r->degree[v] = degree;
        r->seen[v] = -1;
    }
}

/* u is a neighbour of v.  Do both have the same other neighbours? */
static bool same_rows(reduction *r, int32_t v, int32_t u)
{
    const clv_graph *g = r->g;
    if (r->hash[v] != r->hash[u] || r->degree[v] != r->degree[u])
        return false;
    if (r->seen[v] != v) {
        r->seen[v] = v;
        for (int64_t a = g->xadj[v]; a < g->xadj[v + 1]; a++)
            r->seen[g->adj[a]] = v;
    }
    for (int64_t a = g->xadj[u]; a < g->xadj[u + 1]; a++)
        if (r->leader[g->adj[a]] >= 0 && r->seen[g->adj[a]] != v)
            return false;
    return true;
}

/* The leader is the first vertex of its set, so the others are compared with it. */
static void find_leaders(reduction *r)
{
    const clv_graph *g = r->g;
    for (int32_t v = 0; v < g->nvtx; v++) {
        if (r->leader[v] != v)
            continue;
        for (int64_t a = g->xadj[v]; a < g->xadj[v + 1]; a++) {
            int32_t u = g->adj[a];
            if (u > v && r->leader[u] == u && same_rows(r, v, u))
                r->leader[u] = v;
        }
    }
}

static cleave_status build(clv_dissection_piece *p, const reduction *r, clv_ws *ws,
                           cleave_error *err)
{
    const clv_graph *g = r->g;
    int32_t count = 0;
    int64_t narc = 0, to = 0;
    for (int32_t v = 0; v < g->nvtx; v++)
        if (r->leader[v] == v) {
            r->seen[v] = count++; /* its number in the piece */
            narc += r->degree[v];
        }
    int64_t *xadj = clv_ws_alloc(ws, (int64_t)count + 1, sizeof *xadj);
    int32_t *adj = clv_ws_alloc(ws, narc, sizeof *adj);
    int32_t *vwgt = clv_ws_zalloc(ws, count, sizeof *vwgt);
    if (!xadj || !adj || !vwgt)
        return clv_fail_memory(err);
    for (int32_t v = 0; v < g->nvtx; v++) {
        if (r->leader[v] != v)
            continue;
        xadj[r->seen[v]] = to;
        for (int64_t a = g->xadj[v]; a < g->xadj[v + 1]; a++)
            if (r->leader[g->adj[a]] == g->adj[a])
                adj[to++] = r->seen[g->adj[a]];
    }
    xadj[count] = to;
    for (int32_t v = 0; v < g->nvtx; v++)
        if (r->leader[v] >= 0) {
            r->leader[v] = r->seen[r->leader[v]];
            vwgt[r->leader[v]]++;
        }
    p->g = (clv_graph){.kind = CLEAVE_UNDIRECTED, .nvtx = count, .narc = to};
    p->g.xadj = p->g.xpred = xadj;
    p->g.adj = p->g.pred = adj;
    p->g.ncon = 1;
    p->g.vwgt = vwgt;
    p->ninner = count;
    p->vertex = NULL;
    return CLEAVE_OK;
}

cleave_status clv_dissection_whole(clv_dissection_piece *p, const clv_graph *g,
                                   int32_t *leader, clv_context *ctx, bool *ended,
                                   cleave_error *err)
{
    clv_ws *ws = ctx->ws;
    reduction r = {.g = g, .leader = leader};
    r.seen = clv_ws_alloc(ws, g->nvtx, sizeof *r.seen);
    r.degree = clv_ws_alloc(ws, g->nvtx, sizeof *r.degree);
    r.hash = clv_ws_alloc(ws, g->nvtx, sizeof *r.hash);
    if (!r.seen || !r.degree || !r.hash)
        return clv_fail_memory(err);
    double begin = clv_context_now(ctx);
    leave_out_hubs(&r);
    hash_rows(&r);
    double pass = clv_context_now(ctx) - begin;
    *ended = clv_context_stop(ctx) || clv_context_lacks(ctx, pass);
    if (*ended)
        return CLEAVE_OK;
    find_leaders(&r);
    *ended = clv_context_stop(ctx) || clv_context_lacks(ctx, pass);
    return *ended ? CLEAVE_OK : build(p, &r, ws, err);
}
