/* SPDX-License-Identifier: Apache-2.0 */
/* cli/task_scheduling.h - cleave schedule --objective makespan: schedules of task graphs. */
#ifndef CLI_TASK_SCHEDULING_H
#define CLI_TASK_SCHEDULING_H

#include "cli/graph_io.h"
#include "cli/outputs.h"

typedef struct cli_tasks {
    const char *graph, *target; /* path; text of -t */
    const char *check;          /* path of a schedule to be evaluated; NULL: build one */
    const char *method, *effort;
    double bandwidth, latency; /* < 0: not given */
    double time_limit;
    uint64_t seed;
    bool json;
    const cli_input *input;
    cli_outputs *outputs;
} cli_tasks;

/* Their rows in a table of options. */
#define CLI_TASK_OPTIONS(tasks)                                                               \
    {CLI_STRING,                                                                              \
     't',                                                                                     \
     "target",                                                                                \
     "TARGET",                                                                                \
     "makespan: the machine (see 'cleave help targets')",                                     \
     &(tasks)->target,                                                                        \
     0},                                                                                      \
        {CLI_REAL,                                                                            \
         0,                                                                                   \
         "bandwidth",                                                                         \
         "B",                                                                                 \
         "makespan: data per unit of time (default 1)",                                       \
         &(tasks)->bandwidth,                                                                 \
         0},                                                                                  \
        {CLI_REAL,          0, "latency", "L", "makespan: time before data flow (default 0)", \
         &(tasks)->latency, 0},                                                               \
    {                                                                                         \
        CLI_CHOICE, 0, "effort", "fast|default|quality|best",                                 \
            "makespan: effort level (default: default)", &(tasks)->effort, 0                  \
    }

/* Schedules or evaluates, prints the report, and returns the exit status. */
int cli_tasks_schedule(const cli_tasks *c);

#endif
