/* SPDX-License-Identifier: Apache-2.0 */
/* The common steps of `cleave partition` and `cleave map`, from the command line to the
 * report. */
#include "cli/map_command.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/condensed.h"
#include "cli/progress.h"
#include "cli/quality.h"
#include "cli/target_rows.h"

/* ---- The command line ----------------------------------------------------------------- */

/* `cleave map` uses distances, `cleave partition` does not. */
static bool is_onto_machine(const cli_map_command *p)
{
    return p->demands.onto_machine;
}

static void take_words(cli_map_command *p)
{
    if (!p->effort)
        p->effort = "default";
    if (!p->objective)
        p->objective = is_onto_machine(p) ? "cost" : "cut";
    p->opt.effort = cli_effort_of(p->effort);
    p->opt.objective = cli_objective_of(p->objective);
    p->opt.threads = p->input.threads;
    p->opt.method = p->method.name;
    p->opt.params = p->method.text[0] ? p->method.text : NULL;
    p->opt.one_to_one = p->one_to_one;
}

static int check_usage(cli_map_command *p, char **argv)
{
    p->graph = argv[0];
    if (p->remapping)
        p->demands.start = argv[1];
    int status = cli_input_check(p->verb, &p->input);
    if (status == CLI_GO_ON)
        status = cli_take_seed(p->verb, p->seed_text, &p->opt.seed);
    if (status == CLI_GO_ON)
        status = cli_demands_check(p->verb, &p->demands);
    if (status == CLI_GO_ON && p->remapping)
        status = cli_remapping_check(p->verb, p->remapping);
    if (status == CLI_GO_ON)
        status = cli_method_check(p->verb, &p->method);
    if (status == CLI_GO_ON)
        status = cli_outputs_check(p->verb, &p->outputs, p->graph, p->demands.k, p->json);
    if (status == CLI_GO_ON)
        status = cli_page_check(p->verb, p->page, p->graph);
    int piped = cli_demands_from_input(&p->demands) + (strcmp(p->graph, "-") == 0) +
                cli_remapping_from_input(p->remapping);
    if (status == CLI_GO_ON && piped > 1)
        status = cli_usage_error(p->verb, "only one of the files can be '-'");
    take_words(p);
    return status;
}

/* ---- The work ------------------------------------------------------------------------- */

static cleave_status read_all(cli_map_command *p, cleave_error *err)
{
    double start = cli_clock();
    p->input.components = &p->components;
    cleave_status status = cli_graph_read(&p->g, p->graph, &p->input, NULL, NULL, err);
    if (status == CLEAVE_OK &&
        cleave_mapping_vertices(p->components) == cleave_mapping_nparts(p->components)) {
        cleave_mapping_free(p->components);
        p->components = NULL;
    }
    if (status == CLEAVE_OK)
        status = cli_condensed_read(&p->demands, p->g, p->components, err);
    if (status == CLEAVE_OK && p->remapping)
        status = cli_remapping_read(p->remapping, p->g, p->input.trust, err);
    p->seconds_read = cli_clock() - start;
    return status;
}

/* Options that need a DAG. */
static int check_kind(const cli_map_command *p)
{
    bool dag = cleave_graph_kind(p->g) == CLEAVE_DAG;
    const char *option = p->outputs.part_order           ? "--part-order"
                         : p->input.condense             ? "--condense"
                         : p->acyclic                    ? "--acyclic"
                         : cli_method_is_own(&p->method) ? NULL
                                                         : "--method";
    if (!dag && option)
        return cli_usage_error(p->verb, "%s is for DAGs, but %s is an undirected graph",
                               option, p->graph);
    if (dag && p->demands.connected)
        return cli_usage_error(p->verb,
                               "%s is a DAG, whose parts cannot be asked to be connected; "
                               "with --as undirected they can",
                               p->graph);
    return CLI_GO_ON;
}

