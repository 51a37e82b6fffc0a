/* SPDX-License-Identifier: Apache-2.0 */
/* Exact factors: their product is the permuted matrix; matrices that are not positive definite
 * are rejected at the row where the textbook algorithm stops. */
#include <math.h>
#include <time.h>

#include "matrix/factor_dense.h"
#include "support/test.h"

static cleave_error err;

static bool is_permutation(const int32_t *order, int32_t n)
{
    bool seen[dense_most] = {false};
    for (int32_t k = 0; k < n; k++) {
        if (order[k] < 0 || order[k] >= n || seen[order[k]])
            return false;
        seen[order[k]] = true;
    }
    return true;
}

static void permute(dense *to, const dense *d, const int32_t *order)
{
    to->n = d->n;
    for (int i = 0; i < d->n; i++)
        for (int j = 0; j < d->n; j++) {
            to->there[i][j] = d->there[order[i]][order[j]];
            to->val[i][j] = d->val[order[i]][order[j]];
        }
}

/* The entries of the lower triangle that elimination in this order fills. */
static void fill(dense *d)
{
    for (int k = 0; k < d->n; k++)
        for (int i = k + 1; i < d->n; i++)
            for (int j = k + 1; j < d->n; j++)
                if (d->there[i][k] && d->there[k][j])
                    d->there[i][j] = true;
    for (int i = 0; i < d->n; i++)
        for (int j = i + 1; j < d->n; j++)
            d->there[i][j] = false;
}

static bool is_factor(const cleave_matrix *l, const dense *d, const int32_t *order)
{
    static dense factor, product, want;
    dense_from_matrix(&factor, l);
    permute(&want, d, order);
    fill(&want);
    dense_multiply(&product, &factor, &factor, true);
    for (int i = 0; i < d->n; i++)
        if (!(factor.val[i][i] > 0))
            return false;
    return dense_same_pattern(&factor, &want) && dense_near(&product, &want, NULL);
}

static void check_orders(const dense *d, bool lower)
{
    static const char *const orders[] = {NULL, "mindeg", "amd", "natural"};
    int32_t order[dense_most], first[dense_most];
    cleave_matrix *a = dense_to_matrix(d, lower);
    for (int o = 0; o < 4; o++) {
        cleave_matrix *l = NULL;
        REQUIRE_OK(cleave_matrix_cholesky(&l, order, a, orders[o], &err));
        CHECK(is_permutation(order, d->n) && is_factor(l, d, order));
        size_t bytes = (size_t)d->n * sizeof *order;
        if (o == 0)
            memcpy(first, order, bytes);
        CHECK(o == 3 || memcmp(first, order, bytes) == 0);
        for (int32_t k = 0; o == 3 && k < d->n; k++)
            CHECK_EQ(order[k], k);
        cleave_matrix_free(l);
        REQUIRE_OK(cleave_matrix_cholesky(&l, NULL, a, orders[o], &err));
        CHECK(is_factor(l, d, order));
        cleave_matrix_free(l);
    }
    cleave_matrix_free(a);
}

/* Diagonally dominant ones. */
static void test_random(void)
{
    static dense d;
    for (uint64_t seed = 0; seed < 300; seed += TEST_STRIDE) {
        clv_rng rng = clv_rng_make(seed, 1, 0, 0);
        int32_t n = (int32_t)clv_rng_below(&rng, dense_most + 1);
        dense_pattern(&d, n, clv_rng_below(&rng, 50), true, &rng);
        dense_symmetric_values(&d, 1, &rng);
        check_orders(&d, seed % 2 == 0);
    }
}

/* B B^T + 0.1: positive definite, not dominant. */
static void test_products(void)
{
    static dense b, d;
    for (uint64_t seed = 0; seed < 200; seed += TEST_STRIDE) {
        clv_rng rng = clv_rng_make(seed, 2, 0, 0);
        int32_t n = 1 + (int32_t)clv_rng_below(&rng, dense_most);
        dense_pattern(&b, n, 2 + clv_rng_below(&rng, 10), false, &rng);
        dense_values(&b, 0.2, &rng);
        dense_multiply(&d, &b, &b, true);
        for (int i = 0; i < n; i++) {
            d.val[i][i] += 0.1;
            d.there[i][i] = true;
        }
        check_orders(&d, false);
    }
}

/* The first pivot that is not positive; -1: there is none. */
static int oracle_breaks(const dense *d)
{
    static double l[dense_most][dense_most];
    for (int i = 0; i < d->n; i++)
        for (int j = 0; j <= i; j++) {
            double sum = d->val[i][j];
            for (int k = 0; k < j; k++)
                sum -= l[i][k] * l[j][k];
            if (i == j && !(sum > 0))
                return i;
            l[i][j] = i == j ? sqrt(sum) : sum / l[j][j];
        }
    return -1;
}

static void test_indefinite(void)
{
    static dense d, permuted;
    int broken = 0;
    for (uint64_t seed = 0; seed < 300; seed += TEST_STRIDE) {
        clv_rng rng = clv_rng_make(seed, 3, 0, 0);
        int32_t order[dense_most];
        dense_pattern(&d, 2 + (int32_t)clv_rng_below(&rng, 30), 20, true, &rng);
        dense_symmetric_values(&d, 1, &rng);
        cleave_matrix *a = dense_to_matrix(&d, false), *l = NULL;
        const char *how = seed % 2 ? "mindeg" : "natural";
        REQUIRE_OK(cleave_matrix_cholesky(&l, order, a, how, &err));
        cleave_matrix_free(a);
        cleave_matrix_free(l);
        dense_symmetric_values(&d, 0.3, &rng); /* the same pattern, so the same order */
        permute(&permuted, &d, order);
        int row = oracle_breaks(&permuted);
        a = dense_to_matrix(&d, false);
        l = a;
        int32_t first = order[0];
        order[0] = -7;
        cleave_status status = cleave_matrix_cholesky(&l, order, a, how, &err);
        CHECK_EQ(status, row < 0 ? CLEAVE_OK : CLEAVE_EINVAL);
        if (row >= 0) {
            char text[160];
            snprintf(text, sizeof text,
                     "the matrix is not positive definite: the pivot of row and column %d "
                     "(counted from 0) is not positive",
                     (int)(row > 0 ? order[row] : first));
            CHECK(l == NULL && order[0] == -7);
            CHECK_STR(err.message, text);
            broken++;
        }
        cleave_matrix_free(l);
        cleave_matrix_free(a);
    }
    CHECK(broken > 60 / TEST_STRIDE);
}

