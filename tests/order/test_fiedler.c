/* SPDX-License-Identifier: Apache-2.0 */
/* Fiedler vectors: known values, random graphs against Jacobi's method, threads, memory. */
#include <math.h>

#include "order/fiedler.h"
#include "order/spectral_oracle.h"
#include "support/test.h"

static const double pi = 3.14159265358979323846;

/* Properties that hold for every graph: norm, mean, sign, and the reported values. */
static void check_vector(const clv_graph *g, const double *x, const clv_fiedler_result *r)
{
    double sum = 0, square = 0, moment = 0, energy = 0, most = 0, rest = 0;
    for (int32_t v = 0; v < g->nvtx; v++) {
        double degree = 0, lx = 0;
        for (int64_t a = g->xadj[v]; a < g->xadj[v + 1]; a++) {
            double w = g->ewgt ? g->ewgt[a] : 1;
            degree += w;
            lx += w * (x[v] - x[g->adj[a]]);
        }
        sum += x[v], square += x[v] * x[v], moment += v * x[v];
        energy += lx * x[v];
        rest += (lx - r->value * x[v]) * (lx - r->value * x[v]);
        most = fmax(most, degree);
    }
    most = fmax(most, 1e-300);
    CHECK(fabs(sum) < 1e-12 * g->nvtx && fabs(square - 1) < 1e-10);
    CHECK(moment > -2e-9 * g->nvtx);
    CHECK(fabs(energy - r->value) <= 1e-12 * most);
    CHECK(fabs(sqrt(rest) / most - r->residual) <= 1e-12);
    CHECK(r->value >= 0);
}

/* Of a graph with a known value; returns the result. */
static clv_fiedler_result check_value(const clv_graph *g, double expected, clv_context *ctx)
{
    cleave_error err = {0};
    clv_fiedler_result r = {0};
    double *x = sketch_alloc(g->nvtx, sizeof *x);
    CHECK_OK(clv_fiedler(g, 1e-7, ctx, x, &r, &err));
    check_vector(g, x, &r);
    double most = 1;
    for (int32_t v = 0; v < g->nvtx; v++) {
        double degree = 0;
        for (int64_t a = g->xadj[v]; a < g->xadj[v + 1]; a++)
            degree += g->ewgt ? g->ewgt[a] : 1;
        most = fmax(most, degree);
    }
    CHECK(r.converged);
    CHECK(fabs(r.value - expected) <= 1e-10 * expected + 1e-13 * most);
    if (fabs(r.value - expected) > 1e-10 * expected + 1e-13 * most || !r.converged)
        fprintf(stderr, "%d vertices: %.15g, not %.15g; residual %g after %d steps\n",
                (int)g->nvtx, r.value, expected, r.residual, (int)r.steps);
    free(x);
    return r;
}

static void check_sketch(sketch *s, double expected, clv_context *ctx)
{
    check_value(&s->g, expected, ctx);
    sketch_free(s);
}

/* ---- Known values ----------------------------------------------------------------------- */

static void test_paths_and_cycles(void)
{
    static const int32_t sizes[] = {2, 3, 4, 5, 10, 63, 64, 65, 66, 100, 333, 1000, 10000};
    clv_context ctx;
    sketch_context(&ctx, 1);
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        int32_t n = sizes[i];
        double half = sin(pi / (2.0 * n)), whole = sin(pi / n);
        sketch s;
        sketch_grid(&s, n, 1, false);
        check_sketch(&s, 4 * half * half, &ctx);
        sketch_open(&s, n);
        for (int32_t v = 0; v < n && n > 2; v++)
            sketch_edge(&s, v, (v + 1) % n, 7);
        sketch_close(&s, true);
        check_sketch(&s, n > 2 ? 7 * 4 * whole * whole : 0, &ctx);
    }
    clv_context_close(&ctx);
}

