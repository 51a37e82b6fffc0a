/* SPDX-License-Identifier: Apache-2.0 */
/* order/curve_order.c - sorts the vertices of a graph along a space-filling curve: their
 * points on a grid (order/curve_frame.h), their indices, and one sort [Kaddoura, Ou, Ranka
 * 1995; Ou, Ranka, Fox 1993]. */
#include "base/group.h"
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
    const clv_curve_points points = {p->g->ndim, p->g->coords, begin, end};
    p->boxes[begin / block] = clv_curve_box_of(&points);
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
    const clv_curve_points points = {p->g->ndim, p->g->coords, begin, end};
    clv_curve_keys(&p->f, p->table, &points, p->item);
}

static void read_off(void *context, int64_t begin, int64_t end, int member)
{
    plotter *p = context;
    (void)member;
    for (int64_t i = begin; i < end; i++)
        p->vertex[i] = (int32_t)p->item[i].with.index;
}

static cleave_status make_frame(plotter *p, clv_curve curve, clv_context *ctx,
                                cleave_error *err)
{
    clv_curve_box all;
    CLV_TRY(bound_all(p, ctx, &all, err));
    p->f = clv_curve_frame_of(&all, p->g->ndim);
    p->table = clv_ws_alloc(ctx->ws, 1, sizeof *p->table);
    if (!p->table)
        return clv_fail_memory(err);
    clv_curve_table_make(p->table, curve, p->g->ndim);
    return CLEAVE_OK;
}

static cleave_status plot(plotter *p, clv_context *ctx, cleave_error *err)
{
    const clv_graph *g = p->g;
    p->item = clv_ws_alloc(ctx->ws, g->nvtx, sizeof *p->item);
    clv_sort_item *scratch = clv_ws_alloc(ctx->ws, g->nvtx, sizeof *scratch);
    if (!p->item || !scratch)
        return clv_fail_memory(err);
    clv_parallel_for(ctx->team, g->nvtx, block, index_block, p);
    clv_sort_team(ctx->team, p->item, scratch, g->nvtx);
    clv_parallel_for(ctx->team, g->nvtx, block, read_off, p);
    return CLEAVE_OK;
}

/* The upper bits of the keys. */
static void find_cells(plotter *p, int shift, int32_t *cell)
{
    const clv_graph *g = p->g;
    for (int64_t begin = 0; begin < g->nvtx; begin += block) {
        int64_t count = g->nvtx - begin < block ? g->nvtx - begin : block;
        const clv_curve_points points = {g->ndim, g->coords + begin * g->ndim, 0, count};
        clv_curve_keys(&p->f, p->table, &points, p->item);
        for (int64_t i = 0; i < count; i++)
            cell[begin + i] = (int32_t)(p->item[i].key >> shift);
    }
}

/* At most 2^20 cells, whose counters stay in the cache, and at most 32 per vertex. */
static int bits_of_cells(int64_t nvtx)
{
    int bits = 20;
    while (bits > 0 && (INT64_C(1) << bits) > 32 * nvtx)
        bits--;
    return bits;
}

static cleave_status plot_cells(plotter *p, clv_context *ctx, cleave_error *err)
{
    int32_t n = p->g->nvtx;
    int bits = bits_of_cells(n);
    if (p->f.straight)
        return plot(p, ctx, err);
    p->f = clv_curve_frame_coarser(&p->f, p->g->ndim, bits);
    int all = p->f.row + p->g->ndim * p->f.bits;
    bits = bits < all ? bits : all;
    p->item = clv_ws_alloc(ctx->ws, block, sizeof *p->item);
    int32_t *cell = clv_ws_alloc(ctx->ws, n, sizeof *cell);
    int32_t *first = clv_ws_alloc(ctx->ws, (INT64_C(1) << bits) + 1, sizeof *first);
    if (!p->item || !cell || !first)
        return clv_fail_memory(err);
    find_cells(p, all - bits, cell);
    clv_group_by_key(n, cell, INT32_C(1) << bits, first, p->vertex);
    return CLEAVE_OK;
}

static cleave_status order_along(const clv_graph *g, clv_curve curve, bool by_cells,
                                 clv_context *ctx, int32_t *vertex, cleave_error *err)
{
    if (g->ndim == 0)
        return clv_fail(err, CLEAVE_EINVAL,
                        "the graph has no coordinates, which space-filling curves need");
    if (g->nvtx == 0)
        return CLEAVE_OK;
    plotter p = {.g = g, .vertex = vertex};
    clv_ws_mark mark = clv_ws_save(ctx->ws);
    cleave_status status = make_frame(&p, curve, ctx, err);
    if (status == CLEAVE_OK)
        status = by_cells ? plot_cells(&p, ctx, err) : plot(&p, ctx, err);
    clv_ws_restore(ctx->ws, mark);
    return status;
}

cleave_status clv_curve_order(const clv_graph *g, clv_curve curve, clv_context *ctx,
                              int32_t *vertex, cleave_error *err)
{
    return order_along(g, curve, false, ctx, vertex, err);
}

cleave_status clv_curve_order_by_cells(const clv_graph *g, clv_curve curve, clv_context *ctx,
                                       int32_t *vertex, cleave_error *err)
{
    return order_along(g, curve, true, ctx, vertex, err);
}
