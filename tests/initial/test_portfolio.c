/* SPDX-License-Identifier: Apache-2.0 */
/* initial/portfolio.c: finds obvious cuts, respects bounds, shares and fixed vertices, and is
 * as good as exhaustive search on small graphs. */
#include "initial/portfolio.h"

#include "refine/kway_fixture.h"
#include "refine/merge_parallel.h"

/* The fixture, without parallel arcs. */
static void make_fixture(fixture *f, const fixture_options *o)
{
    fixture_make(f, o);
    merge_parallel(&f->g);
    fixture_scatter(f, 0, 0);
}

static const clv_grow_params usual = {.tries = 10, .most = 20, .fm_passes = 4, .patience = 50};

/* share: that of the hidden solution. */
static cleave_status grow(fixture *f, const clv_grow_params *params, uint64_t seed)
{
    double share[3] = {0, 0, 0};
    for (int32_t v = 0; v < f->g.nvtx; v++)
        for (int32_t c = 0; c < f->g.ncon && f->hidden[v] == 0; c++)
            share[c] += clv_graph_vwgt(&f->g, v, c);
    clv_context ctx;
    cleave_error err = {0};
    fixture_context(&ctx, 1, seed);
    /* Earlier contents must have no effect. */
    for (int32_t v = 0; v < f->g.nvtx; v++)
        f->part[v] = 77;
    f->s.bounds.share = share;
    cleave_status status = clv_grow_bipartition(&f->s, params, &ctx, &err);
    f->s.bounds.share = NULL;
    clv_context_close(&ctx);
    return status;
}

static void check_state(const fixture *f)
{
    const char *fault = fixture_fault(f);
    CHECK_STR(fault ? fault : "none", "none");
}

static void test_any_graph(void)
{
    int32_t met = 0, all = 0;
    for (uint64_t seed = 0; seed < 400; seed++) {
        fixture f;
        fixture_options o = fixture_any(seed, seed % 10 ? 60 : 400);
        o.nparts = 2;
        o.slack += 0.05;
        make_fixture(&f, &o);
        CHECK_EQ(grow(&f, &usual, seed), CLEAVE_OK);
        check_state(&f);
        if (o.ncon == 1 && o.nvtx > 30 && o.shape != FIXTURE_STARS) {
            met += clv_state_overload(&f.s) == 0;
            all++;
        }
        fixture_free(&f);
    }
    CHECK(all > 50 && met >= all * 95 / 100);
}

static void test_grid(void)
{
    int32_t good = 0;
    for (uint64_t seed = 0; seed < 20; seed++) {
        fixture f;
        fixture_options o = {
            .shape = FIXTURE_GRID, .nvtx = 400, .nparts = 2, .ncon = 1, .slack = 0.03};
        make_fixture(&f, &o);
        CHECK_EQ(grow(&f, &usual, seed), CLEAVE_OK);
        CHECK_EQ(clv_state_overload(&f.s), 0);
        CHECK(f.s.cut >= 19 && f.s.cut <= 40);
        good += f.s.cut <= 22;
        check_state(&f);
        fixture_free(&f);
    }
    CHECK(good >= 17);
}

/* Two cliques of ten vertices and one edge between them. */
static void test_two_cliques(void)
{
    int64_t xadj[21];
    int32_t adj[400];
    for (int32_t v = 0, a = 0; v < 20; v++) {
        xadj[v] = a;
        for (int32_t u = 0; u < 20; u++)
            if (u != v && (u % 2 == v % 2 || u + v == 11 * 2 - 3))
                if (u % 2 == v % 2 || u == 9 || v == 9)
                    adj[a++] = u;
        xadj[v + 1] = a;
    }
    for (uint64_t seed = 0; seed < 20; seed++) {
        fixture f;
        fixture_options o = {
            .shape = FIXTURE_GRID, .nvtx = 20, .nparts = 2, .ncon = 1, .slack = 0.2};
        make_fixture(&f, &o);
        f.g.xadj = xadj;
        f.g.adj = adj;
        f.g.narc = xadj[20];
        CHECK_EQ(f.g.narc, 182);
        CHECK_EQ(grow(&f, &usual, seed), CLEAVE_OK);
        CHECK_EQ(f.s.cut, 1);
        for (int32_t v = 2; v < 20; v++)
            CHECK_EQ(f.part[v], f.part[v % 2]);
        check_state(&f);
        fixture_free(&f);
    }
}

