/* SPDX-License-Identifier: Apache-2.0 */
/* engine/clear_idle_parts.h - parts that must stay empty, cleared of vertices that weigh
 * nothing.
 *
 * To searches such vertices fit anywhere.  Those of a DAG leave a part together, for the next
 * one in the order of the parts that may hold something: merging two that follow each other
 * closes no cycle.  Others go where most of their neighbours are, so that parts stay
 * connected, or fill a part that is empty. */
#ifndef CLV_ENGINE_CLEAR_IDLE_PARTS_H
#define CLV_ENGINE_CLEAR_IDLE_PARTS_H

#include "engine/multilevel.h"

/* Fixed vertices stay, and with a DAG all that are in their part.  O(nvtx + narc + nparts),
 * O(nparts) when no part has to be empty. */
cleave_status clv_clear_idle_parts(const clv_multilevel_task *task, clv_context *ctx,
                                   int32_t *part, cleave_error *err);

#endif
