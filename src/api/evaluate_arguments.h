/* SPDX-License-Identifier: Apache-2.0 */
/* api/evaluate_arguments.h - what the calls that judge mappings check. */
#ifndef CLV_API_EVALUATE_ARGUMENTS_H
#define CLV_API_EVALUATE_ARGUMENTS_H

#include "base/status.h"

/* *to becomes the caller's options (NULL: the defaults); CLEAVE_EINVAL says which of them
 * makes no sense for nparts parts (api/evaluate.c). */
cleave_status clv_evaluate_arguments(cleave_evaluate_options *to,
                                     const cleave_evaluate_options *opt, int32_t nparts,
                                     cleave_error *err);

#endif
