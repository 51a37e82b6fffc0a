/* SPDX-License-Identifier: Apache-2.0 */
/* Part of test_null_api.c: schedules. */
#include <math.h>

#include "api/null_call.h"

static cleave_error err;

/* A chain of 4 vertices, a grid of 2 x 2, and a schedule of the chain. */
static cleave_graph *chain, *grid;
static cleave_schedule *plan;

static void make(void)
{
    static const int64_t xadj[] = {0, 1, 2, 3, 3};
    static const int32_t adj[] = {1, 2, 3}, layer[] = {0, 0, 1, 1}, thread[] = {0, 0, 1, 1};
    cleave_csr csr;
    cleave_csr_init(&csr, sizeof csr);
    csr.kind = CLEAVE_DAG;
    csr.nvtx = 4;
    csr.xadj = xadj;
    csr.adj = adj;
    CHECK_OK(cleave_graph_create(&chain, &csr, 0, &err));
    CHECK_OK(cleave_graph_generate(&grid, "grid2d:2x2", NULL, &err));
    CHECK_OK(cleave_schedule_create(&plan, 4, layer, thread, &err));
}

static void drop(void)
{
    cleave_graph_free(chain);
    cleave_graph_free(grid);
    cleave_schedule_free(plan);
}

/* ---- Costs ---------------------------------------------------------------------------- */

static void costs_read(void)
{
    cleave_schedule_costs costs;
    cleave_schedule_costs_init(&costs, sizeof costs);
    REFUSED(cleave_schedule_costs_read(NULL, "x", e),
            "costs needs cleave_schedule_costs_init first");
    REFUSED(cleave_schedule_costs_read(&costs, NULL, e), "path is NULL");
    costs.size = 0;
    REFUSED(cleave_schedule_costs_read(&costs, "x", e),
            "costs needs cleave_schedule_costs_init first");
}

static void costs_write(void)
{
    static const double bad[] = {-1, INFINITY, NAN};
    cleave_schedule_costs costs;
    cleave_schedule_costs_init(&costs, sizeof costs);
    CHECK(costs.sync == 500 && costs.read == 0);
    REFUSED(cleave_schedule_costs_write(&costs, NULL, e), "path is NULL");
    for (int i = 0; i < 3; i++) {
        costs.sync = bad[i];
        REFUSED(cleave_schedule_costs_write(&costs, "x", e),
                "the cost of a synchronisation is not a number >= 0");
        costs.sync = 1;
        costs.read = bad[i];
        REFUSED(cleave_schedule_costs_write(&costs, "x", e),
                "the cost of a read is not a number >= 0");
        costs.read = 0;
    }
    costs.size = 3;
    REFUSED(cleave_schedule_costs_write(&costs, "x", e),
            "cleave_schedule_costs.size is 3; call its _init function first");
}

static void costs_measure(void)
{
    cleave_schedule_costs costs;
    cleave_schedule_costs_init(&costs, sizeof costs);
    REFUSED(cleave_schedule_costs_measure(NULL, NULL, 1, e),
            "costs needs cleave_schedule_costs_init first");
    REFUSED(cleave_schedule_costs_measure(&costs, NULL, -1, e), "threads is -1");
    REFUSED(cleave_schedule_costs_measure(&costs, NULL, 5000, e),
            "5000 threads requested; 0 to 4096 are possible");
    CHECK_OK(cleave_schedule_costs_measure(&costs, NULL, 1, &err));
}

/* ---- Making --------------------------------------------------------------------------- */

static void two_way_answer(void)
{
    int32_t part[2];
    REFUSED(cleave_two_way_answer(NULL, 2, "x", NULL, e), "part is NULL");
    REFUSED(cleave_two_way_answer(part, 2, NULL, NULL, e), "text is NULL");
    REFUSED(cleave_two_way_answer(part, -2, "x", NULL, e), "count is -2");
}

#define BUILD_REFUSED(g, text)                                                                \
    do {                                                                                      \
        REFUSED_OUT(cleave_schedule, s, cleave_schedule_build(&s, g, &opt, e), text);         \
        cleave_schedule_options_init(&opt, sizeof opt);                                       \
    } while (0)

