/* SPDX-License-Identifier: Apache-2.0 */
/* Measuring this machine: plausible values, also under load. */
#include "graph/sample.h"
#include "schedule/schedulers.h"
#include "support/test.h"

static cleave_error err;

static void test_plausible(void)
{
    static const int counts[] = {0, 1, 2, 5};
    for (int i = 0; i < 4; i++) {
        clv_schedule_costs costs = {.sync = -1, .read = -1};
        double seconds = -1;
        REQUIRE_OK(clv_measure_costs(&costs, &seconds, counts[i], &err));
        CHECK(seconds > 1e-12 && seconds < 1e-3);
        CHECK(costs.sync > 0 && costs.sync < 1e9);
        CHECK(costs.read >= 0 && costs.read < 1e6);
    }
}

/* Far more threads than processors: a second is promised, a few are given to slow machines. */
static void test_many_threads(void)
{
    clv_schedule_costs costs = {.sync = -1, .read = -1};
    double seconds = -1, start = clv_clock();
    REQUIRE_OK(clv_measure_costs(&costs, &seconds, 48, &err));
    CHECK(costs.sync > 0 && costs.read >= 0);
    CHECK(clv_clock() - start < 8);
}

static cleave_status call_measure(const void *context, cleave_error *e)
{
    clv_schedule_costs costs;
    double seconds;
    return clv_measure_costs(&costs, &seconds, *(const int *)context, e);
}

static void test_out_of_memory(void)
{
    const int threads = 2;
    test_oom_call(call_measure, &threads);
    CHECK_EQ(test_alloc_live(), 0);
}

int main(void)
{
    RUN(test_plausible);
    RUN(test_many_threads);
    RUN(test_out_of_memory);
    return test_end();
}
