/* SPDX-License-Identifier: Apache-2.0 */
/* refine/flow/vertex_cut.c - minimum weight vertex separators inside a band, by maximum flow;
 * see refine/state/separation.h.
 *
 * Every vertex of the band is two nodes of a network, joined by an arc with the vertex's
 * weight as capacity; edges are arcs of infinite capacity from the second node of one end to
 * the first of the other.  Vertices at the rims of the band are connected to the terminals.  A
 * minimum cut then consists of arcs inside vertices: the minimum weight set that separates the
 * two rims.  The vertex cover of the edges between two sides is the special case of a band
 * that is the boundary alone, all of it rims. */
#include "refine/flow/maxflow.h"
#include "refine/state/separation.h"

typedef struct band {
    clv_separation *s;
    int32_t *local;  /* vertex -> index, -1: not inside */
    int32_t *vertex; /* by index */
    uint8_t *rim;    /* by index: 1: of side 0, 2: of side 1 */
    int32_t count;
    int64_t held[2];  /* weight of the vertices of the two sides */
    int shift;        /* capacities are weights divided by 2^shift */
    clv_context *ctx; /* NULL: no time limit */
} band;

enum { rim_of_0 = 1, rim_of_1 = 2, flow_passes = 16 };

static cleave_status open_band(band *b, clv_separation *s, clv_context *ctx, clv_ws *ws,
                               cleave_error *err)
{
    int64_t n = s->g->nvtx;
    *b = (band){.s = s, .ctx = ctx};
    b->local = clv_ws_alloc(ws, n, sizeof *b->local);
    b->vertex = clv_ws_alloc(ws, n, sizeof *b->vertex);
    b->rim = clv_ws_zalloc(ws, n, sizeof *b->rim);
    if (!b->local || !b->vertex || !b->rim)
        return clv_fail_memory(err);
    for (int32_t v = 0; v < s->g->nvtx; v++)
        b->local[v] = -1;
    return CLEAVE_OK;
}

static void take(band *b, int32_t v)
{
    int32_t side = b->s->part[v];
    if (side < clv_separator_part)
        b->held[side] += clv_graph_vwgt(b->s->g, v, 0);
    b->local[v] = b->count;
    b->vertex[b->count++] = v;
}

/* ---- The network ------------------------------------------------------------------------ */

static int64_t band_arcs(const band *b)
{
    int64_t arcs = 0;
    for (int32_t i = 0; i < b->count; i++)
        arcs += b->s->g->xadj[b->vertex[i] + 1] - b->s->g->xadj[b->vertex[i]];
    return arcs;
}

/* Rounded up; a vertex heavier than the limit of the cut is never cut anyway. */
static int32_t capacity_of(const band *b, int32_t v)
{
    int64_t w = clv_graph_vwgt(b->s->g, v, 0);
    int64_t up = (w >> b->shift) + ((w & (((int64_t)1 << b->shift) - 1)) != 0);
    return (int32_t)(up < clv_maxflow_capacity ? up : clv_maxflow_capacity);
}

static inline int32_t node_in(int32_t i)
{
    return 2 * i;
}

static inline int32_t node_out(int32_t i)
{
    return 2 * i + 1;
}

/* Polled every so many arcs. */
static bool is_out_of_time(const band *b, int64_t arcs, int64_t *unpaid)
{
    enum { between_clocks = 1 << 16 };
    *unpaid += arcs;
    if (!b->ctx || *unpaid < between_clocks)
        return false;
    clv_context_count(b->ctx, *unpaid);
    *unpaid = 0;
    return clv_context_stop(b->ctx);
}

/* Both nodes of a vertex have an arc per edge, the one between them and one to a terminal.
 * *whole: the context did not stop it. */
