/* SPDX-License-Identifier: Apache-2.0 */
/* refine/flow/closure_corridor.c - the corridor between two parts of a DAG, see
 * refine/flow/flow_corridor.h.
 *
 * A vertex of the first part can only leave it together with its successors there, one of the
 * second part with its predecessors there: these are its prerequisites.  The corridor must be
 * closed under prerequisites, or its outer vertices could not move.  So vertices are taken in
 * the order of Kahn's algorithm, started at the boundary.  Vertices that cannot be reached
 * from the boundary in this way (such as inputs of the second part) are unbound; each is taken
 * with the first vertex that has it as a prerequisite, so that it stays near its readers.
 *
 * The order in which vertices are taken, from the far end of the first part to the far end of
 * the second, is a topological order and numbers the nodes.  Every prefix is an acyclic cut,
 * the current one among them; refine/flow/flow_cut.c uses this to regain balance. */
#include "refine/flow/flow_corridor.h"

#include <assert.h>

typedef struct growth {
    clv_corridor *c;
    clv_corridor_bounds *b;
    int side;
    int32_t own;                      /* part[side] */
    const int64_t *xfurther, *xneeds; /* rows of the graph */
    const int32_t *further, *needs;
    int32_t *reach; /* vertices reachable from the boundary; local is -2 - position */
    int32_t *wait;  /* by position: prerequisites that are not taken yet */
    int32_t *queue, *level;
    int32_t nreach, nqueue;
    int32_t *stack; /* vertices that wait for unbound ones, and their positions in */
    int64_t *arc;   /* their rows */
} growth;

static cleave_status open_growth(growth *w, clv_ws *ws, cleave_error *err)
{
    const clv_graph *g = w->c->s->g;
    bool first = w->side == clv_flow_source;
    w->own = w->c->pair->part[w->side];
    w->xfurther = first ? g->xpred : g->xadj;
    w->further = first ? g->pred : g->adj;
    w->xneeds = first ? g->xadj : g->xpred;
    w->needs = first ? g->adj : g->pred;
    int64_t n = w->c->s->count[w->own];
    w->reach = clv_ws_alloc(ws, 5 * n, sizeof *w->reach);
    w->arc = clv_ws_alloc(ws, n, sizeof *w->arc);
    if (!w->reach || !w->arc)
        return clv_fail_memory(err);
    w->wait = w->reach + n;
    w->queue = w->wait + n;
    w->level = w->queue + n;
    w->stack = w->level + n;
    return CLEAVE_OK;
}

static void add_reached(growth *w, int32_t v)
{
    w->c->local[v] = -2 - w->nreach;
    w->wait[w->nreach] = 0;
    w->reach[w->nreach++] = v;
}

/* Lists all vertices reachable from the boundary inside the part, and counts their
 * prerequisites. */
static void reach_out(growth *w)
{
    const clv_corridor *c = w->c;
    const clv_partition_state *s = c->s;
    for (int32_t i = 0; i < c->pair->nseed; i++) {
        int32_t v = c->pair->seed[i];
        if (w->side == clv_flow_source) {
            add_reached(w, v);
            continue;
        }
        for (int64_t a = s->g->xadj[v]; a < s->g->xadj[v + 1]; a++)
            if (s->part[s->g->adj[a]] == w->own && c->local[s->g->adj[a]] == -1)
                add_reached(w, s->g->adj[a]);
    }
    for (int32_t i = 0; i < w->nreach; i++) {
        int32_t v = w->reach[i];
        for (int64_t a = w->xfurther[v]; a < w->xfurther[v + 1]; a++) {
            int32_t u = w->further[a];
            if (s->part[u] != w->own)
                continue;
            if (c->local[u] == -1)
                add_reached(w, u);
            w->wait[-2 - c->local[u]]++;
        }
    }
}

static void enqueue(growth *w, int32_t v, int32_t level)
{
    w->level[w->nqueue] = level;
    w->queue[w->nqueue++] = v;
}

/* Takes v after all its unbound prerequisites, each after its own.  These are then in the
 * queue, for the vertices behind them.  False: a bound is reached. */
