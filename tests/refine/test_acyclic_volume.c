/* SPDX-License-Identifier: Apache-2.0 */
/* refine/moves/acyclic_volume.c: acyclic, invariants kept, (overload, volume, cut) never
 * worse, the reported volume is that of the definition, no single move improves the result,
 * inputs move along, every allocation fails once. */
#include "refine/moves/acyclic_volume.h"

#include "refine/dag_fixture.h"
#include "refine/state/ranks.h"

/* The definition: every vertex, every part, every successor. */
static int64_t volume_of(const clv_partition_state *s)
{
    const clv_graph *g = s->g;
    int64_t sum = 0;
    for (int32_t v = 0; v < g->nvtx; v++)
        for (int32_t p = 0; p < s->bounds.nparts; p++) {
            bool there = false;
            for (int64_t a = g->xadj[v]; !there && a < g->xadj[v + 1]; a++)
                there = s->part[g->adj[a]] == p && p != s->part[v];
            sum += there ? (g->vsize ? g->vsize[v] : 1) : 0;
        }
    return sum;
}

static void make(dag_fixture *f, const dag_options *o, int32_t *vsize)
{
    dag_make(f, o);
    for (int32_t v = 0; vsize && v < o->nvtx; v++)
        vsize[v] = (int32_t)(clv_hash64((uint64_t)v + o->seed) % 9);
    f->g.vsize = vsize;
    if (o->seed % 2)
        dag_scatter(f, 1 + (int32_t)(o->seed / 2 % (uint64_t)o->nparts), o->seed);
}

static cleave_status refine(clv_partition_state *s, clv_context *ctx, cleave_error *err)
{
    clv_acyclic_volume_params params = clv_acyclic_volume_defaults();
    return clv_acyclic_volume(s, &params, ctx, err);
}

static void check_fine(const dag_fixture *f)
{
    const char *fault = dag_fault(f);
    CHECK_STR(fault ? fault : "none", "none");
}

static void test_promises(void)
{
    static int32_t vsize[600];
    clv_context ctx;
    fixture_context(&ctx, 1, 1);
    int better = 0;
    for (uint64_t seed = 0; seed < 1500; seed++) {
        dag_fixture f;
        cleave_error err = {0};
        dag_options o = dag_any(seed, seed % 10 ? 60 : 600);
        make(&f, &o, seed % 3 ? NULL : vsize);
        int64_t overload = clv_state_overload(&f.s), volume = volume_of(&f.s), cut = f.s.cut;
        int64_t before = -1, after = -1;
        clv_acyclic_volume_params params = {
            .rounds = 3, .patience = 40, .before = &before, .after = &after};
        CHECK_OK(clv_acyclic_volume(&f.s, &params, &ctx, &err));
        check_fine(&f);
        CHECK_EQ(before, volume);
        CHECK_EQ(after, volume_of(&f.s));
        CHECK(clv_state_overload(&f.s) <= overload);
        CHECK(after < before || (after == before && f.s.cut <= cut));
        better += after < before;
        dag_free(&f);
    }
    CHECK(better > 400);
    clv_context_close(&ctx);
}

/* Does some allowed move of v make (volume, cut) smaller? */
static bool can_improve(clv_partition_state *s, int32_t v, int64_t volume, int64_t cut)
{
    int32_t own = s->part[v];
    clv_rank_range range = clv_ranks_range(s, v);
    bool found = false;
    for (int32_t p = 0; p < s->bounds.nparts && !found; p++) {
        if (p == own || s->rank[p] < range.low || s->rank[p] > range.high ||
            !clv_state_fits(s, v, p) || !clv_state_may_leave(s, v))
            continue;
        s->part[v] = p;
        int64_t now = volume_of(s);
        found = now < volume || (now == volume && fixture_cut(s) < cut);
        s->part[v] = own;
    }
    return found;
}

/* Given the rounds, it ends where no single move to any part helps: the gains are right, and
 * the parts that are tried suffice. */
