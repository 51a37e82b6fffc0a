/* SPDX-License-Identifier: Apache-2.0 */
/* engine/multilevel/block_line_cut.c - blocks cut along a topological order after the
 * deadline, see engine/multilevel/block_subgraph.h. */
#include "engine/multilevel/block_subgraph.h"
#include "engine/order/line_parts.h"
#include "initial/dag_orders.h"

/* Keeps the vertices grouped by block and sorts each block topologically, depth first: the
 * border behind a vertex is then short. */
static cleave_status sort_blocks(clv_blocks *all, clv_context *ctx, cleave_error *err)
{
    const clv_graph *g = all->task->g;
    int32_t *line = clv_ws_alloc(ctx->ws, g->nvtx, sizeof *line);
    int32_t *at = clv_ws_alloc(ctx->ws, all->task->bounds.nparts, sizeof *at);
    if (!line || !at)
        return clv_fail_memory(err);
    clv_context_count(ctx, g->narc);
    CLV_TRY(clv_dag_order_make(CLV_ORDER_STACK, g, 0, ctx->ws, line, err));
    for (int32_t i = 0; i < all->count; i++)
        at[all->block[i].part] = all->block[i].first;
    for (int32_t i = 0; i < g->nvtx; i++)
        all->order[at[all->label[line[i]]]++] = line[i];
    return CLEAVE_OK;
}

cleave_status clv_blocks_cut(clv_blocks *all, clv_context *ctx, cleave_error *err)
{
    clv_ws_mark mark = clv_ws_save(ctx->ws);
    if (all->task->g->kind == CLEAVE_DAG)
        CLV_TRY(sort_blocks(all, ctx, err));
    for (int32_t i = 0; i < all->count; i++) {
        const clv_block *b = &all->block[i];
        clv_line line = {all->order + b->first, b->count, b->part, b->nparts};
        if (b->nparts > 1 && b->count > 0)
            CLV_TRY(clv_line_cut(all->task, &line, ctx->ws, all->label, err));
    }
    clv_ws_restore(ctx->ws, mark);
    return CLEAVE_OK;
}
