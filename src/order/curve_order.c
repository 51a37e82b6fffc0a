/* SPDX-License-Identifier: Apache-2.0 */
/* order/curve_order.c - the vertices of a graph along a space-filling curve: their points on
 * a grid, the index of each, and one sort.
 *
 * Source: Kaddoura, Ou, Ranka 1995; Ou, Ranka, Fox 1993.
 *
 * The bounding box is laid onto a cube, sides that are nearly the longest stretched to fill
 * it.  One that is much longer than the others is laid onto a row of cubes: the curve leaves
 * a cube beside the corner where it enters the next one.  Points on a straight line along an
 * axis come in the order of that coordinate. */
#include <math.h>

#include "base/compare.h"
#include "base/sort.h"
#include "order/curve_table.h"

enum { block = 16384 }; /* vertices handled at a time */

typedef struct box {
    double low[3], high[3];
    int32_t bad; /* a vertex whose coordinate is not finite; -1: none */
} box;

/* A row of 2^row cubes of 2^bits cells a side; the first axis goes along the row. */
typedef struct frame {
    int row, bits;
    bool straight; /* nothing but the first axis has a length: it alone gives the order */
    int axis[3];
    double low[3];       /* halved, because differences of finite numbers may not be finite */
    double half_side[3]; /* above 0 */
    double cells[3];
    uint64_t last[3]; /* cells - 1, which has more digits than a double in a long row */
} frame;

typedef struct plotter {
    const clv_graph *g;
    box *boxes; /* by block */
    frame f;
    clv_curve_table *table;
    clv_sort_item *item;
    int32_t *vertex;
} plotter;

/* ---- Bounding box ----------------------------------------------------------------------- */

static void bound_block(void *context, int64_t begin, int64_t end, int member)
{
    plotter *p = context;
    const int32_t ndim = p->g->ndim;
    (void)member;
    box b = {.bad = -1};
    for (int d = 0; d < ndim; d++) {
        const double *x = p->g->coords + d;
        double low = x[begin * ndim], high = low;
        for (int64_t v = begin; v < end; v++) {
            double here = x[v * ndim];
            low = here < low ? here : low;
            high = here > high ? here : high;
            if (!isfinite(here) && (b.bad < 0 || v < b.bad))
                b.bad = (int32_t)v;
        }
        b.low[d] = low;
        b.high[d] = high;
    }
    p->boxes[begin / block] = b;
}

