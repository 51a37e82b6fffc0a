/* SPDX-License-Identifier: Apache-2.0 */
/* cli/order_request.h - what `order` of cleave and of cleave-mpi have in common: the command
 * line, its checks and the beginning of the report. */
#ifndef CLI_ORDER_REQUEST_H
#define CLI_ORDER_REQUEST_H

#include "cli/graph_io.h"
#include "cli/outputs.h"
#include "cli/progress.h"
#include "cli/quality.h"

typedef struct cli_order_request {
    cli_input input;
    cli_outputs outputs; /* the order is its mapping */
    const char *graph;   /* path */
    const char *method, *effort, *seed_text;
    bool json;
    cleave_order_options opt;
    cli_times times;
} cli_order_request;

/* Rows of an option table; file: the help of -o, methods: the choices. */
#define CLI_ORDER_RESULT_OPTIONS(request, file, methods)                                      \
    {CLI_STRING, 'o', "output", "FILE", file, &(request)->outputs.mapping, 0},                \
    {                                                                                         \
        CLI_CHOICE, 0, "method", methods, "method (default auto)", &(request)->method, 0      \
    }
#define CLI_ORDER_SEARCH_OPTIONS(request)                                                     \
    CLI_EFFORT_OPTION(&(request)->effort), CLI_SEED_OPTION(&(request)->seed_text)
#define CLI_ORDER_GRAPH_OPTIONS(request)                                                      \
    CLI_JSON_OPTION(&(request)->json), CLI_INPUT_OPTIONS(&(request)->input, CLI_AS_KINDS)

/* Defaults, before the command line is read. */
void cli_order_request_init(cli_order_request *r);
/* Takes the operand and the words of options, and checks them: CLI_GO_ON, or prints an
 * error. */
int cli_order_request_check(cli_order_request *r, char **operands);

/* Around the computation of the order.  Points opt to the progress. */
void cli_order_request_begin(cli_order_request *r, cli_progress *progress);
void cli_order_request_end(cli_order_request *r, cli_progress *progress);

/* The rows up to the weights, of which there are ncon per vertex; method: the one chosen. */
void cli_order_request_rows(const cli_order_request *r, cli_size size, int32_t ncon,
                            const char *method);
/* The members up to weights_per_vertex. */
void cli_order_request_json(cli_json *json, const cli_order_request *r, cli_size size,
                            int32_t ncon);
/* The members from the effort to the average crossing. */
void cli_order_request_json_search(cli_json *json, const cli_order_request *r,
                                   double crossing);

#endif
