/* SPDX-License-Identifier: Apache-2.0 */
/* matrix/ilu0.h - incomplete LU factorisation without fill. */
#ifndef CLV_MATRIX_ILU0_H
#define CLV_MATRIX_ILU0_H

#include "matrix/matrix.h"

/* Both factors in one matrix with the pattern of a: below the diagonal L, whose own diagonal
 * is 1; on and above it U.  L U = a on that pattern.  CLEAVE_EINVAL: a is not square, a value
 * is no number, or a diagonal is missing or becomes 0; the message names the row. O(sum over
 * the entries (i, k) below the diagonal of the length of row k). */
cleave_status clv_ilu0(clv_matrix **out, const clv_matrix *a, cleave_error *err);

#endif
