/* SPDX-License-Identifier: Apache-2.0 */
/* coarsen/sparsify.c and its use in contract.c: the threshold is the smallest sufficient one,
 * both directions of an edge are kept or dropped together, and the expected weight is
 * preserved. */
#include "coarsen/sparsify.h"
#include "graph/graph.h"

#include "coarsen/coarse_oracle.h"

static double expected(const int64_t *count, int32_t weights, double threshold)
{
    double arcs = 0;
    for (int32_t w = 1; w < weights; w++)
        arcs += (double)count[w] * (w < threshold ? w / threshold : 1);
    return arcs;
}

/* Weights that have a bin of their own, against a linear search. */
static void test_threshold(void)
{
    for (uint64_t seed = 0; seed < 300; seed++) {
        clv_rng rng = clv_rng_make(seed, 1, 1, 1);
        clv_weight_histogram h = {{0}};
        int32_t heaviest = 1 + (int32_t)clv_rng_below(&rng, 255);
        for (int i = 0; i < 1000; i++)
            h.count[clv_weight_bin(1 + (int32_t)clv_rng_below(&rng, (uint32_t)heaviest))]++;
        double most = 1 + (double)clv_rng_below(&rng, 1200) + 0.123;
        int64_t threshold = clv_sparsify_threshold(&h, most), least = 1;
        while (expected(h.count, 256, least) > most)
            least++;
        CHECK_EQ(threshold, least);
        CHECK(most < 1000 || threshold == 1);
    }
}

static void test_threshold_extremes(void)
{
    clv_weight_histogram h = {{0}};
    CHECK_EQ(clv_sparsify_threshold(&h, 0), 1); /* there is nothing to drop */
    h.count[0] = 100;                           /* arcs of weight 0 are as good as none */
    CHECK_EQ(clv_sparsify_threshold(&h, 10), 1);
    h.count[1] = 1000;
    CHECK_EQ(clv_sparsify_threshold(&h, 1000), 1);
    CHECK_EQ(clv_sparsify_threshold(&h, 500), 2);
    CHECK(clv_sparsify_threshold(&h, 0) > INT32_MAX / 4); /* cannot be met: as few as may be */
    /* Beyond the exact bins the highest bit stands for the weight: right within a factor 2. */
    clv_weight_histogram heavy = {{0}};
    heavy.count[clv_weight_bin(1000000)] = 1000;
    int64_t threshold = clv_sparsify_threshold(&heavy, 100);
    CHECK(threshold >= 5000000 && threshold <= 20000000);
    CHECK(clv_weight_bin(CLV_MOST_WEIGHT) < clv_sparsify_bins);
    clv_weight_histogram wide = {{0}};
    wide.count[clv_weight_bin(INT64_C(1) << 50)] = 1000;
    threshold = clv_sparsify_threshold(&wide, 100);
    CHECK(threshold >= INT64_C(5) << 50 && threshold <= INT64_C(20) << 50);
    for (int32_t w = 0; w < 100000; w++)
        CHECK(clv_weight_bin(w) <= clv_weight_bin(w + 1));
}

/* ---- One edge ------------------------------------------------------------------------ */

static void test_decision(void)
{
    static const int32_t weights[] = {1, 3, 250, 500, 999};
    for (int i = 0; i < 5; i++) {
        int32_t kept = 0, other = 0, count = 100000;
        for (int32_t e = 0; e < count; e++) {
            int32_t x = e / 300, y = 400 + e % 300;
            int keeps = clv_sparsify_keeps(x, y, weights[i], 1000, 5);
            CHECK(keeps == clv_sparsify_keeps(y, x, weights[i], 1000, 5));
            other += keeps != clv_sparsify_keeps(x, y, weights[i], 1000, 6);
            kept += keeps;
            CHECK(clv_sparsify_keeps(x, y, 1000, 1000, 5));
            CHECK(!clv_sparsify_keeps(x, y, 0, 1000, 5));
        }
        /* Five standard deviations. */
        double p = weights[i] / 1000.0, variance = count * p * (1 - p);
        double off = kept - count * p;
        CHECK(off * off < 25 * variance);
        CHECK(other > 0);
    }
    CHECK(clv_sparsify_keeps(1, 2, INT32_MAX, INT32_MAX, 5));
    CHECK(clv_sparsify_keeps(1, 2, CLV_MOST_WEIGHT, CLV_MOST_WEIGHT, 5));
    int32_t same = 0; /* whatever the unit of the weights */
    for (int32_t y = 0; y < 1000; y++)
        same += clv_sparsify_keeps(-1, y, 300, 1000, 7) ==
                clv_sparsify_keeps(-1, y, INT64_C(300) << 48, INT64_C(1000) << 48, 7);
    CHECK_EQ(same, 1000);
}

/* ---- A whole graph ------------------------------------------------------------------- */

enum { dense_n = 600 };

/* A complete graph with light and heavy edges. */
typedef struct dense {
    clv_graph g;
    int64_t xadj[dense_n + 1];
    int32_t adj[dense_n * dense_n], ewgt[dense_n * dense_n], map[dense_n];
} dense;

