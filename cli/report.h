/* SPDX-License-Identifier: Apache-2.0 */
/* cli/report.h - the output of verbs: rows for people, or one flat JSON object per line for
 * programs. */
#ifndef CLI_REPORT_H
#define CLI_REPORT_H

#include <stdio.h>

#include "cli/cli.h"

/* Control characters, such as those of a file name, become '?' in output for people, as in
 * messages: a terminal would interpret them. */
void cli_make_printable(char *text);
/* Prints a line. */
void cli_line(const char *format, ...) CLI_PRINTF(1, 2);
/* "  label            text" */
void cli_row(const char *label, const char *format, ...) CLI_PRINTF(2, 3);

/* The worst residual of eigenvectors, if there were any (>= 0). */
void cli_residual_row(double residual, int32_t converged);

/* The seconds that a verb took. */
typedef struct cli_times {
    double work, read, write;
} cli_times;
void cli_times_row(const cli_times *times);

/* ---- JSON: begin, members, end ----------------------------------------------------- */
typedef struct cli_json {
    bool first;
    FILE *out;
} cli_json;
void cli_json_begin(cli_json *json); /* on standard output */
void cli_json_begin_on(cli_json *json, FILE *out);
void cli_json_int(cli_json *json, const char *key, int64_t value);
void cli_json_unsigned(cli_json *json, const char *key, uint64_t value);
/* The shortest form that reads back the same; null when it is not finite. */
void cli_json_real(cli_json *json, const char *key, double value);
/* Escaped; bytes that are not UTF-8 become U+FFFD; NULL gives null. */
void cli_json_text(cli_json *json, const char *key, const char *value);
void cli_json_bool(cli_json *json, const char *key, bool value);
void cli_json_null(cli_json *json, const char *key);
/* The library's -1, 0, 1: null, false, true. */
void cli_json_answer(cli_json *json, const char *key, int32_t value);
void cli_json_ints(cli_json *json, const char *key, const int64_t *values, int64_t count);
/* residual and converged, null where there were no eigenvectors (-1). */
void cli_json_residual(cli_json *json, double residual, int32_t converged);
/* seconds, seconds_read and seconds_write. */
void cli_json_times(cli_json *json, const cli_times *times);
void cli_json_end(cli_json *json);

#endif
