/* SPDX-License-Identifier: Apache-2.0 */
/* refine/fm/bipartition_fm.c: never worse, invariants kept, as good as brute force on small
 * graphs, the same with gains too large for buckets. */
#include "refine/fm/bipartition_fm.h"
#include "refine/kway_fixture.h"
#include "refine/merge_parallel.h"

/* The fixture, without parallel arcs. */
static void make_fixture(fixture *f, const fixture_options *o)
{
    fixture_make(f, o);
    merge_parallel(&f->g);
    fixture_scatter(f, 0, 0);
}

static cleave_status refine(clv_partition_state *s, clv_context *ctx, cleave_error *err)
{
    clv_bipartition_fm_params params = {.passes = 8, .patience = 100};
    return clv_bipartition_fm(s, &params, ctx, err);
}

static fixture_options any_two(uint64_t seed, int32_t largest)
{
    fixture_options o = fixture_any(seed, largest);
    o.nparts = 2;
    if (seed % 5 == 0)
        o.edge_weight = 1000000; /* gains that no bucket has */
    return o;
}

static void test_promises(void)
{
    clv_context ctx;
    fixture_context(&ctx, 1, 1);
    int32_t better = 0;
    for (uint64_t seed = 0; seed < 1500; seed++) {
        fixture f;
        cleave_error err = {0};
        fixture_options o = any_two(seed, seed % 10 ? 60 : 600);
        make_fixture(&f, &o);
        if (seed % 4)
            fixture_scatter(&f, 1 + (int32_t)(seed / 4 % 2), seed);
        int64_t cut = f.s.cut, overload = clv_state_overload(&f.s);
        /* Marks beyond the boundary are allowed. */
        if (seed % 3 == 0)
            memset(f.maybe_boundary, 1, (size_t)o.nvtx);
        CHECK_OK(refine(&f.s, &ctx, &err));
        const char *fault = fixture_fault(&f);
        CHECK_STR(fault ? fault : "none", "none");
        int64_t now = clv_state_overload(&f.s);
        CHECK(now < overload || (now == overload && f.s.cut <= cut));
        better += now < overload || f.s.cut < cut;
        fixture_free(&f);
    }
    CHECK(better > 500);
    clv_context_close(&ctx);
}

/* ---- Against brute force ------------------------------------------------------------- */

typedef struct worth {
    int64_t overload, cut;
} worth;

static bool less(worth a, worth b)
{
    return a.overload != b.overload ? a.overload < b.overload : a.cut < b.cut;
}

static worth best_of_all(fixture *f)
{
    worth best = {INT64_MAX, INT64_MAX};
    for (uint32_t bits = 0; bits < 1u << f->g.nvtx; bits++) {
        bool allowed = true;
        for (int32_t v = 0; v < f->g.nvtx; v++) {
            f->part[v] = (int32_t)(bits >> v & 1);
            allowed = allowed && (!f->s.fixed || f->fixed[v] < 0 || f->fixed[v] == f->part[v]);
        }
        worth now = {fixture_overload(&f->s), fixture_cut(&f->s)};
        if (allowed && less(now, best))
            best = now;
    }
    memcpy(f->part, f->hidden, (size_t)f->g.nvtx * sizeof f->part[0]);
    return best;
}

/* From a few starts the optimum is nearly always found, and nothing below it. */
static void test_optimum(void)
{
    clv_context ctx;
    fixture_context(&ctx, 1, 1);
    int32_t reached = 0, all = 0;
    for (uint64_t seed = 0; seed < 200; seed++) {
        fixture f;
        cleave_error err = {0};
        fixture_options o = any_two(seed, 11);
        o.slack += 0.1;
        o.shape = seed % 2 ? FIXTURE_GRID : FIXTURE_CLIQUES;
        make_fixture(&f, &o);
        worth best = best_of_all(&f), found = {INT64_MAX, INT64_MAX};
        for (uint64_t start = 0; start < 12; start++) {
            fixture_scatter(&f, 2, start);
            CHECK_OK(refine(&f.s, &ctx, &err));
            worth now = {clv_state_overload(&f.s), f.s.cut};
            CHECK(!less(now, best));
            found = less(now, found) ? now : found;
        }
        reached += !less(best, found);
        all++;
        fixture_free(&f);
    }
    if (reached < all * 95 / 100)
        fprintf(stderr, "%d of %d reached\n", reached, all);
    CHECK(reached >= all * 95 / 100);
    clv_context_close(&ctx);
}

/* ---- Quality ------------------------------------------------------------------------- */

/* Columns 0..18 of a grid of 40 x 40 against the rest: the straight border has to move over
 * balanced ground, with no gain for many moves. */
static void test_balances(void)
{
    fixture f;
    cleave_error err = {0};
    clv_context ctx;
    fixture_context(&ctx, 1, 1);
    fixture_options o = {
        .shape = FIXTURE_GRID, .nvtx = 1600, .nparts = 2, .ncon = 1, .slack = 0.01};
    make_fixture(&f, &o);
    for (int32_t columns = 5; columns < 40; columns += 10) {
        for (int32_t v = 0; v < 1600; v++)
            f.part[v] = v % 40 >= columns;
        fixture_scatter(&f, 0, 0);
        CHECK(clv_state_overload(&f.s) > 0);
        CHECK_OK(refine(&f.s, &ctx, &err));
        CHECK_EQ(clv_state_overload(&f.s), 0);
        CHECK(f.s.cut <= 48);
        const char *fault = fixture_fault(&f);
        CHECK_STR(fault ? fault : "none", "none");
    }
    fixture_free(&f);
    clv_context_close(&ctx);
}

