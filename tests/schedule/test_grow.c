/* SPDX-License-Identifier: Apache-2.0 */
/* The steps of direct growth: number set, skeleton, orders, growth, improvement. */
#include "schedule/grow_layers.h"

#include <time.h>

#include "base/number_set.h"
#include "base/rng.h"
#include "graph/sample.h"
#include "schedule/layers_fixture.h"

enum { largest = 400 };
static const int32_t counts[] = {1, 2, 3, 7, 16};
static cleave_error err;
static int32_t layer[largest], thread[largest];

static const char *said(const char *fault)
{
    return fault ? fault : "none";
}
#define CHECK_FINE(fault) CHECK_STR(said(fault), "none")

static clv_graph *any_graph(uint64_t seed)
{
    int32_t n = 1 + (int32_t)(clv_hash64(seed) % (largest - 1));
    return layers_graph((layers_shape)(seed % LAYERS_SHAPES), n,
                        (layers_weights)(seed / LAYERS_SHAPES % LAYERS_WEIGHTS), seed);
}

/* ---- The set ---------------------------------------------------------------------------- */

static int32_t slow_next(const bool *in, int32_t count, int32_t x)
{
    while (x < count && !in[x])
        x++;
    return x < count ? x : -1;
}

static void test_set(void)
{
    static const int32_t sizes[] = {1, 63, 64, 65, 4095, 4096, 4097, 300000};
    static bool in[300000];
    for (int i = 0; i < 8; i++) {
        clv_ws ws = {0};
        clv_number_set set;
        clv_rng rng = clv_rng_make(1, 2, 3, (uint64_t)i);
        REQUIRE(clv_number_set_init(&set, sizes[i], &ws));
        memset(in, 0, sizeof in);
        for (int step = 0; step < 4000; step++) {
            int32_t x = (int32_t)clv_rng_below(&rng, (uint32_t)sizes[i]);
            /* At first more come than go, then the other way round. */
            in[x] = clv_rng_below(&rng, 4) < (step < 2000 ? 3u : 1u);
            if (in[x])
                clv_number_set_insert(&set, x);
            else
                clv_number_set_remove(&set, x);
            x = (int32_t)clv_rng_below(&rng, (uint32_t)sizes[i]);
            CHECK_EQ(clv_number_set_next(&set, x), slow_next(in, sizes[i], x));
        }
        clv_ws_free(&ws);
    }
}

/* ---- The skeleton ----------------------------------------------------------------------- */

static void matrix_of(oracle_graph *o, const clv_graph *g)
{
    memset(o, 0, sizeof *o);
    o->n = g->nvtx;
    for (int32_t v = 0; v < g->nvtx; v++)
        for (int64_t a = g->xadj[v]; a < g->xadj[v + 1]; a++)
            o->arc[v][g->adj[a]] = true;
}

/* A DAG along a hidden order, of any density. */
static void dense_matrix(oracle_graph *o, clv_rng *rng)
{
    int32_t order[ORACLE_MAX];
    uint32_t density = 1 + clv_rng_below(rng, 10);
    memset(o, 0, sizeof *o);
    o->n = 20 + (int)clv_rng_below(rng, ORACLE_MAX - 19);
    clv_rng_permutation(rng, o->n, order);
    for (int i = 0; i < o->n; i++)
        for (int k = i + 1; k < o->n; k++)
            o->arc[order[i]][order[k]] = clv_rng_below(rng, 10) < density;
    for (int u = 0; u < o->n; u++)
        for (int v = 0; v < o->n; v++)
            o->wgt[u][v] = o->arc[u][v];
}

