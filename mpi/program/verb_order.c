/* SPDX-License-Identifier: Apache-2.0 */
/* cleave-mpi order GRAPH: a linear order of the vertices, any interval of which is a part. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/order_request.h"
#include "mpi/program/rank_data.h"

typedef struct ordering {
    cli_order_request request;
    cleave_mpi_graph *g;
    int64_t *place; /* by own vertex, then by ghost */
    double crossing;
    int64_t bytes_sent;
} ordering;

/* ---- Ordering -------------------------------------------------------------------------- */

/* The method that "auto" selects. */
static const char *method_of(const ordering *p)
{
    const cli_order_request *r = &p->request;
    bool quick = r->opt.effort == CLEAVE_EFFORT_FAST && rank_graph_share(p->g).ndim > 0 &&
                 cleave_mpi_graph_kind(p->g) != CLEAVE_DAG;
    if (r->method && strcmp(r->method, "auto") != 0)
        return r->method;
    return quick ? "hci" : "multilevel";
}

static cleave_status build(ordering *p, cleave_error *err)
{
    cli_order_request *r = &p->request;
    cli_progress progress;
    rank_share share = rank_graph_share(p->g);
    p->place = ranks_alloc((int64_t)share.nlocal + share.nghost, sizeof *p->place, err);
    if (!p->place)
        return CLEAVE_ENOMEM;
    cli_order_request_begin(r, &progress);
    cleave_status status = cleave_mpi_order(p->place, p->g, &r->opt, err);
    cli_order_request_end(r, &progress);
    return status;
}

static cleave_status write_order(ordering *p, cleave_error *err)
{
    const char *path = p->request.outputs.mapping;
    cli_progress progress;
    ranks_write_begin(path);
    cli_progress_begin(&progress, CLI_WRITING);
    cleave_status status = cleave_mpi_order_write(path, p->g, p->place, method_of(p), err);
    p->request.times.write = cli_progress_end(&progress);
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
    p->bytes_sent = rank_bytes_sent(p->g);
    return CLEAVE_OK;
}

/* ---- The report ------------------------------------------------------------------------ */

static void print_text(const ordering *p)
{
    const cli_order_request *r = &p->request;
    cli_order_request_rows(r, rank_graph_size(p->g), rank_graph_share(p->g).ncon,
                           method_of(p));
    cli_row("average crossing", "%.2f", p->crossing);
    rank_bytes_row(p->bytes_sent);
    cli_times_row(&r->times);
}

static void print_json(const ordering *p)
{
    const cli_order_request *r = &p->request;
    cli_json json;
    cli_json_begin(&json);
    cli_order_request_json(&json, r, rank_graph_size(p->g), rank_graph_share(p->g).ncon);
    cli_json_text(&json, "method", method_of(p));
    cli_order_request_json_search(&json, r, p->crossing);
    cli_json_int(&json, "ranks", ranks_count());
    cli_json_int(&json, "bytes_sent", p->bytes_sent);
    cli_json_times(&json, &r->times);
    cli_json_end(&json);
}

static int compute_order(ordering *p)
{
    cli_order_request *r = &p->request;
    cleave_error err = {0};
    cleave_status status = rank_graph_read(&p->g, r->graph, &r->input, &r->times.read, &err);
    if (status == CLEAVE_OK)
        status = build(p, &err);
    if (status == CLEAVE_OK)
        status = write_order(p, &err);
    if (status == CLEAVE_OK)
        status = average_crossing(p, &err);
    if (status != CLEAVE_OK)
        return cli_fail(status, &err);
    if (r->json)
        print_json(p);
    else if (!cli_outputs_piped(&r->outputs))
        print_text(p);
    return cli_flush();
}

int cmd_order(int argc, char **argv)
{
    ordering p = {.crossing = 0};
    cli_order_request *r = &p.request;
    cli_order_request_init(r);
    const cli_option options[] = {CLI_ORDER_RESULT_OPTIONS(r,
                                                           "the order (default: GRAPH.order)",
                                                           "auto|hci|zci|multilevel|topo"),
                                  CLI_ORDER_SEARCH_OPTIONS(r),
                                  CLI_ORDER_GRAPH_OPTIONS(r),
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
    if (status == CLI_GO_ON)
        status = ranks_agree(cli_order_request_check(r, argv));
    if (status == CLI_GO_ON)
        status = compute_order(&p);
    cleave_mpi_graph_free(p.g);
    cli_outputs_free(&r->outputs);
    free(p.place);
    return status;
}
