/* SPDX-License-Identifier: Apache-2.0 */
/* cleave view GRAPH -o PICTURE: draws a graph, its parts, or an order. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "cli/graph_io.h"
#include "cli/progress.h"
#include "cli/quality.h"
#include "cli/target_rows.h"
#include "cli/view_more.h"

typedef struct viewing {
    cli_input input;
    int32_t k; /* 0: not given */
    const char *parts, *target_text, *order_file, *output, *format, *layout, *title;
    int32_t width, height;
    double imbalance;
    bool json;
    cleave_target *target; /* NULL: none given */
    double *shares;        /* its speeds; NULL: equal */
    cleave_graph *g;
    cleave_mapping *m; /* NULL: no --parts */
    cleave_order *order;
    cli_view_more more; /* a schedule, or an earlier mapping */
    cleave_metrics metrics;
    cleave_target_metrics on_target;
    double seconds_read, seconds;
} viewing;

/* ---- The command line ---------------------------------------------------------------- */

static int take_target(viewing *v)
{
    cleave_error err = {0};
    cleave_status status = cleave_target_parse(&v->target, v->target_text, &err);
    if (status == CLEAVE_EINVAL)
        return cli_usage_error("view", "-t: %s", err.message);
    if (status != CLEAVE_OK)
        return cli_fail(status, &err);
    int32_t pes = cleave_target_pes(v->target);
    if (v->k && v->k != pes)
        return cli_usage_error("view", "-k %d and -t %s (%d PEs) contradict each other",
                               (int)v->k, v->target_text, (int)pes);
    v->k = pes;
    v->shares = cli_target_shares(v->target);
    return CLI_GO_ON;
}

static int check_output(const viewing *v, const char *path)
{
    if (!v->output)
        return cli_usage_error(
            "view",
            "missing output: -o FILE with the extension .svg, .html, .dot, .vtk or .vtu");
    if (!v->format && !cleave_view_format_of_path(v->output))
        return cli_usage_error(
            "view",
            "'%s': unknown picture format; use .svg, .html, .dot, .vtk or .vtu, or --format",
            v->output);
    struct stat to, from;
    if (strcmp(v->output, "-") != 0 && stat(v->output, &to) == 0 && stat(path, &from) == 0 &&
        to.st_dev == from.st_dev && to.st_ino == from.st_ino)
        return cli_usage_error("view", "the output would replace the graph '%s'", path);
    if (v->json && strcmp(v->output, "-") == 0)
        return cli_usage_error("view", "the picture and --json cannot both go to standard "
                                       "output");
    return CLI_GO_ON;
}

static int take_options(viewing *v, char **argv)
{
    const char *others[] = {v->parts, v->order_file, v->more.schedule, v->more.before};
    int pipes = strcmp(argv[0], "-") == 0;
    for (int i = 0; i < 4; i++)
        pipes += others[i] && strcmp(others[i], "-") == 0;
    if (pipes > 1)
        return cli_usage_error("view", "only one of the files can be '-'");
    if (v->parts && v->order_file)
        return cli_usage_error("view", "--parts and --order both set the colours");
    if (!v->parts && (v->k || v->target_text))
        return cli_usage_error("view", "%s is for --parts%s", v->k ? "-k" : "-t",
                               v->k ? "" : "; without a graph the machine alone is drawn");
    if (v->more.machine && !v->target_text)
        return cli_usage_error("view", "--machine draws the machine of -t, and of --parts");
    if (v->more.machine && v->more.schedule)
        return cli_usage_error("view", "--machine and --schedule cannot be combined");
    int status = cli_view_more_check(&v->more, v->parts, v->order_file);
    if (status == CLI_GO_ON)
        status = check_output(v, argv[0]);
    if (status == CLI_GO_ON)
        status = cli_input_check("view", &v->input);
    if (status == CLI_GO_ON && v->target_text)
        status = take_target(v);
    return status;
}

/* Without a graph: only the machine. */
static int take_machine(viewing *v)
{
    if (!v->target_text)
        return cli_usage_error("view", "missing graph, or machine to draw: -t TARGET");
    const char *other = v->parts           ? "--parts"
                        : v->order_file    ? "--order"
                        : v->more.before   ? "--before"
                        : v->more.schedule ? "--schedule"
                        : v->k             ? "-k"
                                           : NULL;
    if (other)
        return cli_usage_error("view", "%s needs a graph", other);
    int status = check_output(v, v->target_text);
    return status == CLI_GO_ON ? take_target(v) : status;
}

/* ---- The work ------------------------------------------------------------------------ */

static cleave_status read_order(viewing *v, cleave_error *err)
{
    cleave_status status =
        cleave_order_open(&v->order, v->order_file, v->input.trust ? CLEAVE_TRUST : 0, err);
    return status == CLEAVE_OK ? cli_order_fit(v->order, v->order_file, v->g, false, err)
                               : status;
}

