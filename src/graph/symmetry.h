/* SPDX-License-Identifier: Apache-2.0 */
/* graph/symmetry.h - checks whether every edge exists in both directions, and adds the missing
 * ones.  Rows ascend strictly and have no self-loops. */
#ifndef CLV_GRAPH_SYMMETRY_H
#define CLV_GRAPH_SYMMETRY_H

#include "graph/build.h"

/* The first thing wrong, or an absence of trouble. */
typedef struct clv_asymmetry {
    int32_t from, to;    /* `from` lists `to`; from -1: all is well */
    bool unequal;        /* both directions are there, with different weights */
    int32_t there, back; /* those weights */
} clv_asymmetry;

/* O(nvtx + narc), one pass; scratch from ws. */
cleave_status clv_symmetry_check(const clv_rows *rows, clv_team *team, clv_ws *ws,
                                 clv_asymmetry *found, cleave_error *err);

/* True: symmetric and without self-loops, by fingerprint and without random access (see
 * symmetry.c).  False: it is not, or the graph is so small that only the exact check is
 * worth while. */
bool clv_symmetry_fingerprint(const clv_rows *rows, clv_team *team);

/* True: moreover rows ascend strictly, and neighbours are in range; nothing need be known of
 * rows but that their offsets ascend.  One pass.  False: this is not so, or it would take
 * long to say, or there is no memory. */
bool clv_symmetry_proved(const clv_rows *rows);

/* The same for rows in any order, which are copied into ascending ones; else `to` is empty. */
bool clv_symmetry_sorted(clv_rows *to, const clv_rows *from);

/* The exact check step by step, for a reader that has the rows one by one: row u against
 * the rows before it (false: *found says what is wrong), and at the end the first vertex
 * with a neighbour that was never met from the other side, or -1.  cursor: nvtx places.
 * Self-loops, which must not be, come out as something that is wrong, too. */
bool clv_symmetry_row(const clv_rows *rows, int32_t u, int64_t *cursor, clv_asymmetry *found);
int32_t clv_symmetry_rest(const clv_rows *rows, const int64_t *cursor);

/* Adds missing directions and gives both directions of every edge one weight by the rule
 * `how`. The weight of a pair depends on the arcs between its two vertices alone.  New arrays
 * replace those of rows only when an edge is missing.  Fails without a message: CLEAVE_EINVAL
 * when REFUSE met two weights (found->contradiction; from -1: none), CLEAVE_ERANGE when the
 * weights of found->overflow sum to more than 2^31-1. */
typedef struct clv_symmetry_faults {
    int64_t one_way, unequal;    /* undirected edges that were so */
    clv_asymmetry contradiction; /* the first pair of two weights */
    int32_t overflow[2];
} clv_symmetry_faults;
cleave_status clv_symmetry_make(clv_rows *rows, clv_symmetrise how, clv_ws *ws,
                                clv_symmetry_faults *found, cleave_error *err);

#endif
