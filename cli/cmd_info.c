/* SPDX-License-Identifier: Apache-2.0 */
/* cleave info FILE..., cleave info -t TARGET: describes a graph file or a machine. */
#include <inttypes.h>
#include <stdio.h>

#include "cli/graph_io.h"
#include "cli/progress.h"
#include "cli/report.h"
#include "cli/summary.h"
#include "cli/target_info.h"

static void print_range(const char *label, const cli_range *range)
{
    cli_row(label, "total %" PRId64 ", min %" PRId64 ", max %" PRId64, range->total,
            range->min, range->max);
}

static double mean(int64_t total, int64_t count)
{
    return count ? (double)total / (double)count : 0;
}

static void print_weights(const cli_summary *s)
{
    for (int32_t c = 0; s->weight && c < s->view.ncon; c++) {
        char label[32];
        snprintf(label, sizeof label, s->view.ncon > 1 ? "vertex weight %d" : "vertex weight",
                 (int)c + 1);
        print_range(label, &s->weight[c]);
    }
    if (!s->weight)
        cli_row("vertex weight", "none");
    if (s->view.vsize)
        print_range("vertex size", &s->vsize);
    if (s->view.ewgt)
        print_range("edge weight", &s->edge_weight);
    else
        cli_row("edge weight", "none");
    if (s->source.unit)
        cli_row("unit", "%s", s->source.unit);
}

static void print_dag(const cli_summary *s)
{
    cli_row("out-degree", "max %" PRId32, s->out_max);
    cli_row("in-degree", "max %" PRId32, s->in_max);
    cli_row("sources", "%" PRId32, s->sources);
    cli_row("sinks", "%" PRId32, s->sinks);
    cli_row("levels", "%" PRId32, s->levels);
    cli_row("mean parallelism", "%.2f vertices per level", s->mean_parallelism);
}

static void print_box(const cli_summary *s)
{
    static const char *const axis[] = {"x", "y", "z"};
    if (!s->view.ndim)
        cli_row("coordinates", "none");
    for (int32_t d = 0; d < s->view.ndim; d++)
        cli_row(d == 0 ? "coordinates" : "", "%s from %g to %g", axis[d], s->low[d],
                s->high[d]);
}

static void print_text(const char *path, const cli_summary *s)
{
    const cleave_csr *view = &s->view;
    cli_line("%s", path);
    cli_row("kind", "%s", cli_kind_name(view->kind));
    cli_row("format", "%s%s%s", s->source.format ? s->source.format : "unknown",
            s->source.origin ? ", converted from " : "",
            s->source.origin ? s->source.origin : "");
    cli_row("vertices", "%" PRId32, view->nvtx);
    cli_row("edges", "%" PRId64, s->edges);
    cli_row("entries in file", "%" PRId64, s->source.entries);
    cli_row("degree", "min %" PRId64 ", mean %.2f, max %" PRId64, s->degree.min,
            mean(s->degree.total, view->nvtx), s->degree.max);
    cli_row("isolated", "%" PRId64, s->isolated);
    cli_row("components", "%" PRId32, s->components);
    if (view->kind == CLEAVE_DAG)
        print_dag(s);
    print_weights(s);
    print_box(s);
    cli_row("names", "%s", s->named ? "yes" : "no");
}

/* KEY_total, KEY_min, KEY_max, followed by _2, _3, ... for further weights. */
static void json_range(cli_json *json, const char *key, int32_t number, const cli_range *range)
{
    const char *const part[] = {"total", "min", "max"};
    for (int i = 0; i < 3; i++) {
        char name[64], suffix[16] = "";
        if (number > 0)
            snprintf(suffix, sizeof suffix, "_%d", (int)number + 1);
        snprintf(name, sizeof name, "%s_%s%s", key, part[i], suffix);
        if (range)
            cli_json_int(json, name, i == 0 ? range->total : i == 1 ? range->min : range->max);
        else
            cli_json_null(json, name);
    }
}

static void json_weights(cli_json *json, const cli_summary *s)
{
    cli_json_int(json, "vertex_weights", s->weight ? s->view.ncon : 0);
    json_range(json, "vertex_weight", 0, s->weight);
    for (int32_t c = 1; s->weight && c < s->view.ncon; c++)
        json_range(json, "vertex_weight", c, &s->weight[c]);
    json_range(json, "edge_weight", 0, s->view.ewgt ? &s->edge_weight : NULL);
    json_range(json, "vertex_size", 0, s->view.vsize ? &s->vsize : NULL);
    cli_json_text(json, "unit", s->source.unit);
}

