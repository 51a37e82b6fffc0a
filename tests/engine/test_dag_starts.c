/* SPDX-License-Identifier: Apache-2.0 */
/* engine/acyclic/dag_starts.c: every start is acyclic, respects fixed vertices, reports its
 * cut, and is within the bounds where weights allow; given starts that are valid are kept.
 */
#include "engine/acyclic/dag_starts.h"

#include "engine/multilevel/search.h"
#include "refine/dag_fixture.h"

enum { efforts = CLEAVE_EFFORT_BEST + 1 };

typedef struct starting {
    dag_fixture f;
    clv_multilevel_task task;
    double *share;
    clv_solution start;
} starting;

static void begin(starting *t, const dag_options *o)
{
    dag_make(&t->f, o);
    dag_scatter(&t->f, 0, 0);
    int64_t places = (int64_t)o->nparts * o->ncon;
    t->share = calloc((size_t)places + 1, sizeof *t->share);
    t->start.part = calloc((size_t)o->nvtx + 1, sizeof *t->start.part);
    if (!t->share || !t->start.part)
        abort();
    for (int64_t i = 0; i < places; i++)
        t->share[i] = (double)t->f.weight[i];
    t->task = (clv_multilevel_task){
        .g = &t->f.g,
        .bounds = {o->nparts, t->f.g.ncon, t->share, t->f.max, t->f.s.bounds.min},
        .fixed = t->f.s.fixed};
}

static void end(starting *t)
{
    dag_free(&t->f);
    free(t->share);
    free(t->start.part);
}

/* Copies the start to the state of the fixture; is its cut the reported one? */
static void check_start(starting *t)
{
    memcpy(t->f.part, t->start.part, (size_t)t->f.g.nvtx * sizeof *t->f.part);
    CHECK(dag_is_acyclic(&t->f.s));
    CHECK_EQ(fixture_cut(&t->f.s), t->start.is.worth.cut);
    CHECK_EQ(fixture_overload(&t->f.s), t->start.is.worth.overload);
    for (int32_t v = 0; t->task.fixed && v < t->f.g.nvtx; v++)
        CHECK(t->task.fixed[v] < 0 || t->task.fixed[v] == t->start.part[v]);
}

static dag_options plain(uint64_t seed, int32_t nparts)
{
    return (dag_options){.shape = (dag_shape)(seed % DAG_SHAPES),
                         .nvtx = 200,
                         .nparts = nparts,
                         .ncon = 1,
                         .slack = 0.1,
                         .seed = seed};
}

/* Unit weights: slices and repairs always fit. */
static void test_makers(void)
{
    for (uint64_t seed = 1; seed <= 40; seed++) {
        starting t;
        clv_context ctx;
        dag_options o = plain(seed, 2 + (int32_t)(seed % 7));
        begin(&t, &o);
        fixture_context(&ctx, 1, seed);
        clv_preset e = *clv_preset_of((cleave_effort)(seed % efforts), CLEAVE_DAG);
        e.dag.any_order = seed % 3 == 0;
        CHECK_EQ(clv_sliced_start(&t.task, &e, &ctx, &t.start, NULL), CLEAVE_OK);
        check_start(&t);
        CHECK_EQ(t.start.is.worth.overload, 0);
        CHECK_EQ(clv_underlying_start(&t.task, &e, &ctx, &t.start, NULL), CLEAVE_OK);
        check_start(&t);
        CHECK_EQ(t.start.is.worth.overload, 0);
        clv_context_close(&ctx);
        end(&t);
    }
}

/* An acyclic start that is not too uneven is taken as it is. */
static void test_given_is_kept(void)
{
    for (uint64_t seed = 1; seed <= 20; seed++) {
        starting t;
        clv_context ctx;
        dag_options o = plain(seed, 5);
        begin(&t, &o);
        fixture_context(&ctx, 1, seed);
        t.task.start = t.f.hidden;
        CHECK_EQ(clv_given_start(&t.task, &ctx, &t.start, NULL), CLEAVE_OK);
        check_start(&t);
        CHECK(memcmp(t.start.part, t.f.hidden, (size_t)o.nvtx * sizeof *t.f.hidden) == 0);
        clv_context_close(&ctx);
        end(&t);
    }
}

/* Cyclic ones are repaired; with all in one of many parts they are cut anew. */
static void test_given_is_mended(void)
{
    for (uint64_t seed = 1; seed <= 20; seed++) {
        starting t;
        clv_context ctx;
        dag_options o = plain(seed, 20);
        begin(&t, &o);
        fixture_context(&ctx, 1, seed);
        int32_t *given = calloc((size_t)o.nvtx, sizeof *given);
        if (!given)
            abort();
        t.task.start = given;
        for (int pass = 0; pass < 2; pass++) {
            for (int32_t v = 0; v < o.nvtx; v++)
                given[v] = pass ? (v * 7 + (int32_t)seed) % 20 : 0;
            CHECK_EQ(clv_given_start(&t.task, &ctx, &t.start, NULL), CLEAVE_OK);
            check_start(&t);
            CHECK_EQ(t.start.is.worth.overload, 0);
        }
        free(given);
        clv_context_close(&ctx);
        end(&t);
    }
}

