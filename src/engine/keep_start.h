/* SPDX-License-Identifier: Apache-2.0 */
/* engine/keep_start.h - a mapping that is given, brought within the bounds and no more. */
#ifndef CLV_ENGINE_KEEP_START_H
#define CLV_ENGINE_KEEP_START_H

#include "engine/search.h"

/* Fills part with task->start, in which as little as need be has moved: out of parts that hold
 * too much, into empty ones; of a DAG also where parts form a cycle. */
cleave_status clv_keep_start(const clv_multilevel_task *task, clv_context *ctx, int32_t *part,
                             clv_search_result *result, cleave_error *err);

#endif
