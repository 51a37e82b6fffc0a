/* SPDX-License-Identifier: Apache-2.0 */
/* refine/flow/flow_cut.c - FlowCutter: see refine/flow/flow_cut.h. */
#include "refine/flow/flow_cut.h"

#include <string.h>

enum { cheap = 0, dear = 1 }; /* dear: the other side reaches the node, as far as known */

/* ---- Balance --------------------------------------------------------------------------- */

/* Distance of a weight to its bound; with several weights relative to the bound, so that they
 * compare.  Far beyond a small bound the value saturates. */
static int64_t distance_to(int64_t bound, int64_t weight, int32_t ncon)
{
    const double farthest = -0x1p62;
    if (ncon == 1)
        return bound - weight;
    double distance = (double)(bound - weight) * 1e9 / (double)(bound > 0 ? bound : 1);
    return (int64_t)(distance > farthest ? distance : farthest);
}

/* Remaining capacity below the upper bounds of `side` when it holds its tree only. */
static int64_t room_of(const clv_flow_cut *c, int side)
{
    int64_t room = INT64_MAX;
    for (int32_t i = 0; i < c->flow.ncon; i++) {
        int64_t weight = c->outside[side][i] + c->flow.load[side][i];
        int64_t r = distance_to(c->max[side][i], weight, c->flow.ncon);
        room = r < room ? r : room;
    }
    return room;
}

/* Remaining capacity of the fuller side when `side` has its tree and the other side the rest;
 * negative when a bound is broken or a side is empty. */
static int64_t quality_of(const clv_flow_cut *c, int side)
{
    int other = 1 - side;
    int32_t count = c->noutside[side] + c->flow.held[side];
    int32_t total = c->noutside[0] + c->noutside[1] + c->nnode;
    if (count == 0 || count == total)
        return -1;
    int64_t room = INT64_MAX;
    for (int32_t i = 0; i < c->flow.ncon; i++) {
        int64_t own = c->outside[side][i] + c->flow.load[side][i];
        int64_t rest = c->total[i] - own;
        if ((c->min[side] && own < c->min[side][i]) ||
            (c->min[other] && rest < c->min[other][i]))
            return -1;
        int64_t r = distance_to(c->max[side][i], own, c->flow.ncon);
        int64_t s = distance_to(c->max[other][i], rest, c->flow.ncon);
        r = r < s ? r : s;
        room = r < room ? r : room;
    }
    return room;
}

/* ---- Candidates: FIFO lists by distance, so that fronts stay round ---------------------- */

static cleave_status open_lists(clv_flow_cut *c, clv_ws *ws, cleave_error *err)
{
    int64_t keys = 2 * (int64_t)c->farthest + 1, each = 2 * keys;
    int32_t *block = clv_ws_alloc(ws, 4 * each + 2 * (int64_t)c->nnode, sizeof *block);
    c->seen = clv_ws_zalloc(ws, c->nnode, sizeof *c->seen);
    if (!block || !c->seen)
        return clv_fail_memory(err);
    memset(block, -1, (size_t)(4 * each) * sizeof *block);
    for (int side = 0; side < 2; side++) {
        for (int cost = 0; cost < 2; cost++) {
            c->list[side][cost] = block;
            block += each;
            c->highest[side][cost] = -1;
            c->fallback[side][cost] = 0;
        }
        c->looked[side] = c->known[side] = 0;
        c->nseen[side] = -1;
    }
    c->after[0] = block;
    c->after[1] = block + c->nnode;
    return CLEAVE_OK;
}

static void push_candidate(clv_flow_cut *c, int32_t v, int side, int cost)
{
    int32_t d = c->distance[v];
    int32_t key = c->farthest + (side == clv_flow_source ? d : -d);
    int32_t *ends = &c->list[side][cost][2 * (int64_t)key];
    c->after[side][v] = -1;
    if (ends[0] < 0)
        ends[0] = v;
    else
        c->after[side][ends[1]] = v;
    ends[1] = v;
    if (key > c->highest[side][cost])
        c->highest[side][cost] = key;
}

static int32_t pop_candidate(clv_flow_cut *c, int side, int cost)
{
    int32_t *highest = &c->highest[side][cost];
    for (; *highest >= 0; --*highest) {
        int32_t *first = &c->list[side][cost][2 * (int64_t)*highest];
        int32_t v = *first;
        if (v >= 0) {
            *first = c->after[side][v];
            return v;
        }
    }
    return -1;
}

static void add_neighbours(clv_flow_cut *c, int32_t v, int side)
{
    const clv_maxflow *f = &c->flow;
    for (int32_t a = f->first[v]; a < f->last[v]; a++) {
        int32_t w = f->arc[a].head;
        if (w < c->nnode && !(c->seen[w] & (1 << side)) && !clv_maxflow_in(f, w, side)) {
            c->seen[w] |= (uint8_t)(1 << side);
            push_candidate(c, w, side, cheap);
        }
    }
}

