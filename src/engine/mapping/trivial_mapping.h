/* SPDX-License-Identifier: Apache-2.0 */
/* engine/mapping/trivial_mapping.h - mappings to one part, or with one vertex per part. */
#ifndef CLV_ENGINE_MAPPING_TRIVIAL_MAPPING_H
#define CLV_ENGINE_MAPPING_TRIVIAL_MAPPING_H

#include "engine/pipeline.h"

/* Fills part if there is only one part for all vertices that are not fixed, or a PE for each
 * of them; otherwise sets *done to false.  If distances differ, a search improves the
 * placement. CLEAVE_EINVAL: one vertex per PE is requested, and there are too few PEs. */
cleave_status clv_trivial_mapping(clv_map_job *job, int32_t *part, bool *done,
                                  cleave_error *err);

/* Does every vertex have its own part?  useful: and may that part hold vertices? */
cleave_status clv_is_spread(const clv_map_job *job, const int32_t *part, bool useful,
                            bool *yes, cleave_error *err);

#endif
