/* SPDX-License-Identifier: Apache-2.0 */
/* refine/connected/connected_parts.c: one connected part per component unless fixed vertices
 * forbid it, bounds kept if possible, connected parts unchanged. */
#include "refine/connected/connected_parts.h"
#include "refine/kway_fixture.h"

/* ---- A slow checker: labels sink to the smallest number reachable -------------------- */

static void sink_labels(const clv_partition_state *s, bool within_parts, int32_t *label)
{
    const clv_graph *g = s->g;
    for (int32_t v = 0; v < g->nvtx; v++)
        label[v] = v;
    for (bool changed = true; changed;) {
        changed = false;
        for (int32_t v = 0; v < g->nvtx; v++)
            for (int64_t a = g->xadj[v]; a < g->xadj[v + 1]; a++) {
                int32_t u = g->adj[a];
                if ((within_parts && s->part[u] != s->part[v]) || label[u] >= label[v])
                    continue;
                label[v] = label[u];
                changed = true;
            }
    }
}

static bool is_connected(const clv_partition_state *s)
{
    int32_t n = s->g->nvtx;
    int32_t *component = malloc((size_t)n * sizeof *component);
    int32_t *piece = malloc((size_t)n * sizeof *piece);
    if (!component || !piece)
        abort();
    sink_labels(s, false, component);
    sink_labels(s, true, piece);
    bool connected = true;
    for (int32_t v = 0; v < n && connected; v++)
        for (int32_t u = v + 1; u < n && connected; u++)
            connected = component[u] != component[v] || s->part[u] != s->part[v] ||
                        piece[u] == piece[v];
    free(component);
    free(piece);
    return connected;
}

static cleave_status refine(clv_partition_state *s, clv_context *ctx, cleave_error *err)
{
    bool connected;
    return clv_connect_parts(s, ctx, &connected, err);
}

/* Runs it with all checks that always hold; returns what it said. */
static bool run(fixture *f, clv_context *ctx)
{
    cleave_error err = {0};
    clv_partition_state *s = &f->s;
    bool connected = false, before = is_connected(s);
    int64_t overload = clv_state_overload(s), cut = s->cut;
    int32_t empty = 0, empty_before = 0;
    for (int32_t p = 0; p < s->bounds.nparts; p++)
        empty_before += s->count[p] == 0;
    CHECK_OK(clv_connect_parts(s, ctx, &connected, &err));
    CHECK_FINE(fixture_fault(f));
    CHECK_EQ(connected, is_connected(s));
    for (int32_t p = 0; p < s->bounds.nparts; p++)
        empty += s->count[p] == 0;
    CHECK(s->fixed || empty <= empty_before);
    int64_t now = clv_state_overload(s);
    if (before) {
        CHECK(connected);
        CHECK(now < overload || (now == overload && s->cut <= cut));
    }
    return connected;
}

static void test_promises(void)
{
    clv_context ctx;
    int32_t refused = 0, with_fixed = 0;
    fixture_context(&ctx, 1, 1);
    for (uint64_t seed = 0; seed < 800; seed++) {
        fixture f;
        fixture_options o = fixture_any(seed, seed % 10 ? 60 : 400);
        o.simple = true;
        fixture_make(&f, &o);
        if (seed % 4)
            fixture_scatter(&f, 1 + (int32_t)(seed / 2 % (uint64_t)o.nparts), seed);
        bool connected = run(&f, &ctx);
        with_fixed += o.fixed > 0;
        if (o.fixed)
            refused += !connected;
        else
            CHECK(connected);
        /* A connected partition is unchanged or improved. */
        if (connected)
            CHECK(run(&f, &ctx));
        fixture_free(&f);
    }
    CHECK(with_fixed > 100 && refused < with_fixed);
    clv_context_close(&ctx);
}

/* Grids in stripes with vertices astray: in one piece again, in balance, cut not far from
 * that of the stripes. */
static void test_grids(void)
{
    clv_context ctx;
    fixture_context(&ctx, 1, 1);
    for (int32_t k = 2; k <= 16; k *= 2) {
        fixture f;
        fixture_options o = {
            .shape = FIXTURE_GRID, .nvtx = 1600, .nparts = k, .ncon = 1, .slack = 0.05};
        fixture_make(&f, &o);
        int64_t cut = f.s.cut;
        for (int32_t v = 0; v < o.nvtx; v += 37)
            f.part[v] = (f.part[v] + 1 + v % (k - 1)) % k;
        fixture_scatter(&f, 0, 0);
        CHECK(!is_connected(&f.s));
        CHECK(run(&f, &ctx));
        CHECK_EQ(clv_state_overload(&f.s), 0);
        CHECK(f.s.cut <= cut * 3 / 2);
        fixture_free(&f);
    }
    clv_context_close(&ctx);
}

