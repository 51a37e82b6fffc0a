/* SPDX-License-Identifier: Apache-2.0 */
/* tests/refine/placement_fixture.h - small placement problems, and slow checkers of the
 * contract of refine/placement/placement.h. */
#ifndef CLV_TESTS_REFINE_PLACEMENT_FIXTURE_H
#define CLV_TESTS_REFINE_PLACEMENT_FIXTURE_H

#include "base/rng.h"
#include "refine/placement/placement.h"
#include "support/test.h"

enum { PLACEMENT_ITEMS = 600, PLACEMENT_ARCS = 40000 };

/* Too large for the stack of a thread; tests have a static one. */
typedef struct placement_fixture {
    clv_placement p;
    int64_t xadj[PLACEMENT_ITEMS + 1], weight[PLACEMENT_ARCS];
    int32_t adj[PLACEMENT_ARCS], at[PLACEMENT_ITEMS], before[PLACEMENT_ITEMS];
    int64_t need[PLACEMENT_ITEMS], max[PLACEMENT_ITEMS], min[PLACEMENT_ITEMS];
    uint8_t fixed[PLACEMENT_ITEMS];
} placement_fixture;

/* Items with about `degree` random edges each of weights 0..9, placed at random; `before` has
 * where they are. */
void placement_random(placement_fixture *f, const clv_machine *m, int32_t nitems,
                      int32_t degree, uint64_t seed);
/* The pairs of places at distance 1 are the edges, of weight 1: in order the cost is their
 * number. */
void placement_self(placement_fixture *f, const clv_machine *m);
/* Puts items anywhere. */
void placement_scatter(placement_fixture *f, uint64_t seed);
/* Needs and bounds at random, within which the items are where they are, or not. */
void placement_bound(placement_fixture *f, uint64_t seed);

/* From the definitions; over pairs of items, so that an edge that is named once or an own edge
 * shows. */
int64_t placement_cost(const placement_fixture *f, const int32_t *at);
int64_t placement_excess(const placement_fixture *f, const int32_t *at);
/* The least cost over all placements with fixed items where they are and no more beyond the
 * bounds; at most 7 places. */
int64_t placement_optimum(const placement_fixture *f);
/* NULL, or what is violated: a valid placement, fixed items and bounds kept, not more
 * expensive. */
const char *placement_fault(const placement_fixture *f);

#endif
