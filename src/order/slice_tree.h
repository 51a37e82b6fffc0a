/* SPDX-License-Identifier: Apache-2.0 */
/* order/slice_tree.h - a segment tree for range minimum under additions to suffixes.
 *
 * A binary tree over the differences of neighbouring values: a node has the sum of its
 * differences and the minimum of the prefix sums from its left end.  Adding to a suffix
 * changes one difference, the minimum of an interval visits two paths: O(log places) both. */
#ifndef CLV_ORDER_SLICE_TREE_H
#define CLV_ORDER_SLICE_TREE_H

#include "base/mem.h"

/* An impossible value; possible ones are far below, whatever is added. */
#define CLV_SLICE_NEVER (INT64_MAX / 4)

typedef struct clv_slice_node {
    int64_t sum, low; /* low: the minimum prefix sum of at least one difference */
    int32_t at;       /* the end of that prefix; the first place that has it */
} clv_slice_node;

typedef struct clv_slice_tree {
    int64_t leaves; /* a power of two, up to 2^31 */
    clv_slice_node *node;
} clv_slice_tree;

static inline clv_slice_node clv_slice_join(clv_slice_node a, clv_slice_node b)
{
    clv_slice_node both = {a.sum + b.sum, a.low, a.at};
    if (a.sum + b.low < a.low) {
        both.low = a.sum + b.low;
        both.at = b.at;
    }
    return both;
}

/* Initializes all places with equal values; memory for `places` must be allocated: 2 *
 * clv_slice_leaves(places) nodes. */
static inline int64_t clv_slice_leaves(int32_t places)
{
    int64_t leaves = 1;
    while (leaves < places)
        leaves *= 2;
    return leaves;
}
static inline void clv_slice_clear(clv_slice_tree *t, int32_t places)
{
    t->leaves = clv_slice_leaves(places);
    for (int64_t i = 0; i < t->leaves; i++)
        t->node[t->leaves + i] = (clv_slice_node){0, 0, (int32_t)i};
    for (int64_t i = t->leaves; i-- > 1;)
        t->node[i] = (clv_slice_node){0, 0, t->node[2 * i].at};
}

/* Adds to the values at `place` and all after it. */
static inline void clv_slice_add(clv_slice_tree *t, int32_t place, int64_t value)
{
    int64_t i = t->leaves + place;
    t->node[i].sum += value;
    t->node[i].low += value;
    while (i > 1) {
        i /= 2;
        t->node[i] = clv_slice_join(t->node[2 * i], t->node[2 * i + 1]);
    }
}

/* The value at the last place. */
static inline int64_t clv_slice_last(const clv_slice_tree *t)
{
    return t->node[1].sum;
}

/* *low becomes the minimum of the places from..to (both included); returns the first place
 * that has it. */
static inline int32_t clv_slice_least(const clv_slice_tree *t, int32_t from, int32_t to,
                                      int64_t *low)
{
    int64_t before = 0;
    for (int64_t i = t->leaves + from; i > 1; i /= 2)
        if (i & 1)
            before += t->node[i - 1].sum;
    clv_slice_node left = {0, 2 * CLV_SLICE_NEVER, -1}, right = left;
    for (int64_t l = t->leaves + from, r = t->leaves + to + 1; l < r; l /= 2, r /= 2) {
        if (l & 1)
            left = clv_slice_join(left, t->node[l++]);
        if (r & 1)
            right = clv_slice_join(t->node[--r], right);
    }
    left = clv_slice_join(left, right);
    *low = before + left.low;
    return left.at;
}

#endif
