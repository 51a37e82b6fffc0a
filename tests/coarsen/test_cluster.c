/* SPDX-License-Identifier: Apache-2.0 */
/* coarsen/cluster.c: bounds and classes are kept, no vertex that could merge is left alone, no
 * weak tie is crossed, stars and isolated vertices shrink, the same map for any number of
 * threads. */
#include "coarsen/cluster.h"

#include "coarsen/coarse_oracle.h"

typedef struct clusters {
    int32_t *map, ncoarse;
    int32_t *size;   /* members by coarse vertex */
    int64_t *weight; /* by coarse vertex * ncon */
} clusters;

static void clusters_free(clusters *c)
{
    free(c->map);
    free(c->size);
    free(c->weight);
}

static clusters find_clusters(const clv_graph *g, const clv_merge_rule *rule, int threads,
                              uint64_t seed)
{
    clusters c = {.map = zeros(g->nvtx, sizeof *c.map), .ncoarse = -1};
    clv_context ctx;
    cleave_error err = {0};
    fixture_context(&ctx, threads, seed);
    CHECK_OK(clv_cluster(g, rule, &ctx, c.map, &c.ncoarse, &err));
    clv_context_close(&ctx);
    c.size = zeros(g->nvtx, sizeof *c.size);
    c.weight = zeros((int64_t)g->nvtx * g->ncon, sizeof *c.weight);
    for (int32_t v = 0; v < g->nvtx; v++) {
        if (c.map[v] < 0 || c.map[v] >= c.ncoarse || c.ncoarse > g->nvtx) {
            CHECK(!"a coarse vertex is out of range");
            abort();
        }
        c.size[c.map[v]]++;
        for (int32_t i = 0; i < g->ncon; i++)
            c.weight[(int64_t)c.map[v] * g->ncon + i] += clv_graph_vwgt(g, v, i);
    }
    return c;
}

static bool would_fit(const clv_graph *g, const clv_merge_rule *rule, const clusters *c,
                      int32_t v, int32_t x)
{
    for (int32_t i = 0; i < g->ncon; i++)
        if (c->weight[(int64_t)x * g->ncon + i] + clv_graph_vwgt(g, v, i) >
            rule->max_weight[i])
            return false;
    return rule->kind != CLV_MERGE_PAIRS || c->size[x] == 1;
}

/* Is the arc at least an eighth of what ties v to all its neighbours? */
static bool is_strong(const clv_graph *g, int32_t v, int64_t arc)
{
    int64_t sum = 0;
    for (int64_t a = g->xadj[v]; a < g->xadj[v + 1]; a++)
        sum += clv_graph_ewgt(g, a);
    return 8 * clv_graph_ewgt(g, arc) >= sum;
}

/* NULL, or which promise is broken.  `all`: also that nothing that fits is left alone, which
 * a large graph, taken in sub-rounds, need not hold. */
static const char *fault_of(const clv_graph *g, const clv_merge_rule *rule, const clusters *c,
                            bool all)
{
    int32_t *merge_class = zeros(g->nvtx, sizeof *merge_class);
    const char *fault = NULL;
    for (int32_t x = 0; x < c->ncoarse; x++) {
        if (c->size[x] == 0)
            fault = "a coarse vertex is empty";
        if (rule->kind == CLV_MERGE_PAIRS && c->size[x] > 2)
            fault = "more than a pair";
        for (int32_t i = 0; c->size[x] > 1 && i < g->ncon; i++)
            if (c->weight[(int64_t)x * g->ncon + i] > rule->max_weight[i])
                fault = "too heavy";
    }
    for (int32_t v = 0; rule->merge_class && v < g->nvtx; v++)
        merge_class[c->map[v]] = rule->merge_class[v];
    for (int32_t v = 0; v < g->nvtx; v++) {
        if (rule->merge_class && merge_class[c->map[v]] != rule->merge_class[v])
            fault = "classes are mixed";
        for (int64_t a = g->xadj[v]; all && c->size[c->map[v]] == 1 && a < g->xadj[v + 1]; a++)
            if (merge_class[c->map[v]] == merge_class[c->map[g->adj[a]]] &&
                (!rule->spare_weak || is_strong(g, v, a)) &&
                would_fit(g, rule, c, v, c->map[g->adj[a]]))
                fault = "a vertex is left alone beside a cluster that fits";
    }
    free(merge_class);
    return fault;
}

