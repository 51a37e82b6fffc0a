/* SPDX-License-Identifier: Apache-2.0 */
/* engine/keep_start.h - a mapping that is given, brought within the bounds and no more. */
#ifndef CLV_ENGINE_KEEP_START_H
#define CLV_ENGINE_KEEP_START_H

#include "engine/method.h"

/* Fills task->part with task->t.start, in which as little as need be has moved: out of parts
 * that hold too much, into empty ones; of a DAG also where parts form a cycle. */
clv_method_function clv_keep_start;

#endif
