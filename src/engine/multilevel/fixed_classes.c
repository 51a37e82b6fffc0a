/* SPDX-License-Identifier: Apache-2.0 */
/* engine/multilevel/fixed_classes.c - merge classes of a DAG with fixed vertices, see
 * engine/multilevel/fixed_classes.h. */
#include "engine/multilevel/fixed_classes.h"

#include "base/sort.h"
#include "graph/topology.h"
#include "initial/fixed_order.h"

static cleave_status find_ranges(const clv_multilevel_task *task, clv_ws *ws, int32_t *low,
                                 int32_t *high, cleave_error *err)
{
    const clv_graph *g = task->g;
    bool complete;
    int32_t *order = clv_ws_alloc(ws, g->nvtx, sizeof *order);
    int32_t *rank = clv_ws_alloc(ws, task->bounds.nparts, sizeof *rank);
    if (!order || !rank)
        return clv_fail_memory(err);
    for (int32_t p = 0; p < task->bounds.nparts; p++)
        rank[p] = p;
    clv_partition_state s = {
        .g = g, .bounds = task->bounds, .fixed = task->fixed, .rank = rank};
    CLV_TRY(clv_topology_sort(g->nvtx, g->xadj, g->adj, ws, order, &complete, err));
    if (!complete || !clv_fixed_ranks(&s, order, low, high))
        return clv_fail(err, CLEAVE_ECYCLE,
                        "the fixed vertices contradict the order of their parts");
    return CLEAVE_OK;
}

static cleave_status classify(const clv_multilevel_task *task, clv_ws *ws,
                              int32_t *merge_class, cleave_error *err)
{
    int32_t n = task->g->nvtx, count = 0;
    int32_t *low = clv_ws_alloc(ws, n, sizeof *low);
    int32_t *high = clv_ws_alloc(ws, n, sizeof *high);
    clv_sort_item *items = clv_ws_alloc(ws, 2 * (int64_t)n, sizeof *items);
    if (!low || !high || !items)
        return clv_fail_memory(err);
    CLV_TRY(find_ranges(task, ws, low, high, err));
    for (int32_t v = 0; v < n; v++) {
        int64_t range = (int64_t)low[v] * task->bounds.nparts + high[v];
        items[v] = (clv_sort_item){.key = 2 * range + (task->fixed[v] >= 0), .with.index = v};
    }
    const clv_sort_item *sorted = clv_sort(items, items + n, n);
    for (int32_t i = 0; i < n; i++) {
        count += i > 0 && sorted[i].key != sorted[i - 1].key;
        merge_class[sorted[i].with.index] = count;
    }
    return CLEAVE_OK;
}

cleave_status clv_fixed_classes(const clv_multilevel_task *task, clv_ws *ws,
                                int32_t *merge_class, cleave_error *err)
{
    clv_ws_mark mark = clv_ws_save(ws);
    CLV_TRY(classify(task, ws, merge_class, err));
    clv_ws_restore(ws, mark);
    return CLEAVE_OK;
}
