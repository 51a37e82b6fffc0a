/* SPDX-License-Identifier: Apache-2.0 */
/* Part of test_edge_cases_api.c: schedules of task graphs. */
#include "api/edge_case_facts.h"

#include "oracle/task_oracle.h"
#include "support/test.h"

static cleave_error err;

static bool can_be_scheduled(void)
{
    return edge_csr->kind == CLEAVE_DAG && edge_csr->ncon == 1;
}

static void build_on(const char *machine, const char *method)
{
    cleave_target *t = NULL;
    cleave_task_schedule *s = NULL;
    cleave_task_metrics m;
    cleave_task_options opt;
    cleave_task_options_init(&opt, sizeof opt);
    cleave_task_metrics_init(&m, sizeof m);
    opt.method = method;
    opt.effort = CLEAVE_EFFORT_FAST;
    opt.bandwidth = 0.5;
    REQUIRE_OK(cleave_target_parse(&t, machine, &err));
    CHECK_EQ(cleave_task_schedule_build(&s, edge_graph, t, &opt, &err),
             can_be_scheduled() ? CLEAVE_OK : CLEAVE_EINVAL);
    if (s) {
        CHECK_OK(cleave_evaluate_task_schedule(&m, edge_graph, t, s, &opt, &err));
        CHECK(m.makespan == oracle_task_makespan(s, edge_graph, t, 0.5, 0));
        CHECK(m.bound <= m.makespan);
    }
    cleave_task_schedule_free(s);
    cleave_target_free(t);
}

static void task_schedule_build(void)
{
    static const char *const methods[] = {"auto", "heft", "lookahead", "cpop",   "peft",
                                          "etf",  "dls",  "dsc",       "minmin", "maxmin"};
    static const char *const machines[] = {"1", "3", "0,1,2", "mesh:2x2", "100"};
    for (int i = 0; i < 10; i++)
        for (int k = 0; k < 5; k++)
            build_on(machines[k], methods[i]);
}

/* All tasks one after another, written and read again. */
static void task_schedule_files(void)
{
    int32_t pe[EDGE_ROOM];
    double start[EDGE_ROOM];
    char path[4200];
    cleave_task_schedule *s = NULL, *again = NULL;
    for (int32_t v = 0; v < edge_csr->nvtx; v++) {
        pe[v] = v;
        start[v] = v / 3.0;
    }
    snprintf(path, sizeof path, "%s/edge.tasks", test_scratch());
    REQUIRE_OK(cleave_task_schedule_create(&s, edge_csr->nvtx, pe, start, &err));
    CHECK_OK(cleave_task_schedule_write(s, path, &err));
    REQUIRE_OK(cleave_task_schedule_read(&again, path, &err));
    CHECK_EQ(cleave_task_schedule_tasks(again), edge_csr->nvtx);
    for (int32_t v = 0; v < edge_csr->nvtx; v++)
        CHECK(cleave_task_schedule_pe(again)[v] == v &&
              cleave_task_schedule_start(again)[v] == start[v]);
    CHECK_EQ(remove(path), 0);
    cleave_task_schedule_free(s);
    cleave_task_schedule_free(again);
}

const api_test edge_tasks[] = {
    {"cleave_task_schedule_build", task_schedule_build},
    {"cleave_evaluate_task_schedule", task_schedule_build},
    {"cleave_task_schedule_create", task_schedule_files},
    {"cleave_task_schedule_write", task_schedule_files},
    {"cleave_task_schedule_read", task_schedule_files},
    {NULL, NULL},
};
