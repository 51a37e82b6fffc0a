/* SPDX-License-Identifier: Apache-2.0 */
/* engine/order/separator.c and engine/order/dissection*.c: separators are valid and within
 * their bounds, orders are permutations with the reported fill, which is at most that of other
 * tools, and the result is the same for any number of threads. */
#include "engine/order/dissection.h"

#include "engine/engine_fixture.h"
#include "engine/order/dissection_piece.h"
#include "engine/order/separator.h"
#include "evaluate/evaluate.h"
#include "oracle/elimination_oracle.h"
#include "order/elimination/elimination_order.h"
#include "order/elimination/minimum_degree.h"

static cleave_error err;

/* The fixture's graph with one weight per vertex. */
static clv_graph plain(const engine_fixture *e)
{
    clv_graph g = e->f.g;
    if (g.ncon > 1)
        g.vwgt = NULL;
    g.ncon = 1;
    g.xpred = g.xadj;
    g.pred = g.adj;
    return g;
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

static int64_t fill_of(const clv_graph *g, const int32_t *vertex)
{
    clv_ws ws = {NULL};
    clv_fill fill = {0};
    CHECK_OK(clv_evaluate_fill(g, vertex, &ws, &fill, &err));
    clv_ws_free(&ws);
    return fill.fill;
}

/* ---- Separators ------------------------------------------------------------------------- */

static void check_separator(const clv_separation *s)
{
    int64_t weight[3] = {0, 0, 0};
    for (int32_t v = 0; v < s->g->nvtx; v++) {
        REQUIRE(s->part[v] >= 0 && s->part[v] <= 2);
        weight[s->part[v]] += clv_graph_vwgt(s->g, v, 0);
        for (int64_t a = s->g->xadj[v]; a < s->g->xadj[v + 1]; a++)
            CHECK(s->part[v] + s->part[s->g->adj[a]] != 1);
    }
    for (int i = 0; i < 3; i++)
        CHECK_EQ(s->weight[i], weight[i]);
    CHECK(weight[0] <= s->max && weight[1] <= s->max);
}

static void test_separators(void)
{
    for (uint64_t seed = 0; seed < 100; seed += TEST_STRIDE) {
        engine_fixture e;
        clv_context ctx;
        fixture_options o = fixture_any(seed, seed % 10 ? 80 : 1500);
        engine_fixture_make(&e, &o);
        clv_graph g = plain(&e);
        clv_separation s = {.g = &g, .part = e.part};
        s.max = clv_separator_bound(clv_graph_weight(&g), 0.1 * (double)(seed % 4));
        fixture_context(&ctx, 2, seed);
        CHECK_OK(clv_separator(&s, clv_preset_for_separator((cleave_effort)(seed % 3)), &ctx,
                               &err));
        check_separator(&s);
        clv_context_close(&ctx);
        engine_fixture_free(&e);
    }
}

/* A grid of 40 x 40 has separators of 40 vertices. */
static void test_grid_separator(void)
{
    engine_fixture e;
    clv_context ctx;
    fixture_options o = {.shape = FIXTURE_GRID, .nvtx = 1600, .nparts = 2, .ncon = 1};
    engine_fixture_make(&e, &o);
    clv_graph g = plain(&e);
    clv_separation s = {.g = &g, .part = e.part, .max = clv_separator_bound(1600, 0.2)};
    fixture_context(&ctx, 1, 1);
    CHECK_OK(clv_separator(&s, clv_preset_for_separator(CLEAVE_EFFORT_DEFAULT), &ctx, &err));
    check_separator(&s);
    CHECK(s.weight[2] <= 42);
    clv_context_close(&ctx);
    engine_fixture_free(&e);
}

/* ---- Orders ----------------------------------------------------------------------------- */

static void dissect(const clv_graph *g, cleave_effort effort, int32_t *vertex)
{
    clv_context ctx;
    fixture_context(&ctx, 2, 3);
    memset(vertex, 99, (size_t)g->nvtx * sizeof *vertex);
    CHECK_OK(clv_dissection(g, effort, &ctx, vertex, &err));
    clv_context_close(&ctx);
    CHECK(is_permutation(vertex, g->nvtx));
}

static void test_any_graph(void)
{
    for (uint64_t seed = 0; seed < 90; seed += TEST_STRIDE) {
        engine_fixture e;
        fixture_options o = fixture_any(seed, seed % 10 ? 100 : 1500);
        engine_fixture_make(&e, &o);
        clv_graph g = plain(&e);
        dissect(&g, (cleave_effort)(seed % 3), e.part);
        engine_fixture_free(&e);
    }
}

/* From default effort on never above minimum degree, which is a rival of the whole; hubs,
 * which only one of the two leaves out by the reduced graph, are not in these. */
static void test_rivals(void)
{
    clv_ws ws = {NULL};
    engine_fixture e;
    fixture_options o = {.shape = FIXTURE_GRID, .nvtx = 6400, .nparts = 2, .ncon = 1};
    engine_fixture_make(&e, &o);
    clv_graph g = plain(&e);
    dissect(&g, CLEAVE_EFFORT_DEFAULT, e.part);
    int64_t fill = fill_of(&g, e.part);
    CHECK_OK(clv_elimination_order(&g, false, &ws, e.part, &err));
    CHECK(fill <= fill_of(&g, e.part));
    CHECK(fill < 125000); /* minimum degree: 135000 and more */
    dissect(&g, CLEAVE_EFFORT_FAST, e.part);
    CHECK(fill_of(&g, e.part) < 130000);
    clv_ws_free(&ws);
    engine_fixture_free(&e);
}

static void make_whole(clv_dissection_piece *p, const clv_graph *g, int32_t *leader,
                       clv_ws *ws)
{
    bool ended = true;
    atomic_int stopped = 0;
    clv_context ctx = {.ws = ws, .stopped = &stopped};
    CHECK_OK(clv_dissection_whole(p, g, leader, &ctx, &ended, &err));
    REQUIRE(!ended);
}

/* ---- Pieces ----------------------------------------------------------------------------- */

/* Every vertex thrice, tied to its copies and to those of its neighbours: the reduced graph is
 * the one before. */
static void test_reduction(void)
{
    enum { side = 6, n = side * side, copies = 3 };
    static int32_t adj[n * copies * 5 * copies], leader[n * copies];
    static int64_t xadj[n * copies + 1];
    for (int32_t v = 0; v < n * copies; v++) {
        xadj[v + 1] = xadj[v];
        for (int32_t u = 0; u < n * copies; u++) {
            int32_t x = v / copies, y = u / copies;
            int32_t apart = abs(x % side - y % side) + abs(x / side - y / side);
            if (u != v && apart <= 1)
                adj[xadj[v + 1]++] = u;
        }
    }
    clv_graph g = {.nvtx = n * copies, .narc = xadj[n * copies], .xadj = xadj, .adj = adj};
    clv_ws ws = {NULL};
    clv_dissection_piece p;
    g.ncon = 1;
    make_whole(&p, &g, leader, &ws);
    CHECK_EQ(p.ninner, n);
    CHECK_EQ(p.g.narc, 4 * side * (side - 1));
    for (int32_t v = 0; v < n * copies; v++)
        CHECK_EQ(leader[v], v / copies);
    for (int32_t v = 0; v < p.g.nvtx; v++)
        CHECK_EQ(p.g.vwgt[v], copies);
    clv_ws_free(&ws);
}

/* A piece with a halo: what minimum degree orders, and the fill of its columns by the oracle.
 */
static void test_pieces(void)
{
    for (uint64_t seed = 0; seed < 60; seed += TEST_STRIDE) {
        engine_fixture e;
        clv_ws ws = {NULL};
        fixture_options o = fixture_any(seed, 60);
        engine_fixture_make(&e, &o);
        clv_graph g = plain(&e);
        int32_t n = g.nvtx, *part = e.part, *order = calloc((size_t)n + 1, sizeof *order);
        int32_t *leader = calloc((size_t)n + 1, sizeof *leader);
        clv_dissection_piece whole, side;
        int64_t fill;
        make_whole(&whole, &g, leader, &ws);
        for (int32_t v = 0; v < n; v++)
            part[v] = v % 2;
        clv_ws scratch = {NULL};
        clv_dissection_side even = {&whole, part, 0};
        CHECK_OK(clv_dissection_cut(&side, &even, &scratch, &ws, &err));
        clv_ws_free(&scratch);
        CHECK_EQ(side.ninner, (whole.ninner + 1) / 2);
        clv_minimum_degree_task task = {.g = &side.g, .ninner = side.ninner};
        task.copies = side.g.vwgt;
        CHECK_OK(clv_minimum_degree(&task, &ws, order, &err));
        CHECK(is_permutation(order, side.ninner));
        CHECK_OK(clv_dissection_fill(&side, order, &ws, &fill, &err));
        for (int32_t v = side.ninner; v < side.g.nvtx; v++)
            order[v] = v;
        CHECK_EQ(fill, play_elimination(&side.g, order, side.ninner, side.g.vwgt).fill);
        free(order);
        free(leader);
        clv_ws_free(&ws);
        engine_fixture_free(&e);
    }
}

/* ---- Threads, memory -------------------------------------------------------------------- */

static cleave_status solve(engine_fixture *e, clv_context *ctx, cleave_error *error)
{
    clv_graph g = plain(e);
    return clv_dissection(&g, CLEAVE_EFFORT_DEFAULT, ctx, e->part, error);
}

static void test_threads(void)
{
    engine_fixture e;
    fixture_options o = {.shape = FIXTURE_GRID, .nvtx = 20000, .nparts = 2, .ncon = 1};
    engine_fixture_make(&e, &o);
    CHECK(engine_is_deterministic(&e, solve));
    engine_fixture_free(&e);
}

static void test_out_of_memory(void)
{
    engine_fixture e;
    fixture_options o = {.shape = FIXTURE_GRID, .nvtx = 500, .nparts = 500, .ncon = 1};
    engine_fixture_make(&e, &o);
    engine_fail_allocations(&e, 1, 5, solve);
    engine_fixture_free(&e);
    /* Large enough to be shared among threads. */
    o.nvtx = o.nparts = 7000;
    engine_fixture_make(&e, &o);
    engine_fail_allocations(&e, 2, 301 * TEST_STRIDE, solve);
    engine_fixture_free(&e);
}

int main(void)
{
    RUN(test_separators);
    RUN(test_grid_separator);
    RUN(test_any_graph);
    RUN(test_rivals);
    RUN(test_reduction);
    RUN(test_pieces);
    RUN(test_threads);
    RUN(test_out_of_memory);
    return test_end();
}
