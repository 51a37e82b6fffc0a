/* SPDX-License-Identifier: Apache-2.0 */
/* Random DAGs, every method, several numbers of threads: every schedule runs on the oracle,
 * has the reported cost, and is the same for any number of threads.  With the argument "long":
 * 10,000 DAGs, with and without split rows. */
#include "graph/graph.h"
#include "oracle/schedule_oracle.h"
#include "schedule/schedule_fixture.h"
#include "support/test.h"

static cleave_error err;

static const char *const methods[] = {"serial", "levels", "grow", "graphopt", "auto"};
enum { method_count = sizeof methods / sizeof methods[0] };
static const int32_t counts[] = {1, 2, 3, 7, 16};

/* Where a layer costs little, small DAGs are not just left to one thread. */
static cleave_schedule_costs draw_costs(uint64_t seed)
{
    static const double sync[] = {0, 2, 20, 500}, read[] = {0, 0, 1.5};
    cleave_schedule_costs costs;
    cleave_schedule_costs_init(&costs, sizeof costs);
    costs.sync = sync[clv_hash64(seed + 11) % 4];
    costs.read = read[clv_hash64(seed + 12) % 3];
    return costs;
}

static cleave_schedule *build(const cleave_graph *g, const cleave_schedule_costs *costs,
                              const char *method, int32_t threads, int split, int workers)
{
    cleave_schedule_options opt;
    cleave_schedule *s = NULL;
    cleave_schedule_options_init(&opt, sizeof opt);
    opt.costs = costs;
    opt.method = method;
    opt.threads = threads;
    opt.split_rows = split;
    opt.workers = workers;
    CHECK_OK(cleave_schedule_build(&s, g, &opt, &err));
    return s;
}

static int parallel; /* schedules with work for several threads */

static void check_schedule(const cleave_schedule *s, const cleave_graph *g,
                           const cleave_schedule_costs *costs, int32_t threads,
                           const char *method)
{
    schedule_oracle o = oracle_schedule(s, g, costs);
    cleave_schedule_metrics m;
    CHECK_STR(o.fault, "");
    CHECK_EQ(cleave_schedule_threads(s), threads);
    CHECK_OK(cleave_schedule_check(s, g, &err));
    cleave_schedule_metrics_init(&m, sizeof m);
    CHECK_OK(cleave_evaluate_schedule(&m, g, s, costs, &err));
    CHECK(m.cost == o.cost && m.work_max == o.work_max && m.crossing_edges == o.crossing);
    if (strcmp(method, "levels") != 0)
        parallel += m.threads_used > 1;
    if (strcmp(method, "serial") == 0)
        CHECK(m.layers == (g->nvtx > 0) && m.predicted_speedup == 1);
    if (strcmp(method, "levels") == 0 && !cleave_schedule_row(s))
        CHECK_EQ(m.layers, m.levels);
    if (strcmp(method, "auto") == 0) {
        CHECK(m.cost <= m.cost_serial);
    }
}

static bool is_same(const cleave_schedule *a, const cleave_schedule *b)
{
    int32_t n = cleave_schedule_tasks(a);
    size_t bytes = (size_t)n * sizeof(int32_t);
    return cleave_schedule_tasks(b) == n &&
           memcmp(cleave_schedule_layer(a), cleave_schedule_layer(b), bytes) == 0 &&
           memcmp(cleave_schedule_order(a), cleave_schedule_order(b), bytes) == 0 &&
           memcmp(cleave_schedule_thread(a), cleave_schedule_thread(b), bytes) == 0;
}

/* Every method, on every number of threads; split 0, 1, or 2: drawn. */
static void check_dag(uint64_t seed, int split)
{
    clv_graph *g = fixture_dag(seed, clv_hash64(seed + 7) % 10 == 0 ? 120 : 40);
    cleave_schedule_costs costs = draw_costs(seed);
    for (int i = 0; i < method_count; i++)
        for (int c = 0; c < 5; c++) {
            int now = split < 2 ? split : (int)(clv_hash64(seed + (uint64_t)c) % 2);
            cleave_schedule *s = build(g, &costs, methods[i], counts[c], now, 1);
            REQUIRE(s != NULL);
            check_schedule(s, g, &costs, counts[c], methods[i]);
            cleave_schedule_free(s);
        }
    clv_graph_free(g);
}

