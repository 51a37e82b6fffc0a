/* SPDX-License-Identifier: Apache-2.0 */
/* refine/state/part_line.h - a topological order of the parts of a DAG in which chosen pairs
 * are neighbours.
 *
 * Two parts can exchange any vertices that keep the arcs between the two forward, if they are
 * neighbours in some topological order of the parts; that order stays valid.  Several such
 * pairs can do so at the same time if ONE order makes all of them neighbours.  Any pair
 * without a third part on a path between them can be made neighbours: all parts that the first
 * one reaches move after the second [as in Pearce, Kelly 2006]. */
#ifndef CLV_REFINE_STATE_PART_LINE_H
#define CLV_REFINE_STATE_PART_LINE_H

#include "refine/state/partition_state.h"

/* The arcs between parts, by tail. */
typedef struct clv_quotient_arcs {
    const int32_t *first; /* nparts + 1 */
    const int32_t *head;
} clv_quotient_arcs;

typedef struct clv_part_line {
    int32_t nparts;
    int32_t *rank; /* a valid order of the parts, changed in place */
    clv_quotient_arcs arcs;
    int64_t work; /* remaining arcs that can be scanned */
    int32_t *at;  /* position -> part */
    int32_t *mate;
    int32_t turn;          /* of joining; the parts that it reaches have this mark */
    int32_t *mark, *later; /* scratch */
} clv_part_line;

/* Initializes without joined pairs.  Memory from ws.  Fails only with CLEAVE_ENOMEM. */
cleave_status clv_part_line_open(clv_part_line *line, clv_partition_state *s,
                                 clv_quotient_arcs arcs, int64_t work, clv_ws *ws,
                                 cleave_error *err);

/* p has an arc to q.  Makes them neighbours without separating joined pairs; false when that
 * is impossible or the work limit is reached.  A part is joined only once. */
bool clv_part_line_join(clv_part_line *line, int32_t p, int32_t q);

#endif
