/* SPDX-License-Identifier: Apache-2.0 */
/* mpi/program/mpi_map_command.c - see mpi/program/mpi_map_command.h. */
#include "mpi/program/mpi_map_command.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int check_usage(map_command *p, char **argv)
{
    cli_map_request *r = &p->request;
    const cli_demands *d = &r->demands;
    int status = cli_map_request_check(r, argv);
    if (status == CLI_GO_ON)
        status = cli_map_request_check_files(r);
    r->opt.params = r->method.params;
    snprintf(r->method.text, sizeof r->method.text, "%s", r->opt.params ? r->opt.params : "");
    status = ranks_agree(status);
    if (status == CLI_GO_ON)
        status = ranks_same_target(r->verb, d->target_text, d->target);
    if (status == CLI_GO_ON && r->remapping)
        status = ranks_same_target(r->verb, r->remapping->from_text, r->remapping->from);
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
    cli_demands *d = &p->request.demands;
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
    cli_map_request *r = &p->request;
    cli_demands *d = &r->demands;
    double start = cli_clock(), seconds;
    cleave_status status = rank_graph_read(&p->g, r->graph, &r->input, &seconds, err);
    if (status == CLEAVE_OK)
        status = read_limits(p, err);
    if (status == CLEAVE_OK && d->fix)
        status = rank_fixed_read(&d->fixed, p->g, d->k, d->fix, err);
    if (status == CLEAVE_OK && r->remapping) {
        p->old = ranks_alloc(rank_graph_share(p->g).nlocal, sizeof *p->old, err);
        p->nold = -1;
        status = p->old ? cleave_mpi_parts_read(p->old, &p->nold, p->g, d->start, err)
                        : CLEAVE_ENOMEM;
    }
    cli_demands_point(d);
    r->times.read = cli_clock() - start;
    return status;
}

/* Options that need a DAG. */
static int check_kind(const cli_map_request *r, cleave_kind kind)
{
    if (r->acyclic && kind != CLEAVE_DAG)
        return cli_usage_error(r->verb, "--acyclic is for DAGs, but %s is an undirected graph",
                               r->graph);
    return CLI_GO_ON;
}

/* ---- Mapping --------------------------------------------------------------------------- */

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
    cli_map_request *r = &p->request;
    const cleave_target *t = r->demands.target;
    cli_progress progress;
    int32_t own = rank_graph_share(p->g).nlocal;
    p->part = ranks_alloc(own, sizeof *p->part, &r->error);
    if (!p->part) {
        r->status = CLEAVE_ENOMEM;
        return;
    }
    memset(p->part, 0xff, (size_t)own * sizeof *p->part);
    cli_map_request_begin(r, &progress);
    if (r->remapping) {
        const cleave_remap_options how = cli_remapping_options(r->remapping, &r->opt);
        r->status = cleave_mpi_remap(p->part, p->g, p->old, p->nold, t, &how, &r->error);
    } else {
        r->status = cleave_mpi_map(p->part, p->g, t, &r->opt, &r->error);
    }
    cli_map_request_end(r, &progress);
    if (ranks_interrupted() && r->status == CLEAVE_OK) /* it arrived too late for the
                                                          callback */
        r->status = CLEAVE_ECANCEL;
}

/* The metrics of `cleave-mpi evaluate`, with the requested balance. */
static cleave_status evaluate(map_command *p, cleave_error *err)
{
    cli_map_request *r = &p->request;
    const cli_demands *d = &r->demands;
    cli_map_request_init_metrics(r);
    cleave_status status =
        cleave_mpi_evaluate(&r->metrics, p->g, d->k, p->part, &r->costs, err);
    r->metrics.imbalance = r->report.imbalance;
    r->metrics.balanced = r->report.balanced;
    if (status == CLEAVE_OK && cli_map_request_shows_target(r))
        status = cleave_mpi_evaluate_target(&r->on_target, p->g, p->part, d->target, err);
    p->bytes_sent = rank_bytes_sent(p->g);
    return status;
}

/* ---- The report ------------------------------------------------------------------------ */

static void print_text(const map_command *p)
{
    const cli_map_request *r = &p->request;
    cli_map_request_rows(r, rank_graph_size(p->g));
    cli_method_row(&r->method, r->effort, r->opt.seed, rank_graph_share(p->g).ncon > 1);
    rank_bytes_row(p->bytes_sent);
    cli_map_request_seconds(r, " per rank");
}

static void print_json(const map_command *p)
{
    const cli_map_request *r = &p->request;
    cli_json json;
    cli_json_begin(&json);
    cli_map_request_json(&json, r, rank_graph_size(p->g));
    cli_map_request_json_search(&json, r);
    cli_json_int(&json, "ranks", ranks_count());
    cli_json_int(&json, "threads", r->report.threads);
    cli_json_int(&json, "bytes_sent", p->bytes_sent);
    cli_json_times(&json, &r->times);
    cli_json_end(&json);
}

static int finish(map_command *p)
{
    cli_map_request *r = &p->request;
    cleave_error err = {0};
    cleave_status status =
        rank_parts_write(r->outputs.mapping, p->g, p->part, &r->times.write, &err);
    if (status == CLEAVE_OK)
        status = evaluate(p, &err);
    if (status != CLEAVE_OK)
        return cli_fail(status, &err);
    if (r->json)
        print_json(p);
    else if (!cli_outputs_piped(&r->outputs))
        print_text(p);
    int flushed = cli_flush();
    int met = cli_map_request_missing(r, cleave_mpi_graph_vertices(p->g));
    return flushed > met ? flushed : met;
}

static int compute_mapping(map_command *p)
{
    const cli_map_request *r = &p->request;
    cleave_error err = {0};
    cleave_status status = read_all(p, &err);
    if (status != CLEAVE_OK)
        return cli_fail(status, &err);
    int usage = check_kind(r, cleave_mpi_graph_kind(p->g));
    if (usage != CLI_GO_ON)
        return usage;
    map(p);
    bool best_found = r->status == CLEAVE_EBALANCE || r->status == CLEAVE_ECANCEL;
    if (r->status == CLEAVE_OK || (best_found && has_parts(p)))
        return finish(p);
    return cli_fail(r->status, &r->error);
}

void map_command_init(map_command *p, const char *verb)
{
    *p = (map_command){.g = NULL};
    cli_map_request_init(&p->request, verb);
}

int map_command_run(map_command *p, const cli_usage *usage, int argc, char **argv)
{
    int count, status = cli_parse(usage, argc, argv, &count);
    if (status == CLI_GO_ON)
        status = check_usage(p, argv);
    if (status == CLI_GO_ON)
        status = compute_mapping(p);
    cleave_mpi_graph_free(p->g);
    free(p->part);
    free(p->old);
    cli_map_request_free(&p->request);
    return status;
}
