/* SPDX-License-Identifier: Apache-2.0 */
/* matrix/cholesky.h - exact Cholesky factorisation of a sparse matrix whose factor has a known
 * pattern. */
#ifndef CLV_MATRIX_CHOLESKY_H
#define CLV_MATRIX_CHOLESKY_H

#include "graph/graph.h"
#include "matrix/matrix.h"

/* L L^T = P a P^T, where row k of P a P^T is row order[k] of a, which clv_lower_half_check has
 * passed.  pattern: the non-zeros of L below the diagonal as a DAG, an arc from column j to
 * row i for each.  CLEAVE_EINVAL names the row of a whose pivot is not positive: a is not
 * positive definite.  O(sum of the squares of the lengths of L's columns). */
cleave_status clv_cholesky(clv_matrix **out, const clv_matrix *a, const int32_t *order,
                           const clv_graph *pattern, clv_ws *ws, cleave_error *err);

#endif
