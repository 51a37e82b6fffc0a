/* SPDX-License-Identifier: Apache-2.0 */
/* Messages on standard error, their exit status, memory and the clock. */
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "cli/cli.h"
#include "cli/progress.h"
#include "cli/report.h"

static void (*listener)(const char *sentence);

void cli_listen(void (*hear)(const char *sentence))
{
    listener = hear;
}

static void print_message(const char *kind, const char *format, va_list arguments)
{
    char text[4096];
    int used = snprintf(text, sizeof text, "%s", kind);
    vsnprintf(text + used, sizeof text - (size_t)used, format, arguments);
    cli_make_printable(text);
    if (listener) {
        listener(text);
        return;
    }
    fflush(stdout); /* keeps the order of the two streams in a common file */
    fprintf(stderr, "%s: %s\n", cli_program, text);
}

void cli_complain(const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    print_message("", format, arguments);
    va_end(arguments);
}

void cli_warn(const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    print_message("warning: ", format, arguments);
    va_end(arguments);
}

int cli_exit_of(cleave_status status)
{
    switch (status) {
    case CLEAVE_OK:
        return CLI_OK;
    case CLEAVE_EBALANCE:
        return CLI_NOT_MET;
    case CLEAVE_EINVAL:
        return CLI_USAGE;
    case CLEAVE_EPARSE:
    case CLEAVE_ERANGE:
    case CLEAVE_ECYCLE:
        return CLI_BAD_INPUT;
    case CLEAVE_ECANCEL:
        return CLI_SIGNALLED + cli_interrupted();
    default:
        return CLI_FAILED;
    }
}

int cli_fail(cleave_status status, const cleave_error *err)
{
    if (status == CLEAVE_ECANCEL)
        cli_complain("interrupted");
    else
        cli_complain("%s", err->message[0] ? err->message : cleave_status_text(status));
    return cli_exit_of(status);
}

int cli_flush(void)
{
    static bool said;
    errno = 0;
    if (fflush(stdout) == 0 && !ferror(stdout))
        return CLI_OK;
    if (said)
        return CLI_FAILED;
    said = true;
    cli_complain("cannot write to standard output: %s", strerror(errno ? errno : EIO));
    return CLI_FAILED;
}

void *cli_alloc(int64_t count, size_t size)
{
    void *block = calloc(count > 0 ? (size_t)count : 1, size);
    if (!block) {
        cli_complain("out of memory");
        exit(CLI_FAILED);
    }
    return block;
}

double cli_clock(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}
