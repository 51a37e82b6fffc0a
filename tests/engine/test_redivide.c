/* SPDX-License-Identifier: Apache-2.0 */
/* engine/acyclic/redivide.c: the partition stays acyclic and within its bounds, the reported
 * cut is the true one and never larger; a bad division of two neighbouring parts, or of four,
 * is replaced; constraints that do not allow it leave the partition as it is. */
#include "engine/acyclic/redivide.h"

#include "refine/dag_fixture.h"
#include "refine/state/ranks.h"

static clv_preset preset; /* of the calls below */

/* As a refiner, so that the fixture can judge it. */
static cleave_status redivide(clv_partition_state *s, clv_context *ctx, cleave_error *err)
{
    clv_ws_mark mark = clv_ws_save(ctx->ws);
    clv_multilevel_task task = {.g = s->g, .bounds = s->bounds, .fixed = s->fixed};
    clv_solution solution = {.part = s->part, .is = {.worth = clv_state_worth(s)}};
    bool acyclic = false;
    double *share = calloc((size_t)clv_bounds_places(&s->bounds) + 1, sizeof *share);
    if (!share)
        abort();
    for (int64_t i = 0; i < clv_bounds_places(&s->bounds); i++)
        share[i] = (double)s->weight[i];
    task.bounds.share = share;
    cleave_status status = clv_redivide(&task, &preset, ctx, &solution, err);
    free(share);
    clv_ws_restore(ctx->ws, mark);
    clv_state_measure(s, ctx);
    if (status != CLEAVE_OK)
        return status;
    CHECK_EQ(solution.is.worth.cut, s->cut);
    CHECK_EQ(solution.is.worth.overload, clv_state_overload(s));
    status = clv_ranks_make(s, 0, ctx->ws, &acyclic, err);
    CHECK(status != CLEAVE_OK || acyclic);
    return status;
}

static void test_any(void)
{
    for (int e = CLEAVE_EFFORT_DEFAULT; e <= CLEAVE_EFFORT_QUALITY; e++) {
        preset = *clv_preset_of((cleave_effort)e, CLEAVE_DAG);
        CHECK(preset.dag.redivide_sweeps > 0);
        CHECK(dag_refine_any(300, redivide, true) > 5);
    }
}

/* A wave front in slices along its numbers.  The boundary of every second slice is moved: the
 * vertices around it are dealt out as the arcs allow, within bounds that leave room. */
static void make_grid(dag_fixture *f, int32_t nparts, uint64_t seed)
{
    dag_options o = {
        .shape = DAG_GRID, .nvtx = 900, .nparts = nparts, .slack = 0.1, .ncon = 1};
    o.seed = seed;
    dag_make(f, &o);
}

/* With windows of two parts only, and with windows of four. */
static void test_windows(void)
{
    int64_t before = 0, two = 0, four = 0;
    preset = *clv_preset_of(CLEAVE_EFFORT_DEFAULT, CLEAVE_DAG);
    preset.dag.redivide_sweeps = 2;
    for (uint64_t seed = 1; seed <= 8; seed++) {
        dag_fixture f;
        clv_context ctx;
        make_grid(&f, 9, seed);
        fixture_context(&ctx, 1, seed);
        dag_snapshot start = dag_keep(&f);
        before += f.s.cut;
        preset.dag.redivide_parts = 2;
        CHECK_EQ(redivide(&f.s, &ctx, NULL), CLEAVE_OK);
        CHECK(!dag_fault(&f));
        two += f.s.cut;
        dag_return(&f, &start);
        preset.dag.redivide_parts = 4;
        CHECK_EQ(redivide(&f.s, &ctx, NULL), CLEAVE_OK);
        CHECK(!dag_fault(&f));
        four += f.s.cut;
        dag_drop(&start);
        clv_context_close(&ctx);
        dag_free(&f);
    }
    printf("cut %lld, windows of two %lld, of four %lld\n", (long long)before, (long long)two,
           (long long)four);
    CHECK(two < before);
    CHECK(four < two);
}

