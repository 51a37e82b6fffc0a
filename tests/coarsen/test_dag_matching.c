/* SPDX-License-Identifier: Apache-2.0 */
/* coarsen/dag_matching.c: the contracted graph is acyclic, by an oracle that does not use
 * levels, for every variant on thousands of small DAGs; also for matchings that are made of
 * all legal choices one after the other; pairs are arcs, within the bound, and as many as the
 * rule leaves. */
#include "coarsen/contract.h"
#include "coarsen/dag_matching.h"
#include "refine/dag_fixture.h"

/* Has the graph that map makes of g a cycle? */
static bool contracts_acyclic(const clv_graph *g, int32_t *map, int32_t ncoarse)
{
    clv_partition_state s = {
        .g = g, .bounds = {ncoarse, g->ncon, NULL, NULL, NULL}, .part = map};
    return dag_is_acyclic(&s);
}

static bool is_arc(const clv_graph *g, int32_t u, int32_t v)
{
    for (int64_t a = g->xadj[u]; a < g->xadj[u + 1]; a++)
        if (g->adj[a] == v)
            return true;
    return false;
}

/* NULL, or which promise of map is broken. */
static const char *map_fault(const clv_graph *g, const int32_t *map, int32_t ncoarse,
                             const int64_t *bound)
{
    int32_t next = 0;
    for (int32_t v = 0; v < g->nvtx; v++) {
        if (map[v] < 0 || map[v] > next)
            return "the numbers do not follow the first vertices";
        next += map[v] == next;
        int32_t size = 1;
        for (int32_t u = 0; u < v; u++) {
            if (map[u] != map[v])
                continue;
            size++;
            if (!is_arc(g, u, v) && !is_arc(g, v, u))
                return "a pair has no arc";
            for (int32_t c = 0; bound && c < g->ncon; c++)
                if (clv_graph_vwgt(g, u, c) + clv_graph_vwgt(g, v, c) > bound[c])
                    return "a pair is too heavy";
        }
        if (size > 2)
            return "more than two merge";
    }
    return next == ncoarse ? NULL : "the count is wrong";
}

static void check_variant(const dag_fixture *f, clv_dag_matching how, uint64_t seed,
                          int32_t *map, int32_t *ncoarse)
{
    clv_context ctx;
    cleave_error err = {0};
    fixture_context(&ctx, 1, seed);
    CHECK_OK(clv_dag_match_pairs(&f->g, &how, &ctx, map, ncoarse, &err));
    clv_context_close(&ctx);
    const char *fault = map_fault(&f->g, map, *ncoarse, how.max_weight);
    CHECK_STR(fault ? fault : "none", "none");
    CHECK(contracts_acyclic(&f->g, map, *ncoarse));
}

static void test_acyclic(void)
{
    int32_t map[64], ncoarse, merged = 0;
    for (uint64_t seed = 0; seed < 4000; seed++) {
        dag_fixture f;
        dag_options o = dag_any(seed, seed % 4 ? 12 : 40);
        dag_make(&f, &o);
        int64_t bound[4] = {(int64_t)(seed % 12), 9, 9, 9};
        clv_dag_matching how = {.order = (clv_dag_order)(seed / 2 % 2),
                                .match = (clv_dag_match)(seed / 4 % 3),
                                .max_weight = seed % 5 == 0 ? bound : NULL,
                                .level = (int32_t)(seed % 7)};
        check_variant(&f, how, seed, map, &ncoarse);
        merged += ncoarse < o.nvtx;
        dag_free(&f);
    }
    CHECK(merged > 3000);
}

/* ---- The rule itself, whatever the order in which arcs come ----------------------------- */

static void longest_paths(const dag_fixture *f, int32_t *top)
{
    for (int32_t i = 0; i < f->g.nvtx; i++) {
        int32_t v = f->order[i];
        top[v] = 0;
        for (int64_t a = f->g.xpred[v]; a < f->g.xpred[v + 1]; a++)
            if (top[f->g.pred[a]] >= top[v])
                top[v] = top[f->g.pred[a]] + 1;
    }
}

/* Theorem 2 of the paper with its misprint corrected, for a whole matching. */
static bool theorem_holds(const clv_graph *g, const int32_t *top, const int32_t *mate)
{
    for (int32_t u = 0; u < g->nvtx; u++) {
        int32_t v = mate[u];
        if (v == u || !is_arc(g, u, v))
            continue;
        bool single = g->xadj[u + 1] - g->xadj[u] == 1 || g->xpred[v + 1] - g->xpred[v] == 1;
        if (!single && top[v] != top[u] + 1)
            return false;
        for (int64_t a = g->xadj[u]; a < g->xadj[u + 1]; a++) {
            int32_t w = g->adj[a];
            if (w != v && mate[w] != w && is_arc(g, mate[w], w) && top[w] == top[u] + 1)
                return false;
        }
    }
    return true;
}

static bool acyclic_matching(const clv_graph *g, const int32_t *mate)
{
    int32_t map[16] = {0}, count = 0;
    for (int32_t v = 0; v < g->nvtx; v++)
        map[v] = mate[v] < v ? map[mate[v]] : count++;
    return contracts_acyclic(g, map, count);
}

typedef struct census {
    int64_t all, cyclic, allowed;
} census;

/* Every matching of a DAG of a few vertices. */
static void try_all(const clv_graph *g, const int32_t *top, int32_t *mate, int32_t from,
                    census *seen)
{
    while (from < g->nvtx && mate[from] != from)
        from++;
    if (from == g->nvtx) {
        bool acyclic = acyclic_matching(g, mate), allowed = theorem_holds(g, top, mate);
        seen->all++;
        seen->cyclic += !acyclic;
        seen->allowed += allowed;
        CHECK(acyclic || !allowed);
        return;
    }
    try_all(g, top, mate, from + 1, seen);
    for (int32_t v = from + 1; v < g->nvtx; v++) {
        if (mate[v] != v || (!is_arc(g, from, v) && !is_arc(g, v, from)))
            continue;
        mate[from] = v;
        mate[v] = from;
        try_all(g, top, mate, from + 1, seen);
        mate[from] = from;
        mate[v] = v;
    }
}

