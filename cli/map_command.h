/* SPDX-License-Identifier: Apache-2.0 */
/* cli/map_command.h - a mapping from a graph, a target and constraints: read, map, write, and
 * evaluate as `cleave evaluate` does.  If a constraint does not hold, a message names it, the
 * best mapping found is still written, and the exit status is 1. */
#ifndef CLI_MAP_COMMAND_H
#define CLI_MAP_COMMAND_H

#include "cli/map_request.h"
#include "cli/report_page.h"

typedef struct cli_map_command {
    cli_map_request request;
    const char *page; /* --report; NULL: none */
    cleave_graph *g;
    cleave_mapping *components; /* of a condensed graph; NULL: nothing was merged */
    cleave_mapping *m;
} cli_map_command;

/* The rows of an option table that control the search and the report. */
#define CLI_MAP_SEARCH_OPTIONS(command)                                                       \
    CLI_SEARCH_OPTIONS(&(command)->request), CLI_REPORT_OPTION(&(command)->page),             \
        CLI_JSON_OPTION(&(command)->request.json)
/* Those that follow the method. */
#define CLI_GRAPH_OPTIONS(command) CLI_GRAPH_OPTIONS_BUT("from", command)
/* The same for verbs in which --from has another meaning. */
#define CLI_GRAPH_OPTIONS_BUT(from_name, command)                                             \
    {CLI_FLAG,                                                                                \
     0,                                                                                       \
     "condense",                                                                              \
     NULL,                                                                                    \
     "merge strongly connected components into vertices",                                     \
     &(command)->request.input.condense,                                                      \
     0},                                                                                      \
        CLI_INPUT_OPTIONS_BUT(from_name, &(command)->request.input, CLI_AS_KINDS)

/* Defaults, before the command line is read. */
void cli_map_command_init(cli_map_command *command, const char *verb);
/* Parses the command line and runs the command; returns the exit status. */
int cli_map_command_run(cli_map_command *command, const cli_usage *usage, int argc,
                        char **argv);

#endif
