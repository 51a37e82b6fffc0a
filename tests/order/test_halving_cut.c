/* SPDX-License-Identifier: Apache-2.0 */
/* One set cut in two, against sorting and trying every position. */
#include "order/halving_cut.h"

#include <math.h>

#include "order/line_fixture.h"

enum { most = 3000 };
static cleave_error err;
static double value[most];
static int32_t vertex[most], sorted[most], expected[most];

static int compare(const void *a, const void *b)
{
    int32_t i = *(const int32_t *)a, j = *(const int32_t *)b;
    if (value[i] != value[j])
        return value[i] < value[j] ? -1 : 1;
    return i < j ? -1 : i > j;
}

static int ascending(const void *a, const void *b)
{
    return *(const int32_t *)a < *(const int32_t *)b ? -1 : 1;
}

/* value[] by vertex here: the set is all vertices.  Returns the size of the first side. */
static int32_t slow_cut(const clv_graph *g, const clv_cut_rule *rule)
{
    int32_t n = g->nvtx, best = -1;
    double total = 0, sum = 0, best_off = INFINITY;
    bool best_fits = false;
    for (int32_t v = 0; v < n; v++) {
        sorted[v] = v;
        total += clv_graph_vwgt(g, v, 0);
    }
    bool weigh = total > 0;
    total = weigh ? total : n;
    qsort(sorted, (size_t)n, sizeof *sorted, compare);
    double target = total * (rule->first / (rule->first + rule->second));
    for (int32_t c = 0; c <= n; c++) {
        if (c > 0)
            sum += weigh ? clv_graph_vwgt(g, sorted[c - 1], 0) : 1;
        if (c < rule->least || c > rule->most)
            continue;
        bool fits = sum <= rule->first_most && total - sum <= rule->second_most;
        double off = fabs(sum - target);
        if (fits < best_fits)
            continue;
        /* As near below the target as above: below; there the last place, above the first. */
        if (best < 0 || fits > best_fits || off < best_off ||
            (off == best_off && sum < target)) {
            best = c;
            best_off = off;
            best_fits = fits;
        }
    }
    memcpy(expected, sorted, (size_t)n * sizeof *expected);
    qsort(expected, (size_t)best, sizeof *expected, ascending);
    qsort(expected + best, (size_t)(n - best), sizeof *expected, ascending);
    return best;
}

static double draw_value(int kind, int32_t v, clv_rng *rng)
{
    double u = clv_rng_unit(rng);
    switch (kind) {
    case 0:
        return u - 0.5;
    case 1:
        return (double)clv_rng_below(rng, 4) * (clv_rng_below(rng, 2) ? -0.0 : 1);
    case 2: /* nearly all in one bucket */
        return u * u * u * u * u * u * u * u * u * u * u * u;
    case 3:
        return 7;
    case 4: /* the span is not finite */
        return (u - 0.5) * 1.7e308 + (u - 0.5) * 1.7e308;
    case 5: /* the smallest there are */
        return (double)clv_rng_below(rng, 50) * 5e-324;
    default:
        return -(double)v;
    }
}

static clv_cut_rule draw_rule(int32_t n, double total, clv_rng *rng)
{
    clv_cut_rule rule = {
        1 + clv_rng_below(rng, 7), 1 + clv_rng_below(rng, 7), 0x1p63, 0x1p63, 0, n};
    if (clv_rng_below(rng, 2)) {
        double share = rule.first / (rule.first + rule.second);
        rule.first_most = ceil(total * share * (0.9 + 0.2 * clv_rng_unit(rng)));
        rule.second_most = ceil(total * (1 - share) * (0.9 + 0.2 * clv_rng_unit(rng)));
    }
    if (clv_rng_below(rng, 3) == 0) {
        rule.least = (int32_t)clv_rng_below(rng, (uint32_t)n + 1);
        rule.most = rule.least + (int32_t)clv_rng_below(rng, (uint32_t)(n - rule.least) + 1);
    }
    return rule;
}

