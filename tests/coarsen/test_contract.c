/* SPDX-License-Identifier: Apache-2.0 */
/* coarsen/contract.c against an oracle that sorts all arcs: any map, several weights, weights
 * whose sums do not fit, the same bytes for any number of threads. */
#include "coarsen/coarse_oracle.h"
#include "refine/dag_fixture.h"

static int32_t *new_map(int32_t n)
{
    int32_t *map = calloc((size_t)n + 1, sizeof *map);
    if (!map)
        abort();
    return map;
}

/* Numbers the values of map, all below `most`, without gaps; returns how many there are. */
static int32_t close_gaps(int32_t *map, int32_t n, int32_t most)
{
    int32_t *name = new_map(most), count = 0;
    for (int32_t v = 0; v < n; v++)
        name[map[v]] = 1;
    for (int32_t x = 0; x < most; x++)
        name[x] = name[x] ? count++ : -1;
    for (int32_t v = 0; v < n; v++)
        map[v] = name[map[v]];
    free(name);
    return count;
}

/* A map of one of five kinds; returns the number of coarse vertices, each with members. */
static int32_t any_map(int32_t *map, int32_t n, int kind, clv_rng *rng)
{
    int32_t groups = 1 + (int32_t)clv_rng_below(rng, (uint32_t)n);
    for (int32_t v = 0; v < n; v++) {
        int32_t at_random = (int32_t)clv_rng_below(rng, (uint32_t)groups);
        map[v] = kind == 0   ? v                   /* nothing merges */
                 : kind == 1 ? 0                   /* everything does */
                 : kind == 2 ? (v + 1) / 2         /* pairs */
                 : kind == 3 ? (v % 3 ? 1 : 2 + v) /* one giant; closed up below */
                             : at_random;
    }
    return close_gaps(map, n, 2 * n + 2);
}

static void test_any_graph(void)
{
    clv_context ctx;
    fixture_context(&ctx, 2, 1);
    for (uint64_t seed = 0; seed < 1000; seed++) {
        fixture f;
        cleave_error err = {0};
        fixture_options o = fixture_any(seed, seed % 20 ? 40 : 2000);
        clv_rng rng = clv_rng_make(seed, 1, 1, 1);
        fixture_make(&f, &o);
        int32_t *map = new_map(o.nvtx);
        int32_t ncoarse = any_map(map, o.nvtx, (int)(seed % 5), &rng);
        clv_contraction how = {.map = map, .ncoarse = ncoarse};
        clv_graph *coarse = NULL;
        CHECK_OK(clv_contract(&coarse, &f.g, &how, &ctx, &err));
        CHECK_EQ(coarse->nvtx, ncoarse);
        CHECK(!oracle_widths_fault(&f.g, coarse));
        const char *fault = oracle_contraction_fault(&f.g, map, coarse);
        CHECK_STR(fault ? fault : "none", "none");
        clv_graph_free(coarse);
        free(map);
        fixture_free(&f);
    }
    clv_context_close(&ctx);
}

/* ---- DAGs ---------------------------------------------------------------------------- */

/* Slices of a topological order merge: both directions are there, nothing is thinned out. */
static void test_any_dag(void)
{
    clv_context ctx;
    fixture_context(&ctx, 2, 1);
    for (uint64_t seed = 0; seed < 600; seed++) {
        dag_fixture f;
        cleave_error err = {0};
        dag_options o = dag_any(seed, seed % 20 ? 60 : 2000);
        if (seed % 60 == 0) {
            o.shape = DAG_LOCAL;
            o.nvtx = 15000;
        }
        dag_make(&f, &o);
        int32_t *map = f.hidden, ncoarse = close_gaps(map, o.nvtx, o.nparts);
        if (seed % 7 == 0) { /* nothing merges */
            ncoarse = o.nvtx;
            for (int32_t v = 0; v < o.nvtx; v++)
                map[v] = v;
        }
        clv_contraction how = {
            .map = map, .ncoarse = ncoarse, .most_arcs = 1, .thinned = true};
        clv_graph *coarse = NULL;
        REQUIRE_OK(clv_contract(&coarse, &f.g, &how, &ctx, &err));
        CHECK_EQ(coarse->nvtx, ncoarse);
        CHECK(!how.thinned);
        const char *fault = oracle_contraction_fault(&f.g, map, coarse);
        CHECK_STR(fault ? fault : "none", "none");
        clv_graph_free(coarse);
        dag_free(&f);
    }
    clv_context_close(&ctx);
}

