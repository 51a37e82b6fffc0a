/* SPDX-License-Identifier: Apache-2.0 */
/* schedule/graphopt*.c: schedules for all shapes, weights, threads and parameters are valid,
 * never cost more than one thread, and are the same for any number of workers; the parameters
 * as text; solvers of the caller; failing allocations. */
#include "base/rng.h"
#include "schedule/graphopt.h"
#include "schedule/layers_fixture.h"

enum { largest = 3000 };
static int32_t layer[largest], thread[largest], again_layer[largest], again_thread[largest];

static const char *said(const char *fault)
{
    return fault ? fault : "none";
}
#define CHECK_FINE(fault) CHECK_STR(said(fault), "none")

static cleave_status run(const clv_graph *g, int32_t threads, const char *params, int workers,
                         cleave_error *err)
{
    clv_graphopt_params p = clv_graphopt_defaults();
    clv_context ctx;
    CLV_TRY(clv_graphopt_parse(&p, params, err));
    CLV_TRY(clv_context_open(&ctx, workers, 1, err));
    for (int32_t v = 0; v < g->nvtx; v++)
        layer[v] = thread[v] = -1;
    clv_layering l = {.threads = threads, .layer = layer, .thread = thread};
    cleave_status status = clv_schedule_graphopt(g, &p, &ctx, &l, err);
    clv_context_close(&ctx);
    return status;
}

static double serial_cost(const clv_graph *g, double sync)
{
    double sum = g->nvtx > 0 ? sync : 0;
    for (int32_t v = 0; v < g->nvtx; v++)
        sum += clv_graph_vwgt(g, v, 0);
    return sum;
}

/* ---- Schedules -------------------------------------------------------------------------- */

static void check_all_threads(const clv_graph *g, const char *params)
{
    static const int32_t threads[] = {1, 2, 3, 7, 16};
    cleave_error err = {0};
    for (size_t i = 0; i < sizeof threads / sizeof *threads; i++) {
        CHECK_OK(run(g, threads[i], params, 1, &err));
        CHECK_FINE(layers_fault(g, threads[i], layer, thread));
        CHECK(layers_cost(g, threads[i], layer, thread, 500) <= serial_cost(g, 500) + 0.5);
    }
}

static void test_shapes(void)
{
    static const int32_t sizes[] = {0, 1, 2, 9, 60, 400};
    for (int shape = 0; shape < LAYERS_SHAPES; shape++)
        for (int weights = 0; weights < LAYERS_WEIGHTS; weights++)
            for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
                clv_graph *g = layers_graph((layers_shape)shape, sizes[i],
                                            (layers_weights)weights, i + 1);
                REQUIRE(g != NULL);
                check_all_threads(g, "coarse=20,threshold=40");
                cleave_graph_free(g);
            }
}

/* A small synchronisation cost makes many layers, a small `coarse` clusters. */
static void test_switches(void)
{
    for (uint64_t seed = 0; seed < 8 * LAYERS_SHAPES; seed += TEST_STRIDE) {
        clv_graph *g = layers_graph((layers_shape)(seed / 8), 300, LAYERS_SOME, seed);
        REQUIRE(g != NULL);
        for (unsigned switches = 0; switches < 16; switches++) {
            char params[120];
            snprintf(params, sizeof params,
                     "window=%u,components=%u,coarsening=%u,adapt=%u,coarse=20,threshold=30,"
                     "sync=%u,ws=%u,wc=%u,depth=%u,margin=%u",
                     switches & 1, switches >> 1 & 1, switches >> 2 & 1, switches >> 3,
                     seed % 2 ? 5u : 50u, seed % 5 == 4 ? 0u : 10u, (unsigned)seed % 3,
                     (unsigned)seed % 2 * 9, (unsigned)seed % 4 * 30);
            cleave_error err = {0};
            int32_t threads = (int32_t[]){2, 3, 7}[switches % 3];
            CHECK_OK(run(g, threads, params, 1, &err));
            CHECK_FINE(layers_fault(g, threads, layer, thread));
        }
        cleave_graph_free(g);
    }
}

