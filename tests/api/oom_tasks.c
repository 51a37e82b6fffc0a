/* SPDX-License-Identifier: Apache-2.0 */
/* Part of test_oom_api.c: schedules of task graphs. */
#include "api/oom_call.h"

static cleave_error err;

/* Made by each call before anything fails. */
static struct {
    cleave_graph *g;
    cleave_target *t;
    cleave_task_schedule *s;
} x;

static void set_options(cleave_task_options *opt, const char *detail)
{
    static char name[16];
    cleave_task_options_init(opt, sizeof *opt);
    snprintf(name, sizeof name, "%.*s", (int)strcspn(detail, " "), detail);
    opt->method = name;
    opt->effort = CLEAVE_EFFORT_FAST;
    opt->bandwidth = 0.5;
}

static void make(const char *detail)
{
    static const int64_t xadj[] = {0, 3, 5, 7, 8, 9, 10, 10};
    static const int32_t adj[] = {1, 2, 3, 4, 5, 4, 5, 6, 6, 6};
    static const int32_t vwgt[] = {3, 5, 2, 7, 4, 1, 6};
    cleave_task_options opt;
    cleave_csr csr;
    memset(&x, 0, sizeof x);
    cleave_csr_init(&csr, sizeof csr);
    csr.kind = CLEAVE_DAG;
    csr.nvtx = 7;
    csr.xadj = xadj;
    csr.adj = adj;
    csr.vwgt = vwgt;
    CHECK_OK(cleave_graph_create(&x.g, &csr, 0, &err));
    CHECK_OK(cleave_target_parse(&x.t, strstr(detail, "mesh") ? "mesh:2x2" : "1,1,2", &err));
    set_options(&opt, "heft");
    CHECK_OK(cleave_task_schedule_build(&x.s, x.g, x.t, &opt, &err));
}

static void drop(void)
{
    cleave_graph_free(x.g);
    cleave_target_free(x.t);
    cleave_task_schedule_free(x.s);
}

/* A schedule or none; freed. */
static cleave_status schedule_result(cleave_status status, cleave_task_schedule *s,
                                     uint64_t *result)
{
    CHECK((s != NULL) == (status == CLEAVE_OK));
    size_t n = (size_t)cleave_task_schedule_tasks(s);
    if (s)
        *result = bytes_digest(cleave_task_schedule_pe(s), n * sizeof(int32_t)) ^
                  bytes_digest(cleave_task_schedule_start(s), n * sizeof(double)) * 3;
    cleave_task_schedule_free(s);
    return status;
}

static cleave_status call_build(const char *detail, uint64_t *result, cleave_error *e)
{
    cleave_task_schedule *s = x.s;
    cleave_task_options opt;
    set_options(&opt, detail);
    cleave_status status = UNDER_TEST(cleave_task_schedule_build(&s, x.g, x.t, &opt, e));
    return schedule_result(status, s, result);
}

static cleave_status call_create(const char *detail, uint64_t *result, cleave_error *e)
{
    cleave_task_schedule *s = x.s;
    (void)detail;
    cleave_status status = UNDER_TEST(cleave_task_schedule_create(
        &s, 7, cleave_task_schedule_pe(x.s), cleave_task_schedule_start(x.s), e));
    return schedule_result(status, s, result);
}

static cleave_status call_read(const char *detail, uint64_t *result, cleave_error *e)
{
    cleave_task_schedule *s = x.s;
    CHECK_OK(cleave_task_schedule_write(x.s, oom_scratch(detail), &err));
    cleave_status status = UNDER_TEST(cleave_task_schedule_read(&s, oom_scratch(detail), e));
    remove(oom_scratch(detail));
    return schedule_result(status, s, result);
}

static cleave_status call_write(const char *detail, uint64_t *result, cleave_error *e)
{
    cleave_status status = UNDER_TEST(cleave_task_schedule_write(x.s, oom_scratch(detail), e));
    return oom_file_result(status, oom_scratch(detail), result);
}

static cleave_status call_evaluate(const char *detail, uint64_t *result, cleave_error *e)
{
    cleave_task_metrics m;
    cleave_task_options opt;
    set_options(&opt, "heft");
    (void)detail;
    cleave_task_metrics_init(&m, sizeof m);
    cleave_status status =
        UNDER_TEST(cleave_evaluate_task_schedule(&m, x.g, x.t, x.s, &opt, e));
    CHECK((m.makespan > 0) == (status == CLEAVE_OK));
    *result = (uint64_t)m.makespan;
    return status;
}

static const oom_entry entries[] = {
    {"cleave_task_schedule_build", call_build,
     "auto|auto mesh|heft|lookahead|cpop|peft|etf|dls|minmin|maxmin|sufferage|dsc|serial"},
    {"cleave_task_schedule_create", call_create, ""},
    {"cleave_task_schedule_read", call_read, "t|t.gz"},
    {"cleave_task_schedule_write", call_write, "t|t.gz"},
    {"cleave_evaluate_task_schedule", call_evaluate, "|mesh"},
    {NULL, NULL, NULL},
};

const oom_group oom_tasks = {.entries = entries, .make = make, .drop = drop};
