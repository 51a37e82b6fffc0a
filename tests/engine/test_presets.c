/* SPDX-License-Identifier: Apache-2.0 */
/* engine/presets.c, engine/multilevel/refine_level.c: a higher effort does more work, each
 * kind of work has its effect, and none makes a solution worse. */
#include "engine/multilevel/refine_level.h"

#include "refine/dag_fixture.h"
#include "refine/kway_fixture.h"

static void check_effort(const clv_preset *e)
{
    /* Multilevel runs from other starts alone need no initial partition. */
    bool own = e->dag.runs != 1 && e->dag.runs != 2;
    CHECK(e->coarsening.limit_pair > 1 &&
          (!own || (e->coarsening.limit_per_part > 0 && e->coarsening.limit_least > 1)));
    CHECK(e->dag.runs == 0 || (e->dag.underlying > 0 && e->dag.sliced > 0));
    CHECK(e->coarsening.heaviest >= 1 && e->coarsening.density >= 0 &&
          e->coarsening.density <= 1);
    /* Without bisections there is no first solution of more than two parts. */
    CHECK(!own || (e->initial.bisections >= 1 && e->initial.tries >= 1 &&
                   e->initial.most_tries >= e->initial.tries));
    CHECK(e->refinement.fm_passes >= 1 && e->refinement.fm_patience >= 1);
    CHECK(e->refinement.jet_rounds + e->refinement.fm_rounds + e->refinement.label_rounds > 0);
    CHECK(e->search.population == 0 || e->search.generations > 0);
}

static void check_more(const clv_preset *e, const clv_preset *less)
{
    CHECK(e->initial.bisections >= less->initial.bisections &&
          e->initial.tries >= less->initial.tries);
    CHECK(e->refinement.fm_passes >= less->refinement.fm_passes &&
          e->refinement.fm_rounds >= less->refinement.fm_rounds);
    CHECK(e->refinement.jet_rounds >= less->refinement.jet_rounds &&
          e->refinement.flow_rounds >= less->refinement.flow_rounds);
    CHECK(e->search.population >= less->search.population);
}

/* The bisections inside a bisection would never end. */
static void check_inner(const clv_preset *outer)
{
    clv_preset inner = clv_preset_for_bisection(outer);
    CHECK_EQ(inner.initial.bisections, 0);
    CHECK(inner.search.cycles == 0 && inner.search.population == 0);
    CHECK_EQ(inner.refinement.flow_rounds, outer->dag.pair_flow_rounds);
    CHECK_EQ(inner.coarsening.limit_least, outer->coarsening.limit_pair);
    CHECK(inner.initial.tries > 0 && inner.initial.most_tries >= inner.initial.tries);
    if (outer->initial.tries > 0)
        CHECK_EQ(inner.initial.tries, outer->initial.tries);
}

static void test_table(void)
{
    static const cleave_kind kinds[] = {CLEAVE_UNDIRECTED, CLEAVE_DAG};
    for (int k = 0; k < 2; k++)
        for (int i = CLEAVE_EFFORT_FAST; i <= CLEAVE_EFFORT_BEST; i++) {
            const clv_preset *e = clv_preset_of((cleave_effort)i, kinds[k]);
            check_effort(e);
            check_inner(e);
            if (i > CLEAVE_EFFORT_FAST)
                check_more(e, clv_preset_of((cleave_effort)(i - 1), kinds[k]));
        }
    CHECK_EQ(clv_preset_of(CLEAVE_EFFORT_BEST, CLEAVE_UNDIRECTED)->dag.pair_flow_rounds, 0);
}

