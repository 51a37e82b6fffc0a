/* SPDX-License-Identifier: Apache-2.0 */
/* refine/gain/part_queues.h - one priority queue per part over a common pool of items.
 *
 * Pairing heaps [Fredman, Sedgewick, Sleator, Tarjan 1986] linked through the items: the
 * memory depends on the number of items only, and an item can be removed or change its key in
 * any position.  Largest key first, among equals the newest. */
#ifndef CLV_REFINE_GAIN_PART_QUEUES_H
#define CLV_REFINE_GAIN_PART_QUEUES_H

#include "base/mem.h"

typedef struct clv_queue_item {
    int64_t key;
    int64_t stamp;
    int32_t part;              /* the part whose queue it is in, -1: none */
    int32_t child, next, prev; /* prev: the parent of a first child; -1: none */
} clv_queue_item;

typedef struct clv_part_queues {
    clv_queue_item *item;
    int32_t *root; /* by part, -1: empty */
    int64_t stamp;
} clv_part_queues;

static inline int32_t clv_queues_meld(clv_queue_item *item, int32_t a, int32_t b)
{
    if (a < 0 || b < 0)
        return a < 0 ? b : a;
    if (item[b].key > item[a].key ||
        (item[b].key == item[a].key && item[b].stamp > item[a].stamp)) {
        int32_t swap = a;
        a = b;
        b = swap;
    }
    int32_t first = item[a].child;
    item[b].next = first;
    item[b].prev = a;
    if (first >= 0)
        item[first].prev = b;
    item[a].child = b;
    return a;
}

/* Merges a list of siblings into one heap: in pairs from the left, then all from the right. */
static inline int32_t clv_queues_gather(clv_queue_item *item, int32_t first)
{
    int32_t done = -1;
    while (first >= 0) {
        int32_t a = first, b = item[a].next;
        first = b >= 0 ? item[b].next : -1;
        a = clv_queues_meld(item, a, b);
        item[a].next = done;
        done = a;
    }
    int32_t all = -1;
    while (done >= 0) {
        int32_t next = item[done].next;
        all = clv_queues_meld(item, all, done);
        done = next;
    }
    if (all >= 0)
        item[all].next = item[all].prev = -1;
    return all;
}

/* The item must be in a queue. */
static inline void clv_queues_remove(clv_part_queues *q, int32_t i)
{
    clv_queue_item *item = q->item;
    int32_t part = item[i].part, rest = clv_queues_gather(item, item[i].child);
    if (q->root[part] == i) {
        q->root[part] = rest;
    } else {
        int32_t prev = item[i].prev, next = item[i].next;
        if (item[prev].child == i)
            item[prev].child = next;
        else
            item[prev].next = next;
        if (next >= 0)
            item[next].prev = prev;
        q->root[part] = clv_queues_meld(item, q->root[part], rest);
    }
    item[i].part = -1;
}

/* The item must be in no queue. */
static inline void clv_queues_insert(clv_part_queues *q, int32_t i, int32_t part, int64_t key)
{
    q->item[i] = (clv_queue_item){key, q->stamp++, part, -1, -1, -1};
    q->root[part] = clv_queues_meld(q->item, q->root[part], i);
}

#endif
