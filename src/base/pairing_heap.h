/* SPDX-License-Identifier: Apache-2.0 */
/* base/pairing_heap.h - several priority queues over a common pool of items.
 *
 * Pairing heaps [Fredman, Sedgewick, Sleator, Tarjan 1986] linked through the items: the
 * memory is one item per number and one root per heap, and an item can be removed or change
 * its key in any position.  Largest key first, among equal keys the largest tie.  If no two
 * items of a heap have the same key and tie, the order of removal does not depend on history.
 * Insertion is O(1), removal O(log) amortised. */
#ifndef CLV_BASE_PAIRING_HEAP_H
#define CLV_BASE_PAIRING_HEAP_H

#include "base/mem.h"

typedef struct clv_pairing_item {
    int64_t key, tie;          /* stay as they were when the item is removed */
    int32_t heap;              /* that it is in, -1: none */
    int32_t child, next, prev; /* prev: the parent of a first child; -1: none */
} clv_pairing_item;

typedef struct clv_pairing_heaps {
    clv_pairing_item *item;
    int32_t *root; /* by heap: its first item, -1: empty */
} clv_pairing_heaps;

/* Empty heaps, with memory from ws.  The items are not initialised: clv_pairing_forget comes
 * before any other use of one. */
static inline cleave_status clv_pairing_init(clv_pairing_heaps *h, int64_t nitems,
                                             int32_t nheaps, clv_ws *ws, cleave_error *err)
{
    h->item = clv_ws_alloc(ws, nitems, sizeof *h->item);
    h->root = clv_ws_alloc(ws, nheaps, sizeof *h->root);
    if (!h->item || !h->root)
        return clv_fail_memory(err);
    for (int32_t i = 0; i < nheaps; i++)
        h->root[i] = -1;
    return CLEAVE_OK;
}

/* The item is in no heap.  Heaps that contain it must have been emptied (root -1). */
static inline void clv_pairing_forget(clv_pairing_heaps *h, int32_t i)
{
    h->item[i].heap = -1;
}

/* Links two roots; either can be -1. */
static inline int32_t clv_pairing_meld(clv_pairing_item *item, int32_t a, int32_t b)
{
    if (a < 0 || b < 0)
        return a < 0 ? b : a;
    if (item[b].key > item[a].key ||
        (item[b].key == item[a].key && item[b].tie > item[a].tie)) {
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
static inline int32_t clv_pairing_gather(clv_pairing_item *item, int32_t first)
{
    int32_t pairs = -1;
    while (first >= 0) {
        int32_t a = first, b = item[a].next;
        first = b >= 0 ? item[b].next : -1;
        a = clv_pairing_meld(item, a, b);
        item[a].next = pairs;
        pairs = a;
    }
    int32_t all = -1;
    while (pairs >= 0) {
        int32_t next = item[pairs].next;
        all = clv_pairing_meld(item, all, pairs);
        pairs = next;
    }
    if (all >= 0)
        item[all].next = item[all].prev = -1;
    return all;
}

/* The item must be in a heap. */
static inline void clv_pairing_remove(clv_pairing_heaps *h, int32_t i)
{
    clv_pairing_item *item = h->item;
    int32_t heap = item[i].heap, rest = clv_pairing_gather(item, item[i].child);
    if (h->root[heap] == i) {
        h->root[heap] = rest;
    } else {
        int32_t prev = item[i].prev, next = item[i].next;
        if (item[prev].child == i)
            item[prev].child = next;
        else
            item[prev].next = next;
        if (next >= 0)
            item[next].prev = prev;
        h->root[heap] = clv_pairing_meld(item, h->root[heap], rest);
    }
    item[i].heap = -1;
}

/* The item must be in no heap. */
static inline void clv_pairing_insert(clv_pairing_heaps *h, int32_t heap, int32_t i,
                                      int64_t key, int64_t tie)
{
    h->item[i] = (clv_pairing_item){key, tie, heap, -1, -1, -1};
    h->root[heap] = clv_pairing_meld(h->item, h->root[heap], i);
}

#endif
