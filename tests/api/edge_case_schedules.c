/* SPDX-License-Identifier: Apache-2.0 */
/* Part of test_edge_cases_api.c: schedules. */
#include "api/edge_case_facts.h"

#include "oracle/schedule_oracle.h"
#include "support/test.h"

enum { room = EDGE_ROOM };

static cleave_error err;

/* Everything on one thread, in a layer of its own, in an order that the arcs allow. */
static cleave_schedule *plain_schedule(void)
{
    int32_t order[room], layer[room], thread[room];
    cleave_schedule *s = NULL;
    for (int32_t v = 0; v < edge_csr->nvtx; v++)
        order[v] = v;
    if (edge_csr->kind == CLEAVE_DAG)
        CHECK_OK(cleave_graph_topological_order(edge_graph, order, &err));
    for (int32_t p = 0; p < edge_csr->nvtx; p++) {
        layer[order[p]] = 3 * p;
        thread[order[p]] = 2;
    }
    CHECK_OK(cleave_schedule_create(&s, edge_csr->nvtx, layer, thread, &err));
    return s;
}

static void check_judged(const cleave_schedule *s)
{
    schedule_oracle o = oracle_schedule(s, edge_graph, NULL);
    cleave_schedule_metrics m;
    int64_t sum = 0;
    cleave_schedule_metrics_init(&m, sizeof m);
    CHECK_STR(o.fault, "");
    CHECK_OK(cleave_schedule_check(s, edge_graph, &err));
    REQUIRE_OK(cleave_evaluate_schedule(&m, edge_graph, s, NULL, &err));
    CHECK(m.cost == o.cost && m.work_max == o.work_max && m.crossing_edges == o.crossing);
    CHECK_EQ(m.threads_used, o.threads_used);
    int64_t blocks = (int64_t)m.layers * cleave_schedule_threads(s);
    int64_t *work = malloc(((size_t)blocks + 1) * sizeof *work);
    CHECK_OK(cleave_evaluate_schedule_work(edge_graph, s, work, &err));
    for (int64_t b = 0; b < blocks; b++)
        sum += work[b];
    CHECK_EQ(sum, m.work_total);
    free(work);
}

static void schedule_build(void)
{
    static const char *const methods[] = {"serial", "levels", "grow", "graphopt", "auto"};
    static const int32_t counts[] = {1, 2, 3, 100, 4096};
    bool can = edge_csr->kind == CLEAVE_DAG && edge_csr->ncon == 1;
    for (int i = 0; i < 5; i++)
        for (int c = 0; c < 5; c++)
            for (int split = 0; split < 2; split++) {
                cleave_schedule *s;
                cleave_schedule_options opt;
                cleave_schedule_options_init(&opt, sizeof opt);
                opt.method = methods[i];
                opt.threads = counts[c];
                opt.split_rows = split;
                cleave_status status = cleave_schedule_build(&s, edge_graph, &opt, &err);
                CHECK_EQ(status, can ? CLEAVE_OK : CLEAVE_EINVAL);
                CHECK((s != NULL) == can);
                if (s)
                    check_judged(s);
                cleave_schedule_free(s);
            }
}

static void schedule_create(void)
{
    cleave_schedule *s = plain_schedule();
    CHECK_EQ(cleave_schedule_tasks(s), edge_csr->nvtx);
    CHECK_EQ(cleave_schedule_layers(s), edge_csr->nvtx);
    CHECK_EQ(cleave_schedule_threads(s), edge_csr->nvtx > 0 ? 3 : 1);
    cleave_schedule_free(s);
}

static void schedule_check(void)
{
    cleave_schedule *s = plain_schedule();
    if (edge_csr->kind == CLEAVE_DAG)
        check_judged(s);
    else
        CHECK_EQ(cleave_schedule_check(s, edge_graph, &err), CLEAVE_EINVAL);
    cleave_schedule_free(s);
}

