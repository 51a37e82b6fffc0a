/* SPDX-License-Identifier: Apache-2.0 */
/* Plans of triangular solves: one analysis for several triangles, several right-hand sides,
 * the plan's own order, the caller's threads, and the report of a plan. */
#include <math.h>

#include "api/trsv_systems.h"
#include "support/test.h"

static cleave_error err;
static const cleave_schedule_costs cheap = {.size = sizeof cheap, .sync = 3};
static const int thread_counts[] = {1, 2, 3, 8};

static cleave_run_options options(const char *method, int threads)
{
    cleave_run_options opt;
    cleave_run_options_init(&opt, sizeof opt);
    opt.method = method;
    opt.threads = threads;
    opt.costs = &cheap;
    return opt;
}

/* ---- One analysis for several ----------------------------------------------------------- */

/* Solves the same matrix by another triangle of it, from the plan of the first. */
static void check_from(cleave_trsv *from, const trsv_system *s, int upper, int transpose,
                       int expected)
{
    trsv_system other = *s;
    cleave_trsv *plan;
    int reused = -1;
    double *x = calloc((size_t)s->n + 1, sizeof *x);
    other.x = x;
    other.t.upper = upper;
    other.t.transpose = transpose;
    trsv_textbook(&other.t, x, other.b);
    REQUIRE_OK(cleave_trsv_create_from(&plan, from, &other.t, &reused, &err));
    if (expected >= 0)
        CHECK_EQ(reused, expected);
    CHECK(trsv_solves(plan, &other, false) && trsv_solves(plan, &other, true));
    CHECK(trsv_solves(from, s, false));
    cleave_trsv_free(plan);
    free(x);
}

/* A factor and its transpose, as after incomplete Cholesky. */
static void test_backward_sweep(void)
{
    static const char *const methods[] = {"grow", "levels", "auto", "serial", "graphopt"};
    for (int i = 0; i < 140; i += TEST_STRIDE) {
        trsv_system s = trsv_system_make(i % trsv_shapes, 100 + i, i % 4, (uint64_t)i);
        cleave_run_options opt = options(methods[i % 5], thread_counts[i / 5 % 4]);
        cleave_trsv *plan;
        opt.split_rows = 0;
        REQUIRE_OK(cleave_trsv_create(&plan, &s.t, &opt, &err));
        check_from(plan, &s, s.t.upper, 1, 1);
        check_from(plan, &s, s.t.upper, 0, 1);
        cleave_trsv_free(plan);
        trsv_system_free(&s);
    }
}

/* A schedule with split rows cannot be used for the transposed system. */
static void test_split_rows(void)
{
    trsv_system s = trsv_system_make(5, 200, 0, 5);
    cleave_run_options opt = options("grow", 2);
    cleave_run_info info;
    cleave_trsv *plan;
    opt.split_rows = 1;
    cleave_run_info_init(&info, sizeof info);
    REQUIRE_OK(cleave_trsv_create(&plan, &s.t, &opt, &err));
    cleave_trsv_info(plan, &info);
    CHECK(info.split_rows > 0 && info.split_rows < 200);
    CHECK(trsv_solves(plan, &s, false));
    check_from(plan, &s, 0, 0, 1);
    check_from(plan, &s, 0, 1, 0);
    cleave_trsv_free(plan);
    trsv_system_free(&s);
}

/* Both factors of an incomplete LU in one matrix, whose pattern is not symmetric: with `pair`
 * one schedule serves both, without it does so only by luck. */
static void test_pair(void)
{
    int refused = 0;
    for (int i = 0; i < 42; i += TEST_STRIDE)
        for (int pair = 0; pair < 2; pair++) {
            trsv_system s =
                trsv_system_make(i % trsv_shapes, 150, 16 | (i % 4) | (i % 3 ? 0 : 32), 9);
            cleave_run_options opt = options(i % 2 ? "grow" : "levels", thread_counts[i % 4]);
            cleave_trsv *plan;
            int reused = -1;
            opt.pair = pair;
            trsv_system_renew(&s, (uint64_t)i);
            for (int64_t k = 0; k < s.xadj[s.n]; k++) /* all of it counts here */
                s.val[k] = isfinite(s.val[k]) ? s.val[k] : 0.25;
            trsv_textbook(&s.t, s.x, s.b);
            REQUIRE_OK(cleave_trsv_create(&plan, &s.t, &opt, &err));
            CHECK(trsv_solves(plan, &s, false));
            check_from(plan, &s, !s.t.upper, 0, pair ? 1 : -1);
            check_from(plan, &s, !s.t.upper, 1, pair ? 1 : -1);
            cleave_triangle other = s.t;
            cleave_trsv *second;
            other.upper = !other.upper;
            REQUIRE_OK(cleave_trsv_create_from(&second, plan, &other, &reused, &err));
            refused += !reused;
            cleave_trsv_free(second);
            cleave_trsv_free(plan);
            trsv_system_free(&s);
        }
    CHECK(refused > 0); /* else this test shows nothing */
}

