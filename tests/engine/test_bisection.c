/* SPDX-License-Identifier: Apache-2.0 */
/* engine/multilevel/bisection.c: any number of parts, unequal and empty ones, fixed vertices,
 * several weights, the same for any number of threads. */
#include "engine/multilevel/bisection.h"

#include "engine/engine_fixture.h"

static cleave_status solve(engine_fixture *e, clv_context *ctx, cleave_error *err)
{
    clv_preset effort = engine_small_effort(CLEAVE_EFFORT_FAST);
    return clv_recursive_bisection(&e->task, &effort, ctx, e->part, err);
}

static void solve_alone(engine_fixture *e)
{
    clv_context ctx;
    cleave_error err = {0};
    uint64_t seed = 3;
    fixture_context(&ctx, 2, seed);
    memset(e->part, 99, (size_t)e->f.g.nvtx * sizeof *e->part);
    CHECK_OK(solve(e, &ctx, &err));
    CHECK_EQ(ctx.seed, seed);
    clv_context_close(&ctx);
    const char *fault = engine_fault(e);
    CHECK_STR(fault ? fault : "none", "none");
}

static void test_any_graph(void)
{
    for (uint64_t seed = 0; seed < 200; seed++) {
        engine_fixture e;
        fixture_options o = fixture_any(seed, seed % 10 ? 80 : 600);
        engine_fixture_make(&e, &o);
        solve_alone(&e);
        engine_fixture_free(&e);
    }
}

static int32_t count_of(const engine_fixture *e, int32_t p)
{
    int32_t count = 0;
    for (int32_t v = 0; v < e->f.g.nvtx; v++)
        count += e->part[v] == p;
    return count;
}

/* Not only powers of two. */
static void test_part_counts(void)
{
    static const int32_t parts[] = {1, 2, 3, 5, 6, 7, 12, 31, 100};
    for (int i = 0; i < 9; i++) {
        engine_fixture e;
        fixture_options o = {
            .shape = FIXTURE_GRID, .nvtx = 2500, .nparts = parts[i], .ncon = 1, .slack = 0.1};
        engine_fixture_make(&e, &o);
        solve_alone(&e);
        for (int32_t p = 0; p < parts[i]; p++)
            CHECK(count_of(&e, p) > 0 && count_of(&e, p) <= 1.15 * 2500 / parts[i] + 1);
        /* Squares of the same size would cut about this much. */
        int64_t cut = engine_cut(&e), squares = 0;
        while (squares * squares < parts[i])
            squares++;
        CHECK(cut <= 150 * (squares - 1));
        engine_fixture_free(&e);
    }
}

/* One vertex per part leaves no choice. */
static void test_one_each(void)
{
    for (int32_t n = 2; n < 40; n += 3) {
        engine_fixture e;
        fixture_options o = {.shape = FIXTURE_GRID, .nvtx = n, .nparts = n, .ncon = 1};
        engine_fixture_make(&e, &o);
        solve_alone(&e);
        CHECK_EQ(engine_overload(&e), 0);
        engine_fixture_free(&e);
    }
}

/* No slack but what rounding gives: n vertices in k parts of at most ceil(n / k). */
static void test_tight(void)
{
    int32_t met = 0, all = 0;
    for (int32_t k = 3; k <= 9; k++) {
        for (int32_t n = 20; n < 60; n += 3) {
            engine_fixture e;
            fixture_options o = {.shape = FIXTURE_GRID, .nvtx = n, .nparts = k, .ncon = 1};
            engine_fixture_make(&e, &o);
            for (int32_t p = 0; p < k; p++) {
                e.share[p] = (double)n / k;
                e.f.max[p] = (n + k - 1) / k;
            }
            solve_alone(&e);
            met += engine_overload(&e) == 0;
            all++;
            engine_fixture_free(&e);
        }
    }
    if (met < all)
        fprintf(stderr, "tight bounds met: %d of %d\n", met, all);
    CHECK(met >= all * 9 / 10);
}

/* Shares 1 : 2 : 3 : ..., some of them 0. */
static void test_unequal(void)
{
    for (int32_t k = 2; k <= 9; k++) {
        for (int32_t empty = -1; empty < k; empty++) {
            engine_fixture e;
            fixture_options o = {.shape = FIXTURE_GRID, .nvtx = 1600, .nparts = k, .ncon = 1};
            engine_fixture_make(&e, &o);
            double sum = 0;
            for (int32_t p = 0; p < k; p++)
                sum += p == empty || (empty >= 0 && p == empty + 2) ? 0 : p + 1;
            if (sum == 0) {
                engine_fixture_free(&e);
                continue;
            }
            for (int32_t p = 0; p < k; p++) {
                bool none = p == empty || (empty >= 0 && p == empty + 2);
                e.share[p] = none ? 0 : 1600 * (p + 1) / sum;
                e.f.max[p] = none ? 0 : (int64_t)(1.1 * e.share[p]) + 1;
            }
            solve_alone(&e);
            for (int32_t p = 0; p < k; p++) {
                int32_t count = count_of(&e, p);
                CHECK(count <= e.f.max[p] + 2);
                CHECK(e.share[p] == 0 || count > 0);
                CHECK(e.f.max[p] > 0 || count == 0);
            }
            engine_fixture_free(&e);
        }
    }
}

