/* SPDX-License-Identifier: Apache-2.0 */
/* engine/bisection.h - many parts from repeated halving. */
#ifndef CLV_ENGINE_BISECTION_H
#define CLV_ENGINE_BISECTION_H

#include "engine/multilevel.h"

/* Recursive bisection: the parts are halved, the graph is cut in two by the multilevel engine
 * in proportion, and so on for the two subgraphs.  Of the slack between share and bound each
 * bisection may use so much that the ones below it still have theirs.  Bisections of one
 * depth are independent and run on different threads.  O(narc log nparts). */
cleave_status clv_recursive_bisection(const clv_multilevel_task *task,
                                      const clv_effort *effort, clv_context *ctx,
                                      int32_t *part, cleave_error *err);

#endif
