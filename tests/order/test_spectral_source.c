/* SPDX-License-Identifier: Apache-2.0 */
/* The spectral source of order/halving.h: induced graphs, disconnected sets, and results of
 * recursive spectral bisection. */
#include <math.h>

#include "base/rng.h"
#include "order/spectral_oracle.h"
#include "order/spectral_source.h"
#include "support/test.h"

static cleave_status values_of(const clv_graph *g, int32_t count, int32_t *vertex,
                               double *value, clv_context *ctx, cleave_error *err)
{
    const clv_subset set = {g, count, vertex};
    return clv_source_spectral.values(clv_source_spectral.data, &set, value, ctx, err);
}

/* ---- One set ---------------------------------------------------------------------------- */

/* Components of the set by repeated passes over all pairs; returns their number. */
static int32_t mark_components(const double *laplacian, int32_t n, int32_t *mark)
{
    int32_t count = 0;
    for (int32_t i = 0; i < n; i++)
        mark[i] = i;
    for (bool changed = true; changed;) {
        changed = false;
        for (int32_t i = 0; i < n; i++)
            for (int32_t j = 0; j < n; j++)
                if (laplacian[i * n + j] < 0 && mark[j] < mark[i]) {
                    mark[i] = mark[j];
                    changed = true;
                }
    }
    for (int32_t i = 0; i < n; i++)
        count += mark[i] == i;
    return count;
}

/* Of the component: Rayleigh quotient of its values, and the least there is. */
static void compare_component(const double *laplacian, int32_t n, const int32_t *mark,
                              int32_t which, const double *value, double *got, double *least)
{
    int32_t m = 0, *of = sketch_alloc(n, sizeof *of);
    for (int32_t i = 0; i < n; i++)
        if (mark[i] == which)
            of[m++] = i;
    double *a = sketch_alloc((int64_t)m * m, sizeof *a), *all = sketch_alloc(m, sizeof *all);
    double *vectors = sketch_alloc((int64_t)m * m, sizeof *a), mean = 0, energy = 0,
           square = 0;
    for (int32_t i = 0; i < m; i++)
        mean += value[of[i]] / m;
    for (int32_t i = 0; i < m; i++) {
        for (int32_t j = 0; j < m; j++) {
            a[i * m + j] = laplacian[of[i] * n + of[j]];
            double d = value[of[i]] - value[of[j]];
            energy -= i == j ? 0 : a[i * m + j] * d * d / 2;
        }
        square += (value[of[i]] - mean) * (value[of[i]] - mean);
    }
    oracle_eigen(m, a, all, vectors);
    *got = m > 1 ? energy / square : 0;
    *least = m > 1 ? all[1] : 0;
    free(of), free(a), free(all), free(vectors);
}

/* Values of different components do not interleave; the larger come first. */
static void check_apart(int32_t n, const int32_t *mark, const double *value)
{
    int32_t *size = sketch_alloc(n, sizeof *size);
    for (int32_t i = 0; i < n; i++)
        size[mark[i]]++;
    for (int32_t i = 0; i < n; i++)
        for (int32_t j = 0; j < n; j++) {
            if (mark[i] == mark[j])
                continue;
            bool first = size[mark[i]] > size[mark[j]] ||
                         (size[mark[i]] == size[mark[j]] && mark[i] < mark[j]);
            CHECK_EQ(value[i] < value[j], first);
        }
    free(size);
}

/* Every quotient may be off by the square of the tolerance. */
static int32_t check_set(const clv_graph *g, int32_t count, int32_t *vertex, clv_context *ctx)
{
    cleave_error err = {0};
    double *all = oracle_laplacian(g),
           *part = sketch_alloc((int64_t)count * count, sizeof *all);
    double *value = sketch_alloc(count, sizeof *value);
    int32_t *mark = sketch_alloc(count, sizeof *mark);
    for (int32_t i = 0; i < count; i++)
        for (int32_t j = 0; j < count; j++)
            if (i != j) {
                double w = all[(int64_t)vertex[i] * g->nvtx + vertex[j]];
                part[i * count + j] = w;
                part[i * count + i] -= w;
            }
    CHECK_OK(values_of(g, count, vertex, value, ctx, &err));
    int32_t ncomponents = mark_components(part, count, mark);
    for (int32_t i = 0; i < count; i++) {
        CHECK(isfinite(value[i]));
        if (mark[i] != i)
            continue;
        double got, least;
        compare_component(part, count, mark, i, value, &got, &least);
        CHECK(fabs(got - least) <= 1e-3 * least + 1e-12 * fabs(part[i * count + i]));
    }
    check_apart(count, mark, value);
    free(all), free(part), free(value), free(mark);
    return ncomponents;
}

