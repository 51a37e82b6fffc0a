/* SPDX-License-Identifier: Apache-2.0 */
/* view/labels.h - placement of labels next to points without overlaps. */
#ifndef CLV_VIEW_LABELS_H
#define CLV_VIEW_LABELS_H

#include <stdbool.h>
#include <stdint.h>

typedef struct clv_box {
    double left, top, right, bottom;
} clv_box;

typedef struct clv_segment {
    double x1, y1, x2, y2;
} clv_segment;

typedef struct clv_label {
    const char *text;
    double x, y;          /* of the point */
    double width, height; /* of the text */
    clv_box box;          /* out: position of the text */
    bool leader;          /* out: far enough from the point to need a connecting line */
} clv_label;

/* Obstacles that a text should not overlap. */
typedef struct clv_obstacles {
    clv_box frame; /* texts stay within */
    const clv_box *box;
    int64_t nbox;
    const clv_segment *segment;
    int64_t nsegment;
} clv_obstacles;

/* Sets box and leader of each label, in order.  Always finds a position; if none is free, the
 * one with the least overlap.  O(labels * (labels + obstacles)). */
void clv_labels_place(clv_label *label, int64_t count, const clv_obstacles *obstacles);

#endif
