/* SPDX-License-Identifier: Apache-2.0 */
/* refine/flow/flow_corridor.h - the corridor of refine/flow/flow.c as a flow network, and the
 * differences for a DAG (refine/flow/closure_corridor.c).
 *
 * Closure flows.  In a DAG the cut can only be crossed forward: the source side must contain
 * all predecessors of its vertices.  An arc u -> v of weight w has capacity w in its own
 * direction and infinite capacity from v to u: the classical network of closure problems
 * [Picard 1976].  Every finite cut is then acyclic.
 *
 * Machines.  An edge between the two parts costs its weight times their distance.  An edge to
 * a third part is cut on either side, but the costs differ: the difference, summed over the
 * edges of a vertex, is the capacity to the terminal where it is cheaper.  So the weight of a
 * cut and the cost of the partition differ by a constant. */
#ifndef CLV_REFINE_FLOW_FLOW_CORRIDOR_H
#define CLV_REFINE_FLOW_FLOW_CORRIDOR_H

#include "refine/flow/flow.h"
#include "refine/flow/maxflow.h"

typedef struct clv_corridor {
    const clv_partition_state *s;
    const clv_flow_pair *pair;
    int32_t *local;    /* vertex of the two parts -> node, -1: not inside */
    int32_t *vertex;   /* node -> vertex */
    int32_t *distance; /* node -> hops, 1 at the boundary; negative in part[1]; undirected */
    int32_t *arcs;     /* node -> upper bound on its arcs */
    int32_t nnode, nsource, capacity, farthest;
    int64_t narc;   /* the sum of arcs */
    int64_t *taken; /* 2 * ncon: weight of the nodes */
    bool whole;     /* no bound but the parts themselves */
    int64_t unit;   /* the distance of the two parts: the cost of an edge of weight 1 */
    int shift;      /* capacities are costs divided by 2^shift */
} clv_corridor;

typedef struct clv_corridor_bounds { /* of one side */
    bool reached;
    int32_t nodes, depth;
    int64_t *weight; /* ncon */
} clv_corridor_bounds;

/* The node of v, or -1.  Other pairs that run at the same time use `local` of their parts. */
static inline int32_t clv_corridor_node(const clv_corridor *c, int32_t v)
{
    int32_t p = c->s->part[v];
    return p == c->pair->part[0] || p == c->pair->part[1] ? c->local[v] : -1;
}

/* Adds v, of part[side], as a node, unless that breaks a bound; returns whether it did. */
bool clv_corridor_take(clv_corridor *c, clv_corridor_bounds *b, int side, int32_t v);

/* The cost of an arc as a capacity. */
static inline int32_t clv_corridor_clamp(int64_t cost, int shift)
{
    cost = (cost >> shift) + ((cost & (((int64_t)1 << shift) - 1)) != 0);
    return (int32_t)(cost < clv_maxflow_capacity ? cost : clv_maxflow_capacity);
}

/* What attracts a node to the two terminals: the edges to vertices outside the corridor. */
typedef struct clv_corridor_ties {
    int64_t outside[2]; /* weight of those to vertices of the two parts */
    int64_t lean;       /* cost of those to other parts in part[0] minus that in part[1] */
    bool stuck;         /* in a DAG: one of them does not let the node leave its part */
} clv_corridor_ties;

/* Adds an edge of that weight to a vertex of part p.  Without a machine an edge to a third
 * part costs the same on both sides. */
static inline void clv_corridor_tie(const clv_corridor *c, clv_corridor_ties *ties, int32_t p,
                                    int64_t weight)
{
    const clv_machine *m = c->s->machine;
    int32_t first = c->pair->part[0], second = c->pair->part[1];
    if (p == first || p == second)
        ties->outside[p == second] += weight;
    else if (m)
        ties->lean +=
            weight * (clv_machine_distance(m, first, p) - clv_machine_distance(m, second, p));
}

/* The capacity of a node to one terminal; 0: no edge. */
static inline int32_t clv_corridor_terminal(const clv_corridor *c,
                                            const clv_corridor_ties *ties, int side)
{
    int64_t preferred = side == clv_flow_sink ? ties->lean : -ties->lean;
    return clv_corridor_clamp(ties->outside[side] * c->unit + (preferred > 0 ? preferred : 0),
                              c->shift);
}

/* The side of a node in the current partition. */
static inline int clv_corridor_side(const clv_corridor *c, int32_t node)
{
    return node < c->nsource ? clv_flow_source : clv_flow_sink;
}

/* The side of w when the nodes take the sides of `now`. */
static inline int32_t clv_corridor_part(const clv_corridor *c, const uint8_t *now, int32_t w)
{
    int32_t node = clv_corridor_node(c, w);
    return node < 0 ? c->s->part[w] : c->pair->part[now[node]];
}

/* ---- DAGs (refine/flow/closure_corridor.c) ---------------------------------------------- */

/* Takes vertices of part[side] from the boundary inwards, each after all vertices of its part
 * that must move with it.  Nodes are numbered in that order. */
cleave_status clv_closure_grow(clv_corridor *c, clv_corridor_bounds *b, int side, clv_ws *ws,
                               cleave_error *err);

/* After both sides: numbers the nodes so that arcs lead to higher numbers; sets arcs. */
void clv_closure_number(clv_corridor *c);

/* The same as add_edges of refine/flow/flow.c. */
int64_t clv_closure_edges(const clv_corridor *c, clv_maxflow *f, int32_t u);

/* The gain when the nodes take the sides of `now`, counted arc by arc. */
int64_t clv_closure_gain(const clv_corridor *c, const uint8_t *now);

#endif
