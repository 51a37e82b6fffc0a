/* SPDX-License-Identifier: Apache-2.0 */
/* refine/moves/volume_moves.c: (overload, volume, cut) never worse, the volume it reports is
 * the one that the definition gives, no single move improves on the result, every allocation
 * fails once. */
#include "refine/kway_fixture.h"
#include "refine/moves/volume_moves.h"

/* The definition: every vertex, every part, every neighbour. */
static int64_t volume_of(const clv_partition_state *s)
{
    const clv_graph *g = s->g;
    int64_t sum = 0;
    for (int32_t v = 0; v < g->nvtx; v++)
        for (int32_t p = 0; p < s->bounds.nparts; p++) {
            bool there = false;
            for (int64_t a = g->xadj[v]; a < g->xadj[v + 1]; a++)
                there |= s->part[g->adj[a]] == p && p != s->part[v];
            sum += there ? (g->vsize ? g->vsize[v] : 1) : 0;
        }
    return sum;
}

static void make(fixture *f, const fixture_options *o, int32_t *vsize)
{
    fixture_options simple = *o;
    simple.simple = true;
    fixture_make(f, &simple);
    for (int32_t v = 0; vsize && v < o->nvtx; v++)
        vsize[v] = (int32_t)(clv_hash64((uint64_t)v + o->seed) % 9);
    f->g.vsize = vsize;
    if (o->seed % 2)
        fixture_scatter(f, 1 + (int32_t)(o->seed / 2 % (uint64_t)o->nparts), o->seed);
}

static cleave_status refine(clv_partition_state *s, clv_context *ctx, cleave_error *err)
{
    clv_volume_params params = clv_volume_defaults();
    return clv_volume_refine(s, &params, ctx, err);
}

static void test_promises(void)
{
    static int32_t vsize[600];
    clv_context ctx;
    fixture_context(&ctx, 1, 1);
    for (uint64_t seed = 0; seed < 600; seed++) {
        fixture f;
        cleave_error err = {0};
        fixture_options o = fixture_any(seed, seed % 10 ? 60 : 600);
        make(&f, &o, seed % 3 ? NULL : vsize);
        int64_t overload = clv_state_overload(&f.s), volume = volume_of(&f.s), cut = f.s.cut;
        int64_t before = -1, after = -1;
        clv_volume_params params = {
            .rounds = 3, .patience = 20, .before = &before, .after = &after};
        CHECK_OK(clv_volume_refine(&f.s, &params, &ctx, &err));
        CHECK_FINE(fixture_fault(&f));
        CHECK_EQ(before, volume);
        CHECK_EQ(after, volume_of(&f.s));
        CHECK(clv_state_overload(&f.s) <= overload);
        CHECK(after < before || (after == before && f.s.cut <= cut));
        fixture_free(&f);
    }
    clv_context_close(&ctx);
}

/* Does some allowed move of v make (volume, cut) smaller? */
static bool can_improve(clv_partition_state *s, int32_t v, int64_t volume)
{
    int32_t own = s->part[v];
    int64_t cut = fixture_cut(s);
    bool found = false;
    for (int32_t p = 0; p < s->bounds.nparts && !found; p++) {
        bool touches = false;
        for (int64_t a = s->g->xadj[v]; a < s->g->xadj[v + 1]; a++)
            touches |= s->part[s->g->adj[a]] == p;
        if (p == own || !touches || !clv_state_fits(s, v, p) || !clv_state_may_leave(s, v))
            continue;
        s->part[v] = p;
        int64_t now = volume_of(s);
        found = now < volume || (now == volume && fixture_cut(s) < cut);
        s->part[v] = own;
    }
    return found;
}

/* Given the rounds, it ends where no single move helps: the gains are right. */
static void test_local_optimum(void)
{
    static int32_t vsize[80];
    clv_context ctx;
    fixture_context(&ctx, 1, 1);
    for (uint64_t seed = 0; seed < 150; seed++) {
        fixture f;
        cleave_error err = {0};
        fixture_options o = fixture_any(seed, 80);
        make(&f, &o, seed % 3 ? NULL : vsize);
        clv_volume_params params = {.rounds = 1000, .patience = 10};
        CHECK_OK(clv_volume_refine(&f.s, &params, &ctx, &err));
        int64_t volume = volume_of(&f.s);
        int32_t better = 0;
        for (int32_t v = 0; v < f.g.nvtx; v++)
            better += can_improve(&f.s, v, volume);
        CHECK_EQ(better, 0);
        fixture_free(&f);
    }
    clv_context_close(&ctx);
}

