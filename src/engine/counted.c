/* SPDX-License-Identifier: Apache-2.0 */
/* engine/counted.c - see engine/counted.h. */
#include "engine/counted.h"

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
    CLV_TRY(
        clv_bounds_scale_to_count(&to->task.bounds, &task->bounds, task->g->nvtx, ws, err));
    to->g = *task->g;
    clv_graph_set_vwgts(&to->g, (clv_weights){0});
    to->g.ncon = 1;
    to->task.g = &to->g;
    return CLEAVE_OK;
}
