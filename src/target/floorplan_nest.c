/* SPDX-License-Identifier: Apache-2.0 */
/* target/floorplan_nest.c - nested boxes: the usual drawing of a computer.
 *
 * The contents of a box are arranged in rows such that the box has about the aspect ratio of a
 * page, below a line for its name; memory is a separate strip above the rows. */
#include <math.h>

#include "target/floorplan.h"

static const double pad = 0.1, head = 0.32, leaf_width = 1.3, leaf_height = 0.62;

/* The direct contents of each box, as lists. */
typedef struct inside {
    int32_t *first, *next, *count; /* by box; -1: none */
} inside;

static bool list_inside(inside *in, const clv_nest *nest, clv_arena *arena)
{
    in->first = clv_arena_alloc(arena, nest->count, sizeof *in->first);
    in->next = clv_arena_alloc(arena, nest->count, sizeof *in->next);
    in->count = clv_arena_zalloc(arena, nest->count, sizeof *in->count);
    if (!in->first || !in->next || !in->count)
        return false;
    for (int32_t b = 0; b < nest->count; b++)
        in->first[b] = in->next[b] = -1;
    for (int32_t b = nest->count - 1; b > 0; b--) {
        int32_t up = nest->box[b].parent;
        in->next[b] = in->first[up];
        in->first[up] = b;
        in->count[up] += nest->box[b].kind != CLV_BOX_MEMORY;
    }
    return true;
}

/* Number of columns for which `count` boxes of this size come closest to the aspect ratio of a
 * page. */
static int32_t columns_of(int32_t count, double width, double height)
{
    int32_t best = 1;
    double least = INFINITY;
    for (int32_t c = 1; c <= count; c++) {
        int32_t rows = (count + c - 1) / c;
        double shape = log(c * width / (rows * height * 1.5)), empty = c * rows - count;
        double badness = fabs(shape) + empty / count;
        if (badness < least) {
            least = badness;
            best = c;
        }
    }
    return best;
}

/* right and bottom become width and height of each box, from the inside out. */
static void find_box_sizes(const clv_nest *nest, const inside *in, clv_floorplan_box *box)
{
    for (int32_t b = nest->count - 1; b >= 0; b--) {
        double width = 0, height = 0, strips = 0;
        for (int32_t i = in->first[b]; i >= 0; i = in->next[i]) {
            if (box[i].kind == CLV_BOX_MEMORY) {
                strips += head + pad;
                continue;
            }
            width = fmax(width, box[i].right);
            height = fmax(height, box[i].bottom);
        }
        int32_t count = in->count[b];
        if (count == 0) {
            bool thread = box[b].kind == CLV_BOX_THREAD;
            box[b].right = thread ? 0.8 * leaf_width : leaf_width;
            box[b].bottom = box[b].kind == CLV_BOX_MEMORY ? head
                            : thread                      ? 0.7 * leaf_height
                                                          : leaf_height;
            continue;
        }
        int32_t columns = box[b].kind == CLV_BOX_PE ? count : columns_of(count, width, height);
        int32_t rows = (count + columns - 1) / columns;
        box[b].right = columns * (width + pad) + pad;
        box[b].bottom = head + strips + rows * (height + pad);
    }
}

/* Boxes of a row are as wide as the widest, so that they are aligned in columns. */
static void arrange(const clv_nest *nest, const inside *in, clv_floorplan_box *box)
{
    box[0].left = box[0].top = 0;
    for (int32_t b = 0; b < nest->count; b++) {
        double width = 0, height = 0, top = box[b].top + head;
        for (int32_t i = in->first[b]; i >= 0; i = in->next[i]) {
            if (box[i].kind != CLV_BOX_MEMORY) {
                width = fmax(width, box[i].right);
                height = fmax(height, box[i].bottom);
                continue;
            }
            box[i].left = box[b].left + pad;
            box[i].top = top;
            box[i].right = box[b].right - pad;
            box[i].bottom = top + head;
            top += head + pad;
        }
        double room = box[b].right - box[b].left - 2 * pad + pad;
        int32_t columns = (int32_t)fmax(1, floor(room / (width + pad) + 1e-6)), place = 0;
        for (int32_t i = in->first[b]; i >= 0; i = in->next[i]) {
            if (box[i].kind == CLV_BOX_MEMORY)
                continue;
            box[i].left = box[b].left + pad + place % columns * (width + pad);
            box[i].top = top + place / columns * (height + pad);
            box[i].right = box[i].left + width;
            box[i].bottom = box[i].top + height;
            place++;
        }
    }
}

cleave_status clv_floorplan_nest(clv_floorplan *f, int32_t npes, const clv_nest *nest,
                                 clv_arena *arena, cleave_error *err)
{
    inside in;
    CLV_TRY(clv_floorplan_room(f, 2, npes, 0, arena, err));
    clv_floorplan_box *box = clv_arena_alloc(arena, nest->count, sizeof *box);
    if (!box || !list_inside(&in, nest, arena))
        return clv_fail_memory(err);
    for (int32_t b = 0; b < nest->count; b++)
        box[b] = nest->box[b];
    find_box_sizes(nest, &in, box);
    arrange(nest, &in, box);
    for (int32_t b = 0; b < nest->count; b++) {
        if (box[b].kind != CLV_BOX_PE)
            continue;
        f->position[2 * (int64_t)box[b].first] = (box[b].left + box[b].right) / 2;
        f->position[2 * (int64_t)box[b].first + 1] = (box[b].top + box[b].bottom) / 2;
        f->width = box[b].right - box[b].left;
        f->height = box[b].bottom - box[b].top;
    }
    f->box = box;
    f->nboxes = nest->count;
    return CLEAVE_OK;
}
