/* SPDX-License-Identifier: Apache-2.0 */
/* Orders cut into intervals: the contract, and two PEs against every cut. */
#include "order/split.h"

#include <math.h>

#include "graph/share.h"
#include "order/line_fixture.h"

enum { most = 1200 };
static double speed[most];
static int32_t sequence[most], scratch[most], begin[most], end[most];

static double speed_at(const double *speeds, int32_t pe)
{
    return speeds ? speeds[pe] : 1;
}

static int32_t count_busy(const double *speeds, int32_t npes)
{
    int32_t busy = 0;
    for (int32_t pe = 0; pe < npes; pe++)
        busy += speed_at(speeds, pe) > 0;
    return busy;
}

static int64_t weight_in(const clv_order *o, int32_t from, int32_t to)
{
    return o->before[to] - o->before[from];
}

/* NULL, or which promise about places is broken. */
static const char *place_fault(const clv_order *o, const double *speeds, int32_t npes)
{
    int32_t last = 0, busy = count_busy(speeds, npes);
    for (int32_t i = 0; i < npes; i++) {
        int32_t pe = sequence[i], size = end[pe] - begin[pe];
        if (begin[pe] != last || size < 0)
            return "intervals do not follow each other";
        if (speed_at(speeds, pe) == 0 && size != 0)
            return "an idle PE has vertices";
        if (speed_at(speeds, pe) > 0 && size == 0 && o->nvtx >= busy)
            return "a busy PE has none";
        if (o->nvtx < busy && size > 1)
            return "a PE has two though others have none";
        last = end[pe];
    }
    return last == o->nvtx ? NULL : "the line does not end";
}

static bool within_bounds(const clv_order *o, const double *speeds, int32_t npes, double eps)
{
    clv_share_rule rule = clv_share_rule_make(speeds, npes, 1);
    for (int32_t pe = 0; pe < npes; pe++)
        if (weight_in(o, begin[pe], end[pe]) >
            clv_share_bound(&rule, o->before[o->nvtx], pe, eps))
            return false;
    return true;
}

static void split(const clv_order *o, const double *speeds, int32_t npes,
                  clv_grouping grouping, double eps)
{
    clv_grouping_sequence(grouping, speeds, npes, sequence, scratch);
    memset(begin, -1, sizeof begin);
    memset(end, -1, sizeof end);
    test_alloc_fail_at(0);
    clv_split(o, &(clv_split_rule){.npes = npes, .speed = speeds, .imbalance = eps}, sequence,
              begin, end);
    CHECK_EQ(test_alloc_calls(), 0);
}

/* ---- Shares ----------------------------------------------------------------------------- */

static void test_printed(void)
{
    static const double speeds[] = {3, 2, 2, 1};
    int32_t vertex[80];
    clv_order *o;
    for (int32_t v = 0; v < 80; v++)
        vertex[v] = 79 - v;
    CHECK_EQ(clv_order_given(&o, 80, vertex, NULL, NULL), CLEAVE_OK);
    split(o, speeds, 4, CLV_GROUPING_SIMPLE, 0);
    CHECK(begin[0] == 0 && begin[1] == 30 && begin[2] == 50 && begin[3] == 70);
    CHECK_FINE(place_fault(o, speeds, 4));
    split(o, speeds, 4, CLV_GROUPING_BINPACKING, 0.1); /* without crossings nothing slides */
    CHECK_FINE(place_fault(o, speeds, 4));
    for (int32_t pe = 0; pe < 4; pe++)
        CHECK_EQ(end[pe] - begin[pe], 10 * speeds[pe]);
    /* No sequence: as numbered. */
    split(o, speeds, 4, CLV_GROUPING_SIMPLE, 0);
    int32_t starts[4];
    memcpy(starts, begin, sizeof starts);
    clv_split(o, &(clv_split_rule){.npes = 4, .speed = speeds}, NULL, begin, end);
    CHECK(memcmp(starts, begin, sizeof starts) == 0);
    CHECK_FINE(place_fault(o, speeds, 4));
    clv_order_free(o);
}

