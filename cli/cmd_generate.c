/* SPDX-License-Identifier: Apache-2.0 */
/* cleave generate KIND -o OUT: generated graphs, and factors of graphs. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/format_holds.h"
#include "cli/graph_io.h"
#include "cli/progress.h"
#include "cli/report.h"

typedef struct generation {
    const char *spec, *out, *to, *coords, *seed_text, *of, *order;
    int32_t threads;
    bool list, values, json, no_sync;
    bool factor; /* the operand is "factor" */
    uint64_t seed;
    double seconds, seconds_write;
} generation;

/* ---- Making ------------------------------------------------------------------------ */

static cleave_status make(cleave_graph **g, const generation *c, const char *spec,
                          cleave_error *err)
{
    cleave_generate_options opt;
    cleave_generate_options_init(&opt, sizeof opt);
    opt.seed = c->seed;
    opt.threads = c->threads;
    return cleave_graph_generate(g, spec, &opt, err);
}

static bool names_a_kind(const char *text)
{
    const char *name;
    size_t length = strcspn(text, ":");
    for (int i = 0; (name = cleave_generator_name(i, NULL, NULL)); i++)
        if (strlen(name) == length && strncmp(name, text, length) == 0)
            return true;
    return false;
}

/* A file if one of that name exists, else a kind of graph. */
static cleave_status read_or_make(cleave_graph **g, const generation *c, cleave_error *err)
{
    if (access(c->of, F_OK) != 0 && names_a_kind(c->of))
        return make(g, c, c->of, err);
    cli_input input;
    cli_input_init(&input);
    input.threads = c->threads;
    return cli_graph_read(g, c->of, &input, NULL, NULL, err);
}

/* The file is read as a partition file, whose messages name parts: only their "path:line:" is
 * kept. */
static void explain_order(const char *path, int32_t nvtx, cleave_error *err)
{
    char sentence[sizeof err->message];
    const char *label = strcmp(path, "-") == 0 ? "standard input" : path;
    size_t length = strlen(label);
    if (strncmp(err->message, label, length) != 0 || err->message[length] != ':')
        return;
    const char *line = err->message + length + 1;
    size_t digits = strspn(line, "0123456789");
    if (digits == 0)
        return;
    snprintf(sentence, sizeof sentence,
             "%.*s: an order has one vertex per line, numbered from 0: here a whole number "
             "from 0 to %d",
             (int)(length + 1 + digits), err->message, (int)nvtx - 1);
    memcpy(err->message, sentence, sizeof sentence);
}

static cleave_status read_order(cleave_mapping **order, const char *path, int32_t nvtx,
                                cleave_error *err)
{
    cleave_status status = cleave_mapping_read(order, path, -1, nvtx ? nvtx : -1, err);
    if (status == CLEAVE_EPARSE)
        explain_order(path, nvtx, err);
    if (status != CLEAVE_OK || cleave_mapping_vertices(*order) == nvtx)
        return status;
    snprintf(err->message, sizeof err->message,
             "%.120s: the order names %d vertices, but the graph has %d", path,
             (int)cleave_mapping_vertices(*order), (int)nvtx);
    return CLEAVE_EPARSE;
}

/* The factor as a graph or, with --values, as a matrix.  An invalid order file is bad input,
 * not wrong usage. */
static cleave_status make_factor(cleave_graph **dag, cleave_matrix **a, generation *c,
                                 const cleave_graph *g, cleave_error *err)
{
    const char *name = c->order ? c->order : "natural";
    cleave_mapping *order = NULL;
    const int32_t *permutation = NULL;
    if (strcmp(name, "natural") != 0 && strcmp(name, "mindeg") != 0) {
        cleave_status status = read_order(&order, name, cleave_graph_vertices(g), err);
        if (status != CLEAVE_OK) {
            cleave_mapping_free(order);
            return status;
        }
        permutation = cleave_mapping_parts(order);
        name = NULL;
    }
    double start = cli_clock();
    cleave_status status = c->values
                               ? cleave_matrix_factor(a, g, name, permutation, c->seed, err)
                               : cleave_graph_factor(dag, g, name, permutation, err);
    if (status == CLEAVE_EINVAL && permutation) {
        char sentence[sizeof err->message];
        memcpy(sentence, err->message, sizeof sentence);
        snprintf(err->message, sizeof err->message, "%.100s: %.140s", c->order, sentence);
        status = CLEAVE_EPARSE;
    }
    c->seconds = cli_clock() - start;
    cleave_mapping_free(order);
    return status;
}

