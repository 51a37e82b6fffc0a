/* SPDX-License-Identifier: Apache-2.0 */
/* cleave-mpi order GRAPH: a linear order of the vertices, any interval of which is a part. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/method_options.h"
#include "cli/outputs.h"
#include "cli/progress.h"
#include "mpi/program/rank_data.h"

typedef struct ordering {
    cli_input input;
    cli_outputs outputs; /* the order and its mapping */
    const char *graph;   /* path */
    const char *method, *effort, *seed_text;
    bool json;
    cleave_order_options opt;
    cleave_mpi_graph *g;
    int64_t *place; /* by own vertex, then by ghost */
    double crossing;
    double seconds, seconds_read, seconds_write;
    int64_t bytes_sent;
} ordering;

/* ---- The command line ------------------------------------------------------------------ */

/* The default output is next to the graph. */
static int check_output(ordering *p)
{
    if (!p->outputs.mapping && strcmp(p->graph, "-") != 0) {
        size_t room = strlen(p->graph) + sizeof ".order";
        p->outputs.own = cli_alloc((int64_t)room, 1);
        snprintf(p->outputs.own, room, "%s.order", p->graph);
        p->outputs.mapping = p->outputs.own;
    }
    return cli_outputs_check("order", &p->outputs, p->graph, 0, p->json);
}

static int check_usage(ordering *p)
{
    int status = cli_input_check("order", &p->input);
    if (status == CLI_GO_ON)
        status = cli_take_seed("order", p->seed_text, &p->opt.seed);
    if (status == CLI_GO_ON)
        status = check_output(p);
    p->effort = p->effort ? p->effort : "default";
    p->opt.effort = cli_effort_of(p->effort);
    p->opt.method = p->method;
    p->opt.threads = p->input.threads;
    return ranks_agree(status);
}

/* ---- Ordering -------------------------------------------------------------------------- */

/* The method that "auto" selects. */
static const char *method_of(const ordering *p)
{
    bool quick = p->opt.effort == CLEAVE_EFFORT_FAST && rank_graph_share(p->g).ndim > 0 &&
                 cleave_mpi_graph_kind(p->g) != CLEAVE_DAG;
    if (p->method && strcmp(p->method, "auto") != 0)
        return p->method;
    return quick ? "hci" : "multilevel";
}

static cleave_status build(ordering *p, cleave_error *err)
{
    cli_progress progress;
    rank_share share = rank_graph_share(p->g);
    p->place = ranks_alloc((int64_t)share.nlocal + share.nghost, sizeof *p->place, err);
    if (!p->place)
        return CLEAVE_ENOMEM;
    p->opt.progress = cli_progress_report;
    p->opt.payload = &progress;
    cli_progress_begin(&progress, CLI_COMPUTING);
    cleave_status status = cleave_mpi_order(p->place, p->g, &p->opt, err);
    p->seconds = cli_clock() - progress.start;
    cli_progress_end(&progress);
    return status;
}

static cleave_status write_order(ordering *p, cleave_error *err)
{
    cli_progress progress;
    ranks_write_begin(p->outputs.mapping);
    cli_progress_begin(&progress, CLI_WRITING);
    cleave_status status =
        cleave_mpi_order_write(p->outputs.mapping, p->g, p->place, method_of(p), err);
    p->seconds_write = cli_clock() - progress.start;
    cli_progress_end(&progress);
    ranks_write_end();
    return status;
}

