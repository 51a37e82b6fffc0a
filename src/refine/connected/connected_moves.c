/* SPDX-License-Identifier: Apache-2.0 */
/* refine/connected/connected_moves.c - whether a vertex can leave its part without
 * disconnecting it, and which pieces must move with it.
 *
 * Searches from all neighbours of v inside the part at the same time, without crossing v, and
 * merges searches that meet.  On a mesh they meet at once.  A search that runs out of vertices
 * has found a piece that depends on v alone: it moves with v.  The search ends when one group
 * is left. */
#include "refine/connected/connected_moves.h"

#include <string.h>

cleave_status clv_connected_open(clv_connected_parts *c, clv_partition_state *s,
                                 clv_context *ctx, cleave_error *err)
{
    clv_ws *ws = ctx->ws;
    int32_t n = s->g->nvtx, k = s->bounds.nparts, most = clv_connected_most + 1;
    *c = (clv_connected_parts){.s = s, .ctx = ctx};
    c->home = clv_ws_alloc(ws, n, sizeof *c->home);
    c->comp = clv_ws_alloc(ws, n, sizeof *c->comp);
    c->done = clv_ws_zalloc(ws, n, sizeof *c->done);
    c->set = clv_ws_alloc(ws, most, sizeof *c->set);
    c->set_weight = clv_ws_alloc(ws, s->g->ncon, sizeof *c->set_weight);
    c->touched = clv_ws_alloc(ws, k, sizeof *c->touched);
    c->conn = clv_ws_alloc(ws, k, sizeof *c->conn);
    c->place = clv_ws_zalloc(ws, k, sizeof *c->place);
    c->stamp = clv_ws_zalloc(ws, n, sizeof *c->stamp);
    c->label = clv_ws_alloc(ws, n, sizeof *c->label);
    c->queue = clv_ws_alloc(ws, most, sizeof *c->queue);
    c->leader = clv_ws_alloc(ws, most, sizeof *c->leader);
    c->pending = clv_ws_alloc(ws, most, sizeof *c->pending);
    if (!c->home || !c->comp || !c->done || !c->set || !c->set_weight || !c->touched ||
        !c->conn || !c->place || !c->stamp || !c->label || !c->queue || !c->leader ||
        !c->pending)
        return clv_fail_memory(err);
    return clv_heap_init(&c->heap, n, ws, err);
}

static int32_t find(clv_connected_parts *c, int32_t group)
{
    while (c->leader[group] != group) {
        c->leader[group] = c->leader[c->leader[group]];
        group = c->leader[group];
    }
    return group;
}

static void add_to_set(clv_connected_parts *c, int32_t v)
{
    c->set[c->nset++] = v;
    for (int32_t i = 0; i < c->s->g->ncon; i++)
        c->set_weight[i] += clv_graph_vwgt(c->s->g, v, i);
}

static void start_set(clv_connected_parts *c, int32_t v)
{
    c->nset = 0;
    for (int32_t i = 0; i < c->s->g->ncon; i++)
        c->set_weight[i] = 0;
    add_to_set(c, v);
}

void clv_connected_alone(clv_connected_parts *c, int32_t v)
{
    const clv_graph *g = c->s->g;
    start_set(c, v);
    c->inner = 0;
    for (int64_t a = g->xadj[v]; a < g->xadj[v + 1]; a++)
        if (c->s->part[g->adj[a]] == c->s->part[v])
            c->inner += clv_graph_ewgt(g, a);
}

/* One group for each neighbour of v in its part; -1: too many. */
static int32_t start_groups(clv_connected_parts *c, int32_t v, int32_t limit)
{
    const clv_graph *g = c->s->g;
    int32_t count = 0;
    c->now++;
    c->stamp[v] = c->now;
    c->label[v] = -1;
    for (int64_t a = g->xadj[v]; a < g->xadj[v + 1]; a++) {
        int32_t u = g->adj[a];
        if (c->s->part[u] != c->s->part[v] || c->stamp[u] == c->now)
            continue;
        if (count == limit)
            return -1;
        c->stamp[u] = c->now;
        c->label[u] = count;
        c->leader[count] = count;
        c->pending[count] = 1;
        c->queue[count++] = u;
    }
    return count;
}

/* Scans the neighbours of x; returns by how much the number of groups drops, -1: queue
 * full. */
