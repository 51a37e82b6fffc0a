/* SPDX-License-Identifier: Apache-2.0 */
/* refine/moves/acyclic_moves.h - greedy refinement of the boundary of an acyclic partition. */
#ifndef CLV_REFINE_MOVES_ACYCLIC_MOVES_H
#define CLV_REFINE_MOVES_ACYCLIC_MOVES_H

#include "refine/state/partition_state.h"

typedef struct clv_acyclic_moves_params {
    int32_t rounds; /* at most; each evaluates only what changed in the one before */
} clv_acyclic_moves_params;

/* Moves boundary vertices to the part above or below them in rank with the larger gain, if it
 * has capacity, as long as the cut shrinks, or stays and the balance improves.  O(arcs of the
 * vertices evaluated); parallel, with the same result for any number of threads.  Fails only
 * with CLEAVE_ENOMEM; the state is then consistent, too. */
cleave_status clv_acyclic_moves(clv_partition_state *s, const clv_acyclic_moves_params *params,
                                clv_context *ctx, cleave_error *err);

#endif
