/* SPDX-License-Identifier: Apache-2.0 */
/* cli/target_info.h - the report of `cleave info -t` about a target. */
#ifndef CLI_TARGET_INFO_H
#define CLI_TARGET_INFO_H

#include "cli/cli.h"

/* Describes the target; returns the exit status. */
int cli_target_info(const char *text, bool json);

#endif
