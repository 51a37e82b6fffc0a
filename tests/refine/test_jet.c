/* SPDX-License-Identifier: Apache-2.0 */
/* refine/jet.c: never worse, promises kept, gets out of local optima, same for any number
 * of threads. */
#include "refine/jet.h"
#include "refine/kway_fixture.h"
#include "refine/label_moves.h"

static cleave_status refine(clv_kway *s, clv_context *ctx, cleave_error *err)
{
    clv_jet_params params = {.rounds = 12, .patience = 6, .temperature = 512};
    return clv_jet(s, &params, ctx, err);
}

static void test_promises(void)
{
    clv_context ctx;
    fixture_context(&ctx, 2, 1);
    for (uint64_t seed = 0; seed < 600; seed++) {
        fixture f;
        cleave_error err = {0};
        fixture_options o = fixture_any(seed, seed % 10 ? 60 : 600);
        fixture_make(&f, &o);
        if (seed % 2)
            fixture_scatter(&f, 1 + (int32_t)(seed / 2 % (uint64_t)o.nparts), seed);
        int64_t cut = f.s.cut, overload = clv_kway_overload(&f.s);
        CHECK_OK(refine(&f.s, &ctx, &err));
        const char *fault = fixture_fault(&f);
        CHECK_STR(fault ? fault : "none", "none");
        int64_t now = clv_kway_overload(&f.s);
        CHECK(now < overload || (now == overload && f.s.cut <= cut));
        fixture_free(&f);
    }
    clv_context_close(&ctx);
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
    clv_label_params greedy = {.rounds = 1000};
    CHECK_OK(clv_label_moves(&f.s, &greedy, &ctx, &err));
    int64_t cut = f.s.cut;
    clv_jet_params params = {.rounds = 100, .patience = 12, .temperature = 768};
    CHECK_OK(clv_jet(&f.s, &params, &ctx, &err));
    CHECK_EQ(clv_kway_overload(&f.s), 0);
    CHECK(f.s.cut < cut * 9 / 10);
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
    for (int32_t shape = 0; shape < FIXTURE_SHAPES; shape++) {
        fixture f;
        fixture_options o = {.shape = (fixture_shape)shape,
                             .nvtx = 12000,
                             .nparts = 7,
                             .ncon = 1 + shape % 2,
                             .edge_weight = shape % 2 ? 5 : 0,
                             .slack = 0.05};
        fixture_make(&f, &o);
        fixture_scatter(&f, 7, 1);
        int64_t start = f.s.cut;
        CHECK(fixture_is_deterministic(&f, refine));
        const char *fault = fixture_fault(&f);
        CHECK_STR(fault ? fault : "none", "none");
        CHECK(f.s.cut < start);
        fixture_free(&f);
    }
}

static void test_out_of_memory(void)
{
    fixture f;
    fixture_options o = {
        .shape = FIXTURE_RANDOM, .nvtx = 10000, .nparts = 9, .ncon = 1, .slack = 0.02};
    fixture_make(&f, &o);
    fixture_scatter(&f, 9, 1);
    fixture_fail_allocations(&f, refine);
    fixture_free(&f);
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
