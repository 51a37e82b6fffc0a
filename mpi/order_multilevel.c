/* SPDX-License-Identifier: Apache-2.0 */
/* mpi/order_multilevel.c - linear arrangement of a distributed graph: see mpi/order.h.
 *
 * The average cut over all cuts of the order is the sum over the edges of weight times length,
 * divided by the number of cuts.  Between ranks, a mapping onto PEs on a path minimizes that
 * sum; inside a rank, cleave_order_build does. */
#include "mpi/order.h"

#include <string.h>

#include "cleave/cleave_mpi.h"
#include "engine/order/build_order.h"
#include "graph/build.h"
#include "mpi/dist_check.h"
#include "mpi/judge.h"
#include "mpi/team.h"
#include "target/target.h"

/* Allowed imbalance: an order has no bounds, but the memory of ranks is limited. */
static const double slack = 0.1;

/* The vertices of this rank's segment of the order, after redistribution. */
typedef struct piece {
    clv_graph *graph;  /* and the edges between them */
    double *pull;      /* by vertex: weight of its edges to higher parts minus that to lower */
    int64_t *place;    /* by vertex: on the whole line */
    clv_dist_graph at; /* of the redistributed graph: only the vertex ranges */
} piece;

/* ---- Parts ------------------------------------------------------------------------------ */

/* *view becomes g with one weight per vertex and without sizes and coordinates.  weight: from
 * clv_alloc, or NULL. */
static cleave_status view_of(clv_dist_graph *view, const clv_dist_graph *g, int32_t **weight,
                             cleave_error *err)
{
    *view = *g;
    view->owns_comm = false;
    view->vsize = NULL;
    view->coords = NULL;
    view->ndim = 0;
    *weight = NULL;
    if (g->ncon == 1)
        return CLEAVE_OK;
    *weight = clv_alloc(g->nlocal, sizeof **weight);
    for (int32_t v = 0; *weight && v < g->nlocal; v++)
        (*weight)[v] = clv_dist_vwgt(g, v, 0);
    view->ncon = 1;
    view->vwgt = g->vwgt ? *weight : NULL;
    return clv_comm_agree_memory(&g->comm, *weight != NULL, err);
}

/* Parts of a DAG follow the order of their dependences. */
static cleave_status number_forward(const clv_dist_graph *g, int32_t *part, cleave_error *err)
{
    clv_judge j;
    clv_judge_quotient q = {0};
    int32_t ncomponents = 0, *component = NULL, size = g->comm.size;
    cleave_status status = clv_judge_open(&j, g, size, part, err);
    if (status == CLEAVE_OK)
        status = clv_judge_quotient_make(&q, &j, err);
    if (status == CLEAVE_OK) {
        component = clv_ws_alloc(&j.ws, j.used.count, sizeof *component);
        status = clv_comm_agree_memory(&g->comm, component != NULL, err);
    }
    if (status == CLEAVE_OK)
        status = clv_judge_strong(&q, &j, component, &ncomponents, err);
    if (status == CLEAVE_OK && ncomponents < j.used.count)
        status = clv_fail(err, CLEAVE_ECYCLE, "the parts of the mapping form a cycle");
    for (int32_t v = 0; status == CLEAVE_OK && v < g->nlocal; v++)
        part[v] = component[j.used.part[v]];
    clv_judge_quotient_free(&q);
    clv_judge_close(&j);
    return status;
}

static cleave_status make_parts(const clv_dist_graph *g, const cleave_order_options *opt,
                                int32_t *part, cleave_error *err)
{
    clv_target *line = NULL;
    cleave_options how;
    int32_t side = g->comm.size;
    cleave_options_init(&how, sizeof how);
    how.imbalance = slack;
    how.seed = opt->seed;
    how.effort = opt->effort;
    how.threads = opt->threads;
    how.progress = opt->progress;
    how.payload = opt->payload;
    cleave_status status = clv_target_mesh(&line, 1, &side, false, err);
    status = clv_comm_agree(&g->comm, status, err);
    if (status == CLEAVE_OK)
        status = cleave_mpi_map(part, g, line, &how, err);
    clv_target_free(line);
    if (status == CLEAVE_EBALANCE) /* heavy vertices: any parts are accepted */
        status = CLEAVE_OK;
    if (status == CLEAVE_OK && g->kind == CLEAVE_DAG)
        status = number_forward(g, part, err);
    return status;
}

/* ---- The segment of a rank -------------------------------------------------------------- */

/* Edges between own vertices. */
static cleave_status copy_inner_rows(clv_rows *rows, const clv_dist_graph *g,
                                     cleave_error *err)
{
    int64_t count = 0;
    for (int64_t a = 0; a < g->narc; a++)
        count += g->adj[a] < g->nlocal;
    *rows = (clv_rows){.nvtx = g->nlocal, .paired = g->kind == CLEAVE_UNDIRECTED};
    rows->xadj = clv_alloc((int64_t)g->nlocal + 1, sizeof *rows->xadj);
    rows->adj = clv_alloc(count, sizeof *rows->adj);
    rows->ewgt = g->ewgt ? clv_alloc(count, sizeof *rows->ewgt) : NULL;
    if (!rows->xadj || !rows->adj || (g->ewgt && !rows->ewgt)) {
        clv_rows_free(rows);
        return clv_fail_memory(err);
    }
    rows->xadj[0] = count = 0;
    for (int32_t v = 0; v < g->nlocal; v++) {
        for (int64_t a = g->xadj[v]; a < g->xadj[v + 1]; a++)
            if (g->adj[a] < g->nlocal) {
                if (rows->ewgt)
                    rows->ewgt[count] = g->ewgt[a];
                rows->adj[count++] = g->adj[a];
            }
        rows->xadj[v + 1] = count;
    }
    return CLEAVE_OK;
}

