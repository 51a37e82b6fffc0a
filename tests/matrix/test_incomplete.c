/* SPDX-License-Identifier: Apache-2.0 */
/* IC(0) and ILU(0): the product of the factors equals the matrix on its pattern, which
 * determines the factors uniquely. */
#include <math.h>
#include <time.h>

#include "matrix/factor_dense.h"
#include "support/test.h"

static cleave_error err;

/* ---- IC(0) ----------------------------------------------------------------------------- */

/* L L^T is the matrix with its diagonal raised by `shift`, on the pattern of L. */
static bool is_ic0(const cleave_matrix *l, const dense *d, double shift)
{
    static dense factor, product, want;
    dense_from_matrix(&factor, l);
    want = *d;
    for (int i = 0; i < d->n; i++) {
        want.val[i][i] *= 1 + shift;
        for (int j = i + 1; j < d->n; j++)
            want.there[i][j] = false;
        if (!(factor.val[i][i] > 0))
            return false;
    }
    dense_multiply(&product, &factor, &factor, true);
    return dense_same_pattern(&factor, &want) && dense_near(&product, &want, &factor);
}

static void test_ic0_random(void)
{
    static dense d;
    for (uint64_t seed = 0; seed < 600; seed += TEST_STRIDE) {
        clv_rng rng = clv_rng_make(seed, 1, 0, 0);
        int32_t n = (int32_t)clv_rng_below(&rng, dense_most + 1);
        dense_pattern(&d, n, 5 + clv_rng_below(&rng, 60), true, &rng);
        dense_symmetric_values(&d, 1, &rng);
        cleave_matrix *a = dense_to_matrix(&d, seed % 2 == 0), *l = NULL;
        double shift = -1;
        REQUIRE_OK(cleave_matrix_ic0(&l, a, NULL, &err));
        CHECK(is_ic0(l, &d, 0));
        cleave_matrix_free(l);
        REQUIRE_OK(cleave_matrix_ic0(&l, a, &shift, &err));
        CHECK(is_ic0(l, &d, 0) && shift == 0);
        cleave_matrix_free(l);
        cleave_matrix_free(a);
    }
}

/* IC(0) by definition, on the full matrix: the first row with a pivot <= 0; -1: none. */
static int oracle_breaks(const dense *d, double shift)
{
    static double l[dense_most][dense_most];
    memset(l, 0, sizeof l);
    for (int i = 0; i < d->n; i++)
        for (int j = 0; j <= i; j++) {
            double sum = d->val[i][j] * (i == j ? 1 + shift : 1);
            for (int k = 0; k < j; k++)
                sum -= l[i][k] * l[j][k];
            if (i == j && !(sum > 0))
                return i;
            if (d->there[i][j])
                l[i][j] = i == j ? sqrt(sum) : sum / l[j][j];
        }
    return -1;
}

/* Weak diagonals: the factorisation breaks down where the definition does, and goes through
 * with the smallest shift of the sequence. */
static void test_ic0_shift(void)
{
    static dense d;
    int broken = 0;
    for (uint64_t seed = 0; seed < 300; seed += TEST_STRIDE) {
        clv_rng rng = clv_rng_make(seed, 2, 0, 0);
        dense_pattern(&d, 2 + (int32_t)clv_rng_below(&rng, 30), 30, true, &rng);
        dense_symmetric_values(&d, 0.1 + 0.9 * clv_rng_unit(&rng), &rng);
        int row = oracle_breaks(&d, 0);
        double want = 0, shift = -1;
        while (oracle_breaks(&d, want) >= 0)
            want = want > 0 ? 2 * want : 0.001;
        cleave_matrix *a = dense_to_matrix(&d, false), *l = NULL;
        REQUIRE_OK(cleave_matrix_ic0(&l, a, &shift, &err));
        CHECK(shift == want && is_ic0(l, &d, shift));
        cleave_matrix_free(l);
        cleave_status status = cleave_matrix_ic0(&l, a, NULL, &err);
        CHECK_EQ(status, row < 0 ? CLEAVE_OK : CLEAVE_EINVAL);
        if (row >= 0) {
            char text[160];
            snprintf(text, sizeof text,
                     "the pivot of row %d (counted from 0) is not positive, so the matrix has "
                     "no incomplete Cholesky factor",
                     row);
            CHECK_STR(err.message, text);
            CHECK(l == NULL);
            broken++;
        }
        cleave_matrix_free(l);
        cleave_matrix_free(a);
    }
    CHECK(broken > 20 / TEST_STRIDE);
}

