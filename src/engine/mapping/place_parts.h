/* SPDX-License-Identifier: Apache-2.0 */
/* engine/mapping/place_parts.h - places whole parts on a machine after the search (quadratic
 * assignment). */
#ifndef CLV_ENGINE_MAPPING_PLACE_PARTS_H
#define CLV_ENGINE_MAPPING_PLACE_PARTS_H

#include "engine/multilevel/search.h"

/* Makes the state of part.  Ranks the parts of a DAG if they have an order, otherwise sets
 * *acyclic to false. */
cleave_status clv_place_state(clv_partition_state *s, const clv_multilevel_task *task,
                              int32_t *part, clv_context *ctx, bool *acyclic,
                              cleave_error *err);

/* For a mapping computed without the machine: assigns each part to a place at the lowest cost.
 * moves: then moves single vertices of a DAG by cost. */
cleave_status clv_place_parts(const clv_multilevel_task *task, cleave_effort effort,
                              bool moves, clv_context *ctx, int32_t *part, cleave_error *err);

/* Restarts from the mapping by vertex number (evaluate/traffic.h) if that is within the
 * bounds, acyclic if required, and cheaper than *part: the result is never worse than it.
 * Only without fixed vertices. */
cleave_status clv_prefer_identity(const clv_multilevel_task *task, cleave_effort effort,
                                  clv_context *ctx, int32_t *part, cleave_error *err);

/* Lowers the largest link load by exchanging whole parts.  line: then does the same with
 * intervals of a line, if there is time, and takes these if their largest load is lower. The
 * search minimises the cost, and its parts can load a link more than those of a line. */
cleave_status clv_lower_congestion(const clv_multilevel_task *task, cleave_effort effort,
                                   bool line, clv_context *ctx, int32_t *part,
                                   cleave_error *err);

#endif