static void test_random(void)
{
    for (uint64_t seed = 0; seed < 600; seed += TEST_STRIDE) {
        clv_rng rng = clv_rng_make(seed, 1, 2, 3);
        layers_shape shape = (layers_shape)clv_rng_below(&rng, LAYERS_SHAPES);
        layers_weights weights = (layers_weights)clv_rng_below(&rng, LAYERS_WEIGHTS);
        int32_t nvtx = (int32_t)clv_rng_below(&rng, 200);
        int32_t threads = 1 + (int32_t)clv_rng_below(&rng, 20);
        clv_graph *g = layers_graph(shape, nvtx, weights, seed);
        cleave_error err = {0};
        REQUIRE(g != NULL);
        CHECK_OK(run(g, threads,
                     clv_rng_below(&rng, 2) ? "sync=10,coarse=10,threshold=20" : "", 1, &err));
        CHECK_FINE(layers_fault(g, threads, layer, thread));
        cleave_graph_free(g);
    }
}

/* ---- Quality ---------------------------------------------------------------------------- */

/* Vertices without successors are distributed evenly, for any number of threads, with S2 and
 * without: then the two-way models have to make sizes that are not equal. */
static void test_proportions(void)
{
    clv_graph *g = layers_graph(LAYERS_FREE, 2100, LAYERS_NONE, 1);
    REQUIRE(g != NULL);
    for (int32_t threads = 2; threads <= 9; threads++)
        for (int components = 0; components < 2; components++) {
            cleave_error err = {0};
            CHECK_OK(run(g, threads, components ? "sync=5" : "components=0,sync=5", 1, &err));
            CHECK_FINE(layers_fault(g, threads, layer, thread));
            double cost = layers_cost(g, threads, layer, thread, 5);
            CHECK(cost <= 1.1 * 2100 / threads + 10);
        }
    cleave_graph_free(g);
}

/* One two-way solution for sides of different numbers of threads: the sizes are as these.
 * With arcs from earlier layers, whose sources are all on the larger side, too. */
static void test_unequal_sides(void)
{
    enum { n = 600, earlier = 60 };
    static int64_t xpred[n + 1];
    static int32_t pred[n], weight[n], done[n], part[n], local[n], vertices[n], side[n];
    clv_graphopt_params params = clv_graphopt_defaults();
    clv_context ctx;
    cleave_error err = {0};
    REQUIRE_OK(clv_context_open(&ctx, 1, 1, &err));
    for (int32_t v = 0; v < n; v++) {
        xpred[v + 1] = v < earlier ? 0 : v - earlier + 1;
        if (v >= earlier)
            pred[v - earlier] = v % earlier;
        weight[v] = 1;
        done[v] = local[v] = part[v] = -1;
        vertices[v] = v;
    }
    clv_graphopt s = {.params = &params,
                      .ctx = &ctx,
                      .nvtx = n,
                      .threads = 5,
                      .xpred = xpred,
                      .pred = pred,
                      .weight = weight,
                      .thread = done,
                      .part = part,
                      .local = local,
                      .mapped = 1};
    for (int32_t with_earlier = 0; with_earlier < 2; with_earlier++)
        for (int32_t first = 1; first < 5; first++) {
            clv_vertex_set set = {vertices + with_earlier * earlier,
                                  n - with_earlier * earlier};
            clv_thread_range one = {0, first}, two = {first, 5 - first};
            params.wc = with_earlier; /* 0: the sides are equivalent */
            for (int32_t v = 0; v < with_earlier * earlier; v++)
                done[v] = first > 2 ? 0 : 4;
            CHECK_OK(clv_graphopt_two_way(&s, set, one, two, side, &err));
            int32_t size[3] = {0};
            for (int32_t i = 0; i < set.count; i++)
                size[side[i]]++;
            CHECK(size[1] >= set.count * first / 5 - set.count / 20);
            CHECK(size[2] >= set.count * (5 - first) / 5 - set.count / 20);
        }
    clv_context_close(&ctx);
}

/* A wave front of 50 x 50: diamonds, with fewer layers than a tenth of the levels. */
static void test_wave_front(void)
{
    clv_graph *g = layers_graph(LAYERS_GRID, 2500, LAYERS_NONE, 1);
    cleave_error err = {0};
    REQUIRE(g != NULL);
    CHECK_OK(run(g, 2, "sync=20", 1, &err));
    CHECK_FINE(layers_fault(g, 2, layer, thread));
    CHECK(layers_cost(g, 2, layer, thread, 20) < 0.7 * 2500);
    CHECK(layers_count(g, layer) < 30);
    CHECK_OK(run(g, 4, "sync=20", 1, &err));
    CHECK(layers_cost(g, 4, layer, thread, 20) < 0.5 * 2500);
    /* List coarsening alone would leave one source: see graphopt_model.c. */
    CHECK_OK(run(g, 2, "sync=20,coarse=100,threshold=100", 1, &err));
    CHECK(layers_cost(g, 2, layer, thread, 20) < 0.7 * 2500);
    cleave_graph_free(g);
}

