/* SPDX-License-Identifier: Apache-2.0 */
/* evaluate/mapping_metrics.c - all metrics of a mapping, as cleave_metrics has them. */
#include "evaluate/mapping_metrics.h"

#include "evaluate/evaluate.h"

static cleave_status measure_balance(cleave_metrics *out, const clv_graph *g,
                                     const clv_mapping *m, const cleave_evaluate_options *opt,
                                     clv_ws *ws, cleave_error *err)
{
    clv_balance balance;
    clv_parted_graph p = {g, m->nparts, m->part};
    CLV_TRY(clv_evaluate_balance(&p, opt->shares, opt->imbalance, ws, &balance, err));
    clv_balance_report(&balance, m->nparts, out);
    return CLEAVE_OK;
}

static cleave_status measure_dag(cleave_metrics *out, const clv_parted_graph *p,
                                 const cleave_evaluate_options *opt, clv_ws *ws,
                                 cleave_error *err)
{
    bool convex;
    clv_path_costs cost = {opt->cost_vertex, opt->cost_inside, opt->cost_cut};
    CLV_TRY(clv_evaluate_convex(p, ws, &convex, err));
    out->convex = convex;
    return clv_evaluate_critical_path(p->g, p->part, &cost, ws, &out->critical_path, err);
}

static cleave_status measure_all(cleave_metrics *out, const clv_graph *g, const clv_mapping *m,
                                 const cleave_evaluate_options *opt, clv_ws *ws,
                                 cleave_error *err)
{
    CLV_TRY(measure_balance(out, g, m, opt, ws, err));
    clv_used_parts used;
    int32_t cycle_length;
    CLV_TRY(clv_evaluate_used_parts(m->nvtx, m->nparts, m->part, ws, &used, err));
    clv_parted_graph p = {g, used.count, used.part};
    CLV_TRY(clv_evaluate_cut(g, used.part, &out->cut, err));
    CLV_TRY(clv_evaluate_volume(&p, ws, &out->volume, &out->max_volume, NULL, err));
    CLV_TRY(clv_evaluate_pieces(&p, ws, &out->pieces, NULL, err));
    CLV_TRY(clv_evaluate_quotient(&p, ws, &out->setups, NULL, &cycle_length, err));
    if (g->kind == CLEAVE_DAG) {
        out->acyclic = cycle_length == 0;
        return measure_dag(out, &p, opt, ws, err);
    }
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

static cleave_status measure_weights(const clv_parted_graph *p, clv_ws *ws, int64_t *weight,
                                     cleave_error *err)
{
    int32_t empty_parts;
    int64_t *all = clv_ws_alloc(ws, (int64_t)p->nparts * p->g->ncon, sizeof *all);
    if (!all)
        return clv_fail_memory(err);
    CLV_TRY(clv_evaluate_part_weights(p, NULL, ws, all, &empty_parts, err));
    for (int32_t i = 0; i < p->nparts; i++)
        weight[i] = all[(int64_t)i * p->g->ncon];
    return CLEAVE_OK;
}

cleave_status clv_evaluate_parts(const clv_part_metrics *out, const clv_graph *g,
                                 const clv_mapping *m, clv_ws *ws, cleave_error *err)
{
    clv_parted_graph p = {g, m->nparts, m->part};
    int64_t total, largest;
    int32_t total_pieces;
    clv_ws_mark mark = clv_ws_save(ws);
    if (out->weight)
        CLV_TRY(measure_weights(&p, ws, out->weight, err));
    if (out->volume)
        CLV_TRY(clv_evaluate_volume(&p, ws, &total, &largest, out->volume, err));
    if (out->pieces)
        CLV_TRY(clv_evaluate_pieces(&p, ws, &total_pieces, out->pieces, err));
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
    clv_parted_graph p = {g, used.count, used.part};
    CLV_TRY(clv_evaluate_quotient(&p, ws, &setups, cycle, length, err));
    for (int32_t i = 0; used.label && i < *length; i++)
        cycle[i] = used.label[cycle[i]];
    clv_ws_restore(ws, mark);
    return CLEAVE_OK;
}