/* Fixed vertices, two parts and overloaded partitions: nothing changes. */
static void test_left_alone(void)
{
    static const struct {
        int32_t nparts;
        int fixed;
        bool overloaded;
    } cases[] = {{2, 0, false}, {9, 40, false}, {9, 0, true}};
    preset = *clv_preset_of(CLEAVE_EFFORT_QUALITY, CLEAVE_DAG);
    for (int i = 0; i < 3; i++) {
        dag_fixture f;
        clv_context ctx;
        dag_options o = {.shape = DAG_GRID, .nvtx = 400, .ncon = 1, .slack = 0.1, .seed = 3};
        o.nparts = cases[i].nparts;
        o.fixed = cases[i].fixed;
        dag_make(&f, &o);
        if (cases[i].overloaded)
            f.max[0] = 1;
        fixture_context(&ctx, 1, 1);
        dag_snapshot start = dag_keep(&f);
        CHECK_EQ(redivide(&f.s, &ctx, NULL), CLEAVE_OK);
        CHECK(memcmp(start.part, f.part, (size_t)f.g.nvtx * sizeof *f.part) == 0);
        dag_drop(&start);
        clv_context_close(&ctx);
        dag_free(&f);
    }
}

static void test_threads(void)
{
    preset = *clv_preset_of(CLEAVE_EFFORT_QUALITY, CLEAVE_DAG);
    for (uint64_t seed = 1; seed <= 3; seed++) {
        dag_fixture f;
        make_grid(&f, 12, seed);
        CHECK(dag_is_deterministic(&f, redivide));
        dag_free(&f);
    }
}

/* Parts that are joined by arcs of weight 0 only have nothing to gain. */
static void test_weightless_arcs(void)
{
    preset = *clv_preset_of(CLEAVE_EFFORT_DEFAULT, CLEAVE_DAG);
    dag_fixture f;
    clv_context ctx;
    make_grid(&f, 9, 2);
    int32_t *zero = calloc((size_t)f.g.narc + 1, sizeof *zero);
    if (!zero)
        abort();
    f.g.ewgt = f.g.pwgt = zero;
    fixture_context(&ctx, 1, 1);
    clv_state_measure(&f.s, &ctx);
    dag_snapshot start = dag_keep(&f);
    CHECK_EQ(redivide(&f.s, &ctx, NULL), CLEAVE_OK);
    CHECK(memcmp(start.part, f.part, (size_t)f.g.nvtx * sizeof *f.part) == 0);
    dag_drop(&start);
    clv_context_close(&ctx);
    dag_free(&f);
    free(zero);
}

/* A start that is not near the known cut is not refined. */
static void test_known_cut(void)
{
    dag_fixture f;
    clv_context ctx;
    clv_search_result result;
    make_grid(&f, 2, 1);
    fixture_context(&ctx, 1, 1);
    clv_preset split =
        clv_preset_for_window(clv_preset_of(CLEAVE_EFFORT_DEFAULT, CLEAVE_DAG), 2);
    double share[2] = {450, 450};
    clv_multilevel_task task = {.g = &f.g, .bounds = f.s.bounds, .known_cut = 1};
    task.bounds.share = share;
    CHECK_EQ(clv_search(&task, &split, &ctx, f.part, &result, NULL), CLEAVE_OK);
    CHECK(clv_worth_is_none(result.last.worth));
    task.known_cut = INT64_MAX;
    CHECK_EQ(clv_search(&task, &split, &ctx, f.part, &result, NULL), CLEAVE_OK);
    CHECK_EQ(result.last.worth.overload, 0);
    clv_context_close(&ctx);
    dag_free(&f);
}

int main(void)
{
    RUN(test_any);
    RUN(test_windows);
    RUN(test_left_alone);
    RUN(test_threads);
    RUN(test_weightless_arcs);
    RUN(test_known_cut);
    return test_end();
}
