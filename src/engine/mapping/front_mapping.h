/* SPDX-License-Identifier: Apache-2.0 */
/* engine/mapping/front_mapping.h - few vertices onto a machine with many times as many PEs.
 *
 * A vertex with its own PE should be near its neighbours, so all vertices are mapped into one
 * domain of the machine with a few times as many PEs as vertices.  Time and memory depend on
 * the graph, not on the machine: no array has a place for every PE. */
#ifndef CLV_ENGINE_MAPPING_FRONT_MAPPING_H
#define CLV_ENGINE_MAPPING_FRONT_MAPPING_H

#include "engine/pipeline.h"

/* Are there so many more PEs than vertices that a domain is large enough, and are single PEs
 * unconstrained? */
bool clv_front_applies(const clv_map_request *request);

/* As clv_normalise_request, but without the machine, and with bounds of as many parts as there
 * are vertices.  Afterwards clv_pipeline_judge numbers the PEs in use. */
cleave_status clv_front_normalise(clv_map_job *job, cleave_error *err);

/* Fills part: every vertex has its own PE. */
cleave_status clv_front_search(clv_map_job *job, int32_t *part, cleave_error *err);

#endif
