/* SPDX-License-Identifier: Apache-2.0 */
/* matrix/lower_half.h - the lower triangle of a symmetric matrix, the input of factorizations.
 * The matrix may have both triangles or only the lower one. */
#ifndef CLV_MATRIX_LOWER_HALF_H
#define CLV_MATRIX_LOWER_HALF_H

#include "matrix/matrix.h"

/* Refuses matrices that obviously have no Cholesky factor: not square, a value that is not
 * finite, an entry above the diagonal without an opposite, a diagonal entry that is not
 * positive.  Values above the diagonal are not compared.  O(entries). */
cleave_status clv_lower_half_check(const clv_matrix *a, cleave_error *err);

/* The number of entries in row i up to and including the diagonal. */
int64_t clv_lower_half_length(const clv_matrix *a, int32_t i);

#endif
