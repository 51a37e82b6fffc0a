/* SPDX-License-Identifier: Apache-2.0 */
/* Part of test_null_api.c: teams and triangular solves. */
#include <math.h>

#include "api/null_call.h"

static cleave_error err;

/* The lower triangle [2 . .; 1 3 .; . 1 4]. */
static const int64_t xadj[] = {0, 1, 3, 5};
static const int32_t idx[] = {0, 0, 1, 1, 2};
static const double val[] = {2, 1, 3, 1, 4};
static const float val32[] = {2, 1, 3, 1, 4};
static cleave_triangle good;
static cleave_trsv *plan, *single;
static double x[9], b[9] = {1, 1, 1};
static float x32[9], b32[9] = {1, 1, 1};

static void make(void)
{
    cleave_triangle_init(&good, sizeof good);
    good.n = 3;
    good.xadj = xadj;
    good.idx = idx;
    good.val32 = val32;
    CHECK_OK(cleave_trsv_create(&single, &good, NULL, &err));
    good.val32 = NULL;
    good.val = val;
    CHECK_OK(cleave_trsv_create(&plan, &good, NULL, &err));
}

static void drop(void)
{
    cleave_trsv_free(plan);
    cleave_trsv_free(single);
}

static void team_create(void)
{
    cleave_team *team;
    REFUSED(cleave_team_create(NULL, 1, e), "out is NULL");
    REFUSED_OUT(cleave_team, team, cleave_team_create(&team, -1, e), "threads is -1");
    REFUSED_OUT(cleave_team, team, cleave_team_create(&team, 4097, e),
                "4097 threads requested; 0 to 4096 are possible");
}

/* ---- Triangles ------------------------------------------------------------------------- */

#define BAD(text)                                                                             \
    do {                                                                                      \
        REFUSED_OUT(cleave_trsv, p, cleave_trsv_create(&p, &t, NULL, e), text);               \
        REFUSED_OUT(cleave_trsv, p, cleave_trsv_create_from(&p, plan, &t, NULL, e), text);    \
        t = good;                                                                             \
    } while (0)

/* Two rows, three columns. */
static void make_rectangle(cleave_triangle *t)
{
    static const int64_t xadj[] = {0, 1, 2};
    static const int32_t col[] = {0, 2};
    static const double val[] = {1, 1};
    cleave_matrix *a;
    cleave_matrix_csr csr;
    cleave_matrix_csr_init(&csr, sizeof csr);
    csr.nrow = 2;
    csr.ncol = 3;
    csr.xadj = xadj;
    csr.col = col;
    csr.val = val;
    CHECK_OK(cleave_matrix_create(&a, &csr, NULL));
    cleave_triangle_of_matrix(t, sizeof *t, a);
    cleave_matrix_free(a);
}

static void refuse_arrays(void)
{
    static const int64_t late[] = {1, 1, 3, 5}, falling[] = {0, 3, 1, 5};
    static const int32_t far[] = {0, 0, 3, 1, 2}, negative[] = {0, -1, 1, 1, 2};
    cleave_triangle t = good;
    cleave_trsv *p;
    t.size = 1;
    BAD("cleave_triangle.size is 1; call its _init function first");
    t.n = -1;
    BAD("a triangle cannot have -1 rows");
    make_rectangle(&t);
    BAD("the matrix is not square, so it has no triangle");
    t.xadj = NULL;
    BAD("xadj is NULL");
    t.xadj = late;
    BAD("xadj[0] is 1, not 0");
    t.xadj = falling;
    BAD("xadj[2] is 1, less than xadj[1]");
    t.idx = NULL;
    BAD("idx is NULL");
    t.val = NULL;
    BAD("val and val32 are both NULL");
    t.val32 = val32;
    BAD("both val and val32 are given");
    t.idx = far;
    BAD("row 1 has an entry in column 3, outside 0..2");
    t.idx = negative;
    t.by_columns = 1;
    BAD("column 1 has an entry in row -1, outside 0..2");
}

static void refuse_patterns(void)
{
    static const int32_t above[] = {0, 2, 1, 1, 2}, twice[] = {0, 0, 1, 1, 1},
                         missing[] = {0, 0, 1, 0, 1}, doubled[] = {0, 1, 1, 1, 2};
    cleave_triangle t = good;
    cleave_trsv *p;
    t.idx = above;
    BAD("row 1 has an entry in column 2, which is not in the lower triangle");
    t.upper = 1;
    BAD("row 1 has an entry in column 0, which is not in the upper triangle");
    t.by_columns = 1;
    BAD("row 0 has an entry in column 1, which is not in the lower triangle");
    t.idx = twice;
    t.unit = 1;
    BAD("row 2 has two entries in column 1");
    t.idx = twice;
    t.unit = t.by_columns = t.upper = 1;
    BAD("row 1 has two entries in column 2");
    t.idx = twice;
    t.unit = t.transpose = 1;
    BAD("row 2 has two entries in column 1");
    t.idx = doubled;
    BAD("row 1 has two entries in column 1");
    t.idx = missing;
    BAD("row 2 has no entry on the diagonal");
}

