/* SPDX-License-Identifier: Apache-2.0 */
/* graph/symmetry.h - checks whether every edge exists in both directions, and adds missing
 * directions.  Rows ascend strictly and have no self-loops. */
#ifndef CLV_GRAPH_SYMMETRY_H
#define CLV_GRAPH_SYMMETRY_H

#include "graph/build.h"

/* The first violation of symmetry, if any. */
typedef struct clv_asymmetry {
    int32_t from, to;    /* row `from` contains `to`; from -1: symmetric */
    bool unequal;        /* both directions exist, with different weights */
    int32_t there, back; /* those weights */
} clv_asymmetry;

/* O(nvtx + narc), one pass; scratch from ws. */
cleave_status clv_symmetry_check(const clv_rows *rows, clv_team *team, clv_ws *ws,
                                 clv_asymmetry *found, cleave_error *err);

/* True: symmetric and without self-loops, by fingerprint, without random access (see
 * symmetry.c).  False: it is not, or the graph is so small that the exact check is faster. */
bool clv_symmetry_fingerprint(const clv_rows *rows, clv_team *team);

/* True: symmetric, strictly ascending, without self-loops, neighbours in range; only the
 * offsets need to be valid.  One pass.  False: not so, or the graph is scattered, so that the
 * check would be slow, or out of memory. */
bool clv_symmetry_proved(const clv_rows *rows);

/* The same for rows in any order, which are copied into ascending rows `to`; false: `to` is
 * empty. */
bool clv_symmetry_sorted(clv_rows *to, const clv_rows *from);

/* The exact check step by step, for readers that have rows one by one. clv_symmetry_row checks
 * row u against the rows before it (false: *found describes the violation); clv_symmetry_rest,
 * at the end, returns the first vertex with a neighbour whose row does not contain it, or -1.
 * cursor: nvtx entries.  Self-loops are reported as violations. */
bool clv_symmetry_row(const clv_rows *rows, int32_t u, int64_t *cursor, clv_asymmetry *found);
int32_t clv_symmetry_rest(const clv_rows *rows, const int64_t *cursor);

/* Adds missing directions and makes the weights of both directions equal by the rule `how`.
 * The weight of a pair depends only on the arcs between its two vertices.  New arrays replace
 * those of rows only if a direction is missing.  Fails without a message: CLEAVE_EINVAL if
 * REFUSE found two weights (found->contradiction; from -1: none), CLEAVE_ERANGE if the weights
 * of found->overflow sum to more than 2^31-1. */
typedef struct clv_symmetry_faults {
    int64_t one_way, unequal;    /* number of undirected edges with the fault */
    clv_asymmetry contradiction; /* the first pair with two weights */
    int32_t overflow[2];
} clv_symmetry_faults;
cleave_status clv_symmetry_make(clv_rows *rows, clv_symmetrise how, clv_ws *ws,
                                clv_symmetry_faults *found, cleave_error *err);

#endif
