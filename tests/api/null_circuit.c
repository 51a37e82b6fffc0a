/* SPDX-License-Identifier: Apache-2.0 */
/* Part of test_null_api.c: circuits. */
#include "api/null_call.h"

static cleave_error err;
static cleave_circuit *circuit, *none, *certain;
static cleave_circuit_plan *plan;
static const int8_t known[] = {0, 1}, wrong[] = {0, 2};
static int8_t assignment[2];
static double result[1];

static void make(void)
{
    static const char text[] = "psdd 3\nL 0 0 1\nL 1 1 -2\nD 2 2 1 0 1 0\n";
    CHECK_OK(cleave_circuit_read(&circuit, test_file("null.psdd", text), &err));
    CHECK_OK(cleave_circuit_read(&none, test_file("none.psdd", "psdd 0\n"), &err));
    CHECK_OK(cleave_circuit_read(&certain, test_file("certain.psdd", "psdd 1\nT 5 0 1 0.25\n"),
                                 &err));
    CHECK_OK(cleave_circuit_plan_create(&plan, circuit, NULL, &err));
}

static void drop(void)
{
    cleave_circuit_plan_free(plan);
    cleave_circuit_free(circuit);
    cleave_circuit_free(none);
    cleave_circuit_free(certain);
}

static void circuit_read(void)
{
    REFUSED_READ(cleave_circuit, cleave_circuit_read, e);
}

static void circuit_graph(void)
{
    cleave_graph *g;
    REFUSED(cleave_circuit_graph(NULL, circuit, e), "out is NULL");
    REFUSED_OUT(cleave_graph, g, cleave_circuit_graph(&g, NULL, e), "the circuit is NULL");
}

static void evidence_read(void)
{
    cleave_evidence *x;
    REFUSED_READ(cleave_evidence, cleave_evidence_read, 1, e);
    REFUSED_OUT(cleave_evidence, x, cleave_evidence_read(&x, "x", 0, e),
                "evidence cannot be of 0 variables");
}

static void results_write(void)
{
    REFUSED(cleave_results_write(NULL, 1, result, e), "path is NULL");
    REFUSED(cleave_results_write("x", -1, result, e), "count is -1");
    REFUSED(cleave_results_write("x", 1, NULL, e), "result is NULL");
}

static void plan_create(void)
{
    cleave_circuit_plan *p;
    cleave_run_options opt;
    cleave_run_options_init(&opt, sizeof opt);
    REFUSED(cleave_circuit_plan_create(NULL, circuit, NULL, e), "out is NULL");
    REFUSED_OUT(cleave_circuit_plan, p, cleave_circuit_plan_create(&p, NULL, NULL, e),
                "the circuit is NULL");
    REFUSED_OUT(cleave_circuit_plan, p, cleave_circuit_plan_create(&p, none, NULL, e),
                "the circuit has no nodes");
    REFUSED_OUT(cleave_circuit_plan, p, cleave_circuit_plan_create(&p, certain, NULL, e),
                "node 5 gives its variable a probability above 1");
    opt.sync = "never";
    REFUSED_OUT(cleave_circuit_plan, p, cleave_circuit_plan_create(&p, circuit, &opt, e),
                "sync is \"never\"; expected one of auto, barrier, p2p, stale");
    opt.sync = NULL;
    opt.params = "alpha=4";
    REFUSED_OUT(cleave_circuit_plan, p, cleave_circuit_plan_create(&p, circuit, &opt, e),
                "method auto has no params, but they are \"alpha=4\"");
    opt.params = NULL;
    opt.method = "magic";
    REFUSED_OUT(cleave_circuit_plan, p, cleave_circuit_plan_create(&p, circuit, &opt, e),
                "unknown method \"magic\" for schedules; expected one of auto, "
                "graphopt, grow, levels, serial");
    opt.method = NULL;
    opt.threads = -1;
    REFUSED_OUT(cleave_circuit_plan, p, cleave_circuit_plan_create(&p, circuit, &opt, e),
                "-1 threads requested; 0 to 4096 are possible");
}

