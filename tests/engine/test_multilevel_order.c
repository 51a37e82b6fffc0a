/* SPDX-License-Identifier: Apache-2.0 */
/* engine/order/multilevel_order.c and engine/order/line_smooth.c: every vertex once, arcs
 * forward, blocks kept, cheap cuts, the same for any number of threads. */
#include "engine/order/multilevel_order.h"

#include "engine/engine_fixture.h"
#include "engine/order/line_smooth.h"
#include "refine/dag_fixture.h"

static cleave_effort effort_of(uint64_t seed)
{
    return (cleave_effort)(seed / 7 % 3); /* best is the same with larger numbers */
}

static bool is_permutation(const int32_t *vertex, int32_t n)
{
    uint8_t *seen = calloc((size_t)n + 1, 1);
    bool all = seen != NULL;
    for (int32_t p = 0; p < n && all; p++) {
        all = vertex[p] >= 0 && vertex[p] < n && !seen[vertex[p]];
        if (all)
            seen[vertex[p]] = 1;
    }
    free(seen);
    return all;
}

static int32_t *places_of(const int32_t *vertex, int32_t n)
{
    int32_t *place = malloc(((size_t)n + 1) * sizeof *place);
    if (!place)
        abort();
    for (int32_t p = 0; p < n; p++)
        place[vertex[p]] = p;
    return place;
}

static bool is_forward(const clv_graph *g, const int32_t *vertex)
{
    int32_t *place = places_of(vertex, g->nvtx);
    bool forward = true;
    for (int32_t v = 0; v < g->nvtx; v++)
        for (int64_t a = g->xadj[v]; a < g->xadj[v + 1]; a++)
            forward = forward && place[v] < place[g->adj[a]];
    free(place);
    return forward;
}

/* What crosses the gap before a place, from the definition. */
static int64_t crossing(const clv_graph *g, const int32_t *place, int32_t gap)
{
    int64_t sum = 0;
    for (int32_t v = 0; v < g->nvtx; v++)
        for (int64_t a = g->xadj[v]; a < g->xadj[v + 1]; a++)
            if (place[v] < gap && place[g->adj[a]] >= gap)
                sum += clv_graph_ewgt(g, a);
    return sum;
}

/* Edges between k equal intervals. */
static int64_t cut_into(const clv_graph *g, const int32_t *vertex, int32_t k)
{
    int32_t *place = places_of(vertex, g->nvtx);
    int64_t sum = 0;
    for (int32_t v = 0; v < g->nvtx; v++)
        for (int64_t a = g->xadj[v]; a < g->xadj[v + 1]; a++)
            sum += (int64_t)place[v] * k / g->nvtx != (int64_t)place[g->adj[a]] * k / g->nvtx;
    free(place);
    return sum / 2;
}

/* An undirected graph of the fixtures as graphs are where they are finished. */
static clv_graph finished(const clv_graph *g)
{
    clv_graph whole = *g;
    if (g->kind == CLEAVE_UNDIRECTED) {
        whole.xpred = g->xadj;
        whole.pred = g->adj;
        whole.pwgt = g->ewgt;
    }
    return whole;
}

static cleave_status solve(engine_fixture *e, clv_context *ctx, cleave_error *err)
{
    clv_graph g = finished(&e->f.g);
    return clv_multilevel_order(&g, CLEAVE_EFFORT_DEFAULT, ctx, e->part, err);
}

static void order_by_seed(const clv_graph *g, cleave_effort effort, uint64_t seed,
                          int32_t *vertex)
{
    clv_context ctx;
    cleave_error err = {0};
    clv_graph whole = finished(g);
    fixture_context(&ctx, 2, seed);
    memset(vertex, 99, (size_t)g->nvtx * sizeof *vertex);
    CHECK_OK(clv_multilevel_order(&whole, effort, &ctx, vertex, &err));
    clv_context_close(&ctx);
    CHECK(is_permutation(vertex, g->nvtx));
}

static void order_alone(const clv_graph *g, cleave_effort effort, int32_t *vertex)
{
    order_by_seed(g, effort, 3, vertex);
}

static void test_any_graph(void)
{
    for (uint64_t seed = 0; seed < 120; seed += TEST_STRIDE) {
        engine_fixture e;
        fixture_options o = fixture_any(seed, seed % 10 ? 80 : 900);
        o.ncon = 1;
        engine_fixture_make(&e, &o);
        order_alone(&e.f.g, effort_of(seed), e.part);
        engine_fixture_free(&e);
    }
}

static void test_any_dag(void)
{
    for (uint64_t seed = 0; seed < 120; seed += TEST_STRIDE) {
        dag_fixture d;
        dag_options o = dag_any(seed, seed % 10 ? 80 : 900);
        o.ncon = 1;
        dag_make(&d, &o);
        int32_t *vertex = malloc(((size_t)d.g.nvtx + 1) * sizeof *vertex);
        order_alone(&d.g, effort_of(seed), vertex);
        CHECK(is_forward(&d.g, vertex));
        free(vertex);
        dag_free(&d);
    }
}

/* A grid whose best intervals are squares; rows would cut 64 per interval.  Sums over a few
 * seeds, because results vary. */
