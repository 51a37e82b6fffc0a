/* SPDX-License-Identifier: Apache-2.0 */
/* Methods grow and auto: the contract, known optima, quality on DAGs with known bounds, and
 * determinism for any number of threads. */
#include <pthread.h>

#include "base/rng.h"
#include "graph/sample.h"
#include "schedule/layers_fixture.h"
#include "schedule/schedulers.h"

enum { largest = 10000 };
static const int32_t counts[] = {1, 2, 3, 7, 16, 1000};
static cleave_error err;
static int32_t layer[largest], thread[largest];
static const char *last_method; /* of run_auto */

static const char *said(const char *fault)
{
    return fault ? fault : "none";
}
#define CHECK_FINE(fault) CHECK_STR(said(fault), "none")

static double serial_cost(const clv_graph *g, double sync)
{
    double total = g->nvtx > 0 ? sync : 0;
    for (int32_t v = 0; v < g->nvtx; v++)
        total += clv_graph_vwgt(g, v, 0);
    return total;
}

/* Cost of auto. */
static double run_auto(const clv_graph *g, int32_t threads, double sync, int workers)
{
    clv_schedule_costs costs = {.sync = sync};
    clv_context ctx;
    clv_layering l = {.threads = threads, .layer = layer, .thread = thread};
    memset(layer, -1, sizeof layer);
    memset(thread, -1, sizeof thread);
    CHECK_OK(clv_context_open(&ctx, workers, 1, &err));
    CHECK_OK(clv_schedule_auto(g, &costs, &ctx, &l, &err));
    clv_context_close(&ctx);
    CHECK_FINE(layers_fault(g, threads, layer, thread));
    double cost = layers_cost(g, threads, layer, thread, sync);
    if (strcmp(said(l.method), "serial") == 0)
        CHECK(cost == serial_cost(g, sync));
    else
        CHECK(cost < serial_cost(g, sync) &&
              (strcmp(l.method, "grow") == 0 || strcmp(l.method, "graphopt") == 0));
    last_method = l.method;
    return cost;
}

/* With hasty costs the schedule is at least as good as serial, and graphopt is not used. */
static void test_hasty(void)
{
    int graphopt = 0;
    for (uint64_t seed = 0; seed < 600; seed += TEST_STRIDE) {
        clv_schedule_costs costs = {.sync = 20, .hasty = true};
        int32_t threads = counts[seed / 11 % 6], n = 1 + (int32_t)(clv_hash64(seed) % 150);
        clv_graph *g =
            layers_graph((layers_shape)(seed % LAYERS_SHAPES), n,
                         (layers_weights)(seed / LAYERS_SHAPES % LAYERS_WEIGHTS), seed);
        clv_context ctx;
        clv_layering l = {.threads = threads, .layer = layer, .thread = thread};
        REQUIRE_OK(clv_context_open(&ctx, 1, 1, &err));
        REQUIRE_OK(clv_schedule_auto(g, &costs, &ctx, &l, &err));
        clv_context_close(&ctx);
        CHECK_FINE(layers_fault(g, threads, layer, thread));
        CHECK(layers_cost(g, threads, layer, thread, 20) <= serial_cost(g, 20));
        CHECK(strcmp(l.method, "grow") == 0 || strcmp(l.method, "serial") == 0);
        run_auto(g, threads, 20, 1);
        graphopt += strcmp(last_method, "graphopt") == 0;
        clv_graph_free(g);
    }
    CHECK(graphopt > 0 || TEST_STRIDE > 3); /* otherwise the test checks nothing */
}

static void test_promises(void)
{
    for (uint64_t seed = 0; seed < 1200; seed += TEST_STRIDE) {
        clv_schedule_costs costs = {.sync = seed / 3 % 4 == 0 ? 0 : 20, .read = 0};
        int32_t threads = counts[seed / 11 % 6], n = 1 + (int32_t)(clv_hash64(seed) % 150);
        clv_graph *g =
            layers_graph((layers_shape)(seed % LAYERS_SHAPES), n,
                         (layers_weights)(seed / LAYERS_SHAPES % LAYERS_WEIGHTS), seed);
        clv_context ctx;
        REQUIRE_OK(clv_context_open(&ctx, 1, 1, &err));
        clv_layering l = {.threads = threads, .layer = layer, .thread = thread};
        REQUIRE_OK(clv_schedule_grow(g, &costs, &ctx, &l, &err));
        CHECK_FINE(layers_fault(g, threads, layer, thread));
        clv_context_close(&ctx);
        run_auto(g, threads, costs.sync, 1);
        clv_graph_free(g);
    }
}

