/* SPDX-License-Identifier: Apache-2.0 */
/* refine/flow/flow.c - flow refinement of a pair of parts: the corridor around their boundary
 * as a flow network.
 *
 * Nodes are numbered breadth-first from the boundary, one part after the other: neighbours are
 * near in memory, and the number gives the side.  Arcs to other parts matter only when their
 * costs on the two sides differ (refine/flow/flow_corridor.h).
 *
 * With a machine the weight of all edges times the largest distance fits an int64_t. */
#include "refine/flow/flow.h"

#include <assert.h>
#include <string.h>

#include "refine/flow/flow_corridor.h"
#include "refine/flow/flow_cut.h"

/* The cost of finding a corridor and building its network, in scans of its arcs. */
enum { built = 4 };

/* ---- Growing ---------------------------------------------------------------------------- */

bool clv_corridor_take(clv_corridor *c, clv_corridor_bounds *b, int side, int32_t v)
{
    const clv_graph *g = c->s->g;
    if (b->reached)
        return false;
    int64_t *taken = c->taken + (int64_t)side * g->ncon;
    b->reached = c->nnode >= b->nodes;
    for (int32_t i = 0; i < g->ncon; i++)
        b->reached |= taken[i] + clv_graph_vwgt(g, v, i) > b->weight[i];
    if (b->reached)
        return false;
    for (int32_t i = 0; i < g->ncon; i++)
        taken[i] += clv_graph_vwgt(g, v, i);
    c->local[v] = c->nnode;
    c->vertex[c->nnode++] = v;
    return true;
}

static void take(clv_corridor *c, clv_corridor_bounds *b, int side, int32_t v, int32_t hops)
{
    if (!clv_state_is_fixed(c->s, v) && clv_corridor_take(c, b, side, v))
        c->distance[c->nnode - 1] = side == clv_flow_source ? hops : -hops;
}

/* Grows from the nodes of one side, numbered begin and up. */
static void spread(clv_corridor *c, clv_corridor_bounds *b, int side, int32_t begin)
{
    const clv_graph *g = c->s->g;
    int32_t own = c->pair->part[side], other = c->pair->part[1 - side];
    for (int32_t i = begin; i < c->nnode; i++) {
        int32_t v = c->vertex[i], hops = c->distance[i] < 0 ? -c->distance[i] : c->distance[i];
        bool further = b->depth == 0 || hops < b->depth;
        int32_t arcs = 0;
        for (int64_t a = g->xadj[v]; a < g->xadj[v + 1]; a++) {
            int32_t w = g->adj[a], p = c->s->part[w];
            arcs += p == own || p == other;
            if (p == own && further && c->local[w] < 0)
                take(c, b, side, w, hops + 1);
        }
        c->arcs[i] = arcs;
        c->narc += arcs;
        c->farthest = hops > c->farthest ? hops : c->farthest;
    }
}

/* The weight that can leave part[side]: the remaining capacity of the other part, and a
 * multiple of the imbalance, because flow_cut restores the balance. */
static void bound_weight(const clv_corridor *c, const clv_flow_params *params, int side,
                         int64_t *bound)
{
    const clv_partition_state *s = c->s;
    int32_t ncon = s->g->ncon;
    for (int32_t i = 0; i < ncon; i++) {
        int64_t to = (int64_t)c->pair->part[1 - side] * ncon + i;
        int64_t from = (int64_t)c->pair->part[side] * ncon + i;
        int64_t slack = c->pair->slack[1 - side];
        if (ncon > 1 || slack < s->bounds.max[to] / 64)
            slack = s->bounds.max[to] / 64;
        if (slack == 0 && s->g->kind == CLEAVE_DAG)
            slack = 1;
        if (slack > CLV_MOST_WEIGHT / params->alpha) /* the product below fits */
            slack = CLV_MOST_WEIGHT / params->alpha;
        int64_t room =
            s->bounds.max[to] > s->weight[to] ? s->bounds.max[to] - s->weight[to] : 0;
        int64_t b = room + slack * (params->alpha - 1) + 1;
        bound[i] = b < s->weight[from] && !c->whole ? b : s->weight[from];
    }
}