/* Presets for parts of a search are valid, and smaller than the whole where they must be. */
static void test_derived(void)
{
    for (int i = CLEAVE_EFFORT_FAST; i <= CLEAVE_EFFORT_BEST; i++) {
        cleave_effort effort = (cleave_effort)i;
        clv_preset on = clv_preset_for_machine(effort);
        clv_preset groups = clv_preset_for_groups(&on);
        clv_preset corridor = clv_preset_for_corridor(&on);
        const clv_order_preset *order = clv_preset_for_order(effort);
        clv_preset line = clv_preset_for_coarse_line(order, false);
        clv_preset first = clv_preset_for_coarse_line(order, true);
        check_effort(&on);
        check_inner(&on);
        check_effort(&line);
        CHECK(on.initial.placement.rounds > 0 && on.initial.placement.starts > 0);
        CHECK(clv_preset_is_one_run(&groups) && clv_preset_is_one_run(&line));
        CHECK_EQ(clv_preset_without_population(&on).search.population, 0);
        CHECK(!clv_preset_for_placed_parts(effort, CLEAVE_DAG).dag.reslice);
        CHECK_EQ(corridor.refinement.jet_rounds + corridor.refinement.label_rounds, 0);
        CHECK(first.refinement.fm_rounds <= line.refinement.fm_rounds);
        CHECK(clv_preset_effort_of_intervals(effort) <= effort);
        CHECK(clv_preset_nested_effort(effort) <= effort);
        clv_preset rival = clv_preset_for_rival(&on, false);
        CHECK(rival.initial.bisections <= clv_preset_for_rival(&on, true).initial.bisections);
        CHECK_EQ(rival.refinement.flow_rounds, 0);
        CHECK_EQ(clv_preset_first_solutions(&line, 100, true), 1);
        CHECK(clv_preset_effort_with_anchors(effort, false, 1000) >= effort);
        CHECK_EQ(clv_preset_effort_with_anchors(effort, true, 1000), effort);
        const clv_preset *plain = clv_preset_of(effort, CLEAVE_UNDIRECTED);
        CHECK_EQ(clv_preset_first_solutions(plain, 2, false), 1);
        CHECK_EQ(clv_preset_first_solutions(plain, 100000, false), 1);
        CHECK(clv_preset_first_solutions(plain, 8, false) >= 1);
        int32_t most = clv_preset_bisections(&on, 2);
        CHECK(most >= 1 && clv_preset_bisections(&on, 100000) <= most);
        for (int32_t depth = 0; depth < 40; depth++) {
            int32_t runs = clv_preset_for_piece(effort, depth).runs;
            CHECK(runs >= 1 && clv_preset_for_piece(effort, depth + 1).runs <= runs);
        }
        for (int light = 0; light < 2; light++)
            CHECK_EQ(clv_preset_for_partition(effort, CLEAVE_UNDIRECTED, light, light)
                         .coarsening.spare_weak,
                     light);
    }
}

/* Children of a generation differ, and each of them can be solved. */
/* Higher efforts try more starts of each bisection, also inside windows; only where every
 * start is refined is there a bound. */
static void test_splits(void)
{
    int32_t starts = 0;
    for (int effort = CLEAVE_EFFORT_FAST; effort <= CLEAVE_EFFORT_BEST; effort++) {
        const clv_preset *e = clv_preset_of((cleave_effort)effort, CLEAVE_DAG);
        clv_preset split = clv_preset_for_split(e), window = clv_preset_for_window(e, 4);
        CHECK_EQ(split.dag.pair_starts, e->dag.split_starts);
        CHECK_EQ(window.dag.split_starts, e->dag.split_starts);
        CHECK(split.dag.pair_starts >= starts);
        CHECK_EQ(split.dag.near_starts > 100, effort > CLEAVE_EFFORT_FAST);
        starts = split.dag.pair_starts;
    }
    CHECK(starts > 1);
}

static void test_varied(void)
{
    static const cleave_kind kinds[] = {CLEAVE_UNDIRECTED, CLEAVE_DAG};
    for (uint64_t seed = 0; seed < 400; seed++) {
        clv_graph g = {.kind = kinds[seed % 2], .nvtx = seed % 3 ? 500 : 50000};
        const clv_preset *whole = clv_preset_of(CLEAVE_EFFORT_BEST, g.kind);
        bool from_scratch = seed % 5 > 0;
        clv_rng rng = clv_rng_make(seed, 0, 0, 0);
        clv_preset child = clv_preset_vary(whole, &g, from_scratch, &rng);
        check_effort(&child);
        check_inner(&child);
        /* Only a small graph without a start is left as it is. */
        if (!from_scratch || g.nvtx > 10000)
            CHECK_EQ(child.coarsening.limit_least, whole->coarsening.limit_least);
        clv_preset_vary_start(&child, &rng);
        CHECK(child.dag.any_order && child.dag.underlying >= 1 && child.dag.underlying <= 2);
        const clv_preset *start = clv_preset_for_underlying(&child);
        CHECK(start == clv_preset_of(CLEAVE_EFFORT_FAST, CLEAVE_UNDIRECTED) ||
              start == clv_preset_of(CLEAVE_EFFORT_DEFAULT, CLEAVE_UNDIRECTED));
    }
}

static const clv_preset *undirected(cleave_effort effort)
{
    return clv_preset_of(effort, CLEAVE_UNDIRECTED);
}

static cleave_status improve(clv_partition_state *s, clv_context *ctx, cleave_error *err)
{
    return clv_refine_level(s, undirected(CLEAVE_EFFORT_QUALITY), ctx, err);
}

