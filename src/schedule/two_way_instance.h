/* SPDX-License-Identifier: Apache-2.0 */
/* schedule/two_way_instance.h - an instance of the two-way model prepared for search, and the
 * stages of the search: cuts of orders (two_way_sweep.c), moves (two_way_local.c), branch and
 * bound (two_way_exact.c).
 *
 * Parts 1 and 2 are disjoint sets that contain the predecessors of their vertices.  Sizes are
 * in the unit of the objective: worth[v] = ws * size of v, and the value of a solution is
 * min(worth of part 1, worth of part 2) - cost of its vertices. */
#ifndef CLV_SCHEDULE_TWO_WAY_INSTANCE_H
#define CLV_SCHEDULE_TWO_WAY_INSTANCE_H

#include "schedule/two_way.h"

typedef enum clv_two_way_order_kind {
    CLV_TWO_WAY_NUMBERS,
    CLV_TWO_WAY_BREADTH,
    CLV_TWO_WAY_PACKED,
    CLV_TWO_WAY_CENTRED,
    CLV_TWO_WAY_DEPTH,
    CLV_TWO_WAY_GROWTH,   /* if there are not too many sources */
    CLV_TWO_WAY_AFFINITY, /* only if there are costs */
    CLV_TWO_WAY_ORDERS
} clv_two_way_order_kind;

typedef struct clv_two_way_instance {
    const clv_graph *g;
    int32_t nvtx, nsources;
    int32_t *order;                 /* a topological order of the vertices */
    int32_t *source;                /* vertices without predecessors, ascending */
    int64_t *worth;                 /* by vertex */
    int64_t *cost[3];               /* cost[i][v]: of v in part i; cost[0]: all 0 */
    bool costs;                     /* some cost is not 0 */
    int64_t total;                  /* sum of worth */
    int64_t unit;                   /* all values are multiples of it */
    int64_t steps;                  /* remaining budget, about one per visited arc */
    int32_t *best;                  /* the best solution so far: part by vertex */
    int64_t best_value, best_total; /* its value, and the worth of both parts */
    int64_t limit;                  /* upper bound on the value */
    /* The best cut of each order, by vertex, in the order in which they were made. */
    uint8_t *start[CLV_TWO_WAY_ORDERS];
    int64_t start_value[CLV_TWO_WAY_ORDERS];
    int nstarts;
    clv_context *ctx;
} clv_two_way_instance;

static inline bool clv_two_way_is_source(const clv_two_way_instance *t, int32_t v)
{
    return t->g->xpred[v] == t->g->xpred[v + 1];
}
/* Does v have a cost in either part? */
static inline bool clv_two_way_is_dear(const clv_two_way_instance *t, int32_t v)
{
    return t->cost[1][v] > 0 || t->cost[2][v] > 0;
}

/* Is there something to gain, and are time and budget left? */
bool clv_two_way_goes_on(clv_two_way_instance *t);

/* Stores a solution that is better than the best; ties: the heavier one. */
void clv_two_way_offer(clv_two_way_instance *t, const int32_t *part);

/* Would a solution with this value be stored? */
static inline bool clv_two_way_better(const clv_two_way_instance *t, int64_t value,
                                      int64_t total)
{
    return value > t->best_value || (value == t->best_value && total > t->best_total);
}

/* An order of the sources.  O(nvtx + narc), and sorting the sources. */
cleave_status clv_two_way_order(clv_two_way_instance *t, clv_two_way_order_kind kind,
                                int32_t *sources, cleave_error *err);

/* Solutions from orders of the sources, each cut in two at its best position; also stored as
 * starts.  O(nvtx + narc) each. */
cleave_status clv_two_way_sweep(clv_two_way_instance *t, cleave_error *err);

/* Computes an upper bound.  O(nvtx). */
void clv_two_way_bound(clv_two_way_instance *t);

/* Branch and bound from the best solution so far, with at most `steps` of the budget; if it
 * completes, the upper bound becomes the best value.  Does nothing if the instance is too
 * large. */
cleave_status clv_two_way_exact(clv_two_way_instance *t, int64_t steps, cleave_error *err);

/* The vertices to decide on, in this order: *count; twin[v], for those, is the preceding
 * indistinguishable vertex, or -1.  False: out of memory.  O(sources * nvtx)
 * (schedule/two_way_decisions.c). */
bool clv_two_way_decisions(const clv_two_way_instance *t, int32_t *decide, int32_t *count,
                           int32_t *twin);

/* Sources in an order in which each shares the most descendants, by weight or by its own
 * fraction, with those before it; first: index in t->source, or -1.  False: out of memory.
 * O(sources * nvtx + narc) time and memory. */
bool clv_two_way_growth(const clv_two_way_instance *t, int32_t first, bool by_share,
                        int32_t *sources);

/* Local search from the starts and the best solution so far, until the budget is used up. */
cleave_status clv_two_way_local(clv_two_way_instance *t, cleave_error *err);

#endif