static void test_any_graph(void)
{
    for (uint64_t seed = 0; seed < 800; seed++) {
        fixture f;
        fixture_options o = fixture_any(seed, seed % 20 ? 60 : 2000);
        clv_rng rng = clv_rng_make(seed, 3, 3, 3);
        fixture_make(&f, &o);
        int64_t most[3];
        for (int i = 0; i < 3; i++)
            most[i] = 1 + clv_rng_below(&rng, seed % 3 ? 12 : 200);
        int32_t *merge_class = zeros(o.nvtx, sizeof *merge_class);
        for (int32_t v = 0; v < o.nvtx; v++)
            merge_class[v] = (int32_t)clv_rng_below(&rng, 2) * 7 - 1;
        clv_merge_rule rule = {seed % 2 ? CLV_MERGE_PAIRS : CLV_MERGE_CLUSTERS, most,
                               seed % 3 ? NULL : merge_class, (int32_t)(seed % 4),
                               seed % 5 == 0};
        clusters c = find_clusters(&f.g, &rule, 1 + (int)(seed % 2), seed);
        const char *fault = fault_of(&f.g, &rule, &c, true);
        CHECK_STR(fault ? fault : "none", "none");
        clusters_free(&c);
        free(merge_class);
        fixture_free(&f);
    }
}

/* Bounds below every vertex: nothing merges. */
static void test_too_tight(void)
{
    fixture f;
    fixture_options o = {.shape = FIXTURE_GRID, .nvtx = 400, .nparts = 2, .ncon = 1};
    static const int64_t most[1] = {1};
    fixture_make(&f, &o);
    for (int kind = 0; kind < 2; kind++) {
        clv_merge_rule rule = {kind ? CLV_MERGE_PAIRS : CLV_MERGE_CLUSTERS, most, NULL, 0,
                               false};
        clusters c = find_clusters(&f.g, &rule, 1, 1);
        CHECK_EQ(c.ncoarse, 400);
        clusters_free(&c);
    }
    fixture_free(&f);
}

/* ---- What must shrink ---------------------------------------------------------------- */

/* Stars of 50: a hub takes what fits, the others merge with each other, up to half the
 * bound; vertices without arcs do, too. */
static void check_shrinks(fixture_shape shape, int32_t nvtx, int64_t most, int32_t pairs,
                          int32_t groups)
{
    fixture f;
    fixture_options o = {.shape = shape, .nvtx = nvtx, .nparts = 2, .ncon = 1};
    fixture_make(&f, &o);
    static const int64_t none[25001];
    if (shape == FIXTURE_SHAPES) {
        f.g.xadj = none;
        f.g.narc = 0;
    }
    clv_merge_rule rule = {CLV_MERGE_PAIRS, &most, NULL, 0, false};
    clusters c = find_clusters(&f.g, &rule, 2, 1);
    CHECK(c.ncoarse <= pairs);
    clusters_free(&c);
    rule.kind = CLV_MERGE_CLUSTERS;
    c = find_clusters(&f.g, &rule, 2, 1);
    CHECK(c.ncoarse <= groups);
    const char *fault = fault_of(&f.g, &rule, &c, false);
    CHECK_STR(fault ? fault : "none", "none");
    clusters_free(&c);
    fixture_free(&f);
}

static void test_shrinks(void)
{
    for (int32_t n = 1000; n <= 25000; n += 24000) {
        check_shrinks(FIXTURE_STARS, n, 10, n * 11 / 20, n * 11 / 50);
        check_shrinks(FIXTURE_SHAPES, n, 10, n / 2, n / 5);
        check_shrinks(FIXTURE_GRID, n, 10, n * 13 / 20, n / 2);
        check_shrinks(FIXTURE_CLIQUES, n, 10, n * 13 / 20, n / 5);
    }
}