static void circuit_evaluate(void)
{
    cleave_circuit_options opt;
    cleave_circuit_options_init(&opt, sizeof opt);
    REFUSED(cleave_circuit_evaluate(NULL, &opt, 1, known, result, e), "the plan is NULL");
    REFUSED(cleave_circuit_evaluate(plan, &opt, -1, known, result, e), "nbatch is -1");
    REFUSED(cleave_circuit_evaluate(plan, &opt, 1, NULL, result, e), "evidence is NULL");
    REFUSED(cleave_circuit_evaluate(plan, &opt, 1, known, NULL, e), "result is NULL");
    REFUSED(cleave_circuit_evaluate(plan, &opt, 1, wrong, result, e),
            "evidence of variable 2 in instance 0 is 2; expected one of -1, 0, 1");
    CHECK_OK(cleave_circuit_evaluate(plan, NULL, 0, NULL, NULL, &err));
    opt.space = "outer";
    REFUSED(cleave_circuit_evaluate(plan, &opt, 1, known, result, e),
            "space is \"outer\"; expected one of log, linear");
    opt.space = "";
    opt.query = "min";
    REFUSED(cleave_circuit_evaluate(plan, &opt, 1, known, result, e),
            "query is \"min\"; expected one of sum, max");
}

static void circuit_conditional(void)
{
    REFUSED(cleave_circuit_conditional(NULL, NULL, 1, known, known, result, e),
            "the plan is NULL");
    REFUSED(cleave_circuit_conditional(plan, NULL, 1, NULL, known, result, e),
            "asked is NULL");
    REFUSED(cleave_circuit_conditional(plan, NULL, 1, known, NULL, result, e),
            "given is NULL");
    REFUSED(cleave_circuit_conditional(plan, NULL, 1, known, known, NULL, e),
            "result is NULL");
}

static void circuit_most_probable(void)
{
    REFUSED(cleave_circuit_most_probable(NULL, 1, known, assignment, result, e),
            "the plan is NULL");
    REFUSED(cleave_circuit_most_probable(plan, 1, NULL, assignment, result, e),
            "evidence is NULL");
    REFUSED(cleave_circuit_most_probable(plan, 1, known, NULL, result, e),
            "assignment is NULL");
    REFUSED(cleave_circuit_most_probable(plan, 1, known, assignment, NULL, e),
            "value is NULL");
}

static const api_test functions[] = {
    {"cleave_circuit_read", circuit_read},
    {"cleave_circuit_graph", circuit_graph},
    {"cleave_evidence_read", evidence_read},
    {"cleave_results_write", results_write},
    {"cleave_circuit_plan_create", plan_create},
    {"cleave_circuit_evaluate", circuit_evaluate},
    {"cleave_circuit_conditional", circuit_conditional},
    {"cleave_circuit_most_probable", circuit_most_probable},
    {NULL, NULL},
};

static void silent(void)
{
    cleave_run_info info;
    cleave_run_info_init(&info, sizeof info);
    cleave_circuit_options_init(NULL, sizeof(cleave_circuit_options));
    cleave_circuit_free(NULL);
    cleave_circuit_plan_free(NULL);
    cleave_evidence_free(NULL);
    cleave_circuit_plan_info(NULL, NULL);
    cleave_circuit_plan_info(NULL, &info);
    CHECK_STR(info.method, "");
    CHECK_EQ(cleave_circuit_variables(NULL), 0);
    CHECK_EQ(cleave_circuit_nodes(NULL), 0);
    CHECK_EQ(cleave_circuit_elements(NULL), 0);
    CHECK_EQ(cleave_evidence_count(NULL), 0);
    CHECK(cleave_evidence_view(NULL) == NULL);
}

const null_group null_circuit = {
    .functions = functions, .make = make, .drop = drop, .silent = silent};
