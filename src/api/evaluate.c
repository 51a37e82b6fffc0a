/* SPDX-License-Identifier: Apache-2.0 */
/* api/evaluate.c - the public metrics: check the arguments, call evaluate/, wrap up. */
#include <math.h>

#include "api/evaluate_arguments.h"
#include "evaluate/evaluate.h"
#include "graph/mapping.h"

void cleave_evaluate_options_init(cleave_evaluate_options *opt, size_t size)
{
    cleave_evaluate_options defaults = {
        .imbalance = 0.03, .cost_vertex = 1, .cost_inside = 1, .cost_cut = 11};
    clv_sized_init(opt, size);
    clv_sized_write(opt, &defaults, sizeof defaults);
}

void cleave_metrics_init(cleave_metrics *metrics, size_t size)
{
    clv_sized_init(metrics, size);
}

static cleave_status check_pair(const cleave_graph *g, const cleave_mapping *m,
                                cleave_error *err)
{
    if (!g || !m)
        return clv_fail(err, CLEAVE_EINVAL, "%s is NULL", g ? "the mapping" : "the graph");
    if (g->nvtx != m->nvtx)
        return clv_fail(err, CLEAVE_EINVAL,
                        "the mapping has %lld vertices but the graph has %lld",
                        (long long)m->nvtx, (long long)g->nvtx);
    return CLEAVE_OK;
}

static cleave_status check_shares(const double *shares, int32_t nparts, cleave_error *err)
{
    bool positive = false;
    for (int32_t p = 0; p < nparts; p++) {
        if (!(shares[p] >= 0) || !isfinite(shares[p]))
            return clv_fail(err, CLEAVE_EINVAL, "the share of part %lld is not a number >= 0",
                            (long long)p);
        positive = positive || shares[p] > 0;
    }
    if (nparts > 0 && !positive)
        return clv_fail(err, CLEAVE_EINVAL, "the shares of all parts are 0");
    return CLEAVE_OK;
}

cleave_status clv_evaluate_arguments(cleave_evaluate_options *to,
                                     const cleave_evaluate_options *opt, int32_t nparts,
                                     cleave_error *err)
{
    cleave_evaluate_options_init(to, sizeof *to);
    if (opt)
        CLV_TRY(clv_sized_copy(to, sizeof *to, opt, "cleave_evaluate_options", err));
    if (!(to->imbalance >= 0) || !isfinite(to->imbalance))
        return clv_fail(err, CLEAVE_EINVAL, "the imbalance allowed is not a number >= 0");
    if (to->cost_vertex < 0 || to->cost_inside < 0 || to->cost_cut < 0)
        return clv_fail(err, CLEAVE_EINVAL, "a cost of the critical path is negative");
    return to->shares ? check_shares(to->shares, nparts, err) : CLEAVE_OK;
}

static cleave_status measure_balance(cleave_metrics *out, const cleave_graph *g,
                                     const cleave_mapping *m,
                                     const cleave_evaluate_options *opt, clv_ws *ws,
                                     cleave_error *err)
{
    clv_balance balance;
    CLV_TRY(clv_evaluate_balance(g, m->nparts, m->part, opt->shares, opt->imbalance, ws,
                                 &balance, NULL, err));
    out->parts = m->nparts;
    out->empty_parts = balance.empty_parts;
    out->imbalance = balance.imbalance;
    out->balanced = balance.balanced;
    out->min_weight = balance.min_weight;
    out->max_weight = balance.max_weight;
    return CLEAVE_OK;
}

static cleave_status measure_dag(cleave_metrics *out, const cleave_graph *g,
                                 const clv_used_parts *used, int32_t cycle_length,
                                 const cleave_evaluate_options *opt, clv_ws *ws,
                                 cleave_error *err)
{
    bool convex;
    CLV_TRY(clv_evaluate_convex(g, used->count, used->part, ws, &convex, err));
    out->acyclic = cycle_length == 0;
    out->convex = convex;
    return clv_evaluate_critical_path(g, used->part, opt->cost_vertex, opt->cost_inside,
                                      opt->cost_cut, ws, &out->critical_path, err);
}

