/* SPDX-License-Identifier: Apache-2.0 */
/* mpi/evaluate_target.c - cleave_mpi_evaluate_target: the communication of a distributed
 * mapping on its machine.
 *
 * All metrics follow from the pairs of PEs that communicate, of which every rank has some
 * (mpi/evaluate_quotient.c): evaluate/traffic.h evaluates these, and the ranks sum costs and
 * loads of links and PEs. */
#include "cleave/cleave_mpi.h"
#include "evaluate/traffic.h"
#include "mpi/judge.h"

/* ---- Sums ------------------------------------------------------------------------------- */

/* level: t->levels entries. */
static cleave_status add_costs(const clv_traffic *traffic, const clv_comm *comm, int64_t *cost,
                               int64_t *cut, int64_t *level, cleave_error *err)
{
    int64_t own_cost, own_cut;
    cleave_status status = clv_evaluate_cost(traffic, &own_cost, &own_cut, level, err);
    CLV_TRY(clv_comm_agree(comm, status, err));
    CLV_TRY(clv_judge_sum(comm, true, own_cut, cut, "the weight of the cut", err));
    CLV_TRY(clv_judge_sum(comm, true, own_cost, cost, "the cost of the mapping", err));
    clv_comm_sum_all(comm, level, traffic->t->levels);
    return CLEAVE_OK;
}

static cleave_status add_links(cleave_target_metrics *out, const clv_traffic *traffic,
                               const clv_comm *comm, clv_ws *ws, cleave_error *err)
{
    const clv_target *t = traffic->t;
    double sum = 0; /* an integer sum could exceed 2^63 */
    out->max_link_load = -1;
    out->average_link_load = -1;
    if (t->links == 0 || !t->shape->route)
        return CLEAVE_OK;
    int64_t *load = clv_ws_zalloc(ws, t->links, sizeof *load);
    CLV_TRY(clv_comm_agree_memory(comm, load != NULL, err));
    clv_traffic_load_links(traffic, load);
    clv_comm_sum_all(comm, load, t->links);
    for (int64_t link = 0; link < t->links; link++) {
        out->max_link_load = load[link] > out->max_link_load ? load[link] : out->max_link_load;
        sum += (double)load[link];
    }
    out->average_link_load = sum / (double)t->links;
    return CLEAVE_OK;
}

static cleave_status add_pes(cleave_target_metrics *out, const clv_traffic *traffic,
                             const clv_comm *comm, clv_ws *ws, cleave_error *err)
{
    const clv_quotient *q = &traffic->q;
    int64_t *sum = clv_ws_zalloc(ws, q->nparts, sizeof *sum);
    CLV_TRY(clv_comm_agree_memory(comm, sum != NULL, err));
    for (int32_t p = 0; p < q->nparts; p++)
        for (int64_t a = q->xadj[p]; a < q->xadj[p + 1]; a++) {
            sum[p] += q->cut[a];
            if (traffic->directed)
                sum[q->adj[a]] += q->cut[a];
        }
    clv_comm_sum_all(comm, sum, q->nparts);
    for (int32_t p = 0; p < q->nparts; p++)
        out->max_pe_traffic = sum[p] > out->max_pe_traffic ? sum[p] : out->max_pe_traffic;
    return CLEAVE_OK;
}

/* ---- Mappings --------------------------------------------------------------------------- */

/* The own pairs and their total cost; arrays from the judge's workspace. */
static cleave_status make_traffic(clv_traffic *traffic, clv_judge *j, const clv_target *t,
                                  cleave_error *err)
{
    clv_judge_quotient pairs;
    *traffic =
        (clv_traffic){.t = t, .pe = j->used.label, .directed = j->g->kind == CLEAVE_DAG};
    CLV_TRY(clv_judge_quotient_make(&pairs, j, err));
    cleave_status status =
        clv_judge_quotient_rows(&traffic->q, j->used.count, &pairs, &j->ws, err);
    clv_judge_quotient_free(&pairs);
    return clv_comm_agree(&j->g->comm, status, err);
}

