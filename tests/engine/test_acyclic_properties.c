/* SPDX-License-Identifier: Apache-2.0 */
/* The contract of cleave_map on DAGs of many kinds, for all efforts: parts in range, bounds
 * kept, no part empty, a correct report, the same result for any number of threads, and no
 * cycle of parts, by an independent depth-first search (tests/oracle/acyclic_oracle.h).  Other
 * constraints are in test_acyclic_demands.c. */
#include <pthread.h>

#include "engine/acyclic_fixture.h"
#include "support/test.h"

enum { efforts = CLEAVE_EFFORT_BEST + 1 };

/* Vertices of weight 1: slices of any topological order are within the bounds, so something
 * that is must be found. */
static const char *const zoo[] = {
    "up grid2d:24x24",
    "mix grid2d:24x24",
    "mix rgg:900:8",
    "up rgg:700:9 ewgt",
    "mix rmat:9:6",
    "up star:300",
    "down star:300",
    "mix star:300",
    "up tree:600:random",
    "down tree:600:random",
    "mix tree:600:random",
    "up pieces:600",
    "mix pieces:600",
    "up clique:60",
    "up path:500",
    "mix path:500",
    "mix gnp:400:0.02 ewgt",
    "up empty:200",
    "layers:20:30:3",
    "layers:60:6:2",
    "layers:4:150:2",
    "polybench:2mm:4x5x6x7",
    "polybench:trisolv:20",
    "polybench:lu:8",
    "polybench:jacobi-1d:10x20",
};
enum { nzoo = sizeof zoo / sizeof *zoo };

static void must(asked *a, dag_demand demand, facts *f)
{
    const char *wrong = dag_map(a, demand, f, NULL);
    CHECK_STR(wrong ? wrong : "", "");
}

/* ---- Kinds of DAGs ---------------------------------------------------------------------- */

static void test_zoo(void)
{
    static const int32_t parts[] = {2, 3, 4, 5, 8, 16, 31};
    for (int i = 0; i < nzoo; i += TEST_STRIDE)
        for (int j = 0; j < 3; j++) {
            asked a;
            facts f;
            ask_dag(&a, zoo[i], parts[(i + 2 * j) % 7], CLEAVE_EFFORT_FAST);
            for (int e = 0; e < (j ? CLEAVE_EFFORT_QUALITY : efforts); e++) {
                ask_effort(&a, (cleave_effort)e);
                a.opt.seed = (uint64_t)(i * 3 + j);
                must(&a, DAG_OK, &f);
                CHECK_EQ(f.empty, 0);
            }
            asked_free(&a);
        }
}

/* From one part to one more than there are vertices. */
static void test_every_number_of_parts(void)
{
    static const char *const graphs[] = {
        "up grid2d:3x4", "mix gnp:13:0.3", "up star:9",  "down tree:11:random", "up empty:7",
        "up clique:8",   "mix path:10",    "up empty:1", "layers:3:4:2"};
    for (int i = 0; i < (int)(sizeof graphs / sizeof *graphs); i += TEST_STRIDE)
        for (int e = 0; e < efforts; e++) {
            int32_t n = 1;
            for (int32_t k = 1; k <= n + 1; k++) {
                asked a;
                facts f;
                ask_dag(&a, graphs[i], k, (cleave_effort)e);
                n = a.n;
                must(&a, DAG_OK, &f);
                CHECK_EQ(f.empty, k > n ? 1 : 0);
                asked_free(&a);
            }
        }
}

static void test_many_parts(void)
{
    for (int e = 0; e < CLEAVE_EFFORT_QUALITY; e++) {
        asked a;
        facts f;
        ask_dag(&a, "layers:60:50:2", 1000, (cleave_effort)e);
        must(&a, DAG_OK, &f);
        asked_free(&a);
    }
}

/* Weights of 0, and a vertex that is as heavy as all others: only guaranteed properties are
 * checked. */
static void test_weights(void)
{
    static const char *const graphs[] = {
        "mix rgg:300:6 zero",       "up grid2d:20x20 none", "mix rgg:300:6 heavy",
        "up tree:200:random heavy", "layers:10:20:2",       "mix rgg:700:9 vwgt ewgt vsize",
        "up path:300 vwgt zero",    "up star:100 none",     "up star:100 heavy",
        "mix rmat:8:5 vwgt ewgt"};
    for (int i = 0; i < (int)(sizeof graphs / sizeof *graphs); i += TEST_STRIDE)
        for (int e = 0; e < efforts; e++)
            for (int32_t k = 2; k <= 6; k += 2) {
                asked a;
                facts f;
                ask_dag(&a, graphs[i], k, (cleave_effort)e);
                a.thousandths = 80;
                bool heavy = strstr(graphs[i], "heavy") && k > 2;
                must(&a, heavy ? DAG_VALID : DAG_OK, &f);
                asked_free(&a);
            }
}