static void refused(cleave_status status, const cleave_matrix *a, const char *text)
{
    CHECK_EQ(status, CLEAVE_EINVAL);
    CHECK(a == NULL);
    CHECK_STR(err.message, text);
}

static cleave_matrix *small(const double *val, int32_t nrow, int32_t ncol)
{
    static int64_t xadj[8];
    static int32_t col[32];
    static double kept[32];
    int64_t k = 0;
    for (int32_t i = 0; i < nrow; i++) {
        for (int32_t j = 0; j < ncol; j++)
            if (val[i * ncol + j] != 0) {
                col[k] = j;
                kept[k++] = val[i * ncol + j];
            }
        xadj[i + 1] = k;
    }
    cleave_matrix_csr csr = {sizeof csr, nrow, ncol, xadj, col, kept};
    cleave_matrix *a = NULL;
    CHECK_OK(cleave_matrix_create(&a, &csr, &err));
    return a;
}

static void refuse_ic0(const double *val, int32_t nrow, int32_t ncol, const char *text)
{
    double shift = 7;
    cleave_matrix *a = small(val, nrow, ncol), *l = a;
    cleave_status status = cleave_matrix_ic0(&l, a, &shift, &err);
    refused(status, l, text);
    CHECK(shift == 7);
    cleave_matrix_free(a);
}

static void test_ic0_refuses(void)
{
    refuse_ic0((double[]){1, 2}, 1, 2, "the matrix is 1 x 2, not square");
    refuse_ic0((double[]){1, 2, 0, 1}, 2, 2,
               "row 0, column 1 (counted from 0) has an entry, but row 1, column 0 has none: "
               "the matrix is not symmetric");
    refuse_ic0((double[]){1, 2, 2, 0}, 2, 2,
               "row 1 (counted from 0) has no entry on the diagonal, so the matrix is not "
               "positive definite");
    refuse_ic0((double[]){-1, 0, 0, 1}, 2, 2,
               "the diagonal of row 0 (counted from 0) is not positive, so the matrix is not "
               "positive definite");
    refuse_ic0((double[]){1, 0, NAN, 1}, 2, 2,
               "the value in row 1, column 0 (counted from 0) is not a finite number");
    refuse_ic0((double[]){1e-300, 1e300, 1e300, 1e-300}, 2, 2,
               "the pivot of row 1 (counted from 0) is not positive, so the matrix has no "
               "incomplete Cholesky factor, whatever its diagonal is raised by");
}

/* ---- ILU(0) ---------------------------------------------------------------------------- */

static bool is_ilu0(const cleave_matrix *lu, const dense *d)
{
    static dense both, lower, upper, product;
    dense_from_matrix(&both, lu);
    lower = upper = both;
    for (int i = 0; i < d->n; i++)
        for (int j = 0; j < d->n; j++) {
            if (i <= j)
                lower.val[i][j] = i == j;
            if (i > j)
                upper.val[i][j] = 0;
        }
    dense_multiply(&product, &lower, &upper, false);
    return dense_same_pattern(&both, d) && dense_near(&product, d, d);
}

static void test_ilu0_random(void)
{
    static dense d;
    for (uint64_t seed = 0; seed < 600; seed += TEST_STRIDE) {
        clv_rng rng = clv_rng_make(seed, 3, 0, 0);
        int32_t n = (int32_t)clv_rng_below(&rng, dense_most + 1);
        dense_pattern(&d, n, 5 + clv_rng_below(&rng, 60), false, &rng);
        dense_values(&d, 1, &rng);
        cleave_matrix *a = dense_to_matrix(&d, false), *lu = NULL;
        REQUIRE_OK(cleave_matrix_ilu0(&lu, a, &err));
        CHECK(is_ilu0(lu, &d));
        cleave_matrix_free(lu);
        cleave_matrix_free(a);
    }
}

static void refuse_ilu0(const double *val, int32_t nrow, int32_t ncol, const char *text)
{
    cleave_matrix *a = small(val, nrow, ncol), *lu = a;
    cleave_status status = cleave_matrix_ilu0(&lu, a, &err);
    refused(status, lu, text);
    cleave_matrix_free(a);
}