static void test_promises(void)
{
    static const double slacks[] = {0, 0.03, 0.5, 10};
    for (uint64_t seed = 0; seed < 1500; seed += TEST_STRIDE) {
        clv_rng rng = clv_rng_make(seed, 9, 0, 0);
        int32_t nvtx = (int32_t)clv_rng_below(&rng, seed % 7 ? 150 : 6);
        int32_t npes = 1 + (int32_t)clv_rng_below(&rng, seed % 5 ? 12 : 200);
        line_weights weights = (line_weights)clv_rng_below(&rng, LINE_WEIGHTS);
        clv_graph *g = line_graph(LINE_SPREAD, weights, nvtx, 2, seed);
        clv_order *o = line_order(g, seed);
        double eps = slacks[clv_rng_below(&rng, 4)];
        const double *speeds = clv_rng_below(&rng, 4) ? speed : NULL;
        line_speeds(speed, npes, clv_rng_below(&rng, 2) ? 8 : 1000, clv_rng_below(&rng, 2),
                    seed);
        split(o, speeds, npes, (clv_grouping)clv_rng_below(&rng, 2), eps);
        CHECK_FINE(place_fault(o, speeds, npes));
        if (weights == LINE_UNIT)
            CHECK(within_bounds(o, speeds, npes, eps));
        clv_order_free(o);
        clv_graph_free(g);
    }
}

/* Can intervals in this sequence be within the bounds?  Taking as much as fits from the
 * right finds them if so, when no vertex is above any bound. */
static bool can_fit(const clv_order *o, const clv_share_rule *rule, int32_t npes, double eps)
{
    int32_t place = o->nvtx;
    for (int32_t i = npes; i-- > 0;) {
        int64_t bound = clv_share_bound(rule, o->before[o->nvtx], sequence[i], eps);
        int32_t from = place;
        while (place > i && weight_in(o, place - 1, from) <= bound)
            place--;
    }
    return place == 0;
}

static void test_weighted_bounds(void)
{
    int fitted = 0, not = 0;
    for (uint64_t seed = 0; seed < 400; seed += TEST_STRIDE) {
        int32_t npes = 2 + (int32_t)(seed / TEST_STRIDE % 11);
        clv_graph *g = line_graph(LINE_SPREAD, LINE_SMALL, 30 * npes, 2, seed);
        clv_order *o = line_order(g, seed);
        double eps = 0.01 * (double)(seed / TEST_STRIDE % 4);
        line_speeds(speed, npes, 4, false, seed);
        split(o, speed, npes, CLV_GROUPING_BINPACKING, eps);
        CHECK_FINE(place_fault(o, speed, npes));
        clv_share_rule rule = clv_share_rule_make(speed, npes, 1);
        bool fits = can_fit(o, &rule, npes, eps);
        CHECK_EQ(within_bounds(o, speed, npes, eps), fits);
        fitted += fits;
        not += !fits;
        clv_order_free(o);
        clv_graph_free(g);
    }
    CHECK(fitted > 10 && not > 3);
}

/* Every line of eight vertices that weigh 1, 2 or 3, for equal PEs and nothing to spare. */
static void test_all_small_lines(void)
{
    enum { n = 8, lines = 6561 };
    static const int32_t vertex[n] = {0, 1, 2, 3, 4, 5, 6, 7};
    int fitted = 0, wrong = 0;
    for (int32_t line = 0; line < lines; line += TEST_STRIDE)
        for (int32_t npes = 2; npes <= 5; npes++) {
            int32_t weight[n], rest = line;
            clv_order *o;
            for (int32_t v = 0; v < n; v++, rest /= 3)
                weight[v] = 1 + rest % 3;
            REQUIRE(clv_order_given(&o, n, vertex, weight, NULL) == CLEAVE_OK);
            split(o, NULL, npes, CLV_GROUPING_SIMPLE, 0);
            clv_share_rule rule = clv_share_rule_make(NULL, npes, 1);
            bool fits = can_fit(o, &rule, npes, 0);
            wrong += within_bounds(o, NULL, npes, 0) != fits;
            fitted += fits;
            clv_order_free(o);
        }
    CHECK_EQ(wrong, 0);
    CHECK(fitted * TEST_STRIDE > 1000);
}

