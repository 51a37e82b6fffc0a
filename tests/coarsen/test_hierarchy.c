/* SPDX-License-Identifier: Apache-2.0 */
/* coarsen/hierarchy.c: cuts and weights are the same on every level, levels end where they
 * should, classes and bounds are kept, nothing is lost when memory runs out. */
#include "coarsen/hierarchy.h"

#include "coarsen/coarse_oracle.h"
#include "refine/dag_fixture.h"

/* coarsest vertex of every vertex of level 0 */
static int32_t *compose(const clv_hierarchy *h)
{
    int32_t n = h->level[0].g->nvtx, *to = zeros(n, sizeof *to);
    for (int32_t v = 0; v < n; v++) {
        to[v] = v;
        for (int32_t i = 0; i + 1 < h->nlevels; i++)
            to[v] = h->level[i].map[to[v]];
    }
    return to;
}

/* The coarsest graph is the one that the composed map makes of the finest. */
static const char *coarsest_fault(const clv_hierarchy *h)
{
    if (h->nlevels == 1)
        return NULL;
    int32_t *to = compose(h);
    const char *fault =
        oracle_contraction_fault(h->level[0].g, to, h->level[h->nlevels - 1].g);
    free(to);
    return fault;
}

static const char *levels_fault(const clv_hierarchy *h, const clv_coarsening *how)
{
    for (int32_t i = 0; i < h->nlevels; i++) {
        const clv_level *level = &h->level[i], *next = level + 1;
        if ((level->map == NULL) != (i == h->nlevels - 1))
            return "a map too many or too few";
        if ((level->merge_class == NULL) != (how->merge_class == NULL))
            return "classes got lost";
        if (i == h->nlevels - 1)
            break;
        if (level->g->nvtx <= how->limit)
            return "a level below the limit was coarsened";
        if (next->g->nvtx >= 0.95 * level->g->nvtx)
            return "a level that hardly shrank was kept";
        for (int32_t v = 0; v < level->g->nvtx && how->merge_class; v++)
            if (level->merge_class[v] != next->merge_class[level->map[v]])
                return "classes are mixed";
    }
    return NULL;
}

/* Merged vertices are within the weight bound, in the units of the input. */
static const char *weights_fault(const clv_hierarchy *h, const clv_coarsening *how)
{
    const clv_graph *g = h->level[0].g;
    int32_t *to = compose(h), *size = zeros(g->nvtx, sizeof *size);
    int64_t *weight = zeros((int64_t)g->nvtx * g->ncon, sizeof *weight);
    const char *fault = NULL;
    for (int32_t v = 0; v < g->nvtx; v++) {
        size[to[v]]++;
        for (int32_t c = 0; c < g->ncon; c++)
            weight[(int64_t)to[v] * g->ncon + c] += clv_graph_vwgt(g, v, c);
    }
    for (int64_t i = 0; i < (int64_t)g->nvtx * g->ncon; i++)
        if (size[i / g->ncon] > 1 && weight[i] > how->max_weight[i % g->ncon])
            fault = "a coarse vertex is too heavy";
    free(to);
    free(size);
    free(weight);
    return fault;
}

static void check_hierarchy(const clv_hierarchy *h, const clv_coarsening *how)
{
    const char *fault = levels_fault(h, how);
    fault = fault ? fault : weights_fault(h, how);
    CHECK_STR(fault ? fault : "none", "none");
}

static void test_any_graph(void)
{
    clv_context ctx;
    fixture_context(&ctx, 2, 1);
    for (uint64_t seed = 0; seed < 300; seed++) {
        fixture f;
        cleave_error err = {0};
        clv_hierarchy h;
        fixture_options o = fixture_any(seed, seed % 10 ? 100 : 3000);
        fixture_make(&f, &o);
        int64_t most[3] = {10 + (int64_t)seed % 50, 15 + (int64_t)seed % 50, 100};
        clv_coarsening how = {.limit = 1 + (int32_t)(seed % 40),
                              .max_weight = most,
                              .merge_class = seed % 3 ? NULL : f.hidden,
                              .kind = seed % 2 ? CLV_MERGE_PAIRS : CLV_MERGE_CLUSTERS,
                              .sparsify_from = INT64_MAX};
        CHECK_OK(clv_hierarchy_build(&h, &f.g, &how, &ctx, &err));
        check_hierarchy(&h, &how);
        const char *fault = coarsest_fault(&h);
        CHECK_STR(fault ? fault : "none", "none");
        clv_hierarchy_free(&h);
        fixture_free(&f);
    }
    clv_context_close(&ctx);
}

