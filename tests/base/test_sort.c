/* SPDX-License-Identifier: Apache-2.0 */
/* The stable sort against insertion sort. */
#include <stdbool.h>

#include "base/rng.h"
#include "base/sort.h"
#include "support/test.h"

enum { most = 20000 };
static clv_sort_item items[most], scratch[most], expected[most];

static void insert_all(int64_t n)
{
    for (int64_t i = 0; i < n; i++) {
        int64_t j = i;
        for (; j > 0 && expected[j - 1].key > items[i].key; j--)
            expected[j] = expected[j - 1];
        expected[j] = items[i];
    }
}

static void check(int64_t n)
{
    insert_all(n);
    const clv_sort_item *sorted = clv_sort(items, scratch, n);
    CHECK(sorted == items || sorted == scratch);
    int64_t wrong = 0;
    for (int64_t i = 0; i < n; i++)
        wrong +=
            sorted[i].key != expected[i].key || sorted[i].with.index != expected[i].with.index;
    CHECK_EQ(wrong, 0);
}

static void fill(int64_t n, int bits, bool negative, uint64_t seed)
{
    clv_rng rng = clv_rng_make(seed, 0, 0, 0);
    for (int64_t i = 0; i < n; i++) {
        uint64_t key = bits ? clv_rng_u64(&rng) >> (64 - bits) : 0;
        items[i].key =
            (int64_t)(negative ? key - (bits ? (uint64_t)1 << (bits - 1) : 0) : key);
        items[i].with.index = i;
    }
}

static void test_small(void)
{
    for (int64_t n = 0; n < 70; n++)
        for (int bits = 0; bits <= 64; bits += 4) {
            fill(n, bits, false, (uint64_t)n);
            check(n);
            fill(n, bits, true, (uint64_t)n + 1000);
            check(n);
        }
}

/* Both sides of the size and of the span at which the method changes. */
static void test_large(void)
{
    static const int64_t sizes[] = {4095, 4096, 4097, 9000};
    static const int bits[] = {0, 1, 11, 12, 22, 32, 44, 45, 63, 64};
    for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++)
        for (size_t b = 0; b < sizeof bits / sizeof *bits; b++) {
            fill(sizes[s], bits[b], b % 2, b);
            check(sizes[s]);
        }
}

static void test_limits(void)
{
    for (int64_t i = 0; i < 5000; i++) {
        items[i].key = i % 3 == 0 ? INT64_MIN : i % 3 == 1 ? INT64_MAX : 0;
        items[i].with.index = i;
    }
    check(5000);
}

int main(void)
{
    RUN(test_small);
    RUN(test_large);
    RUN(test_limits);
    return test_end();
}
