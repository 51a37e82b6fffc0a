/* SPDX-License-Identifier: Apache-2.0 */
/* coarsen/dag_clustering.c: no rule closes a cycle on thousands of small DAGs, by an oracle
 * that knows no levels; clusters are on two neighbouring levels, connected, within bound and
 * class; COTOP keeps the condition of the theorem, COCYC merges what it forbids and COHYB is
 * one of the two by degree; any DAG of up to five vertices; order, priority and level matter.
 */
#include "coarsen/dag_clustering.h"

#include "graph/topology.h"
#include "oracle/acyclic_oracle.h"
#include "refine/dag_fixture.h"

enum { most_vertices = 400 };

static int32_t cluster(const clv_graph *g, clv_dag_clustering how, int threads, uint64_t seed,
                       int32_t *map)
{
    clv_context ctx;
    cleave_error err = {0};
    int32_t ncoarse = -1;
    fixture_context(&ctx, threads, seed);
    CHECK_OK(clv_dag_cluster(g, &how, &ctx, map, &ncoarse, &err));
    clv_context_close(&ctx);
    return ncoarse;
}

static bool contracts_acyclic(const clv_graph *g, const int32_t *map, int32_t ncoarse)
{
    cleave_csr csr = {.size = sizeof csr,
                      .kind = CLEAVE_DAG,
                      .nvtx = g->nvtx,
                      .xadj = g->xadj,
                      .adj = g->adj};
    return oracle_parts_acyclic(&csr, ncoarse, map);
}

static void find_levels(const clv_graph *g, int32_t index, int32_t *level)
{
    clv_ws ws = {0};
    cleave_error err = {0};
    CHECK_OK(clv_topology_levels(g, index % 2 ? CLEAVE_LEVELS_ALAP : CLEAVE_LEVELS_TOP, &ws,
                                 level, NULL, &err));
    clv_ws_free(&ws);
}

/* NULL, or which promise of map is broken. */
static const char *map_fault(const clv_graph *g, const clv_dag_clustering *how,
                             const int32_t *map, int32_t ncoarse)
{
    int32_t level[most_vertices], size[most_vertices] = {0}, inside[most_vertices] = {0};
    int64_t weight[most_vertices * 4] = {0};
    find_levels(g, how->level, level);
    for (int32_t v = 0; v < g->nvtx; v++) {
        if (map[v] < 0 || map[v] >= ncoarse)
            return "a coarse vertex is out of range";
        size[map[v]]++;
        for (int32_t c = 0; c < g->ncon; c++)
            weight[map[v] * g->ncon + c] += clv_graph_vwgt(g, v, c);
        for (int64_t a = g->xadj[v]; a < g->xadj[v + 1]; a++)
            inside[map[v]] += map[g->adj[a]] == map[v];
        for (int32_t u = 0; u < v; u++) {
            if (map[u] != map[v])
                continue;
            if (abs(level[u] - level[v]) > 1)
                return "a cluster is on more than two levels";
            if (how->merge_class && how->merge_class[u] != how->merge_class[v])
                return "classes are mixed";
        }
    }
    for (int32_t x = 0; x < ncoarse; x++) {
        if (size[x] == 0)
            return "a coarse vertex is empty";
        if (inside[x] < size[x] - 1)
            return "a cluster is not connected";
        for (int32_t c = 0; size[x] > 1 && c < g->ncon; c++)
            if (weight[x * g->ncon + c] > how->max_weight[c])
                return "a cluster is too heavy";
    }
    return contracts_acyclic(g, map, ncoarse) ? NULL : "there is a cycle";
}

static clv_dag_clustering any_clustering(uint64_t seed, const int64_t *bound)
{
    return (clv_dag_clustering){.rule = (clv_dag_rule)(seed % 3),
                                .order = (clv_dag_order)(seed / 3 % 3),
                                .match = (clv_dag_match)(seed / 9 % 3),
                                .max_weight = bound,
                                .level = (int32_t)(seed / 27 % 5)};
}

static void test_promises(void)
{
    int32_t map[most_vertices], classes[most_vertices], merged[3] = {0};
    for (uint64_t seed = 0; seed < 9000; seed++) {
        dag_fixture f;
        dag_options o = dag_any(seed * 7, seed % 4 ? 12 : 60);
        dag_make(&f, &o);
        int64_t few = 2 + (int64_t)(seed % 11), all = INT64_C(1) << 40;
        int64_t bound[4] = {seed % 5 ? all : few, all, seed % 7 ? all : 9, all};
        clv_dag_clustering how = any_clustering(seed, bound);
        for (int32_t v = 0; v < o.nvtx; v++)
            classes[v] = v % 3 == 0;
        how.merge_class = seed % 6 ? NULL : classes;
        int32_t ncoarse = cluster(&f.g, how, 1, seed, map);
        const char *fault = map_fault(&f.g, &how, map, ncoarse);
        CHECK_STR(fault ? fault : "none", "none");
        merged[how.rule] += ncoarse < o.nvtx;
        dag_free(&f);
    }
    CHECK(merged[0] > 1500 && merged[1] > 1500 && merged[2] > 1500);
}

