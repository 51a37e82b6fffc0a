/* SPDX-License-Identifier: Apache-2.0 */
/* refine/moves/label_moves.h - size-constrained label propagation: greedy refinement of the
 * boundary. */
#ifndef CLV_REFINE_MOVES_LABEL_MOVES_H
#define CLV_REFINE_MOVES_LABEL_MOVES_H

#include "refine/state/partition_state.h"

typedef struct clv_label_params {
    int32_t rounds; /* at most; each evaluates only what changed in the one before */
} clv_label_params;

/* Moves boundary vertices to the part with capacity that they are connected to most strongly,
 * as long as the cut shrinks, or stays and the balance improves.  O(arcs of the vertices
 * evaluated).  Fails only with CLEAVE_ENOMEM; the state is then consistent, too. */
cleave_status clv_label_moves(clv_partition_state *s, const clv_label_params *params,
                              clv_context *ctx, cleave_error *err);

#endif
