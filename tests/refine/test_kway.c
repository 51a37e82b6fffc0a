/* SPDX-License-Identifier: Apache-2.0 */
/* refine/state/partition_state.c against the definitions. */
#include "refine/kway_fixture.h"

static void test_measure(void)
{
    for (uint64_t seed = 0; seed < 200; seed++) {
        fixture f;
        fixture_options o = fixture_any(seed, 300);
        fixture_make(&f, &o);
        fixture_scatter(&f, o.nparts, seed);
        memset(f.maybe_boundary, 1, (size_t)o.nvtx);
        f.s.cut = -1;
        clv_context ctx;
        fixture_context(&ctx, 2, 1);
        clv_state_measure(&f.s, &ctx);
        const char *fault = fixture_fault(&f);
        CHECK_STR(fault ? fault : "none", "none");
        clv_context_close(&ctx);
        fixture_free(&f);
    }
}

/* Large enough for the team, with few places and with many. */
static void test_measure_in_parallel(void)
{
    for (int i = 0; i < 4; i++) {
        fixture f;
        fixture_options o = {.shape = i % 2 ? FIXTURE_GRID : FIXTURE_RANDOM,
                             .nvtx = 50000,
                             .nparts = i < 2 ? 5 : 300,
                             .ncon = 2,
                             .vertex_weight = 9,
                             .edge_weight = 3,
                             .slack = 0.1};
        fixture_make(&f, &o);
        fixture_scatter(&f, o.nparts, 4);
        int64_t cut = f.s.cut, *weight = malloc((size_t)o.nparts * 16);
        CHECK_EQ(cut, fixture_cut(&f.s));
        REQUIRE(weight);
        memcpy(weight, f.weight, (size_t)o.nparts * 16);
        clv_context ctx;
        fixture_context(&ctx, 3, 1);
        memset(f.maybe_boundary, 0, (size_t)o.nvtx);
        clv_state_measure(&f.s, &ctx);
        CHECK_EQ(f.s.cut, cut);
        CHECK(memcmp(weight, f.weight, (size_t)o.nparts * 16) == 0);
        int32_t count = 0;
        for (int32_t p = 0; p < o.nparts; p++)
            count += f.count[p];
        CHECK_EQ(count, o.nvtx);
        clv_context_close(&ctx);
        free(weight);
        fixture_free(&f);
    }
}

static bool is_boundary(const clv_partition_state *s, int32_t v)
{
    for (int64_t a = s->g->xadj[v]; a < s->g->xadj[v + 1]; a++)
        if (s->part[s->g->adj[a]] != s->part[v])
            return true;
    return false;
}

static void test_boundary(void)
{
    for (uint64_t seed = 0; seed < 200; seed++) {
        fixture f;
        fixture_options o = fixture_any(seed, 300);
        fixture_make(&f, &o);
        clv_rng rng = clv_rng_make(seed, 1, 2, 3);
        for (int32_t v = 0; v < o.nvtx; v++) /* marks may be too many */
            f.maybe_boundary[v] |= clv_rng_below(&rng, 20) == 0;
        int32_t *list = malloc((size_t)o.nvtx * sizeof *list), expected = 0;
        REQUIRE(list);
        int32_t count = clv_state_boundary(&f.s, list);
        for (int32_t v = 0; v < o.nvtx; v++) {
            bool is = is_boundary(&f.s, v);
            CHECK_EQ(f.maybe_boundary[v], is);
            if (is && expected < count)
                CHECK_EQ(list[expected], v);
            expected += is;
        }
        CHECK_EQ(count, expected);
        free(list);
        fixture_free(&f);
    }
}

static void test_overload_of_empty_parts(void)
{
    fixture f;
    fixture_options o = {.nvtx = 10, .nparts = 5, .ncon = 1, .slack = 4};
    fixture_make(&f, &o);
    CHECK_EQ(clv_state_overload(&f.s), 0);
    fixture_scatter(&f, 1, 1); /* all in one part, which may hold them */
    CHECK_EQ(clv_state_overload(&f.s), 4);
    f.max[4] = 0; /* this one is to stay empty */
    CHECK_EQ(clv_state_overload(&f.s), 3);
    fixture_free(&f);
}

/* A strict order: the smaller overload wins, then the smaller cut. */
static void test_worth(void)
{
    static const int64_t values[] = {0, 1, 7, INT64_MAX - 1, INT64_MAX};
    enum { count = 5 };
    for (int i = 0; i < count * count; i++)
        for (int j = 0; j < count * count; j++) {
            clv_worth a = {values[i / count], values[i % count]};
            clv_worth b = {values[j / count], values[j % count]};
            CHECK_EQ(clv_worth_better(a, b), i < j);
            CHECK_EQ(clv_worth_same(a, b), i == j);
        }
    clv_worth any = {.overload = INT64_MAX - 1, .cut = 5};
    CHECK(clv_worth_better(any, clv_worth_none()));
}

int main(void)
{
    RUN(test_measure);
    RUN(test_measure_in_parallel);
    RUN(test_boundary);
    RUN(test_overload_of_empty_parts);
    RUN(test_worth);
    return test_end();
}
