/* SPDX-License-Identifier: Apache-2.0 */
/* The common steps of `cleave partition`, `map` and `remap`, from the command line to the
 * report. */
#include "cli/map_command.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/condensed.h"
#include "cli/target_rows.h"

static int check_usage(cli_map_command *p, char **argv)
{
    cli_map_request *r = &p->request;
    int status = cli_map_request_check(r, argv);
    if (status == CLI_GO_ON)
        status = cli_method_check(r->verb, &r->method);
    if (status == CLI_GO_ON)
        status = cli_page_check(r->verb, p->page, r->graph);
    return status == CLI_GO_ON ? cli_map_request_check_files(r) : status;
}

/* ---- The work ------------------------------------------------------------------------- */

static cleave_status read_all(cli_map_command *p, cleave_error *err)
{
    cli_map_request *r = &p->request;
    double start = cli_clock();
    r->input.components = &p->components;
    cleave_status status = cli_graph_read(&p->g, r->graph, &r->input, NULL, NULL, err);
    if (status == CLEAVE_OK &&
        cleave_mapping_vertices(p->components) == cleave_mapping_nparts(p->components)) {
        cleave_mapping_free(p->components);
        p->components = NULL;
    }
    if (status == CLEAVE_OK)
        status = cli_condensed_read(&r->demands, p->g, p->components, err);
    if (status == CLEAVE_OK && r->remapping)
        status = cli_remapping_read(r->remapping, p->g, r->input.trust, err);
    r->times.read = cli_clock() - start;
    return status;
}

/* Options that need a DAG. */
static int check_kind(const cli_map_request *r, bool dag)
{
    const char *option = r->outputs.part_order           ? "--part-order"
                         : r->input.condense             ? "--condense"
                         : r->acyclic                    ? "--acyclic"
                         : cli_method_is_own(&r->method) ? NULL
                                                         : "--method";
    if (!dag && option)
        return cli_usage_error(r->verb, "%s is for DAGs, but %s is an undirected graph",
                               option, r->graph);
    if (dag && r->demands.connected)
        return cli_usage_error(
            r->verb,
            "%s is a DAG, for which connected parts are not possible; use --as undirected",
            r->graph);
    return CLI_GO_ON;
}

static void map(cli_map_command *p)
{
    cli_map_request *r = &p->request;
    cli_progress progress;
    cli_map_request_begin(r, &progress);
    if (r->remapping) {
        const cleave_remap_options how = cli_remapping_options(r->remapping, &r->opt);
        r->status =
            cleave_remap(&p->m, p->g, r->demands.from, r->demands.target, &how, &r->error);
    } else {
        r->status = cleave_map(&p->m, p->g, r->demands.target, &r->opt, &r->error);
    }
    cli_map_request_end(r, &progress);
}

static cleave_status write_all(cli_map_command *p, cleave_error *err)
{
    cli_map_request *r = &p->request;
    double start = cli_clock();
    cleave_mapping *expanded = NULL;
    cleave_status status = CLEAVE_OK;
    if (p->components)
        status = cli_condensed_expand(&expanded, p->m, p->components, err);
    if (status == CLEAVE_OK)
        status = cli_outputs_write(&r->outputs, p->g, p->m, expanded ? expanded : p->m,
                                   r->demands.target, err);
    cleave_mapping_free(expanded);
    r->times.write = cli_clock() - start;
    return status;
}

/* The metrics of `cleave evaluate`, with the requested balance. */
static cleave_status evaluate(cli_map_command *p, cleave_error *err)
{
    cli_map_request *r = &p->request;
    cli_map_request_init_metrics(r);
    cleave_status status = cleave_evaluate(&r->metrics, p->g, p->m, &r->costs, err);
    r->metrics.imbalance = r->report.imbalance;
    r->metrics.balanced = r->report.balanced;
    if (status == CLEAVE_OK && cli_map_request_shows_target(r))
        status = cleave_evaluate_target(&r->on_target, p->g, p->m, r->demands.target, err);
    return status;
}

/* ---- The report ----------------------------------------------------------------------- */

static void print_text(const cli_map_command *p)
{
    const cli_map_request *r = &p->request;
    cli_map_request_rows(r, cli_size_of(p->g));
    if (p->components)
        cli_row("condensed", "from %" PRId32 " vertices into strongly connected components",
                cleave_mapping_vertices(p->components));
    cli_method_row(&r->method, r->effort, r->opt.seed, cli_weights_per_vertex(p->g) > 1);
    cli_residual_row(r->report.residual, r->report.converged);
    cli_map_request_seconds(r, "");
}

