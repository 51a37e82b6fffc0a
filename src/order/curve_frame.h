/* SPDX-License-Identifier: Apache-2.0 */
/* order/curve_frame.h - maps points to the grid of a space-filling curve and computes their
 * sort keys.  Used by order/curve_order.c and for distributed points.
 *
 * The bounding box is mapped to a cube; sides nearly as long as the longest are stretched to
 * fill it.  A box much longer than wide is mapped to a row of cubes: the curve leaves each
 * cube next to the corner where it enters the next.  Points on a line parallel to an axis are
 * sorted by that coordinate. */
#ifndef CLV_ORDER_CURVE_FRAME_H
#define CLV_ORDER_CURVE_FRAME_H

#include <math.h>

#include "base/compare.h"
#include "base/sort.h"
#include "order/curve_table.h"

/* The points begin .. end - 1 of an array. */
typedef struct clv_curve_points {
    int32_t ndim;
    const double *coords; /* ndim per point */
    int64_t begin, end;
} clv_curve_points;

typedef struct clv_curve_box {
    double low[3], high[3];
    int64_t bad; /* the first point with a coordinate that is not finite; -1: none */
} clv_curve_box;

/* A row of 2^row cubes with 2^bits cells per side.  The first axis runs along the row. */
typedef struct clv_curve_frame {
    int row, bits;
    bool straight; /* only the first axis has a positive length and determines the order */
    int axis[3];
    double low[3];       /* halved, because differences of finite numbers can overflow */
    double half_side[3]; /* positive */
    double cells[3];
    uint64_t last[3]; /* cells - 1, which can exceed the precision of a double in a long row */
} clv_curve_frame;

/* ---- Bounding box ----------------------------------------------------------------------- */

/* Bounding box of the points, at least one. */
static inline clv_curve_box clv_curve_box_of(const clv_curve_points *points)
{
    int32_t ndim = points->ndim;
    clv_curve_box b = {.bad = -1};
    for (int d = 0; d < ndim; d++) {
        const double *x = points->coords + d;
        double low = x[points->begin * ndim], high = low;
        for (int64_t v = points->begin; v < points->end; v++) {
            double here = x[v * ndim];
            low = here < low ? here : low;
            high = here > high ? here : high;
            if (!isfinite(here) && (b.bad < 0 || v < b.bad))
                b.bad = v;
        }
        b.low[d] = low;
        b.high[d] = high;
    }
    return b;
}

/* ---- Frame ------------------------------------------------------------------------------ */

static inline double clv_curve_half_side(const clv_curve_box *b, int axis)
{
    return b->high[axis] * 0.5 - b->low[axis] * 0.5;
}

static inline int clv_curve_longest_axis(const clv_curve_box *b, int32_t ndim, int but)
{
    int longest = but == 0 ? 1 : 0;
    for (int d = longest + 1; d < ndim; d++)
        if (d != but && clv_curve_half_side(b, d) > clv_curve_half_side(b, longest))
            longest = d;
    return longest;
}

/* Number of cubes such that a side is between 0.75 and 1.5 times the next one. */
static inline int clv_curve_row_of(double longest, double next, int most)
{
    int row = 0;
    while (row < most && next > 0 && longest > 1.5 * next) {
        next += next;
        row++;
    }
    return row;
}

static inline clv_curve_frame clv_curve_frame_of(const clv_curve_box *b, int32_t ndim)
{
    int longest = clv_curve_longest_axis(b, ndim, -1);
    double side = clv_curve_half_side(b, longest);
    double next = clv_curve_half_side(b, clv_curve_longest_axis(b, ndim, longest));
    int levels = ndim == 2 ? CLV_CURVE_LEVELS_2D : CLV_CURVE_LEVELS_3D;
    /* An index has 63 bits: a long row leaves fewer bits for its cubes. */
    clv_curve_frame f = {.bits = ndim == 2 ? 6 * levels : 7 * levels, .axis = {0, 1, 2}};
    f.row = clv_curve_row_of(side, next, 62);
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
        double mine = clv_curve_half_side(b, f.axis[i]);
        f.low[i] = b->low[f.axis[i]] * 0.5;
        f.half_side[i] = mine > cube * 0.75 ? mine : cube > 0 ? cube : 1;
        f.last[i] = ((uint64_t)1 << (i == 0 ? f.bits + f.row : f.bits)) - 1;
        f.cells[i] = (double)f.last[i] + 1;
    }
    return f;
}

/* The same frame with larger cells, so that an index needs fewer levels: a key in it is a
 * prefix of the key in *f, of at least `least` bits unless that has fewer. */
static inline clv_curve_frame clv_curve_frame_coarser(const clv_curve_frame *f, int32_t ndim,
                                                      int least)
{
    int levels = ndim == 2 ? CLV_CURVE_LEVELS_2D : CLV_CURVE_LEVELS_3D;
    clv_curve_frame to = *f;
    while (to.bits > levels && to.row + ndim * (to.bits - levels) >= least)
        to.bits -= levels;
    for (int i = 0; i < ndim; i++) {
        to.last[i] = ((uint64_t)1 << (i == 0 ? to.bits + to.row : to.bits)) - 1;
        to.cells[i] = (double)to.last[i] + 1;
    }
    return to;
}

/* ---- Keys ------------------------------------------------------------------------------- */

static inline uint64_t clv_curve_cell(const clv_curve_frame *f, const double *point, int i)
{
    double place = (point[f->axis[i]] * 0.5 - f->low[i]) / f->half_side[i] * f->cells[i];
    return place < f->cells[i] ? (uint64_t)place : f->last[i];
}

static inline int64_t clv_curve_key_2d(const clv_curve_frame *f, const clv_curve_table *table,
                                       const double *point)
{
    uint64_t x = clv_curve_cell(f, point, 0), y = clv_curve_cell(f, point, 1);
    uint64_t index = clv_curve_table_2d(table, f->bits, x, y);
    return (int64_t)(x >> f->bits << (2 * f->bits) | index);
}

static inline int64_t clv_curve_key_3d(const clv_curve_frame *f, const clv_curve_table *table,
                                       const double *point)
{
    uint64_t x = clv_curve_cell(f, point, 0), y = clv_curve_cell(f, point, 1);
    uint64_t z = clv_curve_cell(f, point, 2);
    uint64_t index = clv_curve_table_3d(table, f->bits, x, y, z);
    return (int64_t)(x >> f->bits << (3 * f->bits) | index);
}

/* Sets item[v] to the key of point v and to v, for all points. */
static inline void clv_curve_keys(const clv_curve_frame *frame, const clv_curve_table *table,
                                  const clv_curve_points *points, clv_sort_item *item)
{
    const clv_curve_frame f = *frame;
    const double *coords = points->coords, *x = coords + f.axis[0];
    int32_t ndim = points->ndim;
    int64_t begin = points->begin, end = points->end;
    if (f.straight)
        for (int64_t v = begin; v < end; v++)
            item[v] = (clv_sort_item){clv_key_of_double(x[v * ndim]), {v}};
    else if (ndim == 2)
        for (int64_t v = begin; v < end; v++)
            item[v] = (clv_sort_item){clv_curve_key_2d(&f, table, coords + 2 * v), {v}};
    else
        for (int64_t v = begin; v < end; v++)
            item[v] = (clv_sort_item){clv_curve_key_3d(&f, table, coords + 3 * v), {v}};
}

#endif
