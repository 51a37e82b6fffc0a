/* SPDX-License-Identifier: Apache-2.0 */
/* refine/gain/gain_cache_queue.h - a priority queue of gain cache entries: a binary heap,
 * largest gain first, among equal gains the newest entry.
 *
 * Gain and entry are one word, and the position in the heap is in the entry, which the search
 * has in its cache anyway; clv_heap keeps keys and positions in separate arrays. */
#ifndef CLV_REFINE_GAIN_GAIN_CACHE_QUEUE_H
#define CLV_REFINE_GAIN_GAIN_CACHE_QUEUE_H

#include "base/queue.h"
#include "refine/gain/gain_cache.h"

typedef struct clv_gain_cache_queue {
    clv_gain_cache *t;
    uint64_t *key; /* capacity for every vertex; allocated by the caller */
    int32_t count;
} clv_gain_cache_queue;

static inline uint64_t clv_gain_cache_key(int32_t gain, int32_t entry)
{
    return (uint64_t)((int64_t)gain - INT32_MIN) << 32 | (uint32_t)entry;
}

static inline int32_t clv_gain_cache_key_entry(uint64_t key)
{
    return (int32_t)(uint32_t)key;
}

static inline void clv_gain_cache_queue_put(clv_gain_cache_queue *q, uint64_t key,
                                            int32_t place)
{
    q->key[place] = key;
    q->t->entry[clv_gain_cache_key_entry(key)].place = place;
}

static inline void clv_gain_cache_queue_up(clv_gain_cache_queue *q, uint64_t key,
                                           int32_t place)
{
    while (place > 0) {
        int32_t parent = clv_heap_parent(place);
        if (q->key[parent] > key)
            break;
        clv_gain_cache_queue_put(q, q->key[parent], place);
        place = parent;
    }
    clv_gain_cache_queue_put(q, key, place);
}

static inline void clv_gain_cache_queue_down(clv_gain_cache_queue *q, uint64_t key,
                                             int32_t place)
{
    int64_t child;
    while ((child = clv_heap_child(place)) < q->count) {
        if (child + 1 < q->count && q->key[child + 1] > q->key[child])
            child++;
        if (q->key[child] < key)
            break;
        clv_gain_cache_queue_put(q, q->key[child], place);
        place = (int32_t)child;
    }
    clv_gain_cache_queue_put(q, key, place);
}

/* Inserts the entry of the key, or changes its key. */
static inline void clv_gain_cache_queue_set(clv_gain_cache_queue *q, uint64_t key)
{
    int32_t place = q->t->entry[clv_gain_cache_key_entry(key)].place;
    if (place < 0)
        clv_gain_cache_queue_up(q, key, q->count++);
    else if (key > q->key[place])
        clv_gain_cache_queue_up(q, key, place);
    else if (key < q->key[place])
        clv_gain_cache_queue_down(q, key, place);
}

/* count > 0 */
static inline int32_t clv_gain_cache_queue_top(const clv_gain_cache_queue *q)
{
    return clv_gain_cache_key_entry(q->key[0]);
}

/* Removes the top. */
static inline void clv_gain_cache_queue_drop(clv_gain_cache_queue *q)
{
    q->t->entry[clv_gain_cache_queue_top(q)].place = -1;
    uint64_t last = q->key[--q->count];
    if (q->count > 0)
        clv_gain_cache_queue_down(q, last, 0);
}

static inline void clv_gain_cache_queue_clear(clv_gain_cache_queue *q)
{
    for (int32_t i = 0; i < q->count; i++)
        q->t->entry[clv_gain_cache_key_entry(q->key[i])].place = -1;
    q->count = 0;
}

#endif
