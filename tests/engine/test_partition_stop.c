/* SPDX-License-Identifier: Apache-2.0 */
/* Calls that end early, by their time limit or by the callback: the result is valid, the
 * report is correct, and a callback does not change the result. */
#include <pthread.h>

#include "engine/map_fixture.h"
#include "support/test.h"

/* A callback that stops at call number `until`; 0: never. */
typedef struct watcher {
    int calls, until, wrong;
    pthread_t caller;
} watcher;

static int watch(void *payload, const cleave_progress *now)
{
    watcher *w = payload;
    w->calls++;
    w->wrong += !pthread_equal(pthread_self(), w->caller);
    w->wrong += now->size != sizeof *now || !now->phase || !now->phase[0];
    w->wrong += now->level < -1 || now->cut < -1;
    w->wrong += now->total > 0 && (now->done < 0 || now->done > now->total);
    return w->until && w->calls >= w->until;
}

static cleave_status check(asked *a, facts *f)
{
    cleave_mapping *m = NULL;
    cleave_status status = ask_map(a, &m);
    const char *wrong = fixture_judge(a, status, m, f);
    CHECK(!wrong);
    if (wrong)
        fprintf(stderr, "  %s\n", wrong);
    cleave_mapping_free(m);
    return status;
}

/* ---- Time limits ------------------------------------------------------------------------ */

/* The search would take longer; the bounds are met all the same. */
static void test_time_limit(void)
{
    static const double limits[] = {0.000001, 0.01, 0.05};
    for (int i = 0; i < 3; i++)
        for (int e = CLEAVE_EFFORT_QUALITY; e <= CLEAVE_EFFORT_BEST; e++)
            for (int threads = 1; threads <= 2; threads++) {
                asked a;
                facts f;
                ask(&a, i % 2 ? "rgg:60000:9 vwgt" : "rgg:60000:9", 8 + 8 * i,
                    (cleave_effort)e);
                a.opt.time_limit = limits[i];
                a.opt.threads = threads;
                cleave_status status = check(&a, &f);
                CHECK_EQ(a.report.timed_out, 1);
                CHECK_EQ(status, CLEAVE_OK);
                CHECK_EQ(f.empty, 0);
                if (status != CLEAVE_OK)
                    fprintf(stderr, "  effort %d, %g seconds: %s\n", e, limits[i],
                            a.err.message);
                asked_free(&a);
            }
}

/* Without any time there still is a mapping within the bounds, and no part is empty. */
static void test_no_time(void)
{
    static const char *const graphs[] = {
        "grid2d:12x10",    "rgg:150:6", "rmat:7:4", "star:100",
        "pieces:160",      "clique:40", "path:90",  "rgg:700:9 vwgt ewgt",
        "tree:130:random", "rmat:10:8",
    };
    for (int i = 0; i < (int)(sizeof graphs / sizeof *graphs); i++)
        for (int e = 0; e <= CLEAVE_EFFORT_BEST; e++)
            for (int way = 0; way < 5; way++) {
                asked a;
                facts f;
                ask(&a, graphs[i], 5, (cleave_effort)e);
                int32_t n = a.n, parts[] = {2, 5, 17, n / 3, n - 1};
                asked_free(&a);
                ask(&a, graphs[i], parts[way], (cleave_effort)e);
                a.thousandths = a.csr.vwgt ? 1500 : 30; /* of heavy vertices not all fit */
                a.opt.time_limit = 1e-9;
                cleave_status status = check(&a, &f);
                CHECK_EQ(status, CLEAVE_OK);
                if (status != CLEAVE_OK)
                    fprintf(stderr, "  %s into %d, effort %d: %s\n", a.name, a.k, e,
                            a.err.message);
                asked_free(&a);
            }
}

