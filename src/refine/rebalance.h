/* SPDX-License-Identifier: Apache-2.0 */
/* refine/rebalance.h - bring the parts back within their bounds at a small loss. */
#ifndef CLV_REFINE_REBALANCE_H
#define CLV_REFINE_REBALANCE_H

#include "refine/partition_state.h"

/* Moves vertices out of overloaded parts, into parts below their lower bound and into empty
 * ones, smallest loss per unit of weight first: at the boundary, then from the inside, then
 * through parts that have too little room, then by swapping two vertices.  Every step makes
 * clv_state_overload smaller; it reaches 0 unless none of these steps is left.  O(parts) when
 * nothing is to be done, otherwise near linear in the parts concerned.  Fails only with
 * CLEAVE_ENOMEM; the state is consistent then, too. */
cleave_status clv_rebalance(clv_partition_state *s, clv_context *ctx, cleave_error *err);

/* Input and output for callers that move vertices themselves. */
typedef struct clv_rebalance_hints {
    const int32_t *list; /* every vertex of the boundary, maybe others */
    int32_t count;
    int64_t *gain;  /* by vertex, where flags say `known`: at least about what its best move
                     * gains */
    uint8_t *flags; /* by vertex: where gain has been changed, `changed` and `known` are set */
    uint8_t known, changed;
} clv_rebalance_hints;
typedef struct clv_rebalance_log {
    int32_t *move;           /* pairs: vertex, part it left; in order.  From ws[0] */
    int32_t count, capacity; /* in pairs */
} clv_rebalance_log;

/* The same with the boundary given, and only as far as moves at the boundary and the time
 * reach.  The log
 * grows on the scratch stack of the calling thread: zero it, save the stack before and
 * restore it after. */
cleave_status clv_rebalance_boundary(clv_partition_state *s, const clv_rebalance_hints *hints,
                                     clv_rebalance_log *log, clv_context *ctx,
                                     cleave_error *err);

/* Swaps pairs of vertices while that makes the overload smaller (refine/rebalance_swap.c). */
cleave_status clv_rebalance_swap(clv_partition_state *s, clv_context *ctx, cleave_error *err);

/* As many pairs as such a call looks at, and one step more. */
static inline int64_t clv_rebalance_most_pairs(int32_t nvtx)
{
    enum { small = 1 << 19, per_vertex = 512 };
    return small + (int64_t)per_vertex * nvtx;
}

#endif
