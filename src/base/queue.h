/* SPDX-License-Identifier: Apache-2.0 */
/* base/queue.h - priority queues over the numbers 0..capacity-1.
 *
 * Both are addressable: the key of an item can change, and an item can be removed.  Ties are
 * broken as the comment of each type says; those of the heap do not depend on the history. */
#ifndef CLV_BASE_QUEUE_H
#define CLV_BASE_QUEUE_H

#include "base/mem.h"

/* Positions of a binary heap in an array: the first child (the second follows it) and the
 * parent of a position.  Children of positions from 2^30 on do not fit 32 bits. */
static inline int64_t clv_heap_child(int32_t place)
{
    return 2 * (int64_t)place + 1;
}
static inline int32_t clv_heap_parent(int32_t place)
{
    return (place - 1) / 2;
}

/* Binary heap, largest key first, ties by the smaller item.  Keys are any int64_t. */
typedef struct clv_heap {
    int32_t count, capacity;
    int32_t *item;  /* heap order */
    int32_t *place; /* item -> index in `item`; -1: not in the heap */
    int64_t *key;   /* by item */
} clv_heap;

/* Memory is from ws; the caller restores it. */
cleave_status clv_heap_init(clv_heap *heap, int32_t capacity, clv_ws *ws, cleave_error *err);
void clv_heap_clear(clv_heap *heap); /* O(count) */
/* Inserts the item, or changes its key. */
void clv_heap_set(clv_heap *heap, int32_t item, int64_t key);
void clv_heap_remove(clv_heap *heap, int32_t item); /* no effect if it is not in the heap */
int32_t clv_heap_pop(clv_heap *heap);               /* count > 0 */
static inline bool clv_heap_has(const clv_heap *heap, int32_t item)
{
    return heap->place[item] >= 0;
}
static inline int32_t clv_heap_top(const clv_heap *heap)
{
    return heap->item[0];
}

/* Bucket queue: doubly linked lists for keys in [-bound, bound], largest key first, last in
 * first out inside a bucket.  O(1) per operation, as FM refinement requires (pop and top
 * amortised: `highest` decreases past empty buckets). */
typedef struct clv_buckets {
    int32_t count, bound, highest; /* highest: upper bound on the keys in the queue */
    int32_t *head;                 /* by key + bound, -1: empty */
    int32_t *next, *prev;          /* by item; prev is -1 - bucket for the first of a list */
    int32_t *key;                  /* by item; INT32_MIN: not in the queue */
} clv_buckets;

/* bound: at most INT32_MAX / 2 (otherwise CLEAVE_ERANGE); memory as for clv_heap_init. */
cleave_status clv_buckets_init(clv_buckets *queue, int32_t capacity, int32_t bound, clv_ws *ws,
                               cleave_error *err);
void clv_buckets_clear(clv_buckets *queue); /* O(bound + count) */
/* Inserts the item, or moves it; if the key is unchanged, it keeps its position. */
void clv_buckets_set(clv_buckets *queue, int32_t item, int32_t key);
void clv_buckets_remove(clv_buckets *queue, int32_t item); /* no effect if it is not in the
                                                              queue */
int32_t clv_buckets_pop(clv_buckets *queue);               /* count > 0 */
int32_t clv_buckets_top(clv_buckets *queue);               /* count > 0 */
static inline bool clv_buckets_has(const clv_buckets *queue, int32_t item)
{
    return queue->key[item] != INT32_MIN;
}

#endif
