/* SPDX-License-Identifier: Apache-2.0 */
/* cleave-mpi generate KIND -o OUT: a graph of which every rank generates its own share. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "cli/format_holds.h"
#include "cli/progress.h"
#include "mpi/program/rank_data.h"

typedef struct generation {
    const char *spec, *out, *seed_text;
    int32_t threads;
    bool list, json;
    uint64_t seed;
    cleave_mpi_graph *g;
    double seconds, seconds_write;
} generation;

static cleave_status make(generation *c, cleave_error *err)
{
    cleave_generate_options opt;
    cleave_generate_options_init(&opt, sizeof opt);
    opt.seed = c->seed;
    opt.threads = c->threads;
    double start = cli_clock();
    cleave_status status =
        cleave_mpi_graph_generate(&c->g, MPI_COMM_WORLD, c->spec, &opt, err);
    c->seconds = cli_clock() - start;
    return status;
}

static cleave_status write_graph(generation *c, cleave_error *err)
{
    cli_progress progress;
    ranks_write_begin(c->out);
    cli_progress_begin(&progress, CLI_WRITING);
    cleave_status status = cleave_mpi_graph_write(c->g, c->out, err);
    c->seconds_write = cli_progress_end(&progress);
    ranks_write_end();
    return status;
}

/* Rank 0 has rows that show which arrays all ranks have. */
static void warn_losses(const generation *c)
{
    cleave_mpi_local local;
    cleave_csr rows;
    cleave_mpi_local_init(&local, sizeof local);
    cleave_mpi_graph_view(c->g, &local);
    cleave_csr_init(&rows, sizeof rows);
    rows.kind = cleave_mpi_graph_kind(c->g);
    rows.nvtx = local.nlocal;
    rows.xadj = local.xadj;
    rows.ewgt = local.ewgt;
    rows.vwgt = local.vwgt;
    rows.vsize = local.vsize;
    rows.ncon = local.ncon;
    rows.ndim = local.ndim;
    cli_warn_losses_of(&rows, cli_format_of(c->out, NULL), "");
}

static void report(const generation *c, int64_t sent)
{
    cli_size size = rank_graph_size(c->g);
    if (!c->json) {
        cli_line("%s: %s, %" PRId64 " %s, %" PRId64 " %s", c->out, cli_kind_name(size.kind),
                 size.vertices, cli_plural(size.vertices, "vertex", "vertices"), size.edges,
                 cli_plural(size.edges, "edge", "edges"));
        return;
    }
    cli_json json;
    cli_json_begin(&json);
    cli_json_text(&json, "file", c->out);
    cli_json_size(&json, size);
    cli_json_int(&json, "ranks", ranks_count());
    cli_json_int(&json, "bytes_sent", sent);
    cli_json_real(&json, "seconds", c->seconds);
    cli_json_real(&json, "seconds_write", c->seconds_write);
    cli_json_end(&json);
}

static int generate_file(generation *c)
{
    cleave_error err = {0};
    cleave_status status = make(c, &err);
    if (status == CLEAVE_OK)
        status = write_graph(c, &err);
    int64_t sent = rank_bytes_sent(c->g);
    if (status != CLEAVE_OK)
        return cli_fail(status, &err);
    if (ranks_first()) {
        warn_losses(c);
        report(c, sent);
    }
    return CLI_OK;
}

static int list_kinds(void)
{
    const char *form, *description;
    for (int i = 0; cleave_generator_name(i, &form, &description); i++)
        printf("  %-36s  %s\n", form, description);
    return CLI_OK;
}

/* Standard output has no file name from which to derive the format. */
static int check_usage(generation *c, int count, char **argv)
{
    if (count == 0)
        return cli_usage_error("generate", "generate: missing argument, expected KIND");
    c->spec = argv[0];
    if (!c->out)
        return cli_usage_error("generate", "missing output: -o OUT");
    if (!cleave_format_of_path(c->out))
        return cli_usage_error("generate", "'%s': unknown output format", c->out);
    int status = cli_check_output("generate", c->out, NULL);
    return status == CLI_GO_ON ? cli_take_seed("generate", c->seed_text, &c->seed) : status;
}

int cmd_generate(int argc, char **argv)
{
    generation c = {.list = false};
    const cli_option options[] = {
        {CLI_STRING, 'o', "output", "OUT", "the output", &c.out, 0},
        {CLI_STRING, 0, "seed", "S", "random seed (default 1)", &c.seed_text, 0},
        {CLI_COUNT, 0, "threads", "N", "threads of a rank (default 0: its share of all)",
         &c.threads, 0},
        CLI_JSON_OPTION(&c.json),
        {CLI_FLAG, 0, "list", NULL, "list the kinds", &c.list, 0},
        {0}};
    const cli_usage usage = {
        "generate",
        "KIND -o OUT",
        0,
        1,
        "Generates the same graph as 'cleave generate' with the same kind and seed, on all\n"
        "ranks. Of grid2d, grid3d, rgg and rmat each rank generates its own share and writes\n"
        "it to a binary file (.clv); other kinds, and other formats, pass through one rank.",
        options};
    int count, status = cli_parse(&usage, argc, argv, &count);
    if (status != CLI_GO_ON)
        return status;
    if (c.list)
        return list_kinds();
    status = ranks_agree(check_usage(&c, count, argv));
    if (status == CLI_GO_ON)
        status = generate_file(&c);
    cleave_mpi_graph_free(c.g);
    return status;
}
