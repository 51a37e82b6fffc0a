/* SPDX-License-Identifier: Apache-2.0 */
/* api/run_arguments.h - the checked options that all plans share. */
#ifndef CLV_API_RUN_ARGUMENTS_H
#define CLV_API_RUN_ARGUMENTS_H

#include "base/status.h"

/* *out becomes opt; NULL: defaults.  Checks that the number of threads is valid and not larger
 * than the team (api/team.c). */
cleave_status clv_run_options_take(cleave_run_options *out, const cleave_run_options *opt,
                                   cleave_error *err);

#endif