/* On a path every second edge is heavy: each vertex has one partner that it prefers. */
static void test_heavy_edges(void)
{
    enum { n = 200 };
    int64_t xadj[n + 1] = {0}, most = 2;
    int32_t adj[2 * n], ewgt[2 * n];
    for (int32_t v = 0, a = 0; v < n; v++) {
        for (int32_t u = v - 1; u <= v + 1; u += 2) {
            if (u < 0 || u >= n)
                continue;
            adj[a] = u;
            ewgt[a++] = (u < v ? u : v) % 2 ? 99 : 100;
        }
        xadj[v + 1] = a;
    }
    clv_graph g = {.kind = CLEAVE_UNDIRECTED,
                   .nvtx = n,
                   .narc = xadj[n],
                   .xadj = xadj,
                   .adj = adj,
                   .ewgt = ewgt,
                   .ncon = 1};
    for (uint64_t seed = 0; seed < 20; seed++) {
        clv_merge_rule rule = {CLV_MERGE_PAIRS, &most, NULL, 0, false};
        clusters c = find_clusters(&g, &rule, 1, seed);
        CHECK_EQ(c.ncoarse, n / 2);
        for (int32_t v = 0; v < n; v += 2)
            CHECK_EQ(c.map[v], c.map[v + 1]);
        clusters_free(&c);
    }
}

/* A grid of random weights with a column of edges that are ten times lighter than all others:
 * no cluster crosses it, full as the others may be. */
static void check_light_column(int32_t side, int64_t most)
{
    int32_t n = side * side, a = 0;
    int64_t *xadj = zeros(n + 1, sizeof *xadj);
    int32_t *adj = zeros(4 * n, sizeof *adj), *ewgt = zeros(4 * n, sizeof *ewgt);
    for (int32_t v = 0; v < n; v++) {
        int32_t x = v % side, y = v / side, step[] = {-side, -1, 1, side};
        bool inside[] = {y > 0, x > 0, x + 1 < side, y + 1 < side};
        for (int i = 0; i < 4; i++) {
            int32_t u = v + step[i], low = u < v ? u : v;
            if (!inside[i])
                continue;
            bool across = (i == 1 || i == 2) && low % side == side / 2;
            adj[a] = u;
            ewgt[a++] = across ? 1 : (low * 7 + i % 3 * 5) % 10 < 3 ? 200 : 10;
        }
        xadj[v + 1] = a;
    }
    clv_graph g = {.kind = CLEAVE_UNDIRECTED,
                   .nvtx = n,
                   .narc = a,
                   .xadj = xadj,
                   .adj = adj,
                   .ewgt = ewgt,
                   .ncon = 1};
    for (uint64_t seed = 0; seed < 4; seed++) {
        clv_merge_rule rule = {CLV_MERGE_CLUSTERS, &most, NULL, 0, true};
        clusters c = find_clusters(&g, &rule, 1, seed);
        int32_t crossed = 0;
        for (int32_t v = side / 2; v < n; v += side)
            crossed += c.map[v] == c.map[v + 1];
        CHECK_EQ(crossed, 0);
        CHECK(c.ncoarse < n * 3 / 4);
        clusters_free(&c);
    }
    free(xadj);
    free(adj);
    free(ewgt);
}

static void test_weak_ties(void)
{
    for (int32_t side = 60; side <= 150; side += 90)
        for (int64_t most = 2; most <= 20; most += 6)
            check_light_column(side, most);
}

/* ---- Hubs ---------------------------------------------------------------------------- */

/* A wheel, large enough for sub-rounds. In each, many vertices choose the hub and few are
 * admitted. All clusters but that of the hub, vertex 0, are intervals of the rim. */
static void test_wheel(void)
{
    enum { rim = 25000 };
    edges e = {.nvtx = rim + 1, .ends = zeros(2 * rim, sizeof *e.ends)};
    for (int32_t i = 0; i < 2 * rim; i++) {
        e.ends[e.count][0] = i < rim ? 0 : i - rim + 1;
        e.ends[e.count++][1] = i < rim ? i + 1 : (i + 1) % rim + 1;
    }
    clv_graph g;
    int64_t most = 40;
    graph_from_edges(&g, &e);
    for (uint64_t seed = 0; seed < 16; seed++) {
        clv_merge_rule rule = {CLV_MERGE_CLUSTERS, &most, NULL, 0, false};
        clusters c = find_clusters(&g, &rule, 2, seed);
        int32_t changes = 0, of_hub = 0;
        for (int32_t v = 1; v <= rim; v++) {
            changes += c.map[v] != c.map[v % rim + 1];
            of_hub += c.map[v] == c.map[0];
        }
        CHECK(changes <= c.ncoarse - 1 + of_hub);
        CHECK(c.ncoarse < rim / 2);
        clusters_free(&c);
    }
    graph_drop(&g);
    free(e.ends);
}