static void test_sets(void)
{
    clv_context ctx;
    int whole = 0, apart = 0;
    sketch_context(&ctx, 1);
    for (uint64_t seed = 0; seed < 200; seed += TEST_STRIDE) {
        clv_rng rng = clv_rng_make(seed, 5, 5, 5);
        sketch_options o = {.n = 3 + (int32_t)clv_rng_below(&rng, 130), .seed = seed};
        o.chance = clv_rng_unit(&rng) * 8 / o.n;
        o.most = clv_rng_below(&rng, 2) ? 1 : 50;
        o.zero = clv_rng_below(&rng, 2) ? 0 : 0.2;
        o.connected = clv_rng_below(&rng, 4) > 0;
        sketch s;
        sketch_random(&s, &o);
        int32_t vertex[140], count = 0;
        uint32_t kept = 1 + clv_rng_below(&rng, 10); /* of ten: from few to all */
        for (int32_t v = 0; v < o.n; v++)
            if (clv_rng_below(&rng, 10) < kept || v + 2 >= o.n + count)
                vertex[count++] = v;
        if (seed % 2) /* any order will do */
            for (int32_t i = 0; i < count / 2; i++) {
                int32_t v = vertex[i];
                vertex[i] = vertex[count - 1 - i];
                vertex[count - 1 - i] = v;
            }
        int32_t ncomponents = check_set(&s.g, count, vertex, &ctx);
        whole += ncomponents == 1;
        apart += ncomponents > 1;
        sketch_free(&s);
    }
    CHECK(whole > 30 / TEST_STRIDE && apart > 30 / TEST_STRIDE);
    clv_context_close(&ctx);
}

/* The residual of x, which has any norm, from the dense matrix. */
static double residual_of(const clv_graph *g, const double *x)
{
    int32_t n = g->nvtx;
    double *a = oracle_laplacian(g), norm = 0, value = 0, square = 0, most = 0;
    for (int32_t i = 0; i < n; i++)
        norm += x[i] * x[i];
    for (int32_t i = 0; i < n; i++)
        for (int32_t j = 0; j < n; j++)
            value += x[i] * a[(int64_t)i * n + j] * x[j] / norm;
    for (int32_t i = 0; i < n; i++) {
        double lx = 0;
        for (int32_t j = 0; j < n; j++)
            lx += a[(int64_t)i * n + j] * x[j];
        square += (lx - value * x[i]) * (lx - value * x[i]) / norm;
        most = a[(int64_t)i * n + i] > most ? a[(int64_t)i * n + i] : most;
    }
    free(a);
    return sqrt(square) / most;
}

/* One set: its residual is noted.  More of them: the worst, and it never falls. */
static void test_notes(void)
{
    clv_context ctx;
    cleave_error err = {0};
    clv_spectral_notes noted = {0}, *notes = &noted;
    clv_halving_source source = clv_source_spectral_noting(&notes);
    clv_spectral_quality quality = clv_spectral_summary(notes);
    double worst = 0;
    CHECK(!quality.computed && !quality.converged && quality.residual == 0);
    sketch_context(&ctx, 1);
    for (int32_t side = 30; side >= 2; side -= 7) {
        sketch s;
        sketch_grid(&s, side, side + 3, false);
        int32_t *vertex = sketch_alloc(s.n, sizeof *vertex);
        double *value = sketch_alloc(s.n, sizeof *value);
        for (int32_t v = 0; v < s.n; v++)
            vertex[v] = v;
        REQUIRE_OK(
            source.values(source.data, &(clv_subset){&s.g, s.n, vertex}, value, &ctx, &err));
        double own = residual_of(&s.g, value);
        worst = own > worst ? own : worst;
        quality = clv_spectral_summary(notes);
        CHECK(quality.computed && quality.converged);
        CHECK(fabs(quality.residual - worst) <= 1e-9 * worst + 1e-14);
        free(vertex), free(value);
        sketch_free(&s);
    }
    CHECK(worst > 1e-12);
    clv_context_close(&ctx);
}

