/* SPDX-License-Identifier: Apache-2.0 */
/* refine/balance/rebalance.h - bring the parts back within their bounds at a small loss. */
#ifndef CLV_REFINE_BALANCE_REBALANCE_H
#define CLV_REFINE_BALANCE_REBALANCE_H

#include "refine/state/partition_state.h"

/* Moves vertices out of overloaded parts, into parts below their lower bound and into empty
 * ones, smallest loss per unit of weight first: boundary vertices, then inner ones, then
 * through parts that have too little capacity, then swaps of two vertices.  Every step reduces
 * clv_state_overload; it reaches 0 unless none of these steps is left.  O(parts) when the
 * bounds already hold, otherwise near linear in the parts concerned.  Fails only with
 * CLEAVE_ENOMEM; the state is then consistent, too. */
cleave_status clv_rebalance(clv_partition_state *s, clv_context *ctx, cleave_error *err);

/* Input and output for callers that move vertices themselves. */
typedef struct clv_rebalance_hints {
    const int32_t *list; /* every vertex of the boundary, maybe others */
    int32_t count;
    int64_t *gain;  /* by vertex, where flags include `known`: an approximate upper bound on
                       the gain of its best move */
    uint8_t *flags; /* by vertex: where gain has been changed, `changed` and `known` are set */
    uint8_t known, changed;
} clv_rebalance_hints;
typedef struct clv_rebalance_log {
    int32_t *move;           /* pairs: vertex, old part; in order.  From ws[0] */
    int32_t count, capacity; /* in pairs */
} clv_rebalance_log;

/* Adds a move to the log.  False: out of memory. */
bool clv_rebalance_note(clv_rebalance_log *log, int32_t v, int32_t part, clv_ws *ws);

/* Gain per weight: a loss is divided by the weight, a gain multiplied by it. */
static inline int64_t clv_rebalance_key(int64_t gain, int64_t weight)
{
    int64_t key;
    weight = weight > 0 ? weight : 1;
    if (gain >= 0)
        return __builtin_mul_overflow(gain, weight, &key) ? INT64_MAX : key;
    if (gain > -(INT64_C(1) << 46))
        return gain * 65536 / weight;
    return gain / weight > INT64_MIN / 65536 ? gain / weight * 65536 : INT64_MIN;
}

/* The same with the boundary given, and limited to moves of boundary vertices and to the time
 * limit.  The log grows on the scratch stack of the calling thread: zero it, save the stack
 * before and restore it after. */
cleave_status clv_rebalance_boundary(clv_partition_state *s, const clv_rebalance_hints *hints,
                                     clv_rebalance_log *log, clv_context *ctx,
                                     cleave_error *err);

/* Swaps pairs of vertices while that reduces the overload (refine/balance/rebalance_swap.c).
 */
cleave_status clv_rebalance_swap(clv_partition_state *s, clv_context *ctx, cleave_error *err);

/* The limit on pairs that such a call evaluates, plus one step. */
static inline int64_t clv_rebalance_most_pairs(int32_t nvtx)
{
    enum { small = 1 << 19, per_vertex = 512 };
    return small + (int64_t)per_vertex * nvtx;
}

#endif