static void test_skeleton(void)
{
    static oracle_graph o, thin_o;
    static bool reach[ORACLE_MAX][ORACLE_MAX], thin_reach[ORACLE_MAX][ORACLE_MAX];
    int fewer = 0;
    for (uint64_t seed = 0; seed < 1000; seed += TEST_STRIDE) {
        clv_rng rng = clv_rng_make(seed, 7, 0, 0);
        clv_ws ws = {0};
        clv_graph thin;
        dense_matrix(&o, &rng);
        clv_graph *g = sample_graph(&o, CLEAVE_DAG, sample_any_attributes(&rng));
        REQUIRE_OK(clv_grow_skeleton(&thin, g, &ws, &err));
        matrix_of(&thin_o, &thin);
        oracle_closure(&o, reach);
        oracle_closure(&thin_o, thin_reach);
        for (int u = 0; u < o.n; u++) {
            for (int v = 0; v < o.n; v++) {
                CHECK(reach[u][v] == thin_reach[u][v]);
                CHECK(!thin_o.arc[u][v] || o.arc[u][v]);
            }
            int64_t into = 0;
            for (int v = 0; v < o.n; v++)
                into += thin_o.arc[v][u];
            CHECK_EQ(thin.xpred[u + 1] - thin.xpred[u], into);
        }
        CHECK_EQ(thin.xpred[o.n], thin.narc);
        fewer += thin.narc < g->narc;
        clv_graph_free(g);
        clv_ws_free(&ws);
    }
    /* Most of them are so dense that a fifth of the arcs is implied. */
    CHECK(fewer > 700 / TEST_STRIDE);
}

/* Of the factor of a grid a tree is left: one arc from each vertex but the last. */
static void test_factor(void)
{
    cleave_graph *grid, *factor;
    clv_graph thin;
    clv_ws ws = {0};
    REQUIRE_OK(cleave_graph_generate(&grid, "grid2d:12x12", NULL, &err));
    REQUIRE_OK(cleave_graph_factor(&factor, grid, "mindeg", NULL, &err));
    REQUIRE_OK(clv_grow_skeleton(&thin, factor, &ws, &err));
    CHECK(factor->narc > 600);
    CHECK_EQ(thin.narc, 143);
    clv_ws_free(&ws);
    cleave_graph_free(factor);
    cleave_graph_free(grid);
}

/* ---- Orders ----------------------------------------------------------------------------- */

/* Heaviest paths by relaxing every arc until nothing changes. */
static int64_t slow_paths(const clv_graph *g, int64_t *path)
{
    int64_t heaviest = 0;
    bool changed = true;
    for (int32_t v = 0; v < g->nvtx; v++)
        path[v] = clv_graph_vwgt(g, v, 0);
    while (changed) {
        changed = false;
        for (int32_t v = 0; v < g->nvtx; v++) {
            for (int64_t a = g->xadj[v]; a < g->xadj[v + 1]; a++) {
                int64_t through = path[g->adj[a]] + clv_graph_vwgt(g, v, 0);
                changed = changed || through > path[v];
                path[v] = through > path[v] ? through : path[v];
            }
        }
    }
    for (int32_t v = 0; v < g->nvtx; v++)
        heaviest = path[v] > heaviest ? path[v] : heaviest;
    return heaviest;
}

/* Each vertex once, no arc to an earlier home, homes about even. */
static void check_homes(const clv_graph *g, const clv_grow_base *base,
                        const clv_grow_order *order, int32_t threads)
{
    static int32_t home[largest];
    int64_t heaviest = 0;
    memset(home, -1, sizeof home);
    CHECK_EQ(order->start[0], 0);
    CHECK_EQ(order->start[threads], g->nvtx);
    for (int32_t v = 0; v < g->nvtx; v++)
        heaviest = clv_graph_vwgt(g, v, 0) > heaviest ? clv_graph_vwgt(g, v, 0) : heaviest;
    for (int32_t t = 0; t < threads; t++) {
        int64_t weight = 0;
        for (int32_t i = order->start[t]; i < order->start[t + 1]; i++) {
            CHECK_EQ(home[order->vertex[i]], -1);
            home[order->vertex[i]] = t;
            weight += clv_graph_vwgt(g, order->vertex[i], 0);
        }
        CHECK(weight <= base->total / threads + 1 + heaviest);
    }
    for (int32_t v = 0; v < g->nvtx; v++)
        for (int64_t a = g->xadj[v]; a < g->xadj[v + 1]; a++)
            CHECK(home[v] <= home[g->adj[a]]);
}

static void test_orders(void)
{
    static int64_t path[largest];
    static int32_t vertex[largest], start[32];
    for (uint64_t seed = 0; seed < 300; seed += TEST_STRIDE) {
        clv_graph *g = any_graph(seed);
        clv_ws ws = {0};
        clv_grow_base base;
        REQUIRE_OK(clv_grow_base_make(&base, g, &ws, &err));
        CHECK_EQ(base.path, slow_paths(g, path));
        for (int32_t i = 0; i + 1 < g->nvtx; i++) {
            int32_t u = base.vertex[i], v = base.vertex[i + 1];
            CHECK(path[u] > path[v] || (path[u] == path[v] && u < v));
        }
        for (int i = 0; i < 5; i++) {
            clv_grow_order order = {.vertex = vertex, .start = start};
            REQUIRE_OK(clv_grow_order_homes(&order, &base, g, counts[i], &ws, &err));
            check_homes(g, &base, &order, counts[i]);
        }
        clv_ws_free(&ws);
        clv_graph_free(g);
    }
}

