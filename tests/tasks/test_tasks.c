/* SPDX-License-Identifier: Apache-2.0 */
/* Schedules of task graphs against tests/oracle/task_oracle.h: random DAGs on many targets,
 * optimal schedules of small ones, extreme weights. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/rng.h"
#include "oracle/task_oracle.h"
#include "support/test.h"

static cleave_error err;

static const char *const methods[] = {"heft",      "lookahead", "cpop",   "peft",
                                      "etf",       "dls",       "minmin", "maxmin",
                                      "sufferage", "dsc",       "serial", "partition"};
enum { nmethods = sizeof methods / sizeof methods[0], most_tasks = 128 };
static const char *const targets[] = {
    "1", "2", "4", "1,1,0,2,4", "mesh:3x2", "tree:2:2@1:8", "0.5,2,1", "hypercube:3"};
enum { ntargets = sizeof targets / sizeof targets[0] };

/* Arcs lead from smaller to larger numbers, each with this probability; weights 0 to most. */
static cleave_graph *random_dag(clv_rng *rng, int32_t n, double density, uint32_t most)
{
    static int32_t adj[most_tasks * most_tasks], ewgt[most_tasks * most_tasks];
    static int32_t vwgt[most_tasks];
    static int64_t xadj[most_tasks + 1];
    cleave_graph *g = NULL;
    cleave_csr csr;
    int64_t arcs = 0;
    for (int32_t u = 0; u < n; u++) {
        xadj[u] = arcs;
        vwgt[u] = (int32_t)clv_rng_below(rng, most + 1);
        for (int32_t v = u + 1; v < n; v++)
            if (clv_rng_unit(rng) < density) {
                adj[arcs] = v;
                ewgt[arcs++] = 1 + (int32_t)clv_rng_below(rng, most);
            }
    }
    xadj[n] = arcs;
    cleave_csr_init(&csr, sizeof csr);
    csr.kind = CLEAVE_DAG;
    csr.nvtx = n;
    csr.xadj = xadj;
    csr.adj = adj;
    csr.vwgt = vwgt;
    csr.ewgt = ewgt;
    CHECK_OK(cleave_graph_create(&g, &csr, 0, &err));
    return g;
}

static cleave_task_options options(const char *method, cleave_effort effort, double bandwidth,
                                   double latency)
{
    cleave_task_options opt;
    cleave_task_options_init(&opt, sizeof opt);
    opt.method = method;
    opt.effort = effort;
    opt.bandwidth = bandwidth;
    opt.latency = latency;
    return opt;
}

/* Builds a schedule, checks it and its metrics, and returns its makespan. */
static double checked_makespan(const cleave_graph *g, const cleave_target *t,
                               const cleave_task_options *opt)
{
    cleave_task_schedule *s = NULL;
    cleave_task_metrics m;
    cleave_task_metrics_init(&m, sizeof m);
    CHECK_OK(cleave_task_schedule_build(&s, g, t, opt, &err));
    CHECK_OK(cleave_evaluate_task_schedule(&m, g, t, s, opt, &err));
    CHECK(m.makespan == oracle_task_makespan(s, g, t, opt->bandwidth, opt->latency));
    CHECK(m.bound <= m.makespan && m.bound >= m.bound_path && m.bound >= m.bound_area);
    cleave_task_schedule_free(s);
    return m.makespan;
}

static void random_graphs(void)
{
    for (uint64_t i = 0; i < 48; i++) {
        clv_rng rng = clv_rng_make(7, 1, 0, i);
        int32_t n = (int32_t)clv_rng_below(&rng, i % 4 == 0 ? 100 : 24);
        cleave_graph *g = random_dag(&rng, n, i % 3 == 0 ? 0.05 : 0.2, i % 5 == 0 ? 1 : 40);
        double bandwidth = i % 2 == 0 ? 0.25 : 4, latency = i % 7 == 0 ? 3 : 0,
               least = INFINITY;
        cleave_target *t = NULL;
        REQUIRE_OK(cleave_target_parse(&t, targets[i % ntargets], &err));
        for (int k = 0; k < nmethods; k++) {
            cleave_task_options opt =
                options(methods[k], CLEAVE_EFFORT_DEFAULT, bandwidth, latency);
            least = fmin(least, checked_makespan(g, t, &opt));
        }
        cleave_task_options opt = options("auto", CLEAVE_EFFORT_FAST, bandwidth, latency);
        double fast = checked_makespan(g, t, &opt);
        opt.effort = CLEAVE_EFFORT_DEFAULT;
        double usual = checked_makespan(g, t, &opt);
        CHECK(usual <= least && usual <= fast);
        if (i % 8 == 0) {
            opt.effort = CLEAVE_EFFORT_QUALITY;
            CHECK(checked_makespan(g, t, &opt) <= usual);
        }
        cleave_target_free(t);
        cleave_graph_free(g);
    }
}

