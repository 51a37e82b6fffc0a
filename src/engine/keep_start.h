/* SPDX-License-Identifier: Apache-2.0 */
/* engine/keep_start.h - rebalances a given mapping without improving it. */
#ifndef CLV_ENGINE_KEEP_START_H
#define CLV_ENGINE_KEEP_START_H

#include "engine/method.h"

/* Fills task->part with task->t.start after the fewest moves possible: out of overloaded
 * parts, into empty parts, and in a DAG also to break cycles of parts. */
clv_method_function clv_keep_start;

#endif