/* ---- Growths, and what improvement makes of them ---------------------------------------- */

static void check_growth(const clv_graph *g, int32_t threads, const clv_grow_order *order,
                         int64_t budget, double sync, clv_context *ctx)
{
    clv_layering l = {.threads = threads, .layers = -1, .layer = layer, .thread = thread};
    clv_grow_rule rule = {.order = *order, .budget = budget, .sync = sync};
    double cost = -1;
    memset(layer, -1, sizeof layer);
    memset(thread, -1, sizeof thread);
    REQUIRE_OK(clv_grow_pass(g, &rule, ctx, &l, &err));
    CHECK_FINE(layers_fault(g, threads, layer, thread));
    CHECK_EQ(layers_count(g, layer), l.layers);
    double before = layers_cost(g, threads, layer, thread, sync);
    REQUIRE_OK(clv_improve_layers(g, sync, ctx, &l, &cost, &err));
    CHECK_FINE(layers_fault(g, threads, layer, thread));
    CHECK_EQ(layers_count(g, layer), l.layers);
    CHECK(cost <= before);
    CHECK(cost == layers_cost(g, threads, layer, thread, sync));
}

static void test_growths(void)
{
    static int32_t vertex[largest], start[32];
    static const double syncs[] = {0, 3, 500, 1e9};
    for (uint64_t seed = 0; seed < 500; seed += TEST_STRIDE) {
        clv_graph *g = any_graph(seed);
        clv_context ctx;
        clv_grow_base base;
        REQUIRE_OK(clv_context_open(&ctx, 1, 1, &err));
        int32_t threads = counts[seed / 7 % 5];
        clv_grow_order order = {.vertex = vertex, .start = start};
        REQUIRE_OK(clv_grow_base_make(&base, g, ctx.ws, &err));
        REQUIRE_OK(clv_grow_order_homes(&order, &base, g, threads, ctx.ws, &err));
        clv_grow_order all = {.vertex = base.vertex};
        for (int64_t budget = 1; budget < (int64_t)1 << 34; budget *= 37) {
            check_growth(g, threads, &all, budget, syncs[seed / 5 % 4], &ctx);
            check_growth(g, threads, &order, budget, syncs[seed / 5 % 4], &ctx);
        }
        clv_context_close(&ctx);
        clv_graph_free(g);
    }
}

/* Layers that are all too many: chains that need none become one layer. */
static void test_merging(void)
{
    int32_t tail[99], head[99];
    int64_t count = 0;
    double cost;
    clv_context ctx;
    REQUIRE_OK(clv_context_open(&ctx, 1, 1, &err));
    for (int32_t v = 0; v < 30; v++) {
        layer[v] = v / 3;
        thread[v] = (v + v / 3) % 3; /* all of it crosses */
        if (v >= 3) {
            tail[count] = v - 3;
            head[count++] = v;
        }
    }
    clv_graph *g = sample_edges(CLEAVE_DAG, 30, count, tail, head, NULL);
    clv_layering l = {.threads = 3, .layers = 10, .layer = layer, .thread = thread};
    REQUIRE_OK(clv_improve_layers(g, 5, &ctx, &l, &cost, &err));
    CHECK_EQ(l.layers, 1);
    CHECK(cost == 15);
    CHECK_FINE(layers_fault(g, 3, layer, thread));
    clv_graph_free(g);
    clv_context_close(&ctx);
}