static cleave_status read_all(viewing *v, const char *path, cleave_error *err)
{
    double start = cli_clock();
    cleave_status status = cli_graph_read(&v->g, path, &v->input, NULL, NULL, err);
    if (status == CLEAVE_OK && v->parts)
        status = cli_mapping_read(&v->m, v->parts, v->g, v->k, err);
    if (status == CLEAVE_OK && v->order_file)
        status = read_order(v, err);
    if (status == CLEAVE_OK)
        status = cli_view_more_read(&v->more, &v->g, &v->input,
                                    v->target && !v->more.machine ? 0 : v->k, err);
    v->seconds_read = cli_clock() - start;
    return status;
}

static const char *base_name(const char *path)
{
    const char *slash = strrchr(path, '/');
    return strcmp(path, "-") == 0 ? "standard input" : slash ? slash + 1 : path;
}

/* path NULL: there is no graph, only the machine. */
static cleave_status draw(viewing *v, const char *path, cleave_error *err)
{
    cli_progress progress;
    cleave_view_options opt;
    cleave_view_options_init(&opt, sizeof opt);
    opt.title = v->title || !path ? v->title : base_name(path);
    opt.format = v->format;
    opt.width = v->width;
    opt.height = v->height;
    opt.layout = v->layout ? v->layout[0] - '0' : 0;
    opt.imbalance = v->imbalance;
    opt.shares = v->shares;
    opt.order = v->order;
    opt.progress = cli_progress_report;
    opt.payload = &progress;
    cli_progress_begin(&progress, CLI_WRITING);
    cleave_status status =
        v->more.machine || !path
            ? cleave_view_target(v->output, v->target, v->g, v->m, v->more.old, &opt, err)
        : cli_view_more_asked(&v->more)
            ? cli_view_more_draw(&v->more, v->output, v->g, v->m, &opt, err)
            : cleave_view_graph(v->output, v->g, v->m, v->target, &opt, err);
    v->seconds = cli_progress_end(&progress);
    return status;
}

static cleave_status evaluate_view(viewing *v, cleave_error *err)
{
    cleave_evaluate_options opt;
    cleave_evaluate_options_init(&opt, sizeof opt);
    opt.imbalance = v->imbalance;
    opt.shares = v->shares;
    cleave_metrics_init(&v->metrics, sizeof v->metrics);
    cleave_target_metrics_init(&v->on_target, sizeof v->on_target);
    cleave_status status =
        v->m ? cleave_evaluate(&v->metrics, v->g, v->m, &opt, err) : CLEAVE_OK;
    if (status == CLEAVE_OK && v->m && v->target)
        status = cleave_evaluate_target(&v->on_target, v->g, v->m, v->target, err);
    return status;
}

/* ---- The report ---------------------------------------------------------------------- */

static int64_t size_of(const char *path)
{
    struct stat info;
    return stat(path, &info) == 0 ? (int64_t)info.st_size : -1;
}

static void picture_json(const viewing *v, cli_json *json)
{
    cli_json_text(json, "picture", v->output);
    cli_json_int(json, "bytes", size_of(v->output));
    cli_json_real(json, "seconds", v->seconds);
}

static void print_json(const viewing *v, const char *path)
{
    cli_json json;
    cli_json_begin(&json);
    if (v->m) {
        cli_quality_json(&json, path, v->parts, cli_size_of(v->g), &v->metrics,
                         &(cli_bound){.imbalance = v->imbalance});
    } else if (!v->more.s) {
        cli_json_text(&json, "file", path);
        cli_json_text(&json, "kind", cli_kind_name(cleave_graph_kind(v->g)));
        cli_json_int(&json, "vertices", cleave_graph_vertices(v->g));
        cli_json_int(&json, "edges", cleave_graph_edges(v->g));
    }
    if (cli_view_more_asked(&v->more))
        cli_view_more_json(&v->more, &json, path, v->g, v->m);
    if (v->m && v->target)
        cli_target_json(&json, v->target_text, &v->on_target);
    picture_json(v, &json);
    cli_json_real(&json, "seconds_read", v->seconds_read);
    cli_json_end(&json);
}

static int report(const viewing *v, const char *path)
{
    int32_t nvtx = cleave_graph_vertices(v->g);
    if (v->json)
        print_json(v, path);
    else if (cli_view_more_asked(&v->more) && strcmp(v->output, "-") != 0)
        cli_view_more_text(&v->more, path, v->output, v->g, v->m);
    else if (v->m && strcmp(v->output, "-") != 0)
        cli_line("%s: %s, %" PRId32 " %s in %" PRId32 " %s, cut %" PRId64, path, v->output,
                 nvtx, cli_plural(nvtx, "vertex", "vertices"), v->metrics.parts,
                 cli_plural(v->metrics.parts, "part", "parts"), v->metrics.cut);
    else if (strcmp(v->output, "-") != 0)
        cli_line("%s: %s, %" PRId32 " %s", path, v->output, nvtx,
                 cli_plural(nvtx, "vertex", "vertices"));
    return cli_flush();
}

