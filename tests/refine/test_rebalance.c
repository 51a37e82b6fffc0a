/* SPDX-License-Identifier: Apache-2.0 */
/* refine/balance/rebalance.c and rebalance_swap.c: bounds are met if that is possible, at a
 * small loss, and nothing becomes worse. */
#include "refine/balance/rebalance.h"
#include "refine/kway_fixture.h"

static void check_promises(fixture *f, int64_t before)
{
    CHECK_FINE(fixture_fault(f));
    CHECK(clv_state_overload(&f->s) <= before);
}

static void test_promises(void)
{
    clv_context ctx;
    fixture_context(&ctx, 2, 1);
    int met = 0, total = 600;
    for (uint64_t seed = 0; seed < (uint64_t)total; seed++) {
        fixture f;
        cleave_error err = {0};
        fixture_options o = fixture_any(seed, seed % 10 ? 60 : 600);
        fixture_make(&f, &o);
        fixture_scatter(&f, 1 + (int32_t)(seed % (uint64_t)o.nparts), seed);
        int64_t before = clv_state_overload(&f.s), cut = f.s.cut;
        CHECK_OK(clv_rebalance(&f.s, &ctx, &err));
        check_promises(&f, before);
        if (before == 0)
            CHECK_EQ(f.s.cut, cut);
        bool done = clv_state_overload(&f.s) == 0;
        met += done;
        if (o.ncon == 1 && o.nvtx >= 8 * o.nparts)
            CHECK(done);
        fixture_free(&f);
    }
    /* The others are knapsack problems with a few vertices per part and hardly any slack. */
    CHECK(met >= total * 9 / 10);
    clv_context_close(&ctx);
}

/* With unit weights, or with slack beyond the heaviest vertex, there is always a way. */
static void test_always_met(void)
{
    clv_context ctx;
    fixture_context(&ctx, 2, 1);
    for (uint64_t seed = 0; seed < 400; seed++) {
        fixture f;
        cleave_error err = {0};
        fixture_options o = fixture_any(seed, 400);
        o.ncon = 1;
        o.vertex_weight = seed % 2 ? 0 : 9;
        fixture_make(&f, &o);
        for (int32_t p = 0; p < o.nparts && o.vertex_weight; p++) {
            f.max[p] += 9;
            f.min[p] = f.min[p] > 9 ? f.min[p] - 9 : 0;
        }
        fixture_scatter(&f, 1 + (int32_t)(seed % (uint64_t)o.nparts), seed);
        int64_t before = clv_state_overload(&f.s);
        CHECK_OK(clv_rebalance(&f.s, &ctx, &err));
        check_promises(&f, before);
        CHECK_EQ(clv_state_overload(&f.s), 0);
        fixture_free(&f);
    }
    clv_context_close(&ctx);
}

/* Vertices without edges, with these weights, in these parts. */
static int64_t overload_of_weights(int32_t nvtx, clv_weights vwgt, const int32_t *part,
                                   int32_t nparts, int32_t ncon, const int64_t *max,
                                   const int64_t *min)
{
    fixture f;
    cleave_error err = {0};
    fixture_options o = {
        .shape = FIXTURE_RANDOM, .nvtx = nvtx, .nparts = nparts, .ncon = ncon};
    clv_context ctx;
    fixture_context(&ctx, 1, 1);
    fixture_make(&f, &o);
    clv_graph_set_vwgts(&f.g, vwgt);
    f.s.bounds.max = max;
    f.s.bounds.min = min;
    memcpy(f.part, part, (size_t)nvtx * sizeof *part);
    fixture_scatter(&f, 0, 0);
    int64_t before = clv_state_overload(&f.s);
    CHECK(before > 0);
    CHECK_OK(clv_rebalance(&f.s, &ctx, &err));
    check_promises(&f, before);
    int64_t after = clv_state_overload(&f.s);
    clv_context_close(&ctx);
    fixture_free(&f);
    return after;
}

static int64_t overload_after(int32_t nvtx, const int32_t *vwgt, const int32_t *part,
                              int32_t nparts, int32_t ncon, const int64_t *max,
                              const int64_t *min)
{
    return overload_of_weights(nvtx, (clv_weights){.narrow = vwgt}, part, nparts, ncon, max,
                               min);
}

static void test_swap(void)
{
    int32_t vwgt[] = {3, 3, 2, 2}, part[] = {0, 0, 1, 1};
    int64_t max[] = {5, 5};
    CHECK_EQ(overload_after(4, vwgt, part, 2, 1, max, NULL), 0);
}