static void test_grids(void)
{
    static const int32_t sides[][2] = {{2, 2},   {5, 5},   {8, 8},    {9, 9},     {30, 30},
                                       {50, 49}, {3, 200}, {200, 40}, {101, 101}, {1, 80}};
    clv_context ctx;
    sketch_context(&ctx, 2);
    for (size_t i = 0; i < sizeof sides / sizeof *sides; i++) {
        int32_t w = sides[i][0], h = sides[i][1], longer = w > h ? w : h;
        double half = sin(pi / (2.0 * longer)), whole = sin(pi / longer);
        sketch s;
        sketch_grid(&s, w, h, false);
        check_sketch(&s, 4 * half * half, &ctx);
        if (w < 3 || h < 3)
            continue;
        sketch_grid(&s, w, h, true); /* fourfold where w == h */
        check_sketch(&s, 4 * whole * whole, &ctx);
    }
    clv_context_close(&ctx);
}

static void test_repeated(void)
{
    clv_context ctx;
    sketch_context(&ctx, 1);
    for (int32_t n = 2; n <= 3000; n = n < 10 ? n + 1 : n * 2 + 1) {
        sketch s;
        sketch_open(&s, n); /* a star: 1, n - 2 times */
        for (int32_t v = 1; v < n; v++)
            sketch_edge(&s, 0, v, 1);
        sketch_close(&s, false);
        check_sketch(&s, n == 2 ? 2 : 1, &ctx);
        if (n > 400)
            continue;
        sketch_open(&s, n); /* complete: n, n - 1 times */
        for (int32_t v = 1; v < n; v++)
            for (int32_t u = 0; u < v; u++)
                sketch_edge(&s, u, v, 3);
        sketch_close(&s, true);
        check_sketch(&s, 3.0 * n, &ctx);
        sketch_open(&s, 2 * n); /* complete on two sides of n and n: n */
        for (int32_t v = 0; v < n; v++)
            for (int32_t u = 0; u < n; u++)
                sketch_edge(&s, v, n + u, 1);
        sketch_close(&s, false);
        check_sketch(&s, n, &ctx);
    }
    for (int d = 1; d <= 12; d++) {
        sketch s;
        sketch_hypercube(&s, d);
        check_sketch(&s, 2, &ctx);
    }
    clv_context_close(&ctx);
}

/* Two cliques of heavy edges and one light edge between: 7.5e-10 of the largest degree. */
static void test_weak_bridge(void)
{
    clv_context ctx;
    sketch_context(&ctx, 1);
    for (int32_t half = 2; half <= 90; half += 8) {
        sketch s;
        sketch_open(&s, 2 * half);
        for (int32_t v = 0; v < half; v++)
            for (int32_t u = 0; u < v; u++) {
                sketch_edge(&s, u, v, INT32_MAX);
                sketch_edge(&s, half + u, half + v, INT32_MAX);
            }
        sketch_edge(&s, 0, 2 * half - 1, 1);
        sketch_close(&s, true);
        cleave_error err = {0};
        clv_fiedler_result r;
        double x[180];
        REQUIRE_OK(clv_fiedler(&s.g, 1e-6, &ctx, x, &r, &err));
        check_vector(&s.g, x, &r);
        CHECK(r.converged && fabs(r.value - 2.0 / half) < 1e-4 / half);
        for (int32_t v = 0; v < half; v++)
            CHECK(fabs(x[v] - x[0]) < 1e-4 && fabs(x[half + v] + x[0]) < 1e-4);
        sketch_free(&s);
    }
    clv_context_close(&ctx);
}

/* ---- Random graphs ---------------------------------------------------------------------- */