static void print_json(const cli_map_command *p, FILE *out)
{
    const cli_map_request *r = &p->request;
    cli_json json;
    cli_json_begin_on(&json, out);
    cli_map_request_json(&json, r, cli_size_of(p->g));
    if (p->components)
        cli_json_int(&json, "condensed_from", cleave_mapping_vertices(p->components));
    else
        cli_json_null(&json, "condensed_from");
    cli_map_request_json_search(&json, r);
    if (!r->remapping)
        cli_json_residual(&json, r->report.residual, r->report.converged);
    cli_json_int(&json, "threads", r->report.threads);
    cli_json_times(&json, &r->times);
    cli_json_end(&json);
}

static cleave_status draw(const cli_map_command *p, const cleave_view_options *opt,
                          cleave_error *err)
{
    const cli_map_request *r = &p->request;
    const cleave_target *t = r->demands.target;
    if (r->remapping)
        return cleave_view_remap(p->page, p->g, r->demands.from, p->m, opt, err);
    return cleave_view_graph(p->page, p->g, p->m, cli_map_request_shows_target(r) ? t : NULL,
                             opt, err);
}

/* The speeds of the old machine, if it is known and the old mapping names all its PEs. */
static double *shares_before(const cli_map_request *r)
{
    const cleave_target *from = r->remapping ? r->remapping->from : NULL;
    bool fits = from && cleave_target_pes(from) == cleave_mapping_nparts(r->demands.from);
    return cli_target_shares(fits ? from : NULL);
}

static int write_page(const cli_map_command *p)
{
    const cli_map_request *r = &p->request;
    cleave_error err = {0};
    cleave_view_options opt;
    cli_page page = {0};
    cli_progress progress;
    if (!p->page)
        return CLI_OK;
    cli_page_begin(&page);
    print_json(p, page.out);
    cli_page_end(&page, &opt, r->verb, r->graph);
    opt.imbalance = r->opt.imbalance;
    double *shares = cli_target_shares(r->demands.target);
    double *before = shares_before(r);
    opt.shares = shares;
    opt.shares_before = before;
    opt.progress = cli_progress_report;
    opt.payload = &progress;
    cli_progress_begin(&progress, CLI_WRITING);
    cleave_status status = draw(p, &opt, &err);
    cli_progress_end(&progress);
    free(shares);
    free(before);
    return cli_page_close(&page, status, &err, p->page);
}

static int finish(cli_map_command *p)
{
    const cli_map_request *r = &p->request;
    cleave_error err = {0};
    cleave_status status = write_all(p, &err);
    if (status == CLEAVE_OK)
        status = evaluate(p, &err);
    if (status != CLEAVE_OK)
        return cli_fail(status, &err);
    if (r->json)
        print_json(p, stdout);
    else if (!cli_outputs_piped(&r->outputs))
        print_text(p);
    int flushed = cli_flush();
    int met = cli_map_request_missing(r, cleave_graph_vertices(p->g));
    int drawn = write_page(p);
    flushed = drawn > flushed ? drawn : flushed;
    return flushed > met ? flushed : met;
}

static int compute_mapping(cli_map_command *p)
{
    cleave_error err = {0};
    cleave_status status = read_all(p, &err);
    if (status == CLEAVE_ECYCLE) {
        cli_complain("%s; --condense merges the vertices of cycles", err.message);
        return cli_exit_of(status);
    }
    if (status != CLEAVE_OK)
        return cli_fail(status, &err);
    int usage = check_kind(&p->request, cleave_graph_kind(p->g) == CLEAVE_DAG);
    if (usage != CLI_GO_ON)
        return usage;
    map(p);
    return p->m ? finish(p) : cli_fail(p->request.status, &p->request.error);
}

void cli_map_command_init(cli_map_command *p, const char *verb)
{
    *p = (cli_map_command){.page = NULL};
    cli_map_request_init(&p->request, verb);
}

int cli_map_command_run(cli_map_command *p, const cli_usage *usage, int argc, char **argv)
{
    int count, status = cli_parse(usage, argc, argv, &count);
    if (status == CLI_GO_ON)
        status = check_usage(p, argv);
    if (status == CLI_GO_ON)
        status = compute_mapping(p);
    cleave_mapping_free(p->m);
    cleave_mapping_free(p->components);
    cleave_graph_free(p->g);
    cli_map_request_free(&p->request);
    return status;
}
