/* SPDX-License-Identifier: Apache-2.0 */
/* target/deco_coarsen.c - the coarser graphs of target/deco_levels.h.
 *
 * Matching uses a graph in which shorter arcs weigh more and vertices weigh as many PEs as
 * they represent: close vertices of similar size merge.  Lengths and costs are computed
 * separately. */
#include "base/context.h"
#include "coarsen/cluster.h"
#include "coarsen/contract.h"
#include "target/deco_levels.h"

enum { nearness_unit = 1 << 20, parallel_from = 200000, context_seed = 1 };

typedef struct coarsening {
    clv_deco_levels *d;
    clv_arena *arena;
    clv_ws *ws;
    clv_context ctx;
    clv_graph first; /* level 0 weighted by closeness */
    int32_t (*half)[2];
    int32_t made;    /* entries of half so far */
    int32_t *node;   /* by vertex of the current level: its node of the tree */
    int32_t *member; /* by coarse vertex, two entries: its vertices; -1: only one */
    int32_t *slot;   /* by coarse vertex: its index in the current row */
    int32_t *count;  /* by arc of a row */
} coarsening;

/* ---- Matching --------------------------------------------------------------------------- */

/* Merges unmatched vertices in the order of their numbers, so that every level has at least a
 * quarter fewer vertices.  Returns the number of coarse vertices. */
static int32_t pair_singles(coarsening *c, int32_t nvtx, int32_t *map, int32_t ncoarse)
{
    int32_t *size = c->slot, *number = c->node + nvtx, waiting = -1, count = 0;
    for (int32_t x = 0; x < ncoarse; x++) {
        size[x] = 0;
        number[x] = -1;
    }
    for (int32_t v = 0; v < nvtx; v++)
        size[map[v]]++;
    for (int32_t v = 0; v < nvtx; v++) {
        int32_t x = map[v];
        if (number[x] < 0 && size[x] == 1 && waiting >= 0) {
            number[x] = waiting;
            waiting = -1;
        } else if (number[x] < 0) {
            number[x] = count++;
            waiting = size[x] == 1 ? number[x] : waiting;
        }
        map[v] = number[x];
    }
    return count;
}

static cleave_status choose_pairs(coarsening *c, const clv_graph *g, int32_t *map,
                                  int32_t *ncoarse, cleave_error *err)
{
    int64_t no_bound = INT64_MAX / 4;
    clv_merge_rule rule = {
        .kind = CLV_MERGE_PAIRS, .max_weight = &no_bound, .level = c->d->nlevels - 1};
    CLV_TRY(clv_cluster(g, &rule, &c->ctx, map, ncoarse, err));
    if (*ncoarse > g->nvtx - (g->nvtx + 3) / 4)
        *ncoarse = pair_singles(c, g->nvtx, map, *ncoarse);
    return CLEAVE_OK;
}

/* The vertices of each coarse vertex, and the new nodes of the tree. */
static void list_members(coarsening *c, int32_t nvtx, const int32_t *map, int32_t ncoarse)
{
    for (int32_t x = 0; x < 2 * ncoarse; x++)
        c->member[x] = -1;
    for (int32_t v = 0; v < nvtx; v++) {
        int32_t *place = &c->member[2 * (int64_t)map[v]];
        place[place[0] >= 0] = v;
    }
    int32_t *next = c->node + nvtx;
    for (int32_t x = 0; x < ncoarse; x++) {
        int32_t v = c->member[2 * (int64_t)x], u = c->member[2 * (int64_t)x + 1];
        next[x] = c->node[v];
        if (u < 0)
            continue;
        c->half[c->made][0] = c->node[v];
        c->half[c->made][1] = c->node[u];
        next[x] = c->first.nvtx + c->made++;
    }
    for (int32_t x = 0; x < ncoarse; x++)
        c->node[x] = next[x];
}

/* ---- Lengths and costs ------------------------------------------------------------------ */

static double length_of(const clv_deco_level *level, int64_t a)
{
    if (level->length)
        return level->length[a];
    return level->exact ? level->exact[a] : 1;
}

static double cost_of(const clv_deco_level *level, int32_t v)
{
    return level->cost ? level->cost[v] : 0;
}

/* Lengths of the arcs of coarse vertex x: the mean of the arcs that it combines. */
static void average_row(coarsening *c, const clv_deco_level *fine, clv_deco_level *coarse,
                        int32_t x)
{
    int64_t begin = coarse->xadj[x], end = coarse->xadj[x + 1];
    for (int64_t a = begin; a < end; a++) {
        c->slot[coarse->adj[a]] = (int32_t)(a - begin);
        c->count[a - begin] = 0;
        coarse->length[a] = 0;
    }
    for (int i = 0; i < 2; i++) {
        int32_t v = c->member[2 * (int64_t)x + i];
        for (int64_t a = v < 0 ? 0 : fine->xadj[v]; v >= 0 && a < fine->xadj[v + 1]; a++) {
            int32_t y = fine->up[fine->adj[a]];
            if (y == x)
                continue;
            coarse->length[begin + c->slot[y]] += (float)length_of(fine, a);
            c->count[c->slot[y]]++;
        }
    }
    for (int64_t a = begin; a < end; a++)
        coarse->length[a] /= (float)c->count[a - begin];
}

/* The distance of the two vertices of a pair: the length of their arc or, without an arc,
 * twice the mean length of the arcs of the first. */
static double length_between(const clv_deco_level *fine, int32_t v, int32_t u)
{
    double sum = 0;
    for (int64_t a = fine->xadj[v]; a < fine->xadj[v + 1]; a++) {
        if (fine->adj[a] == u)
            return length_of(fine, a);
        sum += length_of(fine, a);
    }
    return 2 * sum / (double)(fine->xadj[v + 1] - fine->xadj[v]);
}