/* ---- Shares -------------------------------------------------------------------------- */

static void test_unequal_shares(void)
{
    fixture f;
    fixture_options o = {.shape = FIXTURE_GRID, .nvtx = 900, .nparts = 2, .ncon = 1};
    make_fixture(&f, &o);
    for (int32_t tenths = 0; tenths <= 10; tenths++) {
        int32_t first = 90 * tenths;
        for (int32_t v = 0; v < 900; v++)
            f.hidden[v] = v >= first;
        f.max[0] = first + first / 20;
        f.max[1] = 900 - first + (900 - first) / 20;
        CHECK_EQ(grow(&f, &usual, 1), CLEAVE_OK);
        check_state(&f);
        CHECK_EQ(clv_state_overload(&f.s), 0);
        CHECK(f.count[0] >= first - (900 - first) / 20 && f.count[0] <= f.max[0]);
    }
    fixture_free(&f);
}

/* Growing steps over a vertex that is heavier than all that is missing; FM is not asked. */
static void test_heavy_vertex(void)
{
    for (uint64_t seed = 0; seed < 30; seed++) {
        fixture f;
        fixture_options o = {
            .shape = FIXTURE_GRID, .nvtx = 400, .nparts = 2, .ncon = 1, .vertex_weight = 1};
        make_fixture(&f, &o);
        int32_t *vwgt = (int32_t *)f.g.vwgt;
        for (int32_t v = 0; v < 400; v++) {
            vwgt[v] = v == 210 ? 1000 : 1;
            f.hidden[v] = v >= 200;
        }
        clv_grow_params once = {.tries = 1, .most = 1};
        CHECK_EQ(grow(&f, &once, seed), CLEAVE_OK);
        CHECK_EQ(f.weight[0], 200);
        CHECK_EQ(f.part[210], 1);
        fixture_free(&f);
    }
}

/* The corners of a grid are fixed to alternating parts. */
static void test_fixed(void)
{
    fixture f;
    fixture_options o = {.shape = FIXTURE_GRID,
                         .nvtx = 400,
                         .nparts = 2,
                         .ncon = 1,
                         .slack = 0.05,
                         .fixed = 401};
    make_fixture(&f, &o);
    f.fixed[0] = 1;
    f.fixed[19] = 0;
    f.fixed[380] = 1;
    f.fixed[399] = 0;
    CHECK_EQ(grow(&f, &usual, 1), CLEAVE_OK);
    check_state(&f);
    CHECK_EQ(clv_state_overload(&f.s), 0);
    CHECK(f.part[0] == 1 && f.part[19] == 0 && f.part[380] == 1 && f.part[399] == 0);
    CHECK(f.s.cut <= 26);
    /* All are. */
    for (int32_t v = 0; v < 400; v++)
        f.fixed[v] = f.hidden[v];
    CHECK_EQ(grow(&f, &usual, 1), CLEAVE_OK);
    check_state(&f);
    CHECK(memcmp(f.part, f.hidden, 400 * sizeof f.part[0]) == 0);
    fixture_free(&f);
}

/* ---- Against brute force ------------------------------------------------------------- */

typedef struct worth {
    int64_t overload, cut;
} worth;

