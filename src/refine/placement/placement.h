/* SPDX-License-Identifier: Apache-2.0 */
/* refine/placement/placement.h - assigns items to places of a machine: the sparse quadratic
 * assignment problem (QAP).
 *
 * Items are the parts of a mapping or the ranks of a parallel program, edges between them
 * carry traffic, and an edge costs its weight times the distance of the places of its ends.
 * No two items share a place; with fewer items than places the other places are empty.  Item
 * sizes and capacities of places can differ: then two items change places only where that does
 * not increase the overload. */
#ifndef CLV_REFINE_PLACEMENT_PLACEMENT_H
#define CLV_REFINE_PLACEMENT_PLACEMENT_H

#include "refine/state/partition_state.h"

typedef struct clv_placement {
    int32_t nitems; /* at most machine->npes */
    /* Rows of an undirected graph in both directions (as in a clv_quotient); self-loops are
     * ignored. */
    const int64_t *xadj;   /* nitems + 1 */
    const int32_t *adj;    /* in any order */
    const int64_t *weight; /* by arc, >= 0; NULL: all 1 */
    const clv_machine *machine;
    clv_bounds bounds;    /* by place, npes of them; share is not read.  An empty place holds 0
                             of everything */
    const int64_t *need;  /* nitems * bounds.ncon; NULL: anything fits anywhere */
    const uint8_t *fixed; /* nitems: 1 where the item stays on its place; NULL: none */
    int32_t *at;          /* nitems: the place of an item */
} clv_placement;

typedef struct clv_placement_params {
    int32_t starts;   /* independent searches per round, the best is kept; at least 1 */
    int32_t annealed; /* tried swaps per item and search by simulated annealing; 0: none */
    int32_t chains;   /* second places tried for each pair of swaps that gain only together; 0:
                         none */
    int32_t kicks;    /* perturbations with repair per item and search; 0: none */
    int32_t rounds;   /* of searches, each from the best so far; at least 1 */
    bool until_limit; /* with a time limit: rounds until it is over */
} clv_placement_params;

/* Sum over edges of weight times distance.  O(nitems + arcs). */
int64_t clv_placement_cost(const clv_placement *p);

/* Reduces the cost of p->at; never increases the cost or the overload.  Same result for any
 * number of threads unless time runs out.  Leaves at unchanged where costs might not fit into
 * 64 bits, and on CLEAVE_ENOMEM. */
cleave_status clv_placement_improve(clv_placement *p, const clv_placement_params *params,
                                    clv_context *ctx, cleave_error *err);

/* The same for whole parts: s->machine is not NULL, the bounds are those of s, a part with a
 * fixed vertex stays.  part, weight, count, rank and cut are updated to the new places; near
 * stays unchanged. */
cleave_status clv_placement_kway(clv_partition_state *s, const clv_placement_params *params,
                                 clv_context *ctx, cleave_error *err);

/* ---- Congestion (refine/placement/placement_congestion.c) ------------------------------- */

typedef struct clv_placement_loads {
    int64_t max;   /* of a link */
    int64_t total; /* over all links */
    int64_t cost;
} clv_placement_loads;

/* Every edge takes the route of the machine between the places of its ends.  The machine's
 * target must have routes.  CLEAVE_ENOMEM. */
cleave_status clv_placement_measure_loads(const clv_placement *p, clv_ws *ws,
                                          clv_placement_loads *loads, cleave_error *err);

/* Reduces the load of the most loaded links: (max, total, cost) never becomes larger
 * lexicographically.  Does nothing where the machine has no routes.  steps: limit on the swaps
 * tried per item and round.  largest, which may be NULL, gets the load that remains; it is
 * not written if nothing was tried. */
cleave_status clv_placement_relieve(clv_placement *p, int32_t steps, int64_t *largest,
                                    clv_context *ctx, cleave_error *err);
/* The same for whole parts, as clv_placement_kway. */
cleave_status clv_placement_relieve_kway(clv_partition_state *s, int32_t steps,
                                         int64_t *largest, clv_context *ctx,
                                         cleave_error *err);

#endif
