/* SPDX-License-Identifier: Apache-2.0 */
/* evaluate/mapping_metrics.c - all metrics of a mapping, as cleave_metrics has them. */
#include "evaluate/mapping_metrics.h"

#include "evaluate/evaluate.h"

static cleave_status measure_balance(cleave_metrics *out, const clv_graph *g,
                                     const clv_mapping *m, const cleave_evaluate_options *opt,
                                     clv_ws *ws, cleave_error *err)
{
    clv_balance balance;
    CLV_TRY(clv_evaluate_balance(g, m->nparts, m->part, opt->shares, opt->imbalance, ws,
                                 &balance, NULL, err));
    clv_balance_report(&balance, m->nparts, out);
    return CLEAVE_OK;
}

static cleave_status measure_dag(cleave_metrics *out, const clv_graph *g,
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

static cleave_status measure_all(cleave_metrics *out, const clv_graph *g, const clv_mapping *m,
                                 const cleave_evaluate_options *opt, clv_ws *ws,
                                 cleave_error *err)
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

cleave_status clv_evaluate_mapping(cleave_metrics *out, const clv_graph *g,
                                   const clv_mapping *m, const cleave_evaluate_options *opt,
                                   clv_ws *ws, cleave_error *err)
{
    clv_ws_mark mark = clv_ws_save(ws);
    cleave_status status = measure_all(out, g, m, opt, ws, err);
    clv_ws_restore(ws, mark);
    return status;
}

static cleave_status measure_weights(const clv_graph *g, const clv_mapping *m, clv_ws *ws,
                                     int64_t *weight, cleave_error *err)
{
    int32_t empty_parts;
    int64_t *all = clv_ws_alloc(ws, (int64_t)m->nparts * g->ncon, sizeof *all);
    if (!all)
        return clv_fail_memory(err);
    CLV_TRY(clv_evaluate_part_weights(g, m->nparts, m->part, ws, all, &empty_parts, err));
    for (int32_t p = 0; p < m->nparts; p++)
        weight[p] = all[(int64_t)p * g->ncon];
    return CLEAVE_OK;
}

cleave_status clv_evaluate_parts(const clv_graph *g, const clv_mapping *m, int64_t *weight,
                                 int64_t *volume, int32_t *pieces, clv_ws *ws,
                                 cleave_error *err)
{
    int64_t total, largest;
    int32_t total_pieces;
    clv_ws_mark mark = clv_ws_save(ws);
    if (weight)
        CLV_TRY(measure_weights(g, m, ws, weight, err));
    if (volume)
        CLV_TRY(clv_evaluate_volume(g, m->nparts, m->part, ws, &total, &largest, volume, err));
    if (pieces)
        CLV_TRY(clv_evaluate_pieces(g, m->nparts, m->part, ws, &total_pieces, pieces, err));
    clv_ws_restore(ws, mark);
    return CLEAVE_OK;
}

cleave_status clv_evaluate_cycle(const clv_graph *g, const clv_mapping *m, int32_t *cycle,
                                 int32_t *length, clv_ws *ws, cleave_error *err)
{
    clv_used_parts used;
    int64_t setups;
    clv_ws_mark mark = clv_ws_save(ws);
    CLV_TRY(clv_evaluate_used_parts(m->nvtx, m->nparts, m->part, ws, &used, err));
    CLV_TRY(clv_evaluate_quotient(g, used.count, used.part, ws, &setups, cycle, length, err));
    for (int32_t i = 0; used.label && i < *length; i++)
        cycle[i] = used.label[cycle[i]];
    clv_ws_restore(ws, mark);
    return CLEAVE_OK;
}