static cleave_status bound_all(plotter *p, clv_context *ctx, box *all, cleave_error *err)
{
    int64_t blocks = ((int64_t)p->g->nvtx + block - 1) / block;
    p->boxes = clv_ws_alloc(ctx->ws, blocks, sizeof *p->boxes);
    if (!p->boxes)
        return clv_fail_memory(err);
    clv_parallel_for(ctx->team, p->g->nvtx, block, bound_block, p);
    *all = p->boxes[0];
    for (int64_t i = 0; i < blocks; i++) {
        const box *b = &p->boxes[i];
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

/* ---- Frame ------------------------------------------------------------------------------ */

static double half_side_of(const box *b, int axis)
{
    return b->high[axis] * 0.5 - b->low[axis] * 0.5;
}

static int longest_axis(const box *b, int32_t ndim, int but)
{
    int longest = but == 0 ? 1 : 0;
    for (int d = longest + 1; d < ndim; d++)
        if (d != but && half_side_of(b, d) > half_side_of(b, longest))
            longest = d;
    return longest;
}

/* Cubes so that a side is not above 1.5 times, or below 0.75 times, the next one. */
static int row_of(double longest, double next, int most)
{
    int row = 0;
    while (row < most && next > 0 && longest > 1.5 * next) {
        next += next;
        row++;
    }
    return row;
}

static frame frame_of(const box *b, int32_t ndim)
{
    int longest = longest_axis(b, ndim, -1);
    double side = half_side_of(b, longest);
    double next = half_side_of(b, longest_axis(b, ndim, longest));
    int levels = ndim == 2 ? CLV_CURVE_LEVELS_2D : CLV_CURVE_LEVELS_3D;
    /* An index has 63 bits: a long row leaves fewer for its cubes. */
    frame f = {.bits = ndim == 2 ? 6 * levels : 7 * levels, .axis = {0, 1, 2}};
    f.row = row_of(side, next, 62);
    while (f.row + ndim * f.bits > 63 && f.bits > levels)
        f.bits -= levels;
    f.row = f.row < 63 - ndim * f.bits ? f.row : 63 - ndim * f.bits;
    f.straight = next == 0;
    if (f.row > 0 || f.straight) {
        f.axis[0] = longest;
        f.axis[longest] = 0;
    }
    double cube = f.row > 0 ? next : side;
    for (int i = 0; i < ndim; i++) {
        double mine = half_side_of(b, f.axis[i]);
        f.low[i] = b->low[f.axis[i]] * 0.5;
        f.half_side[i] = mine > cube * 0.75 ? mine : cube > 0 ? cube : 1;
        f.last[i] = ((uint64_t)1 << (i == 0 ? f.bits + f.row : f.bits)) - 1;
        f.cells[i] = (double)f.last[i] + 1;
    }
    return f;
}

/* ---- Indices ---------------------------------------------------------------------------- */

static inline uint64_t on_grid(const frame *f, const double *point, int i)
{
    double place = (point[f->axis[i]] * 0.5 - f->low[i]) / f->half_side[i] * f->cells[i];
    return place < f->cells[i] ? (uint64_t)place : f->last[i];
}

static void index_straight(void *context, int64_t begin, int64_t end, int member)
{
    plotter *p = context;
    const double *x = p->g->coords + p->f.axis[0];
    (void)member;
    for (int64_t v = begin; v < end; v++) {
        p->item[v].key = clv_key_of_double(x[v * p->g->ndim]);
        p->item[v].with.index = v;
    }
}

static void index_2d(void *context, int64_t begin, int64_t end, int member)
{
    plotter *p = context;
    const frame f = p->f;
    (void)member;
    for (int64_t v = begin; v < end; v++) {
        const double *point = p->g->coords + 2 * v;
        uint64_t x = on_grid(&f, point, 0), y = on_grid(&f, point, 1);
        uint64_t index = clv_curve_table_2d(p->table, f.bits, x, y);
        p->item[v].key = (int64_t)(x >> f.bits << (2 * f.bits) | index);
        p->item[v].with.index = v;
    }
}

static void index_3d(void *context, int64_t begin, int64_t end, int member)
{
    plotter *p = context;
    const frame f = p->f;
    (void)member;
    for (int64_t v = begin; v < end; v++) {
        const double *point = p->g->coords + 3 * v;
        uint64_t x = on_grid(&f, point, 0), y = on_grid(&f, point, 1);
        uint64_t z = on_grid(&f, point, 2);
        uint64_t index = clv_curve_table_3d(p->table, f.bits, x, y, z);
        p->item[v].key = (int64_t)(x >> f.bits << (3 * f.bits) | index);
        p->item[v].with.index = v;
    }
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
    box all;
    CLV_TRY(bound_all(p, ctx, &all, err));
    p->f = frame_of(&all, g->ndim);
    p->table = clv_ws_alloc(ctx->ws, 1, sizeof *p->table);
    p->item = clv_ws_alloc(ctx->ws, g->nvtx, sizeof *p->item);
    clv_sort_item *scratch = clv_ws_alloc(ctx->ws, g->nvtx, sizeof *scratch);
    if (!p->table || !p->item || !scratch)
        return clv_fail_memory(err);
    clv_curve_table_make(p->table, curve, g->ndim);
    clv_parallel_for(ctx->team, g->nvtx, block,
                     p->f.straight  ? index_straight
                     : g->ndim == 2 ? index_2d
                                    : index_3d,
                     p);
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
