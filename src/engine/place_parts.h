/* SPDX-License-Identifier: Apache-2.0 */
/* engine/place_parts.h - whole parts to the places of a machine, after the search. */
#ifndef CLV_ENGINE_PLACE_PARTS_H
#define CLV_ENGINE_PLACE_PARTS_H

#include "engine/search.h"

/* The state of part; ranks of a DAG's parts when they have an order, else *acyclic is false.
 */
cleave_status clv_place_state(clv_partition_state *s, const clv_multilevel_task *task,
                              int32_t *part, clv_context *ctx, bool *acyclic,
                              cleave_error *err);

/* A mapping that was made without the machine: each part goes to the place where it costs
 * least.  moves: then single vertices of a DAG move by cost. */
cleave_status clv_place_parts(const clv_multilevel_task *task, cleave_effort effort,
                              bool moves, clv_context *ctx, int32_t *part, cleave_error *err);

/* Starts again from the mapping that follows the numbers of the vertices (evaluate/traffic.h)
 * when that is within the bounds, acyclic if it must be, and cheaper than *part: no mapping
 * is worse than that one.  Without fixed vertices only. */
cleave_status clv_prefer_identity(const clv_multilevel_task *task, cleave_effort effort,
                                  clv_context *ctx, int32_t *part, cleave_error *err);

/* Lowers the largest load of a link by exchanging whole parts. */
cleave_status clv_lower_congestion(const clv_multilevel_task *task, cleave_effort effort,
                                   clv_context *ctx, int32_t *part, cleave_error *err);

#endif
