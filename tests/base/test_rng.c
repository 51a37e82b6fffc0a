/* SPDX-License-Identifier: Apache-2.0 */
/* base/rng: fixed sequences, in bounds and evenly distributed.  The expected values come from
 * an implementation in another language; the first of clv_hash64 and the sequence from state
 * 1, 2, 3, 4 are the published ones of SplitMix64 and xoshiro256**. */
#include "base/rng.h"
#include "support/test.h"

static void test_fixed_values(void)
{
    CHECK(clv_hash64(0) == UINT64_C(0xe220a8397b1dcdaf));
    CHECK(clv_hash64(1) == UINT64_C(0x910a2dec89025cc1));
    CHECK(clv_hash64(UINT64_MAX) == UINT64_C(0xe4d971771b652c20));

    static const uint64_t published[6] = {11520,
                                          0,
                                          1509978240,
                                          UINT64_C(1215971899390074240),
                                          UINT64_C(1216172134540287360),
                                          UINT64_C(607988272756665600)};
    clv_rng rng = {{1, 2, 3, 4}};
    for (int i = 0; i < 6; i++)
        CHECK(clv_rng_u64(&rng) == published[i]);

    static const uint64_t zeros[4] = {0x753d266cd9fa7949u, 0xd30a4eeb642cf2f4u,
                                      0x852cb284c4c21333u, 0x97aec8e029e1b6d5u};
    static const uint64_t counted[4] = {0xd2adf9639ad79aa2u, 0xf1fd8c262a0a71eeu,
                                        0x1dd0f9541177d7fau, 0x2ac1472f74fe1afdu};
    static const uint64_t large[4] = {0x8e2980ef0984e50cu, 0xeef8041b82728065u,
                                      0xcd6d190ea5a44bbbu, 0x4ab10555e808469cu};
    clv_rng a = clv_rng_make(0, 0, 0, 0), b = clv_rng_make(1, 2, 3, 4);
    clv_rng c = clv_rng_make(UINT64_MAX, 0, 0, 1);
    for (int i = 0; i < 4; i++) {
        CHECK(clv_rng_u64(&a) == zeros[i]);
        CHECK(clv_rng_u64(&b) == counted[i]);
        CHECK(clv_rng_u64(&c) == large[i]);
    }
}

static void test_streams_differ(void)
{
    /* Each of the four numbers matters, and so does which one it is. */
    uint64_t first[81];
    int n = 0;
    for (uint64_t i = 0; i < 81; i++) {
        clv_rng rng = clv_rng_make(i % 3, i / 3 % 3, i / 9 % 3, i / 27);
        first[n++] = clv_rng_u64(&rng);
    }
    for (int i = 0; i < n; i++)
        for (int j = 0; j < i; j++)
            CHECK(first[i] != first[j]);
}

static void test_below(void)
{
    static const uint32_t bounds[] = {1, 2, 3, 7, 1000, 1u << 31, (1u << 31) + 1, UINT32_MAX};
    clv_rng rng = clv_rng_make(5, 0, 0, 0);
    for (int b = 0; b < 8; b++) {
        uint32_t smallest = UINT32_MAX, largest = 0;
        for (int i = 0; i < 20000; i++) {
            uint32_t x = clv_rng_below(&rng, bounds[b]);
            smallest = x < smallest ? x : smallest;
            largest = x > largest ? x : largest;
        }
        CHECK(largest < bounds[b]);
        CHECK(smallest <= bounds[b] / 100);
        CHECK(largest >= bounds[b] - 1 - bounds[b] / 100);
    }
}

/* Sum of (observed - expected)^2 / expected. */
static double chi_squared(const int *observed, int cells, double expected)
{
    double sum = 0;
    for (int i = 0; i < cells; i++)
        sum += (observed[i] - expected) * (observed[i] - expected) / expected;
    return sum;
}

static void test_even_spread(void)
{
    enum { cells = 100, draws = 200000 };
    int whole[cells] = {0}, real[cells] = {0}, bits[64] = {0};
    clv_rng rng = clv_rng_make(6, 0, 0, 0);
    for (int i = 0; i < draws; i++) {
        whole[clv_rng_below(&rng, cells)]++;
        double unit = clv_rng_unit(&rng);
        CHECK(unit >= 0 && unit < 1);
        real[(int)(unit * cells)]++;
        uint64_t x = clv_rng_u64(&rng);
        for (int j = 0; j < 64; j++)
            bits[j] += (int)(x >> j & 1);
    }
    /* 99 degrees of freedom: beyond these bounds once in a million seeds */
    CHECK(chi_squared(whole, cells, draws / cells) < 180);
    CHECK(chi_squared(whole, cells, draws / cells) > 45);
    CHECK(chi_squared(real, cells, draws / cells) < 180);
    for (int j = 0; j < 64; j++)
        CHECK(abs(bits[j] - draws / 2) < 1200); /* 5 standard deviations */
}

static void test_permutations(void)
{
    static int32_t order[1000];
    static char seen[1000];
    clv_rng rng = clv_rng_make(7, 0, 0, 0);
    order[0] = 77;
    clv_rng_permutation(&rng, 0, order);
    CHECK_EQ(order[0], 77);
    clv_rng_permutation(&rng, 1, order);
    CHECK_EQ(order[0], 0);
    clv_rng_permutation(&rng, 1000, order);
    int fixed = 0;
    for (int i = 0; i < 1000; i++) {
        REQUIRE(order[i] >= 0 && order[i] < 1000 && !seen[order[i]]);
        seen[order[i]] = 1;
        fixed += order[i] == i;
    }
    CHECK(fixed < 10);
    int counts[27] = {0}; /* by the three digits in base 3; six of them are possible */
    for (int i = 0; i < 60000; i++) {
        clv_rng_permutation(&rng, 3, order);
        counts[order[0] * 9 + order[1] * 3 + order[2]]++;
    }
    int possible = 0;
    for (int i = 0; i < 27; i++) {
        possible += counts[i] > 0;
        CHECK(counts[i] == 0 || abs(counts[i] - 10000) < 500);
    }
    CHECK_EQ(possible, 6);
}

int main(void)
{
    RUN(test_fixed_values);
    RUN(test_streams_differ);
    RUN(test_below);
    RUN(test_even_spread);
    RUN(test_permutations);
    return test_end();
}