/* ---- All DAGs of five vertices ---------------------------------------------------------- */

typedef struct tiny {
    int64_t xadj[6], xpred[6];
    int32_t adj[10], pred[10];
    clv_graph g;
} tiny;

/* Bit i of arcs: the i-th pair u < v has an arc from u to v. */
static void make_tiny(tiny *t, uint32_t arcs)
{
    *t = (tiny){.g = {.kind = CLEAVE_DAG, .nvtx = 5, .ncon = 1}};
    bool is_arc[5][5] = {{false}};
    for (int u = 0, i = 0; u < 5; u++)
        for (int v = u + 1; v < 5; v++, i++)
            is_arc[u][v] = arcs >> i & 1;
    for (int u = 0; u < 5; u++) {
        t->xadj[u + 1] = t->xadj[u];
        t->xpred[u + 1] = t->xpred[u];
        for (int v = 0; v < 5; v++) {
            if (is_arc[u][v])
                t->adj[t->xadj[u + 1]++] = v;
            if (is_arc[v][u])
                t->pred[t->xpred[u + 1]++] = v;
        }
    }
    t->g.narc = t->xadj[5];
    t->g.xadj = t->xadj;
    t->g.adj = t->adj;
    t->g.xpred = t->xpred;
    t->g.pred = t->pred;
}

static void test_all_tiny(void)
{
    static const int64_t bound[] = {5};
    for (uint32_t arcs = 0; arcs < 1024; arcs++)
        for (uint64_t seed = 0; seed < 54; seed++) {
            tiny t;
            int32_t map[5];
            make_tiny(&t, arcs);
            clv_dag_clustering how = any_clustering(seed, bound);
            int32_t ncoarse = cluster(&t.g, how, 1, seed, map);
            const char *fault = map_fault(&t.g, &how, map, ncoarse);
            CHECK_STR(fault ? fault : "none", "none");
        }
}

/* ---- Rules ------------------------------------------------------------------------------ */

/* Has an arc between two clusters of several vertices ends on neighbouring levels? */
static bool breaks_theorem(const clv_graph *g, int32_t index, const int32_t *map)
{
    int32_t level[most_vertices], size[most_vertices] = {0};
    find_levels(g, index, level);
    for (int32_t v = 0; v < g->nvtx; v++)
        size[map[v]]++;
    for (int32_t v = 0; v < g->nvtx; v++)
        for (int64_t a = g->xadj[v]; a < g->xadj[v + 1]; a++) {
            int32_t u = g->adj[a];
            if (map[u] != map[v] && size[map[u]] > 1 && size[map[v]] > 1 &&
                level[u] == level[v] + 1)
                return true;
        }
    return false;
}

static void test_rules_differ(void)
{
    int32_t top[most_vertices], cyc[most_vertices], hyb[most_vertices];
    int broken = 0, smaller = 0, as_top = 0, as_cyc = 0, neither = 0;
    static const int64_t bound[] = {1 << 20};
    for (uint64_t seed = 0; seed < 300; seed++) {
        dag_fixture f;
        /* sqrt(nvtx) / 10 is above 1 and below 2 here. */
        dag_options o = {.shape = seed % 2 ? DAG_GRID : DAG_LOCAL,
                         .nvtx = 300,
                         .nparts = 2,
                         .ncon = 1,
                         .edge_weight = 9,
                         .seed = seed};
        dag_make(&f, &o);
        size_t bytes = (size_t)o.nvtx * sizeof *top;
        clv_dag_clustering how = any_clustering(seed * 3, bound);
        int32_t ntop = cluster(&f.g, how, 1, seed, top);
        how.rule = CLV_DAG_COCYC;
        int32_t ncyc = cluster(&f.g, how, 1, seed, cyc);
        how.rule = CLV_DAG_COHYB;
        cluster(&f.g, how, 1, seed, hyb);
        CHECK(!breaks_theorem(&f.g, how.level, top));
        broken += breaks_theorem(&f.g, how.level, cyc);
        smaller += ncyc < ntop;
        as_top += memcmp(hyb, top, bytes) == 0;
        as_cyc += memcmp(hyb, cyc, bytes) == 0;
        neither += memcmp(hyb, top, bytes) != 0 && memcmp(hyb, cyc, bytes) != 0;
        dag_free(&f);
    }
    CHECK(broken > 250 && smaller > 250);
    CHECK(as_top < 250 && as_cyc < 10 && neither > 50);
}

