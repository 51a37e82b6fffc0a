/* SPDX-License-Identifier: Apache-2.0 */
/* Localised FM and its gain cache against slow recomputation: never worse, never outside the
 * bounds, exact gains; known improvements are found. */
#include "base/rng.h"
#include "refine/fm/kway_fm.h"
#include "refine/gain/gain_overlay.h"
#include "refine/kway_fixture.h"
#include "support/test.h"

enum { max_n = 400, max_k = 64, max_con = 3 };

typedef struct instance {
    clv_graph g;
    int64_t xadj[max_n + 1];
    int32_t adj[max_n * max_n], ewgt[max_n * max_n];
    int32_t vwgt[max_n * max_con], part[max_n], fixed[max_n], before[max_n];
    int64_t weight[max_k * max_con], max[max_k * max_con], min[max_k * max_con];
    int32_t count[max_k];
    uint8_t maybe_boundary[max_n];
    clv_partition_state s;
} instance;

static instance in; /* large */
static int32_t matrix[max_n][max_n];

/* Rows from `matrix`: -1 no edge, otherwise its weight. */
static void finish_graph(int32_t n, bool weighted)
{
    int64_t a = 0;
    for (int32_t v = 0; v < n; v++) {
        in.xadj[v] = a;
        for (int32_t u = 0; u < n; u++)
            if (matrix[v][u] >= 0) {
                in.adj[a] = u;
                in.ewgt[a++] = matrix[v][u];
            }
    }
    in.xadj[n] = a;
    in.g = (clv_graph){.kind = CLEAVE_UNDIRECTED,
                       .nvtx = n,
                       .narc = a,
                       .xadj = in.xadj,
                       .adj = in.adj,
                       .ewgt = weighted ? in.ewgt : NULL,
                       .ncon = 1};
}

static void set_edge(int32_t v, int32_t u, int32_t w)
{
    matrix[v][u] = matrix[u][v] = w;
}

static void no_edges(int32_t n)
{
    for (int32_t v = 0; v < n; v++)
        for (int32_t u = 0; u < n; u++)
            matrix[v][u] = -1;
}

static void random_graph(clv_rng *rng, int32_t n, int32_t degree, int32_t heaviest)
{
    no_edges(n);
    for (int32_t i = 0; i < n * degree / 2; i++) {
        int32_t v = (int32_t)clv_rng_below(rng, (uint32_t)n);
        int32_t u = (int32_t)clv_rng_below(rng, (uint32_t)n);
        int32_t w = heaviest == 1 ? 1 : (int32_t)clv_rng_below(rng, (uint32_t)heaviest + 1);
        if (u != v)
            set_edge(v, u, w);
    }
    finish_graph(n, heaviest > 1);
}

/* The state around in.part; room: how far above the present weight the bounds are, in %. */
static void make_state(clv_context *ctx, int32_t k, int32_t room)
{
    in.s = (clv_partition_state){.g = &in.g,
                                 .bounds = {k, in.g.ncon, NULL, in.max, NULL},
                                 .part = in.part,
                                 .weight = in.weight,
                                 .count = in.count,
                                 .maybe_boundary = in.maybe_boundary};
    clv_state_measure(&in.s, ctx);
    for (int32_t c = 0; c < in.g.ncon; c++) {
        int64_t total = 0;
        for (int32_t p = 0; p < k; p++)
            total += in.weight[p * in.g.ncon + c];
        for (int32_t p = 0; p < k; p++)
            in.max[p * in.g.ncon + c] = (total / k + 1) * (100 + room) / 100;
    }
    memcpy(in.before, in.part, (size_t)in.g.nvtx * sizeof in.part[0]);
}

static int64_t slow_cut(void)
{
    int64_t cut = 0;
    for (int32_t v = 0; v < in.g.nvtx; v++)
        for (int64_t a = in.xadj[v]; a < in.xadj[v + 1]; a++)
            if (in.adj[a] < v && in.part[in.adj[a]] != in.part[v])
                cut += in.g.ewgt ? in.ewgt[a] : 1;
    return cut;
}

