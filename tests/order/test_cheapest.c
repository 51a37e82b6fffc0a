/* SPDX-License-Identifier: Apache-2.0 */
/* Splits whose sequence of PEs is free: intervals all the same, within the same bounds, and
 * never cuts that cross more than those of binpacking. */
#include "graph/share.h"
#include "order/split.h"
#include "support/test.h"

static cleave_error err;

enum { most = 100 };

static int64_t crossing_of(const clv_order *o, int32_t npes, const int32_t *begin)
{
    int64_t sum = 0;
    for (int32_t pe = 0; pe < npes; pe++)
        sum += o->crossing[begin[pe]];
    return sum;
}

static void check_intervals(const clv_order *o, int32_t npes, const double *speed, double eps,
                            const int32_t *begin, const int32_t *end)
{
    clv_share_rule rule = clv_share_rule_make(speed, npes, 1);
    int64_t covered = 0;
    for (int32_t pe = 0; pe < npes; pe++) {
        CHECK(begin[pe] >= 0 && begin[pe] < end[pe] && end[pe] <= o->nvtx);
        covered += end[pe] - begin[pe];
        CHECK(o->before[end[pe]] - o->before[begin[pe]] <=
              clv_share_bound(&rule, o->nvtx, pe, eps));
        for (int32_t other = 0; other < pe; other++)
            CHECK(end[other] <= begin[pe] || end[pe] <= begin[other]);
    }
    CHECK_EQ(covered, o->nvtx);
}

static void test_cheapest(void)
{
    cleave_graph *g = NULL;
    cleave_order *o = NULL;
    cleave_order_options opt;
    cleave_order_options_init(&opt, sizeof opt);
    opt.method = "hci";
    REQUIRE_OK(cleave_graph_generate(&g, "rgg:5000:6", NULL, &err));
    REQUIRE_OK(cleave_order_build(&o, g, &opt, &err));
    int better = 0;
    for (int32_t npes = 2; npes <= most; npes += npes < 10 ? 1 : 9) {
        double speed[most];
        int32_t begin[most], end[most], plain[most], until[most], again[most];
        for (int32_t pe = 0; pe < npes; pe++)
            speed[pe] = 1 + pe * 7 % 5;
        clv_split_cheapest(o, npes, speed, 0.05, begin, end);
        check_intervals(o, npes, speed, 0.05, begin, end);
        clv_split_grouped(o, npes, speed, CLV_GROUPING_BINPACKING, 0.05, plain, until);
        int64_t cheap = crossing_of(o, npes, begin), packed = crossing_of(o, npes, plain);
        CHECK(cheap <= packed);
        CHECK(npes <= 64 || memcmp(begin, plain, (size_t)npes * sizeof *begin) == 0);
        better += cheap < packed;
        clv_split_cheapest(o, npes, speed, 0.05, again, until);
        CHECK(memcmp(begin, again, (size_t)npes * sizeof *begin) == 0);
    }
    CHECK(better >= 5);
    cleave_order_free(o);
    cleave_graph_free(g);
}

/* Equal PEs, and lines that know nothing of crossings, come as they always do. */
static void test_plain(void)
{
    int32_t vertex[200], begin[7], end[7], plain[7], until[7], sequence[7], scratch[7];
    static const double speed[] = {3, 1, 4, 1, 5, 2, 6};
    cleave_order *o = NULL;
    for (int32_t v = 0; v < 200; v++)
        vertex[v] = v;
    REQUIRE_OK(cleave_order_create(&o, 200, vertex, NULL, &err));
    for (int equal = 0; equal < 2; equal++) {
        const double *speeds = equal ? NULL : speed;
        clv_grouping_sequence(CLV_GROUPING_BINPACKING, speeds, 7, sequence, scratch);
        clv_split(o, 7, speeds, equal ? NULL : sequence, 0.03, plain, until);
        clv_split_cheapest(o, 7, speeds, 0.03, begin, end);
        CHECK(memcmp(begin, plain, sizeof begin) == 0 && memcmp(end, until, sizeof end) == 0);
        clv_split_grouped(o, 7, speeds, CLV_GROUPING_BINPACKING, 0.03, begin, end);
        CHECK(memcmp(begin, plain, sizeof begin) == 0 && memcmp(end, until, sizeof end) == 0);
    }
    clv_split_grouped(o, 7, speed, CLV_GROUPING_SIMPLE, 0.03, begin, end);
    for (int32_t pe = 0; pe < 7; pe++)
        CHECK_EQ(begin[pe], pe ? end[pe - 1] : 0);
    cleave_order_free(o);
}

int main(void)
{
    RUN(test_cheapest);
    RUN(test_plain);
    return test_end();
}