/* Nearly all small instances are solved; no schedule and no bound contradicts the optimum. */
static void optimal_schedules(void)
{
    static const char *const small[] = {"2", "1,2", "3", "1,0,4"};
    int solved = 0, count = 0;
    for (uint64_t i = 0; i < 40; i++) {
        clv_rng rng = clv_rng_make(7, 2, 0, i);
        cleave_graph *g = random_dag(&rng, 2 + (int32_t)clv_rng_below(&rng, 6), 0.3, 16);
        cleave_target *t = NULL;
        cleave_task_schedule *s = NULL;
        cleave_task_metrics m;
        cleave_task_options opt = options(NULL, CLEAVE_EFFORT_DEFAULT, i % 2 ? 0.5 : 2, 0);
        cleave_task_metrics_init(&m, sizeof m);
        REQUIRE_OK(cleave_target_parse(&t, small[i % 4], &err));
        REQUIRE_OK(cleave_task_schedule_build(&s, g, t, &opt, &err));
        CHECK_OK(cleave_evaluate_task_schedule(&m, g, t, s, &opt, &err));
        double best = oracle_task_best(g, t, opt.bandwidth, opt.latency);
        CHECK(m.bound <= best && best <= m.makespan);
        solved += m.makespan == best;
        count++;
        cleave_task_schedule_free(s);
        cleave_target_free(t);
        cleave_graph_free(g);
    }
    CHECK(solved >= count - 1);
}

/* Two sources feed a sink: only with cheap data is the second PE worth it. */
static void by_hand(void)
{
    static const int64_t xadj[] = {0, 1, 2, 2};
    static const int32_t adj[] = {2, 2}, vwgt[] = {4, 4, 2}, ewgt[] = {8, 8};
    static const struct {
        double bandwidth, best;
    } cases[] = {{8, 7}, {2, 10}, {0.5, 10}};
    cleave_graph *g = NULL;
    cleave_target *t = NULL;
    cleave_csr csr;
    cleave_csr_init(&csr, sizeof csr);
    csr.kind = CLEAVE_DAG;
    csr.nvtx = 3;
    csr.xadj = xadj;
    csr.adj = adj;
    csr.vwgt = vwgt;
    csr.ewgt = ewgt;
    REQUIRE_OK(cleave_graph_create(&g, &csr, 0, &err));
    REQUIRE_OK(cleave_target_create(&t, 2, NULL, &err));
    for (int i = 0; i < 3; i++) {
        cleave_task_options opt = options(NULL, CLEAVE_EFFORT_FAST, cases[i].bandwidth, 0);
        CHECK(checked_makespan(g, t, &opt) == cases[i].best);
    }
    cleave_target_free(t);
    cleave_graph_free(g);
}

/* Weights near the limit of a graph: no overflow, and serial is never beaten by auto's loss.
 */
static void huge_weights(void)
{
    static const int64_t xadj[] = {0, 2, 3, 4, 4};
    static const int32_t adj[] = {1, 2, 3, 3};
    static const int32_t w[] = {INT32_MAX, INT32_MAX, INT32_MAX, INT32_MAX};
    static const double bandwidths[] = {1, 1e-200, 1e200};
    cleave_graph *g = NULL;
    cleave_target *t = NULL;
    cleave_task_schedule *s = NULL;
    cleave_csr csr;
    cleave_csr_init(&csr, sizeof csr);
    csr.kind = CLEAVE_DAG;
    csr.nvtx = 4;
    csr.xadj = xadj;
    csr.adj = adj;
    csr.vwgt = csr.ewgt = w;
    REQUIRE_OK(cleave_graph_create(&g, &csr, 0, &err));
    REQUIRE_OK(cleave_target_create(&t, 3, NULL, &err));
    for (int i = 0; i < 3; i++) {
        cleave_task_options opt = options(NULL, CLEAVE_EFFORT_DEFAULT, bandwidths[i], 0);
        CHECK(checked_makespan(g, t, &opt) <= 4.0 * INT32_MAX);
    }
    cleave_task_options opt = options(NULL, CLEAVE_EFFORT_DEFAULT, 1e-300, 0);
    CHECK_EQ(cleave_task_schedule_build(&s, g, t, &opt, &err), CLEAVE_ERANGE);
    CHECK(s == NULL);
    cleave_target_free(t);
    cleave_graph_free(g);
}

