/* SPDX-License-Identifier: Apache-2.0 */
/* Part of test_oom_api.c: circuits. */
#include "api/oom_call.h"

static cleave_error err;

/* Two sums that share leaves, one of them of as many elements as must be split up. */
static const char *circuit_file(void)
{
    static char text[8000];
    char *at = text;
    at += sprintf(at, "psdd 0\nL 0 0 1\nL 1 0 -1\nT 2 0 2 -0.5\nT 3 0 2 -1.5\nL 4 0 3\n");
    at += sprintf(at, "D 5 0 2 0 2 -0.25 1 3 -1.5\nD 6 0 1 5 4 0\nD 7 0 40");
    for (int i = 0; i < 40; i++)
        at += sprintf(at, " %d %d -%d.5", 5 + i % 2, i % 5, 4 + i % 7);
    sprintf(at, "\nD 8 0 2 7 5 -0.125 6 7 -2.125\n");
    return test_file("oom.psdd", text);
}

static const int8_t evidence[] = {1, -1, 0, -1, -1, -1, 0, 1, 1};

/* Made by each call before anything fails. */
static cleave_circuit *circuit;

static void make(const char *detail)
{
    (void)detail;
    CHECK_OK(cleave_circuit_read(&circuit, circuit_file(), &err));
}

static void drop(void)
{
    cleave_circuit_free(circuit);
}

static cleave_status make_plan(cleave_circuit_plan **plan, const char *detail, cleave_error *e)
{
    static const cleave_schedule_costs cheap = {.size = sizeof cheap, .sync = 0.25};
    cleave_run_options opt;
    cleave_run_options_init(&opt, sizeof opt);
    opt.method = strstr(detail, "levels") ? "levels" : strstr(detail, "grow") ? "grow" : NULL;
    opt.threads = strstr(detail, "threads") ? 2 : 1;
    opt.costs = &cheap;
    return cleave_circuit_plan_create(plan, circuit, &opt, e);
}

static uint64_t digest(cleave_circuit_plan *plan)
{
    double result[3];
    CHECK_OK(cleave_circuit_evaluate(plan, NULL, 3, evidence, result, &err));
    return bytes_digest(result, sizeof result);
}

static cleave_status call_read(const char *detail, uint64_t *result, cleave_error *e)
{
    cleave_circuit *c = (cleave_circuit *)ints;
    const char *path = circuit_file();
    (void)detail;
    cleave_status status = UNDER_TEST(cleave_circuit_read(&c, path, e));
    CHECK((c != NULL) == (status == CLEAVE_OK));
    *result = (uint64_t)cleave_circuit_elements(c);
    cleave_circuit_free(c);
    return status;
}

static cleave_status call_graph(const char *detail, uint64_t *result, cleave_error *e)
{
    cleave_graph *g = (cleave_graph *)ints;
    (void)detail;
    cleave_status status = UNDER_TEST(cleave_circuit_graph(&g, circuit, e));
    return graph_result(status, g, result);
}

static cleave_status call_evidence(const char *detail, uint64_t *result, cleave_error *e)
{
    const char *path = test_file("oom.evidence", "0,1,?\n1 1 *\n-1;0;0\n");
    cleave_evidence *x = (cleave_evidence *)ints;
    (void)detail;
    cleave_status status = UNDER_TEST(cleave_evidence_read(&x, path, 3, e));
    CHECK((x != NULL) == (status == CLEAVE_OK));
    *result = x ? bytes_digest(cleave_evidence_view(x), 9) : 0;
    cleave_evidence_free(x);
    return status;
}

static cleave_status call_write(const char *detail, uint64_t *result, cleave_error *e)
{
    static const double values[] = {-1.5, 0};
    cleave_status status = UNDER_TEST(cleave_results_write(oom_scratch(detail), 2, values, e));
    return oom_file_result(status, oom_scratch(detail), result);
}

static cleave_status call_plan(const char *detail, uint64_t *result, cleave_error *e)
{
    cleave_circuit_plan *plan = (cleave_circuit_plan *)ints;
    cleave_status status = UNDER_TEST(make_plan(&plan, detail, e));
    CHECK((plan != NULL) == (status == CLEAVE_OK));
    *result = plan ? digest(plan) : 0;
    cleave_circuit_plan_free(plan);
    return status;
}

/* The three that evaluate. */
static cleave_status call_evaluate(const char *detail, uint64_t *result, cleave_error *e)
{
    cleave_circuit_plan *plan = NULL;
    cleave_circuit_options opt;
    int8_t assignment[9] = {0};
    double values[3] = {0};
    cleave_status status;
    cleave_circuit_options_init(&opt, sizeof opt);
    opt.space = "linear";
    CHECK_OK(make_plan(&plan, detail, &err));
    if (strstr(detail, "conditional"))
        status = UNDER_TEST(
            cleave_circuit_conditional(plan, &opt, 1, evidence, evidence + 3, values, e));
    else if (strstr(detail, "probable"))
        status =
            UNDER_TEST(cleave_circuit_most_probable(plan, 3, evidence, assignment, values, e));
    else /* the third is impossible: once more with logarithms */
        status = UNDER_TEST(cleave_circuit_evaluate(plan, &opt, 3, evidence, values, e));
    *result = bytes_digest(values, sizeof values) ^ bytes_digest(assignment, 9);
    cleave_circuit_plan_free(plan);
    return status;
}

static const oom_entry entries[] = {
    {"cleave_circuit_read", call_read, ""},
    {"cleave_circuit_graph", call_graph, ""},
    {"cleave_evidence_read", call_evidence, ""},
    {"cleave_results_write", call_write, "r|r.gz"},
    {"cleave_circuit_plan_create", call_plan, "auto|levels|grow|grow threads"},
    {"cleave_circuit_evaluate", call_evaluate, "auto"},
    {"cleave_circuit_conditional", call_evaluate, "conditional"},
    {"cleave_circuit_most_probable", call_evaluate, "probable"},
    {NULL, NULL, NULL},
};

const oom_group oom_circuit = {.entries = entries, .make = make, .drop = drop};
