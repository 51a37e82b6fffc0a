/* SPDX-License-Identifier: Apache-2.0 */
/* Groups of PEs of unequal speed: the published rule, and packings against all divisions. */
#include <math.h>

#include "order/line_fixture.h"
#include "order/split.h"

enum { most = 400 };
static double speed[most];
static int32_t parts[most], scratch[most];

static int32_t halve(clv_grouping grouping, const double *speeds, int32_t count)
{
    for (int32_t i = 0; i < count; i++)
        parts[i] = i;
    return clv_grouping_halve(grouping, speeds, count, parts, scratch);
}

/* The smallest y whose first y speeds sum to at least half. */
static void test_simple(void)
{
    static const double printed[] = {0.4, 0.4, 0.1, 0.1}, last[] = {1, 1, 10};
    static const double none[] = {0, 0, 0}, first[] = {5, 1, 1};
    CHECK_EQ(halve(CLV_GROUPING_SIMPLE, printed, 4), 2);
    CHECK_EQ(halve(CLV_GROUPING_SIMPLE, last, 3), 2); /* never all */
    CHECK_EQ(halve(CLV_GROUPING_SIMPLE, first, 3), 1);
    CHECK_EQ(halve(CLV_GROUPING_SIMPLE, none, 3), 1);
    CHECK_EQ(halve(CLV_GROUPING_SIMPLE, NULL, 5), 3);
    CHECK_EQ(halve(CLV_GROUPING_SIMPLE, NULL, 2), 1);
    for (int32_t i = 0; i < 2; i++)
        CHECK_EQ(parts[i], i);
    for (int32_t i = 0; i < 4; i++)
        parts[i] = 3 - i; /* by PE, not by place in the list */
    CHECK_EQ(clv_grouping_halve(CLV_GROUPING_SIMPLE, printed, 4, parts, scratch), 3);
}

static void test_binpacking(void)
{
    static const double printed[] = {0.4, 0.4, 0.1, 0.1}, swap[] = {5, 5, 4, 3, 3};
    CHECK_EQ(halve(CLV_GROUPING_BINPACKING, printed, 4), 2); /* 0.5 | 0.5 */
    CHECK_EQ(parts[0] + parts[1] == 2 || parts[0] + parts[1] == 3, 1);
    CHECK_EQ(halve(CLV_GROUPING_BINPACKING, swap, 5), 2); /* largest first leaves 12 | 8 */
    CHECK(parts[0] == 0 && parts[1] == 1);
    CHECK_EQ(halve(CLV_GROUPING_BINPACKING, NULL, 8), 4); /* neighbours stay together */
    for (int32_t i = 0; i < 8; i++)
        CHECK_EQ(parts[i], i);
}

/* The least difference that any division has. */
static double best_division(const double *speeds, int32_t count)
{
    double best = INFINITY;
    for (unsigned set = 1; set + 1 < 1u << count; set++) {
        double apart = 0;
        for (int32_t i = 0; i < count; i++)
            apart += set >> i & 1 ? speeds[i] : -speeds[i];
        best = fmin(best, fabs(apart));
    }
    return best;
}

static double sum_of(const double *speeds, int32_t from, int32_t to)
{
    double sum = 0;
    for (int32_t i = from; i < to; i++)
        sum += speeds ? speeds[parts[i]] : 1;
    return sum;
}

/* Both groups hold someone, each one is there, and numbers ascend inside. */
static void check_groups(int32_t count, int32_t first)
{
    CHECK(first >= 1 && first < count);
    CHECK_FINE(line_fault(count, parts));
    CHECK_EQ(parts[0], 0);
    for (int32_t i = 1; i < count; i++)
        CHECK(i == first || parts[i - 1] < parts[i]);
}

static void test_against_all(void)
{
    double lost = 0, worst = 0;
    int32_t cases = 0;
    for (int32_t count = 2; count <= 12; count++)
        for (uint64_t seed = 0; seed < 40; seed += TEST_STRIDE, cases++) {
            line_speeds(speed, count, 1 + (double)(seed / TEST_STRIDE % 8), seed % 5 == 0,
                        seed);
            int32_t first = halve(CLV_GROUPING_BINPACKING, speed, count);
            check_groups(count, first);
            double total = sum_of(speed, 0, count);
            double apart = fabs(sum_of(speed, 0, first) - sum_of(speed, first, count));
            double least = best_division(speed, count);
            CHECK(apart >= least - 1e-9 * total);
            lost += (apart - least) / total;
            worst = fmax(worst, (apart - least) / total);
        }
    CHECK(lost / cases < 0.01);
    CHECK(worst < 0.1);
}

static void test_many(void)
{
    for (uint64_t seed = 0; seed < 20; seed++) {
        line_speeds(speed, most, 8, seed % 2, seed);
        int32_t first = halve(CLV_GROUPING_BINPACKING, speed, most);
        check_groups(most, first);
        double apart = fabs(sum_of(speed, 0, first) - sum_of(speed, first, most));
        CHECK(apart <= 1e-4 * sum_of(speed, 0, most));
    }
}

static void test_sequence(void)
{
    int32_t sequence[most];
    clv_grouping_sequence(CLV_GROUPING_SIMPLE, NULL, most, sequence, scratch);
    for (int32_t i = 0; i < most; i++)
        CHECK_EQ(sequence[i], i);
    clv_grouping_sequence(CLV_GROUPING_BINPACKING, NULL, most, sequence, scratch);
    for (int32_t i = 0; i < most; i++)
        CHECK_EQ(sequence[i], i);
    for (uint64_t seed = 0; seed < 30; seed++) {
        int32_t npes = 1 + (int32_t)seed * 13;
        line_speeds(speed, npes, 8, seed % 3 == 0, seed);
        clv_grouping_sequence(CLV_GROUPING_BINPACKING, speed, npes, sequence, scratch);
        CHECK_FINE(line_fault(npes, sequence));
        /* Some cut of the line halves the speeds. */
        memcpy(parts, sequence, (size_t)npes * sizeof *parts);
        double total = sum_of(speed, 0, npes), apart = total, sum = 0;
        for (int32_t i = 0; i < npes; i++) {
            sum += speed[sequence[i]];
            apart = fmin(apart, fabs(sum + sum - total));
        }
        CHECK(npes < 40 || apart <= 1e-3 * total);
    }
    /* Each PE outweighs all that follow: as deep as can be. */
    for (int32_t i = 0; i < most; i++)
        speed[i] = i < 300 ? ldexp(1, -i) : 0;
    clv_grouping_sequence(CLV_GROUPING_BINPACKING, speed, most, sequence, scratch);
    CHECK_FINE(line_fault(most, sequence));
}

/* Sums that are not finite divide all the same. */
static void test_huge(void)
{
    static const double huge[] = {1e308, 1.5e308, 1e308, 1.7e308, 1};
    for (int grouping = 0; grouping < 2; grouping++) {
        int32_t first = halve((clv_grouping)grouping, huge, 5);
        CHECK(first >= 1 && first < 5);
        CHECK_FINE(line_fault(5, parts));
    }
}

int main(void)
{
    RUN(test_simple);
    RUN(test_binpacking);
    RUN(test_against_all);
    RUN(test_many);
    RUN(test_sequence);
    RUN(test_huge);
    return test_end();
}
