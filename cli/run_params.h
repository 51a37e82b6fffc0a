/* SPDX-License-Identifier: Apache-2.0 */
/* cli/run_params.h - parameters of methods, before anything is read. */
#ifndef CLI_RUN_PARAMS_H
#define CLI_RUN_PARAMS_H

#include <cleave/cleave.h>

/* Params are wrong or right whatever is run: complains, and returns the exit status, where the
 * method of opt does not take its params; else CLI_GO_ON. */
int cli_check_params(const char *verb, const cleave_run_options *opt);

#endif
