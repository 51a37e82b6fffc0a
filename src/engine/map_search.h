/* SPDX-License-Identifier: Apache-2.0 */
/* engine/map_search.h - the search when PEs are not all equally far from each other. */
#ifndef CLV_ENGINE_MAP_SEARCH_H
#define CLV_ENGINE_MAP_SEARCH_H

#include "engine/method.h"
#include "engine/search.h"

/* Fills part (places of task->machine; NULL: all at distance 1) with the best by (overload,
 * cost) that the method and the effort find. */
cleave_status clv_map_search(const clv_multilevel_task *task, const clv_effort *effort,
                             const clv_method *method, clv_context *ctx, int32_t *part,
                             clv_search_result *result, cleave_error *err);

/* Starts again from the mapping that follows the numbers of the vertices (evaluate/traffic.h)
 * when that is within the bounds, acyclic if it must be, and cheaper than *part: nobody gets
 * less than he had.  Without fixed vertices only. */
cleave_status clv_map_heed_identity(const clv_multilevel_task *task, cleave_effort effort,
                                    clv_context *ctx, int32_t *part, cleave_error *err);

/* A mapping that was made without the machine: each part goes to the place where it costs
 * least.  moves: then single vertices of a DAG move by cost. */
cleave_status clv_map_place(const clv_multilevel_task *task, cleave_effort effort, bool moves,
                            clv_context *ctx, int32_t *part, cleave_error *err);

/* Lowers the largest load of a link by exchanging whole parts. */
cleave_status clv_map_relieve(const clv_multilevel_task *task, cleave_effort effort,
                              clv_context *ctx, int32_t *part, cleave_error *err);

/* part has every vertex on a place of its own; finds better ones.  From there, and from a
 * bisection down to single vertices when none is fixed. */
cleave_status clv_map_spread(const clv_multilevel_task *task, cleave_effort effort,
                             clv_context *ctx, int32_t *part, cleave_error *err);

#endif
