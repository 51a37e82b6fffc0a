/* SPDX-License-Identifier: Apache-2.0 */
/* api/evaluate.c - the public metrics: checks the arguments, calls evaluate/, fills the
 * result. */
#include <math.h>

#include "api/evaluate_arguments.h"
#include "evaluate/mapping_metrics.h"

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
    cleave_status status = clv_evaluate_mapping(&result, g, m, &options, &ws, err);
    clv_ws_free(&ws);
    if (status == CLEAVE_OK)
        clv_sized_write(metrics, &result, sizeof result);
    return status;
}

cleave_status cleave_evaluate_parts(const cleave_graph *g, const cleave_mapping *m,
                                    int64_t *weight, int64_t *volume, int32_t *pieces,
                                    cleave_error *err)
{
    CLV_TRY(check_pair(g, m, err));
    clv_ws ws = {NULL};
    clv_part_metrics out = {weight, volume, pieces};
    cleave_status status = clv_evaluate_parts(&out, g, m, &ws, err);
    clv_ws_free(&ws);
    return status;
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
    cleave_status status = clv_evaluate_cycle(g, m, cycle, length, &ws, err);
    clv_ws_free(&ws);
    return status;
}