/* Stripes of a grid with jagged borders: much is to be had. */
static void test_finds_much(void)
{
    fixture f;
    cleave_error err = {0};
    fixture_options o = {
        .shape = FIXTURE_GRID, .nvtx = 2500, .nparts = 5, .ncon = 1, .slack = 0.05};
    clv_context ctx;
    fixture_context(&ctx, 1, 1);
    fixture_make(&f, &o);
    for (int32_t v = 0; v < o.nvtx; v++)
        if (v % 2)
            f.part[v] = f.part[(v + 100) % o.nvtx];
    fixture_scatter(&f, 0, 0);
    int64_t before = volume_of(&f.s);
    CHECK_OK(refine(&f.s, &ctx, &err));
    CHECK(volume_of(&f.s) < before * 2 / 3);
    fixture_free(&f);
    clv_context_close(&ctx);
}

/* A hub is too large to be kept up to date; its neighbours are recomputed. */
static void test_hubs(void)
{
    enum { n = 6000, hubs = 3 };
    static int64_t xadj[n + 1];
    static int32_t adj[2 * 6 * n], part[n];
    int64_t max[8];
    static int32_t row[n][hubs + 4], degree[n];
    static int32_t hub_row[hubs][n], hub_degree[hubs];
    for (int32_t v = hubs; v < n; v++) {
        for (int32_t h = 0; h < hubs; h++)
            if (clv_hash64((uint64_t)(v * hubs + h)) % 3) {
                row[v][degree[v]++] = h;
                hub_row[h][hub_degree[h]++] = v;
            }
        if (v + 1 < n && v % 4)
            row[v][degree[v]++] = v + 1;
        if (v > hubs && (v - 1) % 4)
            row[v][degree[v]++] = v - 1;
    }
    int64_t narc = 0;
    for (int32_t v = 0; v < n; v++) {
        const int32_t *from = v < hubs ? hub_row[v] : row[v];
        int32_t d = v < hubs ? hub_degree[v] : degree[v];
        memcpy(adj + narc, from, (size_t)d * sizeof *adj);
        narc += d;
        xadj[v + 1] = narc;
        part[v] = (int32_t)(clv_hash64((uint64_t)v) % 8);
    }
    for (int p = 0; p < 8; p++)
        max[p] = n / 8 + n / 20;
    clv_graph g = {.kind = CLEAVE_UNDIRECTED,
                   .nvtx = n,
                   .narc = narc,
                   .xadj = xadj,
                   .adj = adj,
                   .ncon = 1};
    fixture f;
    clv_context ctx;
    cleave_error err = {0};
    fixture_context(&ctx, 1, 1);
    fixture_around(&f, &g, 8, part, max);
    int64_t before, after, start = volume_of(&f.s);
    clv_volume_params params = {
        .rounds = 2, .patience = 20, .before = &before, .after = &after};
    CHECK_OK(clv_volume_refine(&f.s, &params, &ctx, &err));
    CHECK_FINE(fixture_fault(&f));
    CHECK_EQ(before, start);
    CHECK_EQ(after, volume_of(&f.s));
    CHECK(after < before * 3 / 4);
    fixture_free(&f);
    clv_context_close(&ctx);
}

static void test_deterministic(void)
{
    for (uint64_t seed = 0; seed < 20; seed++) {
        fixture f;
        fixture_options o = fixture_any(seed, 500);
        make(&f, &o, NULL);
        CHECK_FINE(fixture_fault_threads(&f, refine));
        fixture_free(&f);
    }
}

/* A context that stops: the state is valid and not worse. */
static void test_stop(void)
{
    fixture f;
    cleave_error err = {0};
    clv_context ctx;
    fixture_options o = {
        .shape = FIXTURE_GRID, .nvtx = 2500, .nparts = 5, .ncon = 1, .slack = 0.05, .seed = 1};
    make(&f, &o, NULL);
    fixture_context(&ctx, 1, 1);
    atomic_store(ctx.stopped, 1);
    int64_t before = volume_of(&f.s);
    CHECK_OK(refine(&f.s, &ctx, &err));
    CHECK(volume_of(&f.s) <= before);
    CHECK_FINE(fixture_fault(&f));
    clv_context_close(&ctx);
    fixture_free(&f);
}

static const char *volume_no_worse(const fixture *f, const clv_partition_state *before,
                                   bool failed)
{
    (void)failed;
    bool worse = volume_of(&f->s) > volume_of(before) ||
                 clv_state_overload(&f->s) > fixture_overload(before);
    return worse ? "the state is worse" : NULL;
}

static void test_out_of_memory(void)
{
    fixture_options o = {
        .shape = FIXTURE_GRID, .nvtx = 40000, .nparts = 50, .ncon = 1, .slack = 0.05};
    CHECK_FINE(fixture_fault_memory_of(&o, 0, refine, volume_no_worse));
}

int main(void)
{
    RUN(test_promises);
    RUN(test_local_optimum);
    RUN(test_finds_much);
    RUN(test_hubs);
    RUN(test_deterministic);
    RUN(test_stop);
    RUN(test_out_of_memory);
    return test_end();
}