/* Every arc of a DAG is stored once: two of 2^30 fit 31 bits, three do not. */
static void test_dag_widths(void)
{
    static const int64_t xadj[2][5] = {{0, 1, 2, 2}, {0, 1, 2, 3, 3}};
    static const int64_t xpred[5] = {0, 0, 1, 2, 3};
    static const int32_t adj[3] = {1, 2, 3}, pred[3] = {0, 1, 2}, map[4] = {0, 1, 2, 3};
    static const int32_t ewgt[3] = {1 << 30, (1 << 30) - 1, 1 << 30};
    clv_context ctx;
    fixture_context(&ctx, 1, 1);
    for (int32_t n = 3; n <= 4; n++) {
        clv_graph *coarse = NULL, g = {.kind = CLEAVE_DAG,
                                       .nvtx = n,
                                       .narc = n - 1,
                                       .xadj = xadj[n - 3],
                                       .adj = adj,
                                       .ewgt = ewgt,
                                       .xpred = xpred,
                                       .pred = pred,
                                       .pwgt = ewgt,
                                       .ncon = 1};
        clv_contraction how = {.map = map, .ncoarse = n};
        cleave_error err = {0};
        CHECK_OK(clv_contract(&coarse, &g, &how, &ctx, &err));
        CHECK((coarse->wide_ewgt != NULL) == (n == 4));
        const char *fault = oracle_contraction_fault(&g, map, coarse);
        CHECK_STR(fault ? fault : "none", "none");
        clv_graph_free(coarse);
    }
    clv_context_close(&ctx);
}

static void test_dag_out_of_memory(void)
{
    dag_fixture f;
    dag_options o = {.shape = DAG_GRID, .nvtx = 2000, .nparts = 50, .ncon = 1};
    dag_make(&f, &o);
    test_oom_rounds oom = {.lenient = true};
    while (test_oom_next(&oom)) {
        clv_context ctx;
        cleave_error err = {0};
        clv_contraction how = {.map = f.hidden, .ncoarse = 50};
        clv_graph *coarse = &f.g;
        fixture_context(&ctx, 1, 1);
        TEST_OOM(&oom, clv_contract(&coarse, &f.g, &how, &ctx, &err));
        clv_context_close(&ctx);
        CHECK(!coarse == (oom.status == CLEAVE_ENOMEM));
        clv_graph_free(coarse);
    }
    CHECK(oom.failures >= 8 && oom.nth <= 100);
    dag_free(&f);
}

/* A graph without vertices, and vertices without arcs. */
static void test_nothing(void)
{
    static const int64_t none[4] = {0, 0, 0, 0};
    static const int32_t map[3] = {0, 1, 0};
    clv_context ctx;
    fixture_context(&ctx, 2, 1);
    for (int32_t n = 0; n <= 3; n += 3) {
        cleave_error err = {0};
        clv_graph g = {.kind = CLEAVE_UNDIRECTED, .nvtx = n, .ncon = 1, .xadj = none};
        clv_contraction how = {.map = map, .ncoarse = n ? 2 : 0};
        clv_graph *coarse = NULL;
        CHECK_OK(clv_contract(&coarse, &g, &how, &ctx, &err));
        const char *fault = oracle_contraction_fault(&g, map, coarse);
        CHECK_STR(fault ? fault : "none", "none");
        clv_graph_free(coarse);
    }
    clv_context_close(&ctx);
}

/* ---- Weights that do not fit --------------------------------------------------------- */

static void make_heavy(fixture *f, uint64_t seed, int32_t least)
{
    clv_rng rng = clv_rng_make(seed, 2, 2, 2);
    int32_t *ewgt = (int32_t *)f->g.ewgt, *vwgt = (int32_t *)f->g.vwgt;
    uint32_t span = (uint32_t)(INT32_MAX - least) + 1;
    for (int32_t v = 0; v < f->g.nvtx; v++) {
        for (int32_t c = 0; c < f->g.ncon; c++)
            vwgt[(int64_t)v * f->g.ncon + c] = least + (int32_t)clv_rng_below(&rng, span);
        for (int64_t a = f->g.xadj[v]; a < f->g.xadj[v + 1]; a++) {
            /* Drawn from the ends, so that both directions agree. */
            int32_t u = f->g.adj[a], low = u < v ? u : v, high = u < v ? v : u;
            uint64_t lot = clv_hash64(seed ^ ((uint64_t)high << 32 | (uint32_t)low));
            ewgt[a] = lot % 3 ? least + (int32_t)((lot >> 16) % span) : (int32_t)(lot % 2);
        }
    }
}

