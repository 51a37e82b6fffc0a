/* SPDX-License-Identifier: Apache-2.0 */
#include "matrix/factor_dense.h"

#include <math.h>

#include "support/test.h"

void dense_pattern(dense *d, int32_t n, uint32_t percent, bool symmetric, clv_rng *rng)
{
    memset(d, 0, sizeof *d);
    d->n = n;
    for (int i = 0; i < n; i++)
        for (int j = 0; j <= i; j++) {
            bool below = clv_rng_below(rng, 100) < percent;
            bool above = clv_rng_below(rng, 100) < percent;
            d->there[i][j] = i == j || below;
            d->there[j][i] = i == j || (symmetric ? below : above);
        }
}

static void set_diagonal(dense *d, double dominance)
{
    for (int i = 0; i < d->n; i++) {
        double sum = 0;
        for (int j = 0; j < d->n; j++)
            sum += i == j ? 0 : fabs(d->val[i][j]);
        d->val[i][i] = dominance * sum + 0.01;
    }
}

void dense_symmetric_values(dense *d, double dominance, clv_rng *rng)
{
    for (int i = 0; i < d->n; i++)
        for (int j = 0; j < i; j++)
            if (d->there[i][j])
                d->val[i][j] = d->val[j][i] = 2 * clv_rng_unit(rng) - 1;
    set_diagonal(d, dominance);
}

void dense_values(dense *d, double dominance, clv_rng *rng)
{
    for (int i = 0; i < d->n; i++)
        for (int j = 0; j < d->n; j++)
            if (d->there[i][j])
                d->val[i][j] = 2 * clv_rng_unit(rng) - 1;
    set_diagonal(d, dominance);
}

cleave_matrix *dense_to_matrix(const dense *d, bool lower)
{
    static int64_t xadj[dense_most + 1];
    static int32_t col[dense_most * dense_most];
    static double val[dense_most * dense_most];
    int64_t k = 0;
    for (int i = 0; i < d->n; i++) {
        xadj[i] = k;
        for (int j = 0; j < d->n; j++)
            if (d->there[i][j] && !(lower && j > i)) {
                col[k] = j;
                val[k++] = d->val[i][j];
            }
    }
    xadj[d->n] = k;
    cleave_matrix_csr csr = {sizeof csr, d->n, d->n, xadj, col, val};
    cleave_matrix *a = NULL;
    cleave_error err = {0};
    CHECK_OK(cleave_matrix_create(&a, &csr, &err));
    return a;
}

void dense_from_matrix(dense *d, const cleave_matrix *a)
{
    cleave_matrix_csr view = {.size = sizeof view};
    cleave_matrix_view(a, &view);
    memset(d, 0, sizeof *d);
    d->n = view.nrow;
    CHECK(view.nrow == view.ncol && view.nrow <= dense_most);
    for (int i = 0; i < view.nrow; i++)
        for (int64_t k = view.xadj[i]; k < view.xadj[i + 1]; k++) {
            CHECK(k == view.xadj[i] || view.col[k - 1] < view.col[k]);
            d->there[i][view.col[k]] = true;
            d->val[i][view.col[k]] = view.val[k];
        }
}

void dense_multiply(dense *product, const dense *left, const dense *right, bool transposed)
{
    memset(product, 0, sizeof *product);
    product->n = left->n;
    for (int i = 0; i < left->n; i++)
        for (int j = 0; j < left->n; j++) {
            double sum = 0;
            for (int k = 0; k < left->n; k++)
                sum += left->val[i][k] * (transposed ? right->val[j][k] : right->val[k][j]);
            product->val[i][j] = sum;
            product->there[i][j] = sum != 0;
        }
}

bool dense_near(const dense *a, const dense *b, const dense *mask)
{
    for (int i = 0; i < a->n; i++)
        for (int j = 0; j < a->n; j++) {
            double x = a->val[i][j], y = b->val[i][j];
            if ((!mask || mask->there[i][j]) &&
                !(fabs(x - y) <= 1e-12 * (fabs(x) + fabs(y) + 1)))
                return false;
        }
    return a->n == b->n;
}

bool dense_same_pattern(const dense *a, const dense *b)
{
    for (int i = 0; i < a->n; i++)
        for (int j = 0; j < a->n; j++)
            if (a->there[i][j] != b->there[i][j])
                return false;
    return a->n == b->n;
}