static void test_random(void)
{
    for (uint64_t seed = 0; seed < 2000; seed += TEST_STRIDE)
        check_dag(seed, 2);
    CHECK(parallel * TEST_STRIDE > 10000);
}

static void test_many(void)
{
    for (uint64_t seed = 0; seed < 10000; seed += TEST_STRIDE)
        for (int split = 0; split < 2; split++)
            check_dag(seed, split);
}

static void check_workers(const cleave_graph *g, const cleave_schedule_costs *costs,
                          const char *method, int split)
{
    cleave_schedule *one = build(g, costs, method, 4, split, 1);
    REQUIRE(one != NULL);
    for (int workers = 2; workers <= 8; workers += 6) {
        cleave_schedule *more = build(g, costs, method, 4, split, workers);
        REQUIRE(more != NULL);
        CHECK(is_same(one, more));
        cleave_schedule_free(more);
    }
    cleave_schedule_free(one);
}

static void test_workers(void)
{
    for (uint64_t seed = 0; seed < 96; seed += TEST_STRIDE) {
        clv_graph *g = fixture_dag(seed, 200);
        cleave_schedule_costs costs = draw_costs(seed);
        for (int i = 0; i < method_count; i++)
            check_workers(g, &costs, methods[i], (int)(clv_hash64(seed + 1) % 2));
        clv_graph_free(g);
    }
}

/* Large enough that layers pay, and that work is shared out. */
static void test_workers_large(void)
{
    static const char *const specs[] = {"stencil:90:90", "layered:40:200:3"};
    for (size_t k = 0; k < sizeof specs / sizeof *specs; k++) {
        cleave_graph *g = NULL;
        REQUIRE_OK(cleave_graph_generate(&g, specs[k], NULL, &err));
        for (int i = 0; i < method_count; i++)
            for (int split = 0; split < 2; split++)
                check_workers(g, NULL, methods[i], split);
        cleave_graph_free(g);
    }
}

/* ---- The unit of the weights ------------------------------------------------------------ */

/* The same DAG with all weights and all costs `times` as large gets the same schedule. */
static void check_unit(const clv_graph *g, cleave_schedule_costs costs, int32_t times)
{
    clv_graph small = *g, large = *g;
    int32_t *few = malloc(((size_t)g->nvtx + 1) * sizeof *few);
    int32_t *many = malloc(((size_t)g->nvtx + 1) * sizeof *many);
    REQUIRE(few && many);
    for (int32_t v = 0; v < g->nvtx; v++) {
        few[v] = clv_graph_vwgt(g, v, 0) % 2000;
        many[v] = few[v] * times;
    }
    small.vwgt = few;
    large.vwgt = many;
    cleave_schedule_costs more = costs;
    more.sync *= times;
    more.read *= times;
    for (int i = 0; i < method_count; i++)
        for (int c = 1; c < 4; c++) {
            cleave_schedule *a = build(&small, &costs, methods[i], counts[c], 0, 1);
            cleave_schedule *b = build(&large, &more, methods[i], counts[c], 0, 1);
            REQUIRE(a && b);
            CHECK(is_same(a, b));
            CHECK_STR(cleave_schedule_method(a), cleave_schedule_method(b));
            cleave_schedule_free(a);
            cleave_schedule_free(b);
        }
    free(few);
    free(many);
}

static void test_unit(void)
{
    static const int32_t times[] = {2, 3, 1000, 1000000};
    static const char *const specs[] = {"stencil:18:40", "layered:12:60:3"};
    static const double half = 2.5;
    for (uint64_t seed = 0; seed < 40; seed++) {
        clv_graph *g = fixture_dag(seed, 120);
        cleave_schedule_costs costs = draw_costs(seed);
        if (seed % 5 == 4)
            costs.sync = half;
        check_unit(g, costs, times[seed % 4]);
        clv_graph_free(g);
    }
    for (size_t k = 0; k < 2; k++) {
        cleave_graph *g = NULL;
        REQUIRE_OK(cleave_graph_generate(&g, specs[k], NULL, &err));
        for (uint64_t i = 0; i < 4; i++)
            check_unit(g, draw_costs(i), times[i]);
        cleave_graph_free(g);
    }
}

int main(int argc, char **argv)
{
    if (argc > 1 && strcmp(argv[1], "long") == 0) {
        RUN(test_many);
        return test_end();
    }
    RUN(test_random);
    RUN(test_workers);
    RUN(test_unit);
    RUN(test_workers_large);
    return test_end();
}