static void test_against_slow(void)
{
    clv_ws ws = {0};
    for (uint64_t seed = 0; seed < 700; seed += TEST_STRIDE) {
        clv_rng rng = clv_rng_make(seed, 0, 0, 0);
        int32_t n = 1 + (int32_t)clv_rng_below(&rng, seed % 9 ? 60 : most - 1), first;
        int32_t weight[most];
        int weights = (int)clv_rng_below(&rng, 4), kind = (int)clv_rng_below(&rng, 7);
        double total = 0;
        for (int32_t v = 0; v < n; v++) {
            static const uint32_t heaviest[] = {1, 10, 2, INT32_MAX};
            weight[v] = (int32_t)clv_rng_below(&rng, heaviest[weights]);
            total += weight[v];
            value[v] = draw_value(kind, v, &rng);
            vertex[v] = v;
        }
        clv_graph g = {.nvtx = n, .ncon = 1, .vwgt = clv_rng_below(&rng, 4) ? weight : NULL};
        clv_cut_rule rule = draw_rule(n, g.vwgt ? total : n, &rng);
        int32_t best = slow_cut(&g, &rule);
        REQUIRE_OK(
            clv_halving_cut(&(clv_subset){&g, n, vertex}, &rule, value, &ws, &first, &err));
        CHECK_EQ(first, best);
        CHECK(memcmp(vertex, expected, (size_t)n * sizeof *vertex) == 0);
    }
    clv_ws_free(&ws);
}

/* A set that is not all vertices: values go with the list. */
static void test_some(void)
{
    static const int32_t weight[] = {9, 1, 9, 1, 9, 1};
    clv_graph g = {.nvtx = 6, .ncon = 1, .vwgt = weight};
    clv_cut_rule rule = {1, 1, 0x1p63, 0x1p63, 0, 3};
    int32_t set[] = {1, 3, 4}, first;
    const double values[] = {5, 1, 3};
    clv_ws ws = {0};
    REQUIRE_OK(clv_halving_cut(&(clv_subset){&g, 3, set}, &rule, values, &ws, &first, &err));
    CHECK_EQ(first, 1); /* 3 | 4 1 weighs 1 | 10, 3 4 | 1 weighs 10 | 1: as near, above */
    CHECK(set[0] == 3 && set[1] == 1 && set[2] == 4);
    clv_ws_free(&ws);
}

static void test_not_finite(void)
{
    clv_graph g = {.nvtx = 6, .ncon = 1};
    clv_cut_rule rule = {1, 1, 0x1p63, 0x1p63, 0, 3};
    int32_t set[] = {1, 3, 4}, first;
    const double faults[] = {NAN, INFINITY, -INFINITY};
    clv_ws ws = {0};
    for (int i = 0; i < 3; i++) {
        double values[] = {5, 1, 3};
        values[i] = faults[i];
        CHECK_EQ(clv_halving_cut(&(clv_subset){&g, 3, set}, &rule, values, &ws, &first, &err),
                 CLEAVE_EINVAL);
        CHECK_EQ(atoi(strstr(err.message, "vertex ") + 7), set[i]);
    }
    CHECK_STR(err.message, "the number of vertex 4 is not finite");
    clv_ws_free(&ws);
}

static cleave_status call_cut(const void *graph, cleave_error *e)
{
    const clv_graph *g = graph;
    clv_cut_rule rule = {1, 1, 0, 0, 1, g->nvtx - 1}; /* which no cut satisfies */
    clv_ws ws = {0};
    int32_t first;
    for (int32_t v = 0; v < g->nvtx; v++)
        vertex[v] = v;
    cleave_status status =
        clv_halving_cut(&(clv_subset){g, g->nvtx, vertex}, &rule, value, &ws, &first, e);
    clv_ws_free(&ws);
    return status;
}

static void test_out_of_memory(void)
{
    clv_graph *g = line_graph(LINE_SPREAD, LINE_UNIT, most, 2, 1);
    clv_rng rng = clv_rng_make(1, 0, 0, 0);
    for (int32_t v = 0; v < most; v++)
        value[v] = clv_rng_unit(&rng);
    test_oom_call(call_cut, g);
    clv_graph_free(g);
}

int main(void)
{
    RUN(test_against_slow);
    RUN(test_some);
    RUN(test_not_finite);
    RUN(test_out_of_memory);
    return test_end();
}