/* Constraints on vertices hold whenever a call is ended. */
static void test_time_limit_constraints(void)
{
    static int32_t fixed[4000], groups[4000];
    for (int i = 0; i < 30; i++) {
        asked a;
        facts f;
        ask(&a, i % 2 ? "rgg:3000:8 ewgt" : "rmat:11:6", 6, (cleave_effort)(i % 4));
        a.opt.time_limit = 0.0001 * (i * i + 1);
        for (int32_t v = 0; v < a.n; v++) {
            groups[v] = fixture_draw(41, v, 3) ? -1 : v / 9;
            fixed[v] = groups[v] < 0 && v % 13 == 0 ? v / 13 % 6 : -1;
        }
        a.c.fixed = i % 3 != 1 ? fixed : NULL;
        a.c.groups = i % 3 != 2 ? groups : NULL;
        a.c.connected = i % 5 == 4;
        a.opt.objective = i % 4 == 3 ? CLEAVE_OBJECTIVE_VOLUME : CLEAVE_OBJECTIVE_CUT;
        check(&a, &f);
        CHECK_EQ(f.empty, 0);
        asked_free(&a);
    }
}

/* A start is not lost when there is no time to improve it. */
static void test_time_limit_start(void)
{
    for (int e = 0; e <= CLEAVE_EFFORT_BEST; e++) {
        asked a;
        facts before, after;
        ask(&a, "grid2d:200x200", 4, (cleave_effort)e);
        static int32_t start[40000];
        for (int32_t v = 0; v < a.n; v++)
            start[v] = v / 10000;
        fixture_facts(&a, start, &before);
        cleave_mapping *given = NULL;
        REQUIRE(cleave_mapping_create(&given, a.n, a.k, start, NULL) == CLEAVE_OK);
        a.c.start = given;
        a.opt.time_limit = 1e-6;
        CHECK_EQ(check(&a, &after), CLEAVE_OK);
        CHECK(after.cut <= before.cut);
        cleave_mapping_free(given);
        asked_free(&a);
    }
}

/* ---- The callback ----------------------------------------------------------------------- */

/* Stopped at its n-th call, for every n until the search ends by itself. */
static void test_cancel(void)
{
    for (int threads = 1; threads <= 2; threads++)
        for (int n = 1, going = 1; going && n <= 4; n++) {
            asked a;
            facts f;
            watcher w = {.until = n, .caller = pthread_self()};
            ask(&a, "rgg:50000:9 ewgt", 16, CLEAVE_EFFORT_QUALITY);
            a.opt.threads = threads;
            a.opt.progress = watch;
            a.opt.payload = &w;
            cleave_status status = check(&a, &f);
            going = w.calls >= n;
            CHECK(n > 1 || going); /* the first one must have been asked */
            CHECK_EQ(w.wrong, 0);
            CHECK(w.calls <= n); /* never again after it said stop */
            CHECK_EQ(status, going ? CLEAVE_ECANCEL : CLEAVE_OK);
            CHECK_EQ(a.report.timed_out, 0);
            CHECK_EQ(f.empty, 0);
            asked_free(&a);
        }
}

static void test_watching_changes_nothing(void)
{
    asked a;
    cleave_mapping *alone = NULL, *watched = NULL;
    watcher w = {.caller = pthread_self()};
    ask(&a, "rgg:30000:9 ewgt", 8, CLEAVE_EFFORT_QUALITY);
    CHECK_EQ(ask_map(&a, &alone), CLEAVE_OK);
    a.opt.progress = watch;
    a.opt.payload = &w;
    a.opt.time_limit = 3600;
    CHECK_EQ(ask_map(&a, &watched), CLEAVE_OK);
    CHECK_EQ(a.report.timed_out, 0);
    CHECK(w.calls > 0 && w.wrong == 0);
    REQUIRE(alone && watched);
    CHECK(memcmp(cleave_mapping_parts(alone), cleave_mapping_parts(watched),
                 (size_t)a.n * sizeof(int32_t)) == 0);
    cleave_mapping_free(alone);
    cleave_mapping_free(watched);
    asked_free(&a);
}

int main(void)
{
    RUN(test_time_limit);
    RUN(test_no_time);
    RUN(test_time_limit_constraints);
    RUN(test_time_limit_start);
    RUN(test_cancel);
    RUN(test_watching_changes_nothing);
    return test_end();
}