static cleave_status measure_all(cleave_metrics *out, const cleave_graph *g,
                                 const cleave_mapping *m, const cleave_evaluate_options *opt,
                                 clv_ws *ws, cleave_error *err)
{
    CLV_TRY(measure_balance(out, g, m, opt, ws, err));
    clv_used_parts used;
    int32_t cycle_length;
    CLV_TRY(clv_evaluate_used_parts(m->nvtx, m->nparts, m->part, ws, &used, err));
    CLV_TRY(clv_evaluate_cut(g, used.part, &out->cut, err));
    CLV_TRY(clv_evaluate_volume(g, used.count, used.part, ws, &out->volume, &out->max_volume,
                                NULL, err));
    CLV_TRY(clv_evaluate_pieces(g, used.count, used.part, ws, &out->pieces, NULL, err));
    CLV_TRY(clv_evaluate_quotient(g, used.count, used.part, ws, &out->setups, NULL,
                                  &cycle_length, err));
    if (g->kind == CLEAVE_DAG)
        return measure_dag(out, g, &used, cycle_length, opt, ws, err);
    out->acyclic = out->convex = -1;
    out->critical_path = -1;
    return CLEAVE_OK;
}

cleave_status cleave_evaluate(cleave_metrics *metrics, const cleave_graph *g,
                              const cleave_mapping *m, const cleave_evaluate_options *opt,
                              cleave_error *err)
{
    if (!metrics || metrics->size < sizeof metrics->size || metrics->size > 65536)
        return clv_fail(err, CLEAVE_EINVAL, "metrics needs cleave_metrics_init first");
    CLV_TRY(check_pair(g, m, err));
    cleave_evaluate_options options;
    CLV_TRY(clv_evaluate_arguments(&options, opt, m->nparts, err));
    clv_ws ws = {NULL};
    cleave_metrics result;
    cleave_metrics_init(&result, sizeof result);
    cleave_status status = measure_all(&result, g, m, &options, &ws, err);
    clv_ws_free(&ws);
    if (status == CLEAVE_OK)
        clv_sized_write(metrics, &result, sizeof result);
    return status;
}

static cleave_status measure_weights(const cleave_graph *g, const cleave_mapping *m,
                                     clv_ws *ws, int64_t *weight, cleave_error *err)
{
    clv_balance balance;
    int64_t *all = clv_ws_alloc(ws, (int64_t)m->nparts * g->ncon, sizeof *all);
    if (!all)
        return clv_fail_memory(err);
    CLV_TRY(clv_evaluate_balance(g, m->nparts, m->part, NULL, 0, ws, &balance, all, err));
    for (int32_t p = 0; p < m->nparts; p++)
        weight[p] = all[(int64_t)p * g->ncon];
    return CLEAVE_OK;
}

static cleave_status measure_parts(const cleave_graph *g, const cleave_mapping *m, clv_ws *ws,
                                   int64_t *weight, int64_t *volume, int32_t *pieces,
                                   cleave_error *err)
{
    int64_t total, largest;
    int32_t total_pieces;
    if (weight)
        CLV_TRY(measure_weights(g, m, ws, weight, err));
    if (volume)
        CLV_TRY(clv_evaluate_volume(g, m->nparts, m->part, ws, &total, &largest, volume, err));
    if (pieces)
        CLV_TRY(clv_evaluate_pieces(g, m->nparts, m->part, ws, &total_pieces, pieces, err));
    return CLEAVE_OK;
}

cleave_status cleave_evaluate_parts(const cleave_graph *g, const cleave_mapping *m,
                                    int64_t *weight, int64_t *volume, int32_t *pieces,
                                    cleave_error *err)
{
    CLV_TRY(check_pair(g, m, err));
    clv_ws ws = {NULL};
    cleave_status status = measure_parts(g, m, &ws, weight, volume, pieces, err);
    clv_ws_free(&ws);
    return status;
}

static cleave_status find_cycle(const cleave_graph *g, const cleave_mapping *m, clv_ws *ws,
                                int32_t *cycle, int32_t *length, cleave_error *err)
{
    clv_used_parts used;
    int64_t setups;
    CLV_TRY(clv_evaluate_used_parts(m->nvtx, m->nparts, m->part, ws, &used, err));
    CLV_TRY(clv_evaluate_quotient(g, used.count, used.part, ws, &setups, cycle, length, err));
    for (int32_t i = 0; used.label && i < *length; i++)
        cycle[i] = used.label[cycle[i]];
    return CLEAVE_OK;
}

cleave_status cleave_evaluate_cycle(const cleave_graph *g, const cleave_mapping *m,
                                    int32_t *cycle, int32_t *length, cleave_error *err)
{
    CLV_TRY(check_pair(g, m, err));
    if (!length || (!cycle && m->nparts > 0))
        return clv_fail(err, CLEAVE_EINVAL, "%s is NULL", length ? "cycle" : "length");
    *length = 0;
    if (g->kind != CLEAVE_DAG)
        return clv_fail(err, CLEAVE_EINVAL, "only the mapping of a DAG can have a cycle");
    clv_ws ws = {NULL};
    cleave_status status = find_cycle(g, m, &ws, cycle, length, err);
    clv_ws_free(&ws);
    return status;
}
