/* SPDX-License-Identifier: Apache-2.0 */
/* tests/matrix/factor_dense.h - small dense matrices, with which the products of factors are
 * compared. */
#ifndef CLV_TESTS_FACTOR_DENSE_H
#define CLV_TESTS_FACTOR_DENSE_H

#include <stdbool.h>

#include "base/rng.h"
#include "cleave/cleave.h"

enum { dense_most = 40 };

typedef struct dense {
    int32_t n;
    bool there[dense_most][dense_most];
    double val[dense_most][dense_most];
} dense;

/* A random pattern with a full diagonal of zeros; symmetric or not. */
void dense_pattern(dense *d, int32_t n, uint32_t percent, bool symmetric, clv_rng *rng);
/* Values in [-1, 1], the same on both sides of the diagonal; the diagonal is the sum of the
 * row's absolute values times `dominance` and a little more. */
void dense_symmetric_values(dense *d, double dominance, clv_rng *rng);
void dense_values(dense *d, double dominance, clv_rng *rng); /* each side its own */

/* The entries that are there; lower: not those above the diagonal. */
cleave_matrix *dense_to_matrix(const dense *d, bool lower);
void dense_from_matrix(dense *d, const cleave_matrix *a);

/* product = left * right, or left * right^T; `there` where it is not 0. */
void dense_multiply(dense *product, const dense *left, const dense *right, bool transposed);
/* Everything there is in scale * each other's neighbourhood: |a - b| <= 1e-12 (|a| + |b| + 1),
 * where `mask` has an entry (NULL: everywhere). */
bool dense_near(const dense *a, const dense *b, const dense *mask);
bool dense_same_pattern(const dense *a, const dense *b);

#endif
