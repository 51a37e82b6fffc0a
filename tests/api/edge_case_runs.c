/* SPDX-License-Identifier: Apache-2.0 */
/* Part of test_edge_cases_api.c: triangular solves. */
#include "api/edge_case_facts.h"

#include "api/trsv_systems.h"
#include "support/test.h"

enum { room = EDGE_ROOM };

static cleave_error err;

/* The rows of the case as a matrix, of which the lower part counts; the diagonal is 1. */
static double values[room * room];
static float values32[room * room];
static double b[2 * room], x[2 * room], right[room];
static float b32[2 * room], x32[2 * room], right32[room];

static cleave_triangle triangle(bool single)
{
    cleave_triangle t;
    cleave_triangle_init(&t, sizeof t);
    t.n = edge_csr->nvtx;
    t.xadj = edge_csr->xadj;
    t.idx = edge_csr->adj;
    t.unit = t.part = 1;
    t.by_columns = edge_csr->kind == CLEAVE_DAG; /* arcs that ascend lead down */
    for (int64_t k = 0; k < edge_csr->xadj[edge_csr->nvtx]; k++) {
        values[k] = 1.0 / (double)(k + 3);
        values32[k] = (float)values[k];
    }
    t.val = single ? NULL : values;
    t.val32 = single ? values32 : NULL;
    for (int32_t i = 0; i < 2 * edge_csr->nvtx; i++) {
        b[i] = 1 + i % edge_csr->nvtx;
        b32[i] = (float)b[i];
    }
    if (single)
        trsv_textbook_f(&t, right32, b32);
    else
        trsv_textbook(&t, right, b);
    return t;
}

static bool same(const void *a, const void *c, size_t each)
{
    return edge_csr->nvtx == 0 || memcmp(a, c, (size_t)edge_csr->nvtx * each) == 0;
}

static void check_plan(cleave_trsv *p)
{
    int32_t n = edge_csr->nvtx;
    const int32_t *order = cleave_trsv_order(p);
    double y[room];
    CHECK_OK(cleave_trsv_solve(p, x, b, &err));
    CHECK(same(x, right, sizeof *x));
    CHECK_OK(cleave_trsv_update_values(p, values, &err));
    CHECK_OK(cleave_trsv_solve_many(p, 2, x, n, b, n, &err));
    CHECK(same(x, right, sizeof *x) && same(x + n, right, sizeof *x));
    for (int32_t i = 0; i < n; i++)
        y[i] = b[order[i]];
    CHECK_OK(cleave_trsv_solve_ordered(p, y, &err));
    for (int32_t i = 0; i < n; i++)
        CHECK(y[i] == right[order[i]]);
    cleave_run_info info;
    cleave_run_info_init(&info, sizeof info);
    cleave_trsv_info(p, &info);
    if (info.threads == 1) {
        CHECK_OK(cleave_trsv_solve_member(p, 0, y, b, &err));
        CHECK(same(y, right, sizeof *y));
    }
    CHECK_EQ(cleave_trsv_solve_member(p, info.threads, y, b, &err), CLEAVE_EINVAL);
}

static void each_method(void)
{
    static const char *const methods[] = {"serial", "levels", "grow", "graphopt", "auto"};
    static const int threads[] = {1, 2, 3, 40};
    cleave_triangle t = triangle(false);
    int stride = TEST_STRIDE > 1 ? 3 : 1;
    for (int i = 0; i < 20; i += stride) {
        cleave_run_options opt;
        cleave_trsv *p, *again;
        int reused = 0;
        cleave_run_options_init(&opt, sizeof opt);
        opt.method = methods[i % 5];
        opt.threads = threads[i / 5];
        opt.split_rows = i % 3 - 1;
        REQUIRE_OK(cleave_trsv_create(&p, &t, &opt, &err));
        check_plan(p);
        REQUIRE_OK(cleave_trsv_create_from(&again, p, &t, &reused, &err));
        CHECK_EQ(reused, 1);
        check_plan(again);
        cleave_trsv_free(again);
        cleave_trsv_free(p);
    }
}

static void single_precision(void)
{
    cleave_triangle t = triangle(true);
    cleave_trsv *p;
    REQUIRE_OK(cleave_trsv_create(&p, &t, NULL, &err));
    /* Without values there is no telling: numbers are then double. */
    CHECK_OK(cleave_trsv_update_values_f(p, values32, &err));
    CHECK_OK(cleave_trsv_solve_f(p, x32, b32, &err));
    CHECK(same(x32, right32, sizeof *x32));
    CHECK_OK(cleave_trsv_solve_many_f(p, 2, x32, edge_csr->nvtx, b32, edge_csr->nvtx, &err));
    CHECK(same(x32 + edge_csr->nvtx, right32, sizeof *x32));
    cleave_trsv_free(p);
}

/* All work is in the spans, which follow each other. */
static void trace(void)
{
    cleave_triangle t = triangle(false);
    cleave_trsv *p;
    cleave_trace *traced;
    cleave_span span;
    int64_t work = 0;
    REQUIRE_OK(cleave_trsv_create(&p, &t, NULL, &err));
    REQUIRE_OK(cleave_trsv_trace(&traced, p, &err));
    cleave_span_init(&span, sizeof span);
    for (int64_t i = 0; i < cleave_trace_count(traced); i++) {
        CHECK_OK(cleave_trace_span(traced, i, &span, &err));
        CHECK(span.wait <= span.begin && span.begin <= span.end);
        CHECK(span.thread >= 0 && span.thread < cleave_trace_threads(traced));
        work += span.work;
    }
    cleave_run_info info;
    cleave_run_info_init(&info, sizeof info);
    cleave_trsv_info(p, &info);
    CHECK_EQ(work, info.nonzeros);
    for (int i = 0; i < 3; i++) {
        char path[4200];
        const cleave_trace *both[2] = {traced, traced};
        snprintf(path, sizeof path, "%s/edge.%s", test_scratch(),
                 i == 0   ? "svg"
                 : i == 1 ? "html"
                          : "json");
        CHECK_OK(cleave_view_trace(path, 1 + i % 2, both, NULL, &err));
        CHECK_EQ(remove(path), 0);
    }
    cleave_trace_free(traced);
    cleave_trsv_free(p);
}

static void team_create(void)
{
    cleave_team *team;
    int threads = edge_csr->nvtx % 8;
    REQUIRE_OK(cleave_team_create(&team, threads, &err));
    CHECK(threads == 0 ? cleave_team_size(team) >= 1 : cleave_team_size(team) == threads);
    cleave_team_free(team);
}

const api_test edge_runs[] = {
    {"cleave_team_create", team_create},
    {"cleave_trsv_create", each_method},
    {"cleave_trsv_trace", trace},
    {"cleave_trace_span", trace},
    {"cleave_view_trace", trace},
    {"cleave_trsv_create_from", each_method},
    {"cleave_trsv_solve", each_method},
    {"cleave_trsv_solve_many", each_method},
    {"cleave_trsv_solve_ordered", each_method},
    {"cleave_trsv_solve_member", each_method},
    {"cleave_trsv_update_values", each_method},
    {"cleave_trsv_solve_f", single_precision},
    {"cleave_trsv_solve_many_f", single_precision},
    {"cleave_trsv_update_values_f", single_precision},
    {NULL, NULL},
};
