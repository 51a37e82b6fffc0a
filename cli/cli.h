/* SPDX-License-Identifier: Apache-2.0 */
/* cli/cli.h - exit status, messages and memory, shared by all verbs.
 *
 * There are two programs, cleave and cleave-mpi (mpi/program), which use only the public
 * headers of the libraries. */
#ifndef CLI_CLI_H
#define CLI_CLI_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "cleave/cleave.h"

#if defined(__GNUC__) || defined(__clang__)
#define CLI_PRINTF(text, first) __attribute__((format(printf, text, first)))
#else
#define CLI_PRINTF(text, first)
#endif

typedef enum cli_exit {
    CLI_OK = 0,
    CLI_NOT_MET = 1,    /* a requested constraint does not hold */
    CLI_USAGE = 2,      /* the command line is invalid */
    CLI_BAD_INPUT = 3,  /* a file is invalid in its format */
    CLI_FAILED = 4,     /* input, output or memory */
    CLI_SIGNALLED = 128 /* plus the number of the signal: 130 for Ctrl-C */
} cli_exit;

/* A verb gets the arguments after its name and returns the exit status. */
typedef struct cli_verb {
    const char *name;
    const char *summary;
    int (*run)(int argc, char **argv);
} cli_verb;
extern const cli_verb cli_verbs[]; /* ends with a NULL name */

/* The name of the program and a summary line. */
extern const char cli_program[], cli_purpose[];

int cmd_info(int argc, char **argv);
int cmd_check(int argc, char **argv);
int cmd_convert(int argc, char **argv);
int cmd_generate(int argc, char **argv);
int cmd_partition(int argc, char **argv);
int cmd_map(int argc, char **argv);
int cmd_order(int argc, char **argv);
int cmd_split(int argc, char **argv);
int cmd_remap(int argc, char **argv);
int cmd_schedule(int argc, char **argv);
int cmd_run(int argc, char **argv);
int cmd_evaluate(int argc, char **argv);
int cmd_view(int argc, char **argv);
int cmd_bench(int argc, char **argv);
int cmd_help(int argc, char **argv);

/* Prints "cleave: message" to standard error; control characters become '?', because a message
 * may quote an untrusted file. */
void cli_complain(const char *format, ...) CLI_PRINTF(1, 2);
/* The same with "cleave: warning: message". */
void cli_warn(const char *format, ...) CLI_PRINTF(1, 2);
/* Redirects messages to `hear`, without the program's name, instead of standard error. */
void cli_listen(void (*hear)(const char *sentence));
/* Prints the error of a failed library call and returns the exit status for it. */
int cli_fail(cleave_status status, const cleave_error *err);
int cli_exit_of(cleave_status status);
/* Flushes standard output; CLI_FAILED with a message when that fails. */
int cli_flush(void);

/* Never NULL: the program exits with status 4 when out of memory. */
void *cli_alloc(int64_t count, size_t size);

/* Seconds of a monotonic clock. */
double cli_clock(void);

/* The most similar word of a NULL-terminated list, or NULL. */
const char *cli_suggest(const char *word, const char *const *known);

#endif
