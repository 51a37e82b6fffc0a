/* SPDX-License-Identifier: Apache-2.0 */
/* order/fiedler_dense.h - all eigenvalues and eigenvectors of a small symmetric matrix. */
#ifndef CLV_ORDER_FIEDLER_DENSE_H
#define CLV_ORDER_FIEDLER_DENSE_H

#include <stdint.h>

/* a: n * n, symmetric and finite; becomes the eigenvectors, one per row, of norm 1.  values:
 * n, ascending.  scratch: n * (n + 3) entries.  Eigenvectors of repeated eigenvalues are
 * orthogonal as well.  O(n^3); only + - * / and sqrt, in a fixed order. */
void clv_dense_eigen(int32_t n, double *a, double *values, double *scratch);

#endif
