/* SPDX-License-Identifier: Apache-2.0 */
/* refine/moves/jet_bulk.h - many vertices move at once, in parallel. */
#ifndef CLV_REFINE_MOVES_JET_BULK_H
#define CLV_REFINE_MOVES_JET_BULK_H

#include "refine/state/partition_state.h"

/* Vertices to be moved, and what becomes of the states of vertices.  All of them have the bit
 * `moving`, and no others. */
typedef struct clv_bulk_move {
    clv_partition_state *s;
    clv_team *team;
    const int32_t *moved; /* the vertices */
    int32_t count;
    const int32_t *to; /* by vertex: the new part */
    uint8_t *state;    /* by vertex */
    uint8_t moving;
    uint8_t then;      /* bits that moved vertices get in place of `moving` */
    uint8_t marked;    /* bits that they and their neighbours get */
    int32_t *leaving;  /* scratch, nparts */
    atomic_llong gain; /* twice the change of the cut */
} clv_bulk_move;

/* Whether no part loses all vertices that it has. */
bool clv_bulk_move_fits(clv_bulk_move *m);

/* Moves the vertices.  part, weight, count, cut and maybe_boundary are exact afterwards, the
 * latter as far as it was.  O(arcs of the vertices). */
void clv_bulk_move_apply(clv_bulk_move *m);

/* Lists the vertices whose state has the bit, ascending.  Returns their number.  O(n / 8). */
int32_t clv_bulk_list(const uint8_t *state, int32_t n, uint8_t bit, int32_t *list,
                      clv_team *team);

#endif