/* A chain is one thread's, in one layer; threads that cannot win stay idle. */
static void test_serial(void)
{
    clv_graph *g = layers_graph(LAYERS_CHAIN, 1000, LAYERS_SOME, 1);
    cleave_error err = {0};
    REQUIRE(g != NULL);
    CHECK_OK(run(g, 7, "sync=3", 1, &err));
    CHECK_EQ(layers_count(g, layer), 1);
    cleave_graph_free(g);
    g = layers_graph(LAYERS_RANDOM, 50, LAYERS_NONE, 1);
    REQUIRE(g != NULL);
    CHECK_OK(run(g, 7, "", 1, &err));
    CHECK_EQ(layers_count(g, layer), 1);
    cleave_graph_free(g);
}

/* Twice the threads never cost more: half of them are tried as well. */
static void test_more_threads(void)
{
    for (uint64_t seed = 0; seed < 24; seed++) {
        clv_graph *g = layers_graph((layers_shape)(clv_hash64(seed) % LAYERS_SHAPES), 700,
                                    LAYERS_SOME, seed);
        cleave_error err = {0};
        REQUIRE(g != NULL);
        double before = serial_cost(g, 15) + 0.5;
        for (int32_t threads = 2; threads <= 32; threads *= 2) {
            CHECK_OK(run(g, threads, "sync=15,coarse=50,threshold=80", 1, &err));
            CHECK_FINE(layers_fault(g, threads, layer, thread));
            double now = layers_cost(g, threads, layer, thread, 15);
            CHECK(now <= before);
            before = now;
        }
        cleave_graph_free(g);
    }
}

/* `few` is a higher price of layers, and so there are fewer. */
static void test_few(void)
{
    clv_graph *g = layers_graph(LAYERS_GRID, 2500, LAYERS_NONE, 1);
    cleave_error err = {0};
    REQUIRE(g != NULL);
    CHECK_OK(run(g, 2, "sync=5", 1, &err));
    int32_t many = layers_count(g, layer);
    CHECK_OK(run(g, 2, "sync=100", 1, &err));
    memcpy(again_layer, layer, sizeof layer);
    memcpy(again_thread, thread, sizeof thread);
    CHECK(layers_count(g, layer) * 2 < many);
    CHECK_OK(run(g, 2, "sync=5,few=20", 1, &err));
    CHECK(memcmp(layer, again_layer, 2500 * sizeof *layer) == 0);
    CHECK(memcmp(thread, again_thread, 2500 * sizeof *thread) == 0);
    CHECK_OK(run(g, 2, "sync=1000000000,few=1000000", 1, &err)); /* does not overflow */
    CHECK_EQ(layers_count(g, layer), 1);
    cleave_graph_free(g);
}

static void test_same_on_all_workers(void)
{
    for (uint64_t seed = 0; seed < 12; seed++) {
        clv_graph *g =
            layers_graph(seed % 2 ? LAYERS_RANDOM : LAYERS_GRID, 900, LAYERS_SOME, seed);
        cleave_error err = {0};
        const char *params = "sync=10,coarse=30,threshold=50";
        REQUIRE(g != NULL);
        CHECK_OK(run(g, 5, params, 1, &err));
        memcpy(again_layer, layer, sizeof layer);
        memcpy(again_thread, thread, sizeof thread);
        for (int workers = 1; workers <= 8; workers *= 2) {
            CHECK_OK(run(g, 5, params, workers, &err));
            CHECK(memcmp(layer, again_layer, 900 * sizeof *layer) == 0);
            CHECK(memcmp(thread, again_thread, 900 * sizeof *thread) == 0);
        }
        cleave_graph_free(g);
    }
}

/* ---- Parameters ------------------------------------------------------------------------- */

