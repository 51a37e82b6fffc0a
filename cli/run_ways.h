/* SPDX-License-Identifier: Apache-2.0 */
/* cli/run_ways.h - ways to solve one system: serially row by row, or by plans of the library;
 * timed side by side. */
#ifndef CLI_RUN_WAYS_H
#define CLI_RUN_WAYS_H

#include "cli/run_system.h"

/* The right-hand sides of a system, in the order of its sweeps. */
typedef struct cli_sides {
    int32_t columns;
    bool single;   /* solved in float */
    double *b;     /* n * columns; of float, rounded to it */
    void *b_typed; /* the same as double or float */
} cli_sides;

typedef struct cli_way {
    const char *name;       /* of its row in the report */
    const cli_rows *rows;   /* one per sweep: serially; NULL: by plans */
    cleave_trsv *plan[2];   /* one per sweep */
    int reused;             /* the second by the schedule of the first */
    cleave_run_info info;   /* of all sweeps together */
    int64_t flops;          /* for one right-hand side */
    void *x;                /* double or float */
    double seconds, median; /* per right-hand side: the least, and the middle */
    double residual;
    bool same; /* bit for bit as the first way */
} cli_way;

/* Serially, by plain rows. */
void cli_way_serial(cli_way *way, const cli_system *s, const cli_rows *rows,
                    const cli_sides *sides);
/* By plans with these options. */
cleave_status cli_way_plan(cli_way *way, const cli_system *s, const cli_rows *rows,
                           const cli_sides *sides, const cleave_run_options *opt,
                           cleave_error *err);
void cli_way_free(cli_way *way);

/* Solves and compares with the first way, which is serial; sets residuals. */
cleave_status cli_ways_check(cli_way *ways, int count, const cli_system *s,
                             const cli_sides *sides, cleave_error *err);
/* Turn by turn, `repeat` times (0: for about two seconds); Ctrl-C ends it early. */
cleave_status cli_ways_time(cli_way *ways, int count, const cli_system *s,
                            const cli_sides *sides, int32_t repeat, cleave_error *err);

#endif
