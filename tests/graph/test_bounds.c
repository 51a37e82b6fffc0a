/* SPDX-License-Identifier: Apache-2.0 */
/* Bounds of parts: each operation against a loop that follows its definition. */
#include "graph/bounds.h"

#include <math.h>

#include "base/rng.h"
#include "support/test.h"

enum { most_parts = 24, most_con = 3, most_places = most_parts * most_con };

typedef struct sample {
    double share[most_places];
    int64_t max[most_places], min[most_places], weight[most_places];
    int32_t order[most_parts];
    clv_bounds b;
} sample;

static clv_ws ws;
static cleave_error err;

/* Some parts are idle, some have bounds of 0 in one constraint only. */
static void make_sample(sample *s, uint64_t seed)
{
    clv_rng rng = clv_rng_make(seed, 1, 2, 3);
    int32_t k = 1 + (int32_t)clv_rng_below(&rng, most_parts);
    int32_t ncon = 1 + (int32_t)clv_rng_below(&rng, most_con);
    for (int32_t i = 0; i < k * ncon; i++) {
        s->max[i] = clv_rng_below(&rng, 4) ? 1 + clv_rng_below(&rng, 1000) : 0;
        s->min[i] = clv_rng_below(&rng, (uint32_t)s->max[i] + 1);
        s->share[i] = seed % 7 == 0 ? 0 : (double)clv_rng_below(&rng, 1000) / 8;
        s->weight[i] = clv_rng_below(&rng, 1200);
    }
    if (seed % 11 == 0) { /* all parts are idle */
        memset(s->max, 0, sizeof s->max);
        memset(s->min, 0, sizeof s->min);
    }
    clv_rng_permutation(&rng, k, s->order);
    s->b = (clv_bounds){k, ncon, s->share, s->max, seed % 2 ? s->min : NULL};
}

static bool is_idle(const sample *s, int32_t p)
{
    int64_t sum = 0;
    for (int32_t c = 0; c < s->b.ncon; c++)
        sum += s->max[p * s->b.ncon + c];
    return sum == 0;
}

static int64_t outside(const sample *s, int32_t i)
{
    int64_t w = s->weight[i];
    if (w > s->max[i])
        return w - s->max[i];
    return s->b.min && w < s->min[i] ? s->min[i] - w : 0;
}

static void check_questions(const sample *s)
{
    int64_t all = 0;
    for (int32_t p = 0; p < s->b.nparts; p++) {
        int64_t own = 0;
        for (int32_t i = p * s->b.ncon; i < (p + 1) * s->b.ncon; i++) {
            CHECK_EQ(clv_bounds_excess(&s->b, i, s->weight[i]), outside(s, i));
            own += outside(s, i);
        }
        CHECK_EQ(clv_bounds_excess_of_part(&s->b, p, s->weight), own);
        CHECK_EQ(clv_bounds_is_idle(&s->b, p), is_idle(s, p));
        CHECK_EQ(clv_bounds_wants_vertex(&s->b, p), s->max[p * s->b.ncon] != 0);
        all += own;
    }
    CHECK_EQ(clv_bounds_overload(&s->b, s->weight), all);
}

/* ---- Copies ----------------------------------------------------------------------------- */

static void check_place(const clv_bounds *to, int64_t i, const sample *s, int64_t from)
{
    CHECK(to->share[i] == s->share[from]);
    CHECK_EQ(to->max[i], s->max[from]);
    CHECK_EQ(to->min != NULL, s->b.min != NULL);
    if (to->min)
        CHECK_EQ(to->min[i], s->min[from]);
}

static void check_copies(const sample *s)
{
    clv_bounds to;
    int32_t k = s->b.nparts, ncon = s->b.ncon;
    REQUIRE_OK(clv_bounds_permute(&to, &s->b, s->order, &ws, &err));
    CHECK(to.nparts == k && to.ncon == ncon);
    for (int32_t p = 0; p < k; p++)
        for (int32_t c = 0; c < ncon; c++)
            check_place(&to, p * ncon + c, s, s->order[p] * ncon + c);
    REQUIRE_OK(clv_bounds_first(&to, &s->b, &ws, &err));
    CHECK(to.nparts == k && to.ncon == 1);
    for (int32_t p = 0; p < k; p++)
        check_place(&to, p, s, p * ncon);
    REQUIRE_OK(clv_bounds_uniform(&to, k, 2.5, 7, &ws, &err));
    CHECK(to.nparts == k && to.ncon == 1 && !to.min);
    for (int32_t p = 0; p < k; p++)
        CHECK(to.share[p] == 2.5 && to.max[p] == 7);
}

