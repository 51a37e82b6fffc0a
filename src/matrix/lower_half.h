/* SPDX-License-Identifier: Apache-2.0 */
/* matrix/lower_half.h - the lower triangle of a symmetric matrix, by which factorisations know
 * it.  The file may hold both triangles or this one alone. */
#ifndef CLV_MATRIX_LOWER_HALF_H
#define CLV_MATRIX_LOWER_HALF_H

#include "matrix/matrix.h"

/* Refuses what has no Cholesky factor at first sight: a matrix that is not square, a value
 * that is no number, an entry above the diagonal without one opposite, a diagonal that is not
 * positive.  Values above the diagonal are not looked at.  O(entries). */
cleave_status clv_lower_half_check(const clv_matrix *a, cleave_error *err);

/* Of row i: the number of entries up to the diagonal, which is the last of them. */
int64_t clv_lower_half_length(const clv_matrix *a, int32_t i);

#endif
