/* SPDX-License-Identifier: Apache-2.0 */
/* engine/solve/exact_factor.h - exact Cholesky factors. */
#ifndef CLV_ENGINE_SOLVE_EXACT_FACTOR_H
#define CLV_ENGINE_SOLVE_EXACT_FACTOR_H

#include "matrix/matrix.h"

/* As cleave_matrix_cholesky; a has passed clv_lower_half_check.  natural: rows stay in their
 * order, otherwise minimum degree.  permutation may be NULL. */
cleave_status clv_exact_factor(clv_matrix **out, int32_t *permutation, const clv_matrix *a,
                               bool natural, cleave_error *err);

#endif
