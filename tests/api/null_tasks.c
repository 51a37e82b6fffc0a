/* SPDX-License-Identifier: Apache-2.0 */
/* Part of test_null_api.c: schedules of task graphs. */
#include <math.h>

#include "api/null_call.h"

static cleave_error err;

/* A chain of 3 tasks, a grid of 2 x 2, 2 PEs, and a schedule of the chain. */
static cleave_graph *chain, *grid;
static cleave_target *pair;
static cleave_task_schedule *plan;

static void make(void)
{
    static const int64_t xadj[] = {0, 1, 2, 2};
    static const int32_t adj[] = {1, 2}, pe[3] = {0};
    static const double start[] = {0, 1, 2};
    cleave_csr csr;
    cleave_csr_init(&csr, sizeof csr);
    csr.kind = CLEAVE_DAG;
    csr.nvtx = 3;
    csr.xadj = xadj;
    csr.adj = adj;
    CHECK_OK(cleave_graph_create(&chain, &csr, 0, &err));
    CHECK_OK(cleave_graph_generate(&grid, "grid2d:2x2", NULL, &err));
    CHECK_OK(cleave_target_create(&pair, 2, NULL, &err));
    CHECK_OK(cleave_task_schedule_create(&plan, 3, pe, start, &err));
}

static void drop(void)
{
    cleave_graph_free(chain);
    cleave_graph_free(grid);
    cleave_target_free(pair);
    cleave_task_schedule_free(plan);
}

static void refuse_option(const cleave_task_options *opt, const char *message)
{
    cleave_task_schedule *s;
    REFUSED_OUT(cleave_task_schedule, s, cleave_task_schedule_build(&s, chain, pair, opt, e),
                message);
}

static void build(void)
{
    cleave_task_schedule *s;
    cleave_task_options opt, fine;
    cleave_task_options_init(&fine, sizeof fine);
    REFUSED(cleave_task_schedule_build(NULL, chain, pair, NULL, e), "out is NULL");
    REFUSED_OUT(cleave_task_schedule, s, cleave_task_schedule_build(&s, NULL, pair, NULL, e),
                "the graph is NULL");
    REFUSED_OUT(cleave_task_schedule, s, cleave_task_schedule_build(&s, chain, NULL, NULL, e),
                "the target is NULL");
    REFUSED_OUT(cleave_task_schedule, s, cleave_task_schedule_build(&s, grid, pair, NULL, e),
                "only a DAG can be scheduled, but the graph is undirected");
    opt = fine;
    opt.bandwidth = 0;
    refuse_option(&opt, "bandwidth is not a number above 0");
    opt.bandwidth = INFINITY;
    refuse_option(&opt, "bandwidth is not a number above 0");
    opt = fine;
    opt.latency = -1;
    refuse_option(&opt, "latency is not a number >= 0");
    opt = fine;
    opt.time_limit = NAN;
    refuse_option(&opt, "time_limit is not a number of seconds >= 0");
    opt = fine;
    opt.effort = (cleave_effort)9;
    refuse_option(&opt, "unknown effort 9");
    opt = fine;
    opt.method = "grow";
    refuse_option(
        &opt, "unknown method \"grow\" for task graphs; expected one of auto, heft, "
              "lookahead, cpop, peft, etf, dls, minmin, maxmin, sufferage, dsc, partition, "
              "serial");
    opt = fine;
    opt.size = 3;
    refuse_option(&opt, "cleave_task_options.size is 3; call its _init function first");
}

static void create(void)
{
    static const int32_t pe[] = {0, 1}, below[] = {0, -1};
    static const double start[] = {0, 1}, early[] = {0, -1};
    cleave_task_schedule *s;
    REFUSED(cleave_task_schedule_create(NULL, 2, pe, start, e), "out is NULL");
    REFUSED_OUT(cleave_task_schedule, s, cleave_task_schedule_create(&s, -1, pe, start, e),
                "a schedule cannot have -1 tasks");
    REFUSED_OUT(cleave_task_schedule, s, cleave_task_schedule_create(&s, 2, NULL, start, e),
                "pe is NULL");
    REFUSED_OUT(cleave_task_schedule, s, cleave_task_schedule_create(&s, 2, pe, NULL, e),
                "start is NULL");
    REFUSED_OUT(cleave_task_schedule, s, cleave_task_schedule_create(&s, 2, below, start, e),
                "task 1 has PE -1 and start 1, but both must be at least 0");
    REFUSED_OUT(cleave_task_schedule, s, cleave_task_schedule_create(&s, 2, pe, early, e),
                "task 1 has PE 1 and start -1, but both must be at least 0");
}

static void read_file(void)
{
    REFUSED_READ(cleave_task_schedule, cleave_task_schedule_read, e);
}

static void write_file(void)
{
    REFUSED_WRITE(cleave_task_schedule_write, plan, "the schedule");
}

static void evaluate(void)
{
    cleave_task_metrics m;
    cleave_task_metrics_init(&m, sizeof m);
    REFUSED(cleave_evaluate_task_schedule(NULL, chain, pair, plan, NULL, e),
            "m needs cleave_task_metrics_init first");
    REFUSED(cleave_evaluate_task_schedule(&m, NULL, pair, plan, NULL, e), "the graph is NULL");
    REFUSED(cleave_evaluate_task_schedule(&m, chain, NULL, plan, NULL, e),
            "the target is NULL");
    REFUSED(cleave_evaluate_task_schedule(&m, chain, pair, NULL, NULL, e),
            "the schedule is NULL");
    REFUSED(cleave_evaluate_task_schedule(&m, grid, pair, plan, NULL, e),
            "a schedule is of a DAG, but the graph is undirected");
    CHECK_OK(cleave_evaluate_task_schedule(&m, chain, pair, plan, NULL, &err));
    CHECK(m.makespan == 3 && m.serial == 3 && m.pes_used == 1 && m.sent == 0);
}

static const api_test functions[] = {
    {"cleave_task_schedule_build", build},       {"cleave_task_schedule_create", create},
    {"cleave_task_schedule_read", read_file},    {"cleave_task_schedule_write", write_file},
    {"cleave_evaluate_task_schedule", evaluate}, {NULL, NULL},
};

static void silent(void)
{
    cleave_task_options_init(NULL, sizeof(cleave_task_options));
    cleave_task_metrics_init(NULL, sizeof(cleave_task_metrics));
    cleave_task_schedule_free(NULL);
    CHECK_EQ(cleave_task_schedule_tasks(NULL), 0);
    CHECK_STR(cleave_task_schedule_method(NULL), "");
    CHECK(cleave_task_schedule_pe(NULL) == NULL && cleave_task_schedule_start(NULL) == NULL);
}

const null_group null_tasks = {
    .functions = functions, .make = make, .drop = drop, .silent = silent};
