/* SPDX-License-Identifier: Apache-2.0 */
/* evaluate/target_metrics.c - all metrics of a mapping on its target, as cleave_target_metrics
 * has them. */
#include "evaluate/evaluate.h"
#include "evaluate/mapping_metrics.h"
#include "evaluate/traffic.h"

static cleave_status measure_identity(cleave_target_metrics *out, const clv_graph *g,
                                      const clv_target *t, clv_ws *ws, cleave_error *err)
{
    int64_t *level = clv_ws_alloc(ws, t->levels, sizeof *level);
    if (!level)
        return clv_fail_memory(err);
    CLV_TRY(clv_evaluate_cost_identity(g, t, ws, &out->cost_identity, level, err));
    clv_traffic_fold_levels(t->levels, level, out->cost_level_identity);
    return CLEAVE_OK;
}

static cleave_status measure_traffic(cleave_target_metrics *out, const clv_graph *g,
                                     const clv_mapping *m, const clv_target *t, clv_ws *ws,
                                     cleave_error *err)
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

cleave_status clv_evaluate_on_target(cleave_target_metrics *out, const clv_graph *g,
                                     const clv_mapping *m, const clv_target *t, clv_ws *ws,
                                     cleave_error *err)
{
    clv_balance balance;
    clv_parted_graph on_pes = {g, t->npes, m->part};
    clv_ws_mark mark = clv_ws_save(ws);
    CLV_TRY(clv_evaluate_balance(&on_pes, clv_target_shares(t), 0, ws, &balance, err));
    out->imbalance = balance.imbalance;
    CLV_TRY(measure_identity(out, g, t, ws, err));
    CLV_TRY(measure_traffic(out, g, m, t, ws, err));
    clv_ws_restore(ws, mark);
    return CLEAVE_OK;
}