/* Is every level a DAG, by an oracle that puts each vertex into a part of its own? */
static bool levels_acyclic(const clv_hierarchy *h)
{
    bool acyclic = true;
    for (int32_t i = 0; i < h->nlevels; i++) {
        const clv_graph *g = h->level[i].g;
        int32_t *own = zeros(g->nvtx, sizeof *own);
        for (int32_t v = 0; v < g->nvtx; v++)
            own[v] = v;
        clv_partition_state s = {
            .g = g, .bounds = {g->nvtx, g->ncon, NULL, NULL, NULL}, .part = own};
        acyclic =
            acyclic && g->kind == CLEAVE_DAG && !h->level[i].thinned && dag_is_acyclic(&s);
        free(own);
    }
    return acyclic;
}

/* DAGs stay DAGs and are never sparsified, for any parameters. */
static void test_any_dag(void)
{
    clv_context ctx;
    fixture_context(&ctx, 2, 1);
    int32_t deepest = 0;
    for (uint64_t seed = 0; seed < 300; seed++) {
        dag_fixture f;
        cleave_error err = {0};
        clv_hierarchy h;
        dag_options o = dag_any(seed, seed % 10 ? 100 : 1500);
        dag_make(&f, &o);
        int64_t most[4] = {10 + (int64_t)seed % 50, 15 + (int64_t)seed % 50, 100, 100};
        clv_coarsening how = {.limit = 1 + (int32_t)(seed % 40),
                              .max_weight = most,
                              .merge_class = seed % 3 ? NULL : f.hidden,
                              .kind = seed % 5 ? CLV_MERGE_CLUSTERS : CLV_MERGE_PAIRS,
                              .density = 0.01};
        REQUIRE_OK(clv_hierarchy_build(&h, &f.g, &how, &ctx, &err));
        check_hierarchy(&h, &how);
        CHECK(levels_acyclic(&h));
        const char *fault = coarsest_fault(&h);
        CHECK_STR(fault ? fault : "none", "none");
        deepest = h.nlevels > deepest ? h.nlevels : deepest;
        clv_hierarchy_free(&h);
        dag_free(&f);
    }
    CHECK(deepest >= 4);
    clv_context_close(&ctx);
}

/* A large wave front ends near the limit, in a few levels, the same for any threads. */
static void test_large_dag(void)
{
    dag_fixture f;
    clv_hierarchy h[2];
    int64_t most = 400;
    dag_options o = {.shape = DAG_GRID, .nvtx = 40000, .nparts = 2, .ncon = 1};
    dag_make(&f, &o);
    clv_coarsening how = {.limit = 300, .max_weight = &most, .sparsify_from = INT64_MAX};
    for (int t = 0; t < 2; t++) {
        clv_context ctx;
        cleave_error err = {0};
        fixture_context(&ctx, 1 + 3 * t, 1);
        REQUIRE_OK(clv_hierarchy_build(&h[t], &f.g, &how, &ctx, &err));
        clv_context_close(&ctx);
        CHECK(h[t].level[h[t].nlevels - 1].g->nvtx <= 450 && h[t].nlevels <= 14);
        CHECK_EQ(h[t].nlevels, h[0].nlevels);
        for (int32_t i = 1; i < h[t].nlevels && i < h[0].nlevels; i++)
            CHECK(oracle_same_graph(h[t].level[i].g, h[0].level[i].g));
    }
    check_hierarchy(&h[0], &how);
    clv_hierarchy_free(&h[0]);
    clv_hierarchy_free(&h[1]);
    dag_free(&f);
}

/* With a matching, levels of a DAG are made of pairs, stay acyclic and end where they shrink
 * too little; merge classes are not set. */
