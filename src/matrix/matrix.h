/* SPDX-License-Identifier: Apache-2.0 */
/* matrix/matrix.h - sparse matrices with values: compressed rows, columns ascending,
 * no duplicates. */
#ifndef CLV_MATRIX_MATRIX_H
#define CLV_MATRIX_MATRIX_H

#include "base/mem.h"

typedef struct cleave_matrix clv_matrix;
struct cleave_matrix {
    int32_t nrow, ncol;
    const int64_t *xadj;
    const int32_t *col;
    const double *val;
    clv_arena arena; /* owns the arrays and this struct */
};

/* Rows that become a matrix; arrays from clv_alloc. */
typedef struct clv_matrix_rows {
    int32_t nrow, ncol;
    int64_t *xadj; /* nrow + 1 */
    int32_t *col;
    double *val;
} clv_matrix_rows;
void clv_matrix_rows_free(clv_matrix_rows *rows); /* the arrays */

/* Takes over the arrays, also on failure.  Sorts the rows and sums duplicates in the given
 * order. */
cleave_status clv_matrix_build(clv_matrix **out, clv_matrix_rows rows, cleave_error *err);
/* The same from a copy of the caller's arrays.  CLEAVE_EINVAL: they are not a valid matrix. */
cleave_status clv_matrix_copy(clv_matrix **out, const cleave_matrix_csr *csr,
                              cleave_error *err);
void clv_matrix_free(clv_matrix *a);
/* Is the matrix square and equal to its transpose, bit for bit? */
cleave_status clv_matrix_is_symmetric(const clv_matrix *a, bool *symmetric, cleave_error *err);

#endif
