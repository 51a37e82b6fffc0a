/* SPDX-License-Identifier: Apache-2.0 */
/* refine/moves/jet.h - Jet refinement: unconstrained moves, then rebalancing. */
#ifndef CLV_REFINE_MOVES_JET_H
#define CLV_REFINE_MOVES_JET_H

#include "refine/state/partition_state.h"

typedef struct clv_jet_params {
    int32_t rounds;      /* at most */
    int32_t patience;    /* rounds without a better solution before it stops */
    int32_t temperature; /* in 1/1024 of its connection to its own part: the loss that a
                            candidate may have; about 256 on the finest level, 768 on coarse
                            ones.  On a machine the connection is multiplied by the distance of
                            the move */
} clv_jet_params;

/* Leaves the best solution found.  The cost of a round is proportional to the arcs of the
 * boundary vertices that moved or whose neighbours did, plus those of the candidates.  Fails
 * only with CLEAVE_ENOMEM; the state is then consistent, too, and not worse than before. */
cleave_status clv_jet(clv_partition_state *s, const clv_jet_params *params, clv_context *ctx,
                      cleave_error *err);

#endif