static cleave_status all_starts(starting *t, clv_context *ctx)
{
    clv_preset e = *clv_preset_of(CLEAVE_EFFORT_FAST, CLEAVE_DAG);
    CLV_TRY(clv_sliced_start(&t->task, &e, ctx, &t->start, NULL));
    CLV_TRY(clv_underlying_start(&t->task, &e, ctx, &t->start, NULL));
    t->task.start = t->f.hidden;
    CLV_TRY(clv_given_start(&t->task, ctx, &t->start, NULL));
    t->task.start = NULL;
    return CLEAVE_OK;
}

/* Of two parts, more undirected starts are never worse if all are refined.  If only the best
 * is (fast), starts of the same seed would change nothing. */
static void test_several_undirected(void)
{
    int32_t better = 0, differ = 0;
    for (uint64_t seed = 1; seed <= 40; seed++) {
        clv_search_result once, thrice;
        starting t;
        clv_context ctx;
        cleave_error err = {0};
        dag_options o = plain(seed, 2 + (int32_t)(seed % 2));
        begin(&t, &o);
        fixture_context(&ctx, 1, seed);
        clv_preset e = *clv_preset_of(CLEAVE_EFFORT_DEFAULT, CLEAVE_DAG);
        e.dag.pair_cycles = 0;
        e.dag.pair_starts = 1;
        CHECK_OK(clv_search(&t.task, &e, &ctx, t.start.part, &once, &err));
        e.dag.pair_starts = 3;
        CHECK_OK(clv_search(&t.task, &e, &ctx, t.start.part, &thrice, &err));
        CHECK_EQ(ctx.seed, seed);
        CHECK_EQ(thrice.runs - once.runs, o.nparts == 2 ? 2 : 0);
        CHECK(!clv_worth_better(once.last.worth, thrice.last.worth));
        better += clv_worth_better(thrice.last.worth, once.last.worth);
        e = *clv_preset_of(CLEAVE_EFFORT_FAST, CLEAVE_DAG);
        CHECK_OK(clv_search(&t.task, &e, &ctx, t.start.part, &once, &err));
        e.dag.pair_starts = 3;
        CHECK_OK(clv_search(&t.task, &e, &ctx, t.start.part, &thrice, &err));
        differ += thrice.last.worth.cut != once.last.worth.cut;
        clv_context_close(&ctx);
        end(&t);
    }
    CHECK(better > 0 && differ > 0);
}

/* Refined after all are made, the same starts lead to the same worth; without those far above
 * the best there are fewer runs. */
static void test_near_starts(void)
{
    int32_t fewer = 0, several = 0;
    for (uint64_t seed = 1; seed <= 40; seed++) {
        clv_search_result each, all, near;
        starting t;
        clv_context ctx;
        cleave_error err = {0};
        dag_options o = plain(seed, 2);
        begin(&t, &o);
        fixture_context(&ctx, 1, seed);
        clv_preset e = *clv_preset_of(CLEAVE_EFFORT_DEFAULT, CLEAVE_DAG);
        e.dag.pair_cycles = 0;
        e.dag.pair_starts = 1; /* runs from others have seeds of their own */
        e.dag.near_starts = 0;
        CHECK_OK(clv_search(&t.task, &e, &ctx, t.start.part, &each, &err));
        e.dag.near_starts = INT32_MAX;
        CHECK_OK(clv_search(&t.task, &e, &ctx, t.start.part, &all, &err));
        CHECK_EQ(all.runs, each.runs);
        CHECK(clv_worth_same(all.last.worth, each.last.worth));
        e.dag.near_starts = 110;
        CHECK_OK(clv_search(&t.task, &e, &ctx, t.start.part, &near, &err));
        t.start.is.worth = near.last.worth;
        check_start(&t);
        CHECK(near.runs >= 1 && near.runs <= all.runs);
        fewer += near.runs < all.runs;
        several += near.runs > 1;
        clv_context_close(&ctx);
        end(&t);
    }
    CHECK(fewer > 0 && several > 0);
}

static void test_out_of_memory(void)
{
    for (uint64_t seed = 1; seed <= 4; seed++) {
        starting t;
        dag_options o = plain(seed, 4);
        begin(&t, &o);
        bool failed = true;
        for (int64_t nth = 1; failed; nth += nth < 40 ? 1 : 7) {
            clv_context ctx;
            int64_t live = test_alloc_live();
            fixture_context(&ctx, 1, seed);
            test_alloc_fail_at(nth);
            cleave_status status = all_starts(&t, &ctx);
            failed = test_alloc_calls() >= nth;
            test_alloc_fail_at(0);
            CHECK(status == CLEAVE_OK || status == CLEAVE_ENOMEM);
            CHECK(failed || status == CLEAVE_OK);
            clv_context_close(&ctx);
            CHECK_EQ(test_alloc_live(), live);
            t.task.start = NULL;
        }
        check_start(&t);
        end(&t);
    }
}

int main(void)
{
    RUN(test_makers);
    RUN(test_given_is_kept);
    RUN(test_given_is_mended);
    RUN(test_several_undirected);
    RUN(test_near_starts);
    RUN(test_out_of_memory);
    return test_end();
}
