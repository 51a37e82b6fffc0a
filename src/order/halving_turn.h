/* SPDX-License-Identifier: Apache-2.0 */
/* order/halving_turn.h - chooses the order of the two halves of each set, so that neighbours
 * in the order are neighbours in the graph. */
#ifndef CLV_ORDER_HALVING_TURN_H
#define CLV_ORDER_HALVING_TURN_H

#include "base/threads.h"
#include "graph/graph.h"

typedef struct clv_turn {
    int32_t begin, middle,
        end; /* places of the set, given; middle changes if halves are exchanged */
    /* Cost of the halves as they are [0] and exchanged [1]: */
    double alone[2];   /* edges beyond the neighbouring sets */
    double next[2][2]; /* edges to the next set: by the orientation of this set and of the
                          next */
    double best[2];    /* cost of all sets up to this one, by its orientation */
    uint8_t from[2];   /* orientation of the previous set in that optimum */
    uint8_t turned;    /* the choice */
} clv_turn;

/* Sets are in ascending order of places, both halves non-empty; vertex by place; home[v] is
 * the first place of the half (or of the set that is not cut) that contains v.  Exchanges
 * halves: vertex, home and middle change.  The order within halves stays.  O(nvtx + narc),
 * parallel, deterministic. */
void clv_halving_turn(const clv_graph *g, int32_t count, clv_turn *sets, int32_t *vertex,
                      int32_t *home, clv_team *team);

#endif