/* Everything that kway.h promises about a state. */
static void check_books(void)
{
    int64_t weight[max_k * max_con] = {0};
    int32_t count[max_k] = {0}, ncon = in.g.ncon;
    for (int32_t v = 0; v < in.g.nvtx; v++) {
        REQUIRE(in.part[v] >= 0 && in.part[v] < in.s.bounds.nparts);
        count[in.part[v]]++;
        for (int32_t c = 0; c < ncon; c++)
            weight[in.part[v] * ncon + c] += in.g.vwgt ? in.vwgt[v * ncon + c] : 1;
        for (int64_t a = in.xadj[v]; a < in.xadj[v + 1]; a++)
            if (in.part[in.adj[a]] != in.part[v])
                CHECK(in.maybe_boundary[v]);
        if (in.s.fixed && in.fixed[v] >= 0)
            CHECK_EQ(in.part[v], in.before[v]);
    }
    for (int32_t p = 0; p < in.s.bounds.nparts; p++)
        CHECK_EQ(in.count[p], count[p]);
    for (int32_t i = 0; i < in.s.bounds.nparts * ncon; i++)
        CHECK_EQ(in.weight[i], weight[i]);
    CHECK_EQ(in.s.cut, slow_cut());
}

static void open_context(clv_context *ctx, int threads)
{
    cleave_error err = {0};
    CHECK_OK(clv_context_open(ctx, threads, 7, &err));
}

/* ---- Properties -------------------------------------------------------------------- */

static void random_instance(clv_rng *rng, clv_context *ctx)
{
    static const int32_t heaviest[] = {1, 1, 3, 1000, INT32_MAX};
    int32_t n = 2 + (int32_t)clv_rng_below(rng, 150);
    int32_t k = 2 + (int32_t)clv_rng_below(rng, n < 12 ? (uint32_t)n - 1 : 11);
    random_graph(rng, n, 1 + (int32_t)clv_rng_below(rng, 12), heaviest[clv_rng_below(rng, 5)]);
    in.g.ncon = 1 + (int32_t)clv_rng_below(rng, max_con);
    if (in.g.ncon > 1 || clv_rng_below(rng, 2))
        in.g.vwgt = in.vwgt;
    for (int32_t i = 0; i < n * in.g.ncon; i++)
        in.vwgt[i] = (int32_t)clv_rng_below(rng, 6);
    for (int32_t v = 0; v < n; v++) {
        in.part[v] = v < k ? v : (int32_t)clv_rng_below(rng, (uint32_t)k);
        in.fixed[v] = clv_rng_below(rng, 4) ? -1 : in.part[v];
    }
    make_state(ctx, k, (int32_t)clv_rng_below(rng, 40));
    for (int32_t i = 0; i < k * in.g.ncon; i++)
        in.min[i] = in.max[i] / 2;
    if (clv_rng_below(rng, 2))
        in.s.bounds.min = in.min;
    if (clv_rng_below(rng, 2))
        in.s.fixed = in.fixed;
}

static void test_random(void)
{
    clv_context ctx;
    open_context(&ctx, 1);
    clv_rng rng = clv_rng_make(1, 2, 3, 4);
    int32_t improved = 0;
    for (int32_t i = 0; i < 600; i++) {
        cleave_error err = {0};
        random_instance(&rng, &ctx);
        clv_kway_fm_params params = clv_kway_fm_defaults();
        params.seeds = 1 + (int32_t)clv_rng_below(&rng, 12);
        int64_t cut = in.s.cut, overload = clv_state_overload(&in.s);
        bool within[max_k * max_con];
        for (int32_t j = 0; j < in.s.bounds.nparts * in.g.ncon; j++)
            within[j] =
                in.weight[j] <= in.max[j] && (!in.s.bounds.min || in.weight[j] >= in.min[j]);
        CHECK_OK(clv_kway_fm(&in.s, &params, &ctx, &err));
        check_books();
        int64_t after = clv_state_overload(&in.s);
        CHECK(after < overload || (after == overload && in.s.cut <= cut));
        for (int32_t j = 0; j < in.s.bounds.nparts * in.g.ncon; j++)
            if (within[j])
                CHECK(in.weight[j] <= in.max[j] &&
                      (!in.s.bounds.min || in.weight[j] >= in.min[j]));
        for (int32_t p = 0; p < in.s.bounds.nparts; p++)
            CHECK(in.count[p] > 0);
        improved += in.s.cut < cut;
    }
    CHECK(improved > 300);
    clv_context_close(&ctx);
}