/* A search without time reports it. */
static void test_notes_in_haste(void)
{
    clv_context ctx;
    sketch s;
    cleave_error err = {0};
    clv_spectral_notes noted = {0}, *notes = &noted;
    clv_halving_source source = clv_source_spectral_noting(&notes);
    sketch_grid(&s, 90, 80, false);
    int32_t *part = sketch_alloc(s.n, sizeof *part);
    sketch_context(&ctx, 1);
    ctx.deadline = clv_clock() / 2;
    REQUIRE_OK(
        clv_halving_parts(&s.g, &source, &(clv_split_rule){.npes = 2}, &ctx, part, &err));
    clv_spectral_quality quality = clv_spectral_summary(notes);
    CHECK(quality.computed && !quality.converged && quality.residual > 0);
    clv_context_close(&ctx);
    free(part);
    sketch_free(&s);
}

/* Few vertices of a large graph: found by a table, with the same values as by themselves. */
static void test_few_of_many(void)
{
    sketch large, small;
    clv_context ctx;
    cleave_error err = {0};
    int32_t vertex[15 * 12];
    double value[15 * 12], expected[15 * 12];
    sketch_grid(&large, 100, 100, false);
    sketch_grid(&small, 15, 12, false);
    for (int32_t i = 0; i < small.n; i++)
        vertex[i] = (40 + i / 15) * 100 + 60 + i % 15;
    sketch_context(&ctx, 1);
    REQUIRE_OK(values_of(&large.g, small.n, vertex, value, &ctx, &err));
    for (int32_t i = 0; i < small.n; i++)
        vertex[i] = i;
    REQUIRE_OK(values_of(&small.g, small.n, vertex, expected, &ctx, &err));
    CHECK(memcmp(value, expected, sizeof value) == 0);
    clv_context_close(&ctx);
    sketch_free(&large);
    sketch_free(&small);
}

/* Arcs of a DAG tie both ends. */
static void test_dag(void)
{
    sketch s;
    clv_context ctx;
    cleave_error err = {0};
    static int64_t next[301], before[301];
    static int32_t successor[2000], predecessor[2000], vertex[300];
    static double value[300], expected[300];
    sketch_grid(&s, 20, 15, false);
    int64_t a = 0, b = 0;
    for (int32_t v = 0; v < s.n; v++) {
        vertex[v] = v;
        for (int64_t e = s.xadj[v]; e < s.xadj[v + 1]; e++)
            if (s.adj[e] > v)
                successor[a++] = s.adj[e];
            else
                predecessor[b++] = s.adj[e];
        next[v + 1] = a;
        before[v + 1] = b;
    }
    clv_graph dag = {.kind = CLEAVE_DAG, .nvtx = s.n, .narc = a, .ncon = 1};
    dag.xadj = next, dag.adj = successor, dag.xpred = before, dag.pred = predecessor;
    sketch_context(&ctx, 1);
    REQUIRE_OK(values_of(&dag, s.n, vertex, value, &ctx, &err));
    REQUIRE_OK(values_of(&s.g, s.n, vertex, expected, &ctx, &err));
    double dot = 0;
    for (int32_t v = 0; v < s.n; v++)
        dot += value[v] * expected[v];
    CHECK(dot > 0.999);
    clv_context_close(&ctx);
    sketch_free(&s);
}

/* ---- Recursive spectral bisection ------------------------------------------------------- */