/* Every violation of the model is found. */
static void faults(void)
{
    static const struct {
        int32_t pe[3];
        double start[3];
        const char *message;
    } cases[] = {
        {{0, 0, 0}, {0, 1, 2}, ""},
        {{0, 1, 0}, {0, 2, 4}, ""},
        {{0, 3, 0}, {0, 2, 4}, "task 1 is on PE 3, but the target has 3 PEs"},
        {{0, 2, 0}, {0, 2, 4}, "task 1 is on PE 2, whose speed is 0"},
        {{0, 1, 0},
         {0, 1.5, 4},
         "task 1 starts at 1.5, before the data of task 0 are there at 2"},
        {{0, 0, 1},
         {0, 0.5, 4},
         "task 1 starts at 0.5, before the data of task 0 are there at 1"},
    };
    cleave_graph *g = NULL;
    cleave_target *t = NULL;
    cleave_task_metrics m;
    cleave_task_metrics_init(&m, sizeof m);
    static const int64_t xadj[] = {0, 1, 2, 2};
    static const int32_t adj[] = {1, 2};
    cleave_csr csr;
    cleave_csr_init(&csr, sizeof csr);
    csr.kind = CLEAVE_DAG;
    csr.nvtx = 3;
    csr.xadj = xadj;
    csr.adj = adj;
    REQUIRE_OK(cleave_graph_create(&g, &csr, 0, &err));
    REQUIRE_OK(cleave_target_parse(&t, "1,1,0", &err));
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        cleave_task_schedule *s = NULL;
        bool valid = !*cases[i].message;
        REQUIRE_OK(cleave_task_schedule_create(&s, 3, cases[i].pe, cases[i].start, &err));
        CHECK_EQ(cleave_evaluate_task_schedule(&m, g, t, s, NULL, &err),
                 valid ? CLEAVE_OK : CLEAVE_EINVAL);
        if (!valid)
            CHECK_STR(err.message, cases[i].message);
        CHECK((oracle_task_makespan(s, g, t, 1, 0) >= 0) == valid);
        cleave_task_schedule_free(s);
    }
    cleave_target_free(t);
    cleave_graph_free(g);
}

static void overlaps(void)
{
    static const int32_t pe[] = {0, 0};
    static const double start[] = {0, 0.5};
    static const int64_t xadj[] = {0, 0, 0};
    cleave_graph *g = NULL;
    cleave_target *t = NULL;
    cleave_task_schedule *s = NULL;
    cleave_task_metrics m;
    cleave_csr csr;
    cleave_csr_init(&csr, sizeof csr);
    csr.kind = CLEAVE_DAG;
    csr.nvtx = 2;
    csr.xadj = xadj;
    cleave_task_metrics_init(&m, sizeof m);
    REQUIRE_OK(cleave_graph_create(&g, &csr, 0, &err));
    REQUIRE_OK(cleave_target_create(&t, 1, NULL, &err));
    REQUIRE_OK(cleave_task_schedule_create(&s, 2, pe, start, &err));
    CHECK_EQ(cleave_evaluate_task_schedule(&m, g, t, s, NULL, &err), CLEAVE_EINVAL);
    CHECK_STR(err.message,
              "tasks 0 and 1 overlap on PE 0: one ends at 1, the other starts at 0.5");
    cleave_task_schedule_free(s);
    cleave_target_free(t);
    cleave_graph_free(g);
}

/* The same seed gives the same schedule. */
static void determinism(void)
{
    clv_rng rng = clv_rng_make(7, 3, 0, 0);
    cleave_graph *g = random_dag(&rng, 60, 0.08, 30);
    cleave_target *t = NULL;
    cleave_task_schedule *s[2] = {NULL, NULL};
    cleave_task_options opt = options(NULL, CLEAVE_EFFORT_DEFAULT, 0.5, 1);
    REQUIRE_OK(cleave_target_parse(&t, "mesh:2x2", &err));
    for (int i = 0; i < 2; i++)
        REQUIRE_OK(cleave_task_schedule_build(&s[i], g, t, &opt, &err));
    CHECK(memcmp(cleave_task_schedule_pe(s[0]), cleave_task_schedule_pe(s[1]),
                 60 * sizeof(int32_t)) == 0);
    CHECK(memcmp(cleave_task_schedule_start(s[0]), cleave_task_schedule_start(s[1]),
                 60 * sizeof(double)) == 0);
    for (int i = 0; i < 2; i++)
        cleave_task_schedule_free(s[i]);
    cleave_target_free(t);
    cleave_graph_free(g);
}

int main(void)
{
    RUN(random_graphs);
    RUN(optimal_schedules);
    RUN(by_hand);
    RUN(huge_weights);
    RUN(faults);
    RUN(overlaps);
    RUN(determinism);
    return test_end();
}
