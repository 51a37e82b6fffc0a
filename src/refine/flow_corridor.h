/* SPDX-License-Identifier: Apache-2.0 */
/* refine/flow_corridor.h - the corridor of refine/flow.c while it becomes a network, and what
 * is different when the graph is a DAG (refine/closure_corridor.c).
 *
 * Closure flows.  In a DAG the cut may only be crossed forward: the source's side must hold
 * all predecessors of what it holds.  An arc u -> v of weight w can be cut for w in its own
 * direction, and not at all in the other, which is an infinite capacity from v to u: the
 * classical network of closure problems [Picard 1976].  Every finite cut is acyclic then.
 *
 * Machines.  An edge between the two parts costs its weight times their distance.  An edge to
 * a third part is cut on either side, but costs more on one of them: the difference, summed
 * over the edges of a vertex, ties it to the terminal where it is cheaper.  So the weight of a
 * cut and the cost of the partition differ by a constant. */
#ifndef CLV_REFINE_FLOW_CORRIDOR_H
#define CLV_REFINE_FLOW_CORRIDOR_H

#include "refine/flow.h"
#include "refine/maxflow.h"

typedef struct clv_corridor {
    const clv_partition_state *s;
    const clv_flow_pair *pair;
    int32_t *local;    /* vertex -> node, -1: not inside */
    int32_t *vertex;   /* node -> vertex */
    int32_t *distance; /* node -> hops, 1 at the border; negative in part[1]; undirected */
    int32_t *arcs;     /* node -> how many arcs it may have */
    int32_t nnode, nsource, capacity, farthest;
    int64_t narc;   /* the sum of arcs */
    int64_t *taken; /* 2 * ncon: weight of the nodes */
    bool whole;     /* no bound but the parts themselves */
    int64_t unit;   /* the distance of the two parts: what an edge of weight 1 costs */
    int shift;      /* capacities are costs divided by 2^shift */
} clv_corridor;

typedef struct clv_corridor_bounds { /* of one side */
    bool reached;
    int32_t nodes, depth;
    int64_t *weight; /* ncon */
} clv_corridor_bounds;

/* v, of part[side], becomes a node, unless that breaks a bound; true when it did. */
bool clv_corridor_take(clv_corridor *c, clv_corridor_bounds *b, int side, int32_t v);

/* The cost of an arc as a capacity. */
static inline int32_t clv_corridor_clamp(int64_t cost, int shift)
{
    cost = (cost >> shift) + ((cost & (((int64_t)1 << shift) - 1)) != 0);
    return (int32_t)(cost < clv_maxflow_capacity ? cost : clv_maxflow_capacity);
}

/* What an edge of weight w to a vertex of the third part p costs more in part[0] than in
 * part[1].  The same on either side, and so nothing, without a machine. */
static inline int64_t clv_corridor_lean(const clv_corridor *c, int64_t w, int32_t p)
{
    const clv_machine *m = c->s->machine;
    return m ? w * (clv_machine_distance(m, c->pair->part[0], p) -
                    clv_machine_distance(m, c->pair->part[1], p))
             : 0;
}

/* The capacities to the two terminals of a node, from the weight of its edges to vertices of
 * the two parts that are not inside and from what it leans to. */
static inline void clv_corridor_price(const clv_corridor *c, int64_t outside[2], int64_t lean)
{
    for (int side = 0; side < 2; side++)
        outside[side] *= c->unit;
    outside[lean > 0 ? clv_flow_sink : clv_flow_source] += lean > 0 ? lean : -lean;
}

/* The side on which w will be when the nodes take the sides of `now`. */
static inline int32_t clv_corridor_part(const clv_corridor *c, const uint8_t *now, int32_t w)
{
    int32_t node = c->local[w];
    return node < 0 ? c->s->part[w] : c->pair->part[now[node]];
}

/* ---- DAGs (refine/closure_corridor.c)
 * -------------------------------------------------------------------- */

/* Takes vertices of part[side] from the border inwards: none before all those of its part
 * that would have to go with it.  Nodes are numbered in that order. */
cleave_status clv_closure_grow(clv_corridor *c, clv_corridor_bounds *b, int side, clv_ws *ws,
                               cleave_error *err);

/* After both sides: numbers the nodes so that arcs lead to higher numbers; sets arcs. */
void clv_closure_number(clv_corridor *c);

/* As add_edges of refine/flow.c. */
int64_t clv_closure_edges(const clv_corridor *c, clv_maxflow *f, int32_t u);

/* What the cut gains when the nodes take the sides of `now`, counted arc by arc. */
int64_t clv_closure_gain(const clv_corridor *c, const uint8_t *now);

#endif