/* A path through a pair crosses one of the two vertices, or both and the arc between them: the
 * mean of these cases. */
static void set_cost(const coarsening *c, const clv_deco_level *fine, clv_deco_level *coarse,
                     int32_t x)
{
    int32_t v = c->member[2 * (int64_t)x], u = c->member[2 * (int64_t)x + 1];
    double cost = cost_of(fine, v);
    if (u >= 0)
        cost = 0.75 * (cost + cost_of(fine, u)) + 0.5 * length_between(fine, v, u);
    coarse->cost[x] = (float)cost;
}

static cleave_status add_level(coarsening *c, clv_graph *g, cleave_error *err)
{
    clv_deco_level *fine = &c->d->level[c->d->nlevels - 1], *coarse = fine + 1;
    *coarse = (clv_deco_level){
        .nvtx = g->nvtx, .xadj = g->xadj, .adj = g->adj, .pes = g->vwgt, .factor = 1};
    coarse->length = clv_arena_alloc(c->arena, g->narc, sizeof *coarse->length);
    coarse->cost = clv_arena_alloc(c->arena, g->nvtx, sizeof *coarse->cost);
    if (!coarse->length || !coarse->cost)
        return clv_fail_memory(err);
    for (int32_t x = 0; x < g->nvtx; x++) {
        average_row(c, fine, coarse, x);
        set_cost(c, fine, coarse, x);
    }
    c->d->nlevels++;
    return CLEAVE_OK;
}

/* ---- The loop --------------------------------------------------------------------------- */

/* From graph *g to the next coarser one, which the arena owns. */
static cleave_status step(coarsening *c, const clv_graph **g, cleave_error *err)
{
    clv_deco_level *level = &c->d->level[c->d->nlevels - 1];
    clv_graph *coarse = NULL;
    int32_t ncoarse;
    level->up = clv_arena_alloc(c->arena, (*g)->nvtx, sizeof *level->up);
    if (!level->up)
        return clv_fail_memory(err);
    CLV_TRY(choose_pairs(c, *g, level->up, &ncoarse, err));
    clv_contraction how = {.map = level->up, .ncoarse = ncoarse};
    CLV_TRY(clv_contract(&coarse, *g, &how, &c->ctx, err));
    if (*g != &c->first) /* its weights are no longer needed */
        clv_arena_release(c->arena, (*g)->ewgt ? (void *)(*g)->ewgt : (void *)(*g)->wide_ewgt);
    clv_arena_move(c->arena, &coarse->arena);
    list_members(c, (*g)->nvtx, level->up, ncoarse);
    *g = coarse;
    return add_level(c, coarse, err);
}

/* Weights of the arcs of level 0: shorter arcs weigh more. */
static cleave_status weigh_arcs(coarsening *c, const clv_graph *g, cleave_error *err)
{
    int64_t shortest = INT32_MAX;
    int32_t *near = clv_ws_alloc(c->ws, g->narc, sizeof *near);
    if (!near)
        return clv_fail_memory(err);
    for (int64_t a = 0; a < g->narc; a++)
        shortest = g->ewgt[a] < shortest ? g->ewgt[a] : shortest;
    for (int64_t a = 0; a < g->narc; a++) {
        int64_t weight = shortest * nearness_unit / g->ewgt[a];
        near[a] = weight > 1 ? (int32_t)weight : 1;
    }
    c->first.ewgt = c->first.pwgt = near;
    return CLEAVE_OK;
}

static cleave_status begin_coarsening(coarsening *c, const clv_graph *g, cleave_error *err)
{
    int64_t n = g->nvtx;
    c->first = (clv_graph){.kind = CLEAVE_UNDIRECTED, .nvtx = g->nvtx, .narc = g->narc};
    c->first.xadj = c->first.xpred = g->xadj;
    c->first.adj = c->first.pred = g->adj;
    c->first.ncon = 1;
    if (g->ewgt)
        CLV_TRY(weigh_arcs(c, g, err));
    c->node = clv_ws_alloc(c->ws, 2 * n, sizeof *c->node);
    c->member = clv_ws_alloc(c->ws, 2 * n, sizeof *c->member);
    c->slot = clv_ws_alloc(c->ws, n, sizeof *c->slot);
    c->count = clv_ws_alloc(c->ws, n, sizeof *c->count);
    if (!c->node || !c->member || !c->slot || !c->count)
        return clv_fail_memory(err);
    for (int32_t v = 0; v < n; v++)
        c->node[v] = v;
    return CLEAVE_OK;
}

static cleave_status coarsen(coarsening *c, const clv_graph *g, cleave_error *err)
{
    CLV_TRY(begin_coarsening(c, g, err));
    const clv_graph *now = &c->first;
    while (now->nvtx > 1)
        CLV_TRY(step(c, &now, err));
    return CLEAVE_OK;
}

cleave_status clv_deco_coarsen(clv_deco_levels *d, const clv_graph *g, int32_t (*half)[2],
                               clv_arena *arena, clv_ws *ws, cleave_error *err)
{
    coarsening c = {.d = d, .arena = arena, .ws = ws, .half = half};
    clv_ws_mark mark = clv_ws_save(ws);
    CLV_TRY(clv_context_open(&c.ctx, g->nvtx < parallel_from ? 1 : 0, context_seed, err));
    cleave_status status = coarsen(&c, g, err);
    clv_context_close(&c.ctx);
    clv_ws_restore(ws, mark);
    return status;
}
