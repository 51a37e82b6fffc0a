/* SPDX-License-Identifier: Apache-2.0 */
/* Schedules and remappings as pictures; see cli/view_more.h. */
#include "cli/view_more.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/progress.h"
#include "cli/schedule_evaluation.h"

void cli_view_more_init(cli_view_more *x)
{
    *x = (cli_view_more){0};
    cleave_schedule_costs_init(&x->facts.costs, sizeof x->facts.costs);
}

void cli_view_more_free(cli_view_more *x)
{
    free(x->facts.work);
    cleave_schedule_free(x->s);
    cleave_mapping_free(x->old);
}

bool cli_view_more_asked(const cli_view_more *x)
{
    return x->schedule || x->before;
}

int cli_view_more_check(const cli_view_more *x, const char *parts, const char *order)
{
    if (x->schedule && (parts || order || x->before))
        return cli_usage_error("view", "--schedule cannot be combined with %s",
                               parts   ? "--parts"
                               : order ? "--order"
                                       : "--before");
    if (x->costs_file && !x->schedule)
        return cli_usage_error("view", "--costs is for --schedule");
    if (x->before && !parts)
        return cli_usage_error("view", "--before needs --parts, the mapping after it");
    return CLI_GO_ON;
}

static cleave_status read_schedule(cli_view_more *x, cleave_graph **g, const cli_input *input,
                                   cleave_error *err)
{
    cleave_status status = CLEAVE_OK;
    if (x->costs_file)
        status = cleave_schedule_costs_read(&x->facts.costs, x->costs_file, err);
    if (status == CLEAVE_OK)
        status = cleave_schedule_read(&x->s, x->schedule, err);
    if (status == CLEAVE_OK &&
        (cli_schedule_check_triangle(input) || cleave_schedule_row(x->s)))
        status = cli_schedule_check_weigh(g, &x->row_weights, err);
    if (status == CLEAVE_OK)
        status = cli_schedule_measure(&x->facts, *g, x->s, err);
    if (status != CLEAVE_EINVAL)
        return status;
    char what[sizeof err->message]; /* the file does not fit the graph */
    snprintf(what, sizeof what, "%s", err->message);
    snprintf(err->message, sizeof err->message, "%.100s: %.140s", x->schedule, what);
    return CLEAVE_EPARSE;
}

/* The identity mapping: vertices to PEs in the order of their numbers. */
static cleave_status number_through(cli_view_more *x, const cleave_graph *g, int32_t pes,
                                    cleave_error *err)
{
    int32_t nvtx = cleave_graph_vertices(g);
    int32_t *part = cli_alloc(nvtx, sizeof *part);
    for (int32_t v = 0; v < nvtx; v++)
        part[v] = (int32_t)((int64_t)v * pes / nvtx);
    cleave_status status = cleave_mapping_create(&x->old, nvtx, pes, part, err);
    free(part);
    return status;
}

cleave_status cli_view_more_read(cli_view_more *x, cleave_graph **g, const cli_input *input,
                                 int32_t k, cleave_error *err)
{
    if (x->schedule)
        return read_schedule(x, g, input, err);
    if (x->machine && x->before && strcmp(x->before, "identity") == 0)
        return number_through(x, *g, k, err);
    return x->before ? cli_mapping_read(&x->old, x->before, *g, k, err) : CLEAVE_OK;
}

cleave_status cli_view_more_draw(const cli_view_more *x, const char *output,
                                 const cleave_graph *g, const cleave_mapping *m,
                                 const cleave_view_options *opt, cleave_error *err)
{
    return x->s ? cleave_view_schedule(output, g, x->s, &x->facts.costs, opt, err)
                : cleave_view_remap(output, g, x->old, m, opt, err);
}

/* ---- The report ----------------------------------------------------------------------- */

typedef struct moves {
    int64_t vertices, migration;
} moves;

static moves count_moves(const cli_view_more *x, const cleave_graph *g,
                         const cleave_mapping *m)
{
    moves sum = {0, 0};
    cleave_csr csr;
    cleave_csr_init(&csr, sizeof csr);
    cleave_graph_view(g, &csr);
    const int32_t *old = cleave_mapping_parts(x->old), *now = cleave_mapping_parts(m);
    for (int32_t v = 0; v < csr.nvtx; v++)
        if (old[v] != now[v]) {
            sum.vertices++;
            sum.migration += csr.vsize ? csr.vsize[v] : 1;
        }
    return sum;
}

static cli_schedule_report report_of(const cli_view_more *x, const char *path,
                                     const cleave_graph *g)
{
    return (cli_schedule_report){.graph = path,
                                 .schedule = x->schedule,
                                 .g = g,
                                 .s = x->s,
                                 .row_weights = x->row_weights};
}

void cli_view_more_json(const cli_view_more *x, cli_json *json, const char *path,
                        const cleave_graph *g, const cleave_mapping *m)
{
    if (x->s) {
        cli_schedule_report r = report_of(x, path, g);
        cli_schedule_json_head(json, &r);
        cli_schedule_json(json, &x->facts, &r);
        return;
    }
    moves sum = count_moves(x, g, m);
    cli_json_int(json, "moved", sum.vertices);
    cli_json_int(json, "migration", sum.migration);
}

void cli_view_more_text(const cli_view_more *x, const char *path, const char *output,
                        const cleave_graph *g, const cleave_mapping *m)
{
    if (x->s) {
        cli_line("%s: %s, %" PRId32 " %s on %" PRId32 " %s", path, output,
                 x->facts.metrics.layers,
                 cli_plural(x->facts.metrics.layers, "layer", "layers"),
                 cleave_schedule_threads(x->s),
                 cli_plural(cleave_schedule_threads(x->s), "thread", "threads"));
        return;
    }
    moves sum = count_moves(x, g, m);
    cli_line("%s: %s, %" PRId64 " of %" PRId32 " %s moved, migration %" PRId64, path, output,
             sum.vertices, cleave_graph_vertices(g),
             cli_plural(cleave_graph_vertices(g), "vertex", "vertices"), sum.migration);
}
