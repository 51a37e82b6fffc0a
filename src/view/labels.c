/* SPDX-License-Identifier: Apache-2.0 */
/* view/labels.c - greedy label placement: eight directions at growing distances; the position
 * with the least overlap is chosen, and the label becomes an obstacle for the next. */
#include "view/labels.h"

#include <math.h>

#include "base/compare.h"

static double common_area(clv_box a, clv_box b)
{
    double width = clv_smaller_real(a.right, b.right) - clv_larger_real(a.left, b.left);
    double height = clv_smaller_real(a.bottom, b.bottom) - clv_larger_real(a.top, b.top);
    return width > 0 && height > 0 ? width * height : 0;
}

/* Narrows [*from, *to] to where start + t * step is within [lo, hi]. */
static void clip_range(double start, double step, double lo, double hi, double *from,
                       double *to)
{
    if (fabs(step) < 1e-12) {
        if (start < lo || start > hi)
            *to = -1;
        return;
    }
    double first = (lo - start) / step, last = (hi - start) / step;
    *from = clv_larger_real(*from, clv_smaller_real(first, last));
    *to = clv_smaller_real(*to, clv_larger_real(first, last));
}

/* Length in pixels of the segment inside the box [Liang, Barsky 1984]. */
static double length_inside(clv_segment s, clv_box box)
{
    double from = 0, to = 1, dx = s.x2 - s.x1, dy = s.y2 - s.y1;
    clip_range(s.x1, dx, box.left, box.right, &from, &to);
    clip_range(s.y1, dy, box.top, box.bottom, &from, &to);
    return to > from ? (to - from) * sqrt(dx * dx + dy * dy) : 0;
}

static double outside(clv_box frame, clv_box box)
{
    return clv_larger_real(0, frame.left - box.left) +
           clv_larger_real(0, box.right - frame.right) +
           clv_larger_real(0, frame.top - box.top) +
           clv_larger_real(0, box.bottom - frame.bottom);
}

/* The box of a text in direction (dx, dy) from the point, each -1, 0 or 1. */
static clv_box box_at(const clv_label *l, int dx, int dy, double distance)
{
    double reach = dx && dy ? 0.7 * distance : distance;
    double x = l->x + dx * (reach + 0.5 * l->width), y = l->y + dy * (reach + 0.5 * l->height);
    return (clv_box){x - 0.5 * l->width, y - 0.5 * l->height, x + 0.5 * l->width,
                     y + 0.5 * l->height};
}

static double cost_of(clv_box box, const clv_label *placed, int64_t count,
                      const clv_obstacles *o)
{
    double cost = 200 * outside(o->frame, box);
    clv_box wide = {box.left - 2, box.top, box.right + 2, box.bottom};
    for (int64_t i = 0; i < count; i++)
        cost += 6 * common_area(wide, placed[i].box);
    for (int64_t i = 0; i < o->nbox; i++)
        cost += 3 * common_area(box, o->box[i]);
    for (int64_t i = 0; i < o->nsegment; i++)
        cost += 6 * length_inside(o->segment[i], box);
    return cost;
}

static void place_label(clv_label *label, int64_t at, const clv_obstacles *o)
{
    static const int direction[8][2] = {{1, 0},  {-1, 0}, {0, -1}, {0, 1},
                                        {1, -1}, {1, 1},  {-1, 1}, {-1, -1}};
    static const double distance[] = {8, 13, 20, 30, 44};
    double best = INFINITY;
    for (int d = 0; d < 5; d++)
        for (int i = 0; i < 8; i++) {
            clv_box box = box_at(&label[at], direction[i][0], direction[i][1], distance[d]);
            double cost = cost_of(box, label, at, o) + 6 * d * d + i;
            if (cost < best) {
                best = cost;
                label[at].box = box;
                label[at].leader = d >= 2;
            }
        }
}

void clv_labels_place(clv_label *label, int64_t count, const clv_obstacles *obstacles)
{
    for (int64_t i = 0; i < count; i++)
        place_label(label, i, obstacles);
}
