/* SPDX-License-Identifier: Apache-2.0 */
/* refine/moves/label_moves.c: never worse, invariants kept, same for any number of threads. */
#include "refine/kway_fixture.h"
#include "refine/moves/label_moves.h"

static cleave_status refine(clv_partition_state *s, clv_context *ctx, cleave_error *err)
{
    clv_label_params params = {.rounds = 10};
    return clv_label_moves(s, &params, ctx, err);
}

static void test_promises(void)
{
    CHECK_FINE(fixture_fault_any(600, refine, fixture_none_worse));
}

/* Afterwards no single vertex can move with a gain. */
static void test_local_optimum(void)
{
    fixture f;
    fixture_options o = {
        .shape = FIXTURE_GRID, .nvtx = 900, .nparts = 4, .ncon = 1, .slack = 0.3};
    fixture_make(&f, &o);
    fixture_scatter(&f, 4, 1);
    int64_t start = f.s.cut;
    clv_context ctx;
    fixture_context(&ctx, 1, 1);
    clv_label_params params = {.rounds = 1000};
    cleave_error err = {0};
    CHECK_OK(clv_label_moves(&f.s, &params, &ctx, &err));
    CHECK(f.s.cut < start / 2);
    for (int32_t v = 0; v < o.nvtx; v++) {
        int32_t own = f.part[v];
        for (int32_t p = 0; p < o.nparts; p++) {
            if (p == own || !clv_state_may_leave(&f.s, v) || !clv_state_fits(&f.s, v, p))
                continue;
            f.part[v] = p;
            CHECK(fixture_cut(&f.s) >= f.s.cut);
            f.part[v] = own;
        }
    }
    clv_context_close(&ctx);
    fixture_free(&f);
}

/* A lower bound, the last vertex of a part and a full part stop a move that would gain. */
static void test_bounds(void)
{
    fixture f;
    fixture_options o = {.shape = FIXTURE_CLIQUES, .nvtx = 10, .nparts = 2, .ncon = 1};
    clv_context ctx;
    cleave_error err = {0};
    fixture_context(&ctx, 1, 1);
    fixture_make(&f, &o);
    for (int32_t v = 0; v < 10; v++)
        f.part[v] = v >= 8;
    for (int i = 0; i < 4; i++) {
        f.max[0] = i == 1 ? 8 : 10;
        f.min[1] = 2;
        f.s.bounds.min = i == 2 ? f.min : NULL;
        f.part[8] = f.part[9] = 1;
        f.part[8] = i == 3 ? 0 : 1;
        fixture_scatter(&f, 0, 0);
        CHECK_OK(refine(&f.s, &ctx, &err));
        /* Free, one vertex may follow its neighbours; the last one stays. */
        CHECK_EQ(f.count[1], i == 0 || i == 3 ? 1 : 2);
    }
    clv_context_close(&ctx);
    fixture_free(&f);
}

/* Two parts promise the same: the one with the smaller number takes the vertex, in whatever
 * order its row names them.  Vertex 0 leaves vertex 1 behind. */
static void test_ties(void)
{
    static const int64_t xadj[] = {0, 2, 2, 3, 4};
    static const int32_t rows[2][4] = {{2, 3, 0, 0}, {3, 2, 0, 0}}, part[] = {0, 0, 1, 2};
    static const int64_t max[] = {2, 2, 2};
    for (int i = 0; i < 2; i++) {
        fixture f;
        clv_context ctx;
        cleave_error err = {0};
        clv_graph g = {.kind = CLEAVE_UNDIRECTED, .nvtx = 4, .narc = 4, .ncon = 1};
        g.xadj = g.xpred = xadj;
        g.adj = g.pred = rows[i];
        fixture_context(&ctx, 1, 1);
        fixture_around(&f, &g, 3, part, max);
        for (int32_t v = 1; v < 4; v++)
            f.fixed[v] = part[v];
        f.s.fixed = f.fixed;
        CHECK_OK(refine(&f.s, &ctx, &err));
        CHECK_EQ(f.part[0], 1);
        clv_context_close(&ctx);
        fixture_free(&f);
    }
}

static void test_threads(void)
{
    fixture_options o = {
        .nvtx = 36000, .nparts = 7, .ncon = 1, .edge_weight = 5, .slack = 0.05};
    CHECK_FINE(fixture_fault_shapes(&o, 7, refine));
}

static void test_out_of_memory(void)
{
    fixture_options o = {
        .shape = FIXTURE_RANDOM, .nvtx = 33000, .nparts = 9, .ncon = 1, .slack = 0.1};
    CHECK_FINE(fixture_fault_memory_of(&o, 9, refine, fixture_no_worse));
}

int main(void)
{
    RUN(test_promises);
    RUN(test_local_optimum);
    RUN(test_bounds);
    RUN(test_ties);
    RUN(test_threads);
    RUN(test_out_of_memory);
    return test_end();
}
