/* SPDX-License-Identifier: Apache-2.0 */
/* engine/multilevel/block_subgraph.c - the subgraph of a block, see
 * engine/multilevel/block_subgraph.h. */
#include "engine/multilevel/block_subgraph.h"

#include <assert.h>

#include "graph/induced.h"

/* Bound on the attraction of a vertex: far above the total edge weight, yet no sum
 * overflows. */
static const double most_pull = 0x1p61;

typedef struct membership {
    const int32_t *label, *local; /* by vertex: block; number in it */
    int32_t part;
} membership;

static int32_t number_in_block(const void *set, int32_t v)
{
    const membership *m = set;
    return m->label[v] == m->part ? m->local[v] : -1;
}

/* Replaces *rows by those of the block. */
static cleave_status induce_rows(const clv_blocks *all, const clv_block *b, clv_csr *rows,
                                 clv_ws *ws, cleave_error *err)
{
    const membership block = {all->label, all->local, b->part};
    const int32_t *vertex = all->order + b->first;
    clv_induced_rows r;
    int64_t arcs = 0;
    for (int32_t i = 0; i < b->count; i++)
        arcs += rows->xadj[vertex[i] + 1] - rows->xadj[vertex[i]];
    CLV_TRY(clv_induced_open(&r, b->count, arcs, rows->weight, ws, err));
    for (int32_t i = 0; i < b->count; i++) {
        r.xadj[i] = r.narc;
        clv_induced_append(&r, rows, vertex[i], number_in_block, &block, false);
    }
    r.xadj[b->count] = r.narc;
    *rows = (clv_csr){r.xadj, r.adj, clv_weights_of(r.weight)};
    return CLEAVE_OK;
}

static cleave_status induce_arcs(const clv_blocks *all, const clv_block *b,
                                 clv_block_subgraph *sub, clv_ws *ws, cleave_error *err)
{
    const clv_graph *g = all->task->g;
    clv_csr next = {g->xadj, g->adj, clv_graph_ewgts(g)};
    clv_csr before = {g->xpred, g->pred, clv_graph_pwgts(g)};
    bool whole = b->count == g->nvtx; /* vertices in numerical order */
    assert(!whole || g->nvtx == 0 || all->order[b->first + g->nvtx - 1] == g->nvtx - 1);
    if (!whole)
        CLV_TRY(induce_rows(all, b, &next, ws, err));
    if (g->kind != CLEAVE_DAG)
        before = next;
    else if (!whole)
        CLV_TRY(induce_rows(all, b, &before, ws, err));
    sub->g.narc = next.xadj[b->count];
    sub->g.xadj = next.xadj;
    sub->g.adj = next.adj;
    clv_graph_set_ewgts(&sub->g, next.weight);
    sub->g.xpred = before.xadj;
    sub->g.pred = before.adj;
    clv_graph_set_pwgts(&sub->g, before.weight);
    return CLEAVE_OK;
}

/* The way that contains a part. */
static int32_t way_of(const clv_block_ways *ways, int32_t part)
{
    int32_t low = 0, high = ways->count - 1;
    while (low < high) {
        int32_t middle = (low + high + 1) / 2;
        if (ways->first[middle] <= part)
            low = middle;
        else
            high = middle - 1;
    }
    return low;
}

/* ---- Anchors ---------------------------------------------------------------------------- */

/* Twice the distance between two sets of places that are domains. */
static double domain_distance(const clv_machine *m, const int32_t from[2], const int32_t to[2],
                              clv_domain x, clv_domain y)
{
    if (m->table)
        return 2 * clv_machine_mean(m, from, to);
    return (double)m->t->shape->distance(m->t, x, y);
}

typedef struct pull {
    const clv_blocks *all;
    const clv_block_ways *halves;
    double apart; /* distance between the halves */
} pull;

/* By how much the first half is nearer to a block, in units of `apart`.  Cached per division.
 * The block being divided identifies the division, because each block is divided once. */
static double lead_of(const pull *x, int32_t block)
{
    const clv_blocks *all = x->all;
    const clv_block_ways *halves = x->halves;
    if (all->known[block] == halves->block->age)
        return all->ahead[block];
    const clv_machine *m = x->all->task->machine;
    const clv_block *o = &x->all->block[block];
    double d[2];
    for (int i = 0; i < 2; i++) {
        int32_t from[2] = {halves->first[i], o->part},
                to[2] = {halves->first[i + 1], o->part + o->nparts};
        d[i] = domain_distance(m, from, to, halves->domain[i], o->domain);
    }
    all->known[block] = halves->block->age;
    return all->ahead[block] = (d[1] - d[0]) / x->apart;
}

/* For each vertex of the block: by how much its neighbours outside make the first half
 * cheaper, in units of cut edges. */
static void weigh_pulls(pull *x, int64_t *bias)
{
    const clv_blocks *all = x->all;
    const clv_graph *g = all->task->g;
    const clv_machine *m = all->task->machine;
    const clv_block *b = x->halves->block;
    const int32_t *first = x->halves->first;
    const clv_domain *half = x->halves->domain;
    int32_t from[2] = {first[0], first[1]}, to[2] = {first[1], first[2]};
    x->apart = domain_distance(m, from, to, half[0], half[1]);
    for (int32_t i = 0; i < b->count; i++) {
        int32_t v = all->order[b->first + i];
        double sum = 0;
        for (int64_t a = g->xadj[v]; a < g->xadj[v + 1]; a++) {
            int32_t label = all->label[g->adj[a]];
            if (label != b->part)
                sum += (double)clv_graph_ewgt(g, a) * lead_of(x, all->at[label]);
        }
        sum = sum > most_pull ? most_pull : sum < -most_pull ? -most_pull : sum;
        bias[i] = x->apart > 0 ? (int64_t)(sum < 0 ? sum - 0.5 : sum + 0.5) : 0;
    }
}

