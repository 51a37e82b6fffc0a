/* SPDX-License-Identifier: Apache-2.0 */
/* cli/run_common.h - common functions of `run solve` and `run circuit`. */
#ifndef CLI_RUN_COMMON_H
#define CLI_RUN_COMMON_H

#include "cli/options.h"
#include "cli/report.h"

/* Rows of their tables of options: threads, the schedule, its costs, how often it is timed. */
#define CLI_RUN_THREADS_OPTION(to)                                                            \
    {                                                                                         \
        CLI_COUNT, 'p', "p", "THREADS", "number of threads (default: all available)", to, 1   \
    }
#define CLI_RUN_SCHEDULE_OPTIONS(opt)                                                         \
    {                                                                                         \
        CLI_CHOICE,                                                                           \
        0,                                                                                    \
        "method",                                                                             \
        "auto|graphopt|grow|levels|serial",                                                   \
        "method (default auto)",                                                              \
        &(opt)->method,                                                                       \
        0},                                                                                   \
        {CLI_STRING,                                                                          \
         0,                                                                                   \
         "params",                                                                            \
         "LIST",                                                                              \
         "graphopt: its parameters, as in 'cleave schedule'",                                 \
         &(opt)->params,                                                                      \
         0},                                                                                  \
    {                                                                                         \
        CLI_CHOICE, 0, "sync", "barrier|p2p|stale|auto",                                      \
            "how threads wait for each other (default auto)", &(opt)->sync, 0                 \
    }
#define CLI_RUN_COSTS_OPTION(to)                                                              \
    {                                                                                         \
        CLI_STRING, 0, "costs", "FILE", "file of costs from 'cleave bench calibrate'", to, 0  \
    }
#define CLI_RUN_REPEAT_OPTION(to)                                                             \
    {                                                                                         \
        CLI_COUNT, 0, "repeat", "N", "repetitions of each method (default: two seconds)", to, \
            1                                                                                 \
    }

/* Validates params independently of the input: prints an error and returns the exit status
 * when the method of opt does not accept them; else CLI_GO_ON. */
int cli_check_params(const char *verb, const cleave_run_options *opt);

/* 64 bits that depend only on the seed and the position. */
uint64_t cli_random_bits(uint64_t seed, uint64_t place);
/* Amount per second; 0 where no time has passed. */
double cli_rate(double amount, double seconds);

/* The methods that are compared, for the report. */
enum { CLI_SERIAL, CLI_LEVELS, CLI_CHOSEN, CLI_COMPARED };
typedef struct cli_timed {
    const cleave_run_info *info;
    double seconds;
} cli_timed;
/* Members of the plans: threads to layers_levels. */
void cli_run_json_plans(cli_json *json, const cleave_team *team,
                        const cli_timed timed[CLI_COMPARED]);
/* speedup and speedup_levels. */
void cli_run_json_speedups(cli_json *json, const cli_timed timed[CLI_COMPARED]);
/* seconds_serial, seconds_levels and seconds_solve. */
void cli_run_json_seconds(cli_json *json, const cli_timed timed[CLI_COMPARED]);

#endif