static worth best_of_all(fixture *f)
{
    worth best = {INT64_MAX, INT64_MAX};
    for (uint32_t bits = 0; bits < 1u << f->g.nvtx; bits++) {
        bool allowed = true;
        for (int32_t v = 0; v < f->g.nvtx; v++) {
            f->part[v] = (int32_t)(bits >> v & 1);
            allowed = allowed && (!f->s.fixed || f->fixed[v] < 0 || f->fixed[v] == f->part[v]);
        }
        if (!allowed)
            continue;
        worth now = {fixture_overload(&f->s), fixture_cut(&f->s)};
        if (now.overload < best.overload ||
            (now.overload == best.overload && now.cut < best.cut))
            best = now;
    }
    return best;
}

static void test_optimum(void)
{
    int32_t reached = 0, all = 0;
    for (uint64_t seed = 0; seed < 150; seed++) {
        fixture f;
        fixture_options o = fixture_any(seed, 11);
        o.nparts = 2;
        o.slack = 0.2;
        o.lower = false;
        make_fixture(&f, &o);
        worth best = best_of_all(&f);
        clv_grow_params many = {.tries = 30, .most = 60, .fm_passes = 8, .patience = 50};
        CHECK_EQ(grow(&f, &many, seed), CLEAVE_OK);
        worth found = {clv_state_overload(&f.s), f.s.cut};
        CHECK(found.overload > best.overload ||
              (found.overload == best.overload && found.cut >= best.cut));
        reached += found.overload == best.overload && found.cut == best.cut;
        all++;
        fixture_free(&f);
    }
    if (reached < all * 95 / 100)
        fprintf(stderr, "%d of %d reached\n", reached, all);
    CHECK(reached >= all * 95 / 100);
}

/* ---- Parameters, memory -------------------------------------------------------------- */

/* Tries do not depend on each other, so more of them are never worse; index is a seed. */
static void test_tries(void)
{
    int32_t better = 0, different = 0;
    for (uint64_t seed = 0; seed < 60; seed++) {
        fixture f;
        fixture_options o = {.shape = FIXTURE_RANDOM,
                             .nvtx = 100,
                             .nparts = 2,
                             .ncon = 1,
                             .edge_weight = 9,
                             .slack = 0.05,
                             .seed = seed};
        make_fixture(&f, &o);
        clv_grow_params one = usual;
        one.tries = one.most = 1;
        CHECK_EQ(grow(&f, &one, seed), CLEAVE_OK);
        int64_t overload = clv_state_overload(&f.s), cut = f.s.cut;
        CHECK_EQ(grow(&f, &usual, seed), CLEAVE_OK);
        int64_t now = clv_state_overload(&f.s), found = f.s.cut;
        CHECK(now < overload || (now == overload && found <= cut));
        better += found < cut;
        CHECK_EQ(grow(&f, &usual, seed), CLEAVE_OK);
        CHECK_EQ(f.s.cut, found);
        one.index = 1;
        CHECK_EQ(grow(&f, &one, seed), CLEAVE_OK);
        different += f.s.cut != cut;
        fixture_free(&f);
    }
    CHECK(better > 30 && different > 30);
}

static void test_out_of_memory(void)
{
    fixture f;
    fixture_options o = {.shape = FIXTURE_GRID, .nvtx = 5000, .nparts = 2, .ncon = 1};
    make_fixture(&f, &o);
    double share = 2500;
    f.s.bounds.share = &share;
    test_oom_rounds oom = {0};
    clv_grow_params few = {.tries = 2, .most = 2, .fm_passes = 1, .patience = 10};
    while (test_oom_next(&oom)) {
        clv_context ctx;
        cleave_error err = {0};
        fixture_context(&ctx, 1, 1);
        TEST_OOM(&oom, clv_grow_bipartition(&f.s, &few, &ctx, &err));
        clv_context_close(&ctx);
    }
    CHECK(oom.nth > 3 && oom.nth < 100);
    fixture_free(&f);
}

int main(void)
{
    RUN(test_any_graph);
    RUN(test_grid);
    RUN(test_two_cliques);
    RUN(test_unequal_shares);
    RUN(test_heavy_vertex);
    RUN(test_fixed);
    RUN(test_optimum);
    RUN(test_tries);
    RUN(test_out_of_memory);
    return test_end();
}
