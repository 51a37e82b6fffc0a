/* SPDX-License-Identifier: Apache-2.0 */
/* cli/run_circuit.h - cleave run circuit. */
#ifndef CLI_RUN_CIRCUIT_H
#define CLI_RUN_CIRCUIT_H

/* Gets the arguments after `circuit`; returns the exit status. */
int cli_run_circuit(int argc, char **argv);

#endif
