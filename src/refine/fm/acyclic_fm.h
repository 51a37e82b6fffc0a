/* SPDX-License-Identifier: Apache-2.0 */
/* refine/fm/acyclic_fm.h - FM refinement of an acyclic partition. */
#ifndef CLV_REFINE_FM_ACYCLIC_FM_H
#define CLV_REFINE_FM_ACYCLIC_FM_H

#include "refine/state/partition_state.h"

typedef struct clv_acyclic_fm_params {
    int32_t passes;    /* at most */
    int32_t patience;  /* moves without a new best solution before a pass ends */
    bool rerank_moves; /* 2 < nparts <= 64: then passes with moves that change the ranks */
} clv_acyclic_fm_params;

/* FM passes with rollback [Fiduccia, Mattheyses 1982] over the moves that keep the quotient
 * graph acyclic, for any number of parts.  Never worse in (overload, cut).  Intended for
 * states within their bounds (otherwise call clv_acyclic_balance first); from others it moves
 * towards the bounds where it can.  The cost of a pass is proportional to the boundary and the
 * arcs of the moved vertices.  Scratch from ctx->ws; sequential.  Fails only with
 * CLEAVE_ENOMEM; s is then consistent and not worse, too. */
cleave_status clv_acyclic_fm(clv_partition_state *s, const clv_acyclic_fm_params *params,
                             clv_context *ctx, cleave_error *err);

#endif
