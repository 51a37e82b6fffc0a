/* SPDX-License-Identifier: Apache-2.0 */
/* cleave evaluate GRAPH PARTITION: evaluates a partition file, with -t on a target; a schedule
 * as cleave schedule --check does.
 *
 * The exit status is 0 for any partition; with --strict it must be balanced, acyclic when the
 * graph is a DAG, and without empty parts unless there are more parts than vertices. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/evaluation.h"
#include "cli/fill_rows.h"
#include "cli/graph_io.h"
#include "cli/quality.h"
#include "cli/schedule_evaluation.h"
#include "cli/target_rows.h"

typedef struct evaluation {
    cli_input input;
    cli_evaluation by;
    const char *order; /* a file to be evaluated instead of a partition, or NULL */
    bool json, parts;
    cleave_graph *g;
    cleave_mapping *m;
    int64_t *weight, *volume, *pieces; /* NULL: not requested */
    double seconds_read, seconds;
} evaluation;

/* ---- The command line ---------------------------------------------------------------- */

/* A partition, or an order, which has no parts. */
static int check_operands(const evaluation *e, int count)
{
    const cli_evaluation *by = &e->by;
    bool of_parts = by->k || by->target_text || by->shares_text || by->costs_text ||
                    e->parts || by->strict;
    if (e->order && count > 1)
        return cli_usage_error("evaluate", "either a PARTITION or an --order");
    if (e->order && of_parts)
        return cli_usage_error("evaluate",
                               "--order can be combined with input options and --json only");
    if (!e->order && count < 2)
        return cli_usage_error("evaluate", "missing argument, expected GRAPH PARTITION, or "
                                           "GRAPH and --order FILE");
    return CLI_GO_ON;
}

static int take_options(evaluation *e, int count, char **argv)
{
    int status = check_operands(e, count);
    if (status == CLI_GO_ON)
        status = cli_input_check("evaluate", &e->input);
    if (status == CLI_GO_ON)
        status = cli_evaluation_check(&e->by);
    const char *other = e->order ? e->order : count > 1 ? argv[1] : "";
    if (status == CLI_GO_ON && strcmp(argv[0], "-") == 0 && strcmp(other, "-") == 0)
        status = cli_usage_error("evaluate", "only one of the two files can be '-'");
    return status;
}

/* A schedule has threads and layers, but no parts. */
static int evaluate_schedule(const evaluation *e, char **argv)
{
    const struct {
        bool given;
        const char *name;
    } others[] = {{e->by.k && !e->by.target_text && !e->by.shares_text, "-k"},
                  {e->by.target_text != NULL, "-t"},
                  {e->by.shares_text != NULL, "--shares"},
                  {e->by.costs_text != NULL, "--costs"},
                  {e->parts, "--parts"}};
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        if (others[i].given)
            return cli_usage_error("evaluate", "%s is for partitions, but %s is a schedule",
                                   others[i].name, argv[1]);
    const cli_schedule_check asked = {
        .graph = argv[0], .schedule = argv[1], .input = &e->input, .json = e->json};
    return cli_schedule_check_run(&asked);
}

/* ---- The work ------------------------------------------------------------------------ */

static cleave_status evaluate_parts(evaluation *e, cleave_error *err)
{
    int32_t nparts = cleave_mapping_nparts(e->m);
    int32_t *pieces = cli_alloc(nparts, sizeof *pieces);
    e->weight = cli_alloc(nparts, sizeof *e->weight);
    e->volume = cli_alloc(nparts, sizeof *e->volume);
    e->pieces = cli_alloc(nparts, sizeof *e->pieces);
    cleave_status status =
        cleave_evaluate_parts(e->g, e->m, e->weight, e->volume, pieces, err);
    for (int32_t p = 0; p < nparts; p++)
        e->pieces[p] = pieces[p];
    free(pieces);
    return status;
}

static cleave_status find_cycle(evaluation *e, cleave_error *err)
{
    int32_t nparts = cleave_mapping_nparts(e->m);
    int32_t *cycle = cli_alloc(nparts, sizeof *cycle);
    cleave_status status = cleave_evaluate_cycle(e->g, e->m, cycle, &e->by.cycle_length, err);
    e->by.cycle = cli_alloc(nparts, sizeof *e->by.cycle);
    for (int32_t i = 0; status == CLEAVE_OK && i < e->by.cycle_length; i++)
        e->by.cycle[i] = cycle[i];
    free(cycle);
    return status;
}

static cleave_status compute(evaluation *e, char **argv, cleave_error *err)
{
    double start = cli_clock();
    cleave_status status = cli_graph_read(&e->g, argv[0], &e->input, NULL, NULL, err);
    if (status == CLEAVE_OK)
        status = cli_mapping_read(&e->m, argv[1], e->g, e->by.k, err);
    if (status == CLEAVE_OK)
        status = cli_evaluation_read(&e->by, cleave_mapping_nparts(e->m), err);
    e->seconds_read = cli_clock() - start;
    if (status != CLEAVE_OK)
        return status;
    start = cli_clock();
    status = cleave_evaluate(&e->by.metrics, e->g, e->m, &e->by.opt, err);
    if (status == CLEAVE_OK && e->by.target)
        status = cleave_evaluate_target(&e->by.on_target, e->g, e->m, e->by.target, err);
    if (status == CLEAVE_OK && e->parts)
        status = evaluate_parts(e, err);
    if (status == CLEAVE_OK && e->by.metrics.acyclic == 0)
        status = find_cycle(e, err);
    e->seconds = cli_clock() - start;
    return status;
}

