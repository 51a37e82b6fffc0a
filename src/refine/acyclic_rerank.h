/* SPDX-License-Identifier: Apache-2.0 */
/* refine/acyclic_rerank.h - FM over all moves that keep the quotient of a DAG acyclic, also
 * those that no longer fit the present ranks. */
#ifndef CLV_REFINE_ACYCLIC_RERANK_H
#define CLV_REFINE_ACYCLIC_RERANK_H

#include "refine/partition_state.h"

enum { CLV_RERANK_PARTS = 64 }; /* a set of parts is one word */

typedef struct clv_acyclic_rerank_params {
    int32_t passes;   /* at most */
    int32_t patience; /* moves without a new best solution before a pass ends */
} clv_acyclic_rerank_params;

/* Passes with rollback for s->nparts <= CLV_RERANK_PARTS, as clv_acyclic_fm, but a vertex may
 * go to any part of a neighbour as long as the quotient has no cycle then; the ranks follow.
 * Some times the work of clv_acyclic_fm.  *better: was anything gained? */
cleave_status clv_acyclic_rerank(clv_partition_state *s,
                                 const clv_acyclic_rerank_params *params, clv_context *ctx,
                                 bool *better, cleave_error *err);

#endif