static void test_several_weights(void)
{
    static const char *const graphs[] = {"up grid2d:24x24 two", "mix rgg:900:8 three vwgt",
                                         "mix rmat:9:6 two",    "mix tree:600:random two",
                                         "up empty:300 three",  "mix gnp:400:0.02 two ewgt"};
    for (int i = 0; i < (int)(sizeof graphs / sizeof *graphs); i += TEST_STRIDE)
        for (int e = 0; e < efforts; e++) {
            asked a;
            facts f;
            ask_dag(&a, graphs[i], 2 + i % 3, (cleave_effort)e);
            a.thousandths = 100;
            must(&a, DAG_VALID, &f); /* along an order not all weights need be balanced */
            asked_free(&a);
        }
}

/* Small ones, all different: kind, weights, parts, slack, effort, seed, objective. */
static void test_random(void)
{
    for (int i = 0; i < 300; i += TEST_STRIDE) {
        asked a;
        facts f;
        int32_t n = 2 + fixture_draw(21, i, 60), k = 1 + fixture_draw(22, i, 12);
        ask_graph(&a, "random",
                  acyclic_fixture_random((uint64_t)i, n, 10 + fixture_draw(23, i, 400),
                                         fixture_draw(24, i, 2) ? 7 : 0,
                                         fixture_draw(25, i, 2) ? 30 : 0),
                  k, (cleave_effort)(i % 3));
        a.thousandths = fixture_draw(26, i, 300);
        a.opt.seed = (uint64_t)i;
        a.opt.objective = i % 4 == 3 ? CLEAVE_OBJECTIVE_VOLUME : CLEAVE_OBJECTIVE_CUT;
        must(&a, a.csr.vwgt ? DAG_VALID : DAG_OK, &f);
        asked_free(&a);
    }
}

/* ---- Threads ---------------------------------------------------------------------------- */

static void compare_threads(asked *a)
{
    static const int teams[] = {1, 2, 3, 8};
    cleave_mapping *first = NULL;
    for (int i = 0; i < 4; i++) {
        cleave_mapping *m = NULL;
        facts f;
        a->opt.threads = teams[i];
        cleave_status status = ask_map(a, &m);
        const char *wrong = dag_judge(a, status, m, &f);
        CHECK_STR(wrong ? wrong : "", "");
        bool same = i == 0 || (first && m &&
                               memcmp(cleave_mapping_parts(first), cleave_mapping_parts(m),
                                      (size_t)a->n * sizeof(int32_t)) == 0);
        CHECK(same);
        if (!same)
            fprintf(stderr, "  %s into %d, effort %d: another result on %d threads\n", a->name,
                    a->k, (int)a->opt.effort, teams[i]);
        if (i == 0)
            first = m;
        else
            cleave_mapping_free(m);
    }
    cleave_mapping_free(first);
}

static void test_threads(void)
{
    static const struct {
        const char *graph;
        int32_t parts;
        cleave_effort effort;
    } large[] = {
        {"polybench:2mm:10x14x20x24", 8, CLEAVE_EFFORT_DEFAULT},
        {"mix rgg:25000:6", 16, CLEAVE_EFFORT_FAST},
        {"up grid2d:160x160 vwgt ewgt", 4, CLEAVE_EFFORT_DEFAULT},
        {"polybench:jacobi-2d:8x16", 8, CLEAVE_EFFORT_QUALITY},
        {"up tree:25000:random", 32, CLEAVE_EFFORT_FAST},
    };
    asked a;
    for (int i = 0; i < nzoo; i += TEST_STRIDE) {
        ask_dag(&a, zoo[i], 2 + i % 9, (cleave_effort)(i % 3));
        a.opt.objective = i % 5 == 4 ? CLEAVE_OBJECTIVE_VOLUME : CLEAVE_OBJECTIVE_CUT;
        a.opt.seed = (uint64_t)i * 77;
        compare_threads(&a);
        asked_free(&a);
    }
    for (int i = 0; i < (int)(sizeof large / sizeof *large); i += TEST_STRIDE) {
        ask_dag(&a, large[i].graph, large[i].parts, large[i].effort);
        compare_threads(&a);
        asked_free(&a);
    }
}

