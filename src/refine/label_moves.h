/* SPDX-License-Identifier: Apache-2.0 */
/* refine/label_moves.h - greedy moves over the boundary: the cheap refiner. */
#ifndef CLV_REFINE_LABEL_MOVES_H
#define CLV_REFINE_LABEL_MOVES_H

#include "refine/partition_state.h"

typedef struct clv_label_params {
    int32_t rounds; /* at most; each looks only at what changed in the one before */
} clv_label_params;

/* Moves boundary vertices, each to the part that it is connected to best among those with
 * room, as long as the cut shrinks or stays and the balance improves.  O(arcs of the
 * vertices looked at).  Fails only with CLEAVE_ENOMEM; the state is consistent then, too. */
cleave_status clv_label_moves(clv_partition_state *s, const clv_label_params *params,
                              clv_context *ctx, cleave_error *err);

#endif
