/* SPDX-License-Identifier: Apache-2.0 */
/* api/evaluate_target.c - the public metrics of a mapping on its target: check the arguments,
 * call evaluate/, wrap up. */
#include "evaluate/evaluate.h"
#include "evaluate/traffic.h"
#include "graph/mapping.h"

void cleave_target_metrics_init(cleave_target_metrics *metrics, size_t size)
{
    clv_sized_init(metrics, size);
}

static cleave_status measure_identity(cleave_target_metrics *out, const cleave_graph *g,
                                      const cleave_target *t, clv_ws *ws, cleave_error *err)
{
    int64_t *level = clv_ws_alloc(ws, t->levels, sizeof *level);
    if (!level)
        return clv_fail_memory(err);
    CLV_TRY(clv_evaluate_cost_identity(g, t, ws, &out->cost_identity, level, err));
    clv_traffic_fold_levels(t->levels, level, out->cost_level_identity);
    return CLEAVE_OK;
}

static cleave_status measure_traffic(cleave_target_metrics *out, const cleave_graph *g,
                                     const cleave_mapping *m, const cleave_target *t,
                                     clv_ws *ws, cleave_error *err)
{
    clv_traffic traffic;
    int64_t *level = clv_ws_alloc(ws, t->levels, sizeof *level);
    if (!level)
        return clv_fail_memory(err);
    CLV_TRY(clv_traffic_make(&traffic, g, t, m->part, ws, err));
    CLV_TRY(clv_evaluate_cost(&traffic, &out->cost, &out->cut, level, err));
    clv_traffic_fold_levels(t->levels, level, out->cost_level);
    out->levels = t->levels;
    out->average_dilation = out->cut > 0 ? (double)out->cost / (double)out->cut : 0;
    CLV_TRY(clv_evaluate_link_load(&traffic, ws, &out->max_link_load, &out->average_link_load,
                                   err));
    return clv_evaluate_pe_traffic(&traffic, ws, &out->max_pe_traffic, err);
}

static cleave_status measure_all(cleave_target_metrics *out, const cleave_graph *g,
                                 const cleave_mapping *m, const cleave_target *t, clv_ws *ws,
                                 cleave_error *err)
{
    clv_balance balance;
    CLV_TRY(clv_evaluate_balance(g, t->npes, m->part, clv_target_shares(t), 0, ws, &balance,
                                 NULL, err));
    out->imbalance = balance.imbalance;
    CLV_TRY(measure_identity(out, g, t, ws, err));
    return measure_traffic(out, g, m, t, ws, err);
}

static cleave_status check(const cleave_graph *g, const cleave_mapping *m,
                           const cleave_target *t, cleave_error *err)
{
    if (!g || !m || !t)
        return clv_fail(err, CLEAVE_EINVAL, "the %s is NULL",
                        !g ? "graph" : (!m ? "mapping" : "target"));
    if (g->nvtx != m->nvtx)
        return clv_fail(err, CLEAVE_EINVAL,
                        "the mapping has %ld vertices but the graph has %ld", (long)m->nvtx,
                        (long)g->nvtx);
    if (m->nparts > t->npes)
        return clv_fail(err, CLEAVE_EINVAL, "the mapping has %ld parts but the target %ld PEs",
                        (long)m->nparts, (long)t->npes);
    return CLEAVE_OK;
}

cleave_status cleave_evaluate_target(cleave_target_metrics *metrics, const cleave_graph *g,
                                     const cleave_mapping *m, const cleave_target *t,
                                     cleave_error *err)
{
    if (!metrics || metrics->size < sizeof metrics->size || metrics->size > 65536)
        return clv_fail(err, CLEAVE_EINVAL, "metrics needs cleave_target_metrics_init first");
    CLV_TRY(check(g, m, t, err));
    clv_ws ws = {NULL};
    cleave_target_metrics result;
    cleave_target_metrics_init(&result, sizeof result);
    cleave_status status = measure_all(&result, g, m, t, &ws, err);
    clv_ws_free(&ws);
    if (status == CLEAVE_OK)
        clv_sized_write(metrics, &result, sizeof result);
    return status;
}
