/* SPDX-License-Identifier: Apache-2.0 */
/* engine/order/refine_borders.c - the pipeline of engine/pipeline.h, starting from intervals
 * of an order. */
#include "engine/order/refine_borders.h"

#include "engine/mapping/trivial_mapping.h"
#include "engine/task_normalise.h"
#include "order/split.h"

/* Splits the order into intervals for the PEs.  line: the order with weights and crossings of
 * the graph, if o does not have them. */
static cleave_status split_for_start(const clv_map_job *job, const clv_order *o, int32_t *part,
                                     cleave_error *err)
{
    const clv_target *t = job->request->t;
    clv_ws *ws = job->ctx->ws;
    clv_order *line = NULL;
    int32_t *begin = clv_ws_alloc(ws, t->npes, sizeof *begin);
    int32_t *end = clv_ws_alloc(ws, t->npes, sizeof *end);
    if (!begin || !end)
        return clv_fail_memory(err);
    if (!o->crossing || !o->hash)
        CLV_TRY(clv_order_new(&line, job->request->g, o->method, o->vertex, ws, err));
    const clv_order *cut = line ? line : o;
    clv_split_rule rule = {t->npes, clv_target_shares(t), job->request->opt.imbalance,
                           CLV_GROUPING_BINPACKING, true};
    clv_split_line(cut, &rule, begin, end);
    for (int32_t pe = 0; pe < t->npes; pe++)
        for (int32_t p = begin[pe]; p < end[pe]; p++)
            part[o->vertex[p]] = pe;
    clv_order_free(line);
    return CLEAVE_OK;
}

cleave_status clv_refine_borders(clv_map_job *job, const clv_order *o, int32_t *part,
                                 cleave_error *err)
{
    bool done;
    CLV_TRY(clv_normalise_request(job, err));
    CLV_TRY(clv_trivial_mapping(job, part, &done, err));
    if (done)
        return CLEAVE_OK;
    int32_t *start = clv_ws_alloc(job->ctx->ws, job->request->g->nvtx, sizeof *start);
    if (!start)
        return clv_fail_memory(err);
    CLV_TRY(split_for_start(job, o, start, err));
    job->start = start;
    clv_partition_task task = clv_pipeline_task(job);
    return clv_partition(&task, job->ctx, part, &job->stats, err);
}