static cleave_status build_network(const band *b, clv_maxflow *f, clv_ws *ws, bool *whole,
                                   cleave_error *err)
{
    const clv_graph *g = b->s->g;
    int64_t unpaid = 0;
    *whole = false;
    int32_t source = 2 * b->count, sink = source + 1, at = 0;
    CLV_TRY(clv_maxflow_init(f, sink + 1, (int32_t)(2 * band_arcs(b) + 6 * (int64_t)b->count),
                             0, ws, err));
    for (int32_t u = 0; u <= sink; u++) {
        f->first[u] = f->last[u] = at;
        if (u >= source) {
            at += b->count;
            continue;
        }
        int32_t v = b->vertex[u / 2];
        at += (int32_t)(g->xadj[v + 1] - g->xadj[v]) + 2;
    }
    for (int32_t i = 0; i < b->count; i++) {
        int32_t v = b->vertex[i];
        if (is_out_of_time(b, g->xadj[v + 1] - g->xadj[v], &unpaid))
            return CLEAVE_OK;
        clv_maxflow_arc(f, node_in(i), node_out(i), capacity_of(b, v), 0);
        if (b->rim[i] & rim_of_0)
            clv_maxflow_arc(f, source, node_in(i), clv_maxflow_capacity, 0);
        if (b->rim[i] & rim_of_1)
            clv_maxflow_arc(f, node_out(i), sink, clv_maxflow_capacity, 0);
        for (int64_t a = g->xadj[v]; a < g->xadj[v + 1]; a++) {
            int32_t j = b->local[g->adj[a]];
            if (j >= 0)
                clv_maxflow_arc(f, node_out(i), node_in(j), clv_maxflow_capacity, 0);
        }
    }
    clv_maxflow_start(f, source, sink, NULL);
    *whole = true;
    return CLEAVE_OK;
}

/* ---- The result ------------------------------------------------------------------------- */

/* Of the two extreme minimum cuts, the one nearest to the source or to the sink. */
static int32_t part_of(const clv_maxflow *f, int32_t i, int side)
{
    if (side == clv_flow_source) {
        if (clv_maxflow_in(f, node_out(i), side))
            return 0;
        return clv_maxflow_in(f, node_in(i), side) ? clv_separator_part : 1;
    }
    if (clv_maxflow_in(f, node_in(i), side))
        return 1;
    return clv_maxflow_in(f, node_out(i), side) ? clv_separator_part : 0;
}

static clv_separation_worth worth_of_cut(const band *b, const clv_maxflow *f, int side)
{
    clv_separation now = *b->s;
    for (int32_t i = 0; i < b->count; i++) {
        int32_t v = b->vertex[i];
        int64_t w = clv_graph_vwgt(now.g, v, 0);
        now.weight[now.part[v]] -= w;
        now.weight[part_of(f, i, side)] += w;
    }
    return clv_separation_judge(&now);
}

static void apply(band *b, const clv_maxflow *f, int side)
{
    clv_separation *s = b->s;
    for (int32_t i = 0; i < b->count; i++) {
        int32_t v = b->vertex[i], to = part_of(f, i, side);
        int64_t w = clv_graph_vwgt(s->g, v, 0);
        s->weight[s->part[v]] -= w;
        s->weight[to] += w;
        s->part[v] = to;
    }
}

/* Work after the stop is charged to the credit. */
static bool is_affordable(band *b)
{
    if (!b->ctx)
        return true;
    bool yes = clv_context_afford(b->ctx, flow_passes * (band_arcs(b) + b->count));
    if (clv_context_is_stopped(b->ctx))
        b->ctx = NULL;
    return yes;
}

/* limit: the weight of a separator that is known to be inside. */
static cleave_status cut_band(band *b, int64_t limit, const clv_separation_worth *beat,
                              clv_ws *ws, bool *better, cleave_error *err)
{
    clv_maxflow f;
    *better = false;
    if (2 * band_arcs(b) + 6 * (int64_t)b->count > INT32_MAX || b->count > INT32_MAX / 4)
        return CLEAVE_OK;
    if (!is_affordable(b))
        return CLEAVE_OK;
    /* Rounding up adds at most one per vertex. */
    while ((limit >> b->shift) + b->count >= clv_maxflow_capacity / 4)
        b->shift++;
    bool whole;
    CLV_TRY(build_network(b, &f, ws, &whole, err));
    f.ctx = b->ctx;
    if (!whole || !clv_maxflow_run(&f, (limit >> b->shift) + b->count))
        return CLEAVE_OK;
    clv_separation_worth near = worth_of_cut(b, &f, clv_flow_source);
    clv_separation_worth far = worth_of_cut(b, &f, clv_flow_sink);
    bool take_far = clv_separation_better(&far, &near);
    if (beat && !clv_separation_better(take_far ? &far : &near, beat))
        return CLEAVE_OK;
    apply(b, &f, take_far ? clv_flow_sink : clv_flow_source);
    *better = true;
    return CLEAVE_OK;
}

/* ---- Cover ------------------------------------------------------------------------------ */

/* Only edges between the sides matter: the band is the boundary, where each side is its own
 * rim. */