static cleave_status improve_any(clv_partition_state *s, clv_context *ctx, cleave_error *err)
{
    return clv_refine_level(s, undirected((cleave_effort)(ctx->seed % 4)), ctx, err);
}

static void test_promises(void)
{
    CHECK_FINE(fixture_fault_any(300, improve_any, fixture_no_worse));
}

/* Each field alone improves a partition at random; all at zero only balance it. */
static int64_t cut_with(const clv_preset *effort, int32_t nparts)
{
    fixture f;
    cleave_error err = {0};
    clv_context ctx;
    fixture_options o = {
        .shape = FIXTURE_GRID, .nvtx = 900, .nparts = nparts, .ncon = 1, .slack = 0.2};
    fixture_context(&ctx, 1, 1);
    fixture_make(&f, &o);
    fixture_scatter(&f, nparts, 1);
    CHECK_OK(clv_refine_level(&f.s, effort, &ctx, &err));
    int64_t cut = f.s.cut;
    clv_context_close(&ctx);
    fixture_free(&f);
    return cut;
}

static void test_fields(void)
{
    clv_preset none = {0}, two = {.refinement = {.fm_passes = 5, .fm_patience = 100}};
    clv_preset label = {.refinement.label_rounds = 5};
    clv_preset jet = {.refinement = {.jet_rounds = 5, .jet_patience = 2}};
    clv_preset fm = {.refinement.fm_rounds = 5}, flow = {.refinement.flow_rounds = 5};
    int64_t before = cut_with(&none, 5);
    CHECK(cut_with(&label, 5) < before);
    CHECK(cut_with(&jet, 5) < before);
    CHECK(cut_with(&fm, 5) < before);
    CHECK(cut_with(&flow, 5) < before);
    CHECK_EQ(cut_with(&two, 5), before);
    CHECK(cut_with(&two, 2) < cut_with(&none, 2));
}

/* The same for re-slicing, which rests by its own gains. */
static void check_reslice_rests(clv_partition_state *s, const clv_preset *few,
                                clv_context *ctx)
{
    cleave_error err = {0};
    clv_preset sliced = *few;
    sliced.dag.reslice = true;
    CHECK_EQ(s->reslice_rest.last, 0); /* nothing was sliced so far */
    for (int64_t before = -1; before != s->cut;) {
        before = s->cut;
        s->reslice_rest.left = 0;
        CHECK_OK(clv_refine_level(s, &sliced, ctx, &err));
    }
    s->reslice_rest.left = s->reslice_rest.last = 0;
    static const int32_t rests[] = {1, 0, 2, 1, 0, 4};
    for (int i = 0; i < 6; i++) {
        CHECK_OK(clv_refine_level(s, &sliced, ctx, &err));
        CHECK_EQ(s->reslice_rest.left, rests[i]);
    }
}

/* Flows in vain rest on one level, then on two, on four; those that gain do not, nor do those
 * whose cost in vain has no bound. */
static void test_flows_rest(void)
{
    clv_preset few = {.refinement = {.fm_passes = 1, .fm_patience = 1, .flow_rounds = 1},
                      .dag.flow_lost = 4};
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
            f.s.flow_rest.left = 0;
            CHECK_OK(clv_refine_level(&f.s, &few, &ctx, &err));
            CHECK_EQ(f.s.flow_rest.left, f.s.flow_rest.last);
            gained += f.s.flow_rest.last == 0;
        }
        CHECK(f.s.flow_rest.last > 0);
        f.s.flow_rest.left = f.s.flow_rest.last = 0;
        static const int32_t rests[] = {1, 0, 2, 1, 0, 4, 3, 2, 1, 0, 8};
        for (int i = 0; i < 11; i++) {
            CHECK_OK(clv_refine_level(&f.s, &few, &ctx, &err));
            CHECK_EQ(f.s.flow_rest.left, rests[i]);
        }
        check_reslice_rests(&f.s, &few, &ctx);
        f.s.flow_rest.left = 0;
        clv_preset any = few;
        any.dag.flow_lost = 0;
        CHECK_OK(clv_refine_level(&f.s, &any, &ctx, &err));
        CHECK_EQ(f.s.flow_rest.left, 0);
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
    RUN(test_derived);
    RUN(test_splits);
    RUN(test_varied);
    RUN(test_promises);
    RUN(test_fields);
    RUN(test_flows_rest);
    RUN(test_threads);
    RUN(test_out_of_memory);
    return test_end();
}
