/* SPDX-License-Identifier: Apache-2.0 */
/* mpi/program/mpi_map_command.c - see mpi/program/mpi_map_command.h. */
#include "mpi/program/mpi_map_command.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/progress.h"
#include "cli/target_rows.h"

/* ---- The command line ------------------------------------------------------------------ */

static void take_words(map_command *p)
{
    if (!p->effort)
        p->effort = "default";
    if (!p->objective)
        p->objective = p->demands.onto_machine ? "cost" : "cut";
    p->opt.effort = cli_effort_of(p->effort);
    p->opt.objective = cli_objective_of(p->objective);
    p->opt.threads = p->input.threads;
    p->opt.method = p->method.name;
    p->opt.params = p->method.params;
    snprintf(p->method.text, sizeof p->method.text, "%s",
             p->method.params ? p->method.params : "");
}

static int check_usage(map_command *p, char **argv)
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
        status = cli_outputs_check(p->verb, &p->outputs, p->graph, p->demands.k, p->json);
    int piped = cli_demands_from_input(&p->demands) + (strcmp(p->graph, "-") == 0);
    if (status == CLI_GO_ON && piped > 1)
        status = cli_usage_error(p->verb, "only one of the files can be '-'");
    take_words(p);
    status = ranks_agree(status);
    if (status == CLI_GO_ON)
        status = ranks_same_target(p->verb, p->demands.target_text, p->demands.target);
    if (status == CLI_GO_ON && p->remapping)
        status = ranks_same_target(p->verb, p->remapping->from_text, p->remapping->from);
    return status;
}

/* ---- Files ----------------------------------------------------------------------------- */

/* Broadcasts an array of the constraints of rank 0. */
static void share_array(void **array, int64_t bytes)
{
    int there = *array != NULL;
    ranks_share(&there, sizeof there);
    if (there && !*array)
        *array = cli_alloc(bytes, 1);
    if (there)
        ranks_share(*array, bytes);
}

/* Rank 0 reads the files about parts. */
static cleave_status read_limits(map_command *p, cleave_error *err)
{
    cli_demands *d = &p->demands;
    int32_t ncon = rank_graph_share(p->g).ncon;
    int64_t count = (int64_t)d->k * ncon;
    cleave_status status = CLEAVE_OK;
    if (ranks_first())
        status = cli_demands_read_parts(d, ncon, err);
    status = ranks_agree_on(status, err);
    if (status != CLEAVE_OK)
        return status;
    share_array((void **)&d->shares, count * (int64_t)sizeof *d->shares);
    share_array((void **)&d->max, count * (int64_t)sizeof *d->max);
    return CLEAVE_OK;
}

static cleave_status read_all(map_command *p, cleave_error *err)
{
    double start = cli_clock(), seconds;
    cli_demands *d = &p->demands;
    cleave_status status = rank_graph_read(&p->g, p->graph, &p->input, &seconds, err);
    if (status == CLEAVE_OK)
        status = read_limits(p, err);
    if (status == CLEAVE_OK && d->fix)
        status = rank_fixed_read(&d->fixed, p->g, d->k, d->fix, err);
    if (status == CLEAVE_OK && p->remapping) {
        p->old = ranks_alloc(rank_graph_share(p->g).nlocal, sizeof *p->old, err);
        p->nold = -1;
        status = p->old ? cleave_mpi_parts_read(p->old, &p->nold, p->g, d->start, err)
                        : CLEAVE_ENOMEM;
    }
    cli_demands_point(d);
    p->seconds_read = cli_clock() - start;
    return status;
}

/* Options that need a DAG. */
static int check_kind(const map_command *p)
{
    if (p->acyclic && cleave_mpi_graph_kind(p->g) != CLEAVE_DAG)
        return cli_usage_error(p->verb, "--acyclic is for DAGs, but %s is an undirected graph",
                               p->graph);
    return CLI_GO_ON;
}

/* ---- Mapping --------------------------------------------------------------------------- */

static cleave_status remap(map_command *p)
{
    cli_remapping *r = p->remapping;
    cleave_remap_options how;
    cleave_remap_options_init(&how, sizeof how);
    cleave_remap_report_init(&r->report, sizeof r->report);
    how.migration_price = r->price;
    how.strategy = r->strategy;
    how.from = r->from;
    how.options = &p->opt;
    how.report = &r->report;
    return cleave_mpi_remap(p->part, p->g, p->old, p->nold, p->demands.target, &how,
                            &p->error);
}

