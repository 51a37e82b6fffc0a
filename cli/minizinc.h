/* SPDX-License-Identifier: Apache-2.0 */
/* cli/minizinc.h - solves the two-way model with the program `minizinc`, and writes its
 * instances to files.
 *
 * The library passes every instance as MiniZinc text (cleave_two_way_fn).  Here it is written
 * to files if requested, and passed to the program on its standard input, in a separate
 * process and without a shell.  The input is an unnamed file, so that nothing is left behind
 * when the program is killed. */
#ifndef CLI_MINIZINC_H
#define CLI_MINIZINC_H

#include "cli/cli.h"

typedef struct cli_minizinc {
    char solver[64];    /* "gecode"; "": the library's own */
    const char *prefix; /* prefix of files to keep; NULL: none */
    double time_limit;  /* seconds for one instance; 0: none */
    int32_t instances;  /* so far */
    int32_t proved;     /* of these, solved by the solver */
    int32_t unsolved;   /* without a solution at the time limit */
    bool failed;        /* an error has been printed */
} cli_minizinc;

/* Parses the options: solver NULL, "builtin", "minizinc" (gecode) or "minizinc:SOLVER"; prefix
 * NULL or that of --export-model, which gives PREFIX.mzn and PREFIX-1.dzn, PREFIX-2.dzn, ...
 * Prints an error and returns CLI_USAGE, or returns 0. */
int cli_minizinc_init(cli_minizinc *m, const char *solver, const char *prefix,
                      double time_limit);
/* Whether cli_minizinc_solve is needed as cleave_schedule_options.solver, with m as its
 * payload.  Otherwise leave that NULL. */
bool cli_minizinc_wanted(const cli_minizinc *m);
/* A cleave_two_way_fn.  Prints an error when the program cannot be run. */
int cli_minizinc_solve(void *payload, const char *model, const char *data, int32_t count,
                       int32_t *part);
/* After the call: warns about instances that the solver did not solve. */
void cli_minizinc_end(const cli_minizinc *m);
/* The exit status of a failed call; prints an error if there was none. */
int cli_minizinc_fail(const cli_minizinc *m, cleave_status status, const cleave_error *err);

#endif
