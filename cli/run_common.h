/* SPDX-License-Identifier: Apache-2.0 */
/* cli/run_common.h - common functions of `run solve` and `run circuit`. */
#ifndef CLI_RUN_COMMON_H
#define CLI_RUN_COMMON_H

#include <cleave/cleave.h>

/* Validates params independently of the input: prints an error and returns the exit status
 * when the method of opt does not accept them; else CLI_GO_ON. */
int cli_check_params(const char *verb, const cleave_run_options *opt);

/* 64 bits that depend only on the seed and the position. */
uint64_t cli_random_bits(uint64_t seed, uint64_t place);
/* Amount per second; 0 where no time has passed. */
double cli_rate(double amount, double seconds);

#endif
