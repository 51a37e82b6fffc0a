/* SPDX-License-Identifier: Apache-2.0 */
/* coarsen/acyclic_cluster.c: no clustering of thousands of small DAGs closes a cycle, by an
 * oracle that uses neither levels nor heights; bounds and classes are kept, chains and stars
 * shrink, heavy arcs go first, the same map for any number of threads. */
#include "coarsen/acyclic_cluster.h"

#include "oracle/acyclic_oracle.h"
#include "refine/dag_fixture.h"

typedef struct clusters {
    int32_t *map, ncoarse;
} clusters;

static void *zeros(int64_t count, size_t each)
{
    void *block = calloc((size_t)count + 1, each);
    if (!block)
        abort();
    return block;
}

/* By way of clv_cluster, which passes DAGs on. */
static clusters find_clusters(const clv_graph *g, const clv_merge_rule *rule, int threads,
                              uint64_t seed)
{
    clusters c = {.map = zeros(g->nvtx, sizeof *c.map), .ncoarse = -1};
    clv_context ctx;
    cleave_error err = {0};
    fixture_context(&ctx, threads, seed);
    CHECK_OK(clv_cluster(g, rule, &ctx, c.map, &c.ncoarse, &err));
    clv_context_close(&ctx);
    for (int32_t v = 0; v < g->nvtx; v++)
        if (c.map[v] < 0 || c.map[v] >= c.ncoarse) {
            CHECK(!"a coarse vertex is out of range");
            abort();
        }
    return c;
}

static bool contracts_acyclic(const clv_graph *g, const clusters *c)
{
    cleave_csr csr = {.size = sizeof csr,
                      .kind = CLEAVE_DAG,
                      .nvtx = g->nvtx,
                      .xadj = g->xadj,
                      .adj = g->adj};
    return oracle_parts_acyclic(&csr, c->ncoarse, c->map);
}

/* NULL, or which promise is broken. */
static const char *fault_of(const clv_graph *g, const clv_merge_rule *rule, const clusters *c)
{
    int32_t *first = zeros(c->ncoarse, sizeof *first), *size = zeros(c->ncoarse, sizeof *size);
    int64_t *weight = zeros((int64_t)c->ncoarse * g->ncon, sizeof *weight);
    const char *fault = NULL;
    for (int32_t v = g->nvtx - 1; v >= 0; v--) {
        size[c->map[v]]++;
        first[c->map[v]] = v;
        for (int32_t i = 0; i < g->ncon; i++)
            weight[(int64_t)c->map[v] * g->ncon + i] += clv_graph_vwgt(g, v, i);
    }
    for (int32_t v = 0; v < g->nvtx; v++)
        if (rule->merge_class && rule->merge_class[v] != rule->merge_class[first[c->map[v]]])
            fault = "classes are mixed";
    for (int32_t x = 0; x < c->ncoarse; x++) {
        if (size[x] == 0)
            fault = "a coarse vertex is empty";
        if (rule->kind == CLV_MERGE_PAIRS && size[x] > 2)
            fault = "more than a pair";
        for (int32_t i = 0; size[x] > 1 && i < g->ncon; i++)
            if (weight[(int64_t)x * g->ncon + i] > rule->max_weight[i])
                fault = "too heavy";
    }
    free(first);
    free(size);
    free(weight);
    return fault ? fault : contracts_acyclic(g, c) ? NULL : "there is a cycle";
}

/* ---- Any DAG ------------------------------------------------------------------------- */

/* Classes need not come from an acyclic partition. */
static void check_any(uint64_t seed, int32_t largest, int64_t *vertices, int64_t *left)
{
    dag_fixture f;
    dag_options o = dag_any(seed, largest);
    clv_rng rng = clv_rng_make(seed, 3, 3, 3);
    dag_make(&f, &o);
    int64_t most[4];
    for (int i = 0; i < 4; i++)
        most[i] = 1 + clv_rng_below(&rng, seed % 3 ? 12 : 200);
    int32_t *merge_class = zeros(o.nvtx, sizeof *merge_class);
    for (int32_t v = 0; v < o.nvtx; v++)
        merge_class[v] = (int32_t)clv_rng_below(&rng, 2) * 7 - 1;
    clv_merge_rule rule = {seed % 7 == 0 ? CLV_MERGE_PAIRS : CLV_MERGE_CLUSTERS, most,
                           seed % 5 ? NULL : merge_class, (int32_t)(seed % 4), false};
    clusters c = find_clusters(&f.g, &rule, 1, seed / 4);
    const char *fault = fault_of(&f.g, &rule, &c);
    CHECK_STR(fault ? fault : "none", "none");
    *vertices += o.nvtx;
    *left += c.ncoarse;
    free(c.map);
    free(merge_class);
    dag_free(&f);
}

