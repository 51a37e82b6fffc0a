/* SPDX-License-Identifier: Apache-2.0 */
/* engine/clear_idle_parts.h - moves zero-weight vertices out of parts that must stay empty.
 *
 * To refinement, such vertices fit anywhere.  In a DAG, all vertices of a part move together
 * to the next part in the part order that may hold vertices: merging consecutive parts closes
 * no cycle.  In an undirected graph each vertex moves to the part of most of its neighbours,
 * so that parts stay connected, or fills an empty part. */
#ifndef CLV_ENGINE_CLEAR_IDLE_PARTS_H
#define CLV_ENGINE_CLEAR_IDLE_PARTS_H

#include "engine/multilevel/multilevel.h"

/* Fixed vertices stay; in a DAG so do all other vertices of their part. O(nvtx + narc +
 * nparts), or O(nparts) if no part must be empty. */
cleave_status clv_clear_idle_parts(const clv_multilevel_task *task, clv_context *ctx,
                                   int32_t *part, cleave_error *err);

#endif
