/* SPDX-License-Identifier: Apache-2.0 */
/* mpi/program/mpi_map_command.h - a mapping by all ranks: read graph, target and constraints,
 * map, write, and evaluate as `cleave-mpi evaluate` does.  The counterpart of
 * cli/map_command.h. */
#ifndef CLEAVE_MPI_MAP_COMMAND_H
#define CLEAVE_MPI_MAP_COMMAND_H

#include "cli/map_request.h"
#include "mpi/program/rank_data.h"

typedef struct map_command {
    cli_map_request request;
    cleave_mpi_graph *g;
    int32_t *part; /* by own vertex */
    int32_t *old;  /* likewise, of a remapping */
    int32_t nold;
    int64_t bytes_sent; /* of the slowest rank */
} map_command;

/* Rows of an option table: the options of cleave that work on many ranks. */
#define MAP_REQUEST_OUTPUT_OPTION(request, what)                                              \
    {                                                                                         \
        CLI_STRING, 'o', "output", "FILE", what, &(request)->outputs.mapping, 0               \
    }
#define MAP_REQUEST_DEMAND_OPTIONS(request)                                                   \
    CLI_PARTS_OPTIONS(&(request)->demands), MAP_REQUEST_LIMIT_OPTIONS(request),               \
        CLI_FIX_OPTION(&(request)->demands)
#define MAP_REQUEST_LIMIT_OPTIONS(request)                                                    \
    CLI_SHARES_OPTION(&(request)->demands), CLI_MAX_OPTION(&(request)->demands),              \
        CLI_IMBALANCE_OPTION(&(request)->opt.imbalance)
#define MAP_REQUEST_SEARCH_OPTIONS(request)                                                   \
    CLI_SEARCH_OPTIONS(request), CLI_JSON_OPTION(&(request)->json)
#define MAP_REQUEST_METHOD_OPTIONS(request)                                                   \
    {CLI_CHOICE,                                                                              \
     0,                                                                                       \
     "method",                                                                                \
     "auto|multilevel|hci|zci",                                                               \
     "method (default auto: multilevel)",                                                     \
     &(request)->method.name,                                                                 \
     0},                                                                                      \
    {                                                                                         \
        CLI_STRING, 0, "params", "LIST", "gather=N: graphs of at most N arcs go to one rank", \
            &(request)->method.params, 0                                                      \
    }

/* Defaults, before the command line is read. */
void map_command_init(map_command *p, const char *verb);
/* Parses the command line and runs the command; returns the exit status. */
int map_command_run(map_command *p, const cli_usage *usage, int argc, char **argv);

#endif
