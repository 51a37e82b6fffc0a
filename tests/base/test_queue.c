/* SPDX-License-Identifier: Apache-2.0 */
/* base/queue: random operations, compared with a model that searches everything. */
#include "base/queue.h"
#include "base/rng.h"
#include "support/test.h"

enum { capacity = 40, bound = 6 };

typedef struct model {
    bool inside[capacity];
    int64_t key[capacity];
    int64_t since[capacity]; /* when the item came to its key */
    int64_t now;
    int32_t count;
} model;

static void model_set(model *m, int32_t item, int64_t key)
{
    if (!m->inside[item] || m->key[item] != key)
        m->since[item] = ++m->now;
    m->count += !m->inside[item];
    m->inside[item] = true;
    m->key[item] = key;
}

static void model_remove(model *m, int32_t item)
{
    m->count -= m->inside[item];
    m->inside[item] = false;
}

/* Largest key; ties by the smaller item, or by the later arrival. */
static int32_t model_top(const model *m, bool latest)
{
    int32_t best = -1;
    for (int32_t i = 0; i < capacity; i++) {
        if (!m->inside[i])
            continue;
        if (best < 0 || m->key[i] > m->key[best] ||
            (m->key[i] == m->key[best] && latest && m->since[i] > m->since[best]))
            best = i;
    }
    return best;
}

/* ---- Heap -------------------------------------------------------------------------- */

static void check_heap(const clv_heap *heap, const model *m)
{
    CHECK_EQ(heap->count, m->count);
    for (int32_t i = 0; i < capacity; i++)
        CHECK_EQ(clv_heap_has(heap, i), m->inside[i]);
    if (m->count > 0)
        CHECK_EQ(clv_heap_top(heap), model_top(m, false));
}

static int64_t random_key(clv_rng *rng)
{
    switch (clv_rng_below(rng, 20)) {
    case 0:
        return INT64_MAX;
    case 1:
        return INT64_MIN;
    case 2:
        return (int64_t)clv_rng_u64(rng);
    default:
        return (int64_t)clv_rng_below(rng, 15) - 7; /* many ties */
    }
}

static void test_heap_random(void)
{
    clv_ws ws = {0};
    clv_heap heap;
    cleave_error err;
    clv_rng rng = clv_rng_make(1, 0, 0, 0);
    REQUIRE_OK(clv_heap_init(&heap, capacity, &ws, &err));
    model m = {0};
    for (int step = 0; step < 30000; step++) {
        int32_t item = (int32_t)clv_rng_below(&rng, capacity);
        uint32_t what = clv_rng_below(&rng, 1000);
        if (what < 550) {
            int64_t key = random_key(&rng);
            clv_heap_set(&heap, item, key);
            model_set(&m, item, key);
            CHECK_EQ(heap.key[item], key);
        } else if (what < 750) {
            clv_heap_remove(&heap, item);
            model_remove(&m, item);
        } else if (what < 999 && m.count > 0) {
            int32_t top = model_top(&m, false);
            CHECK_EQ(clv_heap_pop(&heap), top);
            model_remove(&m, top);
        } else if (what == 999) {
            clv_heap_clear(&heap);
            m = (model){0};
        }
        check_heap(&heap, &m);
    }
    clv_ws_free(&ws);
}

static void test_heap_sorts(void)
{
    enum { n = 5000 };
    clv_ws ws = {0};
    clv_heap heap;
    cleave_error err;
    clv_rng rng = clv_rng_make(2, 0, 0, 0);
    REQUIRE_OK(clv_heap_init(&heap, n, &ws, &err));
    for (int32_t i = 0; i < n; i++)
        clv_heap_set(&heap, i, clv_rng_below(&rng, n / 2));
    for (int32_t i = 0; i < n; i += 3)
        clv_heap_set(&heap, i, clv_rng_below(&rng, n / 2));
    int32_t before = clv_heap_pop(&heap), out_of_order = 0, popped = 1;
    for (; heap.count > 0; popped++) {
        int32_t item = clv_heap_pop(&heap);
        out_of_order += heap.key[item] > heap.key[before] ||
                        (heap.key[item] == heap.key[before] && item < before);
        before = item;
    }
    CHECK_EQ(out_of_order, 0);
    CHECK_EQ(popped, n);
    clv_ws_free(&ws);
}

/* ---- Buckets ----------------------------------------------------------------------- */

static void check_buckets(clv_buckets *queue, const model *m)
{
    CHECK_EQ(queue->count, m->count);
    for (int32_t i = 0; i < capacity; i++) {
        CHECK_EQ(clv_buckets_has(queue, i), m->inside[i]);
        if (m->inside[i])
            CHECK_EQ(queue->key[i], m->key[i]);
    }
    if (m->count > 0)
        CHECK_EQ(clv_buckets_top(queue), model_top(m, true));
}