static cleave_status measure_identity(cleave_target_metrics *out, clv_judge *j,
                                      const clv_target *t, cleave_error *err)
{
    clv_traffic traffic;
    int64_t cut, *level = clv_ws_alloc(&j->ws, t->levels, sizeof *level);
    CLV_TRY(clv_comm_agree_memory(&j->g->comm, level != NULL, err));
    CLV_TRY(make_traffic(&traffic, j, t, err));
    CLV_TRY(add_costs(&traffic, &j->g->comm, &out->cost_identity, &cut, level, err));
    clv_traffic_fold_levels(t->levels, level, out->cost_level_identity);
    return CLEAVE_OK;
}

static int32_t identity_of(int64_t v, int32_t npes, int64_t nvtx)
{
    __extension__ typedef __int128 wide;
    return (int32_t)((wide)v * npes / nvtx);
}

/* The identity mapping of parts to PEs: evaluate/identity.c. */
static cleave_status judge_identity(cleave_target_metrics *out, const clv_dist_graph *g,
                                    const clv_target *t, cleave_error *err)
{
    clv_judge j = {0};
    int32_t *part = clv_alloc(g->nlocal, sizeof *part);
    cleave_status status = clv_comm_agree_memory(&g->comm, part != NULL, err);
    for (int32_t v = 0; status == CLEAVE_OK && v < g->nlocal; v++)
        part[v] = identity_of(clv_dist_global(g, v), t->npes, g->nglobal);
    if (status == CLEAVE_OK)
        status = clv_judge_open(&j, g, t->npes, part, err);
    clv_sys_free(part);
    if (status == CLEAVE_OK)
        status = measure_identity(out, &j, t, err);
    clv_judge_close(&j);
    return status;
}

static cleave_status measure_target(cleave_target_metrics *out, clv_judge *j,
                                    const clv_target *t, cleave_error *err)
{
    const clv_comm *comm = &j->g->comm;
    clv_balance balance;
    clv_traffic traffic;
    CLV_TRY(clv_judge_balance(j, clv_target_shares(t), 0, &balance, err));
    out->imbalance = balance.imbalance;
    CLV_TRY(judge_identity(out, j->g, t, err));
    int64_t *level = clv_ws_alloc(&j->ws, t->levels, sizeof *level);
    CLV_TRY(clv_comm_agree_memory(comm, level != NULL, err));
    CLV_TRY(make_traffic(&traffic, j, t, err));
    CLV_TRY(add_costs(&traffic, comm, &out->cost, &out->cut, level, err));
    clv_traffic_fold_levels(t->levels, level, out->cost_level);
    out->levels = t->levels;
    out->average_dilation = out->cut > 0 ? (double)out->cost / (double)out->cut : 0;
    CLV_TRY(add_links(out, &traffic, comm, &j->ws, err));
    return add_pes(out, &traffic, comm, &j->ws, err);
}

/* ---- The call --------------------------------------------------------------------------- */

static cleave_status check(const cleave_target_metrics *metrics, const clv_target *t,
                           cleave_error *err)
{
    if (!metrics || metrics->size < sizeof metrics->size || metrics->size > 65536)
        return clv_fail(err, CLEAVE_EINVAL, "metrics needs cleave_target_metrics_init first");
    if (!t)
        return clv_fail(err, CLEAVE_EINVAL, "the target is NULL");
    return CLEAVE_OK;
}

cleave_status cleave_mpi_evaluate_target(cleave_target_metrics *metrics,
                                         const cleave_mpi_graph *g, const int32_t *part,
                                         const cleave_target *t, cleave_error *err)
{
    cleave_target_metrics result;
    clv_judge j;
    if (!g)
        return clv_fail(err, CLEAVE_EINVAL, "the graph is NULL");
    CLV_TRY(clv_comm_agree(&g->comm, check(metrics, t, err), err));
    cleave_target_metrics_init(&result, sizeof result);
    cleave_status status = clv_judge_open(&j, g, t->npes, part, err);
    if (status == CLEAVE_OK)
        status = measure_target(&result, &j, t, err);
    clv_judge_close(&j);
    if (status == CLEAVE_OK)
        clv_sized_write(metrics, &result, sizeof result);
    return status;
}