static void test_any_dag(void)
{
    int64_t vertices = 0, left = 0;
    for (uint64_t seed = 0; seed < 6000; seed++)
        check_any(seed, 14, &vertices, &left);
    for (uint64_t seed = 0; seed < 1500; seed++)
        check_any(seed, seed % 20 ? 100 : 2500, &vertices, &left);
    CHECK(left < vertices * 2 / 3);
}

/* u1 and u2 both lead to v1 and v2: every arc may vanish, but not two that share no end. */
static void test_crossing(void)
{
    static const int64_t xadj[5] = {0, 2, 4, 4, 4}, xpred[5] = {0, 0, 0, 2, 4};
    static const int32_t adj[4] = {2, 3, 2, 3}, pred[4] = {0, 1, 0, 1};
    static const int64_t most = 2;
    clv_graph g = {.kind = CLEAVE_DAG,
                   .nvtx = 4,
                   .narc = 4,
                   .xadj = xadj,
                   .adj = adj,
                   .xpred = xpred,
                   .pred = pred,
                   .ncon = 1};
    for (uint64_t seed = 0; seed < 40; seed++) {
        clv_merge_rule rule = {CLV_MERGE_CLUSTERS, &most, NULL, (int32_t)(seed % 2), false};
        clusters c = find_clusters(&g, &rule, 1, seed);
        CHECK(contracts_acyclic(&g, &c));
        CHECK(c.ncoarse < 4);
        free(c.map);
    }
}

static void test_nothing(void)
{
    static const int64_t none[4] = {0, 0, 0, 0}, most = 3;
    for (int32_t n = 0; n <= 3; n++) {
        clv_graph g = {.kind = CLEAVE_DAG, .nvtx = n, .xadj = none, .xpred = none, .ncon = 1};
        clv_merge_rule rule = {CLV_MERGE_CLUSTERS, &most, NULL, 0, false};
        clusters c = find_clusters(&g, &rule, 2, 1);
        CHECK_EQ(c.ncoarse, n > 0);
        free(c.map);
    }
}

/* ---- What must shrink ---------------------------------------------------------------- */

static int32_t coarse_count(dag_shape shape, int32_t nvtx, int64_t most, uint64_t seed)
{
    dag_fixture f;
    dag_options o = {.shape = shape, .nvtx = nvtx, .nparts = 2, .ncon = 1, .seed = seed};
    dag_make(&f, &o);
    clv_merge_rule rule = {CLV_MERGE_CLUSTERS, &most, NULL, (int32_t)(seed % 2), false};
    clusters c = find_clusters(&f.g, &rule, 2, seed);
    const char *fault = fault_of(&f.g, &rule, &c);
    CHECK_STR(fault ? fault : "none", "none");
    free(c.map);
    dag_free(&f);
    return c.ncoarse;
}

static void test_shrinks(void)
{
    for (int shape = 0; shape < DAG_SHAPES; shape++)
        for (int32_t n = 1000; n <= 25000; n += 24000)
            for (uint64_t seed = 0; seed < 4; seed++)
                CHECK(coarse_count((dag_shape)shape, n, 10, seed) <= n * 7 / 10);
    CHECK_EQ(coarse_count(DAG_GRID, 400, 1, 1), 400);
}

/* A path of n vertices; every second arc is heavy. */
typedef struct path {
    clv_graph g;
    int64_t *xadj, *xpred;
    int32_t *adj, *pred, *ewgt, *pwgt;
} path;

