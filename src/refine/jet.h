/* SPDX-License-Identifier: Apache-2.0 */
/* refine/jet.h - unconstrained moves: forget the bounds, then repair them. */
#ifndef CLV_REFINE_JET_H
#define CLV_REFINE_JET_H

#include "refine/partition_state.h"

typedef struct clv_jet_params {
    int32_t rounds;      /* at most */
    int32_t patience;    /* rounds without a better solution after which to stop */
    int32_t temperature; /* in 1/1024 of its connection to its own part: what a vertex may
                          * lose by a move that others may make good; about 256 on the
                          * finest level, 768 on coarse ones.  On a machine that connection
                          * counts with the way the vertex goes */
} clv_jet_params;

/* Leaves the best solution met.  Each round costs the arcs of the boundary vertices that
 * moved or whose neighbours did, plus those of the candidates.  Fails only with
 * CLEAVE_ENOMEM; the state is consistent then, too, and not worse than before. */
cleave_status clv_jet(clv_partition_state *s, const clv_jet_params *params, clv_context *ctx,
                      cleave_error *err);

#endif