static void test_parameters(void)
{
    cleave_error err = {0};
    clv_graphopt_params p = clv_graphopt_defaults();
    CHECK(p.window && p.components && p.coarsening && p.adapt);
    CHECK_EQ(p.alpha, 4);
    CHECK_EQ(p.ws, 10);
    CHECK_EQ(p.wc, 1);
    CHECK_EQ(p.coarse, 1000);
    CHECK_EQ(p.few, 1);
    CHECK_OK(clv_graphopt_parse(&p, NULL, &err));
    CHECK_OK(clv_graphopt_parse(&p, "", &err));
    CHECK_OK(clv_graphopt_parse(&p, "window=0,components=0,coarsening=0,adapt=0", &err));
    CHECK(!p.window && !p.components && !p.coarsening && !p.adapt);
    CHECK_OK(clv_graphopt_parse(&p, "alpha=2,ws=3,wc=4,coarse=5,threshold=6,depth=7", &err));
    CHECK_OK(
        clv_graphopt_parse(&p, "degree=8,effort=9,margin=10,sync=11,chunk=12,few=13", &err));
    int32_t values[] = {p.alpha,  p.ws,     p.wc,     p.coarse, p.threshold, p.depth,
                        p.degree, p.effort, p.margin, p.sync,   p.chunk,     p.few};
    for (int32_t i = 0; i < 12; i++)
        CHECK_EQ(values[i], i + 2);
}

static void test_bad_parameters(void)
{
    static const char *const bad[][2] = {
        {"window=2", "window=2: must be 0 or 1"},
        {"components=", "components=: must be 0 or 1"},
        {"ws=-1", "ws=-1: must be a number from 0 to 1000000"},
        {"alpha=0", "alpha=0: must be a number from 1 to 1000000"},
        {"ws=10,coarse=x", "coarse=x: must be a number from 1 to 1000000000"},
        {"alpha=99999999999999999999",
         "alpha=99999999999999999999: must be a number from 1 to "
         "1000000"},
        {"speed=3",
         "\"speed=3\" is not a parameter of graphopt; known are window, components, "
         "coarsening, adapt (0|1), alpha, ws, wc, coarse, threshold, depth, degree, "
         "effort, margin, sync, few, chunk"},
    };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        cleave_error err = {0};
        clv_graphopt_params p = clv_graphopt_defaults();
        CHECK_EQ(clv_graphopt_parse(&p, bad[i][0], &err), CLEAVE_EINVAL);
        CHECK_STR(err.message, bad[i][1]);
    }
    cleave_error err = {0};
    clv_graphopt_params p = clv_graphopt_defaults();
    CHECK_EQ(clv_graphopt_parse(&p, "window", &err), CLEAVE_EINVAL);
    CHECK_EQ(clv_graphopt_parse(&p, ",", &err), CLEAVE_EINVAL);
}

/* ---- Solvers of the caller's ------------------------------------------------------------ */

typedef struct solver {
    int answer;   /* what it returns */
    int32_t part; /* what it fills the parts with */
    int calls;
    int32_t most; /* vertices of the largest model */
} solver;

static int fill(void *payload, const char *model, const char *data, int32_t count,
                int32_t *part)
{
    solver *s = payload;
    s->calls++;
    s->most = count > s->most ? count : s->most;
    CHECK(strstr(model, "maximize") != NULL);
    CHECK(strstr(data, "n_V") != NULL);
    for (int32_t v = 0; v < count; v++)
        part[v] = s->part;
    return s->answer;
}

static cleave_status run_solver(const clv_graph *g, solver *s, const char *params,
                                cleave_error *err)
{
    clv_graphopt_params p = clv_graphopt_defaults();
    clv_context ctx;
    CLV_TRY(clv_graphopt_parse(&p, params, err));
    p.solver = fill;
    p.solver_payload = s;
    CLV_TRY(clv_context_open(&ctx, 1, 1, err));
    clv_layering l = {.threads = 3, .layer = layer, .thread = thread};
    cleave_status status = clv_schedule_graphopt(g, &p, &ctx, &l, err);
    clv_context_close(&ctx);
    return status;
}