static void schedule_write(void)
{
    static const char *const names[] = {"edge.schedule", "edge.schedule.gz"};
    cleave_schedule *s = plain_schedule();
    size_t bytes = (size_t)edge_csr->nvtx * sizeof(int32_t);
    for (int i = 0; i < 2; i++) {
        char path[4200];
        cleave_schedule *again;
        snprintf(path, sizeof path, "%s/%s", test_scratch(), names[i]);
        CHECK_OK(cleave_schedule_write(s, path, &err));
        REQUIRE_OK(cleave_schedule_read(&again, path, &err));
        CHECK_EQ(cleave_schedule_tasks(again), edge_csr->nvtx);
        CHECK(memcmp(cleave_schedule_order(again), cleave_schedule_order(s), bytes) == 0);
        CHECK(memcmp(cleave_schedule_layer(again), cleave_schedule_layer(s), bytes) == 0);
        cleave_schedule_free(again);
        CHECK_EQ(remove(path), 0);
    }
    cleave_schedule_free(s);
}

static void schedule_costs(void)
{
    char path[4200];
    cleave_schedule_costs costs, again;
    cleave_schedule_costs_init(&costs, sizeof costs);
    cleave_schedule_costs_init(&again, sizeof again);
    costs.sync = edge_csr->nvtx;
    costs.read = 1e-300;
    snprintf(path, sizeof path, "%s/edge.costs", test_scratch());
    CHECK_OK(cleave_schedule_costs_write(&costs, path, &err));
    CHECK_OK(cleave_schedule_costs_read(&again, path, &err));
    CHECK(again.sync == costs.sync && again.read == costs.read);
    CHECK_EQ(remove(path), 0);
}

static void costs_measure(void)
{
    cleave_schedule_costs costs;
    cleave_schedule_costs_init(&costs, sizeof costs);
    if (edge_csr->nvtx != 1) /* the graph does not matter */
        return;
    CHECK_OK(cleave_schedule_costs_measure(&costs, NULL, 1, &err));
    CHECK(costs.sync > 0 && costs.read >= 0);
}

static void two_way_answer(void)
{
    int32_t part[1] = {7};
    int proved = -1;
    CHECK_OK(cleave_two_way_answer(part, 0, "PART = [];\n----------\n", &proved, &err));
    CHECK(part[0] == 7 && proved == 0);
    CHECK_OK(
        cleave_two_way_answer(part, 1, "PART = [2];\n----------\n==========\n", NULL, &err));
    CHECK_EQ(part[0], 2);
}

static void view_schedule(void)
{
    static const char *const ends[] = {"svg", "html", "json"};
    cleave_schedule *s = plain_schedule();
    for (int i = 0; i < 3; i++) {
        char path[4200];
        snprintf(path, sizeof path, "%s/edge.%s", test_scratch(), ends[i]);
        bool drawn = edge_csr->kind == CLEAVE_DAG;
        CHECK_EQ(cleave_view_schedule(path, edge_graph, s, NULL, NULL, &err),
                 drawn ? CLEAVE_OK : CLEAVE_EINVAL);
        CHECK_EQ(remove(path), drawn ? 0 : -1);
    }
    cleave_schedule_free(s);
}

const api_test edge_schedules[] = {
    {"cleave_view_schedule", view_schedule},
    {"cleave_schedule_build", schedule_build},
    {"cleave_schedule_create", schedule_create},
    {"cleave_schedule_check", schedule_check},
    {"cleave_evaluate_schedule", schedule_check},
    {"cleave_evaluate_schedule_work", schedule_check},
    {"cleave_schedule_write", schedule_write},
    {"cleave_schedule_read", schedule_write},
    {"cleave_schedule_costs_read", schedule_costs},
    {"cleave_schedule_costs_write", schedule_costs},
    {"cleave_schedule_costs_measure", costs_measure},
    {"cleave_two_way_answer", two_way_answer},
    {NULL, NULL},
};