/* ---- Writing ----------------------------------------------------------------------- */

/* The file for the coordinates; NULL: none. */
static const char *coords_file(const generation *c)
{
    return c->coords && c->coords[0] ? c->coords : NULL;
}

static cleave_status write_graph(generation *c, const cleave_graph *g, cleave_error *err)
{
    double start = cli_clock();
    cleave_write_options opt;
    cleave_write_options_init(&opt, sizeof opt);
    opt.format = c->to;
    opt.no_sync = c->no_sync;
    cleave_status status = cli_graph_write_with(g, c->out, opt, err);
    if (status == CLEAVE_OK && coords_file(c)) {
        cli_progress progress;
        cli_progress_begin(&progress, CLI_WRITING);
        status = cleave_graph_write_coords(g, coords_file(c), err);
        cli_progress_end(&progress);
    }
    c->seconds_write = cli_clock() - start;
    return status;
}

static cleave_status write_matrix(generation *c, const cleave_matrix *a, cleave_error *err)
{
    cli_progress progress;
    cli_progress_begin(&progress, CLI_WRITING);
    cleave_status status = cleave_matrix_write(a, c->out, err);
    c->seconds_write = cli_progress_end(&progress);
    return status;
}

/* Prints one line, or one object; nothing when the graph itself went to standard output. */
static void report(const generation *c, const char *kind, int32_t vertices, int64_t edges)
{
    if (c->json) {
        cli_json json;
        cli_json_begin(&json);
        cli_json_text(&json, "file", c->out);
        cli_json_text(&json, "kind", kind);
        cli_json_int(&json, "vertices", vertices);
        cli_json_int(&json, "edges", edges);
        cli_json_text(&json, "coords", coords_file(c));
        cli_json_real(&json, "seconds", c->seconds);
        cli_json_real(&json, "seconds_write", c->seconds_write);
        cli_json_end(&json);
    } else if (strcmp(c->out, "-") != 0) {
        cli_line("%s: %s, %" PRId32 " %s, %" PRId64 " %s%s%s%s", c->out, kind, vertices,
                 cli_plural(vertices, "vertex", "vertices"), edges,
                 cli_plural(edges, "edge", "edges"), c->values ? " and the diagonal" : "",
                 coords_file(c) ? "; coordinates in " : "",
                 coords_file(c) ? coords_file(c) : "");
    }
}

static int finish_graph(generation *c, const cleave_graph *g)
{
    cleave_error err = {0};
    if (coords_file(c) && !cli_has_coords(g))
        return cli_usage_error("generate", "--coords: '%s' has no coordinates",
                               c->factor ? c->of : c->spec);
    cleave_status written = write_graph(c, g, &err);
    if (written != CLEAVE_OK)
        return cli_fail(written, &err);
    cli_warn_losses(g, cli_format_of(c->out, c->to), c->coords ? NULL : "--coords");
    report(c, cli_kind_name(cleave_graph_kind(g)), cleave_graph_vertices(g),
           cleave_graph_edges(g));
    return CLI_OK;
}

static int finish_matrix(generation *c, const cleave_matrix *a)
{
    cleave_error err = {0};
    cleave_matrix_csr view = {.size = sizeof view};
    cleave_status written = write_matrix(c, a, &err);
    if (written != CLEAVE_OK)
        return cli_fail(written, &err);
    cleave_matrix_view(a, &view);
    report(c, "matrix", view.nrow, view.xadj[view.nrow] - view.nrow);
    return CLI_OK;
}

/* ---- The two ways ------------------------------------------------------------------ */

static int generate_graph(generation *c)
{
    cleave_graph *g = NULL;
    cleave_error err = {0};
    double start = cli_clock();
    cleave_status status = make(&g, c, c->spec, &err);
    c->seconds = cli_clock() - start;
    int code = status == CLEAVE_OK ? finish_graph(c, g) : cli_fail(status, &err);
    cleave_graph_free(g);
    return code;
}

