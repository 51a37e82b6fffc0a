/* SPDX-License-Identifier: Apache-2.0 */
/* api/evaluate_arguments.h - argument checks of the functions that evaluate mappings. */
#ifndef CLV_API_EVALUATE_ARGUMENTS_H
#define CLV_API_EVALUATE_ARGUMENTS_H

#include "base/status.h"

/* *to becomes the caller's options (NULL: the defaults); CLEAVE_EINVAL names the option that
 * is invalid for nparts parts (api/evaluate.c). */
cleave_status clv_evaluate_arguments(cleave_evaluate_options *to,
                                     const cleave_evaluate_options *opt, int32_t nparts,
                                     cleave_error *err);

#endif
