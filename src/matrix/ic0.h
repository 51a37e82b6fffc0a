/* SPDX-License-Identifier: Apache-2.0 */
/* matrix/ic0.h - incomplete Cholesky factorization without fill. */
#ifndef CLV_MATRIX_IC0_H
#define CLV_MATRIX_IC0_H

#include "matrix/matrix.h"

/* L has the pattern of the lower triangle of a, which has passed clv_lower_half_check, and L
 * L^T = a + shift diag(a) on that pattern. shift NULL: 0, and CLEAVE_EINVAL if a pivot is not
 * positive; the message contains the row.  Otherwise *shift becomes the first of 0, 0.001,
 * 0.002, 0.004, ... for which all pivots are positive [Manteuffel, Math.  Comp.  1980].  O(sum
 * over the entries (i, k) of L of the length of row k) for each of them. */
cleave_status clv_ic0(clv_matrix **out, const clv_matrix *a, double *shift, cleave_error *err);

#endif
