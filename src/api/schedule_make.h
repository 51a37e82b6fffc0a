/* SPDX-License-Identifier: Apache-2.0 */
/* api/schedule_make.h - cleave_schedule_build for those who have threads and scratch already.
 */
#ifndef CLV_API_SCHEDULE_MAKE_H
#define CLV_API_SCHEDULE_MAKE_H

#include "base/context.h"
#include "graph/schedule.h"

/* opt->workers, progress and payload are not looked at: ctx has them.  hasty: auto leaves out
 * what takes as long as hundreds of solves.  (api/schedule_build.c) */
cleave_status clv_schedule_make(clv_schedule **out, const clv_graph *g,
                                const cleave_schedule_options *opt, bool hasty,
                                clv_context *ctx, cleave_error *err);

#endif
