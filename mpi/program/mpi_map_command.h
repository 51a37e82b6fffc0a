/* SPDX-License-Identifier: Apache-2.0 */
/* mpi/program/mpi_map_command.h - a mapping by all ranks: read graph, target and constraints,
 * map, write, and evaluate as `cleave-mpi evaluate` does.  The counterpart of
 * cli/map_command.h. */
#ifndef CLEAVE_MPI_MAP_COMMAND_H
#define CLEAVE_MPI_MAP_COMMAND_H

#include "cli/demands.h"
#include "cli/method_options.h"
#include "cli/outputs.h"
#include "cli/remapping.h"
#include "mpi/program/rank_data.h"

typedef struct map_command {
    const char *verb;
    cli_input input;
    cli_demands demands;
    cli_method method;
    cli_outputs outputs;
    cli_remapping *remapping; /* NULL: a new mapping */
    const char *graph;        /* path */
    const char *effort, *objective, *seed_text;
    bool json, acyclic;
    cleave_options opt;
    cleave_map_report report;
    cleave_mpi_graph *g;
    int32_t *part; /* by own vertex */
    int32_t *old;  /* likewise, of a remapping */
    int32_t nold;
    cleave_evaluate_options costs;
    cleave_metrics metrics;
    cleave_target_metrics on_target;
    cleave_status status; /* of the mapping: OK, EBALANCE or ECANCEL */
    cleave_error error;
    double seconds_read, seconds_write;
    int64_t bytes_sent; /* of the slowest rank */
} map_command;

/* Rows of an option table: the options of cleave that work on many ranks. */
#define MAP_COMMAND_OUTPUT_OPTION(command, what)                                              \
    {                                                                                         \
        CLI_STRING, 'o', "output", "FILE", what, &(command)->outputs.mapping, 0               \
    }
#define MAP_COMMAND_DEMAND_OPTIONS(command)                                                   \
    {CLI_COUNT, 'k', "k", "PARTS", "number of parts", &(command)->demands.k, 1},              \
        {CLI_STRING,                                                                          \
         't',                                                                                 \
         "target",                                                                            \
         "TARGET",                                                                            \
         "parts as PEs: a number, speeds 3,2,2,1, a machine",                                 \
         &(command)->demands.target_text,                                                     \
         0},                                                                                  \
        MAP_COMMAND_LIMIT_OPTIONS(command),                                                   \
    {                                                                                         \
        CLI_STRING, 0, "fix", "FILE", "fixed vertices: a part or -1 per vertex",              \
            &(command)->demands.fix, 0                                                        \
    }
#define MAP_COMMAND_LIMIT_OPTIONS(command)                                                    \
    {CLI_STRING,                                                                              \
     0,                                                                                       \
     "shares",                                                                                \
     "FILE",                                                                                  \
     "relative sizes of the parts, for each weight of a vertex",                              \
     &(command)->demands.shares_file,                                                         \
     0},                                                                                      \
        {CLI_STRING,                                                                          \
         0,                                                                                   \
         "max",                                                                               \
         "W|FILE",                                                                            \
         "maximum part weight, instead of --imbalance",                                       \
         &(command)->demands.max_text,                                                        \
         0},                                                                                  \
    {                                                                                         \
        CLI_IMBALANCE, 0, "imbalance", "X", "bound on the imbalance (default 0.03)",          \
            &(command)->opt.imbalance, 0                                                      \
    }
#define MAP_COMMAND_SEARCH_OPTIONS(command)                                                   \
    {CLI_CHOICE,                                                                              \
     0,                                                                                       \
     "effort",                                                                                \
     "fast|default|quality|best",                                                             \
     "effort level (default: default)",                                                       \
     &(command)->effort,                                                                      \
     0},                                                                                      \
        {CLI_REAL,                                                                            \
         0,                                                                                   \
         "time-limit",                                                                        \
         "S",                                                                                 \
         "time limit in seconds; the best result so far is used",                             \
         &(command)->opt.time_limit,                                                          \
         0},                                                                                  \
        {CLI_STRING, 0, "seed", "N", "random seed (default 1)", &(command)->seed_text, 0},    \
    {                                                                                         \
        CLI_FLAG, 0, "json", NULL, "print one JSON object", &(command)->json, 0               \
    }
#define MAP_COMMAND_METHOD_OPTIONS(command)                                                   \
    {CLI_CHOICE,                                                                              \
     0,                                                                                       \
     "method",                                                                                \
     "auto|multilevel|hci|zci",                                                               \
     "method (default auto: multilevel)",                                                     \
     &(command)->method.name,                                                                 \
     0},                                                                                      \
    {                                                                                         \
        CLI_STRING, 0, "params", "LIST",                                                      \
            "gather=N: one rank takes over what has N arcs or less",                          \
            &(command)->method.params, 0                                                      \
    }

/* Defaults, before the command line is read. */
void map_command_init(map_command *p, const char *verb);
/* Parses the command line and runs the command; returns the exit status. */
int map_command_run(map_command *p, const cli_usage *usage, int argc, char **argv);

/* mpi/program/mpi_map_report.c: the output of rank 0. */
void map_command_print_text(const map_command *p);
void map_command_print_json(const map_command *p);
/* Whether metrics of the target are printed. */
bool map_command_shows_target(const map_command *p);

#endif