static void check_lift(const sample *s)
{
    static const int64_t total[most_con] = {500, 0, 5000};
    clv_bounds to = s->b;
    REQUIRE_OK(clv_bounds_lift(&to, &to, total, &ws, &err));
    CHECK(to.share == s->share && to.min == s->b.min && to.max != s->max);
    for (int32_t p = 0; p < s->b.nparts; p++)
        for (int32_t c = 0; c < s->b.ncon; c++) {
            int64_t was = s->max[p * s->b.ncon + c], is = to.max[p * s->b.ncon + c];
            CHECK_EQ(is, was == 0 ? 0 : was > total[c] ? was : total[c]);
        }
}

/* ---- Vertices that are counted ---------------------------------------------------------- */

static bool is_near(double a, double b)
{
    return fabs(a - b) <= 1e-9 * (1 + fabs(b));
}

static void check_scaled(const sample *s)
{
    clv_bounds to;
    int32_t k = s->b.nparts, ncon = s->b.ncon, open = 0, n = 77;
    double shares = 0, sum = 0;
    for (int32_t p = 0; p < k; p++) {
        open += !is_idle(s, p);
        shares += s->share[p * ncon];
    }
    REQUIRE_OK(clv_bounds_scale_to_count(&to, &s->b, n, &ws, &err));
    CHECK(to.nparts == k && to.ncon == 1 && !to.min);
    for (int32_t p = 0; p < k; p++) {
        double part = shares > 0  ? s->share[p * ncon] / shares
                      : open == 0 ? 1.0 / k
                                  : !is_idle(s, p) / (double)open;
        CHECK(is_near(to.share[p], n * part));
        CHECK_EQ(to.max[p], open == 0 || !is_idle(s, p) ? n : 0);
        sum += to.share[p];
    }
    CHECK(is_near(sum, n));
}

static void check_singles(const sample *s)
{
    clv_bounds to;
    int32_t k = s->b.nparts, wanting = 0, n = 77;
    for (int32_t p = 0; p < k; p++)
        wanting += s->max[p * s->b.ncon] > 0;
    REQUIRE_OK(clv_bounds_singles(&to, &s->b, n, &ws, &err));
    CHECK(to.nparts == k && to.ncon == 1 && !to.min);
    for (int32_t p = 0; p < k; p++) {
        CHECK_EQ(to.max[p], s->max[p * s->b.ncon] > 0);
        if (wanting > 0)
            CHECK(is_near(to.share[p], to.max[p] ? (double)n / wanting : 0));
    }
}

/* ---- Ranges ----------------------------------------------------------------------------- */

static void check_range(const sample *s, const clv_bounds_ranges *r, const clv_bounds *to,
                        int32_t i, int32_t c)
{
    double share = 0, all = 0, most = 0, weight = r->weight[c];
    int64_t max = 0, min = 0, place = i * s->b.ncon + c;
    for (int32_t p = r->first[0]; p < r->first[r->count]; p++) {
        int32_t j = p * s->b.ncon + c;
        bool inside = p >= r->first[i] && p < r->first[i + 1];
        share += inside ? s->share[j] : 0;
        max += inside ? s->max[j] : 0;
        min += inside ? s->min[j] : 0;
        all += s->share[j];
        most += (double)s->max[j];
    }
    double own = all > 0 ? weight * share / all : weight / r->count;
    double slack = weight > 0 && most > weight ? pow(most / weight, 1.0 / r->depth) : 1;
    CHECK(is_near(to->share[place], own));
    CHECK(to->max[place] <= max &&
          fabs((double)to->max[place] - fmin(own * slack, (double)max)) <= 1 + 1e-6);
    if (s->b.min)
        CHECK_EQ(to->min[place], min);
}