/* Reads cost something: auto is still never more expensive than serial. */
static void test_reads(void)
{
    for (uint64_t seed = 0; seed < 200; seed += TEST_STRIDE) {
        clv_schedule_costs costs = {.sync = 5, .read = 0.5 * (double)(seed / 8 % 9)};
        clv_graph *g =
            layers_graph((layers_shape)(seed % LAYERS_SHAPES), 200, LAYERS_SOME, seed);
        clv_context ctx;
        clv_layering l = {.threads = 4, .layer = layer, .thread = thread};
        REQUIRE_OK(clv_context_open(&ctx, 2, 1, &err));
        REQUIRE_OK(clv_schedule_auto(g, &costs, &ctx, &l, &err));
        CHECK_FINE(layers_fault(g, 4, layer, thread));
        clv_schedule_spec spec = clv_layering_spec(&l);
        double cost = clv_schedule_cost(g, &spec, &costs, ctx.ws, NULL, NULL);
        CHECK(cost <= serial_cost(g, 5));
        clv_context_close(&ctx);
        clv_graph_free(g);
    }
}

static void test_edges(void)
{
    clv_graph *g = sample_edges(CLEAVE_DAG, 0, 0, NULL, NULL, NULL);
    CHECK(run_auto(g, 4, 500, 1) == 0);
    clv_graph_free(g);
    g = layers_graph(LAYERS_CHAIN, 300, LAYERS_SOME, 1); /* nothing to gain */
    CHECK(run_auto(g, 8, 500, 1) == serial_cost(g, 500));
    clv_graph_free(g);
    g = layers_graph(LAYERS_FREE, 800, LAYERS_NONE, 1); /* everything */
    CHECK(run_auto(g, 8, 500, 1) == 600);
    CHECK(run_auto(g, 3, 500, 1) == 767);
    CHECK(run_auto(g, 8, 1e308, 1) <= 1e308);
    clv_graph_free(g);
    g = layers_graph(LAYERS_STAR, 801, LAYERS_NONE, 1); /* the producer is a layer */
    CHECK(run_auto(g, 8, 10, 1) <= 1.1 * (1 + 10 + 100 + 10));
    clv_graph_free(g);
    g = layers_graph(LAYERS_SINK, 801, LAYERS_NONE, 1);
    CHECK(run_auto(g, 8, 10, 1) <= 1.1 * (1 + 10 + 100 + 10));
    clv_graph_free(g);
}

/* A wave front of n = W points in a pipeline of P threads: at best about W / P + (P - 1) sync
 * + 2 sqrt(W / P (P - 1) sync). */
static void test_pipeline(void)
{
    clv_graph *g = layers_graph(LAYERS_GRID, 10000, LAYERS_NONE, 1);
    CHECK(run_auto(g, 2, 20, 1) < 1.02 * (5000 + 20 + 632));
    CHECK(run_auto(g, 8, 20, 1) < 1.08 * (1250 + 140 + 837));
    CHECK(run_auto(g, 18, 20, 1) < 1.10 * (556 + 340 + 869));
    clv_graph_free(g);
}

/* The exact factor of a grid: a path of weight C has to be done one after the other. */
static void test_factor(void)
{
    static int32_t weight[largest];
    static int64_t path[largest];
    cleave_graph *grid, *factor, *weighed;
    int64_t longest = 0;
    REQUIRE_OK(cleave_graph_generate(&grid, "grid2d:60x60", NULL, &err));
    REQUIRE_OK(cleave_graph_factor(&factor, grid, "mindeg", NULL, &err));
    for (int32_t v = 0; v < factor->nvtx; v++) {
        weight[v] = 1 + (int32_t)(factor->xpred[v + 1] - factor->xpred[v]);
        path[v] = 0;
        for (int64_t a = factor->xpred[v]; a < factor->xpred[v + 1]; a++)
            path[v] = path[factor->pred[a]] > path[v] ? path[factor->pred[a]] : path[v];
        path[v] += weight[v];
        longest = path[v] > longest ? path[v] : longest;
    }
    cleave_csr csr = {.size = sizeof csr,
                      .kind = CLEAVE_DAG,
                      .nvtx = factor->nvtx,
                      .ncon = 1,
                      .xadj = factor->xadj,
                      .adj = factor->adj,
                      .vwgt = weight};
    REQUIRE_OK(cleave_graph_create(&weighed, &csr, 0, &err));
    CHECK(run_auto(weighed, 8, 20, 1) < 1.10 * (double)longest + 200);
    cleave_graph_free(weighed);
    cleave_graph_free(factor);
    cleave_graph_free(grid);
}

/* More threads are never worse than fewer, from where they are of use to where none are. */
static void test_more_threads(void)
{
    static const int32_t more[] = {2, 4, 8, 16, 32, 64, 256, 4096};
    static const double syncs[] = {5, 20, 100};
    static const layers_shape shapes[] = {LAYERS_GRID, LAYERS_FREE, LAYERS_TREES};
    for (int shape = 0; shape < 3; shape++)
        for (int i = 0; i < 3; i++) {
            clv_graph *g = layers_graph(shapes[shape], 2500, LAYERS_NONE, 1);
            double best = serial_cost(g, syncs[i]);
            for (int p = 0; p < 8; p++) {
                double cost = run_auto(g, more[p], syncs[i], 1);
                CHECK(cost <= best);
                best = cost < best ? cost : best;
            }
            clv_graph_free(g);
        }
}

