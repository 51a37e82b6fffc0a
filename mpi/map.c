/* SPDX-License-Identifier: Apache-2.0 */
/* mpi/map.c - cleave_mpi_map and cleave_mpi_partition. */
#include <string.h>

#include "cleave/cleave_mpi.h"
#include "graph/mapping.h"
#include "mpi/curve.h"
#include "mpi/dist_refine.h"
#include "mpi/map_run.h"

/* ---- One rank --------------------------------------------------------------------------- */

/* Calls cleave_map.  "gather" has no effect on one rank. */
static cleave_status map_alone(int32_t *part, const clv_dist_graph *g, const cleave_target *t,
                               const cleave_options *given, cleave_error *err)
{
    clv_graph *whole;
    cleave_mapping *m = NULL;
    cleave_options opt;
    cleave_options_init(&opt, sizeof opt);
    if (given)
        CLV_TRY(clv_sized_copy(&opt, sizeof opt, given, "opt", err));
    opt.size = sizeof opt;
    if (opt.params && strncmp(opt.params, "gather=", 7) == 0) {
        CLV_TRY(clv_mpi_parse_gather(opt.params, &(int64_t){0}, err));
        opt.params = NULL;
    }
    CLV_TRY(clv_dist_graph_gather(&whole, g, -1, err));
    cleave_status status = cleave_map(&m, whole, t, &opt, err);
    if (m && g->nlocal > 0)
        memcpy(part, m->part, (size_t)g->nlocal * sizeof *part);
    clv_mapping_free(m);
    clv_graph_free(whole);
    return status;
}

/* ---- Several ---------------------------------------------------------------------------- */

typedef enum method { MULTILEVEL, HILBERT, MORTON } method;

static cleave_status parse_method(method *m, const char *name, cleave_error *err)
{
    *m = MULTILEVEL;
    if (!name || !*name || strcmp(name, "auto") == 0 || strcmp(name, "multilevel") == 0)
        return CLEAVE_OK;
    if (strcmp(name, "hci") == 0)
        *m = HILBERT;
    else if (strcmp(name, "zci") == 0)
        *m = MORTON;
    else
        return clv_fail(err, CLEAVE_EINVAL,
                        "unknown method '%s' on several ranks; expected one of "
                        "auto, multilevel, hci, zci",
                        name);
    return CLEAVE_OK;
}

static cleave_status fill_bounds(const clv_mpi_run *run, clv_ws *ws, int64_t *max,
                                 cleave_error *err)
{
    const clv_dist_graph *g = run->g;
    int32_t npes = run->t->npes;
    double *room = clv_ws_alloc(ws, npes, sizeof *room);
    CLV_TRY(clv_comm_agree_memory(&g->comm, room != NULL, err));
    const double *speeds = clv_mpi_speeds(run->t, room);
    for (int32_t c = 0; c < g->ncon; c++) {
        int64_t total = 0;
        for (int32_t v = 0; v < g->nlocal; v++)
            total += clv_dist_vwgt(g, v, c);
        total = clv_comm_sum(&g->comm, total);
        clv_share_rule rule = clv_mpi_run_rule(run, speeds, c);
        for (int32_t p = 0; p < npes; p++)
            max[(int64_t)p * g->ncon + c] = clv_mpi_run_bound(run, &rule, total, p, c);
    }
    return CLEAVE_OK;
}

/* Where no cuts of the curve keep the bounds, single vertices move off it. */
static cleave_status repair(clv_mpi_run *run, int32_t *part, cleave_error *err)
{
    const clv_dist_graph *g = run->g;
    clv_ws *ws = run->ctx.ws;
    clv_ws_mark mark = clv_ws_save(ws);
    int64_t *max = clv_ws_alloc(ws, (int64_t)run->t->npes * g->ncon, sizeof *max);
    int32_t *all = clv_ws_alloc(ws, (int64_t)g->nlocal + g->nghost, sizeof *all);
    clv_dist_bounds bounds = {.parts = {run->t->npes, g->ncon, NULL, max, NULL}};
    clv_dist_state k;
    cleave_status status = clv_comm_agree_memory(&g->comm, max && all, err);
    if (status == CLEAVE_OK && g->nlocal > 0)
        memcpy(all, part, (size_t)g->nlocal * sizeof *all);
    if (status == CLEAVE_OK)
        status = fill_bounds(run, ws, max, err);
    if (status == CLEAVE_OK)
        status = clv_dist_state_open(&k, g, &bounds, all, &run->ctx, err);
    if (status == CLEAVE_OK)
        status = clv_dist_rebalance(&k, &run->ctx, err);
    if (status == CLEAVE_OK && g->nlocal > 0)
        memcpy(part, all, (size_t)g->nlocal * sizeof *all);
    clv_ws_restore(ws, mark);
    return status;
}