/* ---- The table --------------------------------------------------------------------- */

static void check_entry(clv_gain_cache *t, const clv_gain_entry *e)
{
    int64_t weight[max_k] = {0};
    int32_t links = 0, v = e->vertex;
    CHECK_EQ(e->part, in.part[v]);
    for (int64_t a = in.xadj[v]; a < in.xadj[v + 1]; a++)
        weight[in.part[in.adj[a]]] += in.g.ewgt ? in.ewgt[a] : 1;
    if (e->loose) {
        int64_t own;
        int32_t count = clv_gain_cache_gather(t, e, &own);
        CHECK_EQ(own, weight[e->part]);
        for (int32_t i = 0; i < count; i++) {
            CHECK_EQ(t->wide[t->gathered[i].part], weight[t->gathered[i].part]);
            t->wide[t->gathered[i].part] = 0;
        }
        return;
    }
    int64_t top = 0;
    CHECK_EQ(e->own, weight[e->part]);
    for (int32_t i = 0; i < e->count; i++) {
        const clv_link *link = &clv_gain_entry_links(e)[i];
        CHECK(link->part != e->part && link->weight > 0);
        CHECK_EQ(link->weight, weight[link->part]);
    }
    for (int32_t p = 0; p < in.s.bounds.nparts; p++) {
        links += p != e->part && weight[p] > 0;
        if (p != e->part && top < weight[p])
            top = weight[p];
    }
    CHECK_EQ(e->count, links);
    CHECK_EQ(clv_gain_entry_top(e), top);
}

static void walk(clv_gain_cache *t, clv_rng *rng, int32_t moves)
{
    for (int32_t i = 0; i < moves; i++) {
        int32_t v = (int32_t)clv_rng_below(rng, (uint32_t)in.g.nvtx);
        int32_t to = (int32_t)clv_rng_below(rng, (uint32_t)in.s.bounds.nparts),
                from = in.part[v];
        if (to == from)
            continue;
        int32_t entry = t->index[v] >= 0 ? t->index[v] : clv_gain_cache_add(t, v);
        clv_state_move(&in.s, v, to);
        clv_gain_cache_move(t, &t->entry[entry], to);
        for (int64_t a = in.xadj[v]; a < in.xadj[v + 1]; a++) {
            int32_t j = t->index[in.adj[a]], w = in.g.ewgt ? in.ewgt[a] : 1;
            if (j >= 0 && w > 0)
                clv_gain_cache_shift(t, &t->entry[j], from, to, w);
        }
    }
    for (int32_t i = 0; i < t->count; i++)
        check_entry(t, &t->entry[i]);
}

static void test_table(void)
{
    static const int32_t heaviest[] = {1, 5, INT32_MAX / 4};
    clv_context ctx;
    open_context(&ctx, 1);
    clv_rng rng = clv_rng_make(5, 2, 3, 4);
    int32_t loose = 0, many = 0;
    for (int32_t i = 0; i < 60; i++) {
        cleave_error err = {0};
        clv_gain_cache t;
        int32_t n = 20 + i;
        random_graph(&rng, n, 2 + i % 20, heaviest[i % 3]);
        for (int32_t v = 0; v < n; v++)
            in.part[v] = (int32_t)clv_rng_below(&rng, (uint32_t)(2 + i % 40));
        make_state(&ctx, 2 + i % 40, 5);
        clv_ws_mark mark = clv_ws_save(&ctx.ws[0]);
        CHECK_OK(clv_gain_cache_init(&t, &in.s, NULL, &ctx.ws[0], &err));
        if (i % 4 == 3)
            t.spare = 30;
        for (int32_t round = 0; round < 10; round++)
            walk(&t, &rng, 30);
        for (int32_t j = 0; j < t.count; j++) {
            loose += t.entry[j].loose;
            many += t.entry[j].many;
        }
        clv_ws_restore(&ctx.ws[0], mark);
    }
    CHECK(loose > 100 && many > 100);
    clv_context_close(&ctx);
}

