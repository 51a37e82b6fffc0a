/* SPDX-License-Identifier: Apache-2.0 */
/* cli/map_request.h - what `partition`, `map` and `remap` of cleave and of cleave-mpi have in
 * common: the command line, its checks, the options of the search, and the report. */
#ifndef CLI_MAP_REQUEST_H
#define CLI_MAP_REQUEST_H

#include "cli/demands.h"
#include "cli/graph_io.h"
#include "cli/method_options.h"
#include "cli/outputs.h"
#include "cli/progress.h"
#include "cli/quality.h"
#include "cli/remapping.h"

typedef struct cli_map_request {
    const char *verb;
    cli_input input;
    cli_demands demands;
    cli_method method;
    cli_outputs outputs;
    cli_remapping *remapping; /* NULL: a new mapping */
    const char *graph;        /* path */
    const char *effort, *objective, *seed_text;
    bool json, one_to_one, acyclic;
    cleave_options opt;
    cleave_map_report report;
    cleave_evaluate_options costs;
    cleave_metrics metrics;
    cleave_target_metrics on_target;
    cleave_status status; /* of the mapping: OK, EBALANCE or ECANCEL */
    cleave_error error;
    cli_times times;
} cli_map_request;

/* The rows of an option table that control the search. */
#define CLI_SEARCH_OPTIONS(request)                                                           \
    CLI_EFFORT_OPTION(&(request)->effort),                                                    \
        CLI_TIME_LIMIT_OPTION("result", &(request)->opt.time_limit),                          \
        CLI_SEED_OPTION(&(request)->seed_text)

/* Defaults, before the command line is read. */
void cli_map_request_init(cli_map_request *r, const char *verb);
/* Makes it a request for a remapping, with the defaults of that. */
void cli_map_request_remap(cli_map_request *r, cli_remapping *remapping);
void cli_map_request_free(cli_map_request *r);

/* Takes the operands and checks the options, except those of the method: CLI_GO_ON, or prints
 * an error. */
int cli_map_request_check(cli_map_request *r, char **operands);
/* The same for the files that are written and read, and takes the words of the options.
 * Follows the check of the method. */
int cli_map_request_check_files(cli_map_request *r);

/* Around the mapping.  Points opt to the constraints, the report and the progress. */
void cli_map_request_begin(cli_map_request *r, cli_progress *progress);
void cli_map_request_end(cli_map_request *r, cli_progress *progress);
/* Initialises the metrics of the mapping; the caller computes them. */
void cli_map_request_init_metrics(cli_map_request *r);
/* Metrics of distances are also reported for a partition, when there are distances. */
bool cli_map_request_shows_target(const cli_map_request *r);

/* The rows of the metrics, and that of the seconds; where: " per rank" or "". */
void cli_map_request_rows(const cli_map_request *r, cli_size size);
void cli_map_request_seconds(const cli_map_request *r, const char *where);
/* The members of the metrics, and those of the search, up to the seed. */
void cli_map_request_json(cli_json *json, const cli_map_request *r, cli_size size);
void cli_map_request_json_search(cli_json *json, const cli_map_request *r);
/* Prints the constraints that do not hold and other notes; returns the exit status. */
int cli_map_request_missing(const cli_map_request *r, int64_t vertices);

#endif