static void check_split(const sample *s, uint64_t seed)
{
    clv_rng rng = clv_rng_make(seed, 4, 5, 6);
    clv_bounds to;
    int32_t k = s->b.nparts, first[most_parts + 1], count = 0;
    double weight[most_con];
    for (int32_t c = 0; c < most_con; c++)
        weight[c] = clv_rng_below(&rng, 5) ? (double)clv_rng_below(&rng, 8000) : 0;
    first[0] = (int32_t)clv_rng_below(&rng, (uint32_t)k);
    do {
        int32_t left = k - first[count];
        first[count + 1] = first[count] + 1 + (int32_t)clv_rng_below(&rng, (uint32_t)left);
    } while (first[++count] < k);
    clv_bounds_ranges ranges = {count, first, weight, 1 + (int)clv_rng_below(&rng, 5)};
    REQUIRE_OK(clv_bounds_split(&to, &s->b, &ranges, &ws, &err));
    CHECK(to.nparts == count && to.ncon == s->b.ncon &&
          (to.min != NULL) == (s->b.min != NULL));
    for (int32_t i = 0; i < count; i++)
        for (int32_t c = 0; c < s->b.ncon; c++)
            check_range(s, &ranges, &to, i, c);
}

static void test_operations(void)
{
    for (uint64_t seed = 0; seed < 3000; seed++) {
        sample s;
        clv_ws_mark mark = clv_ws_save(&ws);
        make_sample(&s, seed);
        check_questions(&s);
        check_copies(&s);
        check_lift(&s);
        check_scaled(&s);
        check_singles(&s);
        check_split(&s, seed);
        clv_ws_restore(&ws, mark);
    }
}

/* Sums of bounds that do not fit, and excesses that do not. */
static void test_large(void)
{
    static const int64_t max[] = {INT64_MAX / 2, INT64_MAX / 2, INT64_MAX / 2};
    static const int64_t weight[] = {0, 0, 0};
    static const int32_t first[] = {0, 2, 3};
    static const double share[] = {1, 1, 1}, all = 0x1p63;
    clv_bounds b = {3, 1, share, max, max}, to;
    clv_bounds_ranges ranges = {2, first, &all, 1};
    CHECK_EQ(clv_bounds_overload(&b, weight), CLV_MOST_WEIGHT);
    REQUIRE_OK(clv_bounds_split(&to, &b, &ranges, &ws, &err));
    CHECK(to.max[0] == CLV_MOST_WEIGHT && to.min[0] == CLV_MOST_WEIGHT);
    CHECK(to.max[1] <= CLV_MOST_WEIGHT && to.min[1] <= CLV_MOST_WEIGHT);
}

/* ---- Memory ----------------------------------------------------------------------------- */

enum { noperations = 7, many = 50000 }; /* each array is larger than what is left of a chunk */

static cleave_status call(int operation, const clv_bounds *b, const int32_t *order,
                          clv_ws *own)
{
    static const int64_t total = 9;
    static const double weight = 9;
    clv_bounds to;
    clv_bounds_ranges ranges = {b->nparts - 1, order, &weight, 1};
    switch (operation) {
    case 0:
        return clv_bounds_uniform(&to, b->nparts, 1, 1, own, &err);
    case 1:
        return clv_bounds_permute(&to, b, order, own, &err);
    case 2:
        return clv_bounds_first(&to, b, own, &err);
    case 3:
        return clv_bounds_lift(&to, b, &total, own, &err);
    case 4:
        return clv_bounds_scale_to_count(&to, b, 9, own, &err);
    case 5:
        return clv_bounds_singles(&to, b, 9, own, &err);
    default:
        return clv_bounds_split(&to, b, &ranges, own, &err);
    }
}

static void check_memory(int operation, const clv_bounds *b, const int32_t *order)
{
    test_oom_rounds oom = {0};
    while (test_oom_next(&oom)) {
        clv_ws own = {0};
        TEST_OOM(&oom, call(operation, b, order, &own));
        clv_ws_free(&own);
    }
    CHECK(oom.nth > 1 && oom.nth < 100);
}

static void test_out_of_memory(void)
{
    double *share = calloc(many, sizeof *share);
    int64_t *max = calloc(many, sizeof *max);
    int32_t *order = calloc(many, sizeof *order);
    REQUIRE(share && max && order);
    for (int32_t p = 0; p < many; p++)
        order[p] = p;
    clv_bounds b = {many, 1, share, max, max};
    for (int operation = 0; operation < noperations; operation++)
        check_memory(operation, &b, order);
    free(share);
    free(max);
    free(order);
}

int main(void)
{
    RUN(test_operations);
    RUN(test_large);
    RUN(test_out_of_memory);
    clv_ws_free(&ws);
    return test_end();
}