static void test_matching(void)
{
    clv_context ctx;
    fixture_context(&ctx, 1, 1);
    for (uint64_t seed = 0; seed < 60; seed++) {
        dag_fixture f;
        cleave_error err = {0};
        clv_hierarchy h;
        dag_options o = dag_any(seed, 300);
        dag_make(&f, &o);
        int64_t most[4] = {30, 30, 100, 100};
        clv_dag_matching pairs = {.order = CLV_DAG_ORDER_RAND, .match = CLV_DAG_MATCH_HEM};
        clv_coarsening how = {
            .limit = 10, .max_weight = most, .matching = &pairs, .least_shrink = 0.8};
        REQUIRE_OK(clv_hierarchy_build(&h, &f.g, &how, &ctx, &err));
        CHECK(levels_acyclic(&h));
        for (int32_t i = 1; i < h.nlevels; i++) {
            int64_t fine = h.level[i - 1].g->nvtx, coarse = h.level[i].g->nvtx;
            CHECK(2 * coarse >= fine && 10 * coarse < 8 * fine);
        }
        const char *fault = coarsest_fault(&h);
        CHECK_STR(fault ? fault : "none", "none");
        clv_hierarchy_free(&h);
        dag_free(&f);
    }
    clv_context_close(&ctx);
}

/* A large grid with loose bounds ends just below the limit, in a few levels. */
static void test_limit(void)
{
    fixture f;
    cleave_error err = {0};
    clv_hierarchy h;
    clv_context ctx;
    int64_t most = 400;
    fixture_options o = {.shape = FIXTURE_GRID, .nvtx = 30000, .nparts = 2, .ncon = 1};
    fixture_make(&f, &o);
    fixture_context(&ctx, 2, 1);
    for (int32_t limit = 200; limit <= 40000; limit *= 5) {
        clv_coarsening how = {.limit = limit, .max_weight = &most, .sparsify_from = INT64_MAX};
        REQUIRE_OK(clv_hierarchy_build(&h, &f.g, &how, &ctx, &err));
        CHECK(h.level[h.nlevels - 1].g->nvtx <= limit);
        CHECK(h.nlevels <= 12 && (h.nlevels > 1) == (limit < 30000));
        CHECK(h.level[0].g == &f.g && !h.level[0].owned);
        check_hierarchy(&h, &how);
        clv_hierarchy_free(&h);
    }
    clv_context_close(&ctx);
    fixture_free(&f);
}

/* Sums of weights that do not fit 31 bits: coarse levels have them in 64. */
static void test_heavy_weights(void)
{
    clv_context ctx;
    fixture_context(&ctx, 1, 1);
    for (uint64_t seed = 0; seed < 40; seed++) {
        fixture f;
        cleave_error err = {0};
        clv_hierarchy h;
        fixture_options o = {.shape = (fixture_shape)(seed % FIXTURE_SHAPES),
                             .nvtx = 300,
                             .nparts = 2,
                             .ncon = 1 + (int32_t)(seed % 3),
                             .vertex_weight = INT32_MAX - 1,
                             .edge_weight = INT32_MAX - 1,
                             .seed = seed};
        fixture_make(&f, &o);
        int64_t most[3] = {INT64_C(20) << 31, INT64_C(30) << 31, INT64_C(40) << 31};
        clv_coarsening how = {.limit = 20, .max_weight = most, .sparsify_from = INT64_MAX};
        CHECK_OK(clv_hierarchy_build(&h, &f.g, &how, &ctx, &err));
        CHECK(h.nlevels > 1 && h.level[1].g->wide_vwgt && h.level[1].g->wide_ewgt);
        check_hierarchy(&h, &how);
        const char *fault = coarsest_fault(&h);
        CHECK_STR(fault ? fault : "none", "none");
        clv_hierarchy_free(&h);
        fixture_free(&f);
    }
    clv_context_close(&ctx);
}

/* Leaves on some of a few hubs, drawn at random: the coarsest level. */
static int32_t coarsest_of_hubs(int32_t hubs, int32_t each, int32_t finer, bool *became_finer)
{
    enum { leaves = 5000 };
    edges e = {.nvtx = hubs + leaves, .ends = zeros((int64_t)leaves * each, sizeof *e.ends)};
    clv_rng rng = clv_rng_make(1, 5, 5, 5);
    for (int32_t v = hubs; v < e.nvtx; v++) {
        int32_t hub = (int32_t)clv_rng_below(&rng, (uint32_t)hubs);
        for (int32_t i = 0; i < each; i++) {
            e.ends[e.count][0] = v;
            e.ends[e.count++][1] = (hub + 7 * i) % hubs;
        }
    }
    clv_graph g;
    clv_hierarchy h;
    clv_context ctx;
    cleave_error err = {0};
    int64_t most = 80;
    clv_coarsening how = {
        .limit = 100, .max_weight = &most, .finer = finer, .sparsify_from = INT64_MAX};
    graph_from_edges(&g, &e);
    fixture_context(&ctx, 2, 1);
    cleave_status status = clv_hierarchy_build(&h, &g, &how, &ctx, &err);
    CHECK_OK(status);
    int32_t coarsest = -1;
    if (status == CLEAVE_OK) {
        coarsest = h.level[h.nlevels - 1].g->nvtx;
        *became_finer = h.finer;
        clv_hierarchy_free(&h);
    }
    clv_context_close(&ctx);
    graph_drop(&g);
    free(e.ends);
    return coarsest;
}