static void test_random(void)
{
    clv_context ctx;
    int connected = 0, multilevel = 0;
    sketch_context(&ctx, 1);
    for (uint64_t seed = 0; seed < 300; seed += TEST_STRIDE) {
        sketch s;
        sketch_options o = {.n = 2 + (int32_t)(seed * 7 % 110), .seed = seed};
        uint64_t kind = seed / 3 % 6;
        o.connected = seed % 5 != 4;
        o.chance = (double)(seed % 11) / (double)o.n;
        o.most = kind < 2 ? 1 : kind == 2 ? 10 : kind == 3 ? INT32_MAX : 100000;
        o.zero = kind % 2 ? 0.3 : 0;
        o.extreme = kind == 4;
        sketch_random(&s, &o);
        double expected = oracle_fiedler(&s.g);
        clv_fiedler_result r = check_value(&s.g, fabs(expected), &ctx);
        connected += r.value > 0;
        multilevel += r.steps > 0;
        sketch_free(&s);
    }
    CHECK(connected > 200 / TEST_STRIDE && connected < 300 / TEST_STRIDE);
    CHECK(multilevel > 60 / TEST_STRIDE);
    clv_context_close(&ctx);
}

/* Components are told apart by their values, the larger by the more; zero edges join none. */
static void test_disconnected(void)
{
    sketch s;
    clv_context ctx;
    cleave_error err = {0};
    clv_fiedler_result r;
    double x[600];
    int32_t component[600], count;
    sketch_context(&ctx, 1);
    sketch_open(&s, 600); /* 0, 5, 10, ... a path of 120; 400 in another; the rest alone */
    for (int32_t v = 0; v < 119; v++)
        sketch_edge(&s, 5 * v, 5 * v + 5, 2);
    for (int32_t v = 1, last = -1; v < 501; v++)
        if (v % 5) {
            if (last >= 0)
                sketch_edge(&s, last, v, 1);
            last = v;
        }
    sketch_edge(&s, 1, 595, 0);
    sketch_edge(&s, 0, 599, 0);
    sketch_close(&s, true);
    REQUIRE_OK(clv_fiedler_pieces(&s.g, ctx.ws, component, &count, &err));
    CHECK_EQ(count, 2 + 80);
    CHECK_EQ(component[1], 0);
    CHECK_EQ(component[0], 1);
    CHECK_EQ(component[501], 2);
    CHECK_EQ(component[599], 81);
    REQUIRE_OK(clv_fiedler(&s.g, 1e-6, &ctx, x, &r, &err));
    check_vector(&s.g, x, &r);
    CHECK(r.value == 0 && r.residual == 0 && r.converged && r.steps == 0);
    for (int32_t v = 0; v < 600; v++)
        for (int32_t u = 0; u < v; u++) {
            CHECK_EQ(x[u] == x[v], component[u] == component[v]);
            CHECK_EQ(x[u] < x[v], component[u] < component[v]);
        }
    sketch_free(&s);
    for (int32_t n = 2; n < 70; n += 66) { /* no edge at all */
        sketch_open(&s, n);
        sketch_close(&s, false);
        check_value(&s.g, 0, &ctx);
        sketch_free(&s);
    }
    clv_context_close(&ctx);
}

/* Vertex weights and their number have no effect. */
static void test_vertex_weights(void)
{
    sketch s;
    clv_context ctx;
    static int32_t weight[2 * 400];
    sketch_context(&ctx, 1);
    sketch_grid(&s, 20, 20, false);
    clv_fiedler_result plain = check_value(&s.g, 4 * pow(sin(pi / 40), 2), &ctx);
    for (int32_t i = 0; i < 800; i++)
        weight[i] = i % 3 ? INT32_MAX - i : 0;
    s.g.ncon = 2;
    s.g.vwgt = weight;
    clv_fiedler_result weighted = check_value(&s.g, plain.value, &ctx);
    CHECK(memcmp(&plain, &weighted, sizeof plain) == 0);
    clv_context_close(&ctx);
    sketch_free(&s);
}

/* ---- Threads, stopping, memory ---------------------------------------------------------- */

