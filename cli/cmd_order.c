/* SPDX-License-Identifier: Apache-2.0 */
/* cleave order GRAPH: a linear order of the vertices, any interval of which is a part. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "cli/fill_rows.h"
#include "cli/graph_io.h"
#include "cli/method_options.h"
#include "cli/outputs.h"
#include "cli/progress.h"
#include "cli/quality.h"

typedef struct ordering {
    cli_input input;
    cli_outputs outputs; /* the order and its mapping */
    const char *graph;   /* path */
    const char *method, *effort, *seed_text;
    int32_t leaves; /* 0: not given */
    char params[32];
    bool json;
    cleave_order_options opt;
    cleave_graph *g;
    cleave_order *o;
    cleave_order_metrics metrics; /* of nd and mindeg */
    double seconds, seconds_read, seconds_write;
} ordering;

/* ---- The command line ----------------------------------------------------------------- */

static int check_leaves(ordering *p)
{
    bool halves =
        p->method && (strcmp(p->method, "rcbi") == 0 || strcmp(p->method, "rsbi") == 0);
    if (p->leaves == 0)
        return CLI_GO_ON;
    if (!halves)
        return cli_usage_error("order", "--leaves is for --method rcbi and rsbi");
    snprintf(p->params, sizeof p->params, "leaves=%" PRId32, p->leaves);
    p->opt.params = p->params;
    return CLI_GO_ON;
}

/* The default output is next to the graph. */
static int check_output(ordering *p)
{
    if (!p->outputs.mapping && strcmp(p->graph, "-") != 0) {
        size_t room = strlen(p->graph) + sizeof ".order";
        p->outputs.own = cli_alloc((int64_t)room, 1);
        snprintf(p->outputs.own, room, "%s.order", p->graph);
        p->outputs.mapping = p->outputs.own;
    }
    return cli_outputs_check("order", &p->outputs, p->graph, 0, p->json);
}

static int check_usage(ordering *p)
{
    int status = cli_input_check("order", &p->input);
    if (status == CLI_GO_ON)
        status = cli_take_seed("order", p->seed_text, &p->opt.seed);
    if (status == CLI_GO_ON)
        status = check_leaves(p);
    if (status == CLI_GO_ON)
        status = check_output(p);
    p->effort = p->effort ? p->effort : "default";
    p->opt.effort = cli_effort_of(p->effort);
    p->opt.method = p->method;
    p->opt.threads = p->input.threads;
    return status;
}

/* ---- The work ------------------------------------------------------------------------- */

static cleave_status build(ordering *p, cleave_error *err)
{
    cli_progress progress;
    p->opt.progress = cli_progress_report;
    p->opt.payload = &progress;
    cli_progress_begin(&progress, CLI_COMPUTING);
    cleave_status status = cleave_order_build(&p->o, p->g, &p->opt, err);
    p->seconds = cli_clock() - progress.start;
    cli_progress_end(&progress);
    return status;
}

static cleave_status write_order(ordering *p, cleave_error *err)
{
    cli_progress progress;
    cli_progress_begin(&progress, CLI_WRITING);
    cleave_status status = cleave_order_write(p->o, p->outputs.mapping, err);
    p->seconds_write = cli_clock() - progress.start;
    cli_progress_end(&progress);
    return status;
}

/* Whether it is an elimination order. */
static bool eliminates(const ordering *p)
{
    const char *method = cleave_order_method(p->o);
    return strcmp(method, "nd") == 0 || strcmp(method, "mindeg") == 0;
}

static cleave_status evaluate_fill(ordering *p, cleave_error *err)
{
    cleave_order_metrics_init(&p->metrics, sizeof p->metrics);
    return eliminates(p) ? cleave_evaluate_order(&p->metrics, p->g, p->o, err) : CLEAVE_OK;
}

static void print_text(const ordering *p)
{
    int32_t ncon = cli_weights_per_vertex(p->g);
    cli_line("%s: %s", p->graph, p->outputs.mapping);
    cli_size_row(cli_size_of(p->g));
    cli_row("method", "%s%s%s, effort %s, seed %" PRIu64, cleave_order_method(p->o),
            p->params[0] ? " " : "", p->params, p->effort, p->opt.seed);
    if (ncon > 1)
        cli_row("weights", "%" PRId32 " per vertex, only the first is used", ncon);
    if (eliminates(p))
        cli_elimination_rows(p->g, &p->metrics);
    else
        cli_row("average crossing", "%.2f", cleave_order_average_crossing(p->o));
    cli_residual_row(cleave_order_residual(p->o), cleave_order_converged(p->o));
    cli_row("seconds", "%.3f; reading %.3f, writing %.3f", p->seconds, p->seconds_read,
            p->seconds_write);
}