static void json_dag(cli_json *json, const cli_summary *s)
{
    const char *const keys[] = {"out_degree_max", "in_degree_max", "sources", "sinks",
                                "levels"};
    const int32_t values[] = {s->out_max, s->in_max, s->sources, s->sinks, s->levels};
    bool dag = s->view.kind == CLEAVE_DAG;
    for (int i = 0; i < 5; i++) {
        if (dag)
            cli_json_int(json, keys[i], values[i]);
        else
            cli_json_null(json, keys[i]);
    }
    if (dag)
        cli_json_real(json, "mean_parallelism", s->mean_parallelism);
    else
        cli_json_null(json, "mean_parallelism");
}

static void json_box(cli_json *json, const cli_summary *s)
{
    const char *const low[] = {"x_min", "y_min", "z_min"};
    const char *const high[] = {"x_max", "y_max", "z_max"};
    cli_json_int(json, "dimensions", s->view.ndim);
    for (int d = 0; d < 3; d++) {
        if (d < s->view.ndim) {
            cli_json_real(json, low[d], s->low[d]);
            cli_json_real(json, high[d], s->high[d]);
        } else {
            cli_json_null(json, low[d]);
            cli_json_null(json, high[d]);
        }
    }
}

static void print_json(const char *path, const cli_summary *s, double seconds)
{
    cli_json json;
    cli_json_begin(&json);
    cli_json_text(&json, "file", path);
    cli_json_text(&json, "kind", cli_kind_name(s->view.kind));
    cli_json_text(&json, "format", s->source.format);
    cli_json_int(&json, "vertices", s->view.nvtx);
    cli_json_int(&json, "edges", s->edges);
    cli_json_int(&json, "entries", s->source.entries);
    cli_json_int(&json, "degree_min", s->degree.min);
    cli_json_real(&json, "degree_mean", mean(s->degree.total, s->view.nvtx));
    cli_json_int(&json, "degree_max", s->degree.max);
    cli_json_int(&json, "isolated", s->isolated);
    cli_json_int(&json, "components", s->components);
    json_dag(&json, s);
    json_weights(&json, s);
    json_box(&json, s);
    cli_json_bool(&json, "names", s->named);
    cli_json_real(&json, "seconds_read", seconds);
    cli_json_end(&json);
}

static int info_one(const char *path, const cli_input *input, bool as_json)
{
    cleave_graph *g;
    cleave_error err = {0};
    cli_summary summary;
    double seconds;
    cleave_status status = cli_graph_read(&g, path, input, NULL, &seconds, &err);
    if (status == CLEAVE_OK) {
        status = cli_summarise(&summary, g, &err);
        if (status == CLEAVE_OK) {
            if (as_json)
                print_json(path, &summary, seconds);
            else
                print_text(path, &summary);
            cli_summary_free(&summary);
        }
    }
    cleave_graph_free(g);
    return status == CLEAVE_OK ? cli_flush() : cli_fail(status, &err);
}

int cmd_info(int argc, char **argv)
{
    cli_input input;
    cli_list targets = {0};
    bool as_json = false;
    cli_input_init(&input);
    const cli_option options[] = {{CLI_LIST, 't', "target", "TARGET",
                                   "describe this machine; may be repeated", &targets, 0},
                                  {CLI_FLAG, 0, "json", NULL,
                                   "print one JSON object per file or machine, one per line",
                                   &as_json, 0},
                                  CLI_INPUT_OPTIONS(&input, CLI_AS_KINDS),
                                  {0}};
    const cli_usage usage = {
        "info",
        "FILE... | -t TARGET",
        0,
        -1,
        "Describes graph files: size, degrees, weights, coordinates, components, and the\n"
        "levels of a DAG. An invalid file is reported and the others are still described; "
        "the\n"
        "exit status is then the largest of all. '-' is standard input.\n"
        "With -t it describes a target of 'cleave map': PEs, speeds, levels, links and\n"
        "distances.",
        options};
    int count, status = cli_parse(&usage, argc, argv, &count);
    if (status == CLI_GO_ON && count + targets.count == 0)
        status =
            cli_usage_error(usage.verb, "info: missing argument, expected %s", usage.operands);
    if (status == CLI_GO_ON)
        status = cli_input_check(usage.verb, &input);
    if (status != CLI_GO_ON)
        return status;
    int worst = CLI_OK;
    for (int i = 0; i < targets.count + count && !cli_interrupted(); i++) {
        status = i < targets.count ? cli_target_info(targets.value[i], as_json)
                                   : info_one(argv[i - targets.count], &input, as_json);
        worst = status > worst ? status : worst;
    }
    return worst;
}