static cleave_status open_corridor(clv_corridor *c, const clv_flow_params *params, clv_ws *ws,
                                   cleave_error *err)
{
    const clv_partition_state *s = c->s;
    const clv_graph *g = s->g;
    const clv_flow_pair *pair = c->pair;
    int64_t both = (int64_t)s->count[pair->part[0]] + s->count[pair->part[1]];
    c->capacity = (int32_t)(both < params->max_corridor ? both : params->max_corridor);
    c->vertex = clv_ws_alloc(ws, 3 * (int64_t)c->capacity, sizeof *c->vertex);
    c->taken = clv_ws_zalloc(ws, 4 * (int64_t)g->ncon, sizeof *c->taken);
    if (!c->vertex || !c->taken)
        return clv_fail_memory(err);
    c->distance = c->vertex + c->capacity;
    c->arcs = c->distance + c->capacity;
    return CLEAVE_OK;
}

/* Breadth-first from the boundary. */
static void spread_sides(clv_corridor *c, clv_corridor_bounds *b, int side)
{
    const clv_partition_state *s = c->s;
    const clv_graph *g = s->g;
    const clv_flow_pair *pair = c->pair;
    int32_t begin = c->nnode;
    for (int32_t i = 0; i < pair->nseed; i++) {
        int32_t v = pair->seed[i];
        if (s->part[v] != pair->part[0])
            continue;
        if (side == clv_flow_source) {
            take(c, b, 0, v, 1);
            continue;
        }
        for (int64_t a = g->xadj[v]; a < g->xadj[v + 1]; a++)
            if (s->part[g->adj[a]] == pair->part[1] && c->local[g->adj[a]] < 0)
                take(c, b, 1, g->adj[a], 1);
    }
    spread(c, b, side, begin);
}

static cleave_status grow_corridor(clv_corridor *c, const clv_flow_params *params, clv_ws *ws,
                                   cleave_error *err)
{
    CLV_TRY(open_corridor(c, params, ws, err));
    const clv_partition_state *s = c->s;
    int64_t both = (int64_t)s->count[c->pair->part[0]] + s->count[c->pair->part[1]];
    for (int side = 0; side < 2; side++) {
        clv_corridor_bounds b = {false, c->capacity, c->whole ? 0 : params->depth,
                                 c->taken + 2 * (int64_t)s->g->ncon};
        if (side == clv_flow_source && both > c->capacity)
            b.nodes = c->capacity / 2;
        bound_weight(c, params, side, b.weight);
        if (s->g->kind == CLEAVE_DAG)
            CLV_TRY(clv_closure_grow(c, &b, side, ws, err));
        else
            spread_sides(c, &b, side);
        if (side == clv_flow_source)
            c->nsource = c->nnode;
    }
    if (s->g->kind == CLEAVE_DAG)
        clv_closure_number(c);
    return CLEAVE_OK;
}

/* ---- The network ------------------------------------------------------------------------ */

static int64_t add_terminals(const clv_corridor *c, clv_maxflow *f, int32_t u,
                             const clv_corridor_ties *ties)
{
    int64_t cut = 0;
    for (int side = 0; side < 2; side++) {
        int32_t capacity = clv_corridor_terminal(c, ties, side);
        if (capacity == 0)
            continue;
        clv_maxflow_edge(f, c->nnode + side, u, capacity);
        if (side != clv_corridor_side(c, u))
            cut += capacity;
    }
    return cut;
}

/* Adds the edges of node u to higher nodes and to the terminals.  Returns the capacity that is
 * currently cut. */
static int64_t add_edges(const clv_corridor *c, clv_maxflow *f, int32_t u)
{
    const clv_graph *g = c->s->g;
    int32_t v = c->vertex[u];
    bool source = u < c->nsource;
    clv_corridor_ties ties = {.lean = 0};
    int64_t cut = 0;
    for (int64_t a = g->xadj[v]; a < g->xadj[v + 1]; a++) {
        int32_t w = g->adj[a], node = clv_corridor_node(c, w);
        int64_t weight = clv_graph_ewgt(g, a);
        if (node < 0) {
            clv_corridor_tie(c, &ties, c->s->part[w], weight);
        } else if (node > u && weight * c->unit > 0) {
            int32_t capacity = clv_corridor_clamp(weight * c->unit, c->shift);
            clv_maxflow_edge(f, u, node, capacity);
            if (source && node >= c->nsource)
                cut += capacity;
        }
    }
    return cut + add_terminals(c, f, u, &ties);
}