static cleave_status copy_inside(piece *k, const clv_dist_graph *g, cleave_error *err)
{
    clv_rows rows;
    clv_build_rules rules = {.trust = true};
    cleave_csr csr;
    CLV_TRY(copy_inner_rows(&rows, g, err));
    CLV_TRY(clv_build_graph(&k->graph, g->kind, &rows, &rules, NULL, err));
    cleave_csr_init(&csr, sizeof csr);
    csr.vwgt = g->vwgt;
    return clv_graph_set_attributes(k->graph, &csr, false, err);
}

static cleave_status take_piece(piece *k, const clv_dist_graph *g, cleave_error *err)
{
    int64_t own = g->first[g->comm.rank];
    k->pull = clv_zalloc(g->nlocal, sizeof *k->pull);
    k->place = clv_alloc(g->nlocal, sizeof *k->place);
    k->at = (clv_dist_graph){.comm = g->comm, .nglobal = g->nglobal, .nlocal = g->nlocal};
    k->at.first = clv_alloc(g->comm.size + 1, sizeof *k->at.first);
    if (!k->pull || !k->place || !k->at.first)
        return clv_fail_memory(err);
    memcpy(k->at.first, g->first, (size_t)(g->comm.size + 1) * sizeof *g->first);
    for (int32_t v = 0; v < g->nlocal; v++)
        for (int64_t a = g->xadj[v]; a < g->xadj[v + 1]; a++)
            if (g->adj[a] >= g->nlocal)
                k->pull[v] += clv_dist_global(g, g->adj[a]) > own ? clv_dist_ewgt(g, a)
                                                                  : -clv_dist_ewgt(g, a);
    return copy_inside(k, g, err);
}

static void free_piece(piece *k)
{
    clv_graph_free(k->graph);
    clv_sys_free(k->pull);
    clv_sys_free(k->place);
    clv_sys_free(k->at.first);
}

/* Whether reversing the segment shortens the edges to other ranks. */
static bool is_turned(const piece *k, const int32_t *vertex)
{
    double gain = 0, n = k->graph->nvtx;
    for (int32_t p = 0; p < k->graph->nvtx; p++)
        gain += k->pull[vertex[p]] * (2.0 * p - (n - 1));
    return gain < 0;
}

static cleave_status order_piece(piece *k, const cleave_order_options *opt, cleave_error *err)
{
    const clv_comm *comm = &k->at.comm;
    clv_line_method method;
    cleave_order *order = NULL;
    clv_context ctx;
    cleave_status status = clv_mpi_context_open(&ctx, comm, opt->threads, opt->seed, err);
    bool open = status == CLEAVE_OK;
    if (open)
        clv_context_watch(&ctx, 0, opt->progress, opt->payload);
    if (open)
        status = clv_line_method_parse(&method, "multilevel", opt->params, err);
    if (status == CLEAVE_OK)
        status = clv_line_method_choose(&method, k->graph, opt->effort, err);
    if (status == CLEAVE_OK)
        status = clv_order_build(&order, k->graph, &method, opt->effort, &ctx, err);
    if (status == CLEAVE_OK) {
        const int32_t *vertex = cleave_order_view(order);
        int64_t n = k->graph->nvtx, first = k->at.first[comm->rank];
        bool turned = k->graph->kind == CLEAVE_UNDIRECTED && is_turned(k, vertex);
        for (int32_t p = 0; p < n; p++)
            k->place[vertex[p]] = first + (turned ? n - 1 - p : p);
    }
    cleave_order_free(order);
    if (open)
        clv_context_close(&ctx);
    return clv_comm_agree(comm, status, err);
}

/* ---- All -------------------------------------------------------------------------------- */

/* part: by own vertex of g; the rank that orders it. */
static cleave_status order_parts(const clv_dist_graph *g, const int32_t *part,
                                 const cleave_order_options *opt, int64_t *place,
                                 cleave_error *err)
{
    piece k = {0};
    clv_dist_graph *moved = NULL;
    int64_t *number = clv_alloc(g->nlocal, sizeof *number);
    cleave_status status = clv_comm_agree_memory(&g->comm, number != NULL, err);
    if (status == CLEAVE_OK)
        status = clv_dist_redistribute(&moved, g, part, number, err);
    if (status == CLEAVE_OK)
        status = clv_comm_agree(&g->comm, take_piece(&k, moved, err), err);
    clv_dist_graph_free(moved);
    if (status == CLEAVE_OK)
        status = order_piece(&k, opt, err);
    if (status == CLEAVE_OK)
        status = clv_dist_fetch_values(&(clv_dist_moved){g, &k.at, number}, k.place,
                                       sizeof *k.place, place, err);
    free_piece(&k);
    clv_sys_free(number);
    return status;
}

cleave_status clv_dist_multilevel_order(const clv_dist_graph *g,
                                        const cleave_order_options *opt, int64_t *place,
                                        cleave_error *err)
{
    clv_dist_graph view;
    int32_t *weight, *part = clv_alloc(g->nlocal, sizeof *part);
    cleave_status status = view_of(&view, g, &weight, err);
    status = status == CLEAVE_OK ? clv_comm_agree_memory(&g->comm, part != NULL, err) : status;
    if (status == CLEAVE_OK && g->kind == CLEAVE_DAG) /* a trusted graph */
        status = clv_dist_check_cycles(g, err);
    if (status == CLEAVE_OK)
        status = make_parts(&view, opt, part, err);
    if (status == CLEAVE_OK)
        status = order_parts(&view, part, opt, place, err);
    clv_sys_free(part);
    clv_sys_free(weight);
    return status;
}
