/* SPDX-License-Identifier: Apache-2.0 */
/* cleave-mpi evaluate GRAPH PARTITION: the metrics of `cleave evaluate`, computed by all
 * ranks. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/evaluation.h"
#include "cli/target_rows.h"
#include "mpi/program/part_cycle.h"
#include "mpi/program/rank_data.h"

typedef struct evaluation {
    cli_input input;
    cli_evaluation by;
    bool json;
    cleave_mpi_graph *g;
    int32_t *part, nparts;
    double seconds_read, seconds;
} evaluation;

static int take_options(evaluation *e, char **argv)
{
    int status = cli_input_check("evaluate", &e->input);
    if (status == CLI_GO_ON)
        status = cli_evaluation_check(&e->by);
    if (status == CLI_GO_ON && strcmp(argv[0], "-") == 0 && strcmp(argv[1], "-") == 0)
        status = cli_usage_error("evaluate", "only one of the two files can be '-'");
    status = ranks_agree(status);
    return status == CLI_GO_ON ? ranks_same_target("evaluate", e->by.target_text, e->by.target)
                               : status;
}

/* ---- Metrics --------------------------------------------------------------------------- */

static cleave_status read_all(evaluation *e, char **argv, cleave_error *err)
{
    double start = cli_clock(), seconds;
    cleave_status status = rank_graph_read(&e->g, argv[0], &e->input, &seconds, err);
    if (status == CLEAVE_OK)
        status = rank_parts_read(&e->part, &e->nparts, e->g, argv[1], e->by.k, err);
    if (status == CLEAVE_OK)
        status = ranks_agree_on(cli_evaluation_read(&e->by, e->nparts, err), err);
    e->seconds_read = cli_clock() - start;
    return status;
}

static cleave_status compute(evaluation *e, cleave_error *err)
{
    double start = cli_clock();
    cleave_status status =
        cleave_mpi_evaluate(&e->by.metrics, e->g, e->nparts, e->part, &e->by.opt, err);
    if (status == CLEAVE_OK && e->by.target)
        status =
            cleave_mpi_evaluate_target(&e->by.on_target, e->g, e->part, e->by.target, err);
    if (status == CLEAVE_OK && e->by.metrics.acyclic == 0)
        status =
            part_cycle_find(&e->by.cycle, &e->by.cycle_length, e->g, e->nparts, e->part, err);
    e->seconds = cli_clock() - start;
    return status;
}

/* ---- The report ------------------------------------------------------------------------ */

static void print_json(const evaluation *e, char **argv, int64_t sent)
{
    cli_json json;
    cli_json_begin(&json);
    cli_evaluation_json(&json, &e->by, argv[0], argv[1], rank_graph_size(e->g));
    cli_json_int(&json, "ranks", ranks_count());
    cli_json_int(&json, "bytes_sent", sent);
    cli_json_real(&json, "seconds", e->seconds);
    cli_json_real(&json, "seconds_read", e->seconds_read);
    cli_json_end(&json);
}

static int report(const evaluation *e, char **argv)
{
    int64_t sent = rank_bytes_sent(e->g);
    if (!ranks_first())
        return CLI_OK;
    if (e->json)
        print_json(e, argv, sent);
    else
        cli_evaluation_rows(&e->by, argv[0], argv[1], rank_graph_size(e->g));
    int flushed = cli_flush();
    int met = cli_evaluation_strictly(&e->by, cleave_mpi_graph_vertices(e->g));
    return flushed > met ? flushed : met;
}

static int evaluate_files(evaluation *e, char **argv)
{
    cleave_error err = {0};
    cleave_status status = read_all(e, argv, &err);
    if (status == CLEAVE_OK)
        status = compute(e, &err);
    return status == CLEAVE_OK ? report(e, argv) : cli_fail(status, &err);
}

int cmd_evaluate(int argc, char **argv)
{
    evaluation e = {.json = false};
    cli_input_init(&e.input);
    cli_evaluation_init(&e.by);
    const cli_option options[] = {CLI_EVALUATION_OPTIONS(&e.by),
                                  CLI_STRICT_OPTION(&e.by),
                                  CLI_JSON_OPTION(&e.json),
                                  CLI_INPUT_OPTIONS(&e.input, CLI_AS_KINDS),
                                  {0}};
    const cli_usage usage = {
        "evaluate",
        "GRAPH PARTITION",
        2,
        2,
        "Computes every metric of a partition from scratch, on all ranks. PARTITION is a "
        "METIS\n"
        "file (one 0-based part per line) or a Scotch .map file; either file may be '-'.\n"
        "Without -k the number of parts is that of the file, or K when the file is called\n"
        "X.part.K. With -t the parts are the PEs of a target of 'cleave map'.\n"
        "The exit status is 0 for any quality, unless --strict is given.",
        options};
    int count, status = cli_parse(&usage, argc, argv, &count);
    if (status == CLI_GO_ON)
        status = take_options(&e, argv);
    if (status == CLI_GO_ON)
        status = evaluate_files(&e, argv);
    cleave_mpi_graph_free(e.g);
    cli_evaluation_free(&e.by);
    free(e.part);
    return status;
}
