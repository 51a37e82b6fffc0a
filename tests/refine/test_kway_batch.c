/* SPDX-License-Identifier: Apache-2.0 */
/* Localised FM on boundaries that are long enough for batches of private searches: the same
 * result on any number of threads, an exact state, bounded work, failing allocations. */
#include "refine/fm/kway_batch.h"
#include "refine/kway_fixture.h"

static cleave_status refine_long(clv_partition_state *s, clv_context *ctx, cleave_error *err)
{
    clv_kway_fm_params params = clv_kway_fm_defaults();
    params.rounds = 3;
    return clv_kway_fm(s, &params, ctx, err);
}

/* Boundaries of thousands of vertices: batches of searches, with any bounds. */
static void test_batches(void)
{
    fixture_options o = {.nvtx = 9000,
                         .nparts = 7,
                         .ncon = 2,
                         .vertex_weight = 5,
                         .edge_weight = 9,
                         .slack = 0.05,
                         .lower = true,
                         .fixed = 11,
                         .simple = true,
                         .seed = 5};
    for (int shape = 0; shape < FIXTURE_SHAPES; shape++)
        for (int plain = 0; plain < 2; plain++) {
            fixture f;
            o.shape = (fixture_shape)shape;
            fixture_options now = o;
            if (plain)
                now.vertex_weight = now.edge_weight = 0;
            fixture_make(&f, &now);
            /* One vertex in five elsewhere, so that there are gains and balance. */
            clv_rng rng = clv_rng_make(2, 3, 5, (uint64_t)shape);
            for (int32_t v = 0; v < now.nvtx; v++)
                if (f.fixed[v] < 0 && clv_rng_below(&rng, 5) == 0)
                    f.part[v] = (int32_t)clv_rng_below(&rng, 7);
            CHECK_FINE(fixture_fault_threads(&f, refine_long));
            fixture_free(&f);
        }
}

/* A batch is a small share of the searches and of any size that the threads do not change. */
static void test_size(void)
{
    CHECK_EQ(clv_kway_batch_size(0), 1);
    CHECK_EQ(clv_kway_batch_size(250), 1);
    CHECK(clv_kway_batch_size(256) > 1);
    CHECK(clv_kway_batch_size(INT32_MAX) < 10000);
    for (int32_t n = 256; n < 100000; n += 777)
        CHECK(clv_kway_batch_size(n) <= n / 16);
}

/* Searches that fail are repeated, but the arcs that a round walks stay bounded. */
static void test_work(void)
{
    fixture_options o = {.shape = FIXTURE_RANDOM,
                         .nvtx = 20000,
                         .nparts = 16,
                         .slack = 0.02,
                         .simple = true,
                         .seed = 3};
    clv_context ctx;
    cleave_error err = {0};
    fixture f;
    fixture_make(&f, &o);
    fixture_scatter(&f, 16, 4);
    fixture_context(&ctx, 2, 1);
    clv_state_measure(&f.s, &ctx);
    clv_kway_fm_params params = clv_kway_fm_defaults();
    params.rounds = 1;
    CHECK_OK(clv_kway_fm(&f.s, &params, &ctx, &err));
    CHECK(f.s.touched > 0 && f.s.touched <= 12 * f.s.g->narc);
    clv_context_close(&ctx);
    fixture_free(&f);
}

static void test_memory(void)
{
    fixture_options o = {.shape = FIXTURE_GRID,
                         .nvtx = 3000,
                         .nparts = 60,
                         .slack = 0.1,
                         .simple = true,
                         .seed = 9};
    CHECK_FINE(fixture_fault_memory_of(&o, 60, refine_long, fixture_no_worse));
}

int main(void)
{
    RUN(test_size);
    RUN(test_batches);
    RUN(test_work);
    RUN(test_memory);
    return test_end();
}
