/* SPDX-License-Identifier: Apache-2.0 */
/* formats/matrix_market.h - Matrix Market files as matrices with values (as graphs they are
 * read through the table of formats.h). */
#ifndef CLV_FORMATS_MATRIX_MARKET_H
#define CLV_FORMATS_MATRIX_MARKET_H

#include "formats/input.h"
#include "formats/output.h"
#include "matrix/matrix.h"

/* Symmetric and skew-symmetric files are expanded; duplicates are summed in file order. */
cleave_status clv_matrix_market_read(clv_matrix **out, clv_input *in, cleave_error *err);
/* "symmetric" if the matrix is symmetric, otherwise "general". */
cleave_status clv_matrix_market_write(const clv_matrix *a, clv_output *out, cleave_error *err);

#endif
