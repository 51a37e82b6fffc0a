/* SPDX-License-Identifier: Apache-2.0 */
/* Part of test_oom_api.c: schedules. */
#include "api/oom_call.h"

static cleave_error err;

/* Made by each call before anything fails: a triangular factor, some rows of which are worth
 * splitting, and a schedule. */
static struct {
    cleave_graph *g;
    cleave_schedule *s;
} x;

/* Else so small a factor is not worth splitting. */
static const cleave_schedule_costs cheap = {.size = sizeof cheap, .sync = 1};

/* Rows weigh their non-zeros. */
static cleave_graph *weigh_rows(const cleave_graph *factor)
{
    cleave_graph *weighted = NULL;
    cleave_csr csr, before;
    cleave_csr_init(&csr, sizeof csr);
    cleave_csr_init(&before, sizeof before);
    cleave_graph_view(factor, &csr);
    cleave_graph_view_predecessors(factor, &before);
    for (int32_t v = 0; v < csr.nvtx; v++)
        more_ints[v] = (int32_t)(before.xadj[v + 1] - before.xadj[v]) + 1;
    csr.vwgt = more_ints;
    CHECK_OK(cleave_graph_create(&weighted, &csr, 0, &err));
    return weighted;
}

static void set_options(cleave_schedule_options *opt, const char *detail)
{
    cleave_schedule_options_init(opt, sizeof *opt);
    opt->method = strstr(detail, "serial")     ? "serial"
                  : strstr(detail, "levels")   ? "levels"
                  : strstr(detail, "graphopt") ? "graphopt"
                  : strstr(detail, "grow")     ? "grow"
                                               : "auto";
    opt->threads = 3;
    opt->workers = strstr(detail, "threads") ? 2 : 1;
    opt->split_rows = strstr(detail, "split") != NULL;
    opt->costs = &cheap;
}

static void make(const char *detail)
{
    memset(&x, 0, sizeof x);
    cleave_graph *grid = NULL, *factor = NULL;
    cleave_schedule_options opt;
    set_options(&opt, strstr(detail, "split") ? "levels split" : "levels");
    CHECK_OK(cleave_graph_generate(&grid, "grid2d:14x14", NULL, &err));
    CHECK_OK(cleave_graph_factor(&factor, grid, "mindeg", NULL, &err));
    x.g = weigh_rows(factor);
    CHECK_OK(cleave_schedule_build(&x.s, x.g, &opt, &err));
    CHECK(!opt.split_rows == !cleave_schedule_row(x.s));
    cleave_graph_free(grid);
    cleave_graph_free(factor);
}

static void drop(void)
{
    cleave_graph_free(x.g);
    cleave_schedule_free(x.s);
}

/* A schedule or none; freed. */
static cleave_status schedule_result(cleave_status status, cleave_schedule *s,
                                     uint64_t *result)
{
    CHECK((s != NULL) == (status == CLEAVE_OK));
    size_t bytes = (size_t)cleave_schedule_tasks(s) * sizeof(int32_t);
    if (s)
        *result = bytes_digest(cleave_schedule_order(s), bytes) ^
                  bytes_digest(cleave_schedule_layer(s), bytes) * 3 ^
                  bytes_digest(cleave_schedule_thread(s), bytes) * 5;
    cleave_schedule_free(s);
    return status;
}

static cleave_status call_build(const char *detail, uint64_t *result, cleave_error *e)
{
    cleave_schedule *s = x.s;
    cleave_schedule_options opt;
    set_options(&opt, detail);
    cleave_status status = UNDER_TEST(cleave_schedule_build(&s, x.g, &opt, e));
    return schedule_result(status, s, result);
}

static cleave_status call_create(const char *detail, uint64_t *result, cleave_error *e)
{
    (void)detail;
    cleave_schedule *s = x.s;
    cleave_status status = UNDER_TEST(cleave_schedule_create(&s, cleave_schedule_tasks(x.s),
                                                             cleave_schedule_layer(x.s),
                                                             cleave_schedule_thread(x.s), e));
    return schedule_result(status, s, result);
}

static cleave_status call_read(const char *detail, uint64_t *result, cleave_error *e)
{
    cleave_schedule *s = x.s;
    CHECK_OK(cleave_schedule_write(x.s, oom_scratch(detail), &err));
    cleave_status status = UNDER_TEST(cleave_schedule_read(&s, oom_scratch(detail), e));
    remove(oom_scratch(detail));
    return schedule_result(status, s, result);
}

