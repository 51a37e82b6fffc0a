/* SPDX-License-Identifier: Apache-2.0 */
/* base/pairing_heap: random operations, compared with a model that searches everything. */
#include "base/pairing_heap.h"
#include "base/rng.h"
#include "support/test.h"

enum { nitems = 60, nheaps = 4 };

typedef struct model {
    int32_t heap[nitems]; /* -1: none */
    int64_t key[nitems], tie[nitems];
} model;

static int32_t model_top(const model *m, int32_t heap)
{
    int32_t best = -1;
    for (int32_t i = 0; i < nitems; i++)
        if (m->heap[i] == heap && (best < 0 || m->key[i] > m->key[best] ||
                                   (m->key[i] == m->key[best] && m->tie[i] > m->tie[best])))
            best = i;
    return best;
}

static void check_all(const clv_pairing_heaps *h, const model *m)
{
    for (int32_t p = 0; p < nheaps; p++)
        CHECK_EQ(h->root[p], model_top(m, p));
    for (int32_t i = 0; i < nitems; i++) {
        CHECK_EQ(h->item[i].heap, m->heap[i]);
        CHECK_EQ(h->item[i].key, m->key[i]);
    }
}

static int64_t random_key(clv_rng *rng)
{
    switch (clv_rng_below(rng, 20)) {
    case 0:
        return INT64_MAX;
    case 1:
        return INT64_MIN;
    default:
        return (int64_t)clv_rng_below(rng, 9) - 4; /* many ties */
    }
}

static void insert(clv_pairing_heaps *h, model *m, int32_t heap, int32_t i, int64_t key,
                   int64_t tie)
{
    clv_pairing_insert(h, heap, i, key, tie);
    m->heap[i] = heap;
    m->key[i] = key;
    m->tie[i] = tie;
}

static void removes(clv_pairing_heaps *h, model *m, int32_t i)
{
    clv_pairing_remove(h, i);
    m->heap[i] = -1;
}

static void open_both(clv_pairing_heaps *h, model *m, clv_ws *ws)
{
    cleave_error err;
    REQUIRE_OK(clv_pairing_init(h, nitems, nheaps, ws, &err));
    *m = (model){{0}, {0}, {0}};
    for (int32_t i = 0; i < nitems; i++) {
        h->item[i].key = 0;
        clv_pairing_forget(h, i);
        m->heap[i] = -1;
    }
}

/* newest: ties by the time of insertion, otherwise by the smaller item. */
static void check_random(bool newest)
{
    clv_ws ws = {0};
    clv_pairing_heaps h;
    model m;
    clv_rng rng = clv_rng_make(1, newest, 0, 0);
    open_both(&h, &m, &ws);
    check_all(&h, &m);
    for (int64_t step = 0; step < 20000; step++) {
        int32_t i = (int32_t)clv_rng_below(&rng, nitems);
        int32_t heap = (int32_t)clv_rng_below(&rng, nheaps), top = h.root[heap];
        bool fills = step / 500 % 2 == 0; /* nearly full and nearly empty heaps */
        if (m.heap[i] < 0 && clv_rng_below(&rng, 10) < (fills ? 8 : 3))
            insert(&h, &m, heap, i, random_key(&rng), newest ? step : -i);
        else if (m.heap[i] >= 0 && clv_rng_below(&rng, 10) < (fills ? 2 : 5))
            removes(&h, &m, i);
        else if (top >= 0 && clv_rng_below(&rng, 4) == 0)
            removes(&h, &m, top);
        check_all(&h, &m);
    }
    clv_ws_free(&ws);
}

static void test_random(void)
{
    check_random(false);
    check_random(true);
}

/* Equal keys leave by their ties, in any order of insertion. */
static void test_equal_keys(void)
{
    clv_ws ws = {0};
    clv_pairing_heaps h;
    model m;
    open_both(&h, &m, &ws);
    for (int32_t i = 0; i < nitems; i++)
        insert(&h, &m, 2, i * 7 % nitems, 5, -(i * 7 % nitems));
    for (int32_t i = 0; i < nitems; i++) {
        CHECK_EQ(h.root[2], i);
        clv_pairing_remove(&h, i);
    }
    CHECK_EQ(h.root[2], -1);
    clv_ws_free(&ws);
}

/* Heaps may be emptied at once. */
static void test_forget(void)
{
    clv_ws ws = {0};
    clv_pairing_heaps h;
    model m;
    open_both(&h, &m, &ws);
    for (int32_t i = 0; i < nitems; i++)
        insert(&h, &m, i % nheaps, i, i, 0);
    for (int32_t p = 0; p < nheaps; p++)
        h.root[p] = -1;
    for (int32_t i = 0; i < nitems; i++)
        clv_pairing_forget(&h, i);
    clv_pairing_insert(&h, 1, 3, 8, 0);
    CHECK_EQ(h.root[1], 3);
    CHECK_EQ(h.root[3], -1);
    clv_pairing_remove(&h, 3);
    CHECK_EQ(h.root[1], -1);
    clv_ws_free(&ws);
}

static void test_out_of_memory(void)
{
    int64_t failures = 0;
    for (int64_t nth = 1;; nth++) {
        clv_ws ws = {0};
        clv_pairing_heaps h;
        cleave_error err = {0};
        test_alloc_fail_at(nth);
        /* each array is larger than a chunk */
        cleave_status status = clv_pairing_init(&h, 60000, 60000, &ws, &err);
        test_alloc_fail_at(0);
        clv_ws_free(&ws);
        CHECK_EQ(test_alloc_live(), 0);
        if (status == CLEAVE_OK)
            break;
        failures++;
        CHECK_EQ(status, CLEAVE_ENOMEM);
        REQUIRE(nth < 100);
    }
    CHECK_EQ(failures, 2);
}

int main(void)
{
    RUN(test_random);
    RUN(test_equal_keys);
    RUN(test_forget);
    RUN(test_out_of_memory);
    CHECK_EQ(test_alloc_live(), 0);
    return test_end();
}