/* Parts of unit weights have their shares, rounded; others within the heaviest vertex. */
static void test_weights_of_parts(void)
{
    clv_context ctx;
    sketch_context(&ctx, 1);
    for (uint64_t seed = 0; seed < 60; seed += TEST_STRIDE) {
        clv_rng rng = clv_rng_make(seed, 6, 6, 6);
        sketch_options o = {.n = 200, .chance = 0.012, .most = 5, .seed = seed};
        o.connected = seed % 4 > 0;
        sketch s;
        cleave_error err = {0};
        int32_t part[200], weight[200], nparts = 2 + (int32_t)clv_rng_below(&rng, 12);
        double speed[16], sum = 0, all = 0, got[16] = {0};
        sketch_random(&s, &o);
        for (int32_t v = 0; v < 200; v++) {
            weight[v] = seed % 2 ? 1 : (int32_t)clv_rng_below(&rng, 4);
            all += weight[v];
        }
        s.g.vwgt = weight;
        for (int32_t p = 0; p < nparts; p++)
            sum += speed[p] = seed % 3 ? 1 + 7 * clv_rng_unit(&rng) : 1;
        clv_grouping grouping = seed % 5 < 2 ? CLV_GROUPING_SIMPLE : CLV_GROUPING_BINPACKING;
        REQUIRE_OK(clv_halving_parts(
            &s.g, &clv_source_spectral,
            &(clv_split_rule){.npes = nparts, .speed = speed, .grouping = grouping}, &ctx,
            part, &err));
        for (int32_t v = 0; v < 200; v++) {
            REQUIRE(part[v] >= 0 && part[v] < nparts);
            got[part[v]] += weight[v];
        }
        for (int32_t p = 0; p < nparts; p++)
            CHECK(fabs(got[p] - all * speed[p] / sum) <= (seed % 2 ? 1 : 3));
        sketch_free(&s);
    }
    clv_context_close(&ctx);
}

/* Two strips that only share a set: each gets its own part, and nothing is cut. */
static void test_free_cut(void)
{
    sketch s;
    clv_context ctx;
    cleave_error err = {0};
    int32_t part[480];
    sketch_open(&s, 480);
    for (int32_t v = 0; v < 480; v++) {
        if (v % 240 < 234)
            sketch_edge(&s, v, v + 6, 1);
        if (v % 6 < 5)
            sketch_edge(&s, v, v + 1, 1);
    }
    sketch_close(&s, false);
    sketch_context(&ctx, 1);
    REQUIRE_OK(clv_halving_parts(&s.g, &clv_source_spectral, &(clv_split_rule){.npes = 4},
                                 &ctx, part, &err));
    int cut = 0;
    for (int64_t e = 0; e < s.count; e++)
        cut += part[s.tail[e]] != part[s.head[e]];
    CHECK_EQ(cut, 12);
    for (int32_t v = 0; v < 240; v++)
        CHECK((part[v] < 2) == (part[0] < 2) && (part[240 + v] < 2) != (part[0] < 2));
    clv_context_close(&ctx);
    sketch_free(&s);
}

static void test_threads(void)
{
    static const int threads[] = {1, 2, 8};
    sketch s;
    static int32_t part[3][4200], order[3][4200];
    double speed[9] = {1, 2, 3, 1, 2, 3, 0.5, 0, 4};
    sketch_grid(&s, 70, 60, false);
    for (int t = 0; t < 3; t++) {
        clv_context ctx;
        cleave_error err = {0};
        sketch_context(&ctx, threads[t]);
        REQUIRE_OK(clv_halving_parts(
            &s.g, &clv_source_spectral,
            &(clv_split_rule){.npes = 9, .speed = speed, .grouping = CLV_GROUPING_BINPACKING},
            &ctx, part[t], &err));
        REQUIRE_OK(clv_halving_order(&s.g, &clv_source_spectral, 0, &ctx, order[t], &err));
        clv_context_close(&ctx);
        CHECK(memcmp(part[t], part[0], sizeof part[0]) == 0);
        CHECK(memcmp(order[t], order[0], sizeof order[0]) == 0);
    }
    sketch_free(&s);
}

static double cross_edges(const clv_graph *g, const int32_t *part)
{
    double cut = 0;
    for (int32_t v = 0; v < g->nvtx; v++)
        for (int64_t a = g->xadj[v]; a < g->xadj[v + 1]; a++)
            cut += part[v] < part[g->adj[a]];
    return cut;
}