static void test_theorem(void)
{
    census seen = {0, 0, 0};
    for (uint64_t seed = 0; seed < 2000; seed++) {
        dag_fixture f;
        int32_t top[16], mate[16];
        dag_options o = {.shape = seed % 3 ? DAG_RANDOM : DAG_LOCAL,
                         .nvtx = 4 + (int32_t)(seed % 5),
                         .nparts = 1,
                         .ncon = 1,
                         .seed = seed};
        dag_make(&f, &o);
        longest_paths(&f, top);
        for (int32_t v = 0; v < o.nvtx; v++)
            mate[v] = v;
        try_all(&f.g, top, mate, 0, &seen);
        dag_free(&f);
    }
    CHECK(seen.cyclic > 1000 && seen.allowed > 10000 && seen.all > seen.allowed);
}

/* ---- Priorities ------------------------------------------------------------------------- */

/* One producer with three readers: arcs of weight 2, 9, 6, readers of weight 1, 9, 2. */
static void test_priorities(void)
{
    const int64_t xadj[] = {0, 3, 3, 3, 3}, xpred[] = {0, 0, 1, 2, 3};
    const int32_t adj[] = {1, 2, 3}, pred[] = {0, 0, 0}, ewgt[] = {2, 9, 6};
    const int32_t vwgt[] = {1, 1, 9, 2};
    clv_graph g = {.kind = CLEAVE_DAG,
                   .nvtx = 4,
                   .narc = 3,
                   .xadj = xadj,
                   .adj = adj,
                   .ewgt = ewgt,
                   .xpred = xpred,
                   .pred = pred,
                   .pwgt = ewgt,
                   .ncon = 1,
                   .vwgt = vwgt};
    static const int32_t expected[] = {-1, 2, 3};
    bool seen[4] = {false};
    for (int match = 0; match < 3; match++)
        for (uint64_t seed = 0; seed < 40; seed++) {
            clv_context ctx;
            cleave_error err = {0};
            int32_t map[4], ncoarse;
            /* The reader does not choose first: it would take the producer for any weight. */
            clv_dag_matching how = {CLV_DAG_ORDER_TOP, (clv_dag_match)match, NULL, 0};
            fixture_context(&ctx, 1, seed);
            CHECK_OK(clv_dag_match_pairs(&g, &how, &ctx, map, &ncoarse, &err));
            clv_context_close(&ctx);
            CHECK_EQ(ncoarse, 3);
            for (int32_t v = 1; v < 4; v++)
                if (map[v] == map[0]) {
                    CHECK(match == 0 || v == expected[match]);
                    seen[v] |= match == 0;
                }
        }
    CHECK(seen[1] && seen[2] && seen[3]);
}

static void test_large(void)
{
    clv_context ctx;
    dag_fixture f;
    cleave_error err = {0};
    dag_options o = {.shape = DAG_GRID, .nvtx = 10000, .nparts = 2, .ncon = 1};
    dag_make(&f, &o);
    int32_t *map = calloc((size_t)o.nvtx, sizeof *map), ncoarse, again;
    int32_t *second = calloc((size_t)o.nvtx, sizeof *second);
    clv_dag_matching how = {CLV_DAG_ORDER_TOP, CLV_DAG_MATCH_RAND, NULL, 1};
    fixture_context(&ctx, 1, 5);
    CHECK_OK(clv_dag_match_pairs(&f.g, &how, &ctx, map, &ncoarse, &err));
    clv_context_close(&ctx);
    CHECK(ncoarse < 0.8 * o.nvtx);
    /* The contraction of the library agrees, and is the same graph with any threads. */
    fixture_context(&ctx, 4, 5);
    CHECK_OK(clv_dag_match_pairs(&f.g, &how, &ctx, second, &again, &err));
    CHECK(again == ncoarse && memcmp(map, second, (size_t)o.nvtx * sizeof *map) == 0);
    clv_graph *coarse = NULL;
    clv_contraction contraction = {.map = map, .ncoarse = ncoarse};
    CHECK_OK(clv_contract(&coarse, &f.g, &contraction, &ctx, &err));
    CHECK(coarse && coarse->kind == CLEAVE_DAG && coarse->nvtx == ncoarse);
    clv_graph_free(coarse);
    clv_context_close(&ctx);
    free(map);
    free(second);
    dag_free(&f);
}

static void test_memory(void)
{
    dag_fixture f;
    int32_t map[300], ncoarse;
    dag_options o = {.shape = DAG_LOCAL, .nvtx = 300, .nparts = 2, .ncon = 1};
    dag_make(&f, &o);
    test_oom_rounds oom = {0};
    while (test_oom_next(&oom)) {
        clv_context ctx;
        cleave_error err = {0};
        clv_dag_matching how = {CLV_DAG_ORDER_TOP, CLV_DAG_MATCH_HEM, NULL, 0};
        fixture_context(&ctx, 1, 5);
        TEST_OOM(&oom, clv_dag_match_pairs(&f.g, &how, &ctx, map, &ncoarse, &err));
        clv_context_close(&ctx);
    }
    CHECK(oom.nth > 2 && oom.nth < 100);
    dag_free(&f);
}

int main(void)
{
    RUN(test_acyclic);
    RUN(test_theorem);
    RUN(test_priorities);
    RUN(test_large);
    RUN(test_memory);
    return test_end();
}