static void test_from_another_size(void)
{
    trsv_system small = trsv_system_make(6, 49, 0, 1), large = trsv_system_make(6, 121, 0, 2);
    cleave_run_options opt = options("levels", 2);
    cleave_trsv *plan, *other;
    int reused = -1;
    REQUIRE_OK(cleave_trsv_create(&plan, &small.t, &opt, &err));
    REQUIRE_OK(cleave_trsv_create_from(&other, plan, &large.t, &reused, &err));
    CHECK_EQ(reused, 0);
    CHECK(trsv_solves(other, &large, false));
    cleave_trsv_free(other);
    cleave_trsv_free(plan);
    trsv_system_free(&small);
    trsv_system_free(&large);
}

/* ---- Several right-hand sides, and the plan's order ------------------------------------- */

static void check_many(cleave_trsv *p, const trsv_system *s, int32_t nrhs, int64_t ldx,
                       int64_t ldb, bool in_place)
{
    int64_t n = s->n;
    size_t count = (size_t)nrhs * (size_t)(ldx > ldb ? ldx : ldb) + 1;
    double *b = calloc(count, sizeof *b), *x = calloc(count, sizeof *x);
    double *right = calloc((size_t)n + 1, sizeof *right);
    for (size_t i = 0; i < count; i++) {
        b[i] = 1.0 / (double)(i + 1);
        x[i] = in_place ? b[i] : 7;
    }
    CHECK_OK(cleave_trsv_solve_many(p, nrhs, x, ldx, in_place ? x : b, ldb, &err));
    bool same = true;
    for (int32_t r = 0; r < nrhs; r++) {
        trsv_textbook(&s->t, right, b + r * ldb);
        same = same && memcmp(x + r * ldx, right, (size_t)n * sizeof *x) == 0;
        for (int64_t i = n; i < ldx; i++) /* memory between columns is unchanged */
            same = same && x[r * ldx + i] == (in_place ? b[r * ldx + i] : 7);
    }
    CHECK(same);
    free(b);
    free(x);
    free(right);
}

static void test_many(void)
{
    static const int32_t counts[] = {1, 2, 5, 6, 7, 8, 9, 23};
    int stride = TEST_STRIDE > 1 ? 3 : 1;
    for (int i = 0; i < 56; i += stride) {
        trsv_system s = trsv_system_make(i % trsv_shapes, 90 + i, (i * 3) % 32, (uint64_t)i);
        cleave_run_options opt = options(i % 2 ? "grow" : "levels", thread_counts[i / 2 % 4]);
        cleave_trsv *p;
        opt.split_rows = i % 3 - 1;
        REQUIRE_OK(cleave_trsv_create(&p, &s.t, &opt, &err));
        check_many(p, &s, counts[i % 8], s.n, s.n, false);
        check_many(p, &s, counts[i % 8], s.n + 3, s.n + 5, false);
        check_many(p, &s, counts[i % 8], s.n + 1, s.n + 1, true);
        cleave_trsv_free(p);
        trsv_system_free(&s);
    }
}

static void test_many_float(void)
{
    trsv_system s = trsv_system_make(2, 130, 64, 4);
    cleave_run_options opt = options("grow", 3);
    cleave_trsv *p;
    float x[3 * 140], b[3 * 131];
    REQUIRE_OK(cleave_trsv_create(&p, &s.t, &opt, &err));
    for (int i = 0; i < 3 * 131; i++)
        b[i] = s.b32[i % 131 < 130 ? i % 131 : 0];
    CHECK_OK(cleave_trsv_solve_many_f(p, 3, x, 140, b, 131, &err));
    for (int r = 0; r < 3; r++)
        CHECK(memcmp(x + (ptrdiff_t)r * 140, s.x32, 130 * sizeof *x) == 0);
    cleave_trsv_free(p);
    trsv_system_free(&s);
}

