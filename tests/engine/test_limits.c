/* SPDX-License-Identifier: Apache-2.0 */
/* Shares and bounds of parts: against exact integers, against the balance of cleave_evaluate,
 * the caller's bounds, and invalid values. */
#include "engine/limits.h"

#include <math.h>

#include "base/rng.h"
#include "support/test.h"

static cleave_error err;
static clv_ws ws;

enum { most = 12 };

/* A graph without edges of these weights; nvtx * ncon of them, or NULL. */
static cleave_graph *weights(int32_t nvtx, int32_t ncon, const int32_t *vwgt)
{
    static const int64_t xadj[most + 1];
    cleave_csr csr;
    cleave_csr_init(&csr, sizeof csr);
    csr.nvtx = nvtx;
    csr.xadj = xadj;
    csr.adj = &nvtx;
    csr.vwgt = vwgt;
    csr.ncon = ncon;
    cleave_graph *g = NULL;
    CHECK_OK(cleave_graph_create(&g, &csr, 0, &err));
    return g;
}

static cleave_target *target(const char *text)
{
    cleave_target *t = NULL;
    CHECK_OK(cleave_target_parse(&t, text, &err));
    return t;
}

static cleave_constraints none(void)
{
    cleave_constraints c;
    cleave_constraints_init(&c, sizeof c);
    return c;
}

/* "max 9 9 share 8 8", with " min ..." when there is one; or the complaint. */
static const char *limits_of(const char *spec, int32_t nvtx, int32_t ncon, const int32_t *vwgt,
                             const cleave_constraints *c, double eps)
{
    static char shown[512];
    cleave_graph *g = weights(nvtx, ncon, vwgt);
    cleave_target *t = target(spec);
    clv_ws_mark mark = clv_ws_save(&ws);
    clv_limits l;
    cleave_status status = clv_limits_make(&l, g, t, &(clv_weight_demands){c, eps}, &ws, &err);
    char *to = shown + sprintf(shown, "max");
    if (status == CLEAVE_OK) {
        for (int32_t i = 0; i < l.bounds.nparts * ncon; i++)
            to += sprintf(to, " %lld", (long long)l.bounds.max[i]);
        to += sprintf(to, " share");
        for (int32_t i = 0; i < l.bounds.nparts * ncon; i++)
            to += sprintf(to, " %g", l.bounds.share[i]);
        if (l.bounds.min)
            to += sprintf(to, " min");
        for (int32_t i = 0; l.bounds.min && i < l.bounds.nparts * ncon; i++)
            to += sprintf(to, " %lld", (long long)l.bounds.min[i]);
    } else {
        snprintf(shown, sizeof shown, "%s", err.message);
    }
    clv_ws_restore(&ws, mark);
    cleave_target_free(t);
    cleave_graph_free(g);
    return shown;
}

static void test_speeds(void)
{
    cleave_constraints c = none();
    CHECK_STR(limits_of("2", 10, 1, NULL, &c, 0), "max 5 5 share 5 5");
    CHECK_STR(limits_of("4", 10, 1, NULL, &c, 0), "max 3 3 3 3 share 2.5 2.5 2.5 2.5");
    CHECK_STR(limits_of("2", 10, 1, NULL, &c, 0.29), "max 6 6 share 5 5");
    CHECK_STR(limits_of("3,2", 10, 1, NULL, &c, 0), "max 6 4 share 6 4");
    CHECK_STR(limits_of("3,0,2", 10, 1, NULL, &c, 1), "max 10 0 8 share 6 0 4");
    CHECK_STR(limits_of("0.7,0.3", 10, 1, NULL, &c, 0), "max 7 3 share 7 3");
    CHECK_STR(limits_of("1e308,1e308,1e308", 9, 1, NULL, &c, 0), "max 3 3 3 share 3 3 3");
}

