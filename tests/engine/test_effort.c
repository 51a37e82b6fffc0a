/* SPDX-License-Identifier: Apache-2.0 */
/* engine/effort.c: more effort means more work, each kind of work has its effect, and none of
 * it makes a solution worse. */
#include "engine/effort.h"

#include "refine/dag_fixture.h"
#include "refine/kway_fixture.h"

static void check_effort(const clv_effort *e)
{
    /* Climbs from other starts alone need no first solution. */
    bool own = e->climbs != 1 && e->climbs != 2;
    CHECK(e->limit_pair > 1 && (!own || (e->limit_per_part > 0 && e->limit_least > 1)));
    CHECK(e->climbs == 0 || (e->underlying > 0 && e->sliced > 0));
    CHECK(e->heaviest >= 1 && e->density >= 0 && e->density <= 1);
    /* Without bisections there is no first solution of more than two parts. */
    CHECK(!own || (e->bisections >= 1 && e->tries >= 1 && e->most_tries >= e->tries));
    CHECK(e->fm_passes >= 1 && e->fm_patience >= 1);
    CHECK(e->jet_rounds + e->fm_rounds + e->label_rounds > 0);
    CHECK(e->population == 0 || e->generations > 0);
}

static void check_more(const clv_effort *e, const clv_effort *less)
{
    CHECK(e->bisections >= less->bisections && e->tries >= less->tries);
    CHECK(e->fm_passes >= less->fm_passes && e->fm_rounds >= less->fm_rounds);
    CHECK(e->jet_rounds >= less->jet_rounds && e->flow_rounds >= less->flow_rounds);
    CHECK(e->population >= less->population);
}

/* The bisections inside a bisection would never end. */
static void check_inner(const clv_effort *outer)
{
    clv_effort inner = clv_effort_inner(outer);
    CHECK_EQ(inner.bisections, 0);
    CHECK(inner.cycles == 0 && inner.population == 0);
    CHECK_EQ(inner.flow_rounds, outer->pair_flow_rounds);
    CHECK_EQ(inner.limit_least, outer->limit_pair);
    CHECK_EQ(inner.tries, outer->tries);
}

static void test_table(void)
{
    static const cleave_kind kinds[] = {CLEAVE_UNDIRECTED, CLEAVE_DAG};
    for (int k = 0; k < 2; k++)
        for (int i = CLEAVE_EFFORT_FAST; i <= CLEAVE_EFFORT_BEST; i++) {
            const clv_effort *e = clv_effort_of((cleave_effort)i, kinds[k]);
            check_effort(e);
            check_inner(e);
            if (i > CLEAVE_EFFORT_FAST)
                check_more(e, clv_effort_of((cleave_effort)(i - 1), kinds[k]));
        }
    CHECK_EQ(clv_effort_of(CLEAVE_EFFORT_BEST, CLEAVE_UNDIRECTED)->pair_flow_rounds, 0);
}

static const clv_effort *undirected(cleave_effort effort)
{
    return clv_effort_of(effort, CLEAVE_UNDIRECTED);
}

static cleave_status improve(clv_kway *s, clv_context *ctx, cleave_error *err)
{
    return clv_improve(s, undirected(CLEAVE_EFFORT_QUALITY), ctx, err);
}

static cleave_status improve_any(clv_kway *s, clv_context *ctx, cleave_error *err)
{
    return clv_improve(s, undirected((cleave_effort)(ctx->seed % 4)), ctx, err);
}

static void test_promises(void)
{
    CHECK_FINE(fixture_fault_any(300, improve_any, fixture_no_worse));
}

/* Each field alone improves a partition at random; all at zero only balance it. */
static int64_t cut_with(const clv_effort *effort, int32_t nparts)
{
    fixture f;
    cleave_error err = {0};
    clv_context ctx;
    fixture_options o = {
        .shape = FIXTURE_GRID, .nvtx = 900, .nparts = nparts, .ncon = 1, .slack = 0.2};
    fixture_context(&ctx, 1, 1);
    fixture_make(&f, &o);
    fixture_scatter(&f, nparts, 1);
    CHECK_OK(clv_improve(&f.s, effort, &ctx, &err));
    int64_t cut = f.s.cut;
    clv_context_close(&ctx);
    fixture_free(&f);
    return cut;
}

