/* SPDX-License-Identifier: Apache-2.0 */
/* target/sub_tree.c - see target/sub_tree.h.
 *
 * The PEs are sorted in the order of the leaves of a tree of the whole machine, with the
 * height at which each meets the one before.  This determines the tree that they span: a stack
 * of its right-most nodes builds it from left to right.
 *
 * The shape determines the tree: a hierarchy (`level`) has its own, with all children of a
 * node; a shape that describes its coarsening (`trace`) has the tree of that; others,
 * including machines given by a graph, have the tree of their bipartitions. */
#include "target/sub_tree.h"

#include "base/sort.h"

typedef struct leaf_order {
    int32_t count;
    int32_t *pe;     /* indices into the list */
    int32_t *height; /* of the node where pe[i] and pe[i - 1] meet; undefined for i = 0 */
} leaf_order;

/* Sorts the PEs by `key`, which is sorted as well. */
static cleave_status sort_leaves(leaf_order *o, int64_t *key, clv_ws *ws, cleave_error *err)
{
    clv_ws_mark mark = clv_ws_save(ws);
    clv_sort_item *items = clv_ws_alloc(ws, o->count, sizeof *items);
    clv_sort_item *scratch = clv_ws_alloc(ws, o->count, sizeof *items);
    if (!items || !scratch)
        return clv_fail_memory(err);
    for (int32_t i = 0; i < o->count; i++)
        items[i] = (clv_sort_item){.key = key[i], .with.index = i};
    items = clv_sort(items, scratch, o->count);
    for (int32_t i = 0; i < o->count; i++) {
        key[i] = items[i].key;
        o->pe[i] = (int32_t)items[i].with.index;
    }
    clv_ws_restore(ws, mark);
    return CLEAVE_OK;
}

/* For a hierarchy that has a function `place`. */
static cleave_status order_by_level(leaf_order *o, const clv_target *t, const int32_t *list,
                                    clv_ws *ws, cleave_error *err)
{
    clv_ws_mark mark = clv_ws_save(ws);
    int64_t *key = clv_ws_alloc(ws, o->count, sizeof *key);
    if (!key)
        return clv_fail_memory(err);
    for (int32_t i = 0; i < o->count; i++)
        key[i] = t->shape->place(t, list[i]);
    CLV_TRY(sort_leaves(o, key, ws, err));
    for (int32_t i = 1; i < o->count; i++)
        o->height[i] = t->shape->level(t, list[o->pe[i - 1]], list[o->pe[i]]);
    clv_ws_restore(ws, mark);
    return CLEAVE_OK;
}

/* Two PEs meet in the last step in which their codes differ. */
static cleave_status order_by_trace(leaf_order *o, const clv_target *t, const int32_t *list,
                                    clv_ws *ws, cleave_error *err)
{
    clv_ws_mark mark = clv_ws_save(ws);
    int64_t *code = clv_ws_alloc(ws, o->count, sizeof *code);
    if (!code)
        return clv_fail_memory(err);
    t->shape->trace(t, o->count, list, code);
    CLV_TRY(sort_leaves(o, code, ws, err));
    for (int32_t i = 1; i < o->count; i++)
        o->height[i] = 63 - __builtin_clzll((unsigned long long)(code[i] ^ code[i - 1]));
    clv_ws_restore(ws, mark);
    return CLEAVE_OK;
}

typedef struct waiting {
    clv_domain domain;
    int32_t depth;
} waiting;

/* Visits all domains: the node where two leaves meet is the highest between them. */
static cleave_status order_by_walk(leaf_order *o, const clv_target *t, const int32_t *list,
                                   clv_ws *ws, cleave_error *err)
{
    clv_ws_mark mark = clv_ws_save(ws);
    int32_t *place = clv_ws_alloc(ws, t->npes, sizeof *place);
    waiting *stack = clv_ws_alloc(ws, t->npes + INT64_C(1), sizeof *stack);
    int32_t count = 0, highest = 0;
    int64_t top = 0;
    if (!place || !stack)
        return clv_fail_memory(err);
    for (int32_t pe = 0; pe < t->npes; pe++)
        place[pe] = -1;
    for (int32_t i = 0; i < o->count; i++)
        place[list[i]] = i;
    stack[top++] = (waiting){t->shape->root(t), 0};
    while (top > 0 && count < o->count) {
        waiting w = stack[--top];
        highest = w.depth - 1 < highest ? w.depth - 1 : highest;
        int32_t children = clv_target_children(t, w.domain);
        for (int32_t i = children; i-- > 0;)
            stack[top++] = (waiting){clv_target_child(t, w.domain, i), w.depth + 1};
        int32_t found = children ? -1 : place[t->shape->pe(t, w.domain)];
        if (found >= 0) {
            o->height[count] = -highest;
            o->pe[count++] = found;
            highest = w.depth;
        }
    }
    clv_ws_restore(ws, mark);
    return CLEAVE_OK;
}

/* Leaf i is node 2i, and a node that is first needed between leaves i - 1 and i is 2i - 1, so
 * the children of a node ascend from left to right.  Returns the root.  Unused numbers keep
 * the parent -1. */
static int32_t grow_tree(const leaf_order *o, int32_t *parent, int32_t *pe_of, int32_t *stack)
{
    int32_t top = 0, done = 0; /* the last completed subtree */
    for (int32_t i = 0; i < o->count; i++) {
        parent[2 * i] = -1;
        pe_of[2 * i] = o->pe[i];
        if (i == 0)
            continue;
        parent[2 * i - 1] = pe_of[2 * i - 1] = -1;
        int32_t height = o->height[i];
        while (top > 0 && o->height[stack[top - 1]] < height) {
            int32_t node = 2 * stack[--top] - 1;
            parent[done] = node;
            done = node;
        }
        if (top == 0 || o->height[stack[top - 1]] > height)
            stack[top++] = i;
        parent[done] = 2 * stack[top - 1] - 1;
        done = 2 * i;
    }
    while (top > 0) {
        parent[done] = 2 * stack[--top] - 1;
        done = parent[done];
    }
    return done;
}

static cleave_status order_leaves(leaf_order *o, const clv_target *t, const int32_t *list,
                                  clv_ws *ws, cleave_error *err)
{
    if (t->levels && t->shape->level && t->shape->place)
        return order_by_level(o, t, list, ws, err);
    if (t->shape->trace)
        return order_by_trace(o, t, list, ws, err);
    return order_by_walk(o, t, list, ws, err);
}

cleave_status clv_sub_tree(clv_pe_tree *tree, const clv_target *t, int32_t count,
                           const int32_t *list, clv_ws *ws, cleave_error *err)
{
    int64_t nodes = 2 * (int64_t)count - 1;
    leaf_order o = {.count = count};
    int32_t *parent = clv_ws_alloc(ws, nodes, sizeof *parent);
    int32_t *pe_of = clv_ws_alloc(ws, nodes, sizeof *pe_of);
    clv_ws_mark mark = clv_ws_save(ws);
    o.pe = clv_ws_alloc(ws, count, sizeof *o.pe);
    o.height = clv_ws_alloc(ws, count, sizeof *o.height);
    int32_t *stack = clv_ws_alloc(ws, count, sizeof *stack);
    if (!o.pe || !o.height || !parent || !pe_of || !stack)
        return clv_fail_memory(err);
    CLV_TRY(order_leaves(&o, t, list, ws, err));
    int32_t root = grow_tree(&o, parent, pe_of, stack);
    *tree = (clv_pe_tree){count, (int32_t)nodes, root, parent, pe_of};
    clv_ws_restore(ws, mark);
    return CLEAVE_OK;
}
