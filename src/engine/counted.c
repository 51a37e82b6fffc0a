/* SPDX-License-Identifier: Apache-2.0 */
/* engine/counted.c - see engine/counted.h. */
#include "engine/counted.h"

double *clv_counted_shares(const clv_partition_task *task, clv_ws *ws)
{
    double sum = 0, *share = clv_ws_alloc(ws, task->nparts, sizeof *share);
    for (int32_t p = 0; share && p < task->nparts; p++)
        sum += share[p] = task->share[(int64_t)p * task->g->ncon];
    if (!share || sum > 0)
        return share;
    for (int32_t p = 0; p < task->nparts; p++)
        sum += share[p] = !clv_bounds_idle(task->max, task->g->ncon, p);
    for (int32_t p = 0; p < task->nparts && !(sum > 0); p++)
        share[p] = 1;
    return share;
}

static bool weighs_nothing(const clv_graph *g)
{
    int64_t count = (int64_t)g->nvtx * g->ncon;
    for (int64_t i = 0; i < count; i++)
        if (!g->vwgt || g->vwgt[i] != 0)
            return false;
    return count > 0;
}

cleave_status clv_counted_make(clv_counted *to, const clv_partition_task *task, clv_ws *ws,
                               cleave_error *err)
{
    to->task = *task;
    if (!weighs_nothing(task->g))
        return CLEAVE_OK;
    int32_t n = task->g->nvtx, k = task->nparts, open = 0;
    double sum = 0, *share = clv_counted_shares(task, ws);
    int64_t *max = clv_ws_alloc(ws, k, sizeof *max);
    if (!share || !max)
        return clv_fail_memory(err);
    for (int32_t p = 0; p < k; p++) {
        sum += share[p];
        open += !clv_bounds_idle(task->max, task->g->ncon, p);
    }
    for (int32_t p = 0; p < k; p++) {
        share[p] = n * (share[p] / sum);
        max[p] = open > 0 && clv_bounds_idle(task->max, task->g->ncon, p) ? 0 : n;
    }
    to->g = *task->g;
    clv_graph_set_vwgts(&to->g, (clv_weights){0});
    to->g.ncon = 1;
    to->task.g = &to->g;
    to->task.share = share;
    to->task.max = max;
    to->task.min = NULL;
    return CLEAVE_OK;
}
