/* SPDX-License-Identifier: Apache-2.0 */
/* engine/multilevel/search.c (and generations.c under it): never worse than a start or than
 * fewer runs, classes that keep boundaries, the same for any number of threads. */
#include "engine/multilevel/search.h"

#include "engine/engine_fixture.h"
#include "engine/multilevel/bisection.h"
#include "engine/multilevel/generations.h"

static clv_preset small_best(void)
{
    clv_preset effort = engine_small_effort(CLEAVE_EFFORT_BEST);
    effort.search.cycles = 1;
    effort.search.population = 3;
    effort.search.generations = 2;
    return effort;
}

static cleave_status solve(engine_fixture *e, clv_context *ctx, cleave_error *err)
{
    clv_preset effort = small_best();
    clv_search_result r;
    return clv_search(&e->task, &effort, ctx, e->part, &r, err);
}

static void check_search(engine_fixture *e, const clv_preset *effort, clv_search_result *r)
{
    clv_context ctx;
    cleave_error err = {0};
    fixture_context(&ctx, 2, 5);
    CHECK_OK(clv_search(&e->task, effort, &ctx, e->part, r, &err));
    CHECK_EQ(ctx.seed, 5);
    clv_context_close(&ctx);
    const char *fault = engine_fault(e);
    CHECK_STR(fault ? fault : "none", "none");
    CHECK_EQ(r->last.worth.cut, engine_cut(e));
    CHECK_EQ(r->last.worth.overload, engine_overload(e));
}

static bool no_worse(clv_worth a, clv_worth b)
{
    return a.overload < b.overload || (a.overload == b.overload && a.cut <= b.cut);
}

/* More work is never worse, and sometimes better. */
static void test_more_is_no_worse(void)
{
    int32_t better = 0;
    for (uint64_t seed = 0; seed < 40; seed++) {
        engine_fixture e;
        clv_search_result one, cycled, bred;
        fixture_options o = fixture_any(seed, 150);
        engine_fixture_make(&e, &o);
        clv_preset effort = engine_small_effort(CLEAVE_EFFORT_FAST);
        check_search(&e, &effort, &one);
        CHECK_EQ(one.runs, 1);
        effort.search.cycles = 2;
        check_search(&e, &effort, &cycled);
        CHECK_EQ(cycled.runs, 3);
        CHECK(no_worse(cycled.last.worth, one.last.worth));
        effort.search.population = 3;
        effort.search.generations = 2;
        check_search(&e, &effort, &bred);
        CHECK(bred.runs > cycled.runs);
        CHECK(no_worse(bred.last.worth, cycled.last.worth));
        better += !no_worse(one.last.worth, bred.last.worth);
        engine_fixture_free(&e);
    }
    CHECK(better > 0);
}

static void test_start(void)
{
    for (uint64_t seed = 0; seed < 80; seed++) {
        engine_fixture e;
        clv_search_result r;
        fixture_options o = fixture_any(seed, 150);
        engine_fixture_make(&e, &o);
        if (seed % 2)
            fixture_scatter(&e.f, o.nparts, seed);
        clv_worth given = {.overload = fixture_overload(&e.f.s), .cut = fixture_cut(&e.f.s)};
        int32_t *start = malloc((size_t)o.nvtx * sizeof *start);
        if (!start)
            abort();
        memcpy(start, e.f.part, (size_t)o.nvtx * sizeof *start);
        e.task.start = start;
        clv_preset effort = engine_small_effort((cleave_effort)(seed % 3));
        check_search(&e, &effort, &r);
        CHECK(no_worse(r.last.worth, given));
        free(start);
        engine_fixture_free(&e);
    }
}

/* Weights 1 and 31 look alike on coarse levels that hold so many of 2^31 - 1: what such a
 * level takes for better may be worse. */
static void make_rounded(engine_fixture *e, uint64_t seed)
{
    fixture_options o = {.shape = FIXTURE_GRID,
                         .nvtx = 400,
                         .nparts = 2 + (int32_t)(seed % 3),
                         .ncon = 1,
                         .edge_weight = 1,
                         .slack = 0.05};
    engine_fixture_make(e, &o);
    const clv_graph *g = &e->f.g;
    int32_t *ewgt = (int32_t *)g->ewgt;
    for (int32_t v = 0; v < o.nvtx; v++)
        for (int64_t a = g->xadj[v]; a < g->xadj[v + 1]; a++) {
            uint64_t lot = clv_hash64(seed + (uint64_t)v * (uint64_t)g->adj[a]) % 10;
            ewgt[a] = lot == 0 ? INT32_MAX : lot < 6 ? 1 : 31;
        }
}