static void test_order(void)
{
    for (int i = 0; i < 42; i += TEST_STRIDE) {
        trsv_system s = trsv_system_make(i % trsv_shapes, 120, i % 16, (uint64_t)i);
        cleave_run_options opt = options(i % 2 ? "grow" : "levels", thread_counts[i % 4]);
        cleave_trsv *p;
        double x[120];
        int seen[120] = {0}, twice = 0, wrong = 0;
        REQUIRE_OK(cleave_trsv_create(&p, &s.t, &opt, &err));
        const int32_t *order = cleave_trsv_order(p);
        for (int k = 0; k < 120; k++) {
            twice += seen[order[k]]++;
            x[k] = s.b[order[k]];
        }
        CHECK_EQ(twice, 0);
        CHECK_OK(cleave_trsv_solve_ordered(p, x, &err));
        for (int k = 0; k < 120; k++)
            wrong += memcmp(&x[k], &s.x[order[k]], sizeof *x) != 0;
        CHECK_EQ(wrong, 0);
        cleave_trsv_free(p);
        trsv_system_free(&s);
    }
}

/* ---- The report of a plan
 * ------------------------------------------------------------------- */

static void test_info(void)
{
    static const char *const syncs[] = {"barrier", "p2p", "stale"};
    trsv_system s = trsv_system_make(6, 225, 0, 1);
    for (int i = 0; i < 3; i++) {
        cleave_run_options opt = options("levels", 2);
        cleave_run_info info;
        cleave_trsv *p;
        opt.sync = syncs[i];
        cleave_run_info_init(&info, sizeof info);
        REQUIRE_OK(cleave_trsv_create(&p, &s.t, &opt, &err));
        cleave_trsv_info(p, &info);
        CHECK_STR(info.method, "levels");
        CHECK_STR(info.sync, syncs[i]);
        CHECK_EQ(info.threads, 2);
        CHECK_EQ(info.layers, 29); /* of 15 x 15 rows */
        CHECK_EQ(info.nonzeros, s.xadj[225]);
        CHECK(info.bytes > 12 * info.nonzeros && info.bytes < 100 * info.nonzeros);
        CHECK(info.seconds_analysis > 0 && info.seconds_analysis < 60);
        CHECK_EQ(info.split_rows, 0);
        cleave_trsv_free(p);
    }
    trsv_system_free(&s);
}

/* Small ones, chains, and those that are solved once are left to one thread. */
static void test_auto_is_serial(void)
{
    static const int shapes[] = {1, 6, 6};
    for (int i = 0; i < 3; i++) {
        trsv_system s = trsv_system_make(shapes[i], i == 1 ? 100 : 1600, 0, 1);
        cleave_run_options opt;
        cleave_run_info info;
        cleave_trsv *p;
        cleave_run_options_init(&opt, sizeof opt);
        opt.threads = 2;
        opt.expected_calls = i == 2;
        cleave_run_info_init(&info, sizeof info);
        REQUIRE_OK(cleave_trsv_create(&p, &s.t, &opt, &err));
        cleave_trsv_info(p, &info);
        CHECK_STR(info.method, "serial");
        CHECK_EQ(info.threads, 1);
        CHECK(trsv_solves(p, &s, false));
        cleave_trsv_free(p);
        trsv_system_free(&s);
    }
}

/* Large enough for several threads to analyse them, be it with rows to split (5: dense) or
 * without. */
static void test_auto_is_right(void)
{
    static const struct {
        int shape;
        int32_t n;
    } systems[] = {{3, 2500}, {4, 2500}, {5, 400}, {6, 2500}};
    for (int i = 0; i < 4; i++)
        for (int way = 0; way < 16; way += 8 * TEST_STRIDE) { /* forward, backward */
            trsv_system s = trsv_system_make(systems[i].shape, systems[i].n, way, 3);
            for (int threads = 1; threads <= 4; threads++) {
                cleave_run_options opt = options("auto", threads);
                cleave_trsv *p;
                REQUIRE_OK(cleave_trsv_create(&p, &s.t, &opt, &err));
                CHECK(trsv_solves(p, &s, false));
                CHECK(trsv_solves(p, &s, true));
                cleave_trsv_free(p);
            }
            trsv_system_free(&s);
        }
}

/* Two layers: a search cannot improve that.  The first half of the rows is alone, each of the
 * others reads three of them. */