/* Builds the rows of the block, with one more edge for each attracted vertex, and the rows of
 * the two anchors. */
static cleave_status tie(clv_block_subgraph *sub, int32_t count, const int64_t *bias,
                         clv_ws *ws, cleave_error *err)
{
    const clv_graph *old = &sub->g;
    int64_t ties[2] = {0, 0}, at = 0;
    bool wide = old->wide_ewgt != NULL;
    for (int32_t i = 0; i < count; i++) {
        if (bias[i] != 0)
            ties[bias[i] < 0]++;
        wide = wide || bias[i] > INT32_MAX || bias[i] < -INT32_MAX;
    }
    int64_t arcs = old->narc + 2 * (ties[0] + ties[1]);
    int64_t *xadj = clv_ws_alloc(ws, count + INT64_C(3), sizeof *xadj);
    int32_t *adj = clv_ws_alloc(ws, arcs, sizeof *adj);
    clv_new_weights weight;
    if (!xadj || !adj || !clv_weights_zalloc(&weight, wide, arcs, ws))
        return clv_fail_memory(err);
    xadj[count] = arcs - ties[0] - ties[1];
    xadj[count + 1] = arcs - ties[1];
    xadj[count + 2] = arcs;
    int64_t anchor[2] = {xadj[count], xadj[count + 1]};
    for (int32_t i = 0; i < count; i++) {
        xadj[i] = at;
        for (int64_t a = old->xadj[i]; a < old->xadj[i + 1]; a++, at++) {
            adj[at] = old->adj[a];
            clv_weight_set(weight, at, clv_graph_ewgt(old, a));
        }
        if (bias[i] == 0)
            continue;
        int side = bias[i] < 0;
        int64_t w = side ? -bias[i] : bias[i];
        adj[at] = count + side;
        clv_weight_set(weight, at++, w);
        adj[anchor[side]] = i;
        clv_weight_set(weight, anchor[side]++, w);
    }
    sub->g.nvtx = count + 2;
    sub->g.narc = arcs;
    sub->g.xadj = sub->g.xpred = xadj;
    sub->g.adj = sub->g.pred = adj;
    clv_graph_set_ewgts(&sub->g, clv_weights_of(weight));
    clv_graph_set_pwgts(&sub->g, clv_weights_of(weight));
    return CLEAVE_OK;
}

static cleave_status add_anchors(clv_block_subgraph *sub, const clv_blocks *all,
                                 const clv_block_ways *ways, clv_ws *ws, cleave_error *err)
{
    pull x = {.all = all, .halves = ways};
    int64_t *bias = clv_ws_alloc(ws, ways->block->count, sizeof *bias);
    if (!bias)
        return clv_fail_memory(err);
    weigh_pulls(&x, bias);
    return tie(sub, ways->block->count, bias, ws, err);
}

/* ---- Vertices --------------------------------------------------------------------------- */

/* The weights of the block's vertices; those of anchors are 0. */
static cleave_status induce_weights(clv_block_subgraph *sub, const clv_blocks *all,
                                    const clv_block *b, clv_ws *ws, cleave_error *err)
{
    const clv_graph *g = all->task->g;
    int32_t n = sub->g.nvtx;
    if (!clv_weights_any(clv_graph_vwgts(g)) && n == b->count)
        return CLEAVE_OK;
    clv_new_weights vwgt;
    if (!clv_weights_zalloc(&vwgt, g->wide_vwgt != NULL, (int64_t)n * g->ncon, ws))
        return clv_fail_memory(err);
    for (int32_t i = 0; i < b->count; i++)
        for (int32_t c = 0; c < g->ncon; c++)
            clv_weight_set(vwgt, (int64_t)i * g->ncon + c,
                           clv_graph_vwgt(g, all->order[b->first + i], c));
    clv_graph_set_vwgts(&sub->g, clv_weights_of(vwgt));
    return CLEAVE_OK;
}

/* Where the task fixes the block's vertices.  Each anchor is fixed to its way. */
static cleave_status induce_fixed(clv_block_subgraph *sub, const clv_blocks *all,
                                  const clv_block_ways *ways, clv_ws *ws, cleave_error *err)
{
    const int32_t *given = all->task->fixed;
    const clv_block *b = ways->block;
    int32_t n = sub->g.nvtx;
    if (!given && n == b->count)
        return CLEAVE_OK;
    sub->fixed = clv_ws_alloc(ws, n, sizeof *sub->fixed);
    if (!sub->fixed)
        return clv_fail_memory(err);
    for (int32_t i = 0; i < b->count; i++) {
        int32_t part = given ? given[all->order[b->first + i]] : -1;
        sub->fixed[i] = part >= 0 ? way_of(ways, part) : -1;
    }
    for (int32_t i = b->count; i < n; i++)
        sub->fixed[i] = i - b->count;
    return CLEAVE_OK;
}

cleave_status clv_block_subgraph_make(clv_block_subgraph *sub, const clv_blocks *all,
                                      const clv_block_ways *ways, clv_ws *ws,
                                      cleave_error *err)
{
    const clv_graph *g = all->task->g;
    const clv_block *b = ways->block;
    *sub = (clv_block_subgraph){.g = {.kind = g->kind, .nvtx = b->count, .ncon = g->ncon}};
    for (int32_t i = 0; i < b->count; i++)
        all->local[all->order[b->first + i]] = i;
    CLV_TRY(induce_arcs(all, b, sub, ws, err));
    if (ways->anchored)
        CLV_TRY(add_anchors(sub, all, ways, ws, err));
    CLV_TRY(induce_weights(sub, all, b, ws, err));
    return induce_fixed(sub, all, ways, ws, err);
}
