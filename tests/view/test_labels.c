/* SPDX-License-Identifier: Apache-2.0 */
/* Labels do not overlap each other, the points or the lines while there is room. */
#include "view/labels.h"

#include <math.h>

#include "support/test.h"

static bool disjoint(clv_box a, clv_box b)
{
    return a.right <= b.left || b.right <= a.left || a.bottom <= b.top || b.bottom <= a.top;
}

static bool within(clv_box inner, clv_box outer)
{
    return inner.left >= outer.left && inner.right <= outer.right && inner.top >= outer.top &&
           inner.bottom <= outer.bottom;
}

enum { most = 40 };

/* Points at random with room for all labels, but closer than a label is wide. */
static void test_room_enough(void)
{
    uint32_t state = 7;
    for (int round = 0; round < 100; round++) {
        clv_label label[most];
        clv_box box[most], frame = {0, 0, 800, 600};
        int count = 0;
        for (int y = 60; y <= 540; y += 80)
            for (int x = 100; x <= 700 && count < most; x += 120) {
                state = state * 1664525u + 1013904223u;
                double px = x + (state >> 24) % 25, py = y + (state >> 16) % 25;
                box[count] = (clv_box){px - 5, py - 5, px + 5, py + 5};
                label[count++] =
                    (clv_label){.text = "", .x = px, .y = py, .width = 80, .height = 14};
            }
        clv_obstacles o = {.frame = frame, .box = box, .nbox = count};
        clv_labels_place(label, count, &o);
        for (int i = 0; i < count; i++) {
            CHECK(within(label[i].box, frame));
            for (int j = 0; j < count; j++)
                CHECK((i == j || disjoint(label[i].box, label[j].box)) &&
                      disjoint(label[i].box, box[j]));
        }
    }
}

/* A line to the right pushes the text elsewhere; the corner of the frame too. */
static void test_lines_and_corners(void)
{
    clv_segment segment[] = {{50, 50, 200, 50}, {50, 50, -100, 50}};
    clv_obstacles o = {.frame = {0, 0, 100, 100}, .segment = segment, .nsegment = 2};
    clv_label label = {.text = "", .x = 50, .y = 50, .width = 30, .height = 14};
    clv_labels_place(&label, 1, &o);
    CHECK(label.box.bottom <= 50 || label.box.top >= 50);
    label = (clv_label){.text = "", .x = 98, .y = 2, .width = 30, .height = 14};
    o.nsegment = 0;
    clv_labels_place(&label, 1, &o);
    CHECK(within(label.box, o.frame));
    CHECK(!label.leader);
}

/* No room at all: still a place, and a leader only when far off. */
static void test_no_room(void)
{
    clv_label label[most];
    clv_obstacles o = {.frame = {0, 0, 60, 40}};
    for (int i = 0; i < most; i++)
        label[i] = (clv_label){.text = "", .x = 30, .y = 20, .width = 50, .height = 14};
    clv_labels_place(label, most, &o);
    for (int i = 0; i < most; i++)
        CHECK(fabs(label[i].box.right - label[i].box.left - 50) < 1e-9);
}

int main(void)
{
    RUN(test_room_enough);
    RUN(test_lines_and_corners);
    RUN(test_no_room);
    return test_end();
}