static void take_boundary(band *b, int64_t weight[2])
{
    const clv_separation *s = b->s;
    const clv_graph *g = s->g;
    for (int32_t v = 0; v < g->nvtx; v++) {
        bool near = false;
        for (int64_t a = g->xadj[v]; a < g->xadj[v + 1] && !near; a++)
            near = s->part[g->adj[a]] == 1 - s->part[v];
        if (!near)
            continue;
        b->rim[b->count] = s->part[v] == 0 ? rim_of_0 : rim_of_1;
        weight[s->part[v]] += clv_graph_vwgt(g, v, 0);
        take(b, v);
    }
}

/* Uses one whole boundary when the network is too large or time is short. */
static void take_one_side(band *b, int32_t side)
{
    for (int32_t i = 0; i < b->count; i++)
        if (b->s->part[b->vertex[i]] == side)
            b->s->part[b->vertex[i]] = clv_separator_part;
    clv_separation_measure(b->s);
}

static cleave_status cover(clv_separation *s, clv_context *ctx, clv_ws *ws, cleave_error *err)
{
    band b;
    int64_t weight[2] = {0, 0};
    bool done;
    clv_separation_measure(s);
    CLV_TRY(open_band(&b, s, ctx, ws, err));
    take_boundary(&b, weight);
    if (b.count == 0)
        return CLEAVE_OK;
    int32_t lighter = weight[1] < weight[0];
    CLV_TRY(cut_band(&b, weight[lighter], NULL, ws, &done, err));
    if (!done)
        take_one_side(&b, lighter);
    return CLEAVE_OK;
}

cleave_status clv_vertex_cover(clv_separation *s, clv_context *ctx, clv_ws *ws,
                               cleave_error *err)
{
    clv_ws_mark mark = clv_ws_save(ws);
    cleave_status status = cover(s, ctx, ws, err);
    clv_ws_restore(ws, mark);
    return status;
}

/* ---- Band ------------------------------------------------------------------------------- */

/* Adds the neighbours on side p of the vertices from `from` on, as long as their total weight
 * is at most `room`.  Returns whether all of them were added. */
static bool grow_layer(band *b, int32_t from, int32_t to, int p, int64_t room)
{
    const clv_separation *s = b->s;
    const clv_graph *g = s->g;
    for (int32_t i = from; i < to; i++) {
        int32_t v = b->vertex[i];
        if (s->part[v] != p && s->part[v] != clv_separator_part)
            continue;
        for (int64_t a = g->xadj[v]; a < g->xadj[v + 1]; a++) {
            int32_t u = g->adj[a];
            if (s->part[u] != p || b->local[u] >= 0)
                continue;
            if (b->held[p] + clv_graph_vwgt(g, u, 0) > room)
                return false;
            take(b, u);
        }
    }
    return true;
}

/* The separator and some layers on either side.  Those of side p can all end up with side 1 -
 * p and the separator, and must not overload it. */
static void grow_band(band *b, int32_t layers)
{
    const clv_separation *s = b->s;
    for (int32_t v = 0; v < s->g->nvtx; v++)
        if (s->part[v] == clv_separator_part)
            take(b, v);
    int32_t separator = b->count;
    for (int p = 0; p < 2; p++) {
        int64_t room = s->max - s->weight[1 - p] - s->weight[2];
        int32_t from = 0, to = separator, before = b->count;
        for (int32_t layer = 0; layer < layers; layer++) {
            bool whole = grow_layer(b, from, to, p, room);
            from = layer == 0 ? before : to;
            to = b->count;
            if (!whole || from == to)
                break;
        }
    }
}

/* Marks vertices with a neighbour on their side (for the separator: on a side) outside the
 * band. */
static void find_rims(band *b)
{
    const clv_separation *s = b->s;
    const clv_graph *g = s->g;
    for (int32_t i = 0; i < b->count; i++) {
        int32_t v = b->vertex[i];
        for (int64_t a = g->xadj[v]; a < g->xadj[v + 1]; a++)
            if (b->local[g->adj[a]] < 0)
                b->rim[i] |= s->part[g->adj[a]] == 0 ? rim_of_0 : rim_of_1;
    }
}

cleave_status clv_vertex_cut(clv_separation *s, int32_t layers, clv_context *ctx, clv_ws *ws,
                             bool *better, cleave_error *err)
{
    band b;
    clv_ws_mark mark = clv_ws_save(ws);
    clv_separation_worth now = clv_separation_judge(s);
    *better = false;
    if (s->weight[2] == 0 || now.overload > 0)
        return CLEAVE_OK;
    CLV_TRY(open_band(&b, s, ctx, ws, err));
    grow_band(&b, layers);
    find_rims(&b);
    cleave_status status = cut_band(&b, s->weight[2], &now, ws, better, err);
    clv_ws_restore(ws, mark);
    return status;
}
