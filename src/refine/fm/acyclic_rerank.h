/* SPDX-License-Identifier: Apache-2.0 */
/* refine/fm/acyclic_rerank.h - FM over all moves that keep the quotient of a DAG acyclic, also
 * those that break the current ranks. */
#ifndef CLV_REFINE_FM_ACYCLIC_RERANK_H
#define CLV_REFINE_FM_ACYCLIC_RERANK_H

#include "refine/state/partition_state.h"

enum { CLV_RERANK_PARTS = 64 }; /* a set of parts is one word */

typedef struct clv_acyclic_rerank_params {
    int32_t passes;   /* at most */
    int32_t patience; /* moves without a new best solution before a pass ends */
} clv_acyclic_rerank_params;

/* Passes with rollback for s->nparts <= CLV_RERANK_PARTS, as clv_acyclic_fm, but a vertex can
 * move to any part of a neighbour as long as the quotient graph has no cycle; the ranks are
 * updated.  Several times the work of clv_acyclic_fm.  *better: whether the solution
 * improved. */
cleave_status clv_acyclic_rerank(clv_partition_state *s,
                                 const clv_acyclic_rerank_params *params, clv_context *ctx,
                                 bool *better, cleave_error *err);

#endif