/* The same with weights as coarse vertices have them. */
static void test_wide_swap(void)
{
    const int64_t unit = INT64_C(1) << 33;
    int64_t vwgt[] = {0, 3 * unit, 3 * unit, 2 * unit, 2 * unit}, max[] = {5 * unit, 5 * unit};
    int32_t part[] = {0, 0, 0, 1, 1};
    CHECK_EQ(overload_of_weights(5, (clv_weights){.wide = vwgt}, part, 2, 1, max, NULL), 0);
}

/* 4 goes to the part with 7, which gives 2 back to the first. */
static void test_chain(void)
{
    int32_t vwgt[] = {4, 4, 4, 4, 4, 1, 5, 2}, part[] = {0, 0, 0, 1, 1, 1, 2, 2};
    int64_t max[] = {10, 10, 10};
    CHECK_EQ(overload_after(8, vwgt, part, 3, 1, max, NULL), 0);
}

static void test_second_constraint(void)
{
    /* Weights (a, b): part 0 has too much of b only; the light a, heavy b must go. */
    int32_t vwgt[] = {5, 0, 5, 1, 0, 4, 0, 4, 5, 1, 5, 1}, part[] = {0, 0, 0, 0, 1, 1};
    int64_t max[] = {10, 5, 10, 6};
    CHECK_EQ(overload_after(6, vwgt, part, 2, 2, max, NULL), 0);
}

static void test_lower_bounds(void)
{
    int32_t vwgt[] = {1, 1, 1, 1, 1, 1, 1, 1}, part[] = {0, 0, 0, 0, 0, 0, 0, 1};
    int64_t max[] = {8, 8, 8}, min[] = {2, 3, 2};
    CHECK_EQ(overload_after(8, vwgt, part, 3, 1, max, min), 0);
}

static void test_empty_parts(void)
{
    /* Zero weights count as vertices; the part that may hold nothing stays empty. */
    int32_t vwgt[] = {0, 0, 0, 7}, part[] = {0, 0, 0, 0};
    int64_t max[] = {9, 9, 0, 9};
    CHECK_EQ(overload_after(4, vwgt, part, 4, 1, max, NULL), 0);
    int64_t one[] = {1, 1, 1, 1, 1, 1};
    int32_t light[] = {0, 0, 0, 1};
    CHECK_EQ(overload_after(4, light, part, 6, 1, one, NULL),
             0); /* more parts than vertices */
}

/* A strip moves at the boundary: the cut stays about as small as it was. */
static void test_small_loss(void)
{
    fixture f;
    cleave_error err = {0};
    fixture_options o = {
        .shape = FIXTURE_GRID, .nvtx = 10000, .nparts = 2, .ncon = 1, .slack = 0.01};
    clv_context ctx;
    fixture_context(&ctx, 1, 1);
    fixture_make(&f, &o);
    for (int32_t v = 0; v < o.nvtx; v++)
        f.part[v] = v >= 6000; /* 60 full rows of 100 */
    fixture_scatter(&f, 0, 0);
    CHECK_EQ(f.s.cut, 100);
    CHECK_OK(clv_rebalance(&f.s, &ctx, &err));
    CHECK_EQ(clv_state_overload(&f.s), 0);
    CHECK(f.s.cut <= 130);
    clv_context_close(&ctx);
    fixture_free(&f);
}

/* Looking for room among very many parts takes time in proportion to the moves. */
static void test_many_parts(void)
{
    fixture f;
    cleave_error err = {0};
    fixture_options o = {
        .shape = FIXTURE_STARS, .nvtx = 100000, .nparts = 50000, .ncon = 1, .slack = 0.5};
    clv_context ctx;
    fixture_context(&ctx, 1, 1);
    fixture_make(&f, &o);
    for (int32_t p = 0; p < o.nparts; p++)
        f.max[p] = 3;
    fixture_scatter(&f, o.nparts / 2, 1);
    CHECK_OK(clv_rebalance(&f.s, &ctx, &err));
    CHECK_EQ(clv_state_overload(&f.s), 0);
    CHECK(f.s.parts_looked_at <= 30 * (int64_t)o.nvtx);
    clv_context_close(&ctx);
    fixture_free(&f);
}

/* A star of which a part lacks thousands of leaves, and whose hub is too heavy to come: it is
 * not looked at again for each leaf that does. */