static void map(cli_map_command *p)
{
    cli_progress progress;
    cleave_map_report_init(&p->report, sizeof p->report);
    p->opt.constraints = &p->demands.constraints;
    p->opt.report = &p->report;
    p->opt.progress = cli_progress_report;
    p->opt.payload = &progress;
    cli_progress_begin(&progress, CLI_COMPUTING);
    if (p->remapping)
        p->status =
            cli_remapping_run(&p->m, p->remapping, p->g, &p->demands, &p->opt, &p->error);
    else
        p->status = cleave_map(&p->m, p->g, p->demands.target, &p->opt, &p->error);
    cli_progress_end(&progress);
}

static cleave_status write_all(cli_map_command *p, cleave_error *err)
{
    double start = cli_clock();
    cleave_mapping *expanded = NULL;
    cleave_status status = CLEAVE_OK;
    if (p->components)
        status = cli_condensed_expand(&expanded, p->m, p->components, err);
    if (status == CLEAVE_OK)
        status = cli_outputs_write(&p->outputs, p->g, p->m, expanded ? expanded : p->m,
                                   p->demands.target, err);
    cleave_mapping_free(expanded);
    p->seconds_write = cli_clock() - start;
    return status;
}

/* Metrics of distances are also reported for a partition, when there are distances. */
static bool shows_target(const cli_map_command *p)
{
    return is_onto_machine(p) || cli_target_has_distances(p->demands.target);
}

/* The metrics of `cleave evaluate`, with the requested balance. */
static cleave_status evaluate(cli_map_command *p, cleave_error *err)
{
    cleave_metrics_init(&p->metrics, sizeof p->metrics);
    cleave_evaluate_options_init(&p->costs, sizeof p->costs);
    cleave_status status = cleave_evaluate(&p->metrics, p->g, p->m, &p->costs, err);
    p->metrics.imbalance = p->report.imbalance;
    p->metrics.balanced = p->report.balanced;
    cleave_target_metrics_init(&p->on_target, sizeof p->on_target);
    if (status == CLEAVE_OK && shows_target(p))
        status = cleave_evaluate_target(&p->on_target, p->g, p->m, p->demands.target, err);
    return status;
}

/* ---- The report ----------------------------------------------------------------------- */

static cli_bound bound_of(const cli_map_command *p)
{
    return (cli_bound){.imbalance = p->opt.imbalance,
                       .given = p->demands.min || p->demands.max,
                       .one_to_one = p->one_to_one};
}

static void print_text(const cli_map_command *p)
{
    const cli_bound bound = bound_of(p);
    cli_quality_rows(p->graph, p->outputs.mapping, cli_size_of(p->g), &p->metrics, &bound);
    cli_quality_directions(&p->metrics, NULL, 0, &p->costs);
    if (shows_target(p))
        cli_target_rows(p->demands.target, &p->on_target);
    if (p->remapping)
        cli_remapping_rows(p->remapping);
    if (p->components)
        cli_row("condensed", "from %" PRId32 " vertices into strongly connected components",
                cleave_mapping_vertices(p->components));
    cli_method_row(&p->method, p->effort, p->opt.seed, cli_weights_per_vertex(p->g) > 1);
    cli_residual_row(p->report.residual, p->report.converged);
    cli_row("seconds", "%.3f on %" PRId32 " %s%s; reading %.3f, writing %.3f",
            p->report.seconds, p->report.threads,
            cli_plural(p->report.threads, "thread", "threads"),
            p->report.timed_out ? ", ended by the time limit" : "", p->seconds_read,
            p->seconds_write);
}

static void print_json(const cli_map_command *p, FILE *out)
{
    cli_json json;
    cli_json_begin_on(&json, out);
    bool pure = cli_method_is_pure(&p->method);
    const cli_bound bound = bound_of(p);
    cli_quality_json(&json, p->graph, p->outputs.mapping, cli_size_of(p->g), &p->metrics,
                     &bound);
    cli_json_null(&json, "cycle");
    if (shows_target(p))
        cli_target_json(&json, p->demands.target_text, &p->on_target);
    if (p->components)
        cli_json_int(&json, "condensed_from", cleave_mapping_vertices(p->components));
    else
        cli_json_null(&json, "condensed_from");
    if (p->remapping)
        cli_remapping_json(&json, p->remapping);
    cli_json_text(&json, "method", cli_method_name(&p->method));
    cli_json_text(&json, "params", p->opt.params);
    cli_json_text(&json, "objective", p->objective);
    cli_json_text(&json, "effort", pure ? NULL : p->effort);
    cli_json_unsigned(&json, "seed", p->opt.seed);
    if (!p->remapping)
        cli_json_residual(&json, p->report.residual, p->report.converged);
    cli_json_int(&json, "threads", p->report.threads);
    cli_json_real(&json, "seconds", p->report.seconds);
    cli_json_real(&json, "seconds_read", p->seconds_read);
    cli_json_real(&json, "seconds_write", p->seconds_write);
    cli_json_end(&json);
}

