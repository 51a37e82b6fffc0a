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
    int32_t *local;    /* vertex -> node, -1: not inside */
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

/* Adds v, of part[side], as a node, unless that breaks a bound; returns whether it did. */
bool clv_corridor_take(clv_corridor *c, clv_corridor_bounds *b, int side, int32_t v);

/* The cost of an arc as a capacity. */
static inline int32_t clv_corridor_clamp(int64_t cost, int shift)
{
    cost = (cost >> shift) + ((cost & (((int64_t)1 << shift) - 1)) != 0);
    return (int32_t)(cost < clv_maxflow_capacity ? cost : clv_maxflow_capacity);
}

/* The cost of an edge of weight w to a vertex of the third part p in part[0] minus that in
 * part[1].  0 without a machine. */
static inline int64_t clv_corridor_lean(const clv_corridor *c, int64_t w, int32_t p)
{
    const clv_machine *m = c->s->machine;
    return m ? w * (clv_machine_distance(m, c->pair->part[0], p) -
                    clv_machine_distance(m, c->pair->part[1], p))
             : 0;
}

/* The capacities of a node to the two terminals, from the weight of its edges to vertices of
 * the two parts outside the corridor and from its preference. */
static inline void clv_corridor_price(const clv_corridor *c, int64_t outside[2], int64_t lean)
{
    for (int side = 0; side < 2; side++)
        outside[side] *= c->unit;
    outside[lean > 0 ? clv_flow_sink : clv_flow_source] += lean > 0 ? lean : -lean;
}

/* The side of w when the nodes take the sides of `now`. */
static inline int32_t clv_corridor_part(const clv_corridor *c, const uint8_t *now, int32_t w)
{
    int32_t node = c->local[w];
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