/* One dense block: columns are taken four at a time, up to the last few. */
static void test_full(void)
{
    static dense d;
    for (int32_t n = 0; n <= dense_most; n++) {
        clv_rng rng = clv_rng_make((uint64_t)n, 4, 0, 0);
        dense_pattern(&d, n, 100, true, &rng);
        dense_symmetric_values(&d, 1, &rng);
        check_orders(&d, true);
    }
}

static void test_refuses(void)
{
    static dense d;
    clv_rng rng = clv_rng_make(1, 5, 0, 0);
    dense_pattern(&d, 3, 100, true, &rng);
    dense_symmetric_values(&d, 1, &rng);
    cleave_matrix *a = dense_to_matrix(&d, false), *l = a;
    CHECK_EQ(cleave_matrix_cholesky(&l, NULL, a, "best", &err), CLEAVE_EINVAL);
    CHECK_STR(err.message, "order is \"best\"; expected natural or mindeg");
    CHECK(l == NULL);
    cleave_matrix_free(a);
    d.val[1][1] = 0;
    a = dense_to_matrix(&d, false);
    CHECK_EQ(cleave_matrix_cholesky(&l, NULL, a, NULL, &err), CLEAVE_EINVAL);
    CHECK_STR(err.message, "the diagonal of row 1 (counted from 0) is not positive, so the "
                           "matrix is not positive definite");
    cleave_matrix_free(a);
}

static void test_memory(void)
{
    static dense d;
    clv_rng rng = clv_rng_make(1, 6, 0, 0);
    dense_pattern(&d, 30, 20, true, &rng);
    dense_symmetric_values(&d, 1, &rng);
    cleave_matrix *a = dense_to_matrix(&d, false);
    test_oom_rounds oom = {.lenient = true}; /* of the memory given back */
    while (test_oom_next(&oom)) {
        cleave_matrix *l = a;
        cleave_status status = TEST_OOM(&oom, cleave_matrix_cholesky(&l, NULL, a, NULL, &err));
        CHECK(status == CLEAVE_OK || l == NULL);
        cleave_matrix_free(l);
    }
    CHECK(oom.failures > 7 && oom.failures < 1000);
    cleave_matrix_free(a);
}

/* The Laplacian of a cube: L L^T x = A x for a vector x, where it cannot be multiplied out. */
static void test_cube(void)
{
    enum { side = TEST_STRIDE > 1 ? 10 : 25, n = side * side * side };
    static int64_t xadj[n + 1];
    static int32_t col[4 * n], order[n];
    static double val[4 * n], x[n], ax[n], y[n], lly[n];
    int64_t k = 0;
    for (int32_t i = 0; i < n; i++) {
        const int32_t next[] = {i / (side * side) ? i - side * side : -1,
                                i / side % side ? i - side : -1, i % side ? i - 1 : -1, i};
        for (int e = 0; e < 4; e++)
            if (next[e] >= 0) {
                col[k] = next[e];
                val[k++] = e == 3 ? 6 : -1;
            }
        xadj[i + 1] = k;
    }
    cleave_matrix_csr csr = {sizeof csr, n, n, xadj, col, val}, view = {.size = sizeof view};
    cleave_matrix *a = NULL, *l = NULL;
    REQUIRE_OK(cleave_matrix_create(&a, &csr, &err));
    clock_t start = clock();
    REQUIRE_OK(cleave_matrix_cholesky(&l, order, a, NULL, &err));
    cleave_matrix_view(l, &view);
    printf("cube of %d rows: %lld non-zeros in %.2f s\n", (int)n, (long long)view.xadj[n],
           (double)(clock() - start) / CLOCKS_PER_SEC);
    for (int32_t i = 0; i < n; i++)
        x[i] = (double)((i * 37) % 101) - 50;
    for (int32_t i = 0; i < n; i++)
        for (int64_t p = xadj[i]; p < xadj[i + 1]; p++) {
            ax[i] += val[p] * x[col[p]];
            if (col[p] != i)
                ax[col[p]] += val[p] * x[i];
        }
    for (int32_t i = 0; i < n; i++)
        for (int64_t p = view.xadj[i]; p < view.xadj[i + 1]; p++)
            y[view.col[p]] += view.val[p] * x[order[i]];
    for (int32_t i = 0; i < n; i++)
        for (int64_t p = view.xadj[i]; p < view.xadj[i + 1]; p++)
            lly[i] += view.val[p] * y[view.col[p]];
    double worst = 0;
    for (int32_t i = 0; i < n; i++)
        worst = fmax(worst, fabs(lly[i] - ax[order[i]]));
    CHECK(worst < 1e-9);
    cleave_matrix_free(a);
    cleave_matrix_free(l);
}

int main(void)
{
    RUN(test_random);
    RUN(test_products);
    RUN(test_indefinite);
    RUN(test_full);
    RUN(test_refuses);
    RUN(test_memory);
    RUN(test_cube);
    return test_end();
}
