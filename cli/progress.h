/* SPDX-License-Identifier: Apache-2.0 */
/* cli/progress.h - a progress line for work over a second, and Ctrl-C.
 *
 * The line goes to standard error, only when that is a terminal, and is erased at the
 * end.  The first SIGINT, SIGTERM or SIGHUP makes the running call of the library stop
 * through its progress callback; the second ends the program at once. */
#ifndef CLI_PROGRESS_H
#define CLI_PROGRESS_H

#include "cli/cli.h"

typedef struct cli_progress {
    double start, drawn; /* clock: begin of the work, last redraw */
    bool terminal;       /* standard error is one */
    int width;           /* characters on the line now; 0: nothing drawn */
} cli_progress;

/* Installs the signal handlers; once, before anything else.  speaks: prints a message when a
 * signal ends the program at once. */
void cli_signals_init(bool speaks);
/* For a program that is killed soon after SIGTERM: if a call that writes still runs half a
 * second after a signal, `clean_up` is called, which must be async-signal-safe, and the
 * program exits. */
void cli_signals_hurry(void (*clean_up)(void));
/* The number of the signal that asked the program to stop, or 0. */
int cli_interrupted(void);

/* The kind of a call, and the effect of a signal during it. */
typedef enum cli_call {
    CLI_READING = 1,  /* it may block on a pipe without input: the program exits after a
                         second */
    CLI_WRITING = 2,  /* an output file is open and must be cleaned up: the call returns by
                         itself */
    CLI_COMPUTING = 3 /* the call returns by itself and still has a result */
} cli_call;

/* Between begin and end a library call runs with cli_progress_report as its callback
 * and the struct as payload. */
void cli_progress_begin(cli_progress *progress, cli_call what);
int cli_progress_report(void *payload, const cleave_progress *now);
/* Returns the seconds since begin. */
double cli_progress_end(cli_progress *progress);

#endif
