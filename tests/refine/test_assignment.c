/* SPDX-License-Identifier: Apache-2.0 */
/* Assignments against all permutations. */
#include "base/rng.h"
#include "refine/placement/assignment.h"
#include "support/test.h"

enum { most = 7 };

static int64_t sum_of(int32_t n, const int64_t *value, const int32_t *at)
{
    int64_t sum = 0;
    for (int32_t i = 0; i < n; i++)
        sum += value[i * n + at[i]];
    return sum;
}

/* The largest sum of allowed pairs over all permutations of the rows from `row` on. */
static int64_t best_of_all(int32_t n, const int64_t *value, int32_t row, unsigned taken)
{
    int64_t best = -1;
    if (row == n)
        return 0;
    for (int32_t j = 0; j < n; j++) {
        if (taken >> j & 1 || value[row * n + j] < 0)
            continue;
        int64_t rest = best_of_all(n, value, row + 1, taken | 1u << j);
        if (rest >= 0 && rest + value[row * n + j] > best)
            best = rest + value[row * n + j];
    }
    return best;
}

static bool is_permutation(int32_t n, const int32_t *at)
{
    unsigned seen = 0;
    for (int32_t i = 0; i < n; i++)
        seen |= at[i] >= 0 && at[i] < n ? 1u << at[i] : 0;
    return seen == (1u << n) - 1;
}

/* Values of a given size, some pairs not allowed, but (i, i) always. */
static void draw(clv_rng *rng, int32_t n, int64_t largest, int64_t *value, int32_t *at)
{
    uint32_t forbidden = clv_rng_below(rng, 10);
    for (int32_t i = 0; i < n; i++) {
        at[i] = i;
        for (int32_t j = 0; j < n; j++) {
            bool refused = i != j && clv_rng_below(rng, 10) < forbidden;
            value[i * n + j] =
                refused ? -1 : (int64_t)(clv_rng_u64(rng) % (uint64_t)(largest + 1));
        }
    }
}

static void test_all_permutations(void)
{
    static const int64_t sizes[] = {0, 1, 3, 100, INT64_C(1) << 40, INT64_C(1) << 57};
    int changed = 0;
    for (uint64_t seed = 0; seed < 3000; seed += TEST_STRIDE) {
        clv_rng rng = clv_rng_make(seed, 1, 2, 3);
        int64_t value[most * most];
        int32_t at[most], n = (int32_t)clv_rng_below(&rng, most + 1);
        clv_ws ws = {0};
        cleave_error err = {0};
        draw(&rng, n, sizes[clv_rng_below(&rng, 6)], value, at);
        int64_t before = sum_of(n, value, at);
        CHECK_OK(clv_assignment_solve(n, value, &ws, at, &err));
        CHECK(is_permutation(n, at));
        CHECK_EQ(sum_of(n, value, at), best_of_all(n, value, 0, 0));
        for (int32_t i = 0; i < n; i++)
            CHECK(value[i * n + at[i]] >= 0);
        changed += sum_of(n, value, at) > before;
        clv_ws_free(&ws);
    }
    CHECK(changed > 0);
}

/* Beyond what can be added up: nearly the best, and allowed. */
static void test_huge_values(void)
{
    int64_t value[4] = {1, INT64_MAX, INT64_MAX, 1};
    int32_t at[2] = {0, 1};
    clv_ws ws = {0};
    cleave_error err = {0};
    CHECK_OK(clv_assignment_solve(2, value, &ws, at, &err));
    CHECK(at[0] == 1 && at[1] == 0);
    clv_ws_free(&ws);
}

/* ---- Very many -------------------------------------------------------------------------- */

typedef struct matrix {
    int32_t n;
    const int64_t *value;
} matrix;

static bool is_allowed(const void *context, int32_t i, int32_t j)
{
    const matrix *x = context;
    return x->value[i * x->n + j] >= 0;
}

static void test_greedy(void)
{
    int better = 0, best = 0;
    for (uint64_t seed = 0; seed < 1000; seed += TEST_STRIDE) {
        clv_rng rng = clv_rng_make(seed, 4, 5, 6);
        int64_t value[most * most], count = 0;
        int32_t at[most], n = 1 + (int32_t)clv_rng_below(&rng, most);
        clv_assignment_pair pairs[most * most];
        clv_ws ws = {0};
        cleave_error err = {0};
        draw(&rng, n, 50, value, at);
        for (int32_t i = n; i-- > 0;) /* in any order */
            for (int32_t j = 0; j < n; j++)
                if (value[i * n + j] > 0)
                    pairs[count++] = (clv_assignment_pair){i, j, value[i * n + j]};
        int64_t before = sum_of(n, value, at), optimum = best_of_all(n, value, 0, 0);
        matrix context = {n, value};
        const clv_sparse_assignment large = {n, count, pairs, is_allowed, &context};
        CHECK_OK(clv_assignment_greedy(&large, &ws, at, &err));
        int64_t after = sum_of(n, value, at);
        CHECK(is_permutation(n, at));
        for (int32_t i = 0; i < n; i++)
            CHECK(value[i * n + at[i]] >= 0);
        CHECK(after >= before && after <= optimum);
        better += after > before;
        best += after == optimum;
        clv_ws_free(&ws);
    }
    CHECK(better > 0 && best > 0);
}

/* If all pairs have the same value, nothing is exchanged. */
static void test_greedy_stays(void)
{
    enum { n = 4 };
    int64_t value[n * n], count = 0;
    int32_t at[n];
    clv_assignment_pair pairs[n * n];
    clv_ws ws = {0};
    cleave_error err = {0};
    for (int32_t i = 0; i < n; i++) {
        at[i] = (i + 1) % n;
        for (int32_t j = 0; j < n; j++) {
            value[i * n + j] = 5;
            pairs[count++] = (clv_assignment_pair){i, j, 5};
        }
    }
    matrix context = {n, value};
    const clv_sparse_assignment large = {n, count, pairs, is_allowed, &context};
    CHECK_OK(clv_assignment_greedy(&large, &ws, at, &err));
    for (int32_t i = 0; i < n; i++)
        CHECK_EQ(at[i], (i + 1) % n);
    clv_ws_free(&ws);
}

static void test_memory(void)
{
    int64_t value[most * most];
    int32_t at[most];
    clv_assignment_pair pair = {0, 1, 5};
    matrix context = {most, value};
    const clv_sparse_assignment large = {most, 1, &pair, is_allowed, &context};
    clv_rng rng = clv_rng_make(1, 1, 1, 1);
    draw(&rng, most, 9, value, at);
    for (int greedy = 0; greedy < 2; greedy++) {
        for (test_oom_rounds oom = {0}; test_oom_next(&oom);) {
            clv_ws ws = {0};
            cleave_error err = {0};
            TEST_OOM(&oom, greedy ? clv_assignment_greedy(&large, &ws, at, &err)
                                  : clv_assignment_solve(most, value, &ws, at, &err));
            clv_ws_free(&ws);
        }
    }
}

int main(void)
{
    RUN(test_all_permutations);
    RUN(test_huge_values);
    RUN(test_greedy);
    RUN(test_greedy_stays);
    RUN(test_memory);
    return test_end();
}