static void draw_speeds(int sample, int32_t nparts, double *speed)
{
    static const double ratios[] = {1, 2, 3, 4, 8};
    clv_rng rng = clv_rng_make((uint64_t)sample, 7, (uint64_t)nparts, 0);
    for (int32_t p = 0; p < nparts; p++)
        speed[p] = 1 + (ratios[sample % 5] - 1) * clv_rng_unit(&rng);
}

static const int32_t paper_parts[] = {4, 5, 10, 15, 20};

/* Table 5: the same from one order of 1024 random leaves. */
static void check_index(const clv_graph *g, clv_context *ctx, int32_t *part)
{
    static const double edges[] = {364, 485, 764, 1017, 1211};
    cleave_error err = {0};
    clv_order *o = NULL;
    REQUIRE_OK(clv_halving_order(g, &clv_source_spectral, 1024, ctx, part, &err));
    REQUIRE_OK(clv_order_new(&o, g, "rsbi", part, ctx->ws, &err));
    for (int k = 0; k < 5; k++) {
        double cut = 0, speed[20];
        for (int sample = 0; sample < 50; sample++) {
            int32_t begin[20], end[20], sequence[20], scratch[20], n = paper_parts[k];
            draw_speeds(sample, n, speed);
            clv_grouping_sequence(CLV_GROUPING_BINPACKING, speed, n, sequence, scratch);
            clv_split(o, &(clv_split_rule){.npes = n, .speed = speed}, sequence, begin, end);
            for (int32_t p = 0; p < n; p++)
                for (int32_t i = begin[p]; i < end[p]; i++)
                    part[o->vertex[i]] = p;
            cut += cross_edges(g, part);
        }
        CHECK(cut / 50 <= 1.10 * edges[k]);
    }
    clv_order_free(o);
}

/* Kaddoura, Ou, Ranka 1995, table 3: cross edges of 3elt on average over random speeds. */
static void test_paper(void)
{
    static const double edges[] = {269, 313, 544, 724, 880};
    cleave_graph *g = NULL;
    cleave_error err = {0};
    clv_context ctx;
    const char *path = test_shared("walshaw/3elt.graph", 6);
    if (!path)
        return;
    REQUIRE_OK(cleave_graph_read(&g, path, NULL, &err));
    int32_t *part = sketch_alloc(g->nvtx, sizeof *part);
    sketch_context(&ctx, 1);
    for (int k = 0; k < 5; k += TEST_STRIDE) {
        double cut = 0;
        for (int sample = 0; sample < 15; sample++) {
            double speed[20];
            draw_speeds(sample, paper_parts[k], speed);
            REQUIRE_OK(
                clv_halving_parts(g, &clv_source_spectral,
                                  &(clv_split_rule){.npes = paper_parts[k],
                                                    .speed = speed,
                                                    .grouping = CLV_GROUPING_BINPACKING},
                                  &ctx, part, &err));
            cut += cross_edges(g, part);
        }
        CHECK(cut / 15 <= 1.10 * edges[k]);
    }
    check_index(g, &ctx, part);
    clv_context_close(&ctx);
    free(part);
    cleave_graph_free(g);
}

static void test_out_of_memory(void)
{
    sketch s;
    int32_t vertex[340];
    double value[340];
    int failures = 0;
    test_oom_rounds oom = {.lenient = true};
    sketch_grid(&s, 20, 17, false);
    for (int32_t v = 0; v < s.n; v++) /* two halves that are not tied */
        vertex[v] = v < 120 ? v : v + 20;
    int32_t count = s.n - 20;
    while (test_oom_next(&oom)) {
        clv_context ctx;
        cleave_error err = {0};
        sketch_context(&ctx, 1);
        cleave_status status =
            TEST_OOM(&oom, values_of(&s.g, count, vertex, value, &ctx, &err));
        failures += status == CLEAVE_ENOMEM;
        clv_context_close(&ctx);
    }
    CHECK(failures > 20 && oom.nth < 2000);
    sketch_free(&s);
}

int main(void)
{
    RUN(test_sets);
    RUN(test_notes);
    RUN(test_notes_in_haste);
    RUN(test_few_of_many);
    RUN(test_dag);
    RUN(test_weights_of_parts);
    RUN(test_free_cut);
    RUN(test_threads);
    RUN(test_paper);
    RUN(test_out_of_memory);
    return test_end();
}
