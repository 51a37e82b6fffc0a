/* SPDX-License-Identifier: Apache-2.0 */
/* The part of test_oom_api.c that is about teams and triangular solves. */
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

/* Columns, upper or transposed, part, shuffled, float: whatever takes another path. */
static trsv_system make(const char *detail)
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
    cleave_status status;
    UNDER_TEST(status, cleave_team_create(&team, strstr(detail, "alone") ? 1 : 2, e));
    *result = (uint64_t)cleave_team_size(team);
    cleave_team_free(team);
    return status;
}

static cleave_status call_create(const char *detail, uint64_t *result, cleave_error *e)
{
    trsv_system s = make(detail);
    cleave_run_options opt = options(detail);
    cleave_trsv *plan = NULL;
    cleave_status status;
    UNDER_TEST(status, cleave_trsv_create(&plan, &s.t, &opt, e));
    status = plan_result(status, plan, &s, result);
    trsv_system_free(&s);
    return status;
}

static cleave_status call_create_from(const char *detail, uint64_t *result, cleave_error *e)
{
    trsv_system s = make(detail), other;
    cleave_run_options opt = options(detail);
    cleave_trsv *plan = NULL, *from = NULL;
    cleave_status status;
    int reused = -1;
    CHECK_OK(cleave_trsv_create(&from, &s.t, &opt, &err));
    other = strstr(detail, "other") ? trsv_system_make(5, 60, 8, 4) : make(detail);
    UNDER_TEST(status, cleave_trsv_create_from(&plan, from, &other.t, &reused, e));
    if (status == CLEAVE_OK)
        CHECK_EQ(reused, !strstr(detail, "other"));
    status = plan_result(status, plan, &other, result);
    cleave_trsv_free(from);
    trsv_system_free(&s);
    trsv_system_free(&other);
    return status;
}

/* Calls that need no memory: none may be asked for. */
static cleave_status call_solve(const char *detail, uint64_t *result, cleave_error *e)
{
    trsv_system s = make(detail);
    cleave_run_options opt = options(detail);
    cleave_trsv *p = NULL;
    cleave_status status;
    double x[120];
    float x32[120];
    (void)e;
    CHECK_OK(cleave_trsv_create(&p, &s.t, &opt, &err));
    if (strstr(detail, "update"))
        UNDER_TEST(status, s.single ? cleave_trsv_update_values_f(p, s.val32, e)
                                    : cleave_trsv_update_values(p, s.val, e));
    else if (strstr(detail, "many"))
        UNDER_TEST(status, s.single ? cleave_trsv_solve_many_f(p, 1, x32, 60, s.b32, 60, e)
                                    : cleave_trsv_solve_many(p, 1, x, 60, s.b, 60, e));
    else if (strstr(detail, "ordered"))
        UNDER_TEST(status, cleave_trsv_solve_ordered(p, memcpy(x, s.b, 60 * sizeof *x), e));
    else if (strstr(detail, "member"))
        UNDER_TEST(status, cleave_trsv_solve_member(p, 0, x, s.b, e));
    else
        UNDER_TEST(status, s.single ? cleave_trsv_solve_f(p, x32, s.b32, e)
                                    : cleave_trsv_solve(p, x, s.b, e));
    *result = 1;
    cleave_trsv_free(p);
    trsv_system_free(&s);
    return status;
}

static cleave_status call_trace(const char *detail, uint64_t *result, cleave_error *e)
{
    trsv_system s = make(detail);
    cleave_run_options opt = options(detail);
    cleave_trsv *p = NULL;
    cleave_trace *trace = NULL;
    cleave_status status;
    CHECK_OK(cleave_trsv_create(&p, &s.t, &opt, &err));
    UNDER_TEST(status, cleave_trsv_trace(&trace, p, e));
    CHECK_EQ(trace != NULL, status == CLEAVE_OK);
    *result = (uint64_t)cleave_trace_count(trace);
    cleave_trace_free(trace);
    cleave_trsv_free(p);
    trsv_system_free(&s);
    return status;
}

static cleave_status call_span(const char *detail, uint64_t *result, cleave_error *e)
{
    trsv_system s = make(detail);
    cleave_run_options opt = options(detail);
    cleave_trsv *p = NULL;
    cleave_trace *trace = NULL;
    cleave_span span;
    cleave_status status;
    cleave_span_init(&span, sizeof span);
    CHECK_OK(cleave_trsv_create(&p, &s.t, &opt, &err));
    CHECK_OK(cleave_trsv_trace(&trace, p, &err));
    UNDER_TEST(status, cleave_trace_span(trace, 0, &span, e));
    *result = (uint64_t)span.work;
    cleave_trace_free(trace);
    cleave_trsv_free(p);
    trsv_system_free(&s);
    return status;
}

static cleave_status call_view(const char *detail, uint64_t *result, cleave_error *e)
{
    cleave_status status;
    const char *path = oom_scratch(detail);
    const cleave_trace *traces[1] = {solve_trace};
    UNDER_TEST(status, cleave_view_trace(path, 1, traces, NULL, e));
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
};

const oom_entry *oom_run_entries(int *count)
{
    *count = sizeof entries / sizeof *entries;
    return entries;
}