static cleave_status call_parts(const void *context, cleave_error *e)
{
    const clv_graph *g = context;
    clv_context ctx;
    clv_graph thin;
    clv_grow_base base;
    int32_t vertex[64], start[4];
    double cost;
    clv_grow_rule rule = {.order = {.vertex = vertex, .start = start}, .budget = 9, .sync = 5};
    clv_layering l = {.threads = 3, .layer = layer, .thread = thread};
    cleave_status status = clv_context_open(&ctx, 1, 1, e);
    if (status != CLEAVE_OK)
        return status;
    status = clv_grow_skeleton(&thin, g, ctx.ws, e);
    if (status == CLEAVE_OK)
        status = clv_grow_base_make(&base, &thin, ctx.ws, e);
    if (status == CLEAVE_OK)
        status = clv_grow_order_homes(&rule.order, &base, &thin, 3, ctx.ws, e);
    if (status == CLEAVE_OK)
        status = clv_grow_pass(&thin, &rule, &ctx, &l, e);
    if (status == CLEAVE_OK)
        status = clv_improve_layers(&thin, 5, &ctx, &l, &cost, e);
    clv_context_close(&ctx);
    return status;
}

static void test_oom(void)
{
    clv_graph *g = layers_graph(LAYERS_RANDOM, 60, LAYERS_SOME, 4);
    test_oom_call(call_parts, g);
    clv_graph_free(g);
}

/* ---- Threads without work, cycles, and stopping ----------------------------------------- */

/* v -> v + 1 -> ... of n vertices that weigh 1, and where they are put. */
enum { long_chain = 200000 };
static clv_graph *make_chain(int32_t n)
{
    static int64_t xadj[long_chain + 1];
    static int32_t adj[long_chain];
    cleave_graph *g;
    for (int32_t v = 0; v < n; v++) {
        xadj[v] = v;
        adj[v] = v + 1;
    }
    xadj[n] = n - 1;
    cleave_csr csr = {.size = sizeof csr,
                      .kind = CLEAVE_DAG,
                      .nvtx = n,
                      .ncon = 1,
                      .xadj = xadj,
                      .adj = adj};
    CHECK_OK(cleave_graph_create(&g, &csr, 0, &err));
    return g;
}

/* Seconds of processor time of a growth with small layers and its improvement. */
static double time_growth(const clv_graph *g, int32_t threads, bool homes)
{
    static int32_t chain_layer[long_chain], chain_thread[long_chain], vertex[long_chain];
    static int32_t start[4097];
    clv_layering l = {.threads = threads, .layer = chain_layer, .thread = chain_thread};
    double cost;
    clv_context ctx;
    clv_grow_base base;
    CHECK_OK(clv_context_open(&ctx, 1, 1, &err));
    CHECK_OK(clv_grow_base_make(&base, g, ctx.ws, &err));
    clv_grow_rule rule = {.order = {.vertex = base.vertex}, .budget = 2, .sync = 1};
    clock_t begin = clock();
    if (homes) {
        rule.order = (clv_grow_order){.vertex = vertex, .start = start};
        CHECK_OK(clv_grow_order_homes(&rule.order, &base, g, threads, ctx.ws, &err));
    }
    CHECK_OK(clv_grow_pass(g, &rule, &ctx, &l, &err));
    CHECK(l.layers > long_chain / 3);
    CHECK_OK(clv_improve_layers(g, 1, &ctx, &l, &cost, &err));
    CHECK(cost == long_chain + l.layers);
    clv_context_close(&ctx);
    return (double)(clock() - begin) / CLOCKS_PER_SEC;
}

/* A layer costs the same however many threads have nothing to do in it: with 4096 it was a
 * thousand times as much. */
static void test_idle_threads(void)
{
    clv_graph *g = make_chain(long_chain);
    for (int homes = 0; homes < 2; homes++)
        CHECK(time_growth(g, 4096, homes) < 10 * time_growth(g, 4, homes) + 0.2);
    clv_graph_free(g);
}

/* A graph created with CLEAVE_TRUST. */
static void test_cycles(void)
{
    static const int64_t ring_rows[] = {0, 1, 2, 3, 3}, loop_rows[] = {0, 1, 2, 2, 2};
    static const int32_t ring[] = {1, 2, 0}, loop[] = {0, 3};
    for (int i = 0; i < 2; i++) {
        cleave_csr csr = {.size = sizeof csr,
                          .kind = CLEAVE_DAG,
                          .nvtx = 4,
                          .ncon = 1,
                          .xadj = i ? loop_rows : ring_rows,
                          .adj = i ? loop : ring};
        cleave_graph *g;
        clv_grow_base base;
        clv_ws ws = {0};
        if (cleave_graph_create(&g, &csr, CLEAVE_TRUST, &err) != CLEAVE_OK) {
            CHECK(i == 1); /* loops are seen */
            continue;
        }
        CHECK_EQ(clv_grow_base_make(&base, g, &ws, &err), CLEAVE_ECYCLE);
        CHECK_STR(err.message, "the graph was not validated and has a cycle");
        clv_ws_free(&ws);
        cleave_graph_free(g);
    }
}