static void refuse_graphs(void)
{
    cleave_schedule *s;
    cleave_schedule_options opt;
    cleave_csr csr = make_grid(CLEAVE_DAG, 2);
    cleave_graph *several = NULL;
    cleave_schedule_options_init(&opt, sizeof opt);
    CHECK_OK(cleave_graph_create(&several, &csr, 0, &err));
    BUILD_REFUSED(NULL, "the graph is NULL");
    BUILD_REFUSED(grid, "only a DAG can be scheduled, but the graph is undirected");
    BUILD_REFUSED(several, "a schedule is for graphs with one weight per vertex, but this one "
                           "has 2");
    cleave_graph_free(several);
    csr_free(&csr);
}

static void schedule_build(void)
{
    cleave_schedule *s;
    cleave_schedule_options opt;
    cleave_schedule_costs costs;
    refuse_graphs();
    cleave_schedule_options_init(&opt, sizeof opt);
    cleave_schedule_costs_init(&costs, sizeof costs);
    REFUSED(cleave_schedule_build(NULL, chain, NULL, e), "out is NULL");
    opt.method = "magic";
    BUILD_REFUSED(chain, "unknown method \"magic\" for schedules; expected one of auto, "
                         "graphopt, grow, levels, serial");
    opt.params = "alpha=4";
    BUILD_REFUSED(chain, "method auto has no params, but they are \"alpha=4\"");
    opt.threads = 0;
    BUILD_REFUSED(chain, "a schedule for 0 threads is not possible, only for 1 to 4096");
    opt.threads = 4097;
    BUILD_REFUSED(chain, "a schedule for 4097 threads is not possible, only for 1 to 4096");
    opt.workers = -1;
    BUILD_REFUSED(chain, "workers is -1");
    opt.time_limit = NAN;
    BUILD_REFUSED(chain, "time_limit is not a number of seconds >= 0");
    costs.sync = -1;
    opt.costs = &costs;
    BUILD_REFUSED(chain, "the cost of a synchronisation is not a number >= 0");
    opt.size = 1;
    BUILD_REFUSED(chain, "cleave_schedule_options.size is 1; call its _init function first");
    opt.method = "graphopt";
    opt.params = "beta=4";
    s = POISON(cleave_schedule);
    CHECK_EQ(cleave_schedule_build(&s, chain, &opt, &err), CLEAVE_EINVAL);
    CHECK(s == NULL && strstr(err.message, "beta"));
}

static void schedule_create(void)
{
    static const int32_t fine[] = {0, 1}, below[] = {0, -1}, far[] = {0, 4096};
    cleave_schedule *s;
    REFUSED(cleave_schedule_create(NULL, 2, fine, fine, e), "out is NULL");
    REFUSED_OUT(cleave_schedule, s, cleave_schedule_create(&s, -1, fine, fine, e),
                "a schedule cannot have -1 vertices");
    REFUSED_OUT(cleave_schedule, s, cleave_schedule_create(&s, 2, NULL, fine, e),
                "layer is NULL");
    REFUSED_OUT(cleave_schedule, s, cleave_schedule_create(&s, 2, fine, NULL, e),
                "thread is NULL");
    REFUSED_OUT(cleave_schedule, s, cleave_schedule_create(&s, 2, below, fine, e),
                "vertex 1 is in layer -1, below 0");
    REFUSED_OUT(cleave_schedule, s, cleave_schedule_create(&s, 2, fine, below, e),
                "vertex 1 is on thread -1, but threads run from 0 to 0");
    REFUSED_OUT(cleave_schedule, s, cleave_schedule_create(&s, 2, fine, far, e),
                "vertex 1 is on thread 4096, but threads run from 0 to 4095");
}

/* ---- Files and judgement -------------------------------------------------------------- */

static void schedule_read(void)
{
    REFUSED_READ(cleave_schedule, cleave_schedule_read, e);
}

static void schedule_write(void)
{
    REFUSED_WRITE(cleave_schedule_write, plan, "the schedule");
}