/* Collective.  Parts that are still -1 were never computed. */
static bool has_parts(const map_command *p)
{
    int32_t own = rank_graph_share(p->g).nlocal;
    int64_t without = 0;
    for (int32_t v = 0; v < own; v++)
        without += p->part[v] < 0;
    return ranks_sum(without) == 0;
}

/* p->part stays NULL when out of memory. */
static void map(map_command *p)
{
    cli_progress progress;
    int32_t own = rank_graph_share(p->g).nlocal;
    cleave_map_report_init(&p->report, sizeof p->report);
    p->opt.constraints = &p->demands.constraints;
    p->opt.report = &p->report;
    p->opt.progress = cli_progress_report;
    p->opt.payload = &progress;
    p->part = ranks_alloc(own, sizeof *p->part, &p->error);
    if (!p->part) {
        p->status = CLEAVE_ENOMEM;
        return;
    }
    memset(p->part, 0xff, (size_t)own * sizeof *p->part);
    cli_progress_begin(&progress, CLI_COMPUTING);
    if (p->remapping)
        p->status = remap(p);
    else
        p->status = cleave_mpi_map(p->part, p->g, p->demands.target, &p->opt, &p->error);
    cli_progress_end(&progress);
    if (ranks_interrupted() && p->status == CLEAVE_OK) /* it arrived too late for the
                                                          callback */
        p->status = CLEAVE_ECANCEL;
}

bool map_command_shows_target(const map_command *p)
{
    return p->demands.onto_machine || cli_target_has_distances(p->demands.target);
}

/* The metrics of `cleave-mpi evaluate`, with the requested balance. */
static cleave_status evaluate(map_command *p, cleave_error *err)
{
    cleave_metrics_init(&p->metrics, sizeof p->metrics);
    cleave_evaluate_options_init(&p->costs, sizeof p->costs);
    cleave_status status =
        cleave_mpi_evaluate(&p->metrics, p->g, p->demands.k, p->part, &p->costs, err);
    p->metrics.imbalance = p->report.imbalance;
    p->metrics.balanced = p->report.balanced;
    cleave_target_metrics_init(&p->on_target, sizeof p->on_target);
    if (status == CLEAVE_OK && map_command_shows_target(p))
        status =
            cleave_mpi_evaluate_target(&p->on_target, p->g, p->part, p->demands.target, err);
    p->bytes_sent = rank_bytes_sent();
    return status;
}

static int report(const map_command *p)
{
    const cli_verdict verdict = {.status = p->status,
                                 .error = &p->error,
                                 .metrics = &p->metrics,
                                 .vertices = cleave_mpi_graph_vertices(p->g),
                                 .onto_machine = p->demands.onto_machine,
                                 .output = p->outputs.mapping};
    if (p->json)
        map_command_print_json(p);
    else if (!cli_outputs_piped(&p->outputs))
        map_command_print_text(p);
    int flushed = cli_flush(), met = cli_quality_missing(&verdict);
    return flushed > met ? flushed : met;
}

static int finish(map_command *p)
{
    cleave_error err = {0};
    cleave_status status =
        rank_parts_write(p->outputs.mapping, p->g, p->part, &p->seconds_write, &err);
    if (status == CLEAVE_OK)
        status = evaluate(p, &err);
    if (status != CLEAVE_OK)
        return cli_fail(status, &err);
    return report(p);
}

static int compute_mapping(map_command *p)
{
    cleave_error err = {0};
    cleave_status status = read_all(p, &err);
    if (status != CLEAVE_OK)
        return cli_fail(status, &err);
    int usage = check_kind(p);
    if (usage != CLI_GO_ON)
        return usage;
    map(p);
    bool best_found = p->status == CLEAVE_EBALANCE || p->status == CLEAVE_ECANCEL;
    if (p->status == CLEAVE_OK || (best_found && has_parts(p)))
        return finish(p);
    return cli_fail(p->status, &p->error);
}

static void map_command_free(map_command *p)
{
    cleave_mpi_graph_free(p->g);
    free(p->part);
    free(p->old);
    cli_remapping_free(p->remapping);
    cli_demands_free(&p->demands);
    cli_outputs_free(&p->outputs);
}

void map_command_init(map_command *p, const char *verb)
{
    *p = (map_command){.verb = verb};
    cli_input_init(&p->input);
    cleave_options_init(&p->opt, sizeof p->opt);
}

int map_command_run(map_command *p, const cli_usage *usage, int argc, char **argv)
{
    int count, status = cli_parse(usage, argc, argv, &count);
    if (status == CLI_GO_ON)
        status = check_usage(p, argv);
    if (status == CLI_GO_ON)
        status = compute_mapping(p);
    map_command_free(p);
    return status;
}