static void refuse_values(void)
{
    static const double zero[] = {2, 1, 0, 1, 4}, infinite[] = {2, 1, 3, INFINITY, 4};
    static const float none32[] = {2, 1, 3, 1, -0.0F};
    static double nan[] = {2, 1, 3, 1, NAN};
    cleave_triangle t = good;
    cleave_trsv *p;
    t.val = zero;
    BAD("row 1 has a zero on the diagonal");
    t.val = infinite;
    BAD("value 3, in row 2, is not a finite number");
    t.val = nan;
    t.by_columns = t.upper = 1;
    BAD("value 4, in column 2, is not a finite number");
    t.val = NULL;
    t.val32 = none32;
    BAD("row 2 has a zero on the diagonal");
    t.val = nan;
    t.unit = 1; /* ignored arguments may have any value */
    CHECK_OK(cleave_trsv_create(&p, &t, NULL, &err));
    cleave_trsv_free(p);
}

static void trsv_create(void)
{
    cleave_trsv *p;
    cleave_run_options opt;
    cleave_schedule_costs costs;
    cleave_team *pair = NULL;
    refuse_arrays();
    refuse_patterns();
    refuse_values();
    CHECK_OK(cleave_team_create(&pair, 2, &err));
    cleave_schedule_costs_init(&costs, sizeof costs);
    costs.sync = -1;
#define BAD_OPTION(field, value, text)                                                        \
    REFUSED_OPTION(cleave_trsv, p, cleave_run_options_init, field, value,                     \
                   cleave_trsv_create(&p, &good, &opt, e), text)
    REFUSED(cleave_trsv_create(NULL, &good, NULL, e), "out is NULL");
    REFUSED_OUT(cleave_trsv, p, cleave_trsv_create(&p, NULL, NULL, e), "the triangle is NULL");
    BAD_OPTION(size, 2, "cleave_run_options.size is 2; call its _init function first");
    BAD_OPTION(threads, -1, "-1 threads requested; 0 to 4096 are possible");
    BAD_OPTION(threads, 4097, "4097 threads requested; 0 to 4096 are possible");
    BAD_OPTION(expected_calls, -5, "expected_calls is -5");
    BAD_OPTION(split_rows, 2, "split_rows is 2; expected one of -1, 0, 1");
    BAD_OPTION(sync, "later", "sync is \"later\"; expected one of auto, barrier, p2p, stale");
    BAD_OPTION(method, "magic",
               "unknown method \"magic\" for schedules; expected one of auto, "
               "graphopt, grow, levels, serial");
    BAD_OPTION(params, "alpha=4", "method auto has no params, but they are \"alpha=4\"");
    BAD_OPTION(costs, &costs, "the cost of a synchronisation is not a number >= 0");
    cleave_run_options_init(&opt, sizeof opt);
    opt.team = pair;
    opt.threads = 3;
    REFUSED_OUT(cleave_trsv, p, cleave_trsv_create(&p, &good, &opt, e),
                "3 threads requested, but the team has 2");
    cleave_team_free(pair);
}

static void trsv_create_from(void)
{
    cleave_trsv *p;
    int reused = 7;
    REFUSED(cleave_trsv_create_from(NULL, plan, &good, NULL, e), "out is NULL");
    REFUSED_OUT(cleave_trsv, p, cleave_trsv_create_from(&p, NULL, &good, NULL, e),
                "the plan is NULL");
    REFUSED_OUT(cleave_trsv, p, cleave_trsv_create_from(&p, plan, NULL, &reused, e),
                "the triangle is NULL");
    CHECK_EQ(reused, 7);
}

/* ---- Calls ------------------------------------------------------------------------------ */

static const char of_float[] = "the plan is of float numbers, but the call is of double";
static const char of_double[] = "the plan is of double numbers, but the call is of float";

static void trsv_solve(void)
{
    REFUSED(cleave_trsv_solve(NULL, x, b, e), "the plan is NULL");
    REFUSED(cleave_trsv_solve(plan, NULL, b, e), "x is NULL");
    REFUSED(cleave_trsv_solve(plan, x, NULL, e), "b is NULL");
    REFUSED(cleave_trsv_solve(single, x, b, e), of_float);
}