static void test_work_at_hub(void)
{
    enum { leaves = 20000, n = leaves + 1 };
    static int64_t xadj[n + 1];
    static int32_t adj[2 * leaves], part[n], vwgt[n] = {leaves / 2};
    clv_context ctx;
    cleave_error err = {0};
    fixture f;
    const int64_t max[2] = {2 * n, leaves / 2};
    for (int32_t v = 1; v < n; v++) {
        xadj[v] = leaves + v - 1;
        adj[v - 1] = v;
        adj[leaves + v - 1] = 0;
        part[v] = v % 4 == 0;
        vwgt[v] = 1;
    }
    xadj[n] = 2 * leaves;
    clv_graph g = {.kind = CLEAVE_UNDIRECTED,
                   .nvtx = n,
                   .narc = 2 * leaves,
                   .xadj = xadj,
                   .adj = adj,
                   .vwgt = vwgt,
                   .ncon = 1};
    fixture_around(&f, &g, 2, part, max);
    f.min[0] = f.min[1] = 9 * leaves / 20;
    f.s.bounds.min = f.min;
    fixture_context(&ctx, 1, 1);
    CHECK(clv_state_overload(&f.s) > leaves / 10);
    CHECK_OK(clv_rebalance(&f.s, &ctx, &err));
    CHECK_FINE(fixture_fault(&f));
    CHECK_EQ(clv_state_overload(&f.s), 0);
    CHECK(f.s.touched <= 64 * g.narc);
    clv_context_close(&ctx);
    fixture_free(&f);
}

static void test_threads(void)
{
    fixture_options o = {
        .nvtx = 30000, .nparts = 7, .ncon = 2, .vertex_weight = 4, .slack = 0.05};
    CHECK_FINE(fixture_fault_shapes(&o, 3, clv_rebalance));
}

/* Every vertex counts 1 and has one of three kinds, and parts are full: nothing but swaps, a
 * third of the vertices in all, brings the same number of each kind to every part.  The pairs
 * that are looked at are bounded by the size of the graph. */
static void test_work_of_swaps(void)
{
    enum { nparts = 9, ncon = 4 };
    static const int32_t sizes[] = {360, 3600};
    clv_context ctx;
    fixture_context(&ctx, 1, 1);
    for (int i = 0; i < 2; i++) {
        fixture f;
        cleave_error err = {0};
        fixture_options o = {
            .shape = FIXTURE_RANDOM, .nvtx = sizes[i], .nparts = nparts, .ncon = ncon};
        fixture_make(&f, &o);
        int32_t each = o.nvtx / nparts, *vwgt = calloc((size_t)o.nvtx * ncon, sizeof *vwgt);
        for (int32_t v = 0; v < o.nvtx; v++) {
            f.part[v] = v / each;
            vwgt[v * ncon] = vwgt[v * ncon + 1 + v / each % 3] = 1;
        }
        for (int32_t p = 0; p < nparts; p++)
            for (int32_t c = 0; c < ncon; c++)
                f.max[p * ncon + c] = c ? each / 3 + 2 : each;
        f.g.vwgt = vwgt;
        fixture_scatter(&f, 0, 0);
        CHECK_OK(clv_rebalance(&f.s, &ctx, &err));
        CHECK_FINE(fixture_fault(&f));
        CHECK_EQ(clv_state_overload(&f.s), 0);
        CHECK(f.s.pairs_looked_at > 0);
        CHECK(f.s.pairs_looked_at <= 1500000 + 1100 * (int64_t)o.nvtx);
        fixture_free(&f);
        free(vwgt);
    }
    clv_context_close(&ctx);
}

static void test_out_of_memory(void)
{
    fixture_options o = {
        .shape = FIXTURE_RANDOM, .nvtx = 20000, .nparts = 9, .ncon = 1, .slack = 0.1};
    CHECK_FINE(fixture_fault_memory_of(&o, 2, clv_rebalance, fixture_no_worse));
    /* One that ends in swaps that do not help. */
    fixture f;
    fixture_options stuck = {.shape = FIXTURE_RANDOM, .nvtx = 3000, .nparts = 3, .ncon = 1};
    fixture_make(&f, &stuck);
    f.max[0] = f.max[1] = f.max[2] = 999;
    fixture_scatter(&f, 3, 1);
    CHECK_FINE(fixture_fault_memory(&f, clv_rebalance, fixture_no_worse));
    fixture_free(&f);
}

int main(void)
{
    RUN(test_promises);
    RUN(test_always_met);
    RUN(test_swap);
    RUN(test_wide_swap);
    RUN(test_chain);
    RUN(test_second_constraint);
    RUN(test_lower_bounds);
    RUN(test_empty_parts);
    RUN(test_small_loss);
    RUN(test_many_parts);
    RUN(test_work_at_hub);
    RUN(test_work_of_swaps);
    RUN(test_threads);
    RUN(test_out_of_memory);
    return test_end();
}