/* Moves in an overlay of t, whose entries follow them while the shared state stays. */
static void walk_privately(clv_gain_cache *t, clv_gain_cache *shared, clv_rng *rng)
{
    int32_t before[max_n], after[max_n];
    size_t bytes = (size_t)in.g.nvtx * sizeof before[0];
    memcpy(before, in.part, bytes);
    memcpy(after, in.part, bytes);
    for (int32_t i = 0; i < 30; i++) {
        int32_t v = (int32_t)clv_rng_below(rng, (uint32_t)in.g.nvtx);
        int32_t to = (int32_t)clv_rng_below(rng, (uint32_t)in.s.bounds.nparts);
        if (to == after[v])
            continue;
        int32_t e = clv_gain_overlay_find(t, v);
        e = e >= 0 ? e : clv_gain_overlay_add(t, v);
        clv_gain_cache_move(t, &t->entry[e], to);
        for (int64_t a = in.xadj[v]; a < in.xadj[v + 1]; a++) {
            int32_t j = clv_gain_overlay_find(t, in.adj[a]), w = in.g.ewgt ? in.ewgt[a] : 1;
            j = j >= 0 ? j : clv_gain_overlay_add(t, in.adj[a]);
            if (w > 0)
                clv_gain_cache_shift(t, &t->entry[j], after[v], to, w);
        }
        after[v] = to;
    }
    memcpy(in.part, after, bytes);
    for (int32_t i = 0; i < t->count; i++)
        check_entry(t, &t->entry[i]);
    memcpy(in.part, before, bytes);
    for (int32_t i = 0; i < shared->count; i++)
        check_entry(shared, &shared->entry[i]);
}

/* Also with lists that are in use before the overlay is, and after many uses of it. */
static void test_overlay(void)
{
    static const int32_t heaviest[] = {1, 5, INT32_MAX / 4};
    clv_context ctx;
    open_context(&ctx, 2);
    clv_rng rng = clv_rng_make(6, 2, 3, 4);
    for (int32_t i = 0; i < 60; i++) {
        cleave_error err = {0};
        clv_gain_cache shared, t;
        clv_gain_overlay o;
        int32_t n = 20 + i, k = 2 + i % 40;
        random_graph(&rng, n, 2 + i % 20, heaviest[i % 3]);
        for (int32_t v = 0; v < n; v++)
            in.part[v] = (int32_t)clv_rng_below(&rng, (uint32_t)k);
        make_state(&ctx, k, 5);
        clv_ws_mark mark = clv_ws_save(&ctx.ws[0]);
        CHECK_OK(clv_gain_cache_init(&shared, &in.s, NULL, &ctx.ws[0], &err));
        if (i % 4 == 3)
            shared.spare = 30;
        CHECK_OK(clv_gain_overlay_init(&o, &t, &shared, n, &ctx.ws[0], &err));
        o.base = INT32_MAX - 4 * n;
        for (int32_t round = 0; round < 10; round++) {
            walk(&shared, &rng, 3);
            clv_gain_overlay_start(&t, &ctx.ws[1]);
            walk_privately(&t, &shared, &rng);
            clv_gain_overlay_clear(&t);
            CHECK_EQ(t.count, 0);
        }
        CHECK(o.base >= 0 && o.base < 10 * n);
        clv_ws_restore(&ctx.ws[0], mark);
    }
    clv_context_close(&ctx);
}

/* ---- Known improvements ------------------------------------------------------------- */

static void make_grid(int32_t side)
{
    no_edges(side * side);
    for (int32_t v = 0; v < side * side; v++) {
        if (v % side + 1 < side)
            set_edge(v, v + 1, 1);
        if (v + side < side * side)
            set_edge(v, v + side, 1);
    }
    finish_graph(side * side, false);
}

static void test_jagged(void)
{
    enum { side = 20 };
    clv_context ctx;
    open_context(&ctx, 1);
    cleave_error err = {0};
    make_grid(side);
    /* Teeth of width 2 and depth 6 between left and right. */
    for (int32_t v = 0; v < side * side; v++)
        in.part[v] = v % side >= (v / side % 4 < 2 ? 7 : 13);
    make_state(&ctx, 2, 3);
    CHECK(in.s.cut > 3 * side);
    clv_kway_fm_params params = clv_kway_fm_defaults();
    CHECK_OK(clv_kway_fm(&in.s, &params, &ctx, &err));
    check_books();
    CHECK_EQ(in.s.cut, side);
    CHECK_EQ(clv_state_overload(&in.s), 0);
    clv_context_close(&ctx);
}

