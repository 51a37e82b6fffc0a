/* SPDX-License-Identifier: Apache-2.0 */
/* refine/gain/lazy_queue.h - an approximate priority queue that allows outdated entries.
 *
 * Keys are rounded to a quarter of a power of two, which is precise enough for rebalancing,
 * and map to one of a few hundred buckets: push is O(1), and so is pop except for empty
 * buckets.  A bucket is last in, first out, which keeps a search local.  A vertex can be in
 * the queue several times; each entry has a stamp by which the caller recognizes outdated
 * entries.  Memory grows on a scratch stack. */
#ifndef CLV_REFINE_GAIN_LAZY_QUEUE_H
#define CLV_REFINE_GAIN_LAZY_QUEUE_H

#include <string.h>

#include "base/mem.h"

enum { CLV_LAZY_BUCKETS = 512, CLV_LAZY_FIRST_CAPACITY = 256 };

typedef struct clv_lazy_item {
    int32_t v, stamp;
    int32_t next; /* in its bucket, or of the unused ones; -1: none */
} clv_lazy_item;

typedef struct clv_lazy_queue {
    clv_ws *ws;
    clv_lazy_item *item;
    int32_t count, capacity, unused;
    int32_t first;                  /* all buckets before it are empty */
    int32_t head[CLV_LAZY_BUCKETS]; /* -1: empty */
} clv_lazy_queue;

/* The bucket of a key; the largest keys have the smallest number. */
static inline int32_t clv_lazy_bucket(int64_t key)
{
    uint64_t size = key < 0 ? 0 - (uint64_t)key : (uint64_t)key + 1;
    int32_t log = 63 - __builtin_clzll(size);
    uint64_t quarter = (log < 2 ? size << (2 - log) : size >> (log - 2)) & 3;
    int32_t place = 4 * log + (int32_t)quarter;
    return key < 0 ? CLV_LAZY_BUCKETS / 2 + place : CLV_LAZY_BUCKETS / 2 - 1 - place;
}

static inline void clv_lazy_clear(clv_lazy_queue *q)
{
    memset(q->head, -1, sizeof q->head);
    q->count = 0;
    q->unused = -1;
    q->first = CLV_LAZY_BUCKETS;
}

/* The old array stays on the stack until that is restored. */
static inline bool clv_lazy_grow(clv_lazy_queue *q)
{
    int64_t capacity = q->capacity ? 2 * (int64_t)q->capacity : CLV_LAZY_FIRST_CAPACITY;
    clv_lazy_item *item =
        capacity <= INT32_MAX ? clv_ws_alloc(q->ws, capacity, sizeof item[0]) : NULL;
    if (!item)
        return false;
    if (q->count > 0)
        memcpy(item, q->item, (size_t)q->count * sizeof item[0]);
    q->item = item;
    q->capacity = (int32_t)capacity;
    return true;
}

/* False when out of memory. */
static inline bool clv_lazy_push(clv_lazy_queue *q, int32_t v, int32_t stamp, int64_t key)
{
    int32_t place = q->unused, bucket = clv_lazy_bucket(key);
    if (place >= 0) {
        q->unused = q->item[place].next;
    } else {
        if (q->count == q->capacity && !clv_lazy_grow(q))
            return false;
        place = q->count++;
    }
    q->item[place] = (clv_lazy_item){v, stamp, q->head[bucket]};
    q->head[bucket] = place;
    q->first = bucket < q->first ? bucket : q->first;
    return true;
}

/* The best bucket that is not empty, or CLV_LAZY_BUCKETS. */
static inline int32_t clv_lazy_first(clv_lazy_queue *q)
{
    while (q->first < CLV_LAZY_BUCKETS && q->head[q->first] < 0)
        q->first++;
    return q->first;
}

/* After clv_lazy_first has found one. */
static inline clv_lazy_item clv_lazy_pop(clv_lazy_queue *q)
{
    int32_t place = q->head[q->first];
    clv_lazy_item top = q->item[place];
    q->head[q->first] = top.next;
    q->item[place].next = q->unused;
    q->unused = place;
    return top;
}

#endif
