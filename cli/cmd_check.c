/* SPDX-License-Identifier: Apache-2.0 */
/* cleave check FILE: validates a graph file: what is wrong, and what --repair would fix;
 * --repair -o OUT fixes it. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "cli/format_holds.h"
#include "cli/graph_io.h"
#include "cli/progress.h"
#include "cli/report.h"

typedef struct check {
    cli_input input;
    const char *out, *to;
    bool json, repair;
} check;

/* The result of checking one file. */
typedef struct verdict {
    cleave_graph *g;         /* as it is, or repaired; NULL: neither worked */
    cleave_status status;    /* of the strict reading */
    cleave_error err;        /* its message */
    bool tried;              /* it could be read with repair */
    cleave_status repaired;  /* its status */
    cleave_error repair_err; /* its message */
    cleave_repairs repairs;  /* what it repaired */
    double seconds;
} verdict;

/* Standard input and pipes cannot be read a second time. */
static bool can_read_again(const char *path)
{
    struct stat info;
    return strcmp(path, "-") != 0 && stat(path, &info) == 0 && S_ISREG(info.st_mode);
}

static void validate_file(verdict *v, const char *path, const cli_input *input)
{
    memset(v, 0, sizeof *v);
    cleave_repairs_init(&v->repairs, sizeof v->repairs);
    v->status = cli_graph_read(&v->g, path, input, NULL, &v->seconds, &v->err);
    if (cli_exit_of(v->status) != CLI_BAD_INPUT || !can_read_again(path))
        return;
    v->tried = true;
    v->repaired = cli_graph_read(&v->g, path, input, &v->repairs, NULL, &v->repair_err);
}

static void print_checked(const cleave_graph *g, const check *c)
{
    cleave_source source = {.size = sizeof source};
    cleave_graph_source(g, &source);
    const char *format = source.format ? source.format : "";
    const char *more = "";
    if (strcmp(format, "metis") == 0 && !c->input.symmetrise)
        more = ", no self-loops, no duplicates, both directions of every edge";
    else if (strcmp(format, "binary") == 0)
        more = ", checksums, both directions of every edge";
    if (c->input.trust)
        cli_row("checked", "sizes and bounds only");
    else
        cli_row("checked", "syntax, counts, vertex numbers, weights%s%s", more,
                cleave_graph_kind(g) == CLEAVE_DAG ? ", no cycle" : "");
}

static void print_graph(const cleave_graph *g)
{
    int32_t nvtx = cleave_graph_vertices(g);
    int64_t edges = cleave_graph_edges(g);
    cleave_source source = {.size = sizeof source};
    cleave_graph_source(g, &source);
    cli_row("graph", "%s, %s, %" PRId32 " %s, %" PRId64 " %s",
            source.format ? source.format : "?", cli_kind_name(cleave_graph_kind(g)), nvtx,
            cli_plural(nvtx, "vertex", "vertices"), edges, cli_plural(edges, "edge", "edges"));
}

static void print_repairs(FILE *to, const char *label, const cleave_repairs *r)
{
    const struct {
        int64_t count;
        const char *one, *many, *what;
    } rows[] = {
        {r->self_loops, "self-loop", "self-loops", "dropped"},
        {r->duplicates, "duplicate", "duplicates", "merged"},
        {r->one_way, "missing opposite direction", "missing opposite directions", "added"},
        {r->unequal, "edge of two weights", "edges of two weights", "given the larger one"},
        {r->counts, "wrong count of the header", "wrong counts of the header", "corrected"},
    };
    bool any = false;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        if (!rows[i].count)
            continue;
        fprintf(to, "  %-18s %" PRId64 " %s %s\n", any ? "" : label, rows[i].count,
                cli_plural(rows[i].count, rows[i].one, rows[i].many), rows[i].what);
        any = true;
    }
    if (!any)
        fprintf(to, "  %-18s nothing\n", label);
}

static void print_text(const char *path, const verdict *v, const check *c)
{
    if (v->status == CLEAVE_OK) {
        cli_line("%s: ok", path);
        print_graph(v->g);
        print_checked(v->g, c);
        return;
    }
    cli_line("%s: not ok", path);
    if (!v->tried)
        return;
    if (v->repaired == CLEAVE_OK)
        print_repairs(stdout, "--repair would do", &v->repairs);
    else if (strcmp(v->err.message, v->repair_err.message) == 0)
        cli_row("--repair", "cannot repair this");
    else
        cli_row("--repair", "cannot repair it: %s", v->repair_err.message);
    if (v->status == CLEAVE_ECYCLE)
        cli_row("--as undirected", "would accept it as an undirected graph");
}

static void json_repairs(cli_json *json, const cleave_repairs *repairs)
{
    cli_json_int(json, "self_loops", repairs->self_loops);
    cli_json_int(json, "duplicates", repairs->duplicates);
    cli_json_int(json, "one_way", repairs->one_way);
    cli_json_int(json, "unequal", repairs->unequal);
    cli_json_int(json, "counts", repairs->counts);
}