/* Contracted twice, so that 64-bit weights are read as well as written. */
static void test_heavy_weights(void)
{
    clv_context ctx;
    fixture_context(&ctx, 2, 1);
    for (uint64_t seed = 0; seed < 300; seed++) {
        fixture f;
        cleave_error err = {0};
        fixture_options o = fixture_any(seed, 200);
        clv_rng rng = clv_rng_make(seed, 1, 1, 1);
        o.vertex_weight = o.edge_weight = 5;
        fixture_make(&f, &o);
        make_heavy(&f, seed, seed % 2 ? 1 : INT32_MAX - 3);
        int32_t *map = new_map(o.nvtx), *again = new_map(o.nvtx);
        int32_t ncoarse = any_map(map, o.nvtx, (int)(seed % 5), &rng);
        clv_contraction how = {.map = map, .ncoarse = ncoarse};
        clv_graph *coarse = NULL, *coarser = NULL;
        CHECK_OK(clv_contract(&coarse, &f.g, &how, &ctx, &err));
        const char *fault = oracle_contraction_fault(&f.g, map, coarse);
        CHECK_STR(fault ? fault : "none", "none");
        CHECK(!oracle_widths_fault(&f.g, coarse));
        int32_t rest = any_map(again, ncoarse, (int)(seed / 5 % 5), &rng);
        how.map = again;
        how.ncoarse = rest;
        CHECK_OK(clv_contract(&coarser, coarse, &how, &ctx, &err));
        fault = oracle_contraction_fault(coarse, again, coarser);
        CHECK(!oracle_widths_fault(coarse, coarser));
        CHECK_STR(fault ? fault : "none", "none");
        clv_graph_free(coarse);
        clv_graph_free(coarser);
        free(again);
        free(map);
        fixture_free(&f);
    }
    clv_context_close(&ctx);
}

/* ---- Threads, memory ----------------------------------------------------------------- */

static void test_threads(void)
{
    static const int threads[] = {1, 2, 3, 8};
    for (int i = 0; i < 12; i++) {
        fixture f;
        fixture_options o = {.shape = (fixture_shape)(i % FIXTURE_SHAPES),
                             .nvtx = 15000,
                             .nparts = 2,
                             .ncon = i % 3 ? 1 : 3,
                             .vertex_weight = i % 2 ? 9 : 0,
                             .edge_weight = i % 4 < 2 ? 9 : 0,
                             .seed = (uint64_t)i};
        clv_rng rng = clv_rng_make(7, 1, 1, (uint64_t)i);
        fixture_make(&f, &o);
        CHECK(f.g.narc > 20000);
        int32_t *map = new_map(o.nvtx);
        int32_t ncoarse = any_map(map, o.nvtx, i % 5, &rng);
        clv_graph *first = NULL;
        for (int t = 0; t < 4; t++) {
            clv_context ctx;
            cleave_error err = {0};
            clv_contraction how = {
                .map = map, .ncoarse = ncoarse, .most_arcs = i % 3 == 2 ? 3000 : 0, .salt = 3};
            clv_graph *coarse = NULL;
            fixture_context(&ctx, threads[t], 1);
            CHECK_OK(clv_contract(&coarse, &f.g, &how, &ctx, &err));
            clv_context_close(&ctx);
            const char *fault = how.most_arcs > 0 || (t != 0 && t != 3)
                                    ? NULL
                                    : oracle_contraction_fault(&f.g, map, coarse);
            CHECK_STR(fault ? fault : "none", "none");
            CHECK(!first || oracle_same_graph(first, coarse));
            if (first)
                clv_graph_free(coarse);
            else
                first = coarse;
        }
        clv_graph_free(first);
        free(map);
        fixture_free(&f);
    }
}

static void test_out_of_memory(void)
{
    fixture f;
    fixture_options o = {
        .shape = FIXTURE_GRID, .nvtx = 8000, .nparts = 2, .ncon = 2, .vertex_weight = 5};
    clv_rng rng = clv_rng_make(7, 1, 1, 1);
    fixture_make(&f, &o);
    int32_t *map = new_map(o.nvtx), kept = 0;
    int32_t ncoarse = any_map(map, o.nvtx, 2, &rng);
    test_oom_rounds oom = {.lenient = true};
    while (test_oom_next(&oom)) {
        clv_context ctx;
        cleave_error err = {0};
        clv_contraction how = {.map = map, .ncoarse = ncoarse};
        clv_graph *coarse = &f.g;
        fixture_context(&ctx, 2, 1);
        TEST_OOM(&oom, clv_contract(&coarse, &f.g, &how, &ctx, &err));
        clv_context_close(&ctx);
        CHECK(!coarse == (oom.status == CLEAVE_ENOMEM));
        if (oom.status == CLEAVE_OK) {
            /* Arrays that cannot be made smaller stay as large as they are. */
            const char *fault = oracle_contraction_fault(&f.g, map, coarse);
            CHECK_STR(fault ? fault : "none", "none");
            clv_graph_free(coarse);
        }
        kept += oom.reached && oom.status == CLEAVE_OK;
    }
    CHECK(oom.failures >= 5);
    CHECK_EQ(kept, 2);
    free(map);
    fixture_free(&f);
}

int main(void)
{
    RUN(test_any_graph);
    RUN(test_any_dag);
    RUN(test_dag_widths);
    RUN(test_dag_out_of_memory);
    RUN(test_nothing);
    RUN(test_heavy_weights);
    RUN(test_threads);
    RUN(test_out_of_memory);
    return test_end();
}