static cleave_status build_network(const clv_corridor *c, clv_flow_cut *cut, int64_t *weight,
                                   clv_ws *ws, cleave_error *err)
{
    const clv_partition_state *s = c->s;
    const clv_graph *g = s->g;
    int32_t n = c->nnode;
    clv_maxflow *f = &cut->flow;
    /* Each node has its arcs and two for the terminals, which have one for each node. */
    CLV_TRY(clv_maxflow_init(f, n + 2, (int32_t)(c->narc + 4 * (int64_t)n), g->ncon, ws, err));
    int32_t at = 0;
    for (int32_t u = 0; u < n + 2; u++) {
        f->first[u] = f->last[u] = at;
        if (u >= n) {
            at += n;
            continue;
        }
        at += c->arcs[u] + 2;
        for (int32_t i = 0; i < g->ncon; i++)
            weight[(int64_t)u * g->ncon + i] = clv_graph_vwgt(g, c->vertex[u], i);
    }
    cut->cut = 0;
    for (int32_t u = 0; u < n; u++)
        cut->cut += cut->directed ? clv_closure_edges(c, f, u) : add_edges(c, f, u);
    memset(weight + (int64_t)n * g->ncon, 0, 2 * (size_t)g->ncon * sizeof *weight);
    clv_maxflow_start(f, n, n + 1, weight);
    return CLEAVE_OK;
}

/* ---- One pair --------------------------------------------------------------------------- */

/* The gain when the nodes take the sides of `now`, counted edge by edge. */
static int64_t exact_gain(const clv_corridor *c, const uint8_t *now)
{
    const clv_partition_state *s = c->s;
    const clv_graph *g = s->g;
    int64_t gain = 0;
    if (g->kind == CLEAVE_DAG)
        return clv_closure_gain(c, now);
    for (int32_t u = 0; u < c->nnode; u++) {
        int32_t v = c->vertex[u], to = clv_corridor_part(c, now, v);
        for (int64_t a = g->xadj[v]; a < g->xadj[v + 1]; a++) {
            int32_t w = g->adj[a];
            int64_t weight = clv_graph_ewgt(g, a);
            int32_t node = clv_corridor_node(c, w);
            if (node < 0 || node > u)
                gain += clv_state_cost(s, weight, s->part[v], s->part[w]) -
                        clv_state_cost(s, weight, to, clv_corridor_part(c, now, w));
        }
    }
    return gain;
}

static bool reserve(clv_flow_worker *worker, int64_t more)
{
    if (worker->nmoved + more <= worker->capacity)
        return true;
    int64_t capacity = 2 * (worker->nmoved + more);
    int32_t *moved = clv_realloc(worker->moved, capacity, sizeof *moved);
    if (!moved)
        return false;
    worker->moved = moved;
    worker->capacity = capacity;
    return true;
}

static cleave_status report_moves(const clv_corridor *c, const clv_flow_cut *cut,
                                  clv_flow_worker *worker, int64_t *gain, cleave_error *err)
{
    uint8_t *now = clv_ws_alloc(&worker->ws, c->nnode, sizeof *now);
    if (!now || !reserve(worker, c->nnode))
        return clv_fail_memory(err);
    memset(now, 1 - cut->side, (size_t)c->nnode);
    for (int32_t i = 0; i < cut->count; i++)
        now[cut->flow.member[cut->side][i]] = (uint8_t)cut->side;
    *gain = cut->cut - cut->flow.flow;
    if (c->shift > 0) {
        *gain = exact_gain(c, now);
        if (*gain <= 0) {
            *gain = 0;
            return CLEAVE_OK;
        }
    }
    assert(*gain == exact_gain(c, now));
    for (int32_t u = 0; u < c->nnode; u++)
        if (now[u] != (u >= c->nsource))
            worker->moved[worker->nmoved++] = c->vertex[u];
    return CLEAVE_OK;
}