static void schedule_check(void)
{
    static const int32_t zero[4] = {0}, turned[] = {1, 0, 0, 0};
    cleave_schedule *shorter = NULL, *backward = NULL;
    CHECK_OK(cleave_schedule_create(&shorter, 3, zero, zero, &err));
    CHECK_OK(cleave_schedule_create(&backward, 4, turned, zero, &err));
    REFUSED(cleave_schedule_check(NULL, chain, e), "the schedule is NULL");
    REFUSED(cleave_schedule_check(plan, NULL, e), "the graph is NULL");
    REFUSED(cleave_schedule_check(plan, grid, e),
            "a schedule is of a DAG, but the graph is undirected");
    REFUSED(cleave_schedule_check(shorter, chain, e),
            "the schedule has 3 vertices, but the graph has 4");
    REFUSED(cleave_schedule_check(backward, chain, e),
            "the arc from vertex 0 to vertex 1 leads from layer 1 back to layer 0");
    CHECK_OK(cleave_schedule_check(plan, chain, &err));
    cleave_schedule_free(shorter);
    cleave_schedule_free(backward);
}

static void evaluate_schedule(void)
{
    cleave_schedule_metrics m;
    cleave_schedule_costs costs;
    cleave_schedule_metrics_init(&m, sizeof m);
    cleave_schedule_costs_init(&costs, sizeof costs);
    REFUSED(cleave_evaluate_schedule(NULL, chain, plan, NULL, e),
            "m needs cleave_schedule_metrics_init first");
    REFUSED(cleave_evaluate_schedule(&m, NULL, plan, NULL, e), "the graph is NULL");
    REFUSED(cleave_evaluate_schedule(&m, chain, NULL, NULL, e), "the schedule is NULL");
    REFUSED(cleave_evaluate_schedule(&m, grid, plan, NULL, e),
            "a schedule is of a DAG, but the graph is undirected");
    costs.read = -0.5;
    REFUSED(cleave_evaluate_schedule(&m, chain, plan, &costs, e),
            "the cost of a read is not a number >= 0");
    m.size = 0;
    REFUSED(cleave_evaluate_schedule(&m, chain, plan, NULL, e),
            "m needs cleave_schedule_metrics_init first");
}

static void evaluate_schedule_work(void)
{
    int64_t work[4];
    REFUSED(cleave_evaluate_schedule_work(NULL, plan, work, e), "the graph is NULL");
    REFUSED(cleave_evaluate_schedule_work(chain, NULL, work, e), "the schedule is NULL");
    REFUSED(cleave_evaluate_schedule_work(chain, plan, NULL, e), "work is NULL");
    REFUSED(cleave_evaluate_schedule_work(grid, plan, work, e),
            "a schedule is of a DAG, but the graph is undirected");
}

static const api_test functions[] = {
    {"cleave_schedule_costs_read", costs_read},
    {"cleave_schedule_costs_write", costs_write},
    {"cleave_schedule_costs_measure", costs_measure},
    {"cleave_two_way_answer", two_way_answer},
    {"cleave_schedule_build", schedule_build},
    {"cleave_schedule_create", schedule_create},
    {"cleave_schedule_read", schedule_read},
    {"cleave_schedule_write", schedule_write},
    {"cleave_schedule_check", schedule_check},
    {"cleave_evaluate_schedule", evaluate_schedule},
    {"cleave_evaluate_schedule_work", evaluate_schedule_work},
    {NULL, NULL},
};

static void silent(void)
{
    cleave_schedule_costs_init(NULL, sizeof(cleave_schedule_costs));
    cleave_schedule_options_init(NULL, sizeof(cleave_schedule_options));
    cleave_schedule_metrics_init(NULL, sizeof(cleave_schedule_metrics));
    cleave_schedule_free(NULL);
    CHECK_EQ(cleave_schedule_tasks(NULL), 0);
    CHECK_EQ(cleave_schedule_rows(NULL), 0);
    CHECK_EQ(cleave_schedule_layers(NULL), 0);
    CHECK_EQ(cleave_schedule_threads(NULL), 0);
    CHECK_STR(cleave_schedule_method(NULL), "");
    CHECK(cleave_schedule_layer(NULL) == NULL && cleave_schedule_thread(NULL) == NULL);
    CHECK(cleave_schedule_order(NULL) == NULL && cleave_schedule_blocks(NULL) == NULL);
    CHECK(cleave_schedule_row(NULL) == NULL && cleave_schedule_share(NULL) == NULL);
    CHECK(cleave_schedule_graph(NULL) == NULL);
}

const null_group null_schedule = {
    .functions = functions, .make = make, .drop = drop, .silent = silent};