static cleave_status map_together(clv_mpi_run *run, int32_t *part, cleave_error *err)
{
    method m;
    CLV_TRY(parse_method(&m, run->request.opt.method, err));
    if (m == MULTILEVEL)
        return clv_mpi_run_search(run, part, err);
    if (run->g->kind == CLEAVE_DAG)
        return clv_fail(err, CLEAVE_EINVAL,
                        "the curves are not for DAGs: parts could depend "
                        "on each other in a cycle");
    if (run->some_fixed || run->constraints.shares || run->constraints.max ||
        run->constraints.imbalance || run->request.opt.one_to_one)
        return clv_fail(
            err, CLEAVE_EINVAL,
            "the curves do not support constraints: fixed vertices, shares, bounds and "
            "one vertex per PE are for the method multilevel");
    run->result.cycle.levels = 1;
    CLV_TRY(clv_dist_curve_parts(run->g, m == HILBERT ? CLV_CURVE_HILBERT : CLV_CURVE_MORTON,
                                 run->t, run->request.opt.imbalance, part, err));
    return repair(run, part, err);
}

/* ---- The calls -------------------------------------------------------------------------- */

void cleave_mpi_traffic_init(cleave_mpi_traffic *traffic, size_t size)
{
    clv_sized_init(traffic, size);
}

/* Summed over all ranks; a rank's own numbers are in its run. */
static void hand_traffic(const clv_mpi_run *run, cleave_mpi_traffic *out)
{
    cleave_mpi_traffic all = run->result.traffic;
    const clv_comm *comm = &run->g->comm;
    if (all.levels == 0) {
        all.levels = 1;
        all.vertices[0] = run->g->nglobal;
        all.edges[0] = clv_dist_edges(run->g);
    }
    all.bytes_gather = clv_comm_sum(comm, all.bytes_gather);
    for (int i = 0; i < all.levels; i++) {
        all.bytes_coarsen[i] = clv_comm_sum(comm, all.bytes_coarsen[i]);
        all.bytes_refine[i] = clv_comm_sum(comm, all.bytes_refine[i]);
    }
    clv_sized_write(out, &all, sizeof all);
}

cleave_status cleave_mpi_map_traffic(int32_t *part, const cleave_mpi_graph *g,
                                     const cleave_target *t, const cleave_options *opt,
                                     cleave_mpi_traffic *traffic, cleave_error *err)
{
    clv_mpi_run run = {.g = g};
    cleave_map_report report;
    if (!g)
        return clv_fail(err, CLEAVE_EINVAL, "g is NULL");
    bool ok = t && (part || g->nlocal == 0);
    CLV_TRY(clv_comm_agree(
        &g->comm, ok ? CLEAVE_OK : clv_fail(err, CLEAVE_EINVAL, "t or part is NULL"), err));
    if (g->comm.size == 1) {
        hand_traffic(&run, traffic);
        return map_alone(part, g, t, opt, err);
    }
    cleave_status status = clv_mpi_run_open(&run, g, t, opt, err);
    if (status == CLEAVE_OK)
        status = map_together(&run, part, err);
    if (status == CLEAVE_OK) {
        status = clv_mpi_run_judge(&run, part, err);
        cleave_map_report_init(&report, sizeof report);
        clv_mpi_run_report(&run, &report);
        clv_sized_write(run.request.opt.report, &report, sizeof report);
        hand_traffic(&run, traffic);
    }
    clv_mpi_run_close(&run);
    return status;
}

cleave_status cleave_mpi_map(int32_t *part, const cleave_mpi_graph *g, const cleave_target *t,
                             const cleave_options *opt, cleave_error *err)
{
    return cleave_mpi_map_traffic(part, g, t, opt, NULL, err);
}

cleave_status cleave_mpi_partition(MPI_Comm comm, const int64_t *vtxdist, const int64_t *xadj,
                                   const int64_t *adj, const int32_t *vwgt,
                                   const int32_t *ewgt, int32_t nparts,
                                   const cleave_options *opt, int32_t *part, cleave_error *err)
{
    cleave_mpi_csr csr;
    cleave_mpi_graph *g = NULL;
    cleave_target *t = NULL;
    cleave_mpi_csr_init(&csr, sizeof csr);
    csr.vtxdist = vtxdist;
    csr.xadj = xadj;
    csr.adj = adj;
    csr.vwgt = vwgt;
    csr.ewgt = ewgt;
    CLV_TRY(cleave_mpi_graph_create(&g, comm, &csr, 0, err));
    cleave_status status =
        clv_comm_agree(&g->comm, cleave_target_create(&t, nparts, NULL, err), err);
    if (status == CLEAVE_OK)
        status = cleave_mpi_map(part, g, t, opt, err);
    cleave_target_free(t);
    cleave_mpi_graph_free(g);
    return status;
}
