/* SPDX-License-Identifier: Apache-2.0 */
/* Plans of triangular solves: every schedule, number of threads and kind of synchronisation
 * gives the bits of the reference. */
#include <math.h>

#include "base/threads.h"
#include "run/tri_fixture.h"
#include "run/tri_stream.h"
#include "support/test.h"

static cleave_error err;

enum { teams = 4, most_columns = 19 };
static const int team_sizes[teams] = {1, 2, 3, 8};
static clv_team *team[teams];

/* Eight threads on two processors are slow when others work there too: fewer of those. */
static int draw_team(clv_rng *rng)
{
    return clv_rng_below(rng, 12) == 0 ? 3 : (int)clv_rng_below(rng, 3);
}

/* ---- Solving ------------------------------------------------------------------------- */

typedef struct job {
    clv_tri_plan *plan;
    void *x;
    const void *b;
    int32_t columns; /* 0: a single solve */
    int64_t ldx, ldb;
    int times;
} job;

static void work(void *context, int member, int size)
{
    const job *j = context;
    int32_t n = j->plan->n, threads = clv_tri_plan_threads(j->plan);
    int workers = n % 3 == 0 ? threads : 1 + n % threads; /* each may be several members */
    (void)size;
    if (member >= workers)
        return;
    for (int i = 0; i < j->times; i++)
        if (j->columns)
            clv_tri_plan_solve_many(
                j->plan, member, workers,
                &(clv_tri_vectors){j->columns, j->x, j->b, j->ldx, j->ldb});
        else if (workers < threads)
            clv_tri_plan_share(j->plan, member, workers, j->x, j->b);
        else
            clv_tri_plan_solve(j->plan, member, j->x, j->b);
}

static void run(clv_team *members, job j)
{
    j.times = j.times ? j.times : 1;
    clv_team_run(members, work, &j);
}

/* Equal bits, or both not a number. */
static bool same(const double *a, const double *b, int64_t n)
{
    for (int64_t i = 0; i < n; i++)
        if (memcmp(a + i, b + i, sizeof *a) != 0 && !(isnan(a[i]) && isnan(b[i])))
            return false;
    return true;
}

static bool same32(const float *a, const float *b, int64_t n)
{
    for (int64_t i = 0; i < n; i++)
        if (memcmp(a + i, b + i, sizeof *a) != 0 && !(isnan(a[i]) && isnan(b[i])))
            return false;
    return true;
}

/* Numbers of any size; wild: some that are none, and zeros of both signs. */
static void draw(double *b, float *b32, int64_t n, bool wild, clv_rng *rng)
{
    static const double odd[] = {INFINITY, -INFINITY, NAN, 0.0, -0.0, 1e308, 5e-324};
    for (int64_t i = 0; i < n; i++) {
        b[i] = clv_rng_unit(rng) * 4 - 2;
        if (wild && clv_rng_below(rng, 12) == 0)
            b[i] = odd[clv_rng_below(rng, 7)];
        b32[i] = (float)b[i];
    }
}

typedef struct vectors {
    int64_t ld, all;
    double *b, *x, *expected;
    float *b32, *x32, *expected32;
} vectors;

static vectors vectors_of(const tri_system *t, bool wild, clv_rng *rng)
{
    vectors v = {.ld = t->n + 3};
    v.all = v.ld * most_columns;
    size_t room = (size_t)v.all;
    v.b = malloc(room * sizeof *v.b);
    v.x = malloc(room * sizeof *v.x);
    v.expected = malloc(room * sizeof *v.expected);
    v.b32 = malloc(room * sizeof *v.b32);
    v.x32 = malloc(room * sizeof *v.x32);
    v.expected32 = malloc(room * sizeof *v.expected32);
    draw(v.b, v.b32, v.all, wild, rng);
    memcpy(v.expected, v.b, room * sizeof *v.b);
    memcpy(v.expected32, v.b32, room * sizeof *v.b32);
    for (int32_t k = 0; k < most_columns; k++) {
        tri_reference(t, v.expected + k * v.ld, v.b + k * v.ld);
        tri_reference32(t, v.expected32 + k * v.ld, v.b32 + k * v.ld);
    }
    return v;
}

