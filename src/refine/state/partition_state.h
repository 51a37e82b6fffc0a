/* SPDX-License-Identifier: Apache-2.0 */
/* refine/state/partition_state.h - the state of a partition of one level during refinement.
 *
 * Every refiner takes this state, improves it and leaves it consistent: part, weight, count
 * and cut agree, fixed vertices have not moved, and `maybe_boundary` marks at least every
 * vertex that has a neighbour in another part.  Solutions are compared by clv_worth_better: a
 * refiner never returns a worse one than it was given.
 *
 * The graph can be a DAG.  Then the quotient graph is acyclic and stays so: `rank` is the
 * position of each part in a topological order of the parts, and no arc leads to a part of a
 * lower rank.  Refiners for DAGs can change ranks as well as parts (refine/state/ranks.h).
 *
 * With a machine, parts are its places and `cut` is the cost: each edge is multiplied by the
 * distance of the places of its ends (target/machine.h).  Without one every distance is 1.
 *
 * The graph of a coarse level keeps the invariants of graph/graph.h except that rows are not
 * sorted.  Weights per vertex and per arc are at least 0. */
#ifndef CLV_REFINE_STATE_PARTITION_STATE_H
#define CLV_REFINE_STATE_PARTITION_STATE_H

#include "base/context.h"
#include "graph/bounds.h"
#include "refine/state/worth.h"
#include "target/machine.h"

/* Levels that a refiner without gain skips, see engine/multilevel/refine_level.c. */
typedef struct clv_level_rest {
    int32_t left; /* levels still to skip */
    int32_t last; /* levels skipped the last time */
} clv_level_rest;

typedef struct clv_partition_state {
    const clv_graph *g;
    clv_bounds bounds;          /* share can be NULL: only initial partitions need it */
    int32_t level;              /* 0: finest; mixed into the seeds of random numbers */
    int32_t *part;              /* nvtx */
    const int32_t *fixed;       /* nvtx: the part a vertex must stay in, or -1; NULL: none */
    int64_t *weight;            /* nparts * ncon: weights of the parts */
    int32_t *count;             /* nparts: vertices of this level */
    uint8_t *maybe_boundary;    /* nvtx: 1 where a neighbour may be in another part */
    int64_t cut;                /* weight of the edges between parts, times their distance */
    int32_t *rank;              /* nparts: a permutation, see above; NULL: undirected */
    const clv_machine *machine; /* NULL: all parts are at distance 1 */
    clv_level_rest flow_rest;
    clv_level_rest reslice_rest;
    int64_t parts_looked_at; /* work of clv_rebalance to find parts with capacity */
    int64_t pairs_looked_at; /* work of clv_rebalance_swap: for tests, and its bound */
    int64_t touched;         /* arcs that local search walked to move vertices: its work */
} clv_partition_state;

/* The cost of an edge of weight w between two parts. */
static inline int64_t clv_state_cost(const clv_partition_state *s, int64_t w, int32_t p,
                                     int32_t q)
{
    return p == q ? 0 : s->machine ? w * clv_machine_distance(s->machine, p, q) : w;
}

/* Computes weight, count, cut and near from part.  O(nvtx + narc), in parallel. */
void clv_state_measure(clv_partition_state *s, clv_context *ctx);

/* Weight above the upper and below the lower bounds, summed over parts and constraints, plus
 * the number of empty parts that could be filled (as long as there are vertices); 0: all
 * bounds hold. */
int64_t clv_state_overload(const clv_partition_state *s);

static inline clv_worth clv_state_worth(const clv_partition_state *s)
{
    return (clv_worth){clv_state_overload(s), s->cut};
}

/* Lists the vertices with a neighbour in another part, ascending, and makes `maybe_boundary`
 * exact.  Returns their number.  O(nvtx + arcs of those marked). */
int32_t clv_state_boundary(clv_partition_state *s, int32_t *list);
/* The same with a team. */
int32_t clv_state_boundary_team(clv_partition_state *s, int32_t *list, clv_team *team);

static inline bool clv_state_is_fixed(const clv_partition_state *s, int32_t v)
{
    return s->fixed && s->fixed[v] >= 0;
}

/* Whether part `to` keeps its upper bound with v added. */
static inline bool clv_state_fits(const clv_partition_state *s, int32_t v, int32_t to)
{
    const clv_graph *g = s->g;
    if (g->ncon == 1)
        return s->weight[to] + clv_graph_vwgt(g, v, 0) <= s->bounds.max[to];
    for (int32_t c = 0; c < g->ncon; c++) {
        int64_t i = (int64_t)to * g->ncon + c;
        if (s->weight[i] + clv_graph_vwgt(g, v, c) > s->bounds.max[i])
            return false;
    }
    return true;
}

/* Whether v can leave its part: not fixed, not its last vertex, lower bound kept. */
static inline bool clv_state_may_leave(const clv_partition_state *s, int32_t v)
{
    const clv_graph *g = s->g;
    int32_t from = s->part[v];
    if (s->count[from] <= 1 || clv_state_is_fixed(s, v))
        return false;
    if (!s->bounds.min)
        return true;
    for (int32_t c = 0; c < g->ncon; c++) {
        int64_t i = (int64_t)from * g->ncon + c;
        if (s->weight[i] - clv_graph_vwgt(g, v, c) < s->bounds.min[i])
            return false;
    }
    return true;
}

/* Moves v: part, weights and counts.  The caller updates cut and near (clv_state_mark). */
static inline void clv_state_move(clv_partition_state *s, int32_t v, int32_t to)
{
    const clv_graph *g = s->g;
    int32_t from = s->part[v];
    for (int32_t c = 0; c < g->ncon; c++) {
        int64_t w = clv_graph_vwgt(g, v, c);
        s->weight[(int64_t)from * g->ncon + c] -= w;
        s->weight[(int64_t)to * g->ncon + c] += w;
    }
    s->count[from]--;
    s->count[to]++;
    s->part[v] = to;
}

/* v has moved: marks it and its neighbours as possible boundary vertices. */
static inline void clv_state_mark(clv_partition_state *s, int32_t v)
{
    s->maybe_boundary[v] = 1;
    for (int64_t a = s->g->xadj[v]; a < s->g->xadj[v + 1]; a++)
        s->maybe_boundary[s->g->adj[a]] = 1;
    if (s->g->kind == CLEAVE_DAG)
        for (int64_t a = s->g->xpred[v]; a < s->g->xpred[v + 1]; a++)
            s->maybe_boundary[s->g->pred[a]] = 1;
}

#endif