/* Hubs that take all leaves in one level: clusters are lighter if `finer` is set and they
 * contain a moderate share of the edges; leaves of every hub have no structure. */
static void test_finer(void)
{
    bool finer = false;
    int32_t plain = coarsest_of_hubs(50, 3, 0, &finer);
    CHECK(!finer && plain <= 200);
    int32_t lighter = coarsest_of_hubs(50, 3, 4, &finer);
    CHECK(finer && lighter >= 5000 / 20 && lighter <= 5000 / 5);
    CHECK_EQ(coarsest_of_hubs(50, 50, 4, &finer), coarsest_of_hubs(50, 50, 0, &finer));
    CHECK(!finer);
    CHECK_EQ(coarsest_of_hubs(50, 1, 4, &finer), coarsest_of_hubs(50, 1, 0, &finer));
    CHECK(!finer);
}

/* A complete graph of 1000 vertices is sparsified only if a density is set. */
static void test_density(void)
{
    enum { n = 1000 };
    int64_t *xadj = zeros(n + 1, sizeof *xadj), most = 4;
    int32_t *adj = zeros((int64_t)n * n, sizeof *adj);
    for (int32_t v = 0, a = 0; v < n; v++) {
        for (int32_t u = 0; u < n; u++)
            if (u != v)
                adj[a++] = u;
        xadj[v + 1] = a;
    }
    clv_graph g = {.kind = CLEAVE_UNDIRECTED,
                   .nvtx = n,
                   .narc = xadj[n],
                   .xadj = xadj,
                   .adj = adj,
                   .ncon = 1};
    static const struct {
        int64_t from;
        double density;
        bool thins;
    } tried[] = {{0, 0.05, true}, {INT64_MAX, 0.05, false}, {0, 0, false}, {0, 0.9, false}};
    clv_context ctx;
    fixture_context(&ctx, 2, 1);
    for (int i = 0; i < 4; i++) {
        cleave_error err = {0};
        clv_hierarchy h;
        clv_coarsening how = {.limit = 400,
                              .max_weight = &most,
                              .kind = CLV_MERGE_PAIRS,
                              .sparsify_from = tried[i].from,
                              .density = tried[i].density};
        REQUIRE_OK(clv_hierarchy_build(&h, &g, &how, &ctx, &err));
        const clv_graph *coarse = h.level[1].g;
        CHECK_EQ(coarse->narc < (int64_t)coarse->nvtx * (coarse->nvtx - 1), tried[i].thins);
        CHECK(!tried[i].thins || (double)coarse->narc < 1.3 * 0.05 * (double)g.narc);
        clv_hierarchy_free(&h);
    }
    clv_context_close(&ctx);
    free(xadj);
    free(adj);
}

/* ---- Dropping, stopping, threads, memory --------------------------------------------- */

static cleave_status build(clv_hierarchy *h, const fixture *f, clv_context *ctx,
                           cleave_error *err)
{
    static const int64_t most[1] = {50};
    clv_coarsening how = {.limit = 500,
                          .max_weight = most,
                          .merge_class = f->hidden,
                          .sparsify_from = INT64_MAX};
    return clv_hierarchy_build(h, &f->g, &how, ctx, err);
}

static void test_drop(void)
{
    fixture f;
    cleave_error err = {0};
    clv_hierarchy h;
    clv_context ctx;
    fixture_options o = {.shape = FIXTURE_GRID, .nvtx = 8000, .nparts = 2, .ncon = 1};
    fixture_make(&f, &o);
    fixture_context(&ctx, 1, 1);
    int64_t before = test_alloc_live();
    REQUIRE_OK(build(&h, &f, &ctx, &err));
    CHECK(h.nlevels >= 3);
    while (h.nlevels > 1) {
        int64_t live = test_alloc_live();
        int32_t n = h.nlevels;
        clv_hierarchy_drop(&h);
        CHECK_EQ(h.nlevels, n - 1);
        CHECK(test_alloc_live() < live);
        CHECK(!h.level[n - 2].map);
        const char *fault = coarsest_fault(&h);
        CHECK_STR(fault ? fault : "none", "none");
    }
    clv_hierarchy_free(&h);
    CHECK_EQ(h.nlevels, 0);
    clv_context_close(&ctx);
    CHECK(test_alloc_live() < before);
    fixture_free(&f);
}

