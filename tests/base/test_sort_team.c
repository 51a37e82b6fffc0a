/* SPDX-License-Identifier: Apache-2.0 */
/* The parallel sort against the sequential one. */
#include "base/rng.h"
#include "base/sort.h"
#include "support/test.h"

enum { most = 60000 };
static clv_sort_item items[most], scratch[most], copy[most], other[most];

typedef enum keys { KEYS_ANY, KEYS_FEW, KEYS_NEAR, KEYS_SKEWED, KEYS_LIMITS, KEYS_KINDS } keys;

static int64_t draw(keys kind, clv_rng *rng)
{
    uint64_t x = clv_rng_u64(rng);
    switch (kind) {
    case KEYS_FEW:
        return (int64_t)(x % 5) - 2;
    case KEYS_NEAR:
        return (int64_t)(x >> 40) - (1 << 23);
    case KEYS_SKEWED: /* most in one bucket, and again */
        return (int64_t)(x >> (x % 64));
    case KEYS_LIMITS:
        return x % 3 == 0 ? INT64_MIN : x % 3 == 1 ? INT64_MAX : 0;
    default:
        return (int64_t)x;
    }
}

static void check(clv_team *team, keys kind, int64_t n)
{
    clv_rng rng = clv_rng_make((uint64_t)n, (uint64_t)kind, 0, 0);
    for (int64_t i = 0; i < n; i++) {
        items[i].key = draw(kind, &rng);
        items[i].with.index = i;
        copy[i] = items[i];
    }
    const clv_sort_item *expected = clv_sort(copy, other, n);
    clv_sort_team(team, items, scratch, n);
    int64_t wrong = 0;
    for (int64_t i = 0; i < n; i++)
        wrong +=
            items[i].key != expected[i].key || items[i].with.index != expected[i].with.index;
    CHECK_EQ(wrong, 0);
}

/* Both sides of the sizes at which the method changes. */
static void test_team(void)
{
    static const int64_t sizes[] = {0, 1, 2, 24, 25, 26, 63, 64, 1000, 16383, 16384, most};
    static const int threads[] = {1, 2, 3, 12};
    for (size_t t = 0; t < sizeof threads / sizeof *threads; t++) {
        cleave_error err;
        clv_team *team;
        REQUIRE_OK(clv_team_create(&team, threads[t], &err));
        for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++)
            for (int kind = 0; kind < KEYS_KINDS; kind++)
                check(team, (keys)kind, sizes[s]);
        clv_team_free(team);
    }
}

static void test_alone(void)
{
    for (int64_t n = 0; n < 300; n++)
        check(NULL, (keys)(n % KEYS_KINDS), n);
}

int main(void)
{
    RUN(test_team);
    RUN(test_alone);
    return test_end();
}
