/* SPDX-License-Identifier: Apache-2.0 */
/* cli/run_common.h - what running a system and running a circuit share. */
#ifndef CLI_RUN_COMMON_H
#define CLI_RUN_COMMON_H

#include <cleave/cleave.h>

/* Params are wrong or right whatever is run: complains, and returns the exit status, where the
 * method of opt does not take its params; else CLI_GO_ON. */
int cli_check_params(const char *verb, const cleave_run_options *opt);

/* 64 bits that depend on the seed and the place alone. */
uint64_t cli_random_bits(uint64_t seed, uint64_t place);
/* Amount per second; 0 where no time has passed. */
double cli_rate(double amount, double seconds);

#endif