static void trsv_solve_f(void)
{
    REFUSED(cleave_trsv_solve_f(NULL, x32, b32, e), "the plan is NULL");
    REFUSED(cleave_trsv_solve_f(single, NULL, b32, e), "x is NULL");
    REFUSED(cleave_trsv_solve_f(single, x32, NULL, e), "b is NULL");
    REFUSED(cleave_trsv_solve_f(plan, x32, b32, e), of_double);
}

static void trsv_solve_many(void)
{
    REFUSED(cleave_trsv_solve_many(NULL, 1, x, 3, b, 3, e), "the plan is NULL");
    REFUSED(cleave_trsv_solve_many(plan, 1, NULL, 3, b, 3, e), "x is NULL");
    REFUSED(cleave_trsv_solve_many(plan, 1, x, 3, NULL, 3, e), "b is NULL");
    REFUSED(cleave_trsv_solve_many(plan, -1, x, 3, b, 3, e),
            "there cannot be -1 right-hand sides");
    REFUSED(cleave_trsv_solve_many(plan, 2, x, 2, b, 3, e), "ldx is 2, less than the 3 rows");
    REFUSED(cleave_trsv_solve_many(plan, 2, x, 3, b, 2, e), "ldb is 2, less than the 3 rows");
    REFUSED(cleave_trsv_solve_many(plan, 2, x, 4, x, 3, e),
            "x and b are the same array, but ldx is 4 and ldb 3");
    REFUSED(cleave_trsv_solve_many(single, 1, x, 3, b, 3, e), of_float);
    CHECK_OK(cleave_trsv_solve_many(plan, 0, x, 3, b, 3, &err));
}

static void trsv_solve_many_f(void)
{
    REFUSED(cleave_trsv_solve_many_f(NULL, 1, x32, 3, b32, 3, e), "the plan is NULL");
    REFUSED(cleave_trsv_solve_many_f(single, 1, NULL, 3, b32, 3, e), "x is NULL");
    REFUSED(cleave_trsv_solve_many_f(single, 2, x32, 3, b32, 0, e),
            "ldb is 0, less than the 3 rows");
    REFUSED(cleave_trsv_solve_many_f(plan, 1, x32, 3, b32, 3, e), of_double);
}

static void trsv_solve_ordered(void)
{
    REFUSED(cleave_trsv_solve_ordered(NULL, x, e), "the plan is NULL");
    REFUSED(cleave_trsv_solve_ordered(plan, NULL, e), "x is NULL");
    REFUSED(cleave_trsv_solve_ordered(single, x, e), of_float);
}

static void trsv_solve_member(void)
{
    x[0] = 7;
    REFUSED(cleave_trsv_solve_member(NULL, 0, x, b, e), "the plan is NULL");
    REFUSED(cleave_trsv_solve_member(plan, 0, NULL, b, e), "x is NULL");
    REFUSED(cleave_trsv_solve_member(plan, 0, x, NULL, e), "b is NULL");
    REFUSED(cleave_trsv_solve_member(single, 0, x, b, e), of_float);
    REFUSED(cleave_trsv_solve_member(plan, -1, x, b, e),
            "member is -1, but the plan has 1 thread");
    REFUSED(cleave_trsv_solve_member(plan, 1, x, b, e),
            "member is 1, but the plan has 1 thread");
    CHECK(x[0] == 7);
}

static void trsv_update_values(void)
{
    static const double zero[] = {2, 1, 3, 1, 0}, nan[] = {2, NAN, 3, 1, 4};
    static const double right[] = {0.5, 0.5 / 3, (1 - 0.5 / 3) / 4};
    REFUSED(cleave_trsv_update_values(NULL, val, e), "the plan is NULL");
    REFUSED(cleave_trsv_update_values(plan, NULL, e), "val is NULL");
    REFUSED(cleave_trsv_update_values(single, val, e), of_float);
    REFUSED(cleave_trsv_update_values(plan, zero, e), "row 2 has a zero on the diagonal");
    REFUSED(cleave_trsv_update_values(plan, nan, e),
            "value 1, in row 1, is not a finite number");
    CHECK_OK(cleave_trsv_solve(plan, x, b, &err)); /* the old values are still there */
    CHECK(memcmp(x, right, sizeof right) == 0);
}

static void trsv_update_values_f(void)
{
    static const float nan[] = {NAN, 1, 3, 1, 4};
    REFUSED(cleave_trsv_update_values_f(NULL, val32, e), "the plan is NULL");
    REFUSED(cleave_trsv_update_values_f(single, NULL, e), "val is NULL");
    REFUSED(cleave_trsv_update_values_f(plan, val32, e), of_double);
    REFUSED(cleave_trsv_update_values_f(single, nan, e),
            "value 0, in row 0, is not a finite number");
}

