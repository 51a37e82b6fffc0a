/* SPDX-License-Identifier: Apache-2.0 */
/* base/queue.c - a binary heap and a bucket queue [Fiduccia, Mattheyses 1982], both over the
 * numbers 0..capacity-1 and both addressable. */
#include "base/queue.h"

#include <assert.h>
#include <string.h>

/* ---- Heap -------------------------------------------------------------------------- */

/* Invariants: place[item[i]] == i for i < count, place is -1 for other items; no item precedes
 * its parent. */

cleave_status clv_heap_init(clv_heap *heap, int32_t capacity, clv_ws *ws, cleave_error *err)
{
    assert(capacity >= 0);
    *heap = (clv_heap){.capacity = capacity};
    heap->item = clv_ws_alloc(ws, capacity, sizeof heap->item[0]);
    heap->place = clv_ws_alloc(ws, capacity, sizeof heap->place[0]);
    heap->key = clv_ws_alloc(ws, capacity, sizeof heap->key[0]);
    if (!heap->item || !heap->place || !heap->key)
        return clv_fail_memory(err);
    memset(heap->place, -1, (size_t)capacity * sizeof heap->place[0]);
    return CLEAVE_OK;
}

void clv_heap_clear(clv_heap *heap)
{
    for (int32_t i = 0; i < heap->count; i++)
        heap->place[heap->item[i]] = -1;
    heap->count = 0;
}

static bool goes_before(const clv_heap *heap, int32_t a, int32_t b)
{
    return heap->key[a] != heap->key[b] ? heap->key[a] > heap->key[b] : a < b;
}

static void put_item(clv_heap *heap, int32_t item, int32_t place)
{
    heap->item[place] = item;
    heap->place[item] = place;
}

/* Both move the free position instead of swapping, and store the item at the end. */
static void sift_up(clv_heap *heap, int32_t item, int32_t place)
{
    while (place > 0) {
        int32_t parent = clv_heap_parent(place);
        if (!goes_before(heap, item, heap->item[parent]))
            break;
        put_item(heap, heap->item[parent], place);
        place = parent;
    }
    put_item(heap, item, place);
}

static void sift_down(clv_heap *heap, int32_t item, int32_t place)
{
    for (;;) {
        int64_t child = clv_heap_child(place);
        if (child >= heap->count)
            break;
        if (child + 1 < heap->count &&
            goes_before(heap, heap->item[child + 1], heap->item[child]))
            child++;
        if (!goes_before(heap, heap->item[child], item))
            break;
        put_item(heap, heap->item[child], place);
        place = (int32_t)child;
    }
    put_item(heap, item, place);
}

static void sift(clv_heap *heap, int32_t item, int32_t place)
{
    if (place > 0 && goes_before(heap, item, heap->item[clv_heap_parent(place)]))
        sift_up(heap, item, place);
    else
        sift_down(heap, item, place);
}

void clv_heap_set(clv_heap *heap, int32_t item, int64_t key)
{
    assert(item >= 0 && item < heap->capacity);
    heap->key[item] = key;
    if (clv_heap_has(heap, item))
        sift(heap, item, heap->place[item]);
    else
        sift_up(heap, item, heap->count++);
}

void clv_heap_remove(clv_heap *heap, int32_t item)
{
    assert(item >= 0 && item < heap->capacity);
    int32_t place = heap->place[item];
    if (place < 0)
        return;
    int32_t last = heap->item[--heap->count];
    heap->place[item] = -1;
    if (last != item)
        sift(heap, last, place);
}

int32_t clv_heap_pop(clv_heap *heap)
{
    assert(heap->count > 0);
    int32_t top = heap->item[0];
    clv_heap_remove(heap, top);
    return top;
}

/* ---- Buckets ----------------------------------------------------------------------- */

cleave_status clv_buckets_init(clv_buckets *queue, int32_t capacity, int32_t bound, clv_ws *ws,
                               cleave_error *err)
{
    assert(capacity >= 0 && bound >= 0);
    *queue = (clv_buckets){.bound = bound, .highest = -bound};
    if (bound > INT32_MAX / 2)
        return clv_fail(err, CLEAVE_ERANGE, "keys up to %d are too large for buckets",
                        (int)bound);
    int64_t buckets = 2 * (int64_t)bound + 1;
    queue->head = clv_ws_alloc(ws, buckets, sizeof queue->head[0]);
    queue->next = clv_ws_alloc(ws, capacity, sizeof queue->next[0]);
    queue->prev = clv_ws_alloc(ws, capacity, sizeof queue->prev[0]);
    queue->key = clv_ws_alloc(ws, capacity, sizeof queue->key[0]);
    if (!queue->head || !queue->next || !queue->prev || !queue->key)
        return clv_fail_memory(err);
    memset(queue->head, -1, (size_t)buckets * sizeof queue->head[0]);
    for (int32_t i = 0; i < capacity; i++)
        queue->key[i] = INT32_MIN;
    return CLEAVE_OK;
}

void clv_buckets_clear(clv_buckets *queue)
{
    for (; queue->count > 0; queue->highest--) {
        int32_t *head = &queue->head[queue->highest + queue->bound];
        for (int32_t item = *head; item >= 0; item = queue->next[item]) {
            queue->key[item] = INT32_MIN;
            queue->count--;
        }
        *head = -1;
    }
    queue->highest = -queue->bound;
}

void clv_buckets_set(clv_buckets *queue, int32_t item, int32_t key)
{
    assert(key >= -queue->bound && key <= queue->bound);
    if (queue->key[item] == key)
        return;
    clv_buckets_remove(queue, item);
    int32_t bucket = key + queue->bound, first = queue->head[bucket];
    queue->key[item] = key;
    queue->next[item] = first;
    queue->prev[item] = -1 - bucket;
    if (first >= 0)
        queue->prev[first] = item;
    queue->head[bucket] = item;
    queue->count++;
    if (queue->highest < key)
        queue->highest = key;
}

void clv_buckets_remove(clv_buckets *queue, int32_t item)
{
    if (!clv_buckets_has(queue, item))
        return;
    int32_t next = queue->next[item], prev = queue->prev[item];
    if (next >= 0)
        queue->prev[next] = prev;
    if (prev >= 0)
        queue->next[prev] = next;
    else
        queue->head[-1 - prev] = next;
    queue->key[item] = INT32_MIN;
    queue->count--;
}

int32_t clv_buckets_top(clv_buckets *queue)
{
    assert(queue->count > 0);
    while (queue->head[queue->highest + queue->bound] < 0)
        queue->highest--;
    return queue->head[queue->highest + queue->bound];
}

int32_t clv_buckets_pop(clv_buckets *queue)
{
    int32_t top = clv_buckets_top(queue);
    clv_buckets_remove(queue, top);
    return top;
}
