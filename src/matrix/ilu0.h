/* SPDX-License-Identifier: Apache-2.0 */
/* matrix/ilu0.h - incomplete LU factorization without fill. */
#ifndef CLV_MATRIX_ILU0_H
#define CLV_MATRIX_ILU0_H

#include "matrix/matrix.h"

/* Both factors in one matrix with the pattern of a: L, with unit diagonal, below the diagonal,
 * U on and above it.  L U = a on that pattern.  CLEAVE_EINVAL: a is not square, a value is not
 * finite, or a diagonal entry is missing or becomes 0; the message contains the row.  O(sum
 * over the entries (i, k) below the diagonal of the length of row k). */
cleave_status clv_ilu0(clv_matrix **out, const clv_matrix *a, cleave_error *err);

#endif