static void test_grid(void)
{
    enum { seeds = 4 };
    static const int32_t intervals[] = {4, 16, 64, 10};
    static const int64_t most[] = {160, 500, 1200, 380}; /* squares: 128, 384, 896 */
    int64_t cut[4] = {0};
    engine_fixture e;
    fixture_options o = {.shape = FIXTURE_GRID, .nvtx = 64 * 64, .nparts = 2, .ncon = 1};
    engine_fixture_make(&e, &o);
    for (uint64_t seed = 1; seed <= seeds; seed++) {
        order_by_seed(&e.f.g, CLEAVE_EFFORT_DEFAULT, seed, e.part);
        for (int i = 0; i < 4; i++)
            cut[i] += cut_into(&e.f.g, e.part, intervals[i]);
    }
    for (int i = 0; i < 4; i++)
        CHECK(cut[i] <= seeds * most[i]);
    engine_fixture_free(&e);
}

/* A path whose vertices are numbered at random. */
static void test_path(void)
{
    enum { n = 500 };
    static int32_t name[n], adj[2 * n], vertex[n];
    static int64_t xadj[n + 1];
    clv_rng rng = clv_rng_make(1, 2, 3, 4);
    clv_rng_permutation(&rng, n, name);
    int32_t *at = places_of(name, n);
    for (int32_t v = 0; v < n; v++) {
        xadj[v + 1] = xadj[v];
        if (at[v] > 0)
            adj[xadj[v + 1]++] = name[at[v] - 1];
        if (at[v] < n - 1)
            adj[xadj[v + 1]++] = name[at[v] + 1];
    }
    free(at);
    clv_graph g = {.nvtx = n, .narc = xadj[n], .xadj = xadj, .adj = adj, .ncon = 1};
    order_alone(&g, CLEAVE_EFFORT_DEFAULT, vertex);
    CHECK(cut_into(&g, vertex, 10) <= 11); /* 9 is the least */
}

static void test_settle(void)
{
    for (uint64_t seed = 0; seed < 60; seed += TEST_STRIDE) {
        engine_fixture e;
        clv_context ctx;
        cleave_error err = {0};
        fixture_options o = fixture_any(seed, 120);
        o.ncon = 1;
        engine_fixture_make(&e, &o);
        fixture_context(&ctx, 2, 3);
        const int32_t *block = e.f.part;
        CHECK_OK(clv_line_smooth(&e.f.g, (clv_line_blocks){o.nparts, block}, 6, &ctx, e.part,
                                 &err));
        CHECK(is_permutation(e.part, o.nvtx));
        for (int32_t p = 1; p < o.nvtx; p++)
            CHECK(block[e.part[p - 1]] <= block[e.part[p]]);
        clv_context_close(&ctx);
        engine_fixture_free(&e);
    }
}

/* No gap is crossed by less when the vertices beside it change places, and none is crossed by
 * more than before. */
static void check_pairs(const clv_graph *g, int32_t *vertex)
{
    int32_t n = g->nvtx;
    int32_t *before = places_of(vertex, n);
    clv_context ctx;
    cleave_error err = {0};
    fixture_context(&ctx, 1, 3);
    CHECK_OK(clv_line_carry(g, 1000, 1, &ctx, vertex, &err));
    clv_context_close(&ctx);
    CHECK(is_permutation(vertex, n));
    int32_t *place = places_of(vertex, n);
    for (int32_t gap = 1; gap < n; gap++) {
        int64_t now = crossing(g, place, gap);
        CHECK(now <= crossing(g, before, gap));
        int32_t a = vertex[gap - 1], b = vertex[gap];
        bool tied = false;
        for (int64_t i = g->xadj[a]; i < g->xadj[a + 1]; i++)
            tied = tied || g->adj[i] == b;
        if (g->kind == CLEAVE_DAG && tied)
            continue;
        place[a] = gap;
        place[b] = gap - 1;
        CHECK(crossing(g, place, gap) >= now);
        place[a] = gap - 1;
        place[b] = gap;
    }
    free(place);
    free(before);
}

static void test_pairs(void)
{
    for (uint64_t seed = 0; seed < 40; seed += TEST_STRIDE) {
        engine_fixture e;
        fixture_options o = fixture_any(seed, 60);
        o.ncon = 1;
        engine_fixture_make(&e, &o);
        clv_rng rng = clv_rng_make(seed, 1, 1, 1);
        clv_rng_permutation(&rng, e.f.g.nvtx, e.part);
        check_pairs(&e.f.g, e.part);
        engine_fixture_free(&e);
        dag_fixture d;
        dag_options p = dag_any(seed, 60);
        dag_make(&d, &p);
        int32_t *vertex = malloc(((size_t)d.g.nvtx + 1) * sizeof *vertex);
        order_alone(&d.g, CLEAVE_EFFORT_FAST, vertex);
        check_pairs(&d.g, vertex);
        CHECK(is_forward(&d.g, vertex));
        free(vertex);
        dag_free(&d);
    }
}

static void test_threads(void)
{
    engine_fixture e;
    fixture_options o = {.shape = FIXTURE_GRID, .nvtx = 3000, .nparts = 2, .ncon = 1};
    engine_fixture_make(&e, &o);
    CHECK(engine_is_deterministic(&e, solve));
    engine_fixture_free(&e);
}

static void test_out_of_memory(void)
{
    engine_fixture e;
    fixture_options o = {.shape = FIXTURE_GRID, .nvtx = 300, .nparts = 300, .ncon = 1};
    engine_fixture_make(&e, &o);
    engine_fail_allocations(&e, 1, 7, solve);
    engine_fixture_free(&e);
}

int main(void)
{
    RUN(test_any_graph);
    RUN(test_any_dag);
    RUN(test_grid);
    RUN(test_path);
    RUN(test_settle);
    RUN(test_pairs);
    RUN(test_threads);
    RUN(test_out_of_memory);
    return test_end();
}
