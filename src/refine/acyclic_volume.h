/* SPDX-License-Identifier: Apache-2.0 */
/* refine/acyclic_volume.h - an acyclic partition with a small cut becomes one with a small
 * communication volume: sum over v of vsize[v] * number of other parts among v's successors,
 * as evaluate/volume.c counts it. */
#ifndef CLV_REFINE_ACYCLIC_VOLUME_H
#define CLV_REFINE_ACYCLIC_VOLUME_H

#include "refine/partition_state.h"

typedef struct clv_acyclic_volume_params {
    int32_t rounds;   /* at most */
    int32_t patience; /* moves without improvement that end a round; at least a fifth of the
                         boundary */
    int64_t *before; /* the volume found and the one left, unless time is out before; NULL: not
                        wanted */
    int64_t *after;
} clv_acyclic_volume_params;

/* What suits most DAGs. */
static inline clv_acyclic_volume_params clv_acyclic_volume_defaults(void)
{
    return (clv_acyclic_volume_params){.rounds = 3, .patience = 500};
}

/* Rounds of moves with rollback on the finest level; the ranks stay as they are.  (overload,
 * volume, cut) never gets worse.  A round costs what the arcs around the boundary cost;
 * sequential.  Scratch: about 60 bytes per vertex and up to 24 per arc near the boundary.
 * Fails only with CLEAVE_ENOMEM; the state is then valid and not worse. */
cleave_status clv_acyclic_volume(clv_partition_state *s,
                                 const clv_acyclic_volume_params *params, clv_context *ctx,
                                 cleave_error *err);

#endif
