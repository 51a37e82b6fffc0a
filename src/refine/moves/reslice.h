/* SPDX-License-Identifier: Apache-2.0 */
/* refine/moves/reslice.h - improves an acyclic partition by optimal slices of its own
 * topological order.
 *
 * A partition gives topological orders: part after part, inside each from the boundary with
 * earlier parts to that with later ones.  The best slices of such an order (order/slices.h)
 * are never worse than the partition.  All boundaries move at once, as far as the bounds
 * allow. */
#ifndef CLV_REFINE_MOVES_RESLICE_H
#define CLV_REFINE_MOVES_RESLICE_H

#include "refine/state/partition_state.h"

/* Improves s along such orders while that helps, a few times at most; ranks do not change.
 * Never worse in (overload, cut).  Scratch from ctx->ws; sequential.  O(narc log nvtx) per
 * order.  Fails only with CLEAVE_ENOMEM; s is then consistent, too. */
cleave_status clv_reslice(clv_partition_state *s, clv_context *ctx, cleave_error *err);

#endif