static path make_path(int32_t n)
{
    path p = {.xadj = zeros(n + 1, sizeof *p.xadj),
              .xpred = zeros(n + 1, sizeof *p.xpred),
              .adj = zeros(n, sizeof *p.adj),
              .pred = zeros(n, sizeof *p.pred),
              .ewgt = zeros(n, sizeof *p.ewgt),
              .pwgt = zeros(n, sizeof *p.pwgt)};
    for (int32_t v = 0; v < n; v++) {
        p.xadj[v + 1] = v + 1 < n ? v + 1 : v;
        p.xpred[v + 1] = v;
        p.adj[v] = v + 1;
        p.pred[v] = v;
        p.ewgt[v] = p.pwgt[v] = v % 2 ? 99 : 100;
    }
    p.g = (clv_graph){.kind = CLEAVE_DAG,
                      .nvtx = n,
                      .narc = n - 1,
                      .xadj = p.xadj,
                      .adj = p.adj,
                      .ewgt = p.ewgt,
                      .xpred = p.xpred,
                      .pred = p.pred,
                      .pwgt = p.pwgt,
                      .ncon = 1};
    return p;
}

static void free_path(path *p)
{
    free(p->xadj);
    free(p->xpred);
    free(p->adj);
    free(p->pred);
    free(p->ewgt);
    free(p->pwgt);
}

/* All 64 bits of a weight are compared: heavy arcs go first also if their low 32 bits are
 * small. */
static void test_wide_path(void)
{
    path p = make_path(20000);
    int64_t *wide = zeros(p.g.nvtx, sizeof *wide), two = 2;
    for (int32_t v = 0; v < p.g.nvtx; v++)
        wide[v] = v % 2 ? 99 : INT64_C(1) << 32;
    p.g.ewgt = p.g.pwgt = NULL;
    p.g.wide_ewgt = p.g.wide_pwgt = wide;
    clv_merge_rule rule = {CLV_MERGE_CLUSTERS, &two, NULL, 0, false};
    clusters c = find_clusters(&p.g, &rule, 1, 1);
    int32_t apart = 0;
    for (int32_t v = 0; v < p.g.nvtx; v += 2)
        apart += c.map[v] != c.map[v + 1];
    CHECK(apart < 400);
    free(c.map);
    free(wide);
    free_path(&p);
}

/* Pairs of the heavy arcs; and a path of which every level is one vertex shrinks at all. */
static void test_path(void)
{
    path p = make_path(20000);
    for (uint64_t seed = 0; seed < 6; seed++) {
        int64_t two = 2, many = 100;
        clv_merge_rule rule = {CLV_MERGE_CLUSTERS, &two, NULL, 0, false};
        clusters c = find_clusters(&p.g, &rule, 1, seed);
        int32_t apart = 0;
        for (int32_t v = 0; v < p.g.nvtx; v += 2)
            apart += c.map[v] != c.map[v + 1];
        CHECK(apart < 400); /* where two bands meet */
        CHECK(contracts_acyclic(&p.g, &c));
        free(c.map);
        rule.max_weight = &many;
        c = find_clusters(&p.g, &rule, 1, seed);
        CHECK(c.ncoarse < p.g.nvtx * 11 / 20);
        CHECK(contracts_acyclic(&p.g, &c));
        free(c.map);
    }
    free_path(&p);
}

/* ---- Hubs ---------------------------------------------------------------------------- */

/* One source with n - 1 sinks, or the reverse: sinks merge with each other, also beyond the
 * arcs of a hub that are rated. */
static void check_star(int32_t n, bool reverse)
{
    int64_t *far = zeros(n + 1, sizeof *far), *near = zeros(n + 1, sizeof *near), most = 50;
    int32_t *leaf = zeros(n, sizeof *leaf), *hub = zeros(n, sizeof *hub);
    for (int32_t v = 0; v < n; v++) {
        far[v + 1] = n - 1;
        near[v + 1] = v;
        leaf[v] = v + 1;
    }
    clv_graph g = {.kind = CLEAVE_DAG,
                   .nvtx = n,
                   .narc = n - 1,
                   .xadj = reverse ? near : far,
                   .adj = reverse ? hub : leaf,
                   .xpred = reverse ? far : near,
                   .pred = reverse ? leaf : hub,
                   .ncon = 1};
    for (uint64_t seed = 0; seed < 2; seed++) {
        clv_merge_rule rule = {CLV_MERGE_CLUSTERS, &most, NULL, 0, false};
        clusters c = find_clusters(&g, &rule, 2, seed);
        CHECK(c.ncoarse <= n / 25);
        const char *fault = fault_of(&g, &rule, &c);
        CHECK_STR(fault ? fault : "none", "none");
        free(c.map);
    }
    free(far);
    free(near);
    free(leaf);
    free(hub);
}

