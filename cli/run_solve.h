/* SPDX-License-Identifier: Apache-2.0 */
/* cli/run_solve.h - cleave run solve. */
#ifndef CLI_RUN_SOLVE_H
#define CLI_RUN_SOLVE_H

/* Gets the arguments after `solve`; returns the exit status. */
int cli_run_solve(int argc, char **argv);

#endif
