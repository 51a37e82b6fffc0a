/* SPDX-License-Identifier: Apache-2.0 */
/* Part of test_oom_api.c: teams and triangular solves. */
#include "api/oom_call.h"
#include "api/trsv_systems.h"

static cleave_error err;

/* Else so small a system is left to one thread. */
static const cleave_schedule_costs cheap = {.size = sizeof cheap, .sync = 1};

static cleave_run_options options(const char *detail)
{
    cleave_run_options opt;
    cleave_run_options_init(&opt, sizeof opt);
    opt.method = strstr(detail, "levels") ? "levels" : strstr(detail, "grow") ? "grow" : NULL;
    opt.threads = strstr(detail, "alone") ? 1 : 2;
    opt.costs = &cheap;
    opt.split_rows = strstr(detail, "split") ? 1 : strstr(detail, "trial") ? -1 : 0;
    opt.pair = strstr(detail, "pair") != NULL;
    opt.sync = strstr(detail, "barrier") ? "barrier" : NULL;
    return opt;
}

/* Columns, upper or transposed, part, shuffled, float: the cases with separate code. */
static trsv_system make_system(const char *detail)
{
    int way = 0;
    way |= strstr(detail, "columns") ? 1 : 0;
    way |= strstr(detail, "upper") ? 2 : 0;
    way |= strstr(detail, "pair") ? 16 : 0;
    way |= strstr(detail, "shuffled") ? 32 : 0;
    way |= strstr(detail, "float") ? 64 : 0;
    if (strstr(detail, "trial")) /* large enough for threads, if its rows are split */
        return trsv_system_make(5, 110, way, 3);
    return trsv_system_make(strstr(detail, "split") ? 5 : 6, 60, way, 3);
}

/* Made by each call before anything fails. */
static trsv_system s;
static cleave_run_options opt;

static void make(const char *detail)
{
    s = make_system(detail);
    opt = options(detail);
}

static void drop(void)
{
    trsv_system_free(&s);
}

static cleave_trsv *make_plan(void)
{
    cleave_trsv *plan = NULL;
    CHECK_OK(cleave_trsv_create(&plan, &s.t, &opt, &err));
    return plan;
}

static cleave_status plan_result(cleave_status status, cleave_trsv *plan, const trsv_system *s,
                                 uint64_t *result)
{
    CHECK((plan != NULL) == (status == CLEAVE_OK));
    if (plan)
        CHECK(trsv_solves(plan, s, false));
    *result = plan != NULL;
    cleave_trsv_free(plan);
    return status;
}

static cleave_status call_team(const char *detail, uint64_t *result, cleave_error *e)
{
    cleave_team *team = NULL;
    int32_t threads = strstr(detail, "alone") ? 1 : 2;
    cleave_status status = UNDER_TEST(cleave_team_create(&team, threads, e));
    *result = (uint64_t)cleave_team_size(team);
    cleave_team_free(team);
    return status;
}

static cleave_status call_create(const char *detail, uint64_t *result, cleave_error *e)
{
    (void)detail;
    cleave_trsv *plan = NULL;
    cleave_status status = UNDER_TEST(cleave_trsv_create(&plan, &s.t, &opt, e));
    return plan_result(status, plan, &s, result);
}

static cleave_status call_create_from(const char *detail, uint64_t *result, cleave_error *e)
{
    cleave_trsv *plan = NULL, *from = make_plan();
    bool differs = strstr(detail, "other") != NULL;
    trsv_system other = differs ? trsv_system_make(5, 60, 8, 4) : make_system(detail);
    int reused = -1;
    cleave_status status =
        UNDER_TEST(cleave_trsv_create_from(&plan, from, &other.t, &reused, e));
    if (status == CLEAVE_OK)
        CHECK_EQ(reused, !differs);
    status = plan_result(status, plan, &other, result);
    cleave_trsv_free(from);
    trsv_system_free(&other);
    return status;
}

