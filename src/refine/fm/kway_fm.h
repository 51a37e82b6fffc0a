/* SPDX-License-Identifier: Apache-2.0 */
/* refine/fm/kway_fm.h - localised k-way FM: many short searches, each from a few boundary
 * vertices. */
#ifndef CLV_REFINE_FM_KWAY_FM_H
#define CLV_REFINE_FM_KWAY_FM_H

#include "refine/state/partition_state.h"

typedef struct clv_kway_fm_params {
    int32_t rounds;   /* at most; a round starts a search from every boundary vertex */
    int32_t seeds;    /* boundary vertices that start a search together, >= 1 */
    int32_t patience; /* moves without improvement that every search can make */
    int32_t spread;   /* the weight of the variance of the gains in the stopping rule, in
                         1/100 */
    int32_t least; /* a round that gains less than this many 1/10000 of the cut is the last */
} clv_kway_fm_params;

/* The parameters of the default effort level. */
clv_kway_fm_params clv_kway_fm_defaults(void);

/* Reduces the cut within the bounds.  Considers only moves that keep the upper bound of the
 * new part and the lower bound of the old one and do not empty it, so that an overloaded part
 * never gets heavier.  Long rounds run on the team, with the same result for any number of
 * threads; about O(rounds * arcs near the boundary * log).  If the context is stopped, s has
 * the best state so far. */
cleave_status clv_kway_fm(clv_partition_state *s, const clv_kway_fm_params *params,
                          clv_context *ctx, cleave_error *err);

#endif
