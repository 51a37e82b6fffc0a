/* SPDX-License-Identifier: Apache-2.0 */
/* cli/target_info.h - what `cleave info -t` tells about a machine. */
#ifndef CLI_TARGET_INFO_H
#define CLI_TARGET_INFO_H

#include "cli/cli.h"

/* Describes the machine that text names; returns the exit status. */
int cli_target_info(const char *text, bool json);

#endif