/* ---- A stencil that is cut in space ----------------------------------------------------- */

enum { wide = 40, high = 12, plane = wide * high };

/* Columns, moved by one per time step: no arc leads to a smaller number. */
static int32_t slanted_column(int32_t v)
{
    return v % wide + v / plane;
}

/* The cut of the best slanted plane with two parts within the bounds. */
static int64_t cut_of_best_plane(const asked *a)
{
    int64_t least = INT64_MAX;
    int32_t last = slanted_column(a->n - 1);
    for (int32_t c = 1; c <= last; c++) {
        int64_t cut = 0, before = 0;
        for (int32_t v = 0; v < a->n; v++) {
            before += slanted_column(v) < c;
            for (int64_t i = a->csr.xadj[v]; i < a->csr.xadj[v + 1]; i++) {
                CHECK(slanted_column(v) <= slanted_column(a->csr.adj[i]));
                cut += slanted_column(v) < c && slanted_column(a->csr.adj[i]) >= c;
            }
        }
        if (before <= fixture_bound(a, 0, 0) && a->n - before <= fixture_bound(a, 1, 0))
            least = cut < least ? cut : least;
    }
    return least;
}

/* Levels cross the best cut of a wide grid with few time steps. */
static void test_cut_in_space(void)
{
    asked a;
    facts f;
    ask_dag(&a, "stencil:40x12:8", 2, CLEAVE_EFFORT_DEFAULT);
    CHECK_EQ(a.n % plane, 0);
    int64_t oracle = cut_of_best_plane(&a);
    must(&a, DAG_OK, &f);
    CHECK(f.cut <= oracle);
    printf("cut %lld, slanted plane %lld\n", (long long)f.cut, (long long)oracle);
    asked_free(&a);
}

/* ---- Ended early ------------------------------------------------------------------------ */

static void test_time_limit(void)
{
    static const double limits[] = {1e-9, 1e-6, 0.002, 0.05};
    for (int i = 0; i < nzoo; i += TEST_STRIDE)
        for (int e = 0; e < efforts; e++) {
            asked a;
            facts f;
            ask_dag(&a, zoo[i], 2 + i % 7, (cleave_effort)e);
            a.opt.time_limit = limits[(i + e) % 4];
            a.opt.threads = 1 + i % 2;
            must(&a, DAG_OK, &f);
            CHECK_EQ(f.empty, 0);
            asked_free(&a);
        }
    asked a;
    facts f;
    ask_dag(&a, "polybench:2mm", 16, CLEAVE_EFFORT_BEST);
    a.opt.time_limit = 0.2;
    must(&a, DAG_OK, &f);
    CHECK_EQ(a.report.timed_out, 1);
    CHECK(a.report.seconds < 20);
    asked_free(&a);
}

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
    return w->until && w->calls >= w->until;
}

static void test_cancel(void)
{
    for (int threads = 1; threads <= 2; threads++)
        for (int n = 1, going = 1; going && n <= 3; n++) {
            asked a;
            facts f;
            cleave_mapping *m = NULL;
            watcher w = {.until = n, .caller = pthread_self()};
            ask_dag(&a, "polybench:2mm", 8, CLEAVE_EFFORT_QUALITY);
            a.opt.threads = threads;
            a.opt.progress = watch;
            a.opt.payload = &w;
            cleave_status status = ask_map(&a, &m);
            const char *wrong = dag_judge(&a, status, m, &f);
            CHECK_STR(wrong ? wrong : "", "");
            going = w.calls >= n;
            CHECK(n > 1 || going); /* the first one must have been asked */
            CHECK_EQ(w.wrong, 0);
            CHECK(w.calls <= n); /* never again after it said stop */
            CHECK_EQ(status, going ? CLEAVE_ECANCEL : CLEAVE_OK);
            CHECK_EQ(f.empty, 0);
            cleave_mapping_free(m);
            asked_free(&a);
        }
}

int main(void)
{
    RUN(test_zoo);
    RUN(test_every_number_of_parts);
    RUN(test_many_parts);
    RUN(test_weights);
    RUN(test_several_weights);
    RUN(test_random);
    RUN(test_threads);
    RUN(test_cut_in_space);
    RUN(test_time_limit);
    RUN(test_cancel);
    return test_end();
}