static void test_rounded_weights(void)
{
    for (uint64_t seed = 0; seed < 40; seed++) {
        engine_fixture e;
        clv_search_result one, cycled, again;
        int32_t start[400];
        make_rounded(&e, seed);
        clv_preset effort = engine_small_effort(CLEAVE_EFFORT_FAST);
        check_search(&e, &effort, &one);
        effort.search.cycles = 2;
        check_search(&e, &effort, &cycled);
        CHECK(no_worse(cycled.last.worth, one.last.worth));
        memcpy(start, e.part, sizeof start);
        e.task.start = start;
        effort.search.cycles = 0;
        check_search(&e, &effort, &again);
        CHECK(no_worse(again.last.worth, cycled.last.worth));
        engine_fixture_free(&e);
    }
}

/* ---- Classes ------------------------------------------------------------------------- */

static void check_classes(int32_t nparts, bool both)
{
    enum { n = 300 };
    int32_t a[n], b[n], merge_class[n], fixed[n];
    int64_t xadj[n + 1] = {0};
    clv_graph g = {.nvtx = n, .xadj = xadj, .ncon = 1};
    clv_rng rng = clv_rng_make((uint64_t)nparts, 1, 1, 1);
    for (int32_t v = 0; v < n; v++) {
        /* Few different ones, from both ends of the range. */
        a[v] = (int32_t)clv_rng_below(&rng, 4);
        b[v] = (int32_t)clv_rng_below(&rng, 4);
        a[v] = a[v] < 2 || nparts < 4 ? a[v] % nparts : nparts - a[v] + 1;
        b[v] = b[v] < 2 || nparts < 4 ? b[v] % nparts : nparts - b[v] + 1;
        fixed[v] = v % 5 == 0 ? a[v] : -1;
    }
    clv_multilevel_task task = {
        .g = &g, .bounds = {nparts, g.ncon, NULL, NULL, NULL}, .fixed = fixed};
    clv_multilevel_task cycle = clv_search_cycle(&task, a, both ? b : NULL, merge_class);
    CHECK(cycle.start == a && cycle.merge_class == merge_class && cycle.fixed == fixed);
    for (int32_t v = 0; v < n; v++)
        for (int32_t u = 0; u < v; u++) {
            bool apart = a[u] != a[v] || (fixed[u] >= 0) != (fixed[v] >= 0);
            if (both && nparts <= 10000)
                apart = apart || b[u] != b[v];
            /* With very many parts borders of b may go, those of a never. */
            CHECK(!apart || merge_class[u] != merge_class[v]);
            bool alike = a[u] == a[v] && b[u] == b[v] && (fixed[u] >= 0) == (fixed[v] >= 0);
            CHECK(!alike || merge_class[u] == merge_class[v]);
        }
}

static void test_classes(void)
{
    static const int32_t parts[] = {1,     2,     3,     64,      10000,
                                    32767, 32768, 50000, 1000000, INT32_MAX};
    for (int i = 0; i < 10; i++) {
        check_classes(parts[i], false);
        check_classes(parts[i], true);
    }
}

/* ---- Stopping, threads, memory ------------------------------------------------------- */

static int at_once(void *payload, const cleave_progress *now)
{
    (void)now;
    ++*(int *)payload;
    return 1;
}

