/* SPDX-License-Identifier: Apache-2.0 */
/* Traced solves: the spans of a thread do not overlap, waits end after the spans they wait
 * for, all work is recorded, and solutions are unchanged; with at most as many threads as
 * processors, and with more. */
#include "view/solve_trace.h"

#include "api/trsv_systems.h"
#include "support/test.h"

static cleave_error err;

static void check_times(const cleave_trace *t)
{
    const cleave_span *before = NULL;
    for (int64_t i = 0; i < t->count; i++) {
        cleave_span s;
        cleave_span_init(&s, sizeof s);
        CHECK_OK(cleave_trace_span(t, i, &s, &err));
        CHECK(s.wait >= 0 && s.wait <= s.begin && s.begin <= s.end && s.end <= t->seconds);
        CHECK(s.first_layer <= s.last_layer && s.last_layer < t->layers);
        if (before && before->thread == s.thread) {
            CHECK(s.wait >= before->end && s.first_layer > before->last_layer);
            CHECK(s.expected_begin >= before->expected_end);
        } else {
            CHECK_EQ(s.thread, before ? before->thread + 1 : 0);
        }
        CHECK(s.expected_end - s.expected_begin == (double)s.work);
        CHECK_EQ(s.waits, t->xwait[i + 1] - t->xwait[i]);
        before = &t->span[i];
    }
}

/* No span begins before the spans that it waits for have ended, by the clock and by the
 * model. */
static void check_waits(const cleave_trace *t)
{
    for (int64_t i = 0; i < t->count; i++)
        for (int64_t w = t->xwait[i]; w < t->xwait[i + 1]; w++) {
            const cleave_span *other = &t->span[t->wait[w]];
            CHECK(other->thread != t->span[i].thread);
            CHECK(other->last_layer < t->span[i].first_layer);
            CHECK(other->end <= t->span[i].begin);
            CHECK(other->expected_end <= t->span[i].expected_begin);
        }
}

static void test_one(int shape, int way, const char *method, const char *sync, int threads)
{
    trsv_system s = trsv_system_make(shape, 300, way, 9);
    cleave_run_options opt;
    cleave_run_info info;
    cleave_trsv *p = NULL;
    cleave_run_options_init(&opt, sizeof opt);
    opt.method = method;
    opt.sync = sync;
    opt.threads = threads;
    REQUIRE_OK(cleave_trsv_create(&p, &s.t, &opt, &err));
    cleave_run_info_init(&info, sizeof info);
    cleave_trsv_info(p, &info);
    for (int turn = 0; turn < 3; turn++) {
        cleave_trace *t = NULL;
        int64_t work = 0;
        REQUIRE_OK(cleave_trsv_trace(&t, p, &err));
        check_times(t);
        check_waits(t);
        for (int64_t i = 0; i < t->count; i++)
            work += t->span[i].work;
        CHECK_EQ(work, info.nonzeros);
        CHECK_EQ(cleave_trace_threads(t), info.threads);
        CHECK_EQ(cleave_trace_layers(t), info.layers);
        CHECK_EQ(t->xwait[t->count], info.waits);
        CHECK(trsv_solves(p, &s, false)); /* plain solves are as before */
        cleave_trace_free(t);
    }
    cleave_trsv_free(p);
    trsv_system_free(&s);
}

static void test_traces(void)
{
    static const char *const methods[] = {"levels", "grow", "serial", NULL};
    static const char *const syncs[] = {"barrier", "p2p", "stale", "auto"};
    int turn = 0;
    for (int shape = 0; shape < trsv_shapes; shape++)
        for (int m = 0; m < 4; m++, turn++)
            test_one(shape,
                     turn % 2   ? 2
                     : turn % 3 ? 0
                                : 64,
                     methods[m], syncs[turn / 2 % 4], 1 + turn % 5);
}

/* An empty system has nothing to show. */
static void test_empty(void)
{
    const int64_t zero[1] = {0};
    const double none[1] = {0};
    const int32_t index[1] = {0};
    cleave_triangle t;
    cleave_trsv *p = NULL;
    cleave_trace *trace = NULL;
    cleave_triangle_init(&t, sizeof t);
    t.xadj = zero;
    t.idx = index;
    t.val = none;
    REQUIRE_OK(cleave_trsv_create(&p, &t, NULL, &err));
    REQUIRE_OK(cleave_trsv_trace(&trace, p, &err));
    CHECK_EQ(cleave_trace_count(trace), 0);
    CHECK(cleave_trace_seconds(trace) == 0);
    cleave_trace_free(trace);
    cleave_trsv_free(p);
}

int main(void)
{
    RUN(test_traces);
    RUN(test_empty);
    return test_end();
}
