/* SPDX-License-Identifier: Apache-2.0 */
/* refine/balance/rebalance_bulk.h - rebalancing by sorted batches of boundary vertices, in
 * parallel. */
#ifndef CLV_REFINE_BALANCE_REBALANCE_BULK_H
#define CLV_REFINE_BALANCE_REBALANCE_BULK_H

#include "refine/balance/rebalance.h"

/* Arrays by vertex of the caller, besides those of the hints. */
typedef struct clv_bulk_balance {
    int32_t *to;      /* written for moved vertices */
    uint8_t moving;   /* a bit of flags that no vertex has */
    uint8_t marked;   /* bits of flags that moved vertices and their neighbours get */
    int32_t *leaving; /* nparts, scratch */
} clv_bulk_balance;

/* Moves vertices of the hints' list out of overloaded parts, smallest loss per weight first,
 * into parts with capacity, if many have to move.  What is left is for
 * clv_rebalance_boundary.  All vertices of the list have `known`; changed gains are flagged.
 * One constraint, no machine; otherwise, and for few moves, it does nothing.  A bounded number
 * of rounds, each of O(parts + list + arcs of the vertices that it evaluates). */
cleave_status clv_rebalance_bulk(clv_partition_state *s, const clv_rebalance_hints *hints,
                                 const clv_bulk_balance *arrays, clv_rebalance_log *log,
                                 clv_context *ctx, cleave_error *err);

#endif