/* Freezes the tree of that side; nodes adjacent to it become candidates. */
static void freeze(clv_flow_cut *c, int side)
{
    clv_maxflow *f = &c->flow;
    clv_maxflow_settle(f, side);
    if (c->directed)
        return;
    if (c->nseen[side] < 0) {
        add_neighbours(c, c->nnode + side, side);
        c->nseen[side] = 0;
    }
    for (; c->nseen[side] < f->nsettled[side]; c->nseen[side]++)
        add_neighbours(c, f->member[side][c->nseen[side]], side);
}

static bool is_terminal(const clv_flow_cut *c, int32_t v, int side)
{
    return clv_maxflow_in(&c->flow, v, side) && c->flow.parent[v] == clv_flow_root;
}

static bool fits(const clv_flow_cut *c, int32_t v, int side)
{
    const clv_maxflow *f = &c->flow;
    for (int32_t i = 0; i < f->ncon; i++)
        if (c->outside[side][i] + f->load[side][i] + f->weight[(int64_t)v * f->ncon + i] >
            c->max[side][i])
            return false;
    return true;
}

/* Nothing is adjacent to the tree: the node farthest from the current cut on its own side, for
 * components that no terminal reaches. */
static int32_t pick_anywhere(clv_flow_cut *c, int side, int cost)
{
    const clv_maxflow *f = &c->flow;
    int32_t *i = &c->fallback[side][cost];
    for (; *i < c->nnode; ++*i) {
        int32_t v = c->nnode - 1 - *i; /* the nodes are in the order of their distance */
        if (side == clv_flow_source)
            v = *i < c->nsource ? c->nsource - 1 - *i : *i;
        if (clv_maxflow_in(f, v, side) || is_terminal(c, v, 1 - side) || !fits(c, v, side))
            continue;
        if (cost == dear || !clv_maxflow_in(f, v, 1 - side))
            return v;
    }
    return -1;
}

/* Whether all nodes that v brings along are terminals of that side. */
static bool is_ready(const clv_flow_cut *c, int32_t v, int side)
{
    const clv_maxflow *f = &c->flow;
    for (int32_t a = f->first[v]; a < f->last[v]; a++) {
        int32_t w = f->arc[a].head;
        if (w < c->nnode && (side == clv_flow_source ? w < v : w > v) &&
            !is_terminal(c, w, side))
            return false;
    }
    return true;
}

/* The next node in the order of numbers. */
static int32_t pick_next(clv_flow_cut *c, int side, int cost)
{
    const clv_maxflow *f = &c->flow;
    int32_t *i = &c->fallback[side][cost];
    for (; *i < c->nnode; ++*i) {
        int32_t v = side == clv_flow_source ? *i : c->nnode - 1 - *i;
        if (clv_maxflow_in(f, v, side) || is_terminal(c, v, 1 - side) ||
            (cost == cheap && clv_maxflow_in(f, v, 1 - side)))
            continue;
        if (fits(c, v, side) && is_ready(c, v, side))
            return v;
    }
    return -1;
}

static int32_t pick_directed(clv_flow_cut *c, int side, bool free)
{
    clv_maxflow *f = &c->flow;
    /* New flow may have cut off nodes from the other side: searches again, with a bound on the
     * total cost of searching. */
    if (f->flow != c->known[side] && f->work - c->looked[side] > c->nnode) {
        c->fallback[side][cheap] = c->fallback[side][dear];
        c->known[side] = f->flow;
        c->looked[side] = f->work;
    }
    int32_t v = pick_next(c, side, cheap);
    return v >= 0 || free ? v : pick_next(c, side, dear);
}

/* The node that joins the frozen side next, or -1.  free: only one without cost. */
static int32_t pick(clv_flow_cut *c, int side, bool free)
{
    if (c->directed)
        return pick_directed(c, side, free);
    const clv_maxflow *f = &c->flow;
    int32_t v;
    while ((v = pop_candidate(c, side, cheap)) >= 0) {
        if (clv_maxflow_in(f, v, side))
            continue;
        if (clv_maxflow_in(f, v, 1 - side))
            push_candidate(c, v, side, dear);
        else if (fits(c, v, side))
            return v;
    }
    if (!free)
        while ((v = pop_candidate(c, side, dear)) >= 0)
            if (!clv_maxflow_in(f, v, side) && !is_terminal(c, v, 1 - side) &&
                fits(c, v, side))
                return v;
    v = pick_anywhere(c, side, cheap);
    return v >= 0 || free ? v : pick_anywhere(c, side, dear);
}