/* Every leaf hangs on one of 40 small hubs, the first vertices, and on one of two large ones.
 * Hubs take what fits.  All others merge, up to half the bound, with leaves of the
 * same large hub. */
static void test_satellites(void)
{
    enum { small = 40, hubs = small + 2, leaves = 4000, bound = 60 };
    edges e = {.nvtx = hubs + leaves, .ends = zeros(2 * leaves, sizeof *e.ends)};
    for (int32_t v = hubs; v < e.nvtx; v++) {
        int32_t ends[2][2] = {{v, v % small}, {v, small + v / small % 2}};
        memcpy(e.ends[e.count], ends, sizeof ends);
        e.count += 2;
    }
    clv_graph g;
    int64_t most = bound;
    graph_from_edges(&g, &e);
    for (uint64_t seed = 0; seed < 4; seed++) {
        clv_merge_rule rule = {CLV_MERGE_CLUSTERS, &most, NULL, 0, false};
        clusters c = find_clusters(&g, &rule, 1, seed);
        int32_t *hub = zeros(c.ncoarse, sizeof *hub), mixed = 0, large = 0;
        for (int32_t v = 0; v < e.nvtx; v++) {
            int32_t x = c.map[v], mine = v < hubs ? -1 : 1 + v / small % 2;
            mixed += hub[x] > 0 && hub[x] != mine;
            hub[x] = hub[x] < 0 ? hub[x] : mine;
        }
        for (int32_t x = 0; x < c.ncoarse; x++)
            large += c.size[x] > (hub[x] < 0 ? bound : bound / 2);
        CHECK_EQ(mixed, 0);
        CHECK_EQ(large, 0);
        CHECK(c.ncoarse <= hubs + 2 + leaves / (bound / 2));
        free(hub);
        clusters_free(&c);
    }
    graph_drop(&g);
    free(e.ends);
}

/* Leaves with numbers at random hang on pairs of five hubs.  But for those that the hubs take,
 * leaves of the same pair merge; of each pair at most one is left for a cluster of others. */
static void test_twins(void)
{
    enum { hubs = 5, pairs = hubs * (hubs - 1) / 2, leaves = 200 * pairs, bound = 20 };
    int32_t pair[pairs][2];
    for (int32_t i = 0, count = 0; i < hubs; i++)
        for (int32_t j = 0; j < i; j++, count++)
            memcpy(pair[count], (int32_t[]){i, j}, sizeof *pair);
    for (uint64_t seed = 0; seed < 4; seed++) {
        edges e = {.nvtx = hubs + leaves, .ends = zeros(2 * leaves, sizeof *e.ends)};
        int32_t *kind = zeros(leaves, sizeof *kind);
        clv_rng rng = clv_rng_make(seed, 4, 4, 4);
        clv_rng_permutation(&rng, leaves, kind);
        for (int32_t v = hubs; v < e.nvtx; v++)
            for (int i = 0; i < 2; i++)
                memcpy(e.ends[e.count++], (int32_t[]){v, pair[kind[v - hubs] % pairs][i]},
                       sizeof *e.ends);
        clv_graph g;
        int64_t most = bound;
        graph_from_edges(&g, &e);
        clv_merge_rule rule = {CLV_MERGE_CLUSTERS, &most, NULL, 0, false};
        clusters c = find_clusters(&g, &rule, 1, seed);
        int32_t *first = zeros(c.ncoarse, sizeof *first), mixed = 0;
        for (int32_t v = 0; v < e.nvtx; v++) {
            int32_t x = c.map[v], mine = v < hubs ? -1 : 1 + kind[v - hubs] % pairs;
            mixed += first[x] > 0 && first[x] != mine;
            first[x] = first[x] ? first[x] : mine;
        }
        CHECK(mixed <= pairs);
        CHECK(c.ncoarse <= hubs + pairs + leaves / (bound / 2));
        free(first);
        clusters_free(&c);
        graph_drop(&g);
        free(kind);
        free(e.ends);
    }
}