/* Two halves of a grid whose border is a comb: connected, but the teeth cost. */
static void test_improves(void)
{
    clv_context ctx;
    fixture f;
    fixture_options o = {
        .shape = FIXTURE_GRID, .nvtx = 1600, .nparts = 2, .ncon = 1, .slack = 0.05};
    fixture_context(&ctx, 1, 1);
    fixture_make(&f, &o);
    int64_t cut = f.s.cut;
    for (int32_t v = 800; v < 840; v += 2)
        f.part[v] = 0;
    fixture_scatter(&f, 0, 0);
    CHECK(is_connected(&f.s) && f.s.cut > cut * 3 / 2);
    CHECK(run(&f, &ctx));
    CHECK_EQ(f.s.cut, cut);
    fixture_free(&f);
    clv_context_close(&ctx);
}

/* A star: all parts but the hub's have one leaf at most, for any bounds. */
static void test_star(void)
{
    enum { n = 3000, k = 7 };
    clv_context ctx;
    fixture f;
    fixture_options o = {
        .shape = FIXTURE_STARS, .nvtx = 50, .nparts = k, .ncon = 1, .simple = true};
    fixture_context(&ctx, 1, 1);
    fixture_make(&f, &o);
    fixture_scatter(&f, k, 1);
    CHECK(run(&f, &ctx));
    for (int32_t p = 0; p < k; p++)
        CHECK_EQ(f.count[p], p == f.part[0] ? 50 - k + 1 : 1);
    fixture_free(&f);

    /* The same, large: a quadratic algorithm would time out. */
    static int64_t xadj[n + 1];
    static int32_t adj[2 * n], part[n];
    int64_t max[k];
    for (int32_t v = 1; v < n; v++) {
        adj[v - 1] = v;
        xadj[v] = n - 1 + v - 1;
        part[v] = v % k;
    }
    xadj[n] = 2 * (n - 1);
    for (int32_t p = 0; p < k; p++)
        max[p] = n / k + 1;
    clv_graph g = {.kind = CLEAVE_UNDIRECTED,
                   .nvtx = n,
                   .narc = 2 * (n - 1),
                   .xadj = xadj,
                   .adj = adj,
                   .ncon = 1};
    fixture_around(&f, &g, k, part, max);
    CHECK(run(&f, &ctx));
    CHECK_EQ(f.s.cut, k - 1);
    fixture_free(&f);
    clv_context_close(&ctx);
}

/* Many components: those of the heavy part find room elsewhere, and are not torn. */
static void test_components(void)
{
    clv_context ctx;
    fixture f;
    fixture_options o = {
        .shape = FIXTURE_CLIQUES, .nvtx = 2000, .nparts = 8, .ncon = 1, .slack = 0.04};
    fixture_context(&ctx, 1, 1);
    fixture_make(&f, &o);
    for (int32_t v = 0; v < o.nvtx; v++)
        f.part[v] = v / 10 % 8 < 6 ? 0 : v / 10 % 8;
    fixture_scatter(&f, 0, 0);
    CHECK(clv_state_overload(&f.s) > 1000);
    CHECK(run(&f, &ctx));
    CHECK_EQ(clv_state_overload(&f.s), 0);
    CHECK(f.s.cut <= 8 * 25);
    fixture_free(&f);
    clv_context_close(&ctx);
}

/* Two grids; all room is in parts that the other grid holds: new pieces are needed. */
static void test_room_elsewhere(void)
{
    enum { side = 20, n = 2 * side * side };
    clv_context ctx;
    fixture one, f;
    fixture_options o = {
        .shape = FIXTURE_GRID, .nvtx = side * side, .nparts = 2, .ncon = 1, .slack = 0.02};
    fixture_context(&ctx, 1, 1);
    fixture_make(&one, &o);
    static int64_t xadj[n + 1];
    static int32_t adj[8 * n], part[n];
    int64_t max[4] = {n / 8 + 5, n / 8 + 5, 3 * n / 8 + 5, 3 * n / 8 + 5};
    for (int32_t v = 0; v < n; v++) {
        int32_t half = v / (side * side), u = v % (side * side);
        xadj[v + 1] = xadj[v];
        for (int64_t a = one.g.xadj[u]; a < one.g.xadj[u + 1]; a++)
            adj[xadj[v + 1]++] = one.g.adj[a] + half * side * side;
        part[v] = 2 * half + (u >= side * side / 2);
    }
    clv_graph g = {.kind = CLEAVE_UNDIRECTED,
                   .nvtx = n,
                   .narc = xadj[n],
                   .xadj = xadj,
                   .adj = adj,
                   .ncon = 1};
    fixture_around(&f, &g, 4, part, max);
    CHECK(clv_state_overload(&f.s) > 0);
    CHECK(run(&f, &ctx));
    CHECK_EQ(clv_state_overload(&f.s), 0);
    fixture_free(&one);
    fixture_free(&f);
    clv_context_close(&ctx);
}