/* ---- The search ------------------------------------------------------------------------- */

/* Moves free nodes as long as the fuller side gets emptier, and records every cut with more
 * remaining capacity than `best`.  The flow no longer changes, so the trees only grow. */
static void even_out(clv_flow_cut *c, int64_t best)
{
    clv_maxflow *f = &c->flow;
    f->most_spent = INT64_MAX; /* growing trees scan each arc once */
    freeze(c, 0);
    freeze(c, 1);
    for (int side = 0; side < 2 && c->directed; side++)
        c->fallback[side][cheap] = c->fallback[side][dear];
    for (;;) {
        for (int side = 0; side < 2; side++) {
            int64_t quality = quality_of(c, side);
            if (quality > best) {
                best = quality;
                c->side = side;
                c->count = f->nmember[side];
            }
        }
        int side = room_of(c, 0) >= room_of(c, 1) ? 0 : 1;
        if (room_of(c, side) <= best)
            return;
        freeze(c, side);
        int32_t v = pick(c, side, true);
        if (v < 0)
            return;
        clv_maxflow_pierce(f, v, side);
        clv_maxflow_run(f, f->flow);
    }
}

/* Remaining capacity of the fuller side in the current state, -1 when a bound is broken. */
static int64_t quality_now(const clv_flow_cut *c)
{
    int64_t room = INT64_MAX;
    for (int side = 0; side < 2; side++)
        for (int32_t i = 0; i < c->flow.ncon; i++) {
            int64_t r = distance_to(c->max[side][i], c->now[side][i], c->flow.ncon);
            if (r < 0 || (c->min[side] && c->now[side][i] < c->min[side][i]))
                return -1;
            room = r < room ? r : room;
        }
    return room;
}

/* Adds a node to the side with more remaining capacity, or several of those with a cost when
 * the steps so far were slow.  False when there is none. */
static bool push_on(clv_flow_cut *c)
{
    clv_maxflow *f = &c->flow;
    int side = room_of(c, 0) >= room_of(c, 1) ? 0 : 1;
    for (int turn = 0; turn < 2; turn++, side = 1 - side) {
        if (room_of(c, side) < 0)
            continue;
        freeze(c, side);
        int32_t v = pick(c, side, false), count = 0;
        while (v >= 0) {
            bool free = !clv_maxflow_in(f, v, 1 - side);
            clv_maxflow_pierce(f, v, side);
            if (free || ++count >= c->bulk)
                return true;
            v = pick(c, side, false);
        }
        if (count > 0)
            return true;
    }
    return false;
}

/* A step should cost only a fraction of a scan of the whole network. */
static void adapt_bulk(clv_flow_cut *c, int64_t work)
{
    int64_t fair = c->flow.last[c->nnode - 1] / 8;
    if (work > fair && c->bulk < c->nnode)
        c->bulk *= 2;
    else if (work <= fair && c->bulk > 1)
        c->bulk /= 2;
}

/* Bounds the flow of a closure: its paths can be as long as the DAG is deep, and those through
 * a hub are found one by one. */
static void set_bound(clv_flow_cut *c)
{
    int64_t network = c->flow.last[c->nnode - 1], most = c->most_spent;
    if (c->effort > 0 && 2 * c->effort * network < most)
        most = 2 * c->effort * network;
    c->flow.most_spent = most;
}

/* The same for closures: steps grow as the bound comes near. */
static void ration(clv_flow_cut *c)
{
    const clv_maxflow *f = &c->flow;
    if (f->most_spent == INT64_MAX)
        return;
    double share = (double)clv_maxflow_spent(f) / ((double)f->most_spent + 1);
    c->bulk = 1 + (int32_t)((double)c->nnode * share / 8);
}

cleave_status clv_flow_cut_find(clv_flow_cut *c, clv_ws *ws, bool *found, cleave_error *err)
{
    c->count = -1;
    *found = false;
    CLV_TRY(open_lists(c, ws, err));
    c->bulk = 1;
    if (c->directed)
        set_bound(c);
    for (;;) {
        int64_t before = c->flow.work;
        if (!clv_maxflow_run(&c->flow, c->cut))
            break;
        if (c->directed)
            ration(c);
        if (before > 0 && !c->directed)
            adapt_bulk(c, c->flow.work - before);
        if (c->flow.flow == c->cut) {
            even_out(c, quality_now(c));
            break;
        }
        if (quality_of(c, 0) >= 0 || quality_of(c, 1) >= 0) {
            even_out(c, -1);
            break;
        }
        if (!push_on(c))
            break;
    }
    *found = c->count >= 0;
    return CLEAVE_OK;
}
