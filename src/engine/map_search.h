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

#endif