/* Two disjoint arcs with arcs across: either may merge, both would close a cycle. */
static void test_forbidden_pair(void)
{
    static const int64_t xadj[] = {0, 2, 4, 4, 4}, xpred[] = {0, 0, 0, 2, 4};
    static const int32_t adj[] = {2, 3, 2, 3}, pred[] = {0, 1, 0, 1};
    static const int64_t bound[] = {2};
    clv_graph g = {.kind = CLEAVE_DAG,
                   .nvtx = 4,
                   .narc = 4,
                   .xadj = xadj,
                   .adj = adj,
                   .xpred = xpred,
                   .pred = pred,
                   .ncon = 1};
    for (uint64_t seed = 0; seed < 270; seed++) {
        int32_t map[4];
        CHECK_EQ(cluster(&g, any_clustering(seed, bound), 1, seed, map), 3);
    }
}

/* A hub joins by the local rule, and a search that it would stop short finds what it may. */
static void test_hybrid_hub(void)
{
    enum { leaves = 2500, n = leaves + 1 };
    static int64_t xadj[n + 1], xpred[n + 1];
    static int32_t adj[leaves], pred[leaves], map[n];
    static const int64_t bound[] = {n};
    for (int32_t v = 0; v <= n; v++) {
        xadj[v] = v == 0 ? 0 : leaves;
        xpred[v] = v == 0 ? 0 : v - 1;
    }
    for (int32_t i = 0; i < leaves; i++)
        adj[i] = i + 1;
    clv_graph g = {.kind = CLEAVE_DAG,
                   .nvtx = n,
                   .narc = leaves,
                   .xadj = xadj,
                   .adj = adj,
                   .xpred = xpred,
                   .pred = pred,
                   .ncon = 1};
    for (int rule = CLV_DAG_COTOP; rule <= CLV_DAG_COHYB; rule++) {
        clv_dag_clustering how = {.rule = (clv_dag_rule)rule, .max_weight = bound};
        int32_t ncoarse = cluster(&g, how, 1, 1, map);
        CHECK_EQ(ncoarse, 1);
    }
}

/* ---- Parameters, threads, memory -------------------------------------------------------- */

static void test_parameters_matter(void)
{
    static const int64_t bound[] = {40};
    static const clv_dag_clustering other[] = {{.order = CLV_DAG_ORDER_RAND},
                                               {.order = CLV_DAG_ORDER_BREADTH},
                                               {.match = CLV_DAG_MATCH_HEM},
                                               {.match = CLV_DAG_MATCH_NWHEM},
                                               {.level = 1},
                                               {.level = 2}};
    int32_t plain[most_vertices], map[most_vertices];
    dag_fixture f;
    dag_options o = {.shape = DAG_LOCAL, .nvtx = 400, .nparts = 2, .ncon = 1};
    o.edge_weight = o.vertex_weight = 9;
    dag_make(&f, &o);
    cluster(&f.g, (clv_dag_clustering){.max_weight = bound}, 1, 1, plain);
    for (size_t i = 0; i < sizeof other / sizeof *other; i++) {
        clv_dag_clustering how = other[i];
        how.max_weight = bound;
        cluster(&f.g, how, 1, 1, map);
        CHECK(memcmp(plain, map, sizeof plain) != 0);
        cluster(&f.g, how, 4, 1, plain);
        CHECK(memcmp(plain, map, sizeof plain) == 0);
        cluster(&f.g, (clv_dag_clustering){.max_weight = bound}, 1, 1, plain);
    }
    dag_free(&f);
}

static void test_memory(void)
{
    int32_t map[most_vertices], ncoarse;
    static const int64_t bound[] = {40};
    dag_fixture f;
    dag_options o = {.shape = DAG_LOCAL, .nvtx = 300, .nparts = 2, .ncon = 1};
    dag_make(&f, &o);
    test_oom_rounds oom = {0};
    while (test_oom_next(&oom)) {
        clv_context ctx;
        cleave_error err = {0};
        clv_dag_clustering how = {
            .rule = CLV_DAG_COHYB, .order = CLV_DAG_ORDER_BREADTH, .max_weight = bound};
        fixture_context(&ctx, 1, 5);
        TEST_OOM(&oom, clv_dag_cluster(&f.g, &how, &ctx, map, &ncoarse, &err));
        clv_context_close(&ctx);
    }
    CHECK(oom.nth > 2 && oom.nth < 100);
    dag_free(&f);
}

int main(void)
{
    RUN(test_promises);
    RUN(test_all_tiny);
    RUN(test_rules_differ);
    RUN(test_forbidden_pair);
    RUN(test_hybrid_hub);
    RUN(test_parameters_matter);
    RUN(test_memory);
    return test_end();
}