static cleave_status call_write(const char *detail, uint64_t *result, cleave_error *e)
{
    cleave_status status = UNDER_TEST(cleave_schedule_write(x.s, oom_scratch(detail), e));
    return oom_file_result(status, oom_scratch(detail), result);
}

static cleave_status call_check(const char *detail, uint64_t *result, cleave_error *e)
{
    (void)detail;
    cleave_status status = UNDER_TEST(cleave_schedule_check(x.s, x.g, e));
    *result = 1;
    return status;
}

static cleave_status call_evaluate(const char *detail, uint64_t *result, cleave_error *e)
{
    (void)detail;
    cleave_schedule_metrics m;
    cleave_schedule_metrics_init(&m, sizeof m);
    cleave_status status = UNDER_TEST(cleave_evaluate_schedule(&m, x.g, x.s, NULL, e));
    CHECK((m.layers > 0) == (status == CLEAVE_OK));
    *result = (uint64_t)m.work_max * 31 + (uint64_t)m.crossing_edges;
    return status;
}

static cleave_status call_work(const char *detail, uint64_t *result, cleave_error *e)
{
    (void)detail;
    cleave_status status = UNDER_TEST(cleave_evaluate_schedule_work(x.g, x.s, longs, e));
    *result = bytes_digest(longs, (size_t)cleave_schedule_layers(x.s) * 3 * sizeof *longs);
    return status;
}

/* ---- Costs, and answers of solvers ---------------------------------------------------- */

static cleave_status call_costs_read(const char *detail, uint64_t *result, cleave_error *e)
{
    cleave_schedule_costs costs;
    cleave_schedule_costs_init(&costs, sizeof costs);
    CHECK_OK(cleave_schedule_costs_write(&costs, oom_scratch(detail), &err));
    cleave_status status =
        UNDER_TEST(cleave_schedule_costs_read(&costs, oom_scratch(detail), e));
    remove(oom_scratch(detail));
    *result = (uint64_t)costs.sync;
    return status;
}

static cleave_status call_costs_write(const char *detail, uint64_t *result, cleave_error *e)
{
    cleave_status status =
        UNDER_TEST(cleave_schedule_costs_write(NULL, oom_scratch(detail), e));
    return oom_file_result(status, oom_scratch(detail), result);
}

static cleave_status call_measure(const char *detail, uint64_t *result, cleave_error *e)
{
    cleave_schedule_costs costs;
    double seconds;
    (void)detail;
    cleave_schedule_costs_init(&costs, sizeof costs);
    cleave_status status = UNDER_TEST(cleave_schedule_costs_measure(&costs, &seconds, 2, e));
    *result = 1;
    return status;
}

static cleave_status call_answer(const char *detail, uint64_t *result, cleave_error *e)
{
    static const char text[] = "PART = [1, 2, 0];\n----------\n==========\n";
    int32_t part[3] = {0};
    int proved = 0;
    (void)detail;
    cleave_status status = UNDER_TEST(cleave_two_way_answer(part, 3, text, &proved, e));
    *result = bytes_digest(part, sizeof part) + (uint64_t)proved;
    return status;
}

static const oom_entry entries[] = {
    {"cleave_schedule_build", call_build,
     "serial|levels|grow|graphopt|auto|levels split|auto split|grow threads"},
    {"cleave_schedule_create", call_create, ""},
    {"cleave_schedule_read", call_read, "s|s.gz|s split"},
    {"cleave_schedule_write", call_write, "s|s.gz|s split"},
    {"cleave_schedule_check", call_check, "|split"},
    {"cleave_evaluate_schedule", call_evaluate, "|split"},
    {"cleave_evaluate_schedule_work", call_work, "|split"},
    {"cleave_schedule_costs_read", call_costs_read, "costs|costs.gz"},
    {"cleave_schedule_costs_write", call_costs_write, "costs|costs.gz"},
    {"cleave_schedule_costs_measure", call_measure, ""},
    {"cleave_two_way_answer", call_answer, ""},
    {NULL, NULL, NULL},
};

const oom_group oom_schedule = {.entries = entries, .make = make, .drop = drop};
