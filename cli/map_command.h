/* SPDX-License-Identifier: Apache-2.0 */
/* cli/map_command.h - a mapping from a graph, a target and constraints: read, map, write, and
 * evaluate as `cleave evaluate` does.  If a constraint does not hold, a message names it, the
 * best mapping found is still written, and the exit status is 1. */
#ifndef CLI_MAP_COMMAND_H
#define CLI_MAP_COMMAND_H

#include "cli/demands.h"
#include "cli/graph_io.h"
#include "cli/method_options.h"
#include "cli/outputs.h"
#include "cli/remapping.h"
#include "cli/report_page.h"

typedef struct cli_map_command {
    const char *verb;
    cli_input input;
    cli_demands demands;
    cli_method method;
    cli_outputs outputs;
    cli_remapping *remapping; /* NULL: a new mapping */
    const char *graph;        /* path */
    const char *effort, *objective, *seed_text;
    const char *page; /* --report; NULL: none */
    bool json, one_to_one, acyclic;
    cleave_options opt;
    cleave_map_report report;
    cleave_graph *g;
    cleave_mapping *components; /* of a condensed graph; NULL: nothing was merged */
    cleave_mapping *m;
    cleave_evaluate_options costs;
    cleave_metrics metrics;
    cleave_target_metrics on_target;
    cleave_status status; /* of cleave_map: OK, EBALANCE or ECANCEL */
    cleave_error error;
    double seconds_read, seconds_write;
} cli_map_command;

/* The rows of an option table that control the search. */
#define CLI_SEARCH_OPTIONS(command)                                                           \
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
        CLI_REPORT_OPTION(&(command)->page),                                                  \
    {                                                                                         \
        CLI_FLAG, 0, "json", NULL, "print one JSON object", &(command)->json, 0               \
    }
/* Those that follow the method. */
#define CLI_GRAPH_OPTIONS(command) CLI_GRAPH_OPTIONS_BUT("from", command)
/* The same for verbs in which --from has another meaning. */
#define CLI_GRAPH_OPTIONS_BUT(from_name, command)                                             \
    {CLI_FLAG,                                                                                \
     0,                                                                                       \
     "condense",                                                                              \
     NULL,                                                                                    \
     "merge strongly connected components into vertices",                                     \
     &(command)->input.condense,                                                              \
     0},                                                                                      \
        CLI_INPUT_OPTIONS_BUT(from_name, &(command)->input, CLI_AS_KINDS)

/* Defaults, before the command line is read. */
void cli_map_command_init(cli_map_command *command, const char *verb);
/* Parses the command line and runs the command; returns the exit status. */
int cli_map_command_run(cli_map_command *command, const cli_usage *usage, int argc,
                        char **argv);

#endif