/* Parts that must be empty are distinguished from parts of weight 0. */
static void test_no_weight(void)
{
    static const int32_t zeros[most] = {0};
    cleave_constraints c = none();
    CHECK_STR(limits_of("2", 4, 1, zeros, &c, 0.03), "max 1 1 share 2 2");
    CHECK_STR(limits_of("1,0", 4, 1, zeros, &c, 0.03), "max 1 0 share 4 0");
    CHECK_STR(limits_of("2", 0, 1, NULL, &c, 0.03), "max 1 share 0");
}

static void test_several_weights(void)
{
    static const int32_t vwgt[] = {1, 10, 1, 20, 1, 30, 1, 40};
    static const double shares[] = {1, 1, 1, 3};
    cleave_constraints c = none();
    CHECK_STR(limits_of("2", 4, 2, vwgt, &c, 0), "max 2 50 2 50 share 2 50 2 50");
    CHECK_STR(limits_of("3,1", 4, 2, vwgt, &c, 0), "max 3 75 1 25 share 3 75 1 25");
    c.shares = shares;
    CHECK_STR(limits_of("2", 4, 2, vwgt, &c, 0), "max 2 25 2 75 share 2 25 2 75");
}

static void test_given_bounds(void)
{
    static const double imbalance[] = {0, 0.5};
    static const int64_t max[] = {2, -1}, min[] = {-1, 4}, wide[] = {10, 9}, tight[] = {9, 0};
    cleave_constraints c = none();
    c.imbalance = imbalance;
    CHECK_STR(limits_of("2", 10, 1, NULL, &c, 3), "max 5 7 share 5 5");
    c.imbalance = NULL;
    c.max = max; /* aim where there is room */
    CHECK_STR(limits_of("2", 10, 1, NULL, &c, 0.6), "max 2 8 share 2 8");
    c.max = NULL;
    c.min = min;
    CHECK_STR(limits_of("2", 10, 1, NULL, &c, 0), "max 5 5 share 5 5 min 0 4");
    CHECK_STR(limits_of("4,1", 10, 1, NULL, &c, 1), "max 10 4 share 6 4 min 0 4");
    c.min = tight;
    c.max = wide;
    CHECK_STR(limits_of("2", 10, 1, NULL, &c, 0), "max 10 9 share 9 1 min 9 0");
}

/* Bounds of any size are clipped to the total; bounds that cannot be met stay infeasible. */
static void test_huge_bounds(void)
{
    static const int64_t most[] = {INT64_MAX, INT64_C(1) << 62}, least[] = {INT64_MAX, -1};
    static const double lavish[] = {1e300, 4e16};
    cleave_constraints c = none();
    CHECK_STR(limits_of("2", 10, 1, NULL, &c, 1e300), "max 10 10 share 5 5");
    CHECK_STR(limits_of("2", 10, 1, NULL, &c, 4e16), "max 10 10 share 5 5");
    c.imbalance = lavish;
    CHECK_STR(limits_of("2", 10, 1, NULL, &c, 0), "max 10 10 share 5 5");
    c.max = most;
    CHECK_STR(limits_of("2", 10, 1, NULL, &c, 0), "max 10 10 share 5 5");
    c.min = least;
    CHECK_STR(limits_of("2", 10, 1, NULL, &c, 0), "max 11 10 share 11 0 min 11 0");
}