static void test_stars(void)
{
    check_star(1000, false);
    check_star(1000, true);
    check_star(9000, false);
    check_star(9000, true);
}

/* ---- Seeds, threads, memory ---------------------------------------------------------- */

static void test_seeds(void)
{
    dag_fixture f;
    dag_options o = {.shape = DAG_GRID, .nvtx = 400, .nparts = 2, .ncon = 1};
    int64_t most = 4;
    size_t bytes = 400 * sizeof(int32_t);
    dag_make(&f, &o);
    clv_merge_rule rule = {CLV_MERGE_CLUSTERS, &most, NULL, 0, false}, deeper = rule;
    deeper.level = 2;
    clusters a = find_clusters(&f.g, &rule, 1, 1), b = find_clusters(&f.g, &rule, 1, 1);
    clusters c = find_clusters(&f.g, &rule, 1, 3), d = find_clusters(&f.g, &deeper, 1, 1);
    CHECK(memcmp(a.map, b.map, bytes) == 0);
    CHECK(memcmp(a.map, c.map, bytes) != 0);
    CHECK(memcmp(a.map, d.map, bytes) != 0);
    free(a.map);
    free(b.map);
    free(c.map);
    free(d.map);
    dag_free(&f);
}

static void test_threads(void)
{
    static const int threads[] = {1, 2, 3, 8};
    for (int i = 0; i < 10; i++) {
        dag_fixture f;
        dag_options o = {.shape = (dag_shape)(i % DAG_SHAPES),
                         .nvtx = 20000,
                         .nparts = 2,
                         .ncon = i % 3 ? 1 : 3,
                         .vertex_weight = i % 2 ? 9 : 0,
                         .edge_weight = i < 5 ? 9 : 0,
                         .seed = (uint64_t)i};
        int64_t most[3] = {30, 40, 50};
        dag_make(&f, &o);
        clv_merge_rule rule = {i / 2 % 2 ? CLV_MERGE_PAIRS : CLV_MERGE_CLUSTERS, most,
                               i % 4 == 3 ? f.hidden : NULL, 0, false};
        clusters first = find_clusters(&f.g, &rule, threads[0], 1);
        const char *fault = fault_of(&f.g, &rule, &first);
        CHECK_STR(fault ? fault : "none", "none");
        for (int t = 1; t < 4; t++) {
            clusters c = find_clusters(&f.g, &rule, threads[t], 1);
            CHECK_EQ(c.ncoarse, first.ncoarse);
            CHECK(memcmp(c.map, first.map, (size_t)o.nvtx * sizeof *c.map) == 0);
            free(c.map);
        }
        free(first.map);
        dag_free(&f);
    }
}

static void test_out_of_memory(void)
{
    dag_fixture f;
    dag_options o = {.shape = DAG_GRID, .nvtx = 21000, .nparts = 2, .ncon = 1};
    int64_t most = 4;
    test_oom_rounds oom = {0};
    dag_make(&f, &o);
    int32_t *map = zeros(o.nvtx, sizeof *map), ncoarse;
    while (test_oom_next(&oom)) {
        clv_context ctx;
        cleave_error err = {0};
        clv_merge_rule rule = {CLV_MERGE_CLUSTERS, &most, NULL, 0, false};
        fixture_context(&ctx, 2, 1);
        TEST_OOM(&oom, clv_cluster_acyclic(&f.g, &rule, &ctx, map, &ncoarse, &err));
        clv_context_close(&ctx);
    }
    CHECK(oom.nth > 2 && oom.nth < 100);
    free(map);
    dag_free(&f);
}

int main(void)
{
    RUN(test_any_dag);
    RUN(test_crossing);
    RUN(test_nothing);
    RUN(test_shrinks);
    RUN(test_path);
    RUN(test_wide_path);
    RUN(test_stars);
    RUN(test_seeds);
    RUN(test_threads);
    RUN(test_out_of_memory);
    return test_end();
}
