/* SPDX-License-Identifier: Apache-2.0 */
/* order/halving_turn.h - sets of vertices along a line, each cut in two: which half comes
 * first, so that neighbours on the line are neighbours in the graph. */
#ifndef CLV_ORDER_HALVING_TURN_H
#define CLV_ORDER_HALVING_TURN_H

#include "base/threads.h"
#include "graph/graph.h"

typedef struct clv_turn {
    int32_t begin, middle,
        end; /* places of the set, given; middle changes when it is turned */
    /* What the halves cost as they are [0] and turned [1]: */
    double alone[2];   /* edges to others than the sets beside it */
    double next[2][2]; /* edges to the next set: by the turn of this one and of the next */
    double best[2];    /* cost of all sets up to this one, by its turn */
    uint8_t from[2];   /* turn of the set before, with which that is reached */
    uint8_t turned;    /* the choice */
} clv_turn;

/* Sets in ascending order of places, both halves not empty; vertex by place; home[v] is where
 * the half (or the set that is cut no more) begins in which v is.  Exchanges halves: vertex,
 * home and middle change.  The order inside of halves stays.  O(nvtx + narc), parallel,
 * deterministic. */
void clv_halving_turn(const clv_graph *g, int32_t count, clv_turn *sets, int32_t *vertex,
                      int32_t *home, clv_team *team);

#endif
