/* SPDX-License-Identifier: Apache-2.0 */
/* Calls of the library's readers and writers with progress, signals and time limit. */
#include "cli/graph_io.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/progress.h"

void cli_input_init(cli_input *input)
{
    *input = (cli_input){.scale = -1};
}

int cli_input_check(const char *verb, const cli_input *input)
{
    if (input->scale >= 0 && (!input->weights || strcmp(input->weights, "values") != 0))
        return cli_usage_error(verb, "--scale needs --weights values");
    if (input->dual && input->nodal)
        return cli_usage_error(verb, "--dual and --nodal cannot be combined");
    return CLI_GO_ON;
}

void cli_read_options(cleave_read_options *opt, const cli_input *input)
{
    cleave_read_options_init(opt, sizeof *opt);
    opt->format = input->from;
    opt->as = input->as;
    opt->symmetrise = input->symmetrise;
    opt->weights = input->weights;
    if (input->scale >= 0)
        opt->scale = input->scale;
    opt->coords = input->coords;
    opt->threads = input->threads;
    if (input->trust)
        opt->flags |= CLEAVE_TRUST;
    if (input->dual)
        opt->common = input->dual;
    opt->binarise = input->binarise;
    opt->condense = input->condense;
    opt->components = input->components;
    opt->mesh = input->nodal ? "nodal" : input->dual ? "dual" : NULL;
}

/* A signal that arrived too late for the callback still counts. */
static cleave_status after_call(cli_progress *progress, cleave_status status, double *seconds)
{
    double taken = cli_progress_end(progress);
    if (seconds)
        *seconds = taken;
    return cli_interrupted() ? CLEAVE_ECANCEL : status;
}

cleave_status cli_graph_read(cleave_graph **out, const char *path, const cli_input *input,
                             cleave_repairs *repairs, double *seconds, cleave_error *err)
{
    cli_progress progress;
    cleave_read_options opt;
    cli_read_options(&opt, input);
    if (repairs) {
        cleave_repairs_init(repairs, sizeof *repairs);
        opt.flags |= CLEAVE_REPAIR;
        opt.repairs = repairs;
    }
    opt.progress = cli_progress_report;
    opt.payload = &progress;
    *out = NULL;
    cli_progress_begin(&progress, CLI_READING);
    return after_call(&progress, cleave_graph_read(out, path, &opt, err), seconds);
}

cleave_status cli_matrix_read(cleave_matrix **out, const char *path, const cli_input *input,
                              double *seconds, cleave_error *err)
{
    cli_progress progress;
    cleave_read_options opt;
    cli_read_options(&opt, input);
    opt.as = NULL;
    opt.progress = cli_progress_report;
    opt.payload = &progress;
    *out = NULL;
    cli_progress_begin(&progress, CLI_READING);
    return after_call(&progress, cleave_matrix_read(out, path, &opt, err), seconds);
}

cleave_status cli_graph_write(const cleave_graph *g, const char *path, const char *format,
                              cleave_error *err)
{
    cleave_write_options opt;
    cleave_write_options_init(&opt, sizeof opt);
    opt.format = format;
    return cli_graph_write_with(g, path, opt, err);
}

cleave_status cli_graph_write_with(const cleave_graph *g, const char *path,
                                   cleave_write_options opt, cleave_error *err)
{
    cli_progress progress;
    opt.progress = cli_progress_report;
    opt.payload = &progress;
    cli_progress_begin(&progress, CLI_WRITING);
    cleave_status status = cleave_graph_write(g, path, &opt, err);
    cli_progress_end(&progress);
    return status;
}

static cleave_csr view_of(const cleave_graph *g)
{
    cleave_csr view;
    cleave_csr_init(&view, sizeof view);
    cleave_graph_view(g, &view);
    return view;
}

bool cli_has_coords(const cleave_graph *g)
{
    return view_of(g).ndim != 0;
}

int32_t cli_weights_per_vertex(const cleave_graph *g)
{
    return view_of(g).ncon;
}

const char *cli_kind_name(cleave_kind kind)
{
    return kind == CLEAVE_DAG ? "dag" : "undirected";
}

const char *cli_plural(int64_t count, const char *one, const char *many)
{
    return count == 1 ? one : many;
}

cleave_status cli_order_fit(cleave_order *o, const char *path, const cleave_graph *g,
                            bool complete, cleave_error *err)
{
    cleave_status status =
        complete ? cleave_order_complete(o, g, err) : cleave_order_check(o, g, err);
    if (status != CLEAVE_EINVAL)
        return status;
    cleave_error why = *err;
    err->status = CLEAVE_EPARSE;
    snprintf(err->message, sizeof err->message, "%.80s: %.168s", path, why.message);
    return CLEAVE_EPARSE;
}

int32_t cli_parts_in_name(const char *path)
{
    const char *found = NULL;
    for (const char *at = path; (at = strstr(at, ".part.")); at++)
        found = at + strlen(".part.");
    if (!found || *found < '1' || *found > '9')
        return 0;
    char *end;
    long long k = strtoll(found, &end, 10);
    return (*end == 0 || strcmp(end, ".gz") == 0) && k <= INT32_MAX ? (int32_t)k : 0;
}

/* Without k, only the name shows empty parts at the end. */
cleave_status cli_mapping_read(cleave_mapping **out, const char *path, const cleave_graph *g,
                               int32_t k, cleave_error *err)
{
    int32_t nvtx = cleave_graph_vertices(g), named = cli_parts_in_name(path);
    cleave_status status = cleave_mapping_read_for(out, path, g, k ? k : -1, err);
    if (status != CLEAVE_OK || k || cleave_mapping_nparts(*out) >= named)
        return status;
    cleave_mapping *wider = NULL;
    status = cleave_mapping_create(&wider, nvtx, named, cleave_mapping_parts(*out), err);
    cleave_mapping_free(*out);
    *out = wider;
    return status;
}
