/* SPDX-License-Identifier: Apache-2.0 */
/* refine/moves/volume_moves.h - reduces the communication volume of a partition: the sum over
 * v of vsize[v] * number of other parts among v's neighbours, as evaluate/volume.c counts it.
 */
#ifndef CLV_REFINE_MOVES_VOLUME_MOVES_H
#define CLV_REFINE_MOVES_VOLUME_MOVES_H

#include "refine/state/partition_state.h"

typedef struct clv_volume_params {
    int32_t rounds;   /* at most; 3 cost about as much as a fast partition; gains continue up
                         to 20 */
    int32_t patience; /* moves without improvement that end a search from one vertex */
    int64_t *before;  /* the volume before and after; NULL: not requested */
    int64_t *after;
} clv_volume_params;

/* Defaults for most graphs. */
static inline clv_volume_params clv_volume_defaults(void)
{
    return (clv_volume_params){.rounds = 3, .patience = 30};
}

/* FM searches with exact gains; the finest level of an undirected graph.  (overload, volume,
 * cut) never gets worse.  O(rounds * arcs around the boundary), sequential.  Scratch: about 60
 * bytes per vertex and up to 24 per arc near the boundary.  Fails only with CLEAVE_ENOMEM; the
 * state is then valid and not worse. */
cleave_status clv_volume_refine(clv_partition_state *s, const clv_volume_params *params,
                                clv_context *ctx, cleave_error *err);

#endif