static cleave_status solve(cleave_trsv *p, const char *detail, cleave_error *e)
{
    double x[120];
    float x32[120];
    if (strstr(detail, "update"))
        return UNDER_TEST(s.single ? cleave_trsv_update_values_f(p, s.val32, e)
                                   : cleave_trsv_update_values(p, s.val, e));
    if (strstr(detail, "many"))
        return UNDER_TEST(s.single ? cleave_trsv_solve_many_f(p, 1, x32, 60, s.b32, 60, e)
                                   : cleave_trsv_solve_many(p, 1, x, 60, s.b, 60, e));
    if (strstr(detail, "ordered"))
        return UNDER_TEST(cleave_trsv_solve_ordered(p, memcpy(x, s.b, 60 * sizeof *x), e));
    if (strstr(detail, "member"))
        return UNDER_TEST(cleave_trsv_solve_member(p, 0, x, s.b, e));
    return UNDER_TEST(s.single ? cleave_trsv_solve_f(p, x32, s.b32, e)
                               : cleave_trsv_solve(p, x, s.b, e));
}

/* Calls that must not allocate memory. */
static cleave_status call_solve(const char *detail, uint64_t *result, cleave_error *e)
{
    cleave_trsv *p = make_plan();
    cleave_status status = solve(p, detail, e);
    *result = 1;
    cleave_trsv_free(p);
    return status;
}

static cleave_status call_trace(const char *detail, uint64_t *result, cleave_error *e)
{
    (void)detail;
    cleave_trsv *p = make_plan();
    cleave_trace *trace = NULL;
    cleave_status status = UNDER_TEST(cleave_trsv_trace(&trace, p, e));
    CHECK_EQ(trace != NULL, status == CLEAVE_OK);
    *result = (uint64_t)cleave_trace_count(trace);
    cleave_trace_free(trace);
    cleave_trsv_free(p);
    return status;
}

static cleave_status call_span(const char *detail, uint64_t *result, cleave_error *e)
{
    (void)detail;
    cleave_trsv *p = make_plan();
    cleave_trace *trace = NULL;
    cleave_span span;
    cleave_span_init(&span, sizeof span);
    CHECK_OK(cleave_trsv_trace(&trace, p, &err));
    cleave_status status = UNDER_TEST(cleave_trace_span(trace, 0, &span, e));
    *result = (uint64_t)span.work;
    cleave_trace_free(trace);
    cleave_trsv_free(p);
    return status;
}

static cleave_status call_view(const char *detail, uint64_t *result, cleave_error *e)
{
    const char *path = oom_scratch(detail);
    const cleave_trace *traces[1] = {solve_trace};
    cleave_status status = UNDER_TEST(cleave_view_trace(path, 1, traces, NULL, e));
    return oom_file_result(status, path, result);
}

static const oom_entry entries[] = {
    {"cleave_trsv_trace", call_trace, "levels|grow split|float levels"},
    {"cleave_trace_span", call_span, "levels"},
    {"cleave_view_trace", call_view, "t.svg|t.html|t.json"},
    {"cleave_team_create", call_team, "|alone"},
    {"cleave_trsv_create", call_create,
     "|alone|trial|levels columns|grow upper|grow split|shuffled barrier|pair|float levels|"
     "upper columns pair shuffled"},
    {"cleave_trsv_create_from", call_create_from, "grow|grow split|levels other"},
    {"cleave_trsv_solve", call_solve, "levels"},
    {"cleave_trsv_solve_f", call_solve, "levels float"},
    {"cleave_trsv_solve_many", call_solve, "levels many"},
    {"cleave_trsv_solve_many_f", call_solve, "levels many float"},
    {"cleave_trsv_solve_ordered", call_solve, "levels ordered"},
    {"cleave_trsv_solve_member", call_solve, "serial member"},
    {"cleave_trsv_update_values", call_solve, "levels update"},
    {"cleave_trsv_update_values_f", call_solve, "levels update float"},
    {NULL, NULL, NULL},
};

const oom_group oom_run = {.entries = entries, .make = make, .drop = drop};
