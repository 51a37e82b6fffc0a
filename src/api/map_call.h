/* SPDX-License-Identifier: Apache-2.0 */
/* api/map_call.h - the common part of the public calls that make a mapping: the context, the
 * report, the result. */
#ifndef CLV_API_MAP_CALL_H
#define CLV_API_MAP_CALL_H

#include "engine/pipeline.h"

/* The context of a call; small graphs get one thread unless the caller asks for more. */
cleave_status clv_map_call_open(clv_context *ctx, const clv_map_request *request,
                                cleave_error *err);
/* Closes the context and returns status; *out becomes NULL if the caller gets no mapping. */
cleave_status clv_map_call_close(clv_mapping **out, clv_context *ctx, cleave_status status);

/* Fills the report of the caller's options, if there is one.  The mapping has been evaluated;
 * begin: clv_clock() of the call. */
void clv_map_call_report(const clv_map_job *job, double begin);

#endif