/* Three weights per vertex; a bound for each. */
static void test_constraints(void)
{
    engine_fixture e;
    fixture_options o = {.shape = FIXTURE_GRID,
                         .nvtx = 1600,
                         .nparts = 6,
                         .ncon = 3,
                         .vertex_weight = 5,
                         .slack = 0.2};
    engine_fixture_make(&e, &o);
    solve_alone(&e);
    CHECK_EQ(engine_overload(&e), 0);
    engine_fixture_free(&e);
}

static void test_fixed(void)
{
    engine_fixture e;
    fixture_options o = {
        .shape = FIXTURE_GRID, .nvtx = 1600, .nparts = 7, .ncon = 1, .slack = 0.1, .fixed = 3};
    engine_fixture_make(&e, &o);
    solve_alone(&e);
    CHECK(engine_overload(&e) <= 8);
    engine_fixture_free(&e);
}

static void test_threads(void)
{
    for (int32_t shape = 0; shape < FIXTURE_SHAPES; shape++) {
        engine_fixture e;
        fixture_options o = {.shape = (fixture_shape)shape,
                             .nvtx = 4000,
                             .nparts = 13,
                             .ncon = 1,
                             .edge_weight = shape % 2 ? 9 : 0,
                             .slack = 0.05};
        engine_fixture_make(&e, &o);
        CHECK(engine_is_deterministic(&e, solve));
        engine_fixture_free(&e);
    }
}

static void test_out_of_memory(void)
{
    engine_fixture e;
    fixture_options o = {.shape = FIXTURE_GRID,
                         .nvtx = 300,
                         .nparts = 5,
                         .ncon = 1,
                         .slack = 0.1,
                         .lower = true,
                         .fixed = 9};
    engine_fixture_make(&e, &o);
    for (int threads = 1; threads <= 2; threads++)
        engine_fail_allocations(&e, threads, 13, solve);
    engine_fixture_free(&e);
}

/* Blocks of a line that were divided before stay what they are; only inside of them is divided
 * on. */
static void test_done_before(void)
{
    enum { places = 64, before = 8 };
    int32_t cost[places], *done;
    clv_target *t = NULL;
    clv_machine m;
    clv_context ctx;
    cleave_error err = {0};
    engine_fixture e;
    fixture_options o = {
        .shape = FIXTURE_GRID, .nvtx = 2500, .nparts = places, .ncon = 1, .slack = 0.3};
    for (int32_t d = 0; d < places; d++)
        cost[d] = d < 20 ? d : 20;
    engine_fixture_make(&e, &o);
    done = calloc(2500, sizeof *done);
    fixture_context(&ctx, 2, 3);
    CHECK_OK(clv_target_line(&t, places, cost, &err));
    CHECK_OK(clv_machine_make(&m, t, NULL, ctx.ws, &err));
    e.task.machine = &m;
    e.task.fixed = NULL;
    for (int32_t v = 0; v < 2500; v++)
        done[v] = v * before / 2500;
    clv_preset effort = engine_small_effort(CLEAVE_EFFORT_FAST);
    clv_division how = {.policy = CLV_POLICY_BREADTH, .done = done, .ndone = before};
    CHECK_OK(clv_recursive_division(&e.task, &effort, &how, &ctx, e.part, &err));
    int32_t used = 0;
    for (int32_t v = 0; v < 2500; v++)
        CHECK_EQ(e.part[v] / (places / before), done[v]);
    for (int32_t p = 0; p < places; p++)
        used += count_of(&e, p) > 0;
    CHECK_EQ(used, places);
    clv_context_close(&ctx);
    clv_target_free(t);
    free(done);
    engine_fixture_free(&e);
}

static int64_t searches;
static int64_t (*domain_distance)(const clv_target *t, clv_domain x, clv_domain y);

static int64_t count_distance(const clv_target *t, clv_domain x, clv_domain y)
{
    searches++;
    return domain_distance(t, x, y);
}

/* After the time limit, distances of domains are not searched: the halving ends after what
 * takes time linear in the graph. */
static void test_time_is_over(void)
{
    static const int32_t side[2] = {50, 50};
    clv_shape counting;
    clv_target *t = NULL;
    clv_machine m;
    cleave_error err = {0};
    engine_fixture e;
    fixture_options o = {
        .shape = FIXTURE_GRID, .nvtx = 10000, .nparts = 2500, .ncon = 1, .slack = 1};
    engine_fixture_make(&e, &o);
    CHECK_OK(clv_target_mesh(&t, 2, side, false, &err));
    counting = *t->shape;
    domain_distance = counting.distance;
    counting.distance = count_distance;
    counting.searched = true;
    t->shape = &counting;
    for (int over = 0; over < 2; over++) {
        clv_context ctx;
        fixture_context(&ctx, 1, 3);
        CHECK_OK(clv_machine_make(&m, t, NULL, ctx.ws, &err));
        e.task.machine = &m;
        e.task.fixed = NULL;
        atomic_store(ctx.stopped, over);
        searches = 0;
        CHECK_OK(solve(&e, &ctx, &err));
        CHECK(over ? searches == 0 : searches > 2500);
        clv_context_close(&ctx);
    }
    clv_target_free(t);
    engine_fixture_free(&e);
}

int main(void)
{
    RUN(test_any_graph);
    RUN(test_part_counts);
    RUN(test_one_each);
    RUN(test_tight);
    RUN(test_unequal);
    RUN(test_constraints);
    RUN(test_fixed);
    RUN(test_threads);
    RUN(test_out_of_memory);
    RUN(test_done_before);
    RUN(test_time_is_over);
    return test_end();
}
