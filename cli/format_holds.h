/* SPDX-License-Identifier: Apache-2.0 */
/* cli/format_holds.h - the data that is lost when a graph is written in a format. */
#ifndef CLI_FORMAT_HOLDS_H
#define CLI_FORMAT_HOLDS_H

#include "cli/options.h"

/* The format for writing to path: `format` when given, else by the extension; NULL when the
 * extension is unknown. */
const char *cli_format_of(const char *path, const char *format);

/* Returns CLI_USAGE with a message when the library cannot write to path, before a long run;
 * else CLI_GO_ON. */
int cli_check_output(const char *verb, const char *path, const char *format);

/* Prints a warning for each attribute of g that the format cannot hold.  coords_option: the
 * option that would save the coordinates; NULL: it was given, they are not lost. */
void cli_warn_losses(const cleave_graph *g, const char *format, const char *coords_option);
/* The same for a graph without names, given by some of its rows; coords_option "": there is no
 * such option. */
void cli_warn_losses_of(const cleave_csr *rows, const char *format, const char *coords_option);

/* Whether the format can hold parts. */
bool cli_format_shows_parts(const char *format);

#endif
