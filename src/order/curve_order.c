/* SPDX-License-Identifier: Apache-2.0 */
/* order/curve_order.c - sorts the vertices of a graph along a space-filling curve: their
 * points on a grid (order/curve_frame.h), their indices, and one sort [Kaddoura, Ou, Ranka
 * 1995; Ou, Ranka, Fox 1993]. */
#include "order/curve_frame.h"

enum { block = 16384 }; /* vertices per block */

typedef struct plotter {
    const clv_graph *g;
    clv_curve_box *boxes; /* by block */
    clv_curve_frame f;
    clv_curve_table *table;
    clv_sort_item *item;
    int32_t *vertex;
} plotter;

static void bound_block(void *context, int64_t begin, int64_t end, int member)
{
    plotter *p = context;
    (void)member;
    p->boxes[begin / block] = clv_curve_box_of(p->g->ndim, p->g->coords, begin, end);
}

static cleave_status bound_all(plotter *p, clv_context *ctx, clv_curve_box *all,
                               cleave_error *err)
{
    int64_t blocks = ((int64_t)p->g->nvtx + block - 1) / block;
    p->boxes = clv_ws_alloc(ctx->ws, blocks, sizeof *p->boxes);
    if (!p->boxes)
        return clv_fail_memory(err);
    clv_parallel_for(ctx->team, p->g->nvtx, block, bound_block, p);
    *all = p->boxes[0];
    for (int64_t i = 0; i < blocks; i++) {
        const clv_curve_box *b = &p->boxes[i];
        if (b->bad >= 0)
            return clv_fail(err, CLEAVE_EINVAL, "a coordinate of vertex %ld is not finite",
                            (long)b->bad);
        for (int d = 0; d < p->g->ndim; d++) {
            all->low[d] = b->low[d] < all->low[d] ? b->low[d] : all->low[d];
            all->high[d] = b->high[d] > all->high[d] ? b->high[d] : all->high[d];
        }
    }
    return CLEAVE_OK;
}

static void index_block(void *context, int64_t begin, int64_t end, int member)
{
    plotter *p = context;
    (void)member;
    clv_curve_keys(&p->f, p->table, p->g->ndim, p->g->coords, begin, end, p->item);
}

static void read_off(void *context, int64_t begin, int64_t end, int member)
{
    plotter *p = context;
    (void)member;
    for (int64_t i = begin; i < end; i++)
        p->vertex[i] = (int32_t)p->item[i].with.index;
}

static cleave_status plot(plotter *p, clv_curve curve, clv_context *ctx, cleave_error *err)
{
    const clv_graph *g = p->g;
    clv_curve_box all;
    CLV_TRY(bound_all(p, ctx, &all, err));
    p->f = clv_curve_frame_of(&all, g->ndim);
    p->table = clv_ws_alloc(ctx->ws, 1, sizeof *p->table);
    p->item = clv_ws_alloc(ctx->ws, g->nvtx, sizeof *p->item);
    clv_sort_item *scratch = clv_ws_alloc(ctx->ws, g->nvtx, sizeof *scratch);
    if (!p->table || !p->item || !scratch)
        return clv_fail_memory(err);
    clv_curve_table_make(p->table, curve, g->ndim);
    clv_parallel_for(ctx->team, g->nvtx, block, index_block, p);
    clv_sort_team(ctx->team, p->item, scratch, g->nvtx);
    clv_parallel_for(ctx->team, g->nvtx, block, read_off, p);
    return CLEAVE_OK;
}

cleave_status clv_curve_order(const clv_graph *g, clv_curve curve, clv_context *ctx,
                              int32_t *vertex, cleave_error *err)
{
    if (g->ndim == 0)
        return clv_fail(err, CLEAVE_EINVAL,
                        "the graph has no coordinates, which space-filling curves need");
    if (g->nvtx == 0)
        return CLEAVE_OK;
    plotter p = {.g = g, .vertex = vertex};
    clv_ws_mark mark = clv_ws_save(ctx->ws);
    cleave_status status = plot(&p, curve, ctx, err);
    clv_ws_restore(ctx->ws, mark);
    return status;
}
