/* SPDX-License-Identifier: Apache-2.0 */
/* Ticks: expected ones by hand, properties on random axes. */
#include "view/axis.h"

#include <math.h>

#include "support/test.h"

/* The labels of the ticks, separated by blanks. */
static const char *labels(bool log, double lo, double hi, int most)
{
    static char text[1000];
    clv_tick tick[CLV_MAX_TICKS];
    clv_axis axis = {log, lo, hi, 0, 100};
    int count = clv_axis_ticks(&axis, most, tick);
    text[0] = '\0';
    for (int i = 0; i < count; i++) {
        strcat(text, i ? " " : "");
        strcat(text, tick[i].label);
    }
    return text;
}

static void test_expected(void)
{
    CHECK_STR(labels(false, 0, 1, 6), "0.0 0.2 0.4 0.6 0.8 1.0");
    CHECK_STR(labels(false, 0.81, 1.04, 6), "0.85 0.90 0.95 1.00");
    CHECK_STR(labels(false, -3, 3, 7), "\xe2\x88\x92"
                                       "3 \xe2\x88\x92"
                                       "2 \xe2\x88\x92"
                                       "1 0 1 2 3");
    CHECK_STR(labels(false, 0, 4e6, 5), "0 1e6 2e6 3e6 4e6");
    CHECK_STR(labels(false, 0, 40000, 5), "0 10000 20000 30000 40000");
    CHECK_STR(labels(false, 1000000, 1000002, 3), "1000000 1000001 1000002");
    CHECK_STR(labels(true, 0.4, 30, 8), "0.5 1 2 5 10 20");
    CHECK_STR(labels(true, 0.4, 30, 3), "1 10");
    CHECK_STR(labels(true, 1, 1e9, 6), "1 100 10000 1e6 1e8");
    CHECK_STR(labels(true, 1, 3, 6), "1.0 1.5 2.0 2.5 3.0");
    CHECK_STR(labels(true, 1e-9, 9e-8, 6), "1e-9 2e-9 5e-9 1e-8 2e-8 5e-8");
}

static double random_unit(uint64_t *state)
{
    *state = *state * 6364136223846793005u + 1442695040888963407u;
    return (double)(*state >> 11) * 0x1p-53;
}

/* Ascending, inside, at most the requested number, and the label is the value. */
static void test_properties(void)
{
    uint64_t state = 5;
    for (int round = 0; round < 20000; round++) {
        clv_tick tick[CLV_MAX_TICKS];
        bool log = round % 2;
        double lo = pow(10, 12 * random_unit(&state) - 6);
        double hi = lo * (1 + pow(10, 6 * random_unit(&state) - 2));
        if (!log && round % 4 == 0)
            lo = -lo;
        int most = 2 + (int)(20 * random_unit(&state));
        clv_axis axis = {log, lo, hi, 500, 20};
        int count = clv_axis_ticks(&axis, most, tick);
        CHECK(count >= 0 && count <= most);
        CHECK(most < 4 || count >= 1);
        double slack = 1e-6 * (hi - lo);
        for (int i = 0; i < count; i++) {
            CHECK(tick[i].value >= lo - slack && tick[i].value <= hi + slack);
            CHECK(i == 0 || tick[i].value > tick[i - 1].value);
            double pixel = clv_axis_pixel(&axis, tick[i].value);
            CHECK(pixel <= 500.01 && pixel >= 19.99);
            const char *text = tick[i].label;
            double sign = text[0] == '\xe2' ? -1 : 1;
            double said = sign * strtod(text + (sign < 0 ? 3 : 0), NULL);
            CHECK(fabs(said - tick[i].value) <= 1e-12 * fabs(tick[i].value));
        }
    }
}

static void test_pixels(void)
{
    clv_axis even = {false, 10, 20, 0, 100}, log = {true, 1, 100, 200, 0};
    CHECK(clv_axis_pixel(&even, 10) == 0 && clv_axis_pixel(&even, 15) == 50);
    CHECK(fabs(clv_axis_pixel(&log, 10) - 100) < 1e-9);
    CHECK(clv_axis_pixel(&log, 1) == 200);
}

static void test_pad(void)
{
    double lo = 3, hi = 3;
    clv_axis_pad(false, &lo, &hi);
    CHECK(lo < 3 && hi > 3);
    lo = hi = 0;
    clv_axis_pad(false, &lo, &hi);
    CHECK(lo < 0 && hi > 0);
    lo = hi = 3;
    clv_axis_pad(true, &lo, &hi);
    CHECK(lo < 3 && lo > 0 && hi > 3);
    lo = 1, hi = 100;
    clv_axis_pad(true, &lo, &hi);
    CHECK(lo < 1 && lo > 0.5 && hi > 100 && hi < 200);
}

int main(void)
{
    RUN(test_expected);
    RUN(test_properties);
    RUN(test_pixels);
    RUN(test_pad);
    return test_end();
}
