/* SPDX-License-Identifier: Apache-2.0 */
/* mpi/evaluate.c - cleave_mpi_evaluate: checks the arguments and fills the result by
 * mpi/judge.h. */
#include "api/evaluate_arguments.h"
#include "cleave/cleave_mpi.h"
#include "mpi/judge.h"

/* ---- Arguments -------------------------------------------------------------------------- */

static cleave_status check(const cleave_metrics *metrics, int32_t nparts,
                           cleave_evaluate_options *options,
                           const cleave_evaluate_options *opt, cleave_error *err)
{
    if (!metrics || metrics->size < sizeof metrics->size || metrics->size > 65536)
        return clv_fail(err, CLEAVE_EINVAL, "metrics needs cleave_metrics_init first");
    return clv_evaluate_arguments(options, opt, nparts, err);
}

/* ---- Metrics ---------------------------------------------------------------------------- */

static cleave_status measure_balance(cleave_metrics *out, clv_judge *j,
                                     const cleave_evaluate_options *opt, cleave_error *err)
{
    clv_balance balance;
    CLV_TRY(clv_judge_balance(j, opt->shares, opt->imbalance, &balance, err));
    clv_balance_report(&balance, j->nparts, out);
    return CLEAVE_OK;
}

static cleave_status measure_pieces(cleave_metrics *out, clv_judge *j, cleave_error *err)
{
    int64_t pieces;
    CLV_TRY(clv_judge_pieces(j, &pieces, err));
    if (pieces > INT32_MAX)
        return clv_fail(err, CLEAVE_ERANGE, "the parts have %lld pieces, more than 2^31-1",
                        (long long)pieces);
    out->pieces = (int32_t)pieces;
    return CLEAVE_OK;
}

static cleave_status measure_dag(cleave_metrics *out, clv_judge *j,
                                 const clv_judge_quotient *q,
                                 const cleave_evaluate_options *opt, cleave_error *err)
{
    int32_t ncomponents;
    bool convex;
    int32_t *component = clv_ws_alloc(&j->ws, j->used.count, sizeof *component);
    CLV_TRY(clv_comm_agree_memory(&j->g->comm, component != NULL, err));
    CLV_TRY(clv_judge_strong(q, j, component, &ncomponents, err));
    CLV_TRY(clv_judge_convex(j, component, ncomponents, &convex, err));
    out->acyclic = ncomponents == j->used.count;
    out->convex = convex;
    return clv_judge_critical_path(j, opt->cost_vertex, opt->cost_inside, opt->cost_cut,
                                   &out->critical_path, err);
}

static cleave_status measure_quotient(cleave_metrics *out, clv_judge *j,
                                      const cleave_evaluate_options *opt, cleave_error *err)
{
    clv_judge_quotient q;
    CLV_TRY(clv_judge_quotient_make(&q, j, err));
    cleave_status status = CLEAVE_OK;
    int64_t pairs = clv_comm_sum(&j->g->comm, q.count);
    out->setups = j->g->kind == CLEAVE_DAG ? pairs : pairs / 2;
    out->acyclic = out->convex = -1;
    out->critical_path = -1;
    if (j->g->kind == CLEAVE_DAG)
        status = measure_dag(out, j, &q, opt, err);
    clv_judge_quotient_free(&q);
    return status;
}

static cleave_status measure_all(cleave_metrics *out, clv_judge *j,
                                 const cleave_evaluate_options *opt, cleave_error *err)
{
    CLV_TRY(measure_balance(out, j, opt, err));
    CLV_TRY(clv_judge_cut(j, &out->cut, err));
    CLV_TRY(clv_judge_volume(j, &out->volume, &out->max_volume, err));
    CLV_TRY(measure_pieces(out, j, err));
    return measure_quotient(out, j, opt, err);
}

cleave_status cleave_mpi_evaluate(cleave_metrics *metrics, const cleave_mpi_graph *g,
                                  int32_t nparts, const int32_t *part,
                                  const cleave_evaluate_options *opt, cleave_error *err)
{
    cleave_evaluate_options options;
    cleave_metrics result;
    clv_judge j;
    if (!g)
        return clv_fail(err, CLEAVE_EINVAL, "the graph is NULL");
    CLV_TRY(clv_comm_agree(&g->comm, check(metrics, nparts, &options, opt, err), err));
    cleave_metrics_init(&result, sizeof result);
    cleave_status status = clv_judge_open(&j, g, nparts, part, err);
    if (status == CLEAVE_OK)
        status = measure_all(&result, &j, &options, err);
    clv_judge_close(&j);
    if (status == CLEAVE_OK)
        clv_sized_write(metrics, &result, sizeof result);
    return status;
}