/* ---- The report ---------------------------------------------------------------------- */

static void print_parts(const evaluation *e)
{
    printf("\n  %8s %16s %16s %8s\n", "part", "weight", "volume sent", "pieces");
    for (int32_t p = 0; p < e->by.metrics.parts; p++)
        printf("  %8" PRId32 " %16" PRId64 " %16" PRId64 " %8" PRId64 "\n", p, e->weight[p],
               e->volume[p], e->pieces[p]);
}

static void print_text(const evaluation *e, char **argv)
{
    cli_evaluation_rows(&e->by, argv[0], argv[1], cli_size_of(e->g));
    if (e->parts)
        print_parts(e);
}

static void print_json(const evaluation *e, char **argv)
{
    cli_json json;
    cli_json_begin(&json);
    cli_evaluation_json(&json, &e->by, argv[0], argv[1], cli_size_of(e->g));
    if (e->parts) {
        cli_json_ints(&json, "part_weight", e->weight, e->by.metrics.parts);
        cli_json_ints(&json, "part_volume", e->volume, e->by.metrics.parts);
        cli_json_ints(&json, "part_pieces", e->pieces, e->by.metrics.parts);
    }
    cli_json_real(&json, "seconds", e->seconds);
    cli_json_real(&json, "seconds_read", e->seconds_read);
    cli_json_end(&json);
}

static int report(const evaluation *e, char **argv)
{
    if (e->json)
        print_json(e, argv);
    else
        print_text(e, argv);
    int flushed = cli_flush();
    int met = cli_evaluation_strictly(&e->by, cleave_graph_vertices(e->g));
    return flushed > met ? flushed : met;
}

/* Fill and operations of an order. */
static int evaluate_order(evaluation *e, const char *path)
{
    cleave_error err = {0};
    cleave_status status = cli_graph_read(&e->g, path, &e->input, NULL, NULL, &err);
    return status == CLEAVE_OK
               ? cli_elimination_evaluate(e->g, path, e->order, e->input.trust, e->json)
               : cli_fail(status, &err);
}

static void evaluation_free(evaluation *e)
{
    cleave_mapping_free(e->m);
    cleave_graph_free(e->g);
    cli_evaluation_free(&e->by);
    free(e->weight);
    free(e->volume);
    free(e->pieces);
}

int cmd_evaluate(int argc, char **argv)
{
    evaluation e = {.order = NULL};
    cleave_error err = {0};
    cli_input_init(&e.input);
    cli_evaluation_init(&e.by);
    const cli_option options[] = {
        CLI_EVALUATION_OPTIONS(&e.by),
        {CLI_FLAG, 0, "parts", NULL, "also weight, volume and pieces of every part", &e.parts,
         0},
        CLI_STRICT_OPTION(&e.by),
        {CLI_STRING, 0, "order", "FILE", "evaluate an elimination order: fill and operations",
         &e.order, 0},
        CLI_JSON_OPTION(&e.json),
        CLI_INPUT_OPTIONS(&e.input, CLI_AS_KINDS),
        {0}};
    const cli_usage usage = {
        "evaluate",
        "GRAPH PARTITION | GRAPH --order FILE",
        1,
        2,
        "Computes every metric of a partition from scratch. PARTITION is a METIS file (one\n"
        "0-based part per line) or a Scotch .map file; either file may be '-'. Without -k "
        "the\n"
        "number of parts is that of the file, or K when the file is called X.part.K. With -t\n"
        "the parts are the PEs of a target of 'cleave map'.\n"
        "With --order an elimination order of 'cleave order' is evaluated: non-zeros of the\n"
        "Cholesky factor and operations, counted from the elimination tree. A file written "
        "by\n"
        "'cleave schedule' is evaluated as by 'cleave schedule --check'.\n"
        "The exit status is 0 for any quality, unless --strict is given.",
        options};
    int count, status = cli_parse(&usage, argc, argv, &count);
    if (status == CLI_GO_ON)
        status = take_options(&e, count, argv);
    if (status == CLI_GO_ON && e.order) {
        status = evaluate_order(&e, argv[0]);
    } else if (status == CLI_GO_ON && cli_schedule_check_is_one(argv[1])) {
        status = evaluate_schedule(&e, argv);
    } else if (status == CLI_GO_ON) {
        cleave_status done = compute(&e, argv, &err);
        status = done == CLEAVE_OK ? report(&e, argv) : cli_fail(done, &err);
    }
    evaluation_free(&e);
    return status;
}