static void test_shallow(void)
{
    enum { half = 40000, n = 2 * half, each = 4 };
    int64_t *xadj = malloc((n + 1) * sizeof *xadj), at = 0;
    int32_t *idx = malloc(n * each * sizeof *idx);
    double *val = malloc(n * each * sizeof *val), *b = malloc(n * sizeof *b),
           *x = malloc(n * sizeof *x), *expected = malloc(n * sizeof *expected);
    for (int32_t i = 0; i < n; i++) {
        xadj[i] = at;
        for (int32_t k = 0; i >= half && k < each - 1; k++) {
            idx[at] = (i - half) / 2 + k * (half / each);
            val[at++] = 0.25 * (k + 1);
        }
        idx[at] = i;
        val[at++] = 3;
        b[i] = i % 7 - 2.5;
    }
    xadj[n] = at;
    cleave_triangle t;
    cleave_triangle_init(&t, sizeof t);
    t.n = n;
    t.xadj = xadj;
    t.idx = idx;
    t.val = val;
    cleave_run_options opt = options("auto", 2);
    cleave_run_info info;
    cleave_trsv *p;
    cleave_run_info_init(&info, sizeof info);
    for (int32_t i = 0; i < n; i++) {
        double sum = b[i];
        for (int64_t k = xadj[i]; k < xadj[i + 1] - 1; k++)
            sum -= val[k] * expected[idx[k]];
        expected[i] = sum / 3;
    }
    REQUIRE_OK(cleave_trsv_create(&p, &t, &opt, &err));
    cleave_trsv_info(p, &info);
    CHECK(strcmp(info.method, info.threads > 1 ? "levels" : "serial") == 0);
    CHECK_OK(cleave_trsv_solve(p, x, b, &err));
    CHECK(memcmp(x, expected, n * sizeof *x) == 0);
    cleave_trsv_free(p);
    free(xadj);
    free(idx);
    free(val);
    free(b);
    free(x);
    free(expected);
}

/* Places of values have 32 bits.  Refused before anything is looked at. */
static void test_too_many_entries(void)
{
    static const int64_t xadj[] = {0, (int64_t)UINT32_MAX - 1};
    static const int32_t idx[] = {0};
    static const double val[] = {1};
    cleave_triangle t;
    cleave_trsv *p;
    cleave_triangle_init(&t, sizeof t);
    t.n = 1;
    t.xadj = xadj;
    t.idx = idx;
    t.val = val;
    CHECK_EQ(cleave_trsv_create(&p, &t, NULL, &err), CLEAVE_ERANGE);
    CHECK_STR(err.message,
              "4294967294 entries are too many for a plan, which has at most 4294967293");
}

static void test_matrix(void)
{
    static const int64_t xadj[] = {0, 2, 4};
    static const int32_t col[] = {0, 1, 0, 1};
    static const double val[] = {2, 1, 4, 8}, b[] = {2, 12};
    cleave_matrix_csr rows = {sizeof rows, 2, 2, xadj, col, val},
                      wide = {sizeof wide, 1, 2, xadj, col, val};
    cleave_matrix *a;
    cleave_triangle t;
    cleave_trsv *p;
    double x[2];
    REQUIRE_OK(cleave_matrix_create(&a, &rows, &err));
    cleave_triangle_of_matrix(&t, sizeof t, a);
    REQUIRE_OK(cleave_trsv_create(&p, &t, NULL, &err));
    CHECK_OK(cleave_trsv_solve(p, x, b, &err));
    CHECK(x[0] == 1 && x[1] == 1);
    cleave_trsv_free(p);
    cleave_matrix_free(a);
    REQUIRE_OK(cleave_matrix_create(&a, &wide, &err));
    cleave_triangle_of_matrix(&t, sizeof t, a);
    CHECK_EQ(cleave_trsv_create(&p, &t, NULL, &err), CLEAVE_EINVAL);
    cleave_matrix_free(a);
}

int main(void)
{
    RUN(test_backward_sweep);
    RUN(test_split_rows);
    RUN(test_pair);
    RUN(test_from_another_size);
    RUN(test_many);
    RUN(test_many_float);
    RUN(test_order);
    RUN(test_info);
    RUN(test_auto_is_serial);
    RUN(test_auto_is_right);
    RUN(test_shallow);
    RUN(test_too_many_entries);
    RUN(test_matrix);
    return test_end();
}