static bool take_with_needs(growth *w, int32_t v, int32_t level)
{
    clv_corridor *c = w->c;
    int32_t depth = 0;
    w->stack[0] = v;
    w->arc[0] = w->xneeds[v];
    while (depth >= 0) {
        int32_t u = w->stack[depth];
        if (w->arc[depth] == w->xneeds[u + 1]) {
            bool unbound = c->local[u] == -1;
            if (!clv_corridor_take(c, w->b, w->side, u))
                return false;
            if (unbound)
                enqueue(w, u, level + 1);
            depth--;
            continue;
        }
        int32_t x = w->needs[w->arc[depth]++];
        if (c->s->part[x] == w->own && c->local[x] == -1 && !clv_state_is_fixed(c->s, x)) {
            w->stack[++depth] = x;
            w->arc[depth] = w->xneeds[x];
        }
    }
    return true;
}

/* v is taken: releases the vertices that wait for nothing else, and unbound vertices adjacent
 * to v.  False as above. */
static bool go_further(growth *w, int32_t v, bool unbound, int32_t level)
{
    const clv_corridor *c = w->c;
    for (int64_t a = w->xfurther[v]; a < w->xfurther[v + 1]; a++) {
        int32_t u = w->further[a];
        if (c->s->part[u] != w->own || c->local[u] >= 0)
            continue;
        if (c->local[u] != -1) {
            if (!unbound && --w->wait[-2 - c->local[u]] == 0)
                enqueue(w, u, level + 1);
        } else if (!clv_state_is_fixed(c->s, u) && !take_with_needs(w, u, level)) {
            return false;
        }
    }
    return true;
}

static void grow_inwards(growth *w)
{
    clv_corridor *c = w->c;
    for (int32_t i = 0; i < w->nreach; i++)
        if (w->wait[i] == 0)
            enqueue(w, w->reach[i], 1);
    for (int32_t i = 0; i < w->nqueue; i++) {
        int32_t v = w->queue[i], level = w->level[i];
        bool taken = c->local[v] >= 0;
        if (clv_state_is_fixed(c->s, v) || (w->b->depth > 0 && level > w->b->depth))
            continue;
        if ((!taken && !take_with_needs(w, v, level)) || !go_further(w, v, taken, level))
            return;
    }
}

cleave_status clv_closure_grow(clv_corridor *c, clv_corridor_bounds *b, int side, clv_ws *ws,
                               cleave_error *err)
{
    growth w = {.c = c, .b = b, .side = side};
    clv_ws_mark mark = clv_ws_save(ws);
    CLV_TRY(open_growth(&w, ws, err));
    reach_out(&w);
    grow_inwards(&w);
    for (int32_t i = 0; i < w.nreach; i++)
        if (c->local[w.reach[i]] < 0)
            c->local[w.reach[i]] = -1;
    clv_ws_restore(ws, mark);
    return CLEAVE_OK;
}

/* ---- The network ----------------------------------------------------------------------- */

static int32_t count_inside(const clv_corridor *c, const int32_t *row, int64_t length)
{
    int32_t count = 0;
    for (int64_t a = 0; a < length; a++)
        count += clv_corridor_node(c, row[a]) >= 0;
    return count;
}

void clv_closure_number(clv_corridor *c)
{
    const clv_graph *g = c->s->g;
    for (int32_t i = 0, j = c->nsource - 1; i < j; i++, j--) {
        int32_t v = c->vertex[i];
        c->vertex[i] = c->vertex[j];
        c->vertex[j] = v;
    }
    for (int32_t i = 0; i < c->nsource; i++)
        c->local[c->vertex[i]] = i;
    for (int32_t i = 0; i < c->nnode; i++) {
        int32_t v = c->vertex[i];
        c->arcs[i] = count_inside(c, g->adj + g->xadj[v], g->xadj[v + 1] - g->xadj[v]) +
                     count_inside(c, g->pred + g->xpred[v], g->xpred[v + 1] - g->xpred[v]);
        c->narc += c->arcs[i];
    }
}

/* ---- Arcs of a node --------------------------------------------------------------------- */

/* Adds the arcs of node u to its successors in the corridor, which cannot be on the source
 * side without it.  A successor outside, in the first part, keeps it there. */