static void vectors_free(vectors *v)
{
    free(v->b);
    free(v->x);
    free(v->expected);
    free(v->b32);
    free(v->x32);
    free(v->expected32);
}

/* ---- Checks of one plan ---------------------------------------------------------------- */

static void check_order(const clv_tri_plan *plan, int32_t n)
{
    const int32_t *order = clv_tri_plan_order(plan);
    char *met = calloc((size_t)n + 1, 1);
    for (int32_t i = 0; i < n; i++) {
        CHECK(order[i] >= 0 && order[i] < n && !met[order[i]]);
        met[order[i]] = 1;
    }
    free(met);
}

static void check_double(const tri_system *t, clv_tri_plan *plan, clv_team *members,
                         vectors *v, clv_rng *rng)
{
    const int32_t *order = clv_tri_plan_order(plan);
    int32_t columns = 1 + (int32_t)clv_rng_below(rng, most_columns);
    clv_tri_plan_values(plan, t->val);
    memset(v->x, 0x7f, sizeof *v->x * (size_t)v->all);
    run(members, (job){.plan = plan, .x = v->x, .b = v->b, .times = 2});
    CHECK(same(v->x, v->expected, t->n));
    memcpy(v->x, v->b, sizeof *v->x * (size_t)t->n);
    run(members, (job){.plan = plan, .x = v->x, .b = v->x});
    CHECK(same(v->x, v->expected, t->n));
    double *y = v->x + v->ld;
    for (int32_t i = 0; i < t->n; i++)
        y[i] = v->b[order[i]];
    run(members, (job){.plan = plan, .x = y});
    for (int32_t i = 0; i < t->n; i++)
        CHECK(same(y + i, v->expected + order[i], 1));
    memcpy(v->x, v->b, sizeof *v->x * (size_t)v->all); /* and nothing beyond the columns */
    run(members,
        (job){plan, v->x, clv_rng_below(rng, 2) ? v->x : v->b, columns, v->ld, v->ld, 1});
    for (int32_t k = 0; k < most_columns; k++)
        CHECK(same(v->x + k * v->ld, (k < columns ? v->expected : v->b) + k * v->ld, t->n));
}

static void check_float(const tri_system *t, clv_tri_plan *plan, clv_team *members, vectors *v,
                        clv_rng *rng)
{
    int32_t columns = 1 + (int32_t)clv_rng_below(rng, most_columns);
    clv_tri_plan_values(plan, t->val32);
    memset(v->x32, 0x7f, sizeof *v->x32 * (size_t)v->all);
    run(members, (job){.plan = plan, .x = v->x32, .b = v->b32, .times = 2});
    CHECK(same32(v->x32, v->expected32, t->n));
    memcpy(v->x32, v->b32, sizeof *v->x32 * (size_t)v->all);
    run(members, (job){plan, v->x32, clv_rng_below(rng, 2) ? v->x32 : v->b32, columns, v->ld,
                       v->ld, 1});
    for (int32_t k = 0; k < most_columns; k++)
        CHECK(same32(v->x32 + k * v->ld, (k < columns ? v->expected32 : v->b32) + k * v->ld,
                     t->n));
}

static void check_schedule(const tri_system *t, const clv_schedule *s, clv_sync sync,
                           clv_team *members, vectors *v, clv_rng *rng)
{
    clv_ws ws = {0};
    clv_tri_rows rows = tri_rows(t);
    for (int single = 0; single < 2; single++) {
        clv_tri_plan *plan;
        rows.single = single;
        REQUIRE_OK(clv_tri_plan_new(&plan, &rows, s, sync, &ws, &err));
        REQUIRE(clv_tri_plan_threads(plan) <= clv_team_size(members));
        CHECK(clv_tri_plan_sync(plan) == (sync == CLV_SYNC_AUTO ? CLV_SYNC_P2P : sync));
        CHECK(clv_tri_plan_threads(plan) > 1 || clv_tri_plan_waits(plan) == 0);
        CHECK(clv_tri_plan_bytes(plan) >= (single ? 4 : 8) * (t->xadj[t->n] + 2 * t->n));
        check_order(plan, t->n);
        plan->any_machine = clv_rng_below(rng, 3) == 0;
        if (single)
            check_float(t, plan, members, v, rng);
        else
            check_double(t, plan, members, v, rng);
        clv_tri_plan_free(plan);
    }
    clv_ws_free(&ws);
}

