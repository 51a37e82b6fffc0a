/* SPDX-License-Identifier: Apache-2.0 */
/* view/shapes.h - filled shapes for the areas of a figure: discs, and curved arrows of given
 * width. */
#ifndef CLV_VIEW_SHAPES_H
#define CLV_VIEW_SHAPES_H

#include "view/figure.h"

enum { CLV_DISC_CORNERS = 36, CLV_ARROW_STEPS = 14 };
enum { CLV_ARROW_CORNERS = 2 * (CLV_ARROW_STEPS + 1) + 3 };

/* Positions of a figure, added one by one. */
typedef struct clv_canvas {
    double *position; /* capacity: `room` pairs */
    int64_t used, room;
} clv_canvas;

cleave_status clv_canvas_new(clv_canvas *c, int64_t room, clv_arena *arena, cleave_error *err);
/* Returns the number of the position; asserts that there is room. */
int32_t clv_canvas_put(clv_canvas *c, double x, double y);
/* Transfers the positions to the figure; no more can be added. */
void clv_canvas_give(const clv_canvas *c, clv_figure *f);

/* The areas of one layer. */
typedef struct clv_shapes {
    clv_canvas *canvas;
    int64_t count, room, *offset;
    int32_t *corner;
} clv_shapes;

/* Capacity for `room` shapes with `corners` corners each; arrays from arena. */
cleave_status clv_shapes_new(clv_shapes *s, clv_canvas *canvas, int64_t room, int corners,
                             clv_arena *arena, cleave_error *err);
void clv_shapes_disc(clv_shapes *s, double x, double y, double radius);

typedef struct clv_arrow {
    double from[2], to[2];
    double gap_from, gap_to; /* distances from the two ends */
    double bend;             /* to the left of the direction, as a fraction of the length */
    double width;
} clv_arrow;
/* middle: position for a label next to the arrow. */
void clv_shapes_arrow(clv_shapes *s, const clv_arrow *a, double middle[2]);
/* Makes the shapes the areas of a layer. */
void clv_shapes_give(const clv_shapes *s, clv_layer *layer);

#endif