static void test_buckets_random(void)
{
    clv_ws ws = {0};
    clv_buckets queue;
    cleave_error err;
    clv_rng rng = clv_rng_make(3, 0, 0, 0);
    REQUIRE_OK(clv_buckets_init(&queue, capacity, bound, &ws, &err));
    model m = {0};
    for (int step = 0; step < 30000; step++) {
        int32_t item = (int32_t)clv_rng_below(&rng, capacity);
        uint32_t what = clv_rng_below(&rng, 1000);
        if (what < 550) {
            int32_t key = (int32_t)clv_rng_below(&rng, 2 * bound + 1) - bound;
            clv_buckets_set(&queue, item, key);
            model_set(&m, item, key);
        } else if (what < 750) {
            clv_buckets_remove(&queue, item);
            model_remove(&m, item);
        } else if (what < 999 && m.count > 0) {
            int32_t top = model_top(&m, true);
            CHECK_EQ(clv_buckets_pop(&queue), top);
            model_remove(&m, top);
        } else if (what == 999) {
            clv_buckets_clear(&queue);
            m = (model){.now = m.now};
        }
        check_buckets(&queue, &m);
    }
    clv_ws_free(&ws);
}

/* Refused before any allocation. */
static void test_buckets_too_many(void)
{
    static const int32_t bounds[] = {INT32_MAX / 2 + 1, INT32_MAX};
    for (int i = 0; i < 2; i++) {
        clv_ws ws = {0};
        clv_buckets queue;
        cleave_error err = {0};
        test_alloc_fail_at(1);
        CHECK_EQ(clv_buckets_init(&queue, 1, bounds[i], &ws, &err), CLEAVE_ERANGE);
        test_alloc_fail_at(1); /* gigabytes otherwise */
        CHECK_EQ(clv_buckets_init(&queue, 1, INT32_MAX / 2, &ws, &err), CLEAVE_ENOMEM);
        test_alloc_fail_at(0);
        clv_ws_free(&ws);
    }
}

static void test_buckets_last_in_first_out(void)
{
    clv_ws ws = {0};
    clv_buckets queue;
    cleave_error err;
    REQUIRE_OK(clv_buckets_init(&queue, 4, 0, &ws, &err)); /* a single bucket */
    for (int32_t i = 0; i < 4; i++)
        clv_buckets_set(&queue, i, 0);
    clv_buckets_set(&queue, 1, 0); /* keeps its place */
    clv_buckets_remove(&queue, 2);
    CHECK_EQ(clv_buckets_pop(&queue), 3);
    CHECK_EQ(clv_buckets_pop(&queue), 1);
    CHECK_EQ(clv_buckets_pop(&queue), 0);
    CHECK_EQ(queue.count, 0);
    clv_ws_free(&ws);
}

/* ---- Limits ------------------------------------------------------------------------ */

/* Parents of children are correct at every position of an array of 2^31 - 1. */
static void test_heap_places(void)
{
    static const int32_t places[] = {
        0,        1, 2, (1 << 30) - 2, (1 << 30) - 1, 1 << 30, INT32_MAX / 2, INT32_MAX - 1,
        INT32_MAX};
    for (size_t i = 0; i < sizeof places / sizeof places[0]; i++) {
        int32_t place = places[i];
        int64_t child = clv_heap_child(place);
        CHECK_EQ(child, (int64_t)place + place + 1);
        CHECK(child > place);
        for (int64_t c = child; c <= child + 1 && c <= INT32_MAX; c++)
            CHECK_EQ(clv_heap_parent((int32_t)c), place);
        if (place > 0) {
            int64_t first = clv_heap_child(clv_heap_parent(place));
            CHECK(place == first || place == first + 1);
        }
    }
}

static void test_empty(void)
{
    clv_ws ws = {0};
    clv_heap heap;
    clv_buckets queue;
    cleave_error err = {0};
    CHECK_OK(clv_heap_init(&heap, 0, &ws, &err));
    CHECK_OK(clv_buckets_init(&queue, 0, 0, &ws, &err));
    CHECK(heap.count == 0 && queue.count == 0);
    clv_heap_clear(&heap);
    clv_buckets_clear(&queue);
    CHECK_EQ(clv_buckets_init(&queue, 1, INT32_MAX, &ws, &err), CLEAVE_ERANGE);
    CHECK(strstr(err.message, "2147483647") != NULL);
    clv_ws_free(&ws);
}

static void test_out_of_memory(void)
{
    for (int which = 0; which < 2; which++) {
        int64_t failures = 0;
        for (int64_t nth = 1;; nth++) {
            clv_ws ws = {0};
            clv_heap heap;
            clv_buckets queue;
            cleave_error err = {0};
            test_alloc_fail_at(nth);
            /* each array is larger than a chunk */
            cleave_status status = which ? clv_buckets_init(&queue, 60000, 30000, &ws, &err)
                                         : clv_heap_init(&heap, 60000, &ws, &err);
            test_alloc_fail_at(0);
            clv_ws_free(&ws);
            CHECK_EQ(test_alloc_live(), 0);
            if (status == CLEAVE_OK)
                break;
            failures++;
            CHECK_EQ(status, CLEAVE_ENOMEM);
            REQUIRE(nth < 100);
        }
        CHECK(failures >= 2);
    }
}

int main(void)
{
    RUN(test_heap_random);
    RUN(test_heap_sorts);
    RUN(test_buckets_random);
    RUN(test_buckets_too_many);
    RUN(test_buckets_last_in_first_out);
    RUN(test_heap_places);
    RUN(test_empty);
    RUN(test_out_of_memory);
    CHECK_EQ(test_alloc_live(), 0);
    return test_end();
}