static int32_t spread(clv_connected_parts *c, int32_t x, int32_t *tail, int32_t limit)
{
    const clv_graph *g = c->s->g;
    int32_t mine = find(c, c->label[x]), fewer = 0;
    for (int64_t a = g->xadj[x]; a < g->xadj[x + 1]; a++) {
        int32_t y = g->adj[a];
        if (c->s->part[y] != c->s->part[x])
            continue;
        if (c->stamp[y] != c->now) {
            if (*tail == limit)
                return -1;
            c->stamp[y] = c->now;
            c->label[y] = mine;
            c->pending[mine]++;
            c->queue[(*tail)++] = y;
        } else if (c->label[y] >= 0) {
            int32_t other = find(c, c->label[y]);
            if (other == mine)
                continue;
            c->leader[other] = mine;
            c->pending[mine] += c->pending[other];
            fewer++;
        }
    }
    return fewer;
}

/* Everything reached except the last open group depends on v. */
static bool collect(clv_connected_parts *c, int32_t v, int32_t tail)
{
    const clv_graph *g = c->s->g;
    start_set(c, v);
    for (int32_t i = 0; i < tail; i++) {
        int32_t u = c->queue[i];
        if (c->pending[find(c, c->label[u])] > 0)
            continue;
        if (c->home[u] >= 0)
            return false;
        add_to_set(c, u);
    }
    c->inner = 0;
    for (int64_t a = g->xadj[v]; a < g->xadj[v + 1]; a++) {
        int32_t u = g->adj[a];
        if (c->s->part[u] == c->s->part[v] && c->pending[find(c, c->label[u])] > 0)
            c->inner += clv_graph_ewgt(g, a);
    }
    return true;
}

bool clv_connected_detach(clv_connected_parts *c, int32_t v, int32_t limit)
{
    const clv_graph *g = c->s->g;
    if (c->home[v] >= 0)
        return false;
    int32_t open = start_groups(c, v, limit), head = 0, tail = open;
    if (open < 0)
        return false;
    int64_t arcs = 64 * (int64_t)limit; /* hubs among the scanned vertices */
    while (open > 1) {
        int32_t x = c->queue[head++];
        arcs -= g->xadj[x + 1] - g->xadj[x];
        int32_t fewer = arcs < 0 ? -1 : spread(c, x, &tail, limit);
        if (fewer < 0)
            return false;
        open -= fewer;
        open -= --c->pending[find(c, c->label[x])] == 0;
    }
    return collect(c, v, tail);
}

void clv_connected_touch(clv_connected_parts *c)
{
    const clv_graph *g = c->s->g;
    int32_t own = c->s->part[c->set[0]];
    c->ntouched = 0;
    for (int32_t i = 0; i < c->nset; i++) {
        int32_t v = c->set[i];
        for (int64_t a = g->xadj[v]; a < g->xadj[v + 1]; a++)
            if (c->s->part[g->adj[a]] != own)
                clv_connected_tie(c, c->s->part[g->adj[a]], clv_graph_ewgt(g, a));
    }
}

bool clv_connected_fits(const clv_connected_parts *c, int32_t to)
{
    const clv_partition_state *s = c->s;
    for (int32_t i = 0; i < s->g->ncon; i++) {
        int64_t at = (int64_t)to * s->g->ncon + i;
        if (c->set_weight[i] > 0 && s->weight[at] + c->set_weight[i] > s->bounds.max[at])
            return false;
    }
    return true;
}

bool clv_connected_may_leave(const clv_connected_parts *c)
{
    const clv_partition_state *s = c->s;
    int32_t own = s->part[c->set[0]];
    if (s->count[own] <= c->nset)
        return false;
    for (int32_t i = 0; s->bounds.min && i < s->g->ncon; i++) {
        int64_t at = (int64_t)own * s->g->ncon + i;
        if (c->set_weight[i] > 0 && s->weight[at] - c->set_weight[i] < s->bounds.min[at])
            return false;
    }
    return true;
}

void clv_connected_move(clv_connected_parts *c, int32_t to, bool touches)
{
    clv_partition_state *s = c->s;
    s->cut -= (touches ? c->conn[to] : 0) - c->inner;
    for (int32_t i = 0; i < c->nset; i++) {
        clv_state_move(s, c->set[i], to);
        clv_state_mark(s, c->set[i]);
    }
}