static void test_solvers(void)
{
    clv_graph *g = layers_graph(LAYERS_RANDOM, 400, LAYERS_SOME, 4);
    cleave_error err = {0};
    REQUIRE(g != NULL);
    /* Everything later, or everything on one side, is a solution, if a bad one. */
    for (int32_t part = 0; part <= 2; part++) {
        solver s = {.part = part};
        CHECK_OK(run_solver(g, &s, "sync=20", &err));
        CHECK_FINE(layers_fault(g, 3, layer, thread));
        CHECK(s.calls > 0);
    }
    solver coarse = {0}, fine = {0};
    CHECK_OK(
        run_solver(g, &coarse, "sync=20,window=0,components=0,coarse=20,threshold=40", &err));
    CHECK_OK(run_solver(g, &fine, "sync=20,window=0,components=0,coarsening=0", &err));
    CHECK(coarse.most < 200);
    CHECK_EQ(fine.most, 401); /* three threads are not two equal sides */
    solver wrong = {.part = 3}, broken = {.answer = -1}, without = {.answer = 1, .part = 7};
    CHECK_EQ(run_solver(g, &wrong, "sync=20", &err), CLEAVE_EINVAL);
    CHECK_EQ(run_solver(g, &broken, "sync=20", &err), CLEAVE_EIO);
    CHECK_OK(run_solver(g, &without, "sync=20", &err));
    memcpy(again_layer, layer, sizeof layer);
    CHECK_OK(run(g, 3, "sync=20", 1, &err));
    CHECK(memcmp(layer, again_layer, 400 * sizeof *layer) == 0);
    cleave_graph_free(g);
}

/* The next window has alpha times as many vertices as the last layer. */
static void test_alpha(void)
{
    static const char *const few = "sync=1,chunk=1,components=0,coarsening=0,adapt=0,alpha=1";
    static const char *const many = "sync=1,chunk=1,components=0,coarsening=0,adapt=0,alpha=9";
    clv_graph *g = layers_graph(LAYERS_GRID, 2500, LAYERS_NONE, 1);
    cleave_error err = {0};
    solver small = {.answer = 1}, large = {.answer = 1};
    REQUIRE(g != NULL);
    CHECK_OK(run_solver(g, &small, few, &err));
    CHECK_OK(run_solver(g, &large, many, &err));
    CHECK(small.most < 2500 / 2 && large.most > 2500 / 2);
    CHECK(large.calls < small.calls);
    cleave_graph_free(g);
}

/* ---- Stopping and memory ---------------------------------------------------------------- */

static int stop_at_once(void *payload, const cleave_progress *now)
{
    (void)payload;
    (void)now;
    return 1;
}

static void test_stopped(void)
{
    clv_graph *g = layers_graph(LAYERS_GRID, 2500, LAYERS_NONE, 1);
    clv_graphopt_params p = clv_graphopt_defaults();
    cleave_error err = {0};
    clv_context ctx;
    REQUIRE(g != NULL);
    clv_layering l = {.threads = 4, .layer = layer, .thread = thread};
    REQUIRE_OK(clv_context_open(&ctx, 1, 1, &err));
    clv_context_watch(&ctx, 0, stop_at_once, NULL);
    CHECK_OK(clv_schedule_graphopt(g, &p, &ctx, &l, &err));
    clv_context_close(&ctx);
    CHECK_FINE(layers_fault(g, 4, layer, thread));
    REQUIRE_OK(clv_context_open(&ctx, 1, 1, &err));
    clv_context_watch(&ctx, 1e-9, NULL, NULL);
    p.sync = 20;
    CHECK_OK(clv_schedule_graphopt(g, &p, &ctx, &l, &err));
    clv_context_close(&ctx);
    CHECK_FINE(layers_fault(g, 4, layer, thread));
    cleave_graph_free(g);
}

static void test_out_of_memory(void)
{
    for (int shape = 0; shape < LAYERS_SHAPES; shape += 2) {
        clv_graph *g = layers_graph((layers_shape)shape, 900, LAYERS_SOME, 3);
        REQUIRE(g != NULL);
        test_oom_rounds oom = {0};
        while (test_oom_next(&oom)) {
            cleave_error err = {0};
            TEST_OOM(&oom, run(g, 5, "sync=20,coarse=50,threshold=100", 1, &err));
        }
        CHECK(oom.nth > 5 && oom.nth < 4000);
        cleave_graph_free(g);
    }
}

int main(void)
{
    RUN(test_shapes);
    RUN(test_switches);
    RUN(test_random);
    RUN(test_proportions);
    RUN(test_unequal_sides);
    RUN(test_wave_front);
    RUN(test_serial);
    RUN(test_more_threads);
    RUN(test_few);
    RUN(test_same_on_all_workers);
    RUN(test_parameters);
    RUN(test_bad_parameters);
    RUN(test_solvers);
    RUN(test_alpha);
    RUN(test_stopped);
    RUN(test_out_of_memory);
    return test_end();
}
