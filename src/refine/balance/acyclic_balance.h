/* SPDX-License-Identifier: Apache-2.0 */
/* refine/balance/acyclic_balance.h - rebalance an acyclic partition. */
#ifndef CLV_REFINE_BALANCE_ACYCLIC_BALANCE_H
#define CLV_REFINE_BALANCE_ACYCLIC_BALANCE_H

#include "refine/state/partition_state.h"

/* Shifts weight along the ranks until every part is within its bounds and none is empty; each
 * part passes the vertices with the least loss to the next.  With unit weights and without
 * fixed vertices it always succeeds; otherwise it leaves the best state found.  Never worse in
 * (overload, cut); may change ranks.  O(parts) when the bounds already hold, otherwise near
 * linear in the graph.  Scratch from ctx->ws.  Fails only with CLEAVE_ENOMEM; the state is
 * then consistent and not worse, too. */
cleave_status clv_acyclic_balance(clv_partition_state *s, clv_context *ctx, cleave_error *err);

#endif
