/* SPDX-License-Identifier: Apache-2.0 */
/* refine/fm/bipartition_fm.h - FM refinement of a bipartition. */
#ifndef CLV_REFINE_FM_BIPARTITION_FM_H
#define CLV_REFINE_FM_BIPARTITION_FM_H

#include "refine/state/partition_state.h"

typedef struct clv_bipartition_fm_params {
    int32_t passes;   /* at most */
    int32_t patience; /* moves without a new best solution before a pass ends */
} clv_bipartition_fm_params;

/* FM passes with rollback [Fiduccia, Mattheyses 1982; Karypis, Kumar 1998] for s->nparts = 2.
 * Moves from an overloaded part come first; otherwise the best gain on either side whose move
 * keeps the bounds.  Never worse in (overload, cut).  Scratch from ctx->ws; sequential. */
cleave_status clv_bipartition_fm(clv_partition_state *s,
                                 const clv_bipartition_fm_params *params, clv_context *ctx,
                                 cleave_error *err);

#endif
