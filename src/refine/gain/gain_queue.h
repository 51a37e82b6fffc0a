/* SPDX-License-Identifier: Apache-2.0 */
/* refine/gain/gain_queue.h - a priority queue of vertices by gain, the largest first: buckets
 * where gains are small, otherwise a heap. */
#ifndef CLV_REFINE_GAIN_GAIN_QUEUE_H
#define CLV_REFINE_GAIN_GAIN_QUEUE_H

#include "base/queue.h"

enum { clv_most_buckets = 1 << 15 }; /* larger gains use a heap */

typedef struct clv_gain_queue {
    bool bucketed;
    clv_buckets buckets;
    clv_heap heap;
} clv_gain_queue;

/* Gains are in [-bound, bound]; memory from ws. */
static inline cleave_status clv_gain_queue_init(clv_gain_queue *q, int32_t n, int64_t bound,
                                                clv_ws *ws, cleave_error *err)
{
    q->bucketed = bound <= clv_most_buckets;
    return q->bucketed ? clv_buckets_init(&q->buckets, n, (int32_t)bound, ws, err)
                       : clv_heap_init(&q->heap, n, ws, err);
}

static inline void clv_gain_queue_set(clv_gain_queue *q, int32_t v, int64_t gain)
{
    if (q->bucketed)
        clv_buckets_set(&q->buckets, v, (int32_t)gain);
    else
        clv_heap_set(&q->heap, v, gain);
}

static inline void clv_gain_queue_remove(clv_gain_queue *q, int32_t v)
{
    if (q->bucketed)
        clv_buckets_remove(&q->buckets, v);
    else
        clv_heap_remove(&q->heap, v);
}

static inline int32_t clv_gain_queue_top(clv_gain_queue *q)
{
    if (q->bucketed)
        return q->buckets.count > 0 ? clv_buckets_top(&q->buckets) : -1;
    return q->heap.count > 0 ? clv_heap_top(&q->heap) : -1;
}

static inline void clv_gain_queue_clear(clv_gain_queue *q)
{
    if (q->bucketed)
        clv_buckets_clear(&q->buckets);
    else
        clv_heap_clear(&q->heap);
}

#endif