/* Lower bounds hold even if a better cut exceeds them: a path with one light edge. */
static void test_lower_bounds(void)
{
    enum { n = 40 };
    int64_t xadj[n + 1] = {0};
    int32_t adj[2 * n], ewgt[2 * n];
    for (int32_t v = 0, a = 0; v < n; v++) {
        for (int32_t u = v - 1; u <= v + 1; u += 2) {
            if (u < 0 || u >= n)
                continue;
            adj[a] = u;
            ewgt[a++] = (u < v ? u : v) == 4 ? 1 : 10;
        }
        xadj[v + 1] = a;
    }
    for (int lower = 0; lower < 2; lower++) {
        fixture f;
        cleave_error err = {0};
        clv_context ctx;
        fixture_context(&ctx, 1, 1);
        fixture_options o = {.shape = FIXTURE_GRID,
                             .nvtx = n,
                             .nparts = 2,
                             .ncon = 1,
                             .edge_weight = 1,
                             .slack = 1,
                             .lower = lower};
        make_fixture(&f, &o);
        f.g.xadj = xadj;
        f.g.adj = adj;
        f.g.ewgt = ewgt;
        f.g.narc = xadj[n];
        f.min[0] = f.min[1] = 10;
        fixture_scatter(&f, 0, 0);
        CHECK_OK(refine(&f.s, &ctx, &err));
        CHECK_EQ(f.s.cut, lower ? 10 : 1);
        CHECK(!lower || (f.weight[0] >= 10 && f.weight[1] >= 10));
        const char *fault = fixture_fault(&f);
        CHECK_STR(fault ? fault : "none", "none");
        fixture_free(&f);
        clv_context_close(&ctx);
    }
}

/* A side below its lower bound is filled though the cut grows: one vertex of a clique
 * against the others. */
static void test_fills(void)
{
    enum { n = 8 };
    int64_t xadj[n + 1] = {0};
    int32_t adj[n * n], part[n] = {0, 1, 1, 1, 1, 1, 1, 1};
    static const int64_t max[] = {n, n};
    fixture f;
    clv_context ctx;
    cleave_error err = {0};
    for (int32_t v = 0; v < n; v++) {
        xadj[v + 1] = xadj[v];
        for (int32_t u = 0; u < n; u++)
            if (u != v)
                adj[xadj[v + 1]++] = u;
    }
    clv_graph g = {.kind = CLEAVE_UNDIRECTED, .nvtx = n, .narc = xadj[n], .ncon = 1};
    g.xadj = g.xpred = xadj;
    g.adj = g.pred = adj;
    fixture_context(&ctx, 1, 1);
    fixture_around(&f, &g, 2, part, max);
    f.min[0] = f.min[1] = 3;
    f.s.bounds.min = f.min;
    CHECK_OK(refine(&f.s, &ctx, &err));
    CHECK_EQ(clv_state_overload(&f.s), 0);
    CHECK_EQ(f.s.cut, 15); /* 3 * 5 */
    fixture_free(&f);
    clv_context_close(&ctx);
}

/* Passes and patience are limits. */
static void test_limits(void)
{
    clv_context ctx;
    fixture_context(&ctx, 1, 1);
    int64_t cut[3];
    static const clv_bipartition_fm_params tried[] = {{0, 100}, {1, 2}, {10, 200}};
    for (int i = 0; i < 3; i++) {
        fixture f;
        cleave_error err = {0};
        fixture_options o = {
            .shape = FIXTURE_GRID, .nvtx = 900, .nparts = 2, .ncon = 1, .slack = 0.05};
        make_fixture(&f, &o);
        fixture_scatter(&f, 2, 3);
        int64_t before = f.s.cut;
        CHECK_OK(clv_bipartition_fm(&f.s, &tried[i], &ctx, &err));
        cut[i] = f.s.cut;
        CHECK_EQ(cut[i] == before, i == 0);
        fixture_free(&f);
    }
    CHECK(cut[1] > cut[2]);
    clv_context_close(&ctx);
}

static void test_out_of_memory(void)
{
    for (int heavy = 0; heavy < 2; heavy++) {
        fixture f;
        fixture_options o = {.shape = FIXTURE_RANDOM,
                             .nvtx = 8000,
                             .nparts = 2,
                             .ncon = 1,
                             .edge_weight = heavy ? 1000000 : 0,
                             .slack = 0.02};
        make_fixture(&f, &o);
        fixture_scatter(&f, 2, 1);
        fixture_fail_allocations(&f, refine);
        fixture_free(&f);
    }
}

int main(void)
{
    RUN(test_promises);
    RUN(test_optimum);
    RUN(test_balances);
    RUN(test_lower_bounds);
    RUN(test_fills);
    RUN(test_limits);
    RUN(test_out_of_memory);
    return test_end();
}