static void test_local_optimum(void)
{
    static int32_t vsize[80];
    clv_context ctx;
    fixture_context(&ctx, 1, 1);
    for (uint64_t seed = 0; seed < 200; seed++) {
        dag_fixture f;
        cleave_error err = {0};
        dag_options o = dag_any(seed, 80);
        make(&f, &o, seed % 3 ? NULL : vsize);
        clv_acyclic_volume_params params = {.rounds = 1000, .patience = 10};
        CHECK_OK(clv_acyclic_volume(&f.s, &params, &ctx, &err));
        int64_t volume = volume_of(&f.s), cut = fixture_cut(&f.s);
        int32_t better = 0;
        for (int32_t v = 0; v < f.g.nvtx; v++)
            better += can_improve(&f.s, v, volume, cut);
        CHECK_EQ(better, 0);
        dag_free(&f);
    }
    clv_context_close(&ctx);
}

/* From random parts much is to be had. */
static void test_finds_much(void)
{
    clv_context ctx;
    fixture_context(&ctx, 1, 1);
    for (int shape = DAG_RANDOM; shape <= DAG_CHAINS; shape++) {
        if (shape == DAG_GRID) /* nearly all of it ends in one part */
            continue;
        dag_fixture f;
        cleave_error err = {0};
        dag_options o = {
            .shape = (dag_shape)shape, .nvtx = 3000, .nparts = 6, .ncon = 1, .slack = 0.4};
        dag_make(&f, &o);
        dag_scatter(&f, 6, 1);
        int64_t before = volume_of(&f.s);
        CHECK_OK(refine(&f.s, &ctx, &err));
        check_fine(&f);
        CHECK(5 * volume_of(&f.s) < 4 * before);
        dag_free(&f);
    }
    clv_context_close(&ctx);
}

/* Vertex 2 reads the inputs 0 and 1, 3 reads 2, 4 is alone and 3 and 4 are fixed.  One turn
 * must do. */
static void check_inputs(const int32_t *vsize, const int32_t *start, const int32_t *fixed,
                         int64_t before, int64_t after)
{
    static const int64_t xadj[] = {0, 1, 2, 3, 3, 3}, xpred[] = {0, 0, 0, 2, 3, 3};
    static const int32_t adj[] = {2, 2, 3}, pred[] = {0, 1, 2};
    static const int64_t max[] = {5, 5};
    int32_t part[5], count[2], rank[] = {0, 1};
    int64_t weight[2];
    uint8_t maybe_boundary[5];
    clv_graph g = {.kind = CLEAVE_DAG,
                   .nvtx = 5,
                   .narc = 3,
                   .xadj = xadj,
                   .adj = adj,
                   .xpred = xpred,
                   .pred = pred,
                   .vsize = vsize,
                   .ncon = 1};
    clv_partition_state s = {.g = &g,
                             .bounds = {2, g.ncon, NULL, max, NULL},
                             .part = part,
                             .fixed = fixed,
                             .weight = weight,
                             .count = count,
                             .maybe_boundary = maybe_boundary,
                             .rank = rank};
    clv_context ctx;
    cleave_error err = {0};
    clv_acyclic_volume_params params = {.rounds = 1, .patience = 1};
    fixture_context(&ctx, 1, 1);
    memcpy(part, start, sizeof part);
    clv_state_measure(&s, &ctx);
    CHECK_EQ(volume_of(&s), before);
    CHECK_OK(clv_acyclic_volume(&s, &params, &ctx, &err));
    CHECK_EQ(volume_of(&s), after);
    CHECK(dag_is_acyclic(&s));
    CHECK_EQ(s.cut, fixture_cut(&s));
    clv_context_close(&ctx);
}