static void test_threads(void)
{
    static const int threads[] = {1, 2, 3, 8};
    sketch s;
    double *x[4];
    clv_fiedler_result r[4];
    sketch_grid(&s, 120, 100, true);
    for (int t = 0; t < 4; t++) {
        clv_context ctx;
        cleave_error err = {0};
        x[t] = sketch_alloc(s.n, sizeof(double));
        sketch_context(&ctx, threads[t]);
        memset(&r[t], 0, sizeof r[t]);
        REQUIRE_OK(clv_fiedler(&s.g, 1e-5, &ctx, x[t], &r[t], &err));
        clv_context_close(&ctx);
        CHECK(memcmp(x[t], x[0], (size_t)s.n * sizeof(double)) == 0);
        CHECK(r[t].value == r[0].value && r[t].residual == r[0].residual);
        CHECK_EQ(r[t].steps, r[0].steps);
    }
    CHECK(r[0].steps > 3 && r[0].steps < 40);
    for (int t = 0; t < 4; t++)
        free(x[t]);
    sketch_free(&s);
}

/* A looser tolerance takes fewer steps, and is met. */
static void test_tolerance(void)
{
    sketch s;
    clv_context ctx;
    cleave_error err = {0};
    int32_t before = 0;
    sketch_grid(&s, 70, 50, false);
    sketch_context(&ctx, 1);
    double *x = sketch_alloc(s.n, sizeof *x), exact = 4 * pow(sin(pi / 140), 2);
    for (double tolerance = 0.1; tolerance > 1e-9; tolerance *= 1e-2) {
        clv_fiedler_result r;
        REQUIRE_OK(clv_fiedler(&s.g, tolerance, &ctx, x, &r, &err));
        CHECK(r.converged && r.residual * 4 <= tolerance * r.value * (1 + 1e-9));
        CHECK(r.value >= exact * (1 - 1e-12) && r.value <= exact * (1 + tolerance));
        CHECK(r.steps >= before);
        before = r.steps;
    }
    CHECK(before > 5);
    /* Not possible: reported. */
    clv_fiedler_result r;
    REQUIRE_OK(clv_fiedler(&s.g, 0, &ctx, x, &r, &err));
    CHECK(r.converged == (r.residual <= 1e-14));
    free(x);
    clv_context_close(&ctx);
    sketch_free(&s);
}

/* Before there is a vector: the numbers, without looking at the arcs. */
static void test_stop(void)
{
    sketch s;
    clv_context ctx;
    cleave_error err = {0};
    clv_fiedler_result r;
    sketch_grid(&s, 70, 70, false);
    sketch_context(&ctx, 1);
    double *x = sketch_alloc(s.n, sizeof *x);
    atomic_store(ctx.stopped, 1);
    REQUIRE_OK(clv_fiedler(&s.g, 1e-6, &ctx, x, &r, &err));
    for (int32_t v = 0; v < s.n; v++)
        CHECK(x[v] == v);
    CHECK(!r.converged && r.steps == 0 && r.residual == 1);
    free(x);
    clv_context_close(&ctx);
    sketch_free(&s);
}

static void test_out_of_memory(void)
{
    sketch s;
    int failures = 0;
    test_oom_rounds oom = {.lenient = true};
    sketch_grid(&s, 25, 20, false);
    double *x = sketch_alloc(s.n, sizeof *x);
    while (test_oom_next(&oom)) {
        clv_context ctx;
        cleave_error err = {0};
        clv_fiedler_result r;
        sketch_context(&ctx, 1);
        cleave_status status = TEST_OOM(&oom, clv_fiedler(&s.g, 1e-2, &ctx, x, &r, &err));
        failures += status == CLEAVE_ENOMEM;
        if (status == CLEAVE_OK)
            check_vector(&s.g, x, &r);
        clv_context_close(&ctx);
    }
    CHECK(failures > 20 && oom.nth < 2000);
    free(x);
    sketch_free(&s);
}

int main(void)
{
    RUN(test_paths_and_cycles);
    RUN(test_grids);
    RUN(test_repeated);
    RUN(test_weak_bridge);
    RUN(test_random);
    RUN(test_disconnected);
    RUN(test_vertex_weights);
    RUN(test_threads);
    RUN(test_tolerance);
    RUN(test_stop);
    RUN(test_out_of_memory);
    return test_end();
}