/* Random parts of a grid: most of the cut goes. */
static void test_noise(void)
{
    enum { side = 20 };
    clv_context ctx;
    open_context(&ctx, 1);
    for (int32_t k = 2; k <= 8; k *= 2) {
        cleave_error err = {0};
        clv_rng rng = clv_rng_make(9, 9, 9, (uint64_t)k);
        make_grid(side);
        for (int32_t v = 0; v < side * side; v++)
            in.part[v] = (int32_t)clv_rng_below(&rng, (uint32_t)k);
        make_state(&ctx, k, 10);
        int64_t cut = in.s.cut;
        clv_kway_fm_params params = clv_kway_fm_defaults();
        CHECK_OK(clv_kway_fm(&in.s, &params, &ctx, &err));
        check_books();
        CHECK(in.s.cut * 2 < cut);
        CHECK_EQ(clv_state_overload(&in.s), 0);
    }
    clv_context_close(&ctx);
}

/* Two cliques of different size, one edge between them, each a part: the larger one is too
 * heavy, and meeting the bound is worth any cut. */
static void test_overload(void)
{
    enum { large = 14, n = 20 };
    clv_context ctx;
    open_context(&ctx, 1);
    cleave_error err = {0};
    no_edges(n);
    for (int32_t v = 0; v < n; v++) {
        in.part[v] = v >= large;
        for (int32_t u = 0; u < v; u++)
            if ((u >= large) == in.part[v] || (u == 0 && v == large))
                set_edge(v, u, 1);
    }
    finish_graph(n, false);
    make_state(&ctx, 2, 3);
    CHECK_EQ(in.s.cut, 1);
    CHECK(clv_state_overload(&in.s) > 0);
    clv_kway_fm_params params = clv_kway_fm_defaults();
    CHECK_OK(clv_kway_fm(&in.s, &params, &ctx, &err));
    check_books();
    CHECK_EQ(clv_state_overload(&in.s), 0);
    clv_context_close(&ctx);
}

/* ---- Work ---------------------------------------------------------------------------- */

/* `leaves` vertices, each next to two of `hubs` others. */
static void make_hubs(fixture *f, int32_t hubs, int32_t leaves, int32_t k)
{
    int32_t n = hubs + leaves;
    int64_t arcs = 4 * (int64_t)leaves, *xadj = calloc((size_t)n + 2, sizeof *xadj),
            max[max_k];
    int32_t *adj = malloc((size_t)arcs * sizeof *adj),
            *part = malloc((size_t)n * sizeof *part);
    int32_t *end = malloc((size_t)leaves * 2 * sizeof *end);
    clv_rng rng = clv_rng_make(11, 12, 13, (uint64_t)leaves);
    REQUIRE(xadj && adj && part && end);
    for (int32_t i = 0; i < leaves; i++) {
        int32_t a = (int32_t)clv_rng_below(&rng, (uint32_t)hubs);
        int32_t b = (int32_t)clv_rng_below(&rng, (uint32_t)hubs - 1);
        end[2 * i] = a;
        end[2 * i + 1] = b + (b >= a);
        for (int j = 0; j < 2; j++)
            xadj[end[2 * i + j] + 2]++;
        xadj[hubs + i + 2] = 2;
    }
    for (int32_t v = 0; v < n; v++)
        xadj[v + 2] += xadj[v + 1];
    for (int32_t i = 0; i < 2 * leaves; i++) {
        adj[xadj[end[i] + 1]++] = hubs + i / 2;
        adj[xadj[hubs + i / 2 + 1]++] = end[i];
    }
    /* Hubs evenly, leaves with their first hub: as a coarser level leaves them. */
    for (int32_t v = 0; v < n; v++)
        part[v] = v < hubs ? v % k : end[2 * (v - hubs)] % k;
    for (int32_t p = 0; p < k; p++)
        max[p] = n / k + n / k / 10;
    clv_graph g = {.kind = CLEAVE_UNDIRECTED,
                   .nvtx = n,
                   .narc = arcs,
                   .xadj = xadj,
                   .adj = adj,
                   .ncon = 1};
    fixture_around(f, &g, k, part, max);
    f->blocks[f->nblocks++] = xadj;
    f->blocks[f->nblocks++] = adj;
    free(part);
    free(end);
}