static int generate_factor(generation *c)
{
    cleave_graph *g = NULL, *dag = NULL;
    cleave_matrix *a = NULL;
    cleave_error err = {0};
    cleave_status status = read_or_make(&g, c, &err);
    if (status == CLEAVE_OK)
        status = make_factor(&dag, &a, c, g, &err);
    int code = status != CLEAVE_OK ? cli_fail(status, &err)
               : c->values         ? finish_matrix(c, a)
                                   : finish_graph(c, dag);
    cleave_matrix_free(a);
    cleave_graph_free(dag);
    cleave_graph_free(g);
    return code;
}

static int list_kinds(void)
{
    const char *form, *description;
    for (int i = 0; cleave_generator_name(i, &form, &description); i++)
        printf("  %-36s  %s\n", form, description);
    printf("  %-36s  %s\n", "factor --of FILE|KIND [--order ...]",
           "DAG, or matrix; Cholesky factor of a graph");
    return CLI_OK;
}

/* ---- The command line ---------------------------------------------------------------- */

static int check_factor_usage(const generation *c)
{
    if (!c->factor && (c->of || c->order || c->values))
        return cli_usage_error("generate", "--of, --order and --values are for the kind "
                                           "factor");
    if (c->factor && !c->of)
        return cli_usage_error("generate", "factor needs --of FILE or --of KIND");
    const char *format = cli_format_of(c->out, c->to);
    if (c->values && format && strcmp(format, "mtx") != 0)
        return cli_usage_error("generate", "a matrix with values is written as mtx, not as %s",
                               format);
    if (c->values && c->coords)
        return cli_usage_error("generate", "--coords is for graphs, not for --values");
    return CLI_GO_ON;
}

static int check_usage(generation *c, int count, char **argv)
{
    if (count == 0)
        return cli_usage_error("generate", "generate: missing argument, expected KIND");
    c->spec = argv[0];
    c->factor = strcmp(c->spec, "factor") == 0;
    if (!c->out)
        return cli_usage_error("generate", "missing output: -o OUT");
    if (c->json && strcmp(c->out, "-") == 0)
        return cli_usage_error("generate", "--json and -o - both write to standard output");
    int status = check_factor_usage(c);
    if (status == CLI_GO_ON)
        status = cli_check_output("generate", c->out, c->to);
    return status == CLI_GO_ON ? cli_take_seed("generate", c->seed_text, &c->seed) : status;
}

int cmd_generate(int argc, char **argv)
{
    generation c = {0};
    const cli_option options[] = {
        {CLI_STRING, 'o', "output", "OUT", "the output", &c.out, 0},
        {CLI_FORMAT, 0, "to", "FORMAT", "format of OUT (default: from its name)", &c.to, 0},
        {CLI_STRING, 0, "seed", "S", "random seed (default 1)", &c.seed_text, 0},
        {CLI_COUNT, 0, "threads", "N", "number of threads (default 0: all available)",
         &c.threads, 0},
        {CLI_STRING, 0, "coords", "FILE",
         "also write the coordinates ('': drop them without a warning)", &c.coords, 0},
        {CLI_STRING, 0, "of", "FILE|KIND", "factor: the graph to be factorised", &c.of, 0},
        {CLI_STRING, 0, "order", "ORDER",
         "factor: natural (default), mindeg, or a file of 0-based vertices", &c.order, 0},
        {CLI_FLAG, 0, "values", NULL, "factor: a matrix with values instead of a DAG",
         &c.values, 0},
        {CLI_FLAG, 0, "no-sync", NULL, "do not sync OUT to the device", &c.no_sync, 0},
        CLI_JSON_OPTION(&c.json),
        {CLI_FLAG, 0, "list", NULL, "list the kinds", &c.list, 0},
        {0}};
    const cli_usage usage = {
        "generate",
        "KIND -o OUT",
        0,
        1,
        "Generates a graph of a kind such as grid2d:40x30, rgg:1000:8 or rmat:16:8; --list\n"
        "shows all kinds and their parameters. The same kind and seed give the same graph on\n"
        "any machine and any number of threads. The kind factor is the DAG (or with --values\n"
        "the matrix) of a Cholesky factor of a graph. '-' is standard output.",
        options};
    int count, status = cli_parse(&usage, argc, argv, &count);
    if (status != CLI_GO_ON)
        return status;
    if (c.list)
        return list_kinds();
    status = check_usage(&c, count, argv);
    if (status != CLI_GO_ON)
        return status;
    return c.factor ? generate_factor(&c) : generate_graph(&c);
}