/* ---- Tests ----------------------------------------------------------------------------- */

static void test_random_schedules(void)
{
    for (uint64_t seed = 0; seed < 1000; seed += TEST_STRIDE) {
        clv_rng rng = clv_rng_make(seed, 1, 2, 3);
        tri_system t = tri_random(seed, seed % 10 == 0 ? 300 : 70);
        vectors v = vectors_of(&t, seed % 4 == 1, &rng);
        int k = draw_team(&rng);
        clv_schedule *s = tri_schedule(&t, team_sizes[k], seed % 2, &rng);
        REQUIRE(s);
        check_schedule(&t, s, (clv_sync)(seed / 4 % 4), team[k], &v, &rng);
        tri_schedule_free(s);
        vectors_free(&v);
        tri_free(&t);
    }
}

static void test_library_schedules(void)
{
    static const char *const methods[] = {"auto", "grow", "levels", "graphopt", "serial"};
    for (uint64_t seed = 0; seed < 200; seed += TEST_STRIDE) {
        clv_rng rng = clv_rng_make(seed, 4, 5, 6);
        tri_system t = tri_random(seed, 150);
        vectors v = vectors_of(&t, false, &rng);
        cleave_graph *g = tri_graph(&t);
        int k = draw_team(&rng);
        cleave_schedule_costs costs;
        cleave_schedule_costs_init(&costs, sizeof costs);
        costs.sync = 5; /* small systems, and threads pay all the same */
        cleave_schedule_options opt;
        cleave_schedule_options_init(&opt, sizeof opt);
        opt.threads = team_sizes[k];
        opt.method = methods[seed / 4 % 5];
        opt.costs = &costs;
        opt.workers = 1;
        opt.split_rows = seed % 2 && seed / 4 % 5 < 2;
        cleave_schedule *s;
        REQUIRE_OK(cleave_schedule_build(&s, g, &opt, &err));
        check_schedule(&t, s, (clv_sync)(seed / 3 % 4), team[k], &v, &rng);
        cleave_schedule_free(s);
        cleave_graph_free(g);
        vectors_free(&v);
        tri_free(&t);
    }
}

/* Two independent threads have no waits; a chain distributed alternately waits at each link,
 * and the kinds of waiting stand in the order one expects. */
static void test_waits(void)
{
    enum { n = 40 };
    int64_t xadj[n + 1] = {0};
    uint32_t source[n];
    int32_t col[n], layer[n], thread[n];
    clv_ws ws = {0};
    clv_schedule *s;
    clv_tri_plan *plan;
    clv_tri_rows rows = {.n = n, .xadj = xadj, .col = col, .source = source};
    for (int i = 0; i < n; i++) {
        layer[i] = i / 2;
        thread[i] = i % 2;
        source[i] = (uint32_t)i;
    }
    REQUIRE_OK(clv_schedule_given(&s, n, &(clv_schedule_spec){"x", 2, layer, thread, NULL},
                                  &ws, &err));
    static const clv_sync kinds[] = {CLV_SYNC_P2P, CLV_SYNC_STALE, CLV_SYNC_BARRIER};
    static const int64_t apart[] = {0, 0, 2 * (n / 2 - 1)};
    for (int k = 0; k < 3; k++) {
        REQUIRE_OK(clv_tri_plan_new(&plan, &rows, s, kinds[k], &ws, &err));
        CHECK_EQ(clv_tri_plan_waits(plan), apart[k]);
        clv_tri_plan_free(plan);
    }
    clv_schedule_free(s);
    for (int i = 0; i < n; i++) { /* row i reads row i - 1 */
        layer[i] = i;
        xadj[i + 1] = i;
        if (i)
            col[i - 1] = i - 1;
    }
    REQUIRE_OK(clv_schedule_given(&s, n, &(clv_schedule_spec){"x", 2, layer, thread, NULL},
                                  &ws, &err));
    for (int k = 0; k < 3; k++) {
        REQUIRE_OK(clv_tri_plan_new(&plan, &rows, s, kinds[k], &ws, &err));
        CHECK_EQ(clv_tri_plan_waits(plan), n - 1);
        clv_tri_plan_free(plan);
    }
    clv_schedule_free(s);
    clv_ws_free(&ws);
}

