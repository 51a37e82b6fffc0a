/* SPDX-License-Identifier: Apache-2.0 */
/* matrix/cholesky.h - exact Cholesky factorization of a sparse matrix whose factor has a known
 * pattern. */
#ifndef CLV_MATRIX_CHOLESKY_H
#define CLV_MATRIX_CHOLESKY_H

#include "graph/graph.h"
#include "matrix/matrix.h"

/* L L^T = P a P^T, where row k of P a P^T is row order[k] of a; a has passed
 * clv_lower_half_check. pattern: the non-zeros of L below the diagonal as a DAG with an arc
 * from column j to row i for each.  CLEAVE_EINVAL: a pivot is not positive, so that a is not
 * positive definite; the message contains the row of a.  O(sum of the squares of the column
 * lengths of L). */
cleave_status clv_cholesky(clv_matrix **out, const clv_matrix *a, const int32_t *order,
                           const clv_graph *pattern, clv_ws *ws, cleave_error *err);

#endif