static int64_t add_successors(const clv_corridor *c, clv_maxflow *f, int32_t u,
                              clv_corridor_ties *ties)
{
    const clv_graph *g = c->s->g;
    int32_t v = c->vertex[u];
    bool source = u < c->nsource;
    int64_t cut = 0;
    for (int64_t a = g->xadj[v]; a < g->xadj[v + 1]; a++) {
        int32_t w = g->adj[a], node = clv_corridor_node(c, w);
        int64_t weight = clv_graph_ewgt(g, a);
        if (node >= 0) {
            assert(node > u);
            int32_t capacity = clv_corridor_clamp(weight * c->unit, c->shift);
            clv_maxflow_arc(f, u, node, capacity, clv_maxflow_capacity);
            cut += source && node >= c->nsource ? capacity : 0;
        } else if (c->s->part[w] == c->pair->part[0]) {
            ties->stuck = true;
        } else {
            clv_corridor_tie(c, ties, c->s->part[w], weight);
        }
    }
    return cut;
}

/* The predecessors of node u outside the corridor; one in the second part keeps it there. */
static void tie_predecessors(const clv_corridor *c, int32_t u, clv_corridor_ties *ties)
{
    const clv_graph *g = c->s->g;
    int32_t v = c->vertex[u];
    for (int64_t a = g->xpred[v]; a < g->xpred[v + 1]; a++) {
        int32_t w = g->pred[a];
        if (clv_corridor_node(c, w) >= 0)
            continue;
        if (c->s->part[w] == c->pair->part[1])
            ties->stuck = true;
        else
            clv_corridor_tie(c, ties, c->s->part[w], clv_graph_pwgt(g, a));
    }
}

/* Adds the arcs from the source and to the sink.  A stuck node keeps its side. */
static int64_t add_terminals(const clv_corridor *c, clv_maxflow *f, int32_t u,
                             const clv_corridor_ties *ties)
{
    int own = clv_corridor_side(c, u);
    int64_t cut = 0;
    for (int side = 0; side < 2; side++) {
        int32_t capacity = ties->stuck && side == own ? clv_maxflow_capacity
                                                      : clv_corridor_terminal(c, ties, side);
        if (capacity == 0)
            continue;
        if (side == clv_flow_source)
            clv_maxflow_arc(f, c->nnode + side, u, capacity, 0);
        else
            clv_maxflow_arc(f, c->nnode + side, u, 0, capacity);
        if (side != own)
            cut += capacity;
    }
    return cut;
}

int64_t clv_closure_edges(const clv_corridor *c, clv_maxflow *f, int32_t u)
{
    clv_corridor_ties ties = {.lean = 0};
    int64_t cut = add_successors(c, f, u, &ties);
    tie_predecessors(c, u, &ties);
    return cut + add_terminals(c, f, u, &ties);
}

/* ---- Gain ------------------------------------------------------------------------------- */

/* The reduction of the cost of an arc of that weight when the nodes take the sides of
 * `now`. */
static int64_t change(const clv_corridor *c, const uint8_t *now, int32_t u, int32_t v,
                      int64_t weight)
{
    const int32_t *part = c->s->part;
    return clv_state_cost(c->s, weight, part[u], part[v]) -
           clv_state_cost(c->s, weight, clv_corridor_part(c, now, u),
                          clv_corridor_part(c, now, v));
}

int64_t clv_closure_gain(const clv_corridor *c, const uint8_t *now)
{
    const clv_graph *g = c->s->g;
    int64_t gain = 0;
    for (int32_t i = 0; i < c->nnode; i++) {
        int32_t v = c->vertex[i];
        for (int64_t a = g->xadj[v]; a < g->xadj[v + 1]; a++)
            gain += change(c, now, v, g->adj[a], clv_graph_ewgt(g, a));
        for (int64_t a = g->xpred[v]; a < g->xpred[v + 1]; a++)
            if (clv_corridor_node(c, g->pred[a]) < 0)
                gain += change(c, now, g->pred[a], v, clv_graph_pwgt(g, a));
    }
    return gain;
}
