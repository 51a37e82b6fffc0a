/* SPDX-License-Identifier: Apache-2.0 */
/* cleave order GRAPH: a linear order of the vertices, which can be split into parts. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "cli/fill_rows.h"
#include "cli/order_request.h"

typedef struct ordering {
    cli_order_request request;
    int32_t leaves; /* 0: not given */
    char params[32];
    cleave_graph *g;
    cleave_order *o;
    cleave_order_metrics metrics; /* of nd and mindeg */
} ordering;

/* ---- The command line ----------------------------------------------------------------- */

static int check_leaves(ordering *p)
{
    const char *method = p->request.method;
    bool halves = method && (strcmp(method, "rcbi") == 0 || strcmp(method, "rsbi") == 0);
    if (p->leaves == 0)
        return CLI_GO_ON;
    if (!halves)
        return cli_usage_error("order", "--leaves is for --method rcbi and rsbi");
    snprintf(p->params, sizeof p->params, "leaves=%" PRId32, p->leaves);
    p->request.opt.params = p->params;
    return CLI_GO_ON;
}

static int check_usage(ordering *p, char **operands)
{
    int status = cli_order_request_check(&p->request, operands);
    return status == CLI_GO_ON ? check_leaves(p) : status;
}

/* ---- The work ------------------------------------------------------------------------- */

static cleave_status build(ordering *p, cleave_error *err)
{
    cli_order_request *r = &p->request;
    cli_progress progress;
    cli_order_request_begin(r, &progress);
    cleave_status status = cleave_order_build(&p->o, p->g, &r->opt, err);
    cli_order_request_end(r, &progress);
    return status;
}

static cleave_status write_order(ordering *p, cleave_error *err)
{
    cli_progress progress;
    cli_progress_begin(&progress, CLI_WRITING);
    cleave_status status = cleave_order_write(p->o, p->request.outputs.mapping, err);
    p->request.times.write = cli_progress_end(&progress);
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
    const cli_order_request *r = &p->request;
    cli_order_request_rows(r, cli_size_of(p->g), cli_weights_per_vertex(p->g),
                           cleave_order_method(p->o));
    if (eliminates(p))
        cli_elimination_rows(p->g, &p->metrics);
    else
        cli_row("average crossing", "%.2f", cleave_order_average_crossing(p->o));
    cli_residual_row(cleave_order_residual(p->o), cleave_order_converged(p->o));
    cli_times_row(&r->times);
}

static void print_json(const ordering *p)
{
    const cli_order_request *r = &p->request;
    cli_json json;
    cli_json_begin(&json);
    cli_order_request_json(&json, r, cli_size_of(p->g), cli_weights_per_vertex(p->g));
    cli_json_text(&json, "method", cleave_order_method(p->o));
    cli_json_text(&json, "params", r->opt.params);
    cli_order_request_json_search(&json, r, cleave_order_average_crossing(p->o));
    cli_json_residual(&json, cleave_order_residual(p->o), cleave_order_converged(p->o));
    if (eliminates(p))
        cli_elimination_json(&json, &p->metrics);
    cli_json_times(&json, &r->times);
    cli_json_end(&json);
}

/* Interrupted: the best so far is written, but not evaluated. */
static int write_interrupted(ordering *p)
{
    cleave_error err = {0};
    cleave_status status = write_order(p, &err);
    return status == CLEAVE_OK ? cli_outputs_interrupted(&p->request.outputs)
                               : cli_fail(status, &err);
}

static int compute_order(ordering *p)
{
    cli_order_request *r = &p->request;
    cleave_error err = {0};
    cleave_status status =
        cli_graph_read(&p->g, r->graph, &r->input, NULL, &r->times.read, &err);
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
    if (r->json)
        print_json(p);
    else if (!cli_outputs_piped(&r->outputs))
        print_text(p);
    return cli_flush();
}

int cmd_order(int argc, char **argv)
{
    ordering p = {0};
    cli_order_request *r = &p.request;
    cli_order_request_init(r);
    const cli_option options[] = {
        CLI_ORDER_RESULT_OPTIONS(r, "the order (default: GRAPH.order; .clo: binary)",
                                 "auto|hci|zci|rcbi|rsbi|multilevel|topo|nd|mindeg"),
        {CLI_COUNT, 0, "leaves", "N", "rcbi, rsbi: stop at N sets, random inside", &p.leaves,
         1},
        CLI_ORDER_SEARCH_OPTIONS(r),
        CLI_TIME_LIMIT_OPTION("order", &r->opt.time_limit),
        CLI_ORDER_GRAPH_OPTIONS(r),
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
    if (status == CLI_GO_ON)
        status = check_usage(&p, argv);
    if (status == CLI_GO_ON)
        status = compute_order(&p);
    cleave_order_free(p.o);
    cleave_graph_free(p.g);
    cli_outputs_free(&r->outputs);
    return status;
}