static void test_stop(void)
{
    fixture f;
    cleave_error err = {0};
    clv_hierarchy h;
    clv_context ctx;
    fixture_options o = {.shape = FIXTURE_GRID, .nvtx = 8000, .nparts = 2, .ncon = 1};
    fixture_make(&f, &o);
    fixture_context(&ctx, 1, 1);
    atomic_store(ctx.stopped, 1);
    REQUIRE_OK(build(&h, &f, &ctx, &err));
    CHECK_EQ(h.nlevels, 1);
    CHECK(h.level[0].g == &f.g && !h.level[0].map);
    clv_hierarchy_free(&h);
    clv_context_close(&ctx);
    fixture_free(&f);
}

/* After a stop, levels may use the credit, unless none are wanted. */
static void test_end_at_stop(void)
{
    fixture f;
    clv_hierarchy h;
    int64_t most = 50;
    fixture_options o = {.shape = FIXTURE_GRID, .nvtx = 8000, .nparts = 2, .ncon = 1};
    fixture_make(&f, &o);
    for (int end = 0; end < 2; end++) {
        cleave_error err = {0};
        clv_context ctx;
        fixture_context(&ctx, 1, 1);
        atomic_store(ctx.stopped, 1);
        ctx.credit = INT64_MAX / 2;
        clv_coarsening how = {.limit = 500, .max_weight = &most, .end_at_stop = end};
        REQUIRE_OK(clv_hierarchy_build(&h, &f.g, &how, &ctx, &err));
        CHECK(end ? h.nlevels == 1 && h.cut_short : h.nlevels > 1);
        clv_hierarchy_free(&h);
        clv_context_close(&ctx);
    }
    fixture_free(&f);
}

static void test_threads(void)
{
    static const int threads[] = {1, 2, 3, 8};
    fixture f;
    clv_hierarchy h[4];
    fixture_options o = {.shape = FIXTURE_RANDOM, .nvtx = 50000, .nparts = 2, .ncon = 1};
    fixture_make(&f, &o);
    for (int t = 0; t < 4; t++) {
        clv_context ctx;
        cleave_error err = {0};
        fixture_context(&ctx, threads[t], 9);
        REQUIRE_OK(build(&h[t], &f, &ctx, &err));
        clv_context_close(&ctx);
        CHECK_EQ(h[t].nlevels, h[0].nlevels);
        for (int32_t i = 1; i < h[t].nlevels && i < h[0].nlevels; i++)
            CHECK(oracle_same_graph(h[t].level[i].g, h[0].level[i].g));
    }
    const char *fault = coarsest_fault(&h[0]);
    CHECK_STR(fault ? fault : "none", "none");
    for (int t = 0; t < 4; t++)
        clv_hierarchy_free(&h[t]);
    fixture_free(&f);
}

static void test_out_of_memory(void)
{
    fixture f;
    fixture_options o = {.shape = FIXTURE_GRID, .nvtx = 2500, .nparts = 2, .ncon = 1};
    fixture_make(&f, &o);
    int32_t failures = 0;
    test_oom_rounds oom = {.lenient = true};
    while (test_oom_next(&oom)) {
        clv_context ctx;
        cleave_error err = {0};
        clv_hierarchy h;
        fixture_context(&ctx, 1, 1);
        cleave_status status = TEST_OOM(&oom, build(&h, &f, &ctx, &err));
        failures += status == CLEAVE_ENOMEM;
        /* Arrays that cannot be made smaller are no failure. */
        if (status == CLEAVE_OK)
            clv_hierarchy_free(&h);
        clv_context_close(&ctx);
    }
    CHECK(failures > 20 && oom.nth < 1000);
    fixture_free(&f);
}

int main(void)
{
    RUN(test_any_graph);
    RUN(test_any_dag);
    RUN(test_large_dag);
    RUN(test_matching);
    RUN(test_limit);
    RUN(test_heavy_weights);
    RUN(test_finer);
    RUN(test_density);
    RUN(test_drop);
    RUN(test_stop);
    RUN(test_end_at_stop);
    RUN(test_threads);
    RUN(test_out_of_memory);
    return test_end();
}
