/* SPDX-License-Identifier: Apache-2.0 */
/* target/switch_builder.c - see target/switch_builder.h. */
#include "target/switch_builder.h"

#include "formats/grow.h"

cleave_status clv_switch_builder_add(clv_switch_builder *b, int32_t parent, int32_t *number,
                                     cleave_error *err)
{
    if (b->count == INT32_MAX)
        return clv_fail(err, CLEAVE_ERANGE, "the machine has more than %ld parts",
                        (long)INT32_MAX);
    if (b->count == b->room) {
        int64_t room = clv_next_room(b->room);
        if (!clv_grow_i32(&b->parent, room))
            return clv_fail_memory(err);
        b->room = room;
    }
    *number = b->count;
    b->parent[b->count++] = parent;
    return CLEAVE_OK;
}

void clv_switch_builder_free(clv_switch_builder *b)
{
    clv_sys_free(b->parent);
    *b = (clv_switch_builder){0};
}

static void find_heights(int32_t count, const int32_t *parent, int32_t *level)
{
    for (int32_t i = 0; i < count; i++)
        level[i] = 0;
    for (int32_t i = count - 1; i > 0; i--)
        if (level[parent[i]] <= level[i])
            level[parent[i]] = level[i] + 1;
}

/* Removes nodes with one child; returns the number of remaining nodes. renamed[i] becomes the
 * number of node i, or of its nearest remaining ancestor (-1: none). */
static int32_t leave_out_singles(int32_t count, int32_t *parent, int32_t *level,
                                 int32_t *children, int32_t *renamed)
{
    int32_t left = 0;
    for (int32_t i = 1; i < count; i++)
        children[parent[i]]++;
    for (int32_t i = 0; i < count; i++) {
        int32_t above = i > 0 ? renamed[parent[i]] : -1;
        renamed[i] = children[i] == 1 ? above : left;
        if (children[i] == 1)
            continue;
        parent[left] = above;
        level[left++] = level[i];
    }
    return left;
}

cleave_status clv_switch_builder_finish(clv_target **out, const clv_switch_builder *b,
                                        bool all_levels, cleave_error *err)
{
    clv_ws ws = {0};
    int32_t *parent = clv_ws_alloc(&ws, b->count, sizeof *parent);
    int32_t *level = clv_ws_alloc(&ws, b->count, sizeof *level);
    int32_t *children = clv_ws_zalloc(&ws, b->count, sizeof *children);
    int32_t *renamed = clv_ws_alloc(&ws, b->count, sizeof *renamed);
    cleave_status status = CLEAVE_OK;
    *out = NULL;
    if (!parent || !level || !children || !renamed) {
        status = clv_fail_memory(err);
    } else {
        for (int32_t i = 0; i < b->count; i++)
            parent[i] = b->parent[i];
        find_heights(b->count, parent, level);
        int32_t left = leave_out_singles(b->count, parent, level, children, renamed);
        if (!all_levels)
            find_heights(left, parent, level);
        status = clv_target_switches(out, left, parent, level, level, err);
    }
    clv_ws_free(&ws);
    return status;
}
