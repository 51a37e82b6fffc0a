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
        REQUIRE_OK(clv_context_open(&ctx, threads[i], 42, &err));
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
    CHECK_EQ(clv_context_open(&ctx, -1, 1, &err), CLEAVE_EINVAL);
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
    REQUIRE_OK(clv_context_open(&ctx, 2, 1, &err));
    clv_context_watch(&ctx, 0.05, NULL, NULL);
    CHECK(ctx.deadline >= before + 0.05 && ctx.deadline <= clv_clock() + 0.05);
    clv_context child = clv_context_child(&ctx, 1);
    wait_until(ctx.deadline);
    /* The child detects the timeout, and all contexts report it. */
    CHECK(clv_context_stop(&child));
    CHECK_EQ(atomic_load(ctx.stopped), 1);
    CHECK(clv_context_stop(&ctx));
    CHECK(!clv_context_cancelled(&ctx));
    clv_context_close(&ctx);
    REQUIRE_OK(clv_context_open(&ctx, 1, 1, &err));
    clv_context_watch(&ctx, 1000, NULL, NULL);
    CHECK(!clv_context_stop(&ctx));
    clv_context_close(&ctx);
}

/* Steps get shares of the time: with looks, which count the calls of clv_context_stop. */
static void test_shares(void)
{
    clv_context ctx;
    cleave_error err = {0};
    int64_t looks = 100;
    REQUIRE_OK(clv_context_open(&ctx, 1, 1, &err));
    CHECK_EQ(clv_context_narrow(&ctx, 0.5), 0); /* no limit */
    CHECK_EQ(ctx.deadline, 0);
    ctx.looks = &looks;
    double whole = clv_context_narrow(&ctx, 0.5), part = clv_context_narrow(&ctx, 0.5);
    CHECK(!clv_context_lacks(&ctx, 25) && clv_context_lacks(&ctx, 26));
    for (int i = 1; i <= 25; i++)
        CHECK_EQ(clv_context_stop(&ctx), i == 25);
    clv_context_lend(&ctx, 10);
    CHECK(clv_context_afford(&ctx, 20) && !clv_context_afford(&ctx, 1));
    CHECK_EQ(clv_context_narrow(&ctx, 0.5), ctx.deadline); /* none after a stop */
    CHECK(!clv_context_is_hurried(&ctx) && clv_context_is_shortened(&ctx));
    clv_context_widen(&ctx, part); /* 24 looks left, and the credit again */
    CHECK(clv_context_is_hurried(&ctx) && !clv_context_is_stopped(&ctx) &&
          clv_context_is_shortened(&ctx));
    CHECK_EQ(atomic_load(ctx.late), 0);
    for (int i = 1; i <= 24; i++)
        CHECK_EQ(clv_context_stop(&ctx), i == 24);
    looks = 1;
    CHECK(clv_context_afford(&ctx, 20));
    clv_context_widen(&ctx, whole); /* which is over, too */
    CHECK(clv_context_is_stopped(&ctx) && !clv_context_afford(&ctx, 1));
    clv_context_close(&ctx);
    REQUIRE_OK(clv_context_open(&ctx, 1, 1, &err));
    looks = 100;
    ctx.looks = &looks;
    clv_context child = clv_context_child(&ctx, 0);
    whole = clv_context_narrow(&child, 0.5); /* its stop would stop all children */
    CHECK_EQ(child.deadline, whole);
    whole = clv_context_narrow(&ctx, 0.5);
    atomic_store(ctx.stopped, 2); /* by the callback */
    clv_context_widen(&ctx, whole);
    CHECK(clv_context_cancelled(&ctx) && !clv_context_is_shortened(&ctx));
    clv_context_close(&ctx);
}

/* Called immediately, then a few times per second, with the latest state; nonzero cancels.
 * Copies of the context share the time of the last call. */
static void test_progress(void)
{
    clv_context ctx;
    cleave_error err = {0};
    calls c = {.stop_at = 3};
    double before = clv_clock();
    REQUIRE_OK(clv_context_open(&ctx, 1, 1, &err));
    clv_context_watch(&ctx, 0, on_progress, &c);
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
    REQUIRE_OK(clv_context_open(&ctx, 3, 7, &err));
    clv_context_watch(&ctx, 0, on_progress, &c);
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
        test_oom_rounds oom = {0};
        while (test_oom_next(&oom)) {
            clv_context ctx;
            cleave_error err = {0};
            cleave_status status = TEST_OOM(&oom, clv_context_open(&ctx, threads, 1, &err));
            if (status == CLEAVE_OK)
                clv_context_close(&ctx);
        }
        CHECK(oom.nth > 3 && oom.nth < 100);
    }
}

int main(void)
{
    RUN(test_open);
    RUN(test_clock);
    RUN(test_time_limit);
    RUN(test_shares);
    RUN(test_progress);
    RUN(test_child);
    RUN(test_out_of_memory);
    return test_end();
}