static void json_graph(cli_json *json, const cleave_graph *g)
{
    cleave_source source = {.size = sizeof source};
    if (!g) {
        cli_json_null(json, "kind");
        cli_json_null(json, "format");
        cli_json_null(json, "vertices");
        cli_json_null(json, "edges");
        return;
    }
    cleave_graph_source(g, &source);
    cli_json_text(json, "kind", cli_kind_name(cleave_graph_kind(g)));
    cli_json_text(json, "format", source.format);
    cli_json_int(json, "vertices", cleave_graph_vertices(g));
    cli_json_int(json, "edges", cleave_graph_edges(g));
}

/* repairable is null when the file is valid or could not be read a second time. */
static void print_json(const char *path, const verdict *v)
{
    cli_json json;
    cli_json_begin(&json);
    cli_json_text(&json, "file", path);
    cli_json_bool(&json, "ok", v->status == CLEAVE_OK);
    cli_json_text(&json, "problem", v->status == CLEAVE_OK ? NULL : v->err.message);
    cli_json_answer(&json, "repairable", v->tried ? v->repaired == CLEAVE_OK : -1);
    json_repairs(&json, &v->repairs);
    json_graph(&json, v->g);
    cli_json_real(&json, "seconds_read", v->seconds);
    cli_json_end(&json);
}

static int check_one(const char *path, const check *c)
{
    verdict v;
    validate_file(&v, path, &c->input);
    int status = CLI_OK;
    if (v.status != CLEAVE_OK)
        status = cli_fail(v.status, &v.err);
    if (v.repaired == CLEAVE_ECANCEL)
        status = cli_fail(v.repaired, &v.repair_err);
    else if (c->json)
        print_json(path, &v);
    else if (status == CLI_OK || status == CLI_BAD_INPUT)
        print_text(path, &v, c);
    cleave_graph_free(v.g);
    int flushed = cli_flush();
    return flushed > status ? flushed : status;
}

/* The list goes to standard error when the graph goes to standard output. */
static int repair(const char *path, const check *c)
{
    cleave_graph *g;
    cleave_error err = {0};
    cleave_repairs repairs;
    double seconds;
    cleave_status status = cli_graph_read(&g, path, &c->input, &repairs, &seconds, &err);
    if (status == CLEAVE_OK)
        status = cli_graph_write(g, c->out, c->to, &err);
    if (status == CLEAVE_OK && c->json) {
        cli_json json;
        cli_json_begin(&json);
        cli_json_text(&json, "file", path);
        cli_json_text(&json, "out", c->out);
        json_repairs(&json, &repairs);
        json_graph(&json, g);
        cli_json_real(&json, "seconds_read", seconds);
        cli_json_end(&json);
    } else if (status == CLEAVE_OK) {
        FILE *to = strcmp(c->out, "-") == 0 ? stderr : stdout;
        fprintf(to, "%s: repaired copy is %s\n", path,
                to == stderr ? "on standard output" : c->out);
        print_repairs(to, "repaired", &repairs);
    }
    cleave_graph_free(g);
    return status == CLEAVE_OK ? cli_flush() : cli_fail(status, &err);
}

static int check_usage(const check *c, int count)
{
    if (c->repair && !c->out)
        return cli_usage_error("check",
                               "--repair needs -o OUT, the file for the repaired graph");
    if (!c->repair && (c->out || c->to))
        return cli_usage_error("check", "-o and --to need --repair");
    if (c->repair && count > 1)
        return cli_usage_error("check", "--repair takes one file at a time");
    if (c->repair && c->json && strcmp(c->out, "-") == 0)
        return cli_usage_error("check", "--json and -o - both write to standard output");
    int status = c->repair ? cli_check_output("check", c->out, c->to) : CLI_GO_ON;
    return status == CLI_GO_ON ? cli_input_check("check", &c->input) : status;
}

int cmd_check(int argc, char **argv)
{
    check c = {0};
    cli_input_init(&c.input);
    const cli_option options[] = {
        {CLI_FLAG, 0, "repair", NULL, "write a repaired copy; needs -o", &c.repair, 0},
        {CLI_STRING, 'o', "output", "OUT", "file for the repaired graph", &c.out, 0},
        {CLI_FORMAT, 0, "to", "FORMAT", "format of OUT (default: from its name)", &c.to, 0},
        {CLI_FLAG, 0, "json", NULL, "print one JSON object per file, one per line", &c.json,
         0},
        CLI_INPUT_OPTIONS(&c.input, CLI_AS_KINDS),
        {0}};
    const cli_usage usage = {
        "check",
        "FILE...",
        1,
        -1,
        "Validates graph files and reports errors, and what --repair would fix: self-loops,\n"
        "duplicates, edges stored in one direction or with two weights, wrong counts in the\n"
        "header. The exit status is 0 when every file is valid, 3 otherwise. With --repair "
        "-o\n"
        "OUT the repaired graph is written and the repairs are listed.",
        options};
    int count, status = cli_parse(&usage, argc, argv, &count);
    if (status == CLI_GO_ON)
        status = check_usage(&c, count);
    if (status != CLI_GO_ON)
        return status;
    if (c.repair)
        return repair(argv[0], &c);
    int worst = CLI_OK;
    for (int i = 0; i < count && !cli_interrupted(); i++) {
        status = check_one(argv[i], &c);
        worst = status > worst ? status : worst;
    }
    return worst;
}