static void test_inputs(void)
{
    /* 2 goes up to its reader, which alone would be a loss, and the inputs follow. */
    static const int32_t small[] = {1, 1, 1, 1, 1}, low[] = {0, 0, 0, 1, 0};
    static const int32_t ends[] = {-1, -1, -1, 1, 0};
    check_inputs(small, low, ends, 1, 0);
    /* 2 goes down to 0, which has much to send and is fixed: 1 must go ahead. */
    static const int32_t large[] = {9, 1, 1, 1, 1}, high[] = {0, 1, 1, 1, 0};
    static const int32_t held[] = {0, -1, -1, 1, 0};
    check_inputs(large, high, held, 9, 1);
    /* But not if 1 is fixed as well. */
    static const int32_t stuck[] = {0, 1, -1, 1, 0};
    check_inputs(large, high, stuck, 9, 9);
}

/* Vertices that thousands read are not scanned whenever one of these moves: a blink here,
 * minutes otherwise. */
static void test_hubs(void)
{
    clv_context ctx;
    fixture_context(&ctx, 1, 1);
    for (int32_t nparts = 2; nparts <= 152; nparts += 75) {
        dag_fixture f;
        cleave_error err = {0};
        dag_options o = {
            .shape = DAG_HUBS, .nvtx = 30000, .nparts = nparts, .ncon = 1, .slack = 0.5};
        dag_make(&f, &o);
        dag_scatter(&f, nparts, 1);
        for (int32_t p = 0; p < nparts; p++)
            f.max[p] = o.nvtx;
        int64_t start, after;
        clv_acyclic_volume_params params = {
            .rounds = 2, .patience = o.nvtx, .before = &start, .after = &after};
        CHECK_OK(clv_acyclic_volume(&f.s, &params, &ctx, &err));
        check_fine(&f);
        CHECK_EQ(after, volume_of(&f.s));
        CHECK(3 * after < 2 * start);
        dag_free(&f);
    }
    clv_context_close(&ctx);
}

static void test_threads(void)
{
    dag_fixture f;
    dag_options o = {.shape = DAG_LOCAL, .nvtx = 5000, .nparts = 7, .ncon = 1, .slack = 0.05};
    dag_make(&f, &o);
    CHECK(dag_is_deterministic(&f, refine));
    dag_free(&f);
}

/* A context that stops: the state is valid and not worse. */
static void test_stop(void)
{
    dag_fixture f;
    cleave_error err = {0};
    clv_context ctx;
    dag_options o = {.shape = DAG_LOCAL, .nvtx = 4000, .nparts = 5, .ncon = 1, .slack = 0.5};
    dag_make(&f, &o);
    dag_scatter(&f, 5, 1);
    fixture_context(&ctx, 1, 1);
    atomic_store(ctx.stopped, 1);
    int64_t before = volume_of(&f.s);
    CHECK_OK(refine(&f.s, &ctx, &err));
    CHECK(volume_of(&f.s) <= before);
    check_fine(&f);
    clv_context_close(&ctx);
    dag_free(&f);
}

/* Every allocation fails in turn. */
static void test_out_of_memory(void)
{
    dag_fixture f;
    dag_options o = {.shape = DAG_LOCAL, .nvtx = 20000, .nparts = 60, .ncon = 1, .slack = 0.1};
    dag_make(&f, &o);
    dag_snapshot start = dag_keep(&f);
    int64_t before = volume_of(&f.s);
    test_oom_rounds oom = {0};
    while (test_oom_next(&oom)) {
        clv_context ctx;
        cleave_error err = {0};
        dag_return(&f, &start);
        int64_t overload = clv_state_overload(&f.s);
        fixture_context(&ctx, 1, 3);
        TEST_OOM(&oom, refine(&f.s, &ctx, &err));
        clv_context_close(&ctx);
        CHECK(volume_of(&f.s) <= before && clv_state_overload(&f.s) <= overload);
        check_fine(&f);
    }
    CHECK(oom.nth > 2 && oom.nth < 500);
    dag_drop(&start);
    dag_free(&f);
}

int main(void)
{
    RUN(test_promises);
    RUN(test_local_optimum);
    RUN(test_finds_much);
    RUN(test_inputs);
    RUN(test_hubs);
    RUN(test_threads);
    RUN(test_stop);
    RUN(test_out_of_memory);
    return test_end();
}
