/* SPDX-License-Identifier: Apache-2.0 */
/* cli/format_holds.h - what gets lost when a graph is written in a format. */
#ifndef CLI_FORMAT_HOLDS_H
#define CLI_FORMAT_HOLDS_H

#include "cli/options.h"

/* The format that writing to path uses: `format` when given, else by the extension;
 * NULL when the name says nothing. */
const char *cli_format_of(const char *path, const char *format);

/* Complains with CLI_USAGE when the library cannot write to path, before hours of reading;
 * else CLI_GO_ON. */
int cli_check_output(const char *verb, const char *path, const char *format);

/* A warning for each thing that g has, that the format has no place for.  coords_option:
 * the option that would save the coordinates; NULL: it was given, they are not lost. */
void cli_warn_losses(const cleave_graph *g, const char *format, const char *coords_option);
/* The same of a graph without names, of which this is some rows; coords_option "": there is
 * no such option. */
void cli_warn_losses_of(const cleave_csr *rows, const char *format, const char *coords_option);

/* Does the format show parts? */
bool cli_format_shows_parts(const char *format);

#endif
