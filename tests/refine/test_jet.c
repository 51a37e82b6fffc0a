/* SPDX-License-Identifier: Apache-2.0 */
/* refine/moves/jet.c: never worse, invariants kept, leaves local optima, same for any number
 * of threads. */
#include "refine/kway_fixture.h"
#include "refine/moves/jet.h"

static cleave_status refine(clv_partition_state *s, clv_context *ctx, cleave_error *err)
{
    clv_jet_params params = {.rounds = 12, .patience = 6, .temperature = 512};
    return clv_jet(s, &params, ctx, err);
}

static void test_promises(void)
{
    CHECK_FINE(fixture_fault_any(600, refine, fixture_no_worse));
}

/* Moves single vertices with a gain until there is none. */
static void descend(fixture *f)
{
    for (bool moved = true; moved;) {
        moved = false;
        for (int32_t v = 0; v < f->g.nvtx; v++) {
            int32_t tie[4] = {0}, best = f->part[v];
            for (int64_t a = f->g.xadj[v]; a < f->g.xadj[v + 1]; a++)
                tie[f->part[f->g.adj[a]]]++;
            for (int32_t p = 0; p < 4; p++)
                if (tie[p] > tie[best] && clv_state_fits(&f->s, v, p))
                    best = p;
            if (best != f->part[v] && clv_state_may_leave(&f->s, v)) {
                clv_state_move(&f->s, v, best);
                moved = true;
            }
        }
    }
    fixture_scatter(f, 0, 0);
}

/* From a greedy optimum it still finds much. */
static void test_beyond_greedy(void)
{
    fixture f;
    cleave_error err = {0};
    fixture_options o = {
        .shape = FIXTURE_GRID, .nvtx = 10000, .nparts = 4, .ncon = 1, .slack = 0.03};
    clv_context ctx;
    fixture_context(&ctx, 1, 1);
    fixture_make(&f, &o);
    fixture_scatter(&f, 4, 1);
    descend(&f);
    int64_t cut = f.s.cut;
    clv_jet_params params = {.rounds = 100, .patience = 12, .temperature = 768};
    CHECK_OK(clv_jet(&f.s, &params, &ctx, &err));
    CHECK_EQ(clv_state_overload(&f.s), 0);
    CHECK(f.s.cut < cut / 2);
    clv_context_close(&ctx);
    fixture_free(&f);
}

/* Rounds and patience are limits: none means that nothing happens. */
static void test_limits(void)
{
    fixture f;
    cleave_error err = {0};
    fixture_options o = {
        .shape = FIXTURE_GRID, .nvtx = 400, .nparts = 3, .ncon = 1, .slack = 0.1};
    clv_context ctx;
    fixture_context(&ctx, 1, 1);
    fixture_make(&f, &o);
    fixture_scatter(&f, 3, 1);
    int64_t cut = f.s.cut;
    clv_jet_params params = {.rounds = 0, .patience = 8, .temperature = 256};
    CHECK_OK(clv_jet(&f.s, &params, &ctx, &err));
    CHECK_EQ(f.s.cut, cut);
    params = (clv_jet_params){.rounds = 8, .patience = 0, .temperature = 256};
    CHECK_OK(clv_jet(&f.s, &params, &ctx, &err));
    CHECK_EQ(f.s.cut, cut);
    params.patience = 1;
    CHECK_OK(clv_jet(&f.s, &params, &ctx, &err));
    CHECK(f.s.cut < cut);
    clv_context_close(&ctx);
    fixture_free(&f);
}

static void test_threads(void)
{
    fixture_options o = {
        .nvtx = 12000, .nparts = 7, .ncon = 2, .edge_weight = 5, .slack = 0.05};
    CHECK_FINE(fixture_fault_shapes(&o, 7, refine));
}

static void test_out_of_memory(void)
{
    fixture_options o = {
        .shape = FIXTURE_RANDOM, .nvtx = 10000, .nparts = 9, .ncon = 1, .slack = 0.02};
    CHECK_FINE(fixture_fault_memory_of(&o, 9, refine, fixture_no_worse));
}

int main(void)
{
    RUN(test_promises);
    RUN(test_beyond_greedy);
    RUN(test_limits);
    RUN(test_threads);
    RUN(test_out_of_memory);
    return test_end();
}