static void test_stopping(void)
{
    engine_fixture e;
    cleave_error err = {0};
    clv_search_result r;
    clv_context ctx;
    int called = 0;
    fixture_options o = {
        .shape = FIXTURE_RANDOM, .nvtx = 5000, .nparts = 8, .ncon = 1, .slack = 0.05};
    engine_fixture_make(&e, &o);
    clv_preset effort = small_best();
    effort.search.generations = 1000000;
    /* A time limit is not an error, and it ends generations without a number. */
    REQUIRE_OK(clv_context_open(&ctx, 2, 1, &err));
    clv_context_watch(&ctx, 0.3, NULL, NULL);
    double before = clv_clock();
    CHECK_OK(clv_search(&e.task, &effort, &ctx, e.part, &r, &err));
    double took = clv_clock() - before;
    CHECK(took > 0.2 && took < 10);
    clv_context_close(&ctx);
    const char *fault = engine_fault(&e);
    CHECK_STR(fault ? fault : "none", "none");
    CHECK_EQ(r.last.worth.cut, engine_cut(&e));
    /* So does the callback. */
    REQUIRE_OK(clv_context_open(&ctx, 2, 1, &err));
    clv_context_watch(&ctx, 0, at_once, &called);
    CHECK_OK(clv_search(&e.task, &effort, &ctx, e.part, &r, &err));
    CHECK(called == 1 && clv_context_cancelled(&ctx));
    clv_context_close(&ctx);
    fault = engine_fault(&e);
    CHECK_STR(fault ? fault : "none", "none");
    engine_fixture_free(&e);
}

/* A chain whose fixed vertices allow no acyclic partition, which callers find out before they
 * search: the message of the thread reaches the caller, not that of a failed allocation. */
static void test_reason_of_failure(void)
{
    enum { n = 6 }; /* too few to be coarsened */
    int64_t xadj[n + 1];
    int32_t adj[n], fixed[n], part[n] = {0};
    for (int32_t v = 0; v < n; v++) {
        xadj[v] = v;
        adj[v] = v + 1;
        fixed[v] = v < 3 ? v % 2 : -1;
    }
    xadj[n] = n - 1;
    cleave_csr csr;
    cleave_csr_init(&csr, sizeof csr);
    csr.kind = CLEAVE_DAG;
    csr.nvtx = n;
    csr.xadj = xadj;
    csr.adj = adj;
    cleave_graph *g = NULL;
    cleave_error err = {0};
    REQUIRE_OK(cleave_graph_create(&g, &csr, 0, &err));
    clv_multilevel_task task = {
        .g = g,
        .bounds = {2, g->ncon, (const double[]){n / 2, n / 2}, (const int64_t[]){n, n}, NULL},
        .fixed = fixed};
    for (int threads = 1; threads <= 2; threads++) {
        clv_context ctx;
        clv_preset effort = *clv_preset_of(CLEAVE_EFFORT_BEST, CLEAVE_DAG);
        clv_search_result r = {0};
        clv_solution best = {.part = part};
        fixture_context(&ctx, threads, 5);
        err = (cleave_error){0};
        CHECK_EQ(clv_generations(&task, &effort, &ctx, &best, &r, &err), CLEAVE_ECYCLE);
        CHECK_EQ(err.status, CLEAVE_ECYCLE);
        CHECK(strstr(err.message, "fixed vertices") != NULL);
        err = (cleave_error){0};
        CHECK_EQ(clv_recursive_bisection(&task, &effort, &ctx, part, &err), CLEAVE_ECYCLE);
        CHECK_EQ(err.status, CLEAVE_ECYCLE);
        clv_context_close(&ctx);
    }
    cleave_graph_free(g);
}

static void test_threads(void)
{
    for (int32_t shape = 0; shape < FIXTURE_SHAPES; shape++) {
        engine_fixture e;
        fixture_options o = {.shape = (fixture_shape)shape,
                             .nvtx = 1000,
                             .nparts = shape % 2 ? 2 : 5,
                             .ncon = 1,
                             .slack = 0.05};
        engine_fixture_make(&e, &o);
        CHECK(engine_is_deterministic(&e, solve));
        engine_fixture_free(&e);
    }
}

static void test_out_of_memory(void)
{
    engine_fixture e;
    fixture_options o = {
        .shape = FIXTURE_GRID, .nvtx = 100, .nparts = 3, .ncon = 1, .slack = 0.1};
    engine_fixture_make(&e, &o);
    engine_fail_allocations(&e, 2, 97, solve);
    engine_fixture_free(&e);
}

int main(void)
{
    RUN(test_more_is_no_worse);
    RUN(test_start);
    RUN(test_rounded_weights);
    RUN(test_classes);
    RUN(test_stopping);
    RUN(test_reason_of_failure);
    RUN(test_threads);
    RUN(test_out_of_memory);
    return test_end();
}