/* The sum of weight times length of all edges, divided by the number of cuts of the order. */
static cleave_status average_crossing(ordering *p, cleave_error *err)
{
    cleave_mpi_local local;
    double mine = 0, sum = 0;
    int64_t cuts = cleave_mpi_graph_vertices(p->g) - 1;
    cleave_status status = cleave_mpi_exchange(p->g, p->place, sizeof *p->place, err);
    if (status != CLEAVE_OK)
        return status;
    cleave_mpi_local_init(&local, sizeof local);
    cleave_mpi_graph_view(p->g, &local);
    for (int32_t v = 0; v < local.nlocal; v++)
        for (int64_t a = local.xadj[v]; a < local.xadj[v + 1]; a++) {
            int64_t length = p->place[v] - p->place[local.adj[a]];
            mine += (double)(length < 0 ? -length : length) * (local.ewgt ? local.ewgt[a] : 1);
        }
    MPI_Reduce(&mine, &sum, 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
    if (cleave_mpi_graph_kind(p->g) == CLEAVE_UNDIRECTED)
        sum /= 2; /* every edge is counted at both ends */
    p->crossing = cuts > 0 ? sum / (double)cuts : 0;
    p->bytes_sent = rank_bytes_sent();
    return CLEAVE_OK;
}

/* ---- The report ------------------------------------------------------------------------ */

static void print_text(const ordering *p)
{
    int32_t ncon = rank_graph_share(p->g).ncon;
    cli_line("%s: %s", p->graph, p->outputs.mapping);
    cli_size_row(rank_graph_size(p->g));
    cli_row("method", "%s, effort %s, seed %" PRIu64, method_of(p), p->effort, p->opt.seed);
    if (ncon > 1)
        cli_row("weights", "%" PRId32 " per vertex, only the first is used", ncon);
    cli_row("average crossing", "%.2f", p->crossing);
    cli_row("ranks", "%d, the busiest sent %.1f MB", ranks_count(),
            1e-6 * (double)p->bytes_sent);
    cli_row("seconds", "%.3f; reading %.3f, writing %.3f", p->seconds, p->seconds_read,
            p->seconds_write);
}

static void print_json(const ordering *p)
{
    cli_json json;
    cli_size size = rank_graph_size(p->g);
    cli_json_begin(&json);
    cli_json_text(&json, "file", p->graph);
    cli_json_text(&json, "order", p->outputs.mapping);
    cli_json_text(&json, "kind", cli_kind_name(size.kind));
    cli_json_int(&json, "vertices", size.vertices);
    cli_json_int(&json, "edges", size.edges);
    cli_json_int(&json, "weights_per_vertex", rank_graph_share(p->g).ncon);
    cli_json_text(&json, "method", method_of(p));
    cli_json_text(&json, "effort", p->effort);
    cli_json_unsigned(&json, "seed", p->opt.seed);
    cli_json_real(&json, "average_crossing", p->crossing);
    cli_json_int(&json, "ranks", ranks_count());
    cli_json_int(&json, "bytes_sent", p->bytes_sent);
    cli_json_real(&json, "seconds", p->seconds);
    cli_json_real(&json, "seconds_read", p->seconds_read);
    cli_json_real(&json, "seconds_write", p->seconds_write);
    cli_json_end(&json);
}

static int compute_order(ordering *p)
{
    cleave_error err = {0};
    cleave_status status = rank_graph_read(&p->g, p->graph, &p->input, &p->seconds_read, &err);
    if (status == CLEAVE_OK)
        status = build(p, &err);
    if (status == CLEAVE_OK)
        status = write_order(p, &err);
    if (status == CLEAVE_OK)
        status = average_crossing(p, &err);
    if (status != CLEAVE_OK)
        return cli_fail(status, &err);
    if (p->json)
        print_json(p);
    else if (!cli_outputs_piped(&p->outputs))
        print_text(p);
    return cli_flush();
}

int cmd_order(int argc, char **argv)
{
    ordering p = {.json = false};
    cli_input_init(&p.input);
    cleave_order_options_init(&p.opt, sizeof p.opt);
    const cli_option options[] = {
        {CLI_STRING, 'o', "output", "FILE", "the order (default: GRAPH.order)",
         &p.outputs.mapping, 0},
        {CLI_CHOICE, 0, "method", "auto|hci|zci|multilevel|topo", "method (default auto)",
         &p.method, 0},
        {CLI_CHOICE, 0, "effort", "fast|default|quality|best",
         "effort level (default: default)", &p.effort, 0},
        {CLI_STRING, 0, "seed", "N", "random seed (default 1)", &p.seed_text, 0},
        {CLI_FLAG, 0, "json", NULL, "print one JSON object", &p.json, 0},
        CLI_INPUT_OPTIONS(&p.input, CLI_AS_KINDS),
        {0}};
    const cli_usage usage = {
        "order",
        "GRAPH",
        1,
        1,
        "Computes a linear order of the vertices of a graph in which every interval is a "
        "good\n"
        "part, on all ranks; 'cleave split' then splits it for a machine. hci and zci "
        "(Hilbert\n"
        "and Morton curve) use coordinates, multilevel uses the engine of 'cleave-mpi\n"
        "partition'. DAGs have topo and multilevel: all arcs run forward. auto is "
        "multilevel,\n"
        "or hci with --effort fast when there are coordinates. The order is written to\n"
        "GRAPH.order as text, or to the file of -o.",
        options};
    int count, status = cli_parse(&usage, argc, argv, &count);
    if (status == CLI_GO_ON) {
        p.graph = argv[0];
        status = check_usage(&p);
    }
    if (status == CLI_GO_ON)
        status = compute_order(&p);
    cleave_mpi_graph_free(p.g);
    cli_outputs_free(&p.outputs);
    free(p.place);
    return status;
}
