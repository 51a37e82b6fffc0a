/* SPDX-License-Identifier: Apache-2.0 */
/* Every eigenvalue and eigenvector of small symmetric matrices, against Jacobi's method. */
#include <math.h>

#include "base/rng.h"
#include "order/fiedler_dense.h"
#include "order/spectral_oracle.h"
#include "support/test.h"

/* Largest |A x - value x| and |x x' - 1|, and of values against the oracle, over the size of
 * the matrix. */
static double worst_error(int32_t n, const double *a)
{
    size_t bytes = (size_t)n * (size_t)n * sizeof(double);
    double *x = sketch_alloc((int64_t)n * n, sizeof *x),
           *copy = sketch_alloc(n * n, sizeof *x);
    double *values = sketch_alloc(n, sizeof *x), *expected = sketch_alloc(n, sizeof *x);
    double *scratch = sketch_alloc((int64_t)n * (n + 3), sizeof *x), size = 1e-290, worst = 0;
    double *vectors = sketch_alloc((int64_t)n * n, sizeof *x);
    memcpy(x, a, bytes);
    memcpy(copy, a, bytes);
    for (int32_t i = 0; i < n * n; i++)
        size = fmax(size, fabs(a[i]));
    clv_dense_eigen(n, x, values, scratch);
    oracle_eigen(n, copy, expected, vectors);
    for (int32_t k = 0; k < n; k++) {
        worst = fmax(worst, fabs(values[k] - expected[k]) / size);
        CHECK(k == 0 || values[k - 1] <= values[k]);
        for (int32_t i = 0; i < n; i++) {
            double sum = -values[k] * x[k * n + i], dot = i == k ? -1 : 0;
            for (int32_t j = 0; j < n; j++) {
                sum += a[i * n + j] * x[k * n + j];
                dot += x[k * n + j] * x[i * n + j];
            }
            worst = fmax(worst, fmax(fabs(sum) / size, fabs(dot)));
            if (isnan(sum + dot))
                worst = HUGE_VAL;
        }
    }
    free(x), free(copy), free(values), free(expected), free(scratch), free(vectors);
    return worst;
}

static void test_random(void)
{
    double a[40 * 40];
    for (uint64_t seed = 0; seed < 400; seed += TEST_STRIDE) {
        clv_rng rng = clv_rng_make(seed, 1, 1, 1);
        int32_t n = 1 + (int32_t)clv_rng_below(&rng, 40);
        double scale = seed % 5 == 0 ? 1e100 : seed % 5 == 1 ? 1e-100 : 1;
        bool sparse = seed % 2, whole = seed % 7 < 3;
        for (int32_t i = 0; i < n; i++)
            for (int32_t j = 0; j <= i; j++) {
                double x = clv_rng_unit(&rng) - 0.5;
                if (whole) /* repeated values */
                    x = floor(4 * x);
                if (sparse && clv_rng_below(&rng, 4))
                    x = 0;
                a[i * n + j] = a[j * n + i] = scale * x;
            }
        CHECK(worst_error(n, a) < 1e-13 * (4 + n));
    }
}

static void test_special(void)
{
    double a[30 * 30] = {0};
    for (int32_t n = 1; n <= 30; n++) {
        memset(a, 0, sizeof a);
        CHECK(worst_error(n, a) == 0);
        for (int32_t i = 0; i < n; i++)
            a[i * n + i] = n - i;
        CHECK(worst_error(n, a) < 1e-15);
        for (int32_t i = 0; i < n * n; i++)
            a[i] = 1;
        CHECK(worst_error(n, a) < 1e-13);
        for (int32_t i = 0; i < n; i++) /* from 1 to 1e-29 */
            for (int32_t j = 0; j < n; j++)
                a[i * n + j] = pow(10, -(double)(i > j ? i : j));
        CHECK(worst_error(n, a) < 1e-13);
        memset(a, 0, sizeof a); /* Wilkinson: pairs of values that almost coincide */
        for (int32_t i = 0; i < n; i++) {
            a[i * n + i] = fabs((n - 1) / 2.0 - i);
            if (i + 1 < n)
                a[i * n + i + 1] = a[(i + 1) * n + i] = 1;
        }
        CHECK(worst_error(n, a) < 1e-13);
    }
}

int main(void)
{
    RUN(test_random);
    RUN(test_special);
    return test_end();
}
