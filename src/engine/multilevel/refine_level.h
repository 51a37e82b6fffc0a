/* SPDX-License-Identifier: Apache-2.0 */
/* engine/multilevel/refine_level.h - refinement of one level: calls the refiners in order. */
#ifndef CLV_ENGINE_MULTILEVEL_REFINE_LEVEL_H
#define CLV_ENGINE_MULTILEVEL_REFINE_LEVEL_H

#include "engine/presets.h"

/* Refines the partition of one level as the preset specifies.  The result is never worse in
 * (overload, cut).  With ranks the quotient graph stays acyclic.  Fails only with
 * CLEAVE_ENOMEM. */
cleave_status clv_refine_level(clv_partition_state *s, const clv_preset *effort,
                               clv_context *ctx, cleave_error *err);

#endif
