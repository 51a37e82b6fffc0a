/* SPDX-License-Identifier: Apache-2.0 */
/* engine/trivial_mapping.h - mappings with little to choose: one part, or as many parts as
 * vertices. */
#ifndef CLV_ENGINE_TRIVIAL_MAPPING_H
#define CLV_ENGINE_TRIVIAL_MAPPING_H

#include "engine/pipeline.h"

/* Fills part if there is one part for all vertices that are not fixed, or a PE for each of
 * them; else *done is false.  Which PE matters where distances differ: then a search improves
 * the places.  CLEAVE_EINVAL: one vertex per PE is asked for, and there are too few PEs. */
cleave_status clv_trivial_mapping(clv_map_job *job, int32_t *part, bool *done,
                                  cleave_error *err);

/* Does every vertex have a part of its own?  useful: and one that may hold something. */
cleave_status clv_is_spread(const clv_map_job *job, const int32_t *part, bool useful,
                            bool *yes, cleave_error *err);

#endif