static void test_refused(void)
{
    static const double bad[] = {1, -1}, zeros[] = {0, 0}, half[] = {1, 0, 1, 0};
    static const double infinite[] = {INFINITY, 1};
    static const int64_t negative[] = {1, -2}, six[] = {-1, 6}, five[] = {-1, 5};
    static const int32_t two[] = {1, 1, 1, 1};
    cleave_constraints c = none();
    c.shares = bad;
    CHECK_STR(limits_of("2", 4, 1, NULL, &c, 0), "the share of part 1 is not a number >= 0");
    c.shares = infinite;
    CHECK_STR(limits_of("2", 4, 1, NULL, &c, 0), "the share of part 0 is not a number >= 0");
    c.shares = zeros;
    CHECK_STR(limits_of("2", 4, 1, NULL, &c, 0), "the shares of all parts are 0");
    c.shares = half;
    CHECK_STR(limits_of("2", 2, 2, two, &c, 0), "the shares of weight 2 are all 0");
    c = none();
    c.imbalance = bad;
    CHECK_STR(limits_of("2", 4, 1, NULL, &c, 0),
              "the imbalance allowed for part 1 is not a number >= 0");
    c.imbalance = infinite;
    CHECK_STR(limits_of("2", 4, 1, NULL, &c, 0),
              "the imbalance allowed for part 0 is not a number >= 0");
    c = none();
    c.min = negative;
    CHECK_STR(limits_of("2", 4, 1, NULL, &c, 0),
              "min of part 1 is -2, which is not a valid weight");
    c.min = NULL;
    c.max = negative;
    CHECK_STR(limits_of("2", 4, 1, NULL, &c, 0),
              "max of part 1 is -2, which is not a valid weight");
    c.min = six;
    c.max = five;
    CHECK_STR(limits_of("2", 4, 1, NULL, &c, 0),
              "part 1 must weigh at least 6, but may weigh at most 5");
    c.max = NULL;
    CHECK_STR(limits_of("2", 4, 1, NULL, &c, 0),
              "part 1 must weigh at least 6, but may weigh at most 2");
}

/* More equal parts than vertices are reduced to one per vertex, unless parts of fixed
 * vertices are given. */
static void test_many_parts(void)
{
    int32_t fixed[4] = {-1, -1, -1, -1};
    cleave_constraints c = none();
    CHECK_STR(limits_of("2147483647", 4, 1, NULL, &c, 0.03),
              "max 1 1 1 1 share 1.86265e-09 1.86265e-09 1.86265e-09 1.86265e-09");
    c.fixed = fixed;
    CHECK_STR(limits_of("5", 4, 1, NULL, &c, 0), "max 1 1 1 1 1 share 0.8 0.8 0.8 0.8 0.8");
}

/* A part of exactly its bound is balanced, one more is not: cleave_evaluate agrees. */
static void test_against_evaluate(void)
{
    clv_rng rng = clv_rng_make(5, 0, 0, 0);
    for (int round = 0; round < 300; round++) {
        int32_t total = 20 + (int32_t)clv_rng_below(&rng, 200), two[2];
        double eps = (double)clv_rng_below(&rng, 60) / 100;
        char spec[32];
        sprintf(spec, "%u,%u", 1 + clv_rng_below(&rng, 9), 1 + clv_rng_below(&rng, 9));
        cleave_target *t = target(spec);
        const int32_t start[2] = {total, 0}, part[2] = {0, 1};
        cleave_graph *g = weights(2, 1, start);
        cleave_constraints c = none();
        clv_limits l;
        REQUIRE_OK(clv_limits_make(&l, g, t, &(clv_weight_demands){&c, eps}, &ws, &err));
        cleave_graph_free(g);
        double shares[] = {cleave_target_speed(t, 0), cleave_target_speed(t, 1)};
        cleave_evaluate_options opt;
        cleave_evaluate_options_init(&opt, sizeof opt);
        opt.imbalance = eps;
        opt.shares = shares;
        for (int more = 0; more < 2; more++) {
            two[0] = (int32_t)l.bounds.max[0] + more;
            two[1] = total - two[0];
            if (two[1] < 0 || two[1] > l.bounds.max[1])
                continue;
            g = weights(2, 1, two);
            cleave_mapping *m;
            cleave_metrics metrics;
            cleave_metrics_init(&metrics, sizeof metrics);
            REQUIRE_OK(cleave_mapping_create(&m, 2, 2, part, &err));
            CHECK_OK(cleave_evaluate(&metrics, g, m, &opt, &err));
            CHECK_EQ(metrics.balanced, !more);
            cleave_mapping_free(m);
            cleave_graph_free(g);
        }
        cleave_target_free(t);
        clv_ws_free(&ws);
    }
}

int main(void)
{
    RUN(test_speeds);
    RUN(test_no_weight);
    RUN(test_several_weights);
    RUN(test_given_bounds);
    RUN(test_huge_bounds);
    RUN(test_refused);
    RUN(test_many_parts);
    RUN(test_against_evaluate);
    clv_ws_free(&ws);
    return test_end();
}
