/* SPDX-License-Identifier: Apache-2.0 */
/* Joint moves of cuts against all cuts; exchanges of PEs. */
#include "graph/share.h"
#include "order/line_fixture.h"
#include "order/split.h"

enum { most = 400 };
static double speed[most];
static int32_t sequence[most], scratch[most], begin[most], end[most];

/* The least sum of crossings of all cuts within the bounds, PEs from the i-th on, the line
 * from place `from` on; -1: there are none. */
static int64_t least_crossing(const clv_order *o, const int64_t *bound, int32_t npes,
                              int32_t i, int32_t from)
{
    int64_t best = -1;
    if (i == npes - 1)
        return o->nvtx > from && o->before[o->nvtx] - o->before[from] <= bound[i] ? 0 : -1;
    for (int32_t to = from + 1; to < o->nvtx; to++) {
        if (o->before[to] - o->before[from] > bound[i])
            break;
        int64_t rest = least_crossing(o, bound, npes, i + 1, to);
        if (rest >= 0 && (best < 0 || rest + o->crossing[to] < best))
            best = rest + o->crossing[to];
    }
    return best;
}

static int64_t crossing_of(const clv_order *o, int32_t npes)
{
    int64_t sum = 0;
    for (int32_t pe = 0; pe < npes; pe++)
        sum += begin[pe] > 0 && begin[pe] < end[pe] ? o->crossing[begin[pe]] : 0;
    return sum;
}

/* Windows of at most 16 places: every place is a candidate. */
static void test_all_cuts(void)
{
    int32_t found = 0;
    for (uint64_t seed = 0; seed < 120; seed += TEST_STRIDE) {
        int32_t npes = 2 + (int32_t)(seed % 3), n = 12 + (int32_t)(seed / 3 % 20);
        double eps = 0.1 + 0.05 * (double)(seed / 5 % 4);
        clv_graph *g = line_graph(LINE_SPREAD, seed % 4 ? LINE_UNIT : LINE_SMALL, n, 2, seed);
        clv_order *o = line_order(g, seed);
        line_speeds(speed, npes, 3, false, seed);
        clv_share_rule rule = clv_share_rule_make(speed, npes, 1);
        int64_t bound[4], least;
        for (int32_t pe = 0; pe < npes; pe++)
            bound[pe] = clv_share_bound(&rule, o->before[n], pe, eps);
        clv_split(o, &(clv_split_rule){.npes = npes, .speed = speed, .imbalance = eps}, NULL,
                  begin, end);
        least = least_crossing(o, bound, npes, 0, 0);
        if (least >= 0) {
            for (int32_t pe = 0; pe < npes; pe++)
                CHECK(o->before[end[pe]] - o->before[begin[pe]] <= bound[pe]);
            CHECK_EQ(crossing_of(o, npes), least);
            found++;
        }
        clv_order_free(o);
        clv_graph_free(g);
    }
    CHECK(found >= 60 / TEST_STRIDE);
}

/* More PEs than one run has; wide windows: never more expensive than unmoved cuts. */
static void test_long_runs(void)
{
    int64_t stay = 0, slide = 0;
    for (uint64_t seed = 0; seed < 12; seed++) {
        int32_t npes = 30 + 40 * (int32_t)(seed % 6);
        clv_graph *g = line_graph(LINE_SPREAD, LINE_UNIT, 3000, 2, seed);
        clv_order *o = line_order(g, seed);
        line_speeds(speed, npes, 3, seed % 2, seed);
        clv_share_rule rule = clv_share_rule_make(speed, npes, 1);
        clv_split(o, &(clv_split_rule){.npes = npes, .speed = speed}, NULL, begin, end);
        int64_t before = crossing_of(o, npes);
        clv_split(o, &(clv_split_rule){.npes = npes, .speed = speed, .imbalance = 0.05}, NULL,
                  begin, end);
        CHECK(crossing_of(o, npes) <= before);
        for (int32_t pe = 0; pe < npes; pe++)
            CHECK(end[pe] - begin[pe] <= clv_share_bound(&rule, 3000, pe, 0.05));
        stay += before;
        slide += crossing_of(o, npes);
        clv_order_free(o);
        clv_graph_free(g);
    }
    CHECK(slide < stay);
}

/* The result is a permutation, not more expensive than before and mostly cheaper. */
static void test_arranged(void)
{
    int32_t cheaper = 0;
    for (uint64_t seed = 0; seed < 60; seed++) {
        int32_t npes = 2 + (int32_t)(seed * 7 % 60);
        clv_graph *g = line_graph(LINE_SPREAD, LINE_UNIT, 3000, 2, seed);
        clv_order *o = line_order(g, seed);
        line_speeds(speed, npes, 4, seed % 2, seed);
        clv_grouping_sequence(CLV_GROUPING_BINPACKING, speed, npes, sequence, scratch);
        clv_split(o, &(clv_split_rule){.npes = npes, .speed = speed}, sequence, begin, end);
        int64_t before = crossing_of(o, npes);
        test_alloc_fail_at(0);
        clv_split_arrange(o, npes, speed, sequence);
        CHECK_EQ(test_alloc_calls(), 0);
        uint8_t seen[most] = {0};
        for (int32_t i = 0; i < npes; i++) {
            REQUIRE(sequence[i] >= 0 && sequence[i] < npes && !seen[sequence[i]]);
            seen[sequence[i]] = 1;
        }
        clv_split(o, &(clv_split_rule){.npes = npes, .speed = speed}, sequence, begin, end);
        CHECK(crossing_of(o, npes) <= before + before / 50); /* rounding of shares */
        cheaper += crossing_of(o, npes) < before;
        clv_order_free(o);
        clv_graph_free(g);
    }
    CHECK(cheaper > 30);
}

/* Equal PEs and lines without crossings stay as they are. */
static void test_nothing_to_arrange(void)
{
    int32_t vertex[40];
    clv_order *o;
    for (int32_t v = 0; v < 40; v++)
        vertex[v] = sequence[v] = v;
    CHECK_EQ(clv_order_given(&o, 40, vertex, NULL, NULL), CLEAVE_OK);
    line_speeds(speed, 9, 4, 0, 1);
    clv_split_arrange(o, 9, speed, sequence);
    clv_split_arrange(o, 9, NULL, sequence);
    for (int32_t i = 0; i < 9; i++)
        CHECK_EQ(sequence[i], i);
    clv_order_free(o);
}

int main(void)
{
    RUN(test_all_cuts);
    RUN(test_long_runs);
    RUN(test_arranged);
    RUN(test_nothing_to_arrange);
    return test_end();
}