static void test_ilu0_refuses(void)
{
    refuse_ilu0((double[]){1, 2}, 2, 1, "the matrix is 2 x 1, not square");
    refuse_ilu0((double[]){1, 2, 2, 0}, 2, 2,
                "row 1 (counted from 0) has no entry on the diagonal");
    refuse_ilu0((double[]){1, INFINITY, 2, 1}, 2, 2,
                "the value in row 0, column 1 (counted from 0) is not a finite number");
    refuse_ilu0((double[]){1, 2, 2, 4}, 2, 2,
                "the pivot of row 1 (counted from 0) is 0, so the matrix has no incomplete LU "
                "factors");
    refuse_ilu0(
        (double[]){1e-300, 1, 1e300, 4}, 2, 2,
        "the pivot of row 1 (counted from 0) is not a finite number, so the matrix has "
        "no incomplete LU factors");
}

/* ---- Memory and size ------------------------------------------------------------------- */

static void test_memory(void)
{
    static dense d;
    clv_rng rng = clv_rng_make(1, 4, 0, 0);
    dense_pattern(&d, 20, 30, true, &rng);
    dense_symmetric_values(&d, 0.5, &rng);
    cleave_matrix *a = dense_to_matrix(&d, false);
    for (int which = 0; which < 2; which++) {
        test_oom_rounds oom = {0};
        while (test_oom_next(&oom)) {
            cleave_matrix *out = a;
            double shift;
            cleave_status status =
                TEST_OOM(&oom, which ? cleave_matrix_ic0(&out, a, &shift, &err)
                                     : cleave_matrix_ilu0(&out, a, &err));
            CHECK(status == CLEAVE_OK || out == NULL);
            cleave_matrix_free(out);
        }
        CHECK(oom.failures > 3 && oom.failures < 100);
    }
    cleave_matrix_free(a);
}

/* The Laplacian of a grid of a million points: about a second each. */
static void test_grid(void)
{
    enum { side = TEST_STRIDE > 1 ? 200 : 1000 };
    int32_t n = side * side;
    int64_t *xadj = malloc(((size_t)n + 1) * sizeof *xadj), k = 0;
    int32_t *col = malloc((size_t)n * 5 * sizeof *col);
    double *val = malloc((size_t)n * 5 * sizeof *val);
    REQUIRE(xadj && col && val);
    for (int32_t i = 0; i < n; i++) {
        const int32_t next[] = {i >= side ? i - side : -1, i % side ? i - 1 : -1, i,
                                i % side < side - 1 ? i + 1 : -1,
                                i < n - side ? i + side : -1};
        xadj[i] = k;
        for (int e = 0; e < 5; e++)
            if (next[e] >= 0) {
                col[k] = next[e];
                val[k++] = e == 2 ? 4 : -1;
            }
    }
    xadj[n] = k;
    cleave_matrix_csr csr = {sizeof csr, n, n, xadj, col, val};
    cleave_matrix *a = NULL, *l = NULL, *lu = NULL;
    REQUIRE_OK(cleave_matrix_create(&a, &csr, &err));
    clock_t start = clock();
    REQUIRE_OK(cleave_matrix_ic0(&l, a, NULL, &err));
    clock_t middle = clock();
    REQUIRE_OK(cleave_matrix_ilu0(&lu, a, &err));
    printf("grid of %d rows: IC(0) %.2f s, ILU(0) %.2f s\n", (int)n,
           (double)(middle - start) / CLOCKS_PER_SEC,
           (double)(clock() - middle) / CLOCKS_PER_SEC);
    cleave_matrix_csr view = {.size = sizeof view};
    cleave_matrix_view(l, &view);
    CHECK_EQ(view.xadj[n], (k + n) / 2);
    cleave_matrix_free(a);
    cleave_matrix_free(l);
    cleave_matrix_free(lu);
    free(xadj);
    free(col);
    free(val);
}

int main(void)
{
    RUN(test_ic0_random);
    RUN(test_ic0_shift);
    RUN(test_ic0_refuses);
    RUN(test_ilu0_random);
    RUN(test_ilu0_refuses);
    RUN(test_memory);
    RUN(test_grid);
    return test_end();
}