/* ---- Seeds, threads, memory ---------------------------------------------------------- */

static void test_seeds(void)
{
    fixture f;
    fixture_options o = {.shape = FIXTURE_GRID, .nvtx = 400, .nparts = 2, .ncon = 1};
    int64_t most = 4;
    size_t bytes = 400 * sizeof(int32_t);
    fixture_make(&f, &o);
    clv_merge_rule rule = {CLV_MERGE_CLUSTERS, &most, NULL, 0, false}, deeper = rule;
    deeper.level = 1;
    clusters a = find_clusters(&f.g, &rule, 1, 1), b = find_clusters(&f.g, &rule, 1, 1);
    clusters c = find_clusters(&f.g, &rule, 1, 2), d = find_clusters(&f.g, &deeper, 1, 1);
    CHECK(memcmp(a.map, b.map, bytes) == 0);
    CHECK(memcmp(a.map, c.map, bytes) != 0);
    CHECK(memcmp(a.map, d.map, bytes) != 0);
    clusters_free(&a);
    clusters_free(&b);
    clusters_free(&c);
    clusters_free(&d);
    fixture_free(&f);
}

static void test_threads(void)
{
    static const int threads[] = {1, 2, 3, 8};
    for (int i = 0; i < 8; i++) {
        fixture f;
        fixture_options o = {.shape = (fixture_shape)(i % FIXTURE_SHAPES),
                             .nvtx = 30000,
                             .nparts = 2,
                             .ncon = i % 3 ? 1 : 3,
                             .vertex_weight = i % 2 ? 9 : 0,
                             .edge_weight = i < 4 ? 9 : 0};
        int64_t most[3] = {30, 40, 50};
        fixture_make(&f, &o);
        clv_merge_rule rule = {i / 2 % 2 ? CLV_MERGE_PAIRS : CLV_MERGE_CLUSTERS, most,
                               i % 4 == 3 ? f.hidden : NULL, 0, false};
        clusters first = {0};
        for (int t = 0; t < 4; t++) {
            clusters c = find_clusters(&f.g, &rule, threads[t], 1);
            if (t == 0) {
                first = c;
                const char *fault = fault_of(&f.g, &rule, &c, false);
                CHECK_STR(fault ? fault : "none", "none");
                CHECK(c.ncoarse < o.nvtx * 3 / 4);
                continue;
            }
            CHECK_EQ(c.ncoarse, first.ncoarse);
            CHECK(memcmp(c.map, first.map, (size_t)o.nvtx * sizeof *c.map) == 0);
            clusters_free(&c);
        }
        clusters_free(&first);
        fixture_free(&f);
    }
}

static void test_out_of_memory(void)
{
    fixture f;
    fixture_options o = {.shape = FIXTURE_GRID, .nvtx = 21000, .nparts = 2, .ncon = 1};
    int64_t most = 4;
    test_oom_rounds oom = {0};
    fixture_make(&f, &o);
    int32_t *map = zeros(o.nvtx, sizeof *map), ncoarse;
    while (test_oom_next(&oom)) {
        clv_context ctx;
        cleave_error err = {0};
        clv_merge_rule rule = {CLV_MERGE_CLUSTERS, &most, NULL, 0, false};
        fixture_context(&ctx, 2, 1);
        TEST_OOM(&oom, clv_cluster(&f.g, &rule, &ctx, map, &ncoarse, &err));
        clv_context_close(&ctx);
    }
    CHECK(oom.nth > 2 && oom.nth < 100);
    free(map);
    fixture_free(&f);
}

int main(void)
{
    RUN(test_any_graph);
    RUN(test_too_tight);
    RUN(test_shrinks);
    RUN(test_heavy_edges);
    RUN(test_weak_ties);
    RUN(test_wheel);
    RUN(test_satellites);
    RUN(test_twins);
    RUN(test_seeds);
    RUN(test_threads);
    RUN(test_out_of_memory);
    return test_end();
}
