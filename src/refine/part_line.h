/* SPDX-License-Identifier: Apache-2.0 */
/* refine/part_line.h - an order of the parts of a DAG in which chosen pairs are neighbours.
 *
 * Two parts may exchange any vertices that keep the arcs between the two forward, if they
 * are neighbours in some topological order of the parts; that order stays valid.  So do
 * several such pairs at the same time if ONE order makes all of them neighbours.  Any pair
 * without a third part on a path between them can be made neighbours: whatever the first one
 * reaches moves behind the second [as in Pearce, Kelly 2006]. */
#ifndef CLV_REFINE_PART_LINE_H
#define CLV_REFINE_PART_LINE_H

#include "refine/partition_state.h"

typedef struct clv_part_line {
    int32_t nparts;
    int32_t *rank;        /* a valid order of the parts, changed in place */
    const int32_t *first; /* nparts + 1: the arcs between parts, by tail */
    const int32_t *head;
    int64_t work; /* arcs that may still be looked at */
    int32_t *at;  /* the part at a place */
    int32_t *mate;
    int32_t turn;          /* of joining; what it reaches has this mark */
    int32_t *mark, *later; /* scratch */
} clv_part_line;

/* Nothing is joined yet.  Memory from ws.  Fails only with CLEAVE_ENOMEM. */
cleave_status clv_part_line_open(clv_part_line *line, clv_partition_state *s,
                                 const int32_t *first, const int32_t *head, int64_t work,
                                 clv_ws *ws, cleave_error *err);

/* p has an arc to q.  Makes them neighbours, without parting those that are joined already;
 * false when that cannot be, or there is no time to see.  A part is joined but once. */
bool clv_part_line_join(clv_part_line *line, int32_t p, int32_t q);

#endif
