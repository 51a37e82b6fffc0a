/* SPDX-License-Identifier: Apache-2.0 */
/* cli/run_report.h - the results of `cleave run solve` and their report. */
#ifndef CLI_RUN_REPORT_H
#define CLI_RUN_REPORT_H

#include "cli/report_page.h"
#include "cli/run_common.h"
#include "cli/run_ways.h"

typedef struct cli_solving {
    const char *path, *b_file, *output, *costs_file, *seed_text, *trace_file, *page;
    bool lower, upper, ic0, ilu0, factor;
    bool split_rows, no_split_rows, json;
    int32_t threads, repeat; /* 0: not given */
    cli_system system;
    cli_sides sides;
    cli_rows rows[2]; /* by sweep */
    cleave_run_options opt;
    cleave_schedule_costs costs;
    cleave_team *team;
    cli_way way[CLI_COMPARED];
    int ways;
    double bandwidth; /* bytes per second */
    double seconds_read;
} cli_solving;

void cli_solving_text(const cli_solving *p);
void cli_solving_json(const cli_solving *p, FILE *out);

#endif
