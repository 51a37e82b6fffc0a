/* SPDX-License-Identifier: Apache-2.0 */
/* cli/separating.h - cleave partition GRAPH --separator. */
#ifndef CLI_SEPARATING_H
#define CLI_SEPARATING_H

#include "cli/options.h"

/* Is --separator among the arguments? */
bool cli_separating_asked(int argc, char **argv);
/* Reads the command line and does all of it; returns the exit status. */
int cli_separating_run(int argc, char **argv);

#endif
