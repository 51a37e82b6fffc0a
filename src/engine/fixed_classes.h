/* SPDX-License-Identifier: Apache-2.0 */
/* engine/fixed_classes.h - which vertices of a DAG with fixed vertices may merge.
 *
 * Merging two free vertices, one behind a fixed vertex of a late part, one before a fixed
 * vertex of an early part, would put the late part before the early one.  Vertices to which
 * the fixed ones leave the same parts can merge without such consequences. */
#ifndef CLV_ENGINE_FIXED_CLASSES_H
#define CLV_ENGINE_FIXED_CLASSES_H

#include "engine/multilevel.h"

/* merge_class[v] for the task's DAG, parts standing in the order of their numbers: the same
 * for vertices with the same first and last part that is left to them, fixed ones apart.
 * CLEAVE_ECYCLE when fixed vertices contradict that order.  O(nvtx log nvtx + narc). */
cleave_status clv_fixed_classes(const clv_multilevel_task *task, clv_ws *ws,
                                int32_t *merge_class, cleave_error *err);

#endif
