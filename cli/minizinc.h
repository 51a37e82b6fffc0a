/* SPDX-License-Identifier: Apache-2.0 */
/* cli/minizinc.h - the two-way model by the program `minizinc`, and files of its instances.
 *
 * The library passes every instance as MiniZinc's text (cleave_two_way_fn).  Here it is
 * written to files when that was asked for, and given to the program, in a process of its own
 * and without a shell, on its standard input: a file without a name, so that nothing is left
 * behind when the program is killed. */
#ifndef CLI_MINIZINC_H
#define CLI_MINIZINC_H

#include "cli/cli.h"

typedef struct cli_minizinc {
    char solver[64];    /* "gecode"; "": the library's own */
    const char *prefix; /* of files to keep; NULL: none */
    double time_limit;  /* seconds for one instance; 0: none */
    int32_t instances;  /* so far */
    int32_t proved;     /* of them, by the solver */
    int32_t unsolved;   /* without a solution when the time was over */
    bool failed;        /* a complaint has been made */
} cli_minizinc;

/* From the words of the command line: solver NULL, "builtin", "minizinc" (gecode) or
 * "minizinc:SOLVER"; prefix NULL or that of --export-model, which gives PREFIX.mzn and
 * PREFIX-1.dzn, PREFIX-2.dzn, ...  Complains and returns CLI_USAGE, or 0. */
int cli_minizinc_init(cli_minizinc *m, const char *solver, const char *prefix,
                      double time_limit);
/* Is cli_minizinc_solve needed at all, as cleave_schedule_options.solver with m as its
 * payload?  Else leave that NULL. */
bool cli_minizinc_wanted(const cli_minizinc *m);
/* A cleave_two_way_fn.  Complains when the program cannot be run. */
int cli_minizinc_solve(void *payload, const char *model, const char *data, int32_t count,
                       int32_t *part);
/* After the call: warns of instances that the solver did not solve. */
void cli_minizinc_end(const cli_minizinc *m);
/* The exit status of a call that failed, with a complaint if there was none. */
int cli_minizinc_fail(const cli_minizinc *m, cleave_status status, const cleave_error *err);

#endif
