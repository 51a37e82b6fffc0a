/* SPDX-License-Identifier: Apache-2.0 */
/* refine/moves/acyclic_volume.h - reduces the communication volume of an acyclic partition:
 * the sum over v of vsize[v] * number of other parts among v's successors, as
 * evaluate/volume.c counts it. */
#ifndef CLV_REFINE_MOVES_ACYCLIC_VOLUME_H
#define CLV_REFINE_MOVES_ACYCLIC_VOLUME_H

#include "refine/state/partition_state.h"

typedef struct clv_acyclic_volume_params {
    int32_t rounds;   /* at most */
    int32_t patience; /* moves without improvement that end a round; at least a fifth of the
                         boundary */
    int64_t *before;  /* the volume before and after, unless time runs out before; NULL: not
                         requested */
    int64_t *after;
} clv_acyclic_volume_params;

/* Defaults for most DAGs. */
static inline clv_acyclic_volume_params clv_acyclic_volume_defaults(void)
{
    return (clv_acyclic_volume_params){.rounds = 3, .patience = 500};
}

/* FM rounds with rollback on the finest level; the ranks do not change.  (overload, volume,
 * cut) never gets worse.  The cost of a round is proportional to the arcs around the boundary;
 * sequential.  Scratch: about 60 bytes per vertex and up to 24 per arc near the boundary.
 * Fails only with CLEAVE_ENOMEM; the state is then valid and not worse. */
cleave_status clv_acyclic_volume(clv_partition_state *s,
                                 const clv_acyclic_volume_params *params, clv_context *ctx,
                                 cleave_error *err);

#endif
