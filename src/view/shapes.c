/* SPDX-License-Identifier: Apache-2.0 */
/* view/shapes.c - corners of discs and arrows. */
#include "view/shapes.h"

#include <assert.h>
#include <math.h>

cleave_status clv_canvas_new(clv_canvas *c, int64_t room, clv_arena *arena, cleave_error *err)
{
    *c = (clv_canvas){.room = room};
    c->position = clv_arena_alloc(arena, 2 * room, sizeof *c->position);
    return c->position ? CLEAVE_OK : clv_fail_memory(err);
}

int32_t clv_canvas_put(clv_canvas *c, double x, double y)
{
    assert(c->used < c->room);
    c->position[2 * c->used] = x;
    c->position[2 * c->used + 1] = y;
    return (int32_t)c->used++;
}

void clv_canvas_give(const clv_canvas *c, clv_figure *f)
{
    f->position = c->position;
    f->npositions = c->used;
}

cleave_status clv_shapes_new(clv_shapes *s, clv_canvas *canvas, int64_t room, int corners,
                             clv_arena *arena, cleave_error *err)
{
    *s = (clv_shapes){.canvas = canvas, .room = room};
    s->offset = clv_arena_zalloc(arena, room + 1, sizeof *s->offset);
    s->corner = clv_arena_alloc(arena, room * corners, sizeof *s->corner);
    return s->offset && s->corner ? CLEAVE_OK : clv_fail_memory(err);
}

static void begin_shape(clv_shapes *s)
{
    assert(s->count < s->room);
    s->offset[s->count + 1] = s->offset[s->count];
}

static void add_corner(clv_shapes *s, double x, double y)
{
    s->corner[s->offset[s->count + 1]++] = clv_canvas_put(s->canvas, x, y);
}

void clv_shapes_disc(clv_shapes *s, double x, double y, double radius)
{
    begin_shape(s);
    for (int i = 0; i < CLV_DISC_CORNERS; i++) {
        double angle = 6.283185307179586 * i / CLV_DISC_CORNERS;
        add_corner(s, x + radius * cos(angle), y + radius * sin(angle));
    }
    s->count++;
}

/* ---- Arrows ----------------------------------------------------------------------------- */

/* A point of the quadratic Bezier curve and the direction there. */
static void point_on_curve(const clv_arrow *a, double t, double at[2], double way[2])
{
    double dx = a->to[0] - a->from[0], dy = a->to[1] - a->from[1];
    const double control[2] = {(a->from[0] + a->to[0]) / 2 - 2 * a->bend * dy,
                               (a->from[1] + a->to[1]) / 2 + 2 * a->bend * dx};
    for (int c = 0; c < 2; c++) {
        at[c] =
            (1 - t) * (1 - t) * a->from[c] + 2 * t * (1 - t) * control[c] + t * t * a->to[c];
        way[c] = 2 * (1 - t) * (control[c] - a->from[c]) + 2 * t * (a->to[c] - control[c]);
    }
    double length = hypot(way[0], way[1]);
    for (int c = 0; c < 2; c++)
        way[c] = length > 0 ? way[c] / length : c == 0;
}

/* The parameter at which the distance to the end of the curve (end 1) or to its start (end 0)
 * equals the gap. */
static double gap_parameter(const clv_arrow *a, int end, double gap)
{
    double low = 0, high = 0.5, at[2], way[2];
    const double *from = end ? a->to : a->from;
    for (int i = 0; i < 30; i++) {
        double t = (low + high) / 2;
        point_on_curve(a, end ? 1 - t : t, at, way);
        if (hypot(at[0] - from[0], at[1] - from[1]) < gap)
            low = t;
        else
            high = t;
    }
    return end ? 1 - high : high;
}

void clv_shapes_arrow(clv_shapes *s, const clv_arrow *a, double middle[2])
{
    double at[2], way[2], half = a->width / 2;
    double head = fmin(2.2 * half + 0.03 * hypot(a->to[0] - a->from[0], a->to[1] - a->from[1]),
                       6 * half);
    double from = gap_parameter(a, 0, a->gap_from), to = gap_parameter(a, 1, a->gap_to + head);
    double tip = gap_parameter(a, 1, a->gap_to);
    begin_shape(s);
    for (int i = 0; i <= CLV_ARROW_STEPS; i++) {
        point_on_curve(a, from + (to - from) * i / CLV_ARROW_STEPS, at, way);
        add_corner(s, at[0] - half * way[1], at[1] + half * way[0]);
    }
    double wing = half + fmin(1.1 * half + 0.1 * head, 2.4 * half);
    add_corner(s, at[0] - wing * way[1], at[1] + wing * way[0]);
    double end[2], ignored[2];
    point_on_curve(a, tip, end, ignored);
    add_corner(s, end[0], end[1]);
    add_corner(s, at[0] + wing * way[1], at[1] - wing * way[0]);
    for (int i = CLV_ARROW_STEPS; i >= 0; i--) {
        point_on_curve(a, from + (to - from) * i / CLV_ARROW_STEPS, at, way);
        add_corner(s, at[0] + half * way[1], at[1] - half * way[0]);
    }
    s->count++;
    point_on_curve(a, (from + tip) / 2, middle, way);
}

void clv_shapes_give(const clv_shapes *s, clv_layer *layer)
{
    layer->count = s->count;
    layer->at = s->corner;
    layer->offset = s->offset;
}
