/* SPDX-License-Identifier: Apache-2.0 */
/* engine/multilevel/fixed_classes.h - which vertices of a DAG with fixed vertices may merge.
 *
 * Consider two free vertices, one a descendant of a fixed vertex of a late part, the other an
 * ancestor of a fixed vertex of an early part.  Merging them would put the late part before
 * the early one.  Vertices that may be in the same parts can merge without such
 * consequences. */
#ifndef CLV_ENGINE_MULTILEVEL_FIXED_CLASSES_H
#define CLV_ENGINE_MULTILEVEL_FIXED_CLASSES_H

#include "engine/multilevel/multilevel.h"

/* Fills merge_class for the task's DAG, whose parts are ordered by number.  Vertices with the
 * same first and last feasible part share a class; fixed vertices have classes of their own.
 * CLEAVE_ECYCLE if fixed vertices contradict the order.  O(nvtx log nvtx + narc). */
cleave_status clv_fixed_classes(const clv_multilevel_task *task, clv_ws *ws,
                                int32_t *merge_class, cleave_error *err);

#endif