/* ---- Two PEs: every cut ----------------------------------------------------------------- */

/* The cut to be found: within the bounds if there is one, of least crossing if cuts slide,
 * nearest to the share.  Sliding begins at the nearest cut, so bounds of crossing only. */
static void check_two(const clv_order *o, double eps)
{
    clv_share_rule rule = clv_share_rule_make(speed, 2, 1);
    int64_t total = o->before[o->nvtx], bound[2], least = INT64_MAX;
    int32_t first = sequence[0], cut = end[first];
    double share = clv_share_of(&rule, total, first), nearest = INFINITY;
    double nearest_fitting = INFINITY;
    for (int32_t pe = 0; pe < 2; pe++)
        bound[pe] = clv_share_bound(&rule, total, pe, eps);
    for (int32_t p = 1; p < o->nvtx; p++) {
        double off = fabs((double)o->before[p] - share);
        nearest = fmin(nearest, off);
        if (o->before[p] > bound[first] || total - o->before[p] > bound[1 - first])
            continue;
        nearest_fitting = fmin(nearest_fitting, off);
        least = o->crossing[p] < least ? o->crossing[p] : least;
    }
    double off = fabs((double)o->before[cut] - share);
    if (eps > 0 && least < INT64_MAX)
        CHECK_EQ(o->crossing[cut], least);
    else
        CHECK(off <= (nearest_fitting < INFINITY ? nearest_fitting : nearest) + 1e-6);
}

static void test_two(void)
{
    for (uint64_t seed = 0; seed < 600; seed += TEST_STRIDE) {
        line_weights weights = (line_weights)(seed / TEST_STRIDE / 2 % LINE_WEIGHTS);
        int32_t nvtx = 2 + (int32_t)(seed * 7 % 120);
        clv_graph *g = line_graph(LINE_SPREAD, weights, nvtx, 2, seed);
        clv_order *o = line_order(g, seed);
        line_speeds(speed, 2, 5, false, seed);
        double eps = seed / TEST_STRIDE % 2 ? 0.2 : 0;
        split(o, speed, 2, CLV_GROUPING_SIMPLE, eps);
        CHECK_FINE(place_fault(o, speed, 2));
        if (o->before[nvtx] > 0)
            check_two(o, eps);
        clv_order_free(o);
        clv_graph_free(g);
    }
}

/* Where nothing weighs anything, vertices are counted. */
static void test_no_weight(void)
{
    clv_graph *g = line_graph(LINE_SPREAD, LINE_NOTHING, 90, 2, 1);
    clv_order *o = line_order(g, 1);
    static const double speeds[] = {1, 0, 2, 6};
    split(o, speeds, 4, CLV_GROUPING_SIMPLE, 0);
    CHECK(end[0] == 10 && end[1] == 10 && end[2] == 30 && end[3] == 90);
    clv_order_free(o);
    clv_graph_free(g);
}

static void test_heavy(void)
{
    static const int32_t vertex[] = {0, 1, 2, 3, 4, 5}, weight[] = {1, 1, 100, 1, 1, 1};
    clv_order *o;
    CHECK_EQ(clv_order_given(&o, 6, vertex, weight, NULL), CLEAVE_OK);
    split(o, NULL, 6, CLV_GROUPING_SIMPLE, 0.03);
    CHECK_FINE(place_fault(o, NULL, 6));
    split(o, NULL, 2, CLV_GROUPING_SIMPLE, 0.03); /* 2 | 103 or 102 | 3 */
    CHECK_FINE(place_fault(o, NULL, 2));
    CHECK(end[0] == 2 || end[0] == 3);
    clv_order_free(o);
}

