/* SPDX-License-Identifier: Apache-2.0 */
/* base/context.c: time limits, the callback, children, memory. */
#include "base/context.h"
#include "support/test.h"

typedef struct calls {
    int count, stop_at;
    cleave_progress last;
    double first_time, last_time;
} calls;

static int on_progress(void *payload, const cleave_progress *now)
{
    calls *c = payload;
    c->count++;
    c->last = *now;
    c->last_time = clv_clock();
    if (c->count == 1)
        c->first_time = c->last_time;
    return c->count == c->stop_at;
}

static void wait_until(double time)
{
    while (clv_clock() < time)
        continue;
}

static void test_open(void)
{
    static const int threads[] = {1, 2, 8};
    for (int i = 0; i < 3; i++) {
        clv_context ctx;
        cleave_error err = {0};
        REQUIRE_OK(clv_context_open(&ctx, threads[i], 42, 0, NULL, NULL, &err));
        CHECK_EQ(clv_context_threads(&ctx), threads[i]);
        CHECK_EQ(ctx.seed, 42);
        for (int t = 0; t < threads[i]; t++)
            CHECK(clv_ws_alloc(&ctx.ws[t], 100000, 1));
        CHECK(!clv_context_stop(&ctx));
        CHECK(!clv_context_cancelled(&ctx));
        clv_context_close(&ctx);
        CHECK(!ctx.ws && !ctx.team && !ctx.stopped);
        clv_context_close(&ctx); /* again is fine */
    }
    clv_context ctx;
    cleave_error err = {0};
    CHECK_EQ(clv_context_open(&ctx, -1, 1, 0, NULL, NULL, &err), CLEAVE_EINVAL);
}

static void test_clock(void)
{
    double before = clv_clock();
    for (int i = 0; i < 1000; i++) {
        double now = clv_clock();
        CHECK(now >= before);
        before = now;
    }
    CHECK(before > 0);
}

static void test_time_limit(void)
{
    clv_context ctx;
    cleave_error err = {0};
    double before = clv_clock();
    REQUIRE_OK(clv_context_open(&ctx, 2, 1, 0.05, NULL, NULL, &err));
    CHECK(ctx.deadline >= before + 0.05 && ctx.deadline <= clv_clock() + 0.05);
    clv_context child = clv_context_child(&ctx, 1);
    wait_until(ctx.deadline);
    /* The child finds out, and everybody knows. */
    CHECK(clv_context_stop(&child));
    CHECK_EQ(atomic_load(ctx.stopped), 1);
    CHECK(clv_context_stop(&ctx));
    CHECK(!clv_context_cancelled(&ctx));
    clv_context_close(&ctx);
    REQUIRE_OK(clv_context_open(&ctx, 1, 1, 1000, NULL, NULL, &err));
    CHECK(!clv_context_stop(&ctx));
    clv_context_close(&ctx);
}

/* At once, then a few times a second, with what was said last; nonzero cancels.  A copy of the
 * context counts the same time. */
static void test_progress(void)
{
    clv_context ctx;
    cleave_error err = {0};
    calls c = {.stop_at = 3};
    double before = clv_clock();
    REQUIRE_OK(clv_context_open(&ctx, 1, 1, 0, on_progress, &c, &err));
    clv_context copy = clv_context_child(&ctx, 0);
    CHECK(!clv_context_stop(&copy));
    CHECK_EQ(c.count, 1);
    CHECK_STR(c.last.phase, "starting");
    CHECK(!clv_context_stop(&ctx));
    CHECK_EQ(c.count, 1);
    while (!clv_context_stop(&ctx) && clv_clock() < before + 5)
        clv_context_phase(&ctx, "testing", c.count, 10);
    CHECK_EQ(c.count, 3);
    CHECK_STR(c.last.phase, "testing");
    CHECK_EQ(c.last.done, 2);
    CHECK_EQ(c.last.total, 10);
    CHECK_EQ(c.last.level, -1);
    CHECK_EQ(c.last.cut, -1);
    CHECK_EQ(c.last.size, sizeof c.last);
    CHECK(c.last_time - c.first_time >= 0.15);
    CHECK(clv_context_cancelled(&ctx));
    CHECK(clv_context_stop(&ctx));
    CHECK_EQ(c.count, 3); /* never again */
    clv_context_close(&ctx);
}

static void test_child(void)
{
    clv_context ctx;
    cleave_error err = {0};
    calls c = {.stop_at = 1};
    REQUIRE_OK(clv_context_open(&ctx, 3, 7, 0, on_progress, &c, &err));
    for (int member = 0; member < 3; member++) {
        clv_context child = clv_context_child(&ctx, member);
        CHECK_EQ(clv_context_threads(&child), 1);
        CHECK(child.ws == &ctx.ws[member]);
        CHECK_EQ(child.seed, 7);
        CHECK(child.stopped == ctx.stopped);
    }
    /* The callback stays with the calling thread, which is member 0. */
    clv_context other = clv_context_child(&ctx, 2);
    CHECK(!clv_context_stop(&other));
    CHECK_EQ(c.count, 0);
    CHECK(clv_context_stop(&ctx));
    CHECK_EQ(c.count, 1);
    CHECK(clv_context_stop(&other));
    CHECK(clv_context_cancelled(&other));
    clv_context_close(&ctx);
}

static void test_out_of_memory(void)
{
    for (int threads = 1; threads <= 3; threads++) {
        int64_t nth = 1;
        for (bool failed = true; failed && nth < 100; nth++) {
            clv_context ctx;
            cleave_error err = {0};
            int64_t live = test_alloc_live();
            test_alloc_fail_at(nth);
            cleave_status status = clv_context_open(&ctx, threads, 1, 0, NULL, NULL, &err);
            failed = test_alloc_calls() >= nth;
            test_alloc_fail_at(0);
            CHECK_EQ(status, failed ? CLEAVE_ENOMEM : CLEAVE_OK);
            if (status == CLEAVE_OK)
                clv_context_close(&ctx);
            CHECK_EQ(test_alloc_live(), live);
        }
        CHECK(nth > 3 && nth < 100);
    }
}

int main(void)
{
    RUN(test_open);
    RUN(test_clock);
    RUN(test_time_limit);
    RUN(test_progress);
    RUN(test_child);
    RUN(test_out_of_memory);
    return test_end();
}