static void test_fields(void)
{
    clv_effort none = {0}, two = {.fm_passes = 5, .fm_patience = 100};
    clv_effort label = {.label_rounds = 5}, jet = {.jet_rounds = 5, .jet_patience = 2};
    clv_effort fm = {.fm_rounds = 5}, flow = {.flow_rounds = 5};
    int64_t before = cut_with(&none, 5);
    CHECK(cut_with(&label, 5) < before);
    CHECK(cut_with(&jet, 5) < before);
    CHECK(cut_with(&fm, 5) < before);
    CHECK(cut_with(&flow, 5) < before);
    CHECK_EQ(cut_with(&two, 5), before);
    CHECK(cut_with(&two, 2) < cut_with(&none, 2));
}

/* Flows in vain rest on one level, then on two, on four; those that gain do not, nor do those
 * whose cost in vain has no bound. */
static void test_flows_rest(void)
{
    clv_effort few = {.fm_passes = 1, .fm_patience = 1, .flow_rounds = 1, .flow_lost = 4};
    clv_context ctx;
    cleave_error err = {0};
    fixture_context(&ctx, 1, 1);
    int gained = 0;
    for (uint64_t seed = 0; seed < 40; seed++) {
        dag_fixture f;
        dag_options o = {.shape = (dag_shape)(seed % DAG_SHAPES),
                         .nvtx = 300,
                         .nparts = 4,
                         .ncon = 1,
                         .slack = 0.2,
                         .seed = seed};
        dag_make(&f, &o);
        for (int64_t before = -1; before != f.s.cut;) { /* until flows and FM find nothing */
            before = f.s.cut;
            f.s.flow_rest = 0;
            CHECK_OK(clv_improve(&f.s, &few, &ctx, &err));
            CHECK_EQ(f.s.flow_rest, f.s.flow_last_rest);
            gained += f.s.flow_last_rest == 0;
        }
        CHECK(f.s.flow_last_rest > 0);
        f.s.flow_rest = f.s.flow_last_rest = 0;
        static const int32_t rests[] = {1, 0, 2, 1, 0, 4, 3, 2, 1, 0, 8};
        for (int i = 0; i < 11; i++) {
            CHECK_OK(clv_improve(&f.s, &few, &ctx, &err));
            CHECK_EQ(f.s.flow_rest, rests[i]);
        }
        f.s.flow_rest = 0;
        clv_effort any = few;
        any.flow_lost = 0;
        CHECK_OK(clv_improve(&f.s, &any, &ctx, &err));
        CHECK_EQ(f.s.flow_rest, 0);
        dag_free(&f);
    }
    CHECK(gained > 0);
    clv_context_close(&ctx);
}

static void test_threads(void)
{
    fixture f;
    fixture_options o = {
        .shape = FIXTURE_GRID, .nvtx = 8000, .nparts = 6, .ncon = 1, .slack = 0.05};
    fixture_make(&f, &o);
    fixture_scatter(&f, 6, 1);
    CHECK_FINE(fixture_fault_threads(&f, improve));
    fixture_free(&f);
}

static void test_out_of_memory(void)
{
    fixture_options o = {.shape = FIXTURE_RANDOM,
                         .nvtx = 1500,
                         .nparts = 4,
                         .ncon = 1,
                         .slack = 0.05,
                         .simple = true};
    CHECK_FINE(fixture_fault_memory_of(&o, 4, improve, fixture_no_worse));
}

int main(void)
{
    RUN(test_table);
    RUN(test_promises);
    RUN(test_fields);
    RUN(test_flows_rest);
    RUN(test_threads);
    RUN(test_out_of_memory);
    return test_end();
}
