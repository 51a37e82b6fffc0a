/* SPDX-License-Identifier: Apache-2.0 */
/* refine/flow/flow.c, flow_cut.c, flow_schedule.c: invariants kept, never worse, the optimum
 * where the bounds leave one minimum cut to find, same for any number of threads. */
#include "refine/flow_fixture.h"
#include "refine/kway_fixture.h"

static cleave_status refine(clv_partition_state *s, clv_context *ctx, cleave_error *err)
{
    return clv_flow_refine(s, &flow_thorough, ctx, err);
}

static cleave_status refine_any(clv_partition_state *s, clv_context *ctx, cleave_error *err)
{
    uint64_t seed = ctx->seed;
    clv_flow_params params = {.rounds = 1 + (int32_t)(seed % 4),
                              .alpha = 1 + (int32_t)(seed % 16),
                              .depth = (int32_t)(seed % 5),
                              .max_corridor = seed % 7 ? 100000 : 10};
    return clv_flow_refine(s, &params, ctx, err);
}

static void test_promises(void)
{
    CHECK_FINE(fixture_fault_any(800, refine_any, fixture_none_worse));
}

/* ---- Optima --------------------------------------------------------------------------- */

/* The least cut with the fixed vertices where they are, over all sides of the others. */
static int64_t least_cut(const clv_partition_state *s)
{
    int32_t n = s->g->nvtx, part[20];
    int64_t best = INT64_MAX;
    for (uint32_t set = 0; set < UINT32_C(1) << n; set++) {
        clv_partition_state other = *s;
        other.part = part;
        bool legal = true;
        for (int32_t v = 0; v < n; v++) {
            part[v] = set >> v & 1;
            legal = legal && (s->fixed[v] < 0 || s->fixed[v] == part[v]);
        }
        int64_t cut = legal ? fixture_cut(&other) : INT64_MAX;
        best = cut < best ? cut : best;
    }
    return best;
}

/* Without bounds, the best cut between two fixed vertices is a minimum cut. */
static void test_minimum(void)
{
    clv_context ctx;
    fixture_context(&ctx, 1, 1);
    int better = 0;
    for (uint64_t seed = 0; seed < 120; seed++) {
        fixture f;
        cleave_error err = {0};
        fixture_options o = {.shape = seed % 4 ? FIXTURE_GRID : FIXTURE_RANDOM,
                             .nvtx = 4 + (int32_t)(seed % 8),
                             .nparts = 2,
                             .ncon = 1 + (int32_t)(seed % 2),
                             .edge_weight = seed % 3 ? 9 : 0,
                             .slack = 1000,
                             .fixed = 50,
                             .seed = seed};
        fixture_make(&f, &o);
        f.fixed[o.nvtx - 1] = f.part[o.nvtx - 1] = 1;
        fixture_scatter(&f, 2, seed);
        int64_t cut = f.s.cut;
        CHECK_OK(refine(&f.s, &ctx, &err));
        CHECK_EQ(f.s.cut, least_cut(&f.s));
        better += f.s.cut < cut;
        fixture_free(&f);
    }
    CHECK(better > 60);
    clv_context_close(&ctx);
}

/* Wavy borders of a grid become straight, which no single move can begin. */
static void test_straight(void)
{
    enum { side = 24 };
    clv_context ctx;
    fixture_context(&ctx, 1, 1);
    for (int ncon = 1; ncon <= 2; ncon++) {
        fixture f;
        cleave_error err = {0};
        fixture_options o = {.shape = FIXTURE_GRID,
                             .nvtx = side * side,
                             .nparts = 2,
                             .ncon = ncon,
                             .slack = 0.03};
        fixture_make(&f, &o);
        for (int32_t v = 0; v < side * side; v++)
            f.part[v] = v / side < side / 2 + (v % side / 4 % 2 ? 3 : -3);
        fixture_scatter(&f, 0, 0);
        CHECK_EQ(clv_state_overload(&f.s), 0);
        CHECK(f.s.cut > side);
        CHECK_OK(refine(&f.s, &ctx, &err));
        CHECK_EQ(f.s.cut, side);
        CHECK_EQ(clv_state_overload(&f.s), 0);
        fixture_free(&f);
    }
    clv_context_close(&ctx);
}

/* Two cliques on a string of vertices: the lightest cut is anywhere on the string, and the
 * most balanced of them in its middle. */