static void make_dense(dense *d, int32_t heaviest)
{
    int64_t at = 0;
    for (int32_t v = 0; v < dense_n; v++) {
        d->xadj[v] = at;
        d->map[v] = v;
        for (int32_t u = 0; u < dense_n; u++) {
            if (u == v)
                continue;
            uint64_t pair =
                u < v ? (uint64_t)v << 32 | (uint32_t)u : (uint64_t)u << 32 | (uint32_t)v;
            d->adj[at] = u;
            d->ewgt[at++] = 1 + (int32_t)(clv_hash64(pair) % (uint64_t)heaviest);
        }
    }
    d->xadj[dense_n] = at;
    d->g = (clv_graph){.kind = CLEAVE_UNDIRECTED,
                       .nvtx = dense_n,
                       .narc = at,
                       .xadj = d->xadj,
                       .adj = d->adj,
                       .ewgt = d->ewgt,
                       .ncon = 1};
}

static void check_thinned(const dense *d, const clv_graph *thin, double most, int32_t heaviest)
{
    arc_list before = oracle_arcs(&d->g), after = oracle_arcs(thin);
    int64_t weight_before = 0, weight_after = 0, lifted = 0;
    for (int64_t i = 0; i < before.count; i++)
        weight_before += before.arc[i].wgt;
    for (int64_t i = 0; i < after.count; i++) {
        const struct listed_arc *arc = &after.arc[i];
        const struct listed_arc *was = oracle_find(&before, arc->x, arc->y);
        const struct listed_arc *back = oracle_find(&after, arc->y, arc->x);
        CHECK(was && back && back->wgt == arc->wgt);
        CHECK(i == 0 || arc->x != arc[-1].x || arc->y != arc[-1].y);
        weight_after += arc->wgt;
        if (was && arc->wgt != was->wgt) {
            /* All light edges weigh the same now: the threshold. */
            CHECK(arc->wgt > was->wgt);
            CHECK(lifted == 0 || lifted == arc->wgt);
            lifted = arc->wgt;
        }
    }
    CHECK(lifted > 1 && lifted <= heaviest * 20);
    /* Weights that share a bin with lighter ones are taken for those. */
    double at_most = heaviest < clv_sparsify_exact ? 1.3 : 2;
    CHECK((double)after.count > 0.7 * most && (double)after.count < at_most * most);
    CHECK((double)weight_after > 0.95 * (double)weight_before);
    CHECK((double)weight_after < 1.05 * (double)weight_before);
    oracle_free(&before);
    oracle_free(&after);
}

static void test_graph(void)
{
    static dense d;
    for (int i = 0; i < 6; i++) {
        int32_t heaviest = i % 3 == 0 ? 1 : i % 3 == 1 ? 200 : 100000;
        clv_context ctx;
        cleave_error err = {0};
        clv_graph *thin = NULL;
        make_dense(&d, heaviest);
        fixture_context(&ctx, 2, 1);
        clv_contraction how = {.map = d.map,
                               .ncoarse = dense_n,
                               .most_arcs = i < 3 ? 100000 : 40000,
                               .salt = (uint64_t)i};
        CHECK_OK(clv_contract(&thin, &d.g, &how, &ctx, &err));
        check_thinned(&d, thin, how.most_arcs, heaviest);
        clv_graph_free(thin);
        /* Room enough: nothing changes. */
        how.most_arcs = 1e6;
        CHECK_OK(clv_contract(&thin, &d.g, &how, &ctx, &err));
        const char *fault = oracle_contraction_fault(&d.g, d.map, thin);
        CHECK_STR(fault ? fault : "none", "none");
        clv_graph_free(thin);
        clv_context_close(&ctx);
    }
}

/* Averaged over many draws every cut keeps its weight. */
static void test_cuts(void)
{
    static dense d;
    static int32_t side[dense_n];
    make_dense(&d, 50);
    for (int32_t v = 0; v < dense_n; v++)
        side[v] = v % 7 == 0;
    double want = (double)oracle_cut(&d.g, side), sum = 0;
    clv_context ctx;
    fixture_context(&ctx, 1, 1);
    for (int i = 0; i < 30; i++) {
        cleave_error err = {0};
        clv_graph *thin = NULL;
        clv_contraction how = {
            .map = d.map, .ncoarse = dense_n, .most_arcs = 30000, .salt = 1000 + (uint64_t)i};
        REQUIRE_OK(clv_contract(&thin, &d.g, &how, &ctx, &err));
        sum += (double)oracle_cut(thin, side);
        clv_graph_free(thin);
    }
    clv_context_close(&ctx);
    CHECK(sum / 30 > 0.99 * want && sum / 30 < 1.01 * want);
}

int main(void)
{
    RUN(test_threshold);
    RUN(test_threshold_extremes);
    RUN(test_decision);
    RUN(test_graph);
    RUN(test_cuts);
    return test_end();
}
