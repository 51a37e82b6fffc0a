/* SPDX-License-Identifier: Apache-2.0 */
/* refine/kway_fm.h - localised k-way FM: many short searches that each start from a few
 * vertices of the boundary. */
#ifndef CLV_REFINE_KWAY_FM_H
#define CLV_REFINE_KWAY_FM_H

#include "refine/partition_state.h"

typedef struct clv_kway_fm_params {
    int32_t rounds;   /* at most; a round starts a search from every boundary vertex */
    int32_t seeds;    /* boundary vertices that start a search together, >= 1 */
    int32_t patience; /* moves without improvement that every search may make */
    int32_t spread;   /* how much the search trusts the variance of its gains, in 1/100 */
    int32_t least; /* a round that saves less than this many 1/10000 of the cut is the last */
} clv_kway_fm_params;

/* What has proved itself for the default effort. */
clv_kway_fm_params clv_kway_fm_defaults(void);

/* Lowers the cut within the bounds.  Moves that leave a part within its upper bound and the
 * other above its lower one and not empty are the only ones considered, so that what is too
 * heavy at the start never gets heavier.  Sequential; about O(rounds * arcs near the boundary
 * * log).  When the context says stop, the best so far is in s. */
cleave_status clv_kway_fm(clv_partition_state *s, const clv_kway_fm_params *params,
                          clv_context *ctx, cleave_error *err);

#endif
