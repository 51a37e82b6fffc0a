/* SPDX-License-Identifier: Apache-2.0 */
/* engine/build_schedule.h - computes a schedule (super layers) of a DAG by a named method. */
#ifndef CLV_ENGINE_BUILD_SCHEDULE_H
#define CLV_ENGINE_BUILD_SCHEDULE_H

#include "graph/schedule.h"
#include "schedule/schedulers.h"

typedef struct clv_schedule_method clv_schedule_method;

/* Validated options. */
typedef struct clv_schedule_request {
    const clv_schedule_method *method;
    cleave_schedule_options opt;
    clv_schedule_costs costs;
    clv_graphopt_params graphopt;
    double sync; /* cost of a layer (barrier) in the caller's unit: costs.sync, or that of
                    params */
} clv_schedule_request;

cleave_schedule_options clv_schedule_options_defaults(void);
/* opt NULL: defaults.  CLEAVE_EINVAL: g cannot be scheduled, or an option is out of range. */
cleave_status clv_schedule_request_check(clv_schedule_request *request, const clv_graph *g,
                                         const cleave_schedule_options *opt,
                                         cleave_error *err);
/* The request must have been checked for g.  ctx replaces opt.workers, progress and payload.
 * *out is NULL on failure, except with CLEAVE_ECANCEL: the callback stopped the search. */
cleave_status clv_schedule_build(clv_schedule **out, const clv_schedule_request *request,
                                 const clv_graph *g, clv_context *ctx, cleave_error *err);

#endif
