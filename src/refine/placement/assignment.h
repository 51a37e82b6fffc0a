/* SPDX-License-Identifier: Apache-2.0 */
/* refine/placement/assignment.h - the linear assignment problem: assigns rows to columns, one
 * each, with the largest sum.  Used to relabel the parts of a new mapping after the old ones.
 */
#ifndef CLV_REFINE_PLACEMENT_ASSIGNMENT_H
#define CLV_REFINE_PLACEMENT_ASSIGNMENT_H

#include "base/mem.h"

/* value[i * n + j] is the value of giving row i column j, >= 0; negative: not allowed.  at[i],
 * the column of row i, is on entry any assignment of allowed pairs, and on return one of the
 * largest sum: shortest augmenting paths [Kuhn 1955; Jonker, Volgenant 1987].  Values are
 * exact up to 2^61 / n, beyond that they are rounded to that many bits.  Deterministic.
 * O(n^3). */
cleave_status clv_assignment_solve(int32_t n, const int64_t *value, clv_ws *ws, int32_t *at,
                                   cleave_error *err);

/* A pair with a positive value. */
typedef struct clv_assignment_pair {
    int32_t row, column;
    int64_t value; /* > 0 */
} clv_assignment_pair;

/* Whether row i can have column j. */
typedef bool clv_assignment_rule(const void *context, int32_t i, int32_t j);

/* A large instance. */
typedef struct clv_sparse_assignment {
    int32_t n;
    int64_t npairs;
    const clv_assignment_pair *pairs; /* others have the value 0 */
    clv_assignment_rule *allowed;
    const void *context; /* of the rule */
} clv_sparse_assignment;

/* A greedy method: processes pairs by descending value (equal ones by row, then column), and
 * swaps the columns of two rows wherever both are allowed and the sum grows.  O(pairs log
 * pairs). */
cleave_status clv_assignment_greedy(const clv_sparse_assignment *of, clv_ws *ws, int32_t *at,
                                    cleave_error *err);

#endif
