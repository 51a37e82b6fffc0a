/* SPDX-License-Identifier: Apache-2.0 */
/* base/compare: all pairs of a few numbers, ends of the ranges included. */
#include "base/compare.h"

#include <float.h>

#include "support/test.h"

static const int64_t wide[] = {INT64_MIN, INT64_MIN + 1, INT32_MIN, -3, -1, 0, 1, 2, 7,
                               7,         INT32_MAX,     INT64_MAX};
enum { nwide = sizeof wide / sizeof wide[0] };

static const double real[] = {-DBL_MAX, -1e10,   -2,  -DBL_MIN, -0.0,
                              0,        DBL_MIN, 0.5, 1,        DBL_MAX};
enum { nreal = sizeof real / sizeof real[0] };

static void test_smaller_and_larger(void)
{
    for (int i = 0; i < nwide; i++)
        for (int j = 0; j < nwide; j++) { /* wide and real are sorted */
            int low = i < j ? i : j, high = i < j ? j : i;
            CHECK_EQ(clv_smaller64(wide[i], wide[j]), wide[low]);
            CHECK_EQ(clv_larger64(wide[i], wide[j]), wide[high]);
            int32_t a = (int32_t)(wide[i] >> 32), b = (int32_t)(wide[j] >> 32);
            CHECK_EQ(clv_smaller(a, b), wide[low] >> 32);
            CHECK_EQ(clv_larger(a, b), wide[high] >> 32);
        }
    for (int i = 0; i < nreal; i++)
        for (int j = 0; j < nreal; j++) {
            CHECK(clv_smaller_real(real[i], real[j]) == real[i < j ? i : j]);
            CHECK(clv_larger_real(real[i], real[j]) == real[i < j ? j : i]);
        }
}

static void test_clamp(void)
{
    for (int low = 0; low < nwide; low++)
        for (int high = low; high < nwide; high++)
            for (int i = 0; i < nwide; i++)
                CHECK_EQ(clv_clamp(wide[i], wide[low], wide[high]), wide[i < low    ? low
                                                                         : i > high ? high
                                                                                    : i]);
    CHECK_EQ(clv_clamp(1, 5, 3), 5);
    CHECK_EQ(clv_clamp(7, 5, 3), 3);
}

static void test_pairs(void)
{
    for (int a = 0; a < nwide; a++)
        for (int b = 0; b < nwide; b++)
            for (int c = 0; c < nwide; c++)
                for (int d = 0; d < nwide; d++) {
                    bool smaller =
                        wide[a] < wide[c] || (wide[a] == wide[c] && wide[b] < wide[d]);
                    CHECK_EQ(clv_pair_is_smaller(wide[a], wide[b], wide[c], wide[d]), smaller);
                }
}

static void test_keys(void)
{
    for (int i = 0; i < nreal; i++)
        for (int j = 0; j < nreal; j++) {
            int64_t a = clv_key_of_double(real[i]), b = clv_key_of_double(real[j]);
            CHECK_EQ(a < b, real[i] < real[j]);
            CHECK_EQ(a == b, real[i] == real[j]);
        }
}

int main(void)
{
    RUN(test_smaller_and_larger);
    RUN(test_clamp);
    RUN(test_pairs);
    RUN(test_keys);
    return test_end();
}