/* An empty part gets something of a part in one piece. */
static void test_empty_part(void)
{
    clv_context ctx;
    fixture f;
    fixture_options o = {
        .shape = FIXTURE_GRID, .nvtx = 100, .nparts = 3, .ncon = 1, .slack = 1.0};
    fixture_context(&ctx, 1, 1);
    fixture_make(&f, &o);
    for (int32_t v = 0; v < o.nvtx; v++)
        f.part[v] = v < 50 ? 0 : 2;
    fixture_scatter(&f, 0, 0);
    CHECK(run(&f, &ctx));
    CHECK(f.count[1] > 0);
    CHECK_EQ(clv_state_overload(&f.s), 0);
    fixture_free(&f);
    clv_context_close(&ctx);
}

/* Fixed vertices of one part in two corners of a grid are joined; on a path with another
 * part's fixed vertex between them they cannot be. */
static void test_fixed(void)
{
    clv_context ctx;
    fixture f;
    fixture_options o = {.shape = FIXTURE_GRID,
                         .nvtx = 400,
                         .nparts = 4,
                         .ncon = 1,
                         .slack = 0.3,
                         .fixed = 400};
    fixture_context(&ctx, 1, 1);
    fixture_make(&f, &o);
    f.fixed[0] = f.part[0] = 2;
    f.fixed[399] = f.part[399] = 2;
    f.fixed[19] = f.part[19] = 1;
    fixture_scatter(&f, 0, 0);
    CHECK(run(&f, &ctx));
    CHECK_EQ(clv_state_overload(&f.s), 0);
    fixture_free(&f);

    int64_t xadj[] = {0, 1, 3, 4}, max[] = {3, 3};
    int32_t adj[] = {1, 0, 2, 1}, part[] = {0, 1, 0};
    clv_graph g = {
        .kind = CLEAVE_UNDIRECTED, .nvtx = 3, .narc = 4, .xadj = xadj, .adj = adj, .ncon = 1};
    fixture_around(&f, &g, 2, part, max);
    memcpy(f.fixed, part, sizeof part);
    f.s.fixed = f.fixed;
    CHECK(!run(&f, &ctx));
    CHECK(memcmp(f.part, part, sizeof part) == 0);
    fixture_free(&f);
    clv_context_close(&ctx);
}

static void test_deterministic(void)
{
    for (uint64_t seed = 0; seed < 20; seed++) {
        fixture f;
        fixture_options o = fixture_any(seed, 500);
        o.simple = true;
        fixture_make(&f, &o);
        fixture_scatter(&f, o.nparts, seed);
        CHECK_FINE(fixture_fault_threads(&f, refine));
        fixture_free(&f);
    }
}

/* When there is no time, connected parts are still what comes out. */
static void test_stop(void)
{
    fixture f;
    clv_context ctx;
    fixture_options o = {
        .shape = FIXTURE_GRID, .nvtx = 900, .nparts = 5, .ncon = 1, .slack = 0.05};
    fixture_make(&f, &o);
    fixture_scatter(&f, 5, 1);
    fixture_context(&ctx, 1, 1);
    atomic_store(ctx.stopped, 1);
    CHECK(run(&f, &ctx));
    clv_context_close(&ctx);
    fixture_free(&f);
}

/* Only what is finished counts. */
static const char *undone(const fixture *f, const clv_partition_state *before, bool failed)
{
    size_t bytes = (size_t)f->g.nvtx * sizeof f->part[0];
    bool kept = !failed || memcmp(before->part, f->part, bytes) == 0;
    return kept ? NULL : "a failed run has moved vertices";
}

static void test_out_of_memory(void)
{
    fixture_options o = {.shape = FIXTURE_CLIQUES,
                         .nvtx = 12000,
                         .nparts = 30,
                         .ncon = 1,
                         .slack = 0.01,
                         .fixed = 170};
    CHECK_FINE(fixture_fault_memory_of(&o, 20, refine, undone));
}

int main(void)
{
    RUN(test_promises);
    RUN(test_grids);
    RUN(test_improves);
    RUN(test_star);
    RUN(test_components);
    RUN(test_room_elsewhere);
    RUN(test_empty_part);
    RUN(test_fixed);
    RUN(test_deterministic);
    RUN(test_stop);
    RUN(test_out_of_memory);
    return test_end();
}