static int say_what_is_missing(const cli_map_command *p)
{
    const cli_verdict verdict = {.status = p->status,
                                 .error = &p->error,
                                 .metrics = &p->metrics,
                                 .vertices = cleave_graph_vertices(p->g),
                                 .onto_machine = is_onto_machine(p),
                                 .output = p->outputs.mapping};
    return cli_quality_missing(&verdict);
}

static cleave_status draw(const cli_map_command *p, const cleave_view_options *opt,
                          cleave_error *err)
{
    if (p->remapping)
        return cleave_view_remap(p->page, p->g, p->demands.from, p->m, opt, err);
    return cleave_view_graph(p->page, p->g, p->m, shows_target(p) ? p->demands.target : NULL,
                             opt, err);
}

/* The speeds of the old machine, if it is known and the old mapping names all its PEs. */
static double *shares_before(const cli_map_command *p)
{
    const cleave_target *from = p->remapping ? p->remapping->from : NULL;
    bool fits = from && cleave_target_pes(from) == cleave_mapping_nparts(p->demands.from);
    return cli_target_shares(fits ? from : NULL);
}

static int write_page(const cli_map_command *p)
{
    cleave_error err = {0};
    cleave_view_options opt;
    cli_page page = {0};
    cli_progress progress;
    if (!p->page)
        return CLI_OK;
    cli_page_begin(&page);
    print_json(p, page.out);
    cli_page_end(&page);
    cleave_view_options_init(&opt, sizeof opt);
    cli_page_options(&page, &opt, p->verb, p->graph);
    opt.imbalance = p->opt.imbalance;
    double *shares = cli_target_shares(p->demands.target);
    double *before = shares_before(p);
    opt.shares = shares;
    opt.shares_before = before;
    opt.progress = cli_progress_report;
    opt.payload = &progress;
    cli_progress_begin(&progress, CLI_WRITING);
    cleave_status status = draw(p, &opt, &err);
    cli_progress_end(&progress);
    free(shares);
    free(before);
    cli_page_free(&page);
    return cli_page_status(status, &err, p->page);
}

static int finish(cli_map_command *p)
{
    cleave_error err = {0};
    cleave_status status = write_all(p, &err);
    if (status == CLEAVE_OK)
        status = evaluate(p, &err);
    if (status != CLEAVE_OK)
        return cli_fail(status, &err);
    if (p->json)
        print_json(p, stdout);
    else if (!cli_outputs_piped(&p->outputs))
        print_text(p);
    int flushed = cli_flush(), met = say_what_is_missing(p), drawn = write_page(p);
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
    int usage = check_kind(p);
    if (usage != CLI_GO_ON)
        return usage;
    map(p);
    return p->m ? finish(p) : cli_fail(p->status, &p->error);
}

static void map_command_free(cli_map_command *p)
{
    cleave_mapping_free(p->m);
    cleave_mapping_free(p->components);
    cleave_graph_free(p->g);
    cli_remapping_free(p->remapping);
    cli_demands_free(&p->demands);
    cli_outputs_free(&p->outputs);
}

void cli_map_command_init(cli_map_command *p, const char *verb)
{
    *p = (cli_map_command){.verb = verb};
    cli_input_init(&p->input);
    cleave_options_init(&p->opt, sizeof p->opt);
}

int cli_map_command_run(cli_map_command *p, const cli_usage *usage, int argc, char **argv)
{
    int count, status = cli_parse(usage, argc, argv, &count);
    if (status == CLI_GO_ON)
        status = check_usage(p, argv);
    if (status == CLI_GO_ON)
        status = compute_mapping(p);
    map_command_free(p);
    return status;
}