static cleave_status cut_corridor(clv_corridor *c, const clv_flow_params *params,
                                  clv_flow_worker *worker, int64_t *gain, cleave_error *err)
{
    const clv_partition_state *s = c->s;
    int32_t ncon = s->g->ncon;
    clv_ws *ws = &worker->ws;
    int64_t *weight = clv_ws_alloc(ws, ((int64_t)c->nnode + 2 + 3) * ncon, sizeof *weight);
    if (!weight)
        return clv_fail_memory(err);
    clv_flow_cut cut = {
        .nnode = c->nnode,
        .nsource = c->nsource,
        .directed = s->g->kind == CLEAVE_DAG,
        .effort = params->effort,
        .most_spent = c->pair->most_spent > 0 ? c->pair->most_spent : INT64_MAX,
        .distance = c->distance,
        .farthest = c->farthest,
    };
    int64_t *total = weight + ((int64_t)c->nnode + 2) * ncon;
    cut.total = total;
    for (int side = 0; side < 2; side++) {
        int64_t at = (int64_t)c->pair->part[side] * ncon;
        int32_t inside = side == clv_flow_source ? c->nsource : c->nnode - c->nsource;
        cut.noutside[side] = s->count[c->pair->part[side]] - inside;
        cut.outside[side] = total + (1 + side) * (int64_t)ncon;
        cut.now[side] = s->weight + at;
        cut.max[side] = s->bounds.max + at;
        cut.min[side] = s->bounds.min ? s->bounds.min + at : NULL;
        for (int32_t i = 0; i < ncon; i++)
            cut.outside[side][i] = s->weight[at + i] - c->taken[(int64_t)side * ncon + i];
    }
    for (int32_t i = 0; i < ncon; i++)
        total[i] = cut.now[0][i] + cut.now[1][i];
    CLV_TRY(build_network(c, &cut, weight, ws, err));
    if (cut.cut >= clv_maxflow_capacity)
        return CLEAVE_OK;
    bool found;
    CLV_TRY(clv_flow_cut_find(&cut, ws, &found, err));
    if (!(found && cut.flow.flow < cut.cut))
        worker->lost += clv_maxflow_spent(&cut.flow) + built * (c->narc + c->nnode);
    return found ? report_moves(c, &cut, worker, gain, err) : CLEAVE_OK;
}

/* An upper bound on what the network cuts now.  With a machine that is at most the current
 * cost of the edges of the nodes: a node's preference for the other side is less than its cost
 * on its own. */
static int64_t most_cut(const clv_corridor *c)
{
    const clv_partition_state *s = c->s;
    const clv_graph *g = s->g;
    if (!s->machine)
        return c->pair->cut;
    if (s->cut < clv_maxflow_capacity / 4)
        return s->cut;
    int64_t cost = 0;
    for (int32_t u = 0; u < c->nnode; u++) {
        int32_t v = c->vertex[u], p = s->part[v];
        for (int64_t a = g->xadj[v]; a < g->xadj[v + 1]; a++)
            cost += clv_state_cost(s, clv_graph_ewgt(g, a), p, s->part[g->adj[a]]);
        if (g->kind != CLEAVE_DAG)
            continue;
        for (int64_t a = g->xpred[v]; a < g->xpred[v + 1]; a++)
            cost += clv_state_cost(s, clv_graph_pwgt(g, a), p, s->part[g->pred[a]]);
    }
    return cost;
}

static cleave_status try_pair(clv_corridor *c, const clv_flow_params *params,
                              clv_flow_worker *worker, int64_t *gain, cleave_error *err)
{
    clv_ws_mark mark = clv_ws_save(&worker->ws);
    cleave_status status = grow_corridor(c, params, &worker->ws, err);
    c->unit = clv_state_cost(c->s, 1, c->pair->part[0], c->pair->part[1]);
    for (int64_t most = most_cut(c); most >> c->shift >= clv_maxflow_capacity / 4;)
        c->shift++;
    int64_t narc = c->narc + 4 * (int64_t)c->nnode;
    if (status == CLEAVE_OK && c->nnode > 0 && narc <= INT32_MAX)
        status = cut_corridor(c, params, worker, gain, err);
    for (int32_t i = 0; i < c->nnode; i++)
        worker->local[c->vertex[i]] = -1;
    clv_ws_restore(&worker->ws, mark);
    return status;
}

cleave_status clv_flow_refine_pair(const clv_partition_state *s, const clv_flow_pair *pair,
                                   const clv_flow_params *params, clv_flow_worker *worker,
                                   int64_t *gain, cleave_error *err)
{
    *gain = 0;
    int64_t both = (int64_t)s->count[pair->part[0]] + s->count[pair->part[1]];
    int64_t nmoved = worker->nmoved;
    if (pair->wide && both <= params->whole) {
        clv_corridor all = {.s = s, .pair = pair, .local = worker->local, .whole = true};
        CLV_TRY(try_pair(&all, params, worker, gain, err));
        if (*gain > 0)
            return CLEAVE_OK;
        worker->nmoved = nmoved;
    }
    clv_corridor c = {.s = s, .pair = pair, .local = worker->local};
    return try_pair(&c, params, worker, gain, err);
}