static void test_misfits(void)
{
    tri_system t = tri_random(8, 30), u = tri_random(16, 30);
    clv_rng rng = clv_rng_make(1, 1, 1, 1);
    clv_ws ws = {0};
    clv_tri_plan *plan;
    REQUIRE(t.n != u.n);
    clv_schedule *s = tri_schedule(&t, 2, true, &rng);
    clv_tri_rows rows = tri_rows(&u);
    CHECK_EQ(clv_tri_plan_new(&plan, &rows, s, CLV_SYNC_AUTO, &ws, &err), CLEAVE_EINVAL);
    CHECK(plan == NULL);
    rows = tri_rows(&t);
    ((int32_t *)s->share)[s->ntasks - 1]++;
    CHECK_EQ(clv_tri_plan_new(&plan, &rows, s, CLV_SYNC_AUTO, &ws, &err), CLEAVE_EINVAL);
    clv_tri_plan_free(NULL);
    tri_schedule_free(s);
    clv_ws_free(&ws);
    tri_free(&t);
    tri_free(&u);
}

/* New values are what the next solve uses; old ones leave nothing behind. */
static void test_values(void)
{
    tri_system t = tri_random(11, 200);
    clv_rng rng = clv_rng_make(3, 1, 1, 1);
    clv_ws ws = {0};
    clv_tri_plan *plan;
    clv_tri_rows rows = tri_rows(&t);
    clv_schedule *s = tri_schedule(&t, 3, true, &rng);
    REQUIRE_OK(clv_tri_plan_new(&plan, &rows, s, CLV_SYNC_AUTO, &ws, &err));
    for (int round = 0; round < 3; round++) {
        for (int64_t k = 0; k < t.nval; k++)
            t.val[k] *= 1.25;
        vectors v = vectors_of(&t, false, &rng);
        check_double(&t, plan, team[2], &v, &rng);
        vectors_free(&v);
    }
    clv_tri_plan_free(plan);
    tri_schedule_free(s);
    clv_ws_free(&ws);
    tri_free(&t);
}

static void test_memory(void)
{
    tri_system t = tri_random(19, 120);
    clv_rng rng = clv_rng_make(5, 1, 1, 1);
    clv_schedule *s = tri_schedule(&t, 3, true, &rng);
    clv_tri_rows rows = tri_rows(&t);
    int64_t live = test_alloc_live();
    for (int64_t nth = 1;; nth++) {
        clv_ws ws = {0};
        clv_tri_plan *plan;
        test_alloc_fail_at(nth);
        rows.single = nth % 2;
        cleave_status status = clv_tri_plan_new(&plan, &rows, s, CLV_SYNC_STALE, &ws, &err);
        bool reached = test_alloc_calls() >= nth;
        test_alloc_fail_at(0);
        CHECK_EQ(status, reached ? CLEAVE_ENOMEM : CLEAVE_OK);
        clv_tri_plan_free(plan);
        clv_ws_free(&ws);
        CHECK_EQ(test_alloc_live(), live);
        if (!reached)
            break;
        REQUIRE(nth < 1000);
    }
    tri_schedule_free(s);
    tri_free(&t);
}

int main(void)
{
    for (int k = 0; k < teams; k++)
        if (clv_team_create(&team[k], team_sizes[k], &err) != CLEAVE_OK)
            return EXIT_FAILURE;
    RUN(test_random_schedules);
    RUN(test_library_schedules);
    RUN(test_waits);
    RUN(test_misfits);
    RUN(test_values);
    RUN(test_memory);
    for (int k = 0; k < teams; k++)
        clv_team_free(team[k]);
    return test_end();
}
