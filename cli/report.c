/* SPDX-License-Identifier: Apache-2.0 */
/* Rows and JSON on standard output.  The program never calls setlocale, so printf and
 * strtod use the C locale. */
#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/report.h"

/* Length of the well-formed UTF-8 sequence at s; 0 when it is not one. */
static int utf8_length(const unsigned char *s)
{
    if (s[0] < 0x80)
        return 1;
    int length = s[0] >= 0xf0 ? 4 : s[0] >= 0xe0 ? 3 : 2;
    if (s[0] < 0xc2 || s[0] > 0xf4)
        return 0;
    for (int i = 1; i < length; i++)
        if ((s[i] & 0xc0) != 0x80)
            return 0;
    /* Overlong forms, surrogates, beyond U+10FFFF. */
    if ((s[0] == 0xe0 && s[1] < 0xa0) || (s[0] == 0xed && s[1] > 0x9f) ||
        (s[0] == 0xf0 && s[1] < 0x90) || (s[0] == 0xf4 && s[1] > 0x8f))
        return 0;
    return length;
}

/* ---- Lines ------------------------------------------------------------------------------ */

/* The control characters of ASCII, and those of Unicode with two bytes: a terminal takes
 * U+009B as the start of an escape sequence. */
static bool is_control(const unsigned char *s)
{
    return s[0] < ' ' || s[0] == 0x7f || (s[0] == 0xc2 && s[1] < 0xa0);
}

void cli_make_printable(char *text)
{
    for (unsigned char *s = (unsigned char *)text; *s;) {
        int length = utf8_length(s);
        if (length == 0 || is_control(s)) {
            memset(s, '?', length ? (size_t)length : 1);
            length = length ? length : 1;
        }
        s += length;
    }
}

static void print_line(const char *format, va_list arguments)
{
    va_list again;
    va_copy(again, arguments);
    int length = vsnprintf(NULL, 0, format, again);
    va_end(again);
    char *text = cli_alloc((int64_t)length + 1, 1);
    vsnprintf(text, (size_t)length + 1, format, arguments);
    cli_make_printable(text);
    puts(text);
    free(text);
}

void cli_line(const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    print_line(format, arguments);
    va_end(arguments);
}

void cli_row(const char *label, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    printf("  %-18s ", label);
    print_line(format, arguments);
    va_end(arguments);
}

void cli_residual_row(double residual, int32_t converged)
{
    if (residual >= 0)
        cli_row("residual", "%.1e%s", residual,
                converged ? "" : ", not all eigenvectors converged");
}

void cli_times_row(const cli_times *times)
{
    cli_row("seconds", "%.3f; reading %.3f, writing %.3f", times->work, times->read,
            times->write);
}

/* ---- JSON ------------------------------------------------------------------------------- */

static void put_string(FILE *out, const char *text)
{
    const unsigned char *s = (const unsigned char *)text;
    putc('"', out);
    while (*s) {
        int length = utf8_length(s);
        if (length == 0)
            fputs("\\ufffd", out);
        else if (*s == '"' || *s == '\\')
            fprintf(out, "\\%c", *s);
        else if (*s < ' ' || *s == 0x7f)
            fprintf(out, "\\u%04x", *s);
        else
            fwrite(s, 1, (size_t)length, out);
        s += length ? length : 1;
    }
    putc('"', out);
}

static void put_key(cli_json *json, const char *key)
{
    fputs(json->first ? "{" : ",", json->out);
    json->first = false;
    put_string(json->out, key);
    putc(':', json->out);
}

void cli_json_begin(cli_json *json)
{
    cli_json_begin_on(json, stdout);
}

void cli_json_begin_on(cli_json *json, FILE *out)
{
    json->first = true;
    json->out = out;
}

void cli_json_int(cli_json *json, const char *key, int64_t value)
{
    put_key(json, key);
    fprintf(json->out, "%" PRId64, value);
}

void cli_json_unsigned(cli_json *json, const char *key, uint64_t value)
{
    put_key(json, key);
    fprintf(json->out, "%" PRIu64, value);
}

void cli_json_real(cli_json *json, const char *key, double value)
{
    char text[40];
    if (!isfinite(value)) {
        cli_json_null(json, key);
        return;
    }
    for (int digits = 6; digits <= 17; digits++) {
        snprintf(text, sizeof text, "%.*g", digits, value);
        if (strtod(text, NULL) == value)
            break;
    }
    put_key(json, key);
    fputs(text, json->out);
}

void cli_json_text(cli_json *json, const char *key, const char *value)
{
    put_key(json, key);
    if (value)
        put_string(json->out, value);
    else
        fputs("null", json->out);
}

void cli_json_bool(cli_json *json, const char *key, bool value)
{
    put_key(json, key);
    fputs(value ? "true" : "false", json->out);
}

void cli_json_null(cli_json *json, const char *key)
{
    cli_json_text(json, key, NULL);
}

void cli_json_answer(cli_json *json, const char *key, int32_t value)
{
    if (value < 0)
        cli_json_null(json, key);
    else
        cli_json_bool(json, key, value != 0);
}

void cli_json_ints(cli_json *json, const char *key, const int64_t *values, int64_t count)
{
    put_key(json, key);
    putc('[', json->out);
    for (int64_t i = 0; i < count; i++)
        fprintf(json->out, "%s%" PRId64, i ? "," : "", values[i]);
    putc(']', json->out);
}

void cli_json_residual(cli_json *json, double residual, int32_t converged)
{
    if (residual < 0)
        cli_json_null(json, "residual");
    else
        cli_json_real(json, "residual", residual);
    cli_json_answer(json, "converged", converged);
}

void cli_json_times(cli_json *json, const cli_times *times)
{
    cli_json_real(json, "seconds", times->work);
    cli_json_real(json, "seconds_read", times->read);
    cli_json_real(json, "seconds_write", times->write);
}

void cli_json_end(cli_json *json)
{
    fputs(json->first ? "{}\n" : "}\n", json->out);
    json->first = true;
}