static void test_even(void)
{
    fixture f;
    cleave_error err = {0};
    fixture_options o = {
        .shape = FIXTURE_GRID, .nvtx = 101, .nparts = 2, .ncon = 1, .slack = 0.5};
    clv_context ctx;
    fixture_context(&ctx, 1, 1);
    fixture_make(&f, &o);
    /* Turn the grid into a path. */
    int64_t xadj[102] = {0};
    int32_t adj[202];
    for (int32_t v = 0; v < 101; v++) {
        xadj[v + 1] = xadj[v];
        if (v > 0)
            adj[xadj[v + 1]++] = v - 1;
        if (v < 100)
            adj[xadj[v + 1]++] = v + 1;
        f.part[v] = v >= 30;
    }
    f.g.xadj = xadj;
    f.g.adj = adj;
    f.g.narc = xadj[101];
    fixture_scatter(&f, 0, 0);
    CHECK_EQ(clv_state_overload(&f.s), 0);
    CHECK_OK(refine(&f.s, &ctx, &err));
    CHECK_EQ(f.s.cut, 1);
    CHECK(f.count[0] == 50 || f.count[0] == 51);
    fixture_free(&f);
    clv_context_close(&ctx);
}

/* Weights whose sums do not fit the capacities of the network. */
static void test_heavy(void)
{
    enum { side = 16 };
    fixture f;
    cleave_error err = {0};
    fixture_options o = {.shape = FIXTURE_GRID,
                         .nvtx = side * side,
                         .nparts = 2,
                         .ncon = 1,
                         .edge_weight = 1,
                         .slack = 0.1};
    clv_context ctx;
    fixture_context(&ctx, 1, 1);
    fixture_make(&f, &o);
    for (int64_t a = 0; a < f.g.narc; a++)
        ((int32_t *)f.g.ewgt)[a] = INT32_MAX;
    for (int32_t v = 0; v < side * side; v++)
        f.part[v] = v / side < side / 2 + (v % side / 2 % 2 ? 2 : -2);
    fixture_scatter(&f, 0, 0);
    CHECK_OK(refine(&f.s, &ctx, &err));
    CHECK_EQ(f.s.cut, (int64_t)side * INT32_MAX);
    CHECK_FINE(fixture_fault(&f));
    fixture_free(&f);
    clv_context_close(&ctx);
}

/* ---- Threads, time, memory ------------------------------------------------------------- */

static void make_many_parts(fixture *f, fixture_shape shape)
{
    fixture_options o = {
        .shape = shape, .nvtx = 3000, .nparts = 24, .ncon = 1, .slack = 0.05, .seed = 2};
    fixture_make(f, &o);
    clv_rng rng = clv_rng_make(1, 1, 1, 1);
    for (int32_t i = 0; i < 1500; i++) { /* swaps keep the balance */
        int32_t u = (int32_t)clv_rng_below(&rng, 3000), v = (u + 1 + i % 70) % 3000;
        int32_t p = f->part[u];
        f->part[u] = f->part[v];
        f->part[v] = p;
    }
    fixture_scatter(f, 0, 0);
}

static void test_threads(void)
{
    for (int shape = 0; shape < FIXTURE_SHAPES; shape++) {
        fixture f;
        make_many_parts(&f, (fixture_shape)shape);
        int64_t cut = f.s.cut;
        CHECK_FINE(fixture_fault_threads(&f, refine));
        CHECK(f.s.cut < cut);
        fixture_free(&f);
    }
}

static void test_time(void)
{
    fixture f;
    cleave_error err = {0};
    make_many_parts(&f, FIXTURE_GRID);
    int64_t cut = f.s.cut;
    clv_context ctx;
    fixture_context(&ctx, 2, 1);
    atomic_store(ctx.stopped, 1);
    CHECK_OK(refine(&f.s, &ctx, &err));
    CHECK_EQ(f.s.cut, cut);
    clv_context_close(&ctx);
    fixture_free(&f);
}

static void test_no_memory(void)
{
    fixture f;
    make_many_parts(&f, FIXTURE_GRID);
    CHECK_FINE(fixture_fault_memory(&f, refine, fixture_none_worse));
    fixture_free(&f);
}

int main(void)
{
    RUN(test_promises);
    RUN(test_minimum);
    RUN(test_straight);
    RUN(test_even);
    RUN(test_heavy);
    RUN(test_threads);
    RUN(test_time);
    RUN(test_no_memory);
    return test_end();
}