static void print_json(const ordering *p)
{
    cli_json json;
    cli_json_begin(&json);
    cli_json_text(&json, "file", p->graph);
    cli_json_text(&json, "order", p->outputs.mapping);
    cli_json_text(&json, "kind", cli_kind_name(cleave_graph_kind(p->g)));
    cli_json_int(&json, "vertices", cleave_graph_vertices(p->g));
    cli_json_int(&json, "edges", cleave_graph_edges(p->g));
    cli_json_int(&json, "weights_per_vertex", cli_weights_per_vertex(p->g));
    cli_json_text(&json, "method", cleave_order_method(p->o));
    cli_json_text(&json, "params", p->opt.params);
    cli_json_text(&json, "effort", p->effort);
    cli_json_unsigned(&json, "seed", p->opt.seed);
    cli_json_real(&json, "average_crossing", cleave_order_average_crossing(p->o));
    cli_json_residual(&json, cleave_order_residual(p->o), cleave_order_converged(p->o));
    if (eliminates(p))
        cli_elimination_json(&json, &p->metrics);
    cli_json_real(&json, "seconds", p->seconds);
    cli_json_real(&json, "seconds_read", p->seconds_read);
    cli_json_real(&json, "seconds_write", p->seconds_write);
    cli_json_end(&json);
}

/* Interrupted: the best so far is written, but not evaluated. */
static int write_interrupted(ordering *p)
{
    cleave_error err = {0};
    cleave_status status = write_order(p, &err);
    if (status != CLEAVE_OK)
        return cli_fail(status, &err);
    cli_complain("interrupted: %s has the best result so far",
                 strcmp(p->outputs.mapping, "-") == 0 ? "the output" : p->outputs.mapping);
    return CLI_NOT_MET;
}

static int compute_order(ordering *p)
{
    cleave_error err = {0};
    cleave_status status =
        cli_graph_read(&p->g, p->graph, &p->input, NULL, &p->seconds_read, &err);
    if (status == CLEAVE_OK)
        status = build(p, &err);
    if (status == CLEAVE_ECANCEL && p->o)
        return write_interrupted(p);
    if (status == CLEAVE_OK)
        status = write_order(p, &err);
    if (status == CLEAVE_OK)
        status = evaluate_fill(p, &err);
    if (status != CLEAVE_OK)
        return cli_fail(status, &err);
    if (p->json)
        print_json(p);
    else if (!cli_outputs_piped(&p->outputs))
        print_text(p);
    return cli_flush();
}

int cmd_order(int argc, char **argv)
{
    ordering p = {0};
    cli_input_init(&p.input);
    cleave_order_options_init(&p.opt, sizeof p.opt);
    const cli_option options[] = {
        {CLI_STRING, 'o', "output", "FILE", "the order (default: GRAPH.order; .clo: binary)",
         &p.outputs.mapping, 0},
        {CLI_CHOICE, 0, "method", "auto|hci|zci|rcbi|rsbi|multilevel|topo|nd|mindeg",
         "method (default auto)", &p.method, 0},
        {CLI_COUNT, 0, "leaves", "N", "rcbi, rsbi: stop at N sets, random inside", &p.leaves,
         1},
        {CLI_CHOICE, 0, "effort", "fast|default|quality|best",
         "effort level (default: default)", &p.effort, 0},
        {CLI_STRING, 0, "seed", "N", "random seed (default 1)", &p.seed_text, 0},
        {CLI_REAL, 0, "time-limit", "S",
         "time limit in seconds; the best order so far is used", &p.opt.time_limit, 0},
        {CLI_FLAG, 0, "json", NULL, "print one JSON object", &p.json, 0},
        CLI_INPUT_OPTIONS(&p.input, CLI_AS_KINDS),
        {0}};
    const cli_usage usage = {
        "order",
        "GRAPH",
        1,
        1,
        "Computes a linear order of the vertices of a graph in which every interval is a "
        "good\n"
        "part. 'cleave split' then splits it for a machine in microseconds, and again when "
        "the\n"
        "machine changes. Methods: hci and zci (Hilbert and Morton curve) and rcbi "
        "(coordinate\n"
        "bisection) use coordinates, rsbi uses eigenvectors, multilevel uses the engine of\n"
        "'cleave partition'. DAGs have topo and multilevel: all arcs run forward, so that\n"
        "every split is acyclic. auto is multilevel, or hci with --effort fast when there "
        "are\n"
        "coordinates. nd (nested dissection) and mindeg (minimum degree) are elimination\n"
        "orders of a symmetric matrix; their fill is counted.\n"
        "Only the first vertex weight is used. The order is written to GRAPH.order as text, "
        "or\n"
        "to the file of -o.",
        options};
    int count, status = cli_parse(&usage, argc, argv, &count);
    if (status == CLI_GO_ON) {
        p.graph = argv[0];
        status = check_usage(&p);
    }
    if (status == CLI_GO_ON)
        status = compute_order(&p);
    cleave_order_free(p.o);
    cleave_graph_free(p.g);
    cli_outputs_free(&p.outputs);
    return status;
}