/* Ranks of ten with random arcs between them: growth is far from its bound there. */
static void test_graphopt(void)
{
    int won = 0;
    for (uint64_t seed = 1; seed <= 4; seed++) {
        clv_graph *g = layers_graph(LAYERS_LAYERED, 2000, LAYERS_SOME, seed);
        run_auto(g, 2, 5, 1);
        won += strcmp(said(last_method), "graphopt") == 0;
        clv_graph_free(g);
    }
    CHECK(won > 0);
}

/* A progress callback that requests a stop in every call, and checks the calling thread. */
typedef struct stopping {
    pthread_t caller;
    int calls;
    bool strange;
} stopping;

static int say_stop(void *payload, const cleave_progress *now)
{
    stopping *s = payload;
    (void)now;
    s->calls++;
    s->strange = s->strange || !pthread_equal(s->caller, pthread_self());
    return 1;
}

static void test_stop(void)
{
    enum { chain = 100000 };
    static int32_t chain_layer[chain], chain_thread[chain], adj[chain];
    static int64_t xadj[chain + 1];
    cleave_graph *g;
    for (int32_t v = 0; v < chain; v++) {
        xadj[v] = v;
        adj[v] = v + 1;
    }
    xadj[chain] = chain - 1;
    cleave_csr csr = {.size = sizeof csr,
                      .kind = CLEAVE_DAG,
                      .nvtx = chain,
                      .ncon = 1,
                      .xadj = xadj,
                      .adj = adj};
    REQUIRE_OK(cleave_graph_create(&g, &csr, 0, &err));
    for (int workers = 1; workers <= 2; workers++) {
        stopping s = {.caller = pthread_self()};
        clv_schedule_costs costs = {.sync = 1};
        clv_layering l = {.threads = 64, .layer = chain_layer, .thread = chain_thread};
        clv_context ctx;
        REQUIRE_OK(clv_context_open(&ctx, workers, 1, &err));
        clv_context_watch(&ctx, 0, say_stop, &s);
        CHECK_OK(clv_schedule_auto(g, &costs, &ctx, &l, &err));
        CHECK(s.calls == 1 && !s.strange);
        for (int32_t v = 1; v < chain; v++)
            REQUIRE(chain_layer[v] > chain_layer[v - 1] ||
                    (chain_layer[v] == chain_layer[v - 1] &&
                     chain_thread[v] == chain_thread[v - 1]));
        clv_context_close(&ctx);
    }
    cleave_graph_free(g);
}

static void test_workers(void)
{
    static int32_t first_layer[largest], first_thread[largest];
    for (int32_t shape = 0; shape < LAYERS_SHAPES; shape++) {
        clv_graph *g = layers_graph((layers_shape)shape, 3000, LAYERS_SOME, 5);
        run_auto(g, 6, 30, 1);
        memcpy(first_layer, layer, sizeof layer);
        memcpy(first_thread, thread, sizeof thread);
        for (int workers = 2; workers <= 8; workers *= 4) {
            run_auto(g, 6, 30, workers);
            CHECK(memcmp(first_layer, layer, sizeof layer) == 0);
            CHECK(memcmp(first_thread, thread, sizeof thread) == 0);
        }
        clv_graph_free(g);
    }
}

static cleave_status call_both(const void *context, cleave_error *e)
{
    clv_schedule_costs costs = {.sync = 5, .read = 0.25};
    clv_context ctx;
    clv_layering l = {.threads = 4, .layer = layer, .thread = thread};
    cleave_status status = clv_context_open(&ctx, 2, 1, e);
    if (status != CLEAVE_OK)
        return status;
    status = clv_schedule_auto(context, &costs, &ctx, &l, e);
    if (status == CLEAVE_OK)
        status = clv_schedule_grow(context, &costs, &ctx, &l, e);
    clv_context_close(&ctx);
    return status;
}

static void test_oom(void)
{
    clv_graph *g = layers_graph(LAYERS_RANDOM, 90, LAYERS_SOME, 4);
    test_oom_call(call_both, g);
    clv_graph_free(g);
}

int main(void)
{
    RUN(test_promises);
    RUN(test_hasty);
    RUN(test_reads);
    RUN(test_edges);
    RUN(test_pipeline);
    RUN(test_factor);
    RUN(test_more_threads);
    RUN(test_graphopt);
    RUN(test_stop);
    RUN(test_workers);
    RUN(test_oom);
    return test_end();
}