/* Moves that stay, moves that are taken back and their taking back look at each arc of the
 * graph a few times in a round, however many searches meet the same hubs. */
static void test_work_at_hubs(void)
{
    clv_context ctx;
    open_context(&ctx, 1);
    for (int32_t leaves = 2000; leaves <= 32000; leaves *= 4) {
        fixture f;
        cleave_error err = {0};
        make_hubs(&f, 100, leaves, 8);
        clv_state_measure(&f.s, &ctx);
        clv_kway_fm_params params = clv_kway_fm_defaults();
        params.rounds = 2;
        CHECK_OK(clv_kway_fm(&f.s, &params, &ctx, &err));
        CHECK_FINE(fixture_fault(&f));
        /* 1 for those that stay, 2 * 2 for the others, and a last move of each search. */
        CHECK(f.s.touched > 0);
        CHECK(f.s.touched <= params.rounds * 6 * f.s.g->narc);
        fixture_free(&f);
    }
    clv_context_close(&ctx);
}

/* ---- Determinism, stopping, memory -------------------------------------------------- */

static void test_same_twice(void)
{
    static int32_t first[max_n];
    for (int32_t i = 0; i < 20; i++) {
        for (int threads = 1; threads <= 2; threads++) {
            cleave_error err = {0};
            clv_context ctx;
            open_context(&ctx, threads);
            clv_rng rng = clv_rng_make(3, 3, 3, (uint64_t)i);
            random_instance(&rng, &ctx);
            clv_kway_fm_params params = clv_kway_fm_defaults();
            CHECK_OK(clv_kway_fm(&in.s, &params, &ctx, &err));
            size_t bytes = (size_t)in.g.nvtx * sizeof in.part[0];
            if (threads == 1)
                memcpy(first, in.part, bytes);
            else
                CHECK(memcmp(first, in.part, bytes) == 0);
            clv_context_close(&ctx);
        }
    }
}

static int say_stop(void *payload, const cleave_progress *progress)
{
    (void)payload;
    (void)progress;
    return 1;
}

static void test_stop(void)
{
    cleave_error err = {0};
    clv_context ctx;
    CHECK_OK(clv_context_open(&ctx, 1, 7, &err));
    clv_context_watch(&ctx, 0, say_stop, NULL);
    clv_rng rng = clv_rng_make(4, 4, 4, 4);
    random_graph(&rng, max_n, 10, 1);
    for (int32_t v = 0; v < max_n; v++)
        in.part[v] = v % 8;
    make_state(&ctx, 8, 10);
    clv_kway_fm_params params = clv_kway_fm_defaults();
    CHECK_OK(clv_kway_fm(&in.s, &params, &ctx, &err));
    CHECK(clv_context_cancelled(&ctx));
    check_books();
    clv_context_close(&ctx);
}

static void test_memory(void)
{
    int64_t live = test_alloc_live(), nth = 1, failed = 0;
    for (; nth < 100; nth++) {
        cleave_error err = {0};
        clv_context ctx;
        open_context(&ctx, 1);
        clv_rng rng = clv_rng_make(6, 6, 6, 6);
        random_graph(&rng, max_n, 40, 1);
        for (int32_t v = 0; v < max_n; v++)
            in.part[v] = v % 50;
        make_state(&ctx, 50, 10);
        clv_kway_fm_params params = clv_kway_fm_defaults();
        test_alloc_fail_at(nth);
        cleave_status status = clv_kway_fm(&in.s, &params, &ctx, &err);
        int64_t calls = test_alloc_calls();
        test_alloc_fail_at(0);
        CHECK(status == CLEAVE_OK || status == CLEAVE_ENOMEM);
        failed += status == CLEAVE_ENOMEM;
        check_books();
        clv_context_close(&ctx);
        CHECK_EQ(test_alloc_live(), live);
        if (calls < nth)
            break;
    }
    CHECK(failed > 0 && nth < 100);
}

int main(void)
{
    RUN(test_table);
    RUN(test_overlay);
    RUN(test_random);
    RUN(test_jagged);
    RUN(test_noise);
    RUN(test_overload);
    RUN(test_work_at_hubs);
    RUN(test_same_twice);
    RUN(test_stop);
    RUN(test_memory);
    return test_end();
}