static int say_stop(void *payload, const cleave_progress *now)
{
    (void)now;
    ++*(int *)payload;
    return 1;
}

/* Both parts check for a stop during the work, and leave a valid schedule. */
static void test_stop(void)
{
    static int32_t chain_layer[long_chain], chain_thread[long_chain];
    clv_graph *g = make_chain(long_chain);
    for (int part = 0; part < 2; part++) {
        int calls = 0;
        clv_layering l = {
            .threads = 64, .layers = long_chain, .layer = chain_layer, .thread = chain_thread};
        double cost;
        clv_context ctx;
        clv_grow_base base;
        REQUIRE_OK(clv_context_open(&ctx, 1, 1, &err));
        clv_context_watch(&ctx, 0, say_stop, &calls);
        REQUIRE_OK(clv_grow_base_make(&base, g, ctx.ws, &err));
        clv_grow_rule rule = {.order = {.vertex = base.vertex}, .budget = 2, .sync = 1};
        for (int32_t v = 0; v < long_chain; v++) {
            chain_layer[v] = v;
            chain_thread[v] = 0;
        }
        cleave_status status = part == 0 ? clv_grow_pass(g, &rule, &ctx, &l, &err)
                                         : clv_improve_layers(g, 1, &ctx, &l, &cost, &err);
        CHECK_OK(status);
        CHECK_EQ(calls, 1);
        CHECK(part == 1 || l.layers < long_chain / 4);
        for (int32_t v = 1; v < long_chain; v++)
            REQUIRE(chain_layer[v] > chain_layer[v - 1] ||
                    (chain_layer[v] == chain_layer[v - 1] &&
                     chain_thread[v] == chain_thread[v - 1]));
        CHECK(chain_layer[long_chain - 1] == l.layers - 1);
        clv_context_close(&ctx);
    }
    clv_graph_free(g);
}

/* Where threads are truncated, what a stop leaves to the last layer is exactly what is not in
 * a layer yet. */
static void test_stop_after_truncation(void)
{
    enum { points = 30 * 30, steps = 40, n = points * steps };
    static int32_t stopped_layer[n], stopped_thread[n];
    static const int64_t budgets[] = {100, 700, 5000, 40000};
    clv_graph *g;
    REQUIRE_OK(cleave_graph_generate(&g, "stencil:30x30:40", NULL, &err));
    REQUIRE(g->nvtx == n);
    for (int i = 0; i < 8; i++) {
        int calls = 0;
        clv_layering l = {.threads = 2 + i % 2 * 5,
                          .layers = -1,
                          .layer = stopped_layer,
                          .thread = stopped_thread};
        clv_context ctx;
        clv_grow_base base;
        REQUIRE_OK(clv_context_open(&ctx, 1, 1, &err));
        clv_context_watch(&ctx, 0, say_stop, &calls);
        REQUIRE_OK(clv_grow_base_make(&base, g, ctx.ws, &err));
        clv_grow_rule rule = {
            .order = {.vertex = base.vertex}, .budget = budgets[i / 2], .sync = 50};
        memset(stopped_layer, -1, sizeof stopped_layer);
        memset(stopped_thread, -1, sizeof stopped_thread);
        CHECK_OK(clv_grow_pass(g, &rule, &ctx, &l, &err));
        CHECK_EQ(calls, 1);
        CHECK_FINE(layers_fault(g, l.threads, stopped_layer, stopped_thread));
        CHECK_EQ(layers_count(g, stopped_layer), l.layers);
        clv_context_close(&ctx);
    }
    clv_graph_free(g);
}

int main(void)
{
    RUN(test_set);
    RUN(test_skeleton);
    RUN(test_factor);
    RUN(test_orders);
    RUN(test_growths);
    RUN(test_merging);
    RUN(test_idle_threads);
    RUN(test_cycles);
    RUN(test_stop);
    RUN(test_stop_after_truncation);
    RUN(test_oom);
    return test_end();
}
