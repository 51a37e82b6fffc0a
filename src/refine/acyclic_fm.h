/* SPDX-License-Identifier: Apache-2.0 */
/* refine/acyclic_fm.h - an acyclic partition, improved by moving vertices of its boundary. */
#ifndef CLV_REFINE_ACYCLIC_FM_H
#define CLV_REFINE_ACYCLIC_FM_H

#include "refine/partition_state.h"

typedef struct clv_acyclic_fm_params {
    int32_t passes;    /* at most */
    int32_t patience;  /* moves without a new best solution before a pass ends */
    bool rerank_moves; /* 2 < nparts <= 64: then passes with moves that change the ranks */
} clv_acyclic_fm_params;

/* FM passes with rollback [Fiduccia, Mattheyses 1982] over the moves that keep the quotient
 * acyclic, for any number of parts.  Never worse in (overload, cut); meant for states within
 * their bounds (else call clv_acyclic_balance first), from others it moves towards the bounds
 * where it can.  A pass costs what the boundary and the vertices around its moves cost.
 * Scratch from ctx->ws; sequential.  Fails only with CLEAVE_ENOMEM; s is consistent and no
 * worse then as well. */
cleave_status clv_acyclic_fm(clv_partition_state *s, const clv_acyclic_fm_params *params,
                             clv_context *ctx, cleave_error *err);

#endif