/* ---- Traces ---------------------------------------------------------------------------- */

static void trsv_trace(void)
{
    cleave_trace *trace;
    REFUSED(cleave_trsv_trace(NULL, plan, e), "out is NULL");
    REFUSED_OUT(cleave_trace, trace, cleave_trsv_trace(&trace, NULL, e), "the plan is NULL");
}

static void trace_span(void)
{
    cleave_trace *trace = NULL;
    cleave_span span;
    CHECK_OK(cleave_trsv_trace(&trace, plan, &err));
    cleave_span_init(&span, sizeof span);
    REFUSED(cleave_trace_span(NULL, 0, &span, e), "the trace is NULL");
    REFUSED(cleave_trace_span(trace, 0, NULL, e), "span is NULL");
    REFUSED(cleave_trace_span(trace, -1, &span, e), "there is no span -1 among 1");
    REFUSED(cleave_trace_span(trace, 1, &span, e), "there is no span 1 among 1");
    cleave_trace_free(trace);
}

static void view_trace(void)
{
    cleave_trace *trace = NULL;
    CHECK_OK(cleave_trsv_trace(&trace, plan, &err));
    const cleave_trace *good_one[1] = {trace}, *bad[2] = {trace, NULL};
    REFUSED(cleave_view_trace(NULL, 1, good_one, NULL, e), "path is NULL");
    REFUSED(cleave_view_trace("x.svg", 0, good_one, NULL, e),
            "0 traces: a picture shows 1 to 4");
    REFUSED(cleave_view_trace("x.svg", 5, good_one, NULL, e),
            "5 traces: a picture shows 1 to 4");
    REFUSED(cleave_view_trace("x.svg", 1, NULL, NULL, e), "a trace is NULL");
    REFUSED(cleave_view_trace("x.svg", 2, bad, NULL, e), "a trace is NULL");
    REFUSED(cleave_view_trace("x.dot", 1, good_one, NULL, e),
            "unknown picture format \"dot\"; this kind of picture has svg, html, json");
    cleave_trace_free(trace);
}

static const api_test functions[] = {
    {"cleave_trsv_trace", trsv_trace},
    {"cleave_trace_span", trace_span},
    {"cleave_view_trace", view_trace},
    {"cleave_team_create", team_create},
    {"cleave_trsv_create", trsv_create},
    {"cleave_trsv_create_from", trsv_create_from},
    {"cleave_trsv_solve", trsv_solve},
    {"cleave_trsv_solve_f", trsv_solve_f},
    {"cleave_trsv_solve_many", trsv_solve_many},
    {"cleave_trsv_solve_many_f", trsv_solve_many_f},
    {"cleave_trsv_solve_ordered", trsv_solve_ordered},
    {"cleave_trsv_solve_member", trsv_solve_member},
    {"cleave_trsv_update_values", trsv_update_values},
    {"cleave_trsv_update_values_f", trsv_update_values_f},
    {NULL, NULL},
};

static void silent(void)
{
    cleave_run_info info;
    cleave_triangle t;
    cleave_run_options_init(NULL, sizeof(cleave_run_options));
    cleave_run_info_init(NULL, sizeof(cleave_run_info));
    cleave_triangle_init(NULL, sizeof(cleave_triangle));
    cleave_triangle_of_matrix(NULL, sizeof(cleave_triangle), NULL);
    cleave_triangle_of_matrix(&t, sizeof t, NULL);
    CHECK(t.n == 0 && t.part == 1 && t.xadj == NULL);
    cleave_team_free(NULL);
    cleave_trsv_free(NULL);
    CHECK_EQ(cleave_team_size(NULL), 0);
    CHECK(cleave_trsv_order(NULL) == NULL);
    cleave_run_info_init(&info, sizeof info);
    cleave_trsv_info(NULL, &info);
    CHECK_STR(info.method, "");
    CHECK_EQ(info.threads, 0);
    cleave_trsv_info(NULL, NULL);
    cleave_trace_free(NULL);
    cleave_span_init(NULL, sizeof(cleave_span));
    CHECK(cleave_trace_seconds(NULL) == 0);
    CHECK(cleave_trace_threads(NULL) == 0 && cleave_trace_layers(NULL) == 0);
    CHECK_EQ(cleave_trace_count(NULL), 0);
}

const null_group null_run = {
    .functions = functions, .make = make, .drop = drop, .silent = silent};
