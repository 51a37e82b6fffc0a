/* SPDX-License-Identifier: Apache-2.0 */
/* Crowded drawings: detected, and evened out along rays without changing the order on them. */
#include "view/even_out.h"

#include <math.h>

#include "support/test.h"

enum { n = 2000 };

static double x[2 * n], even[2 * n];
static clv_ws ws;
static cleave_error err;

/* Points on a spiral whose distance from the middle grows by a power. */
static void make(double power)
{
    for (int i = 0; i < n; i++) {
        double r = pow((double)i / n, power), angle = 2.4 * i;
        x[2 * i] = 3 + r * cos(angle);
        x[2 * i + 1] = -1 + r * sin(angle);
    }
}

static bool wanted(int count)
{
    bool answer = true;
    CHECK_OK(clv_even_out_wanted(&answer, count, x, &ws, &err));
    return answer;
}

static void test_wanted(void)
{
    make(0.5);
    CHECK(!wanted(n));
    make(6);
    CHECK(wanted(n));
    CHECK(!wanted(0) && !wanted(1));
}

static void test_evened(void)
{
    make(6);
    REQUIRE_OK(clv_even_out(even, n, x, &ws, &err));
    int64_t v = 0; /* the middle */
    for (int i = 1; i < n; i++)
        if (hypot(even[2 * i] - x[2 * i], even[2 * i + 1] - x[2 * i + 1]) == 0)
            v = i;
    double last = -1;
    int inner = 0;
    for (int i = 1; i < n; i++) {
        double dx = x[2 * i] - x[2 * v], dy = x[2 * i + 1] - x[2 * v + 1];
        double ex = even[2 * i] - x[2 * v], ey = even[2 * i + 1] - x[2 * v + 1];
        double far = hypot(ex, ey);
        CHECK(isfinite(far));
        if (i > n / 2) /* beyond the middle's neighbourhood: the same direction, same order */
            CHECK(fabs(dx * ey - dy * ex) <= 1e-6 * far && dx * ex + dy * ey > 0);
        if (i > n / 2 + 1)
            CHECK(far > last - 0.02);
        last = far;
        inner += far < 0.5;
    }
    /* A quarter of the area holds about a quarter of the vertices, not nearly all. */
    CHECK(inner > n / 5 && inner < n / 2);
    REQUIRE_OK(clv_even_out(even, 0, x, &ws, &err));
    REQUIRE_OK(clv_even_out(even, 1, x, &ws, &err));
    CHECK(even[0] == x[0] && even[1] == x[1]);
}

int main(void)
{
    RUN(test_wanted);
    RUN(test_evened);
    clv_ws_free(&ws);
    return test_end();
}