/* Moving cuts reduces the cost. */
static void test_sliding(void)
{
    int64_t fixed = 0, slid = 0;
    for (uint64_t seed = 0; seed < 40; seed++) {
        clv_graph *g = line_graph(LINE_SPREAD, LINE_UNIT, 400, 2, seed);
        clv_order *o = line_order(g, seed);
        line_speeds(speed, 10, 3, seed % 2, seed);
        for (int slide = 0; slide < 2; slide++) {
            split(o, speed, 10, CLV_GROUPING_BINPACKING, slide ? 0.2 : 0);
            CHECK_FINE(place_fault(o, speed, 10));
            CHECK(within_bounds(o, speed, 10, slide ? 0.2 : 0));
            for (int32_t pe = 0; pe < 10; pe++)
                *(slide ? &slid : &fixed) += o->crossing[begin[pe]];
        }
        clv_order_free(o);
        clv_graph_free(g);
    }
    CHECK(slid < fixed - fixed / 50);
}

/* Weights whose sum is near the limit. */
static void test_large_sums(void)
{
    enum { n = 1000 };
    int32_t vertex[n], weight[n];
    clv_order *o;
    for (int32_t v = 0; v < n; v++) {
        vertex[v] = v;
        weight[v] = INT32_MAX - v % 2;
    }
    CHECK_EQ(clv_order_given(&o, n, vertex, weight, NULL), CLEAVE_OK);
    for (double eps = 0; eps < 2e300; eps = eps == 0 ? 0.1 : eps == 0.1 ? 1e18 : 1e301) {
        split(o, NULL, 100, CLV_GROUPING_BINPACKING, eps);
        CHECK_FINE(place_fault(o, NULL, 100));
        for (int32_t pe = 0; pe < 100; pe++)
            CHECK_EQ(end[pe] - begin[pe], 10);
    }
    clv_order_free(o);
}

/* Bounds of all there is, each as large as sums may be, and crossings as large as they may be:
 * the cuts are those of the same line with small numbers. */
static void test_large_bounds(void)
{
    enum { n = 1000, k = 60 };
    static int32_t vertex[n], cut[k];
    static int64_t before[2][n + 1], crossing[2][n + 1];
    clv_rng rng = clv_rng_make(6, 0, 0, 0);
    for (int32_t p = 0; p <= n; p++) {
        before[0][p] = p;
        before[1][p] = p * ((INT64_C(1) << 62) / n);
        crossing[0][p] = p == 0 || p == n ? 0 : 100 + (int64_t)clv_rng_below(&rng, 29);
        crossing[1][p] = crossing[0][p] * (clv_most_crossing / 128);
        vertex[p % n] = p % n;
    }
    for (int i = 0; i < 2; i++) {
        clv_order o = {
            .nvtx = n, .vertex = vertex, .before = before[i], .crossing = crossing[i]};
        split(&o, NULL, k, CLV_GROUPING_SIMPLE, 1e6);
        CHECK_FINE(place_fault(&o, NULL, k));
        if (i == 0)
            memcpy(cut, begin, sizeof cut);
        CHECK(memcmp(cut, begin, sizeof cut) == 0);
    }
}

static void test_many(void)
{
    enum { n = 200000, k = 1000 };
    int32_t *vertex = malloc(n * sizeof *vertex);
    clv_order *o;
    REQUIRE(vertex);
    for (int32_t v = 0; v < n; v++)
        vertex[v] = v;
    CHECK_EQ(clv_order_given(&o, n, vertex, NULL, NULL), CLEAVE_OK);
    line_speeds(speed, k, 8, true, 3);
    split(o, speed, k, CLV_GROUPING_BINPACKING, 0);
    CHECK_FINE(place_fault(o, speed, k));
    CHECK(within_bounds(o, speed, k, 0));
    split(o, NULL, k, CLV_GROUPING_BINPACKING, 0);
    for (int32_t pe = 0; pe < k; pe++)
        CHECK_EQ(begin[pe], pe * (n / k));
    clv_order_free(o);
    free(vertex);
}

int main(void)
{
    RUN(test_printed);
    RUN(test_promises);
    RUN(test_weighted_bounds);
    RUN(test_all_small_lines);
    RUN(test_two);
    RUN(test_no_weight);
    RUN(test_heavy);
    RUN(test_sliding);
    RUN(test_large_sums);
    RUN(test_large_bounds);
    RUN(test_many);
    return test_end();
}
