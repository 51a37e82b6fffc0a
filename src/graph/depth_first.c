/* SPDX-License-Identifier: Apache-2.0 */
/* graph/depth_first.c - see graph/depth_first.h. */
#include "graph/depth_first.h"

#include <assert.h>

/* Puts stack[from..to) into random order, or reverses it so that the first is popped first. */
static void arrange_stack(int32_t *stack, int32_t from, int32_t to, clv_rng *rng)
{
    for (int32_t i = from, j = to - 1; !rng && i < j; i++, j--) {
        int32_t other = stack[i];
        stack[i] = stack[j];
        stack[j] = other;
    }
    for (int32_t i = from + 1; rng && i < to; i++) {
        int32_t j = from + (int32_t)clv_rng_below(rng, (uint32_t)(i - from) + 1);
        int32_t other = stack[i];
        stack[i] = stack[j];
        stack[j] = other;
    }
}

cleave_status clv_depth_first_order(const clv_graph *g, clv_rng *rng, clv_ws *ws,
                                    int32_t *order, cleave_error *err)
{
    assert(g->kind == CLEAVE_DAG);
    clv_ws_mark mark = clv_ws_save(ws);
    int64_t *waiting = clv_ws_alloc(ws, g->nvtx, sizeof *waiting);
    int32_t *stack = clv_ws_alloc(ws, g->nvtx, sizeof *stack);
    if (!waiting || !stack)
        return clv_fail_memory(err);
    int32_t height = 0, placed = 0;
    for (int32_t v = 0; v < g->nvtx; v++) {
        waiting[v] = g->xpred[v + 1] - g->xpred[v];
        if (waiting[v] == 0)
            stack[height++] = v;
    }
    arrange_stack(stack, 0, height, rng);
    while (height > 0) {
        int32_t v = order[placed++] = stack[--height], below = height;
        for (int64_t a = g->xadj[v]; a < g->xadj[v + 1]; a++)
            if (--waiting[g->adj[a]] == 0)
                stack[height++] = g->adj[a];
        arrange_stack(stack, below, height, rng);
    }
    assert(placed == g->nvtx);
    clv_ws_restore(ws, mark);
    return CLEAVE_OK;
}