static int draw_machine(viewing *v)
{
    cleave_error err = {0};
    cli_json json;
    cleave_status status = draw(v, NULL, &err);
    if (status != CLEAVE_OK)
        return cli_fail(status, &err);
    if (!v->json && strcmp(v->output, "-") != 0)
        cli_line("%s: %s, %" PRId32 " %s", v->target_text, v->output, v->k,
                 cli_plural(v->k, "PE", "PEs"));
    if (v->json) {
        cli_json_begin(&json);
        cli_json_text(&json, "target", v->target_text);
        cli_json_int(&json, "pes", v->k);
        picture_json(v, &json);
        cli_json_end(&json);
    }
    return cli_flush();
}

static int draw_view(viewing *v, const char *path)
{
    cleave_error err = {0};
    cleave_status status = read_all(v, path, &err);
    if (status == CLEAVE_OK)
        status = evaluate_view(v, &err);
    if (status == CLEAVE_OK)
        status = draw(v, path, &err);
    return status == CLEAVE_OK ? report(v, path) : cli_fail(status, &err);
}

static const char about[] =
    "Draws a graph: by its coordinates, in the plane or in space, or by a computed "
    "layout.\n"
    "With --parts adjacent parts get different colours, also for colour-blind readers;\n"
    "borders and cut edges are emphasised.\n"
    "  .svg   one picture, opens anywhere\n"
    "  .html  a page that works offline: zoom, rotate, details under the mouse, layers,\n"
    "         and the metrics of 'cleave evaluate'\n"
    "  .dot   for Graphviz\n"
    "  .vtu, .vtk  for ParaView: a graph with coordinates, its parts as an array\n"
    "  .json  of a schedule: a trace for chrome://tracing or Perfetto\n"
    "A DAG runs from left to right, levels as columns and parts as bands. --schedule "
    "draws\n"
    "a row per thread and a bar per layer, --before what moved since another mapping.\n"
    "--machine draws the target: load of PEs and traffic of links as heat, with --before\n"
    "two mappings side by side ('identity': vertices in the order of their numbers).\n"
    "Without GRAPH, -t TARGET alone is drawn.";

int cmd_view(int argc, char **argv)
{
    viewing v = {.imbalance = 0.03, .width = 1000, .height = 720};
    cli_input_init(&v.input);
    cli_view_more_init(&v.more);
    const cli_option options[] = {
        {CLI_STRING, 'o', "output", "FILE", "the picture: .svg, .html, .dot, .vtk, .vtu",
         &v.output, 0},
        {CLI_STRING, 0, "parts", "FILE", "a partition or mapping: colour its parts", &v.parts,
         0},
        {CLI_COUNT, 'k', "k", "PARTS", "number of parts (default: from the file)", &v.k, 1},
        {CLI_STRING, 't', "target", "TARGET", "target machine: also report cost and load",
         &v.target_text, 0},
        {CLI_FLAG, 0, "machine", NULL, "draw the machine: load and traffic as heat",
         &v.more.machine, 0},
        {CLI_STRING, 0, "order", "FILE", "an order: colours run along it", &v.order_file, 0},
        {CLI_STRING, 0, "before", "FILE", "the mapping before --parts: what moved",
         &v.more.before, 0},
        {CLI_STRING, 0, "schedule", "FILE", "a schedule: draw it as a Gantt chart",
         &v.more.schedule, 0},
        {CLI_STRING, 0, "costs", "FILE", "file of costs from 'cleave bench calibrate'",
         &v.more.costs_file, 0},
        {CLI_CHOICE, 0, "format", "svg|html|dot|vtk|vtu|json",
         "kind of picture (default: from the name)", &v.format, 0},
        {CLI_CHOICE, 0, "layout", "2|3",
         "compute a layout in this many dimensions, even with coordinates", &v.layout, 0},
        {CLI_STRING, 0, "title", "TEXT", "headline (default: the name of the file)", &v.title,
         0},
        {CLI_COUNT, 0, "width", "PIXELS", "width of an SVG picture (default 1000)", &v.width,
         200},
        {CLI_COUNT, 0, "height", "PIXELS", "height of an SVG picture (default 720)", &v.height,
         200},
        {CLI_IMBALANCE, 0, "imbalance", "X", "bound that 'balanced' refers to (default 0.03)",
         &v.imbalance, 0},
        CLI_JSON_OPTION(&v.json),
        CLI_INPUT_OPTIONS(&v.input, CLI_AS_KINDS),
        {0}};
    const cli_usage usage = {"view", "[GRAPH] -o PICTURE", 0, 1, about, options};
    int count, status = cli_parse(&usage, argc, argv, &count);
    if (status == CLI_GO_ON)
        status = count ? take_options(&v, argv) : take_machine(&v);
    if (status == CLI_GO_ON)
        status = count ? draw_view(&v, argv[0]) : draw_machine(&v);
    cli_view_more_free(&v.more);
    cleave_order_free(v.order);
    cleave_mapping_free(v.m);
    cleave_graph_free(v.g);
    cleave_target_free(v.target);
    free(v.shares);
    return status;
}
