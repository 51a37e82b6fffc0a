/* SPDX-License-Identifier: Apache-2.0 */
/* cleave/matrix.h - factors of sparse matrices, for the triangular solves of cleave/run.h; a
 * part of cleave/cleave.h. */
#ifndef CLEAVE_MATRIX_H
#define CLEAVE_MATRIX_H

#ifndef CLEAVE_CLEAVE_H
#error "include <cleave/cleave.h>, which includes this header"
#endif

#ifdef __cplusplus
extern "C" {
#endif

/* ---- Factors ------------------------------------------------------------------- */

/* For a symmetric matrix the lower triangle is read; the upper triangle can be present, with
 * the same pattern, or absent.  Messages count rows from 0. */

/* Incomplete Cholesky factorisation without fill: a lower triangular L with the pattern of a,
 * and L L^T = a + shift diag(a) on that pattern.  shift NULL: 0, and CLEAVE_EINVAL names the
 * row whose pivot is not positive.  Else *shift is set to the first of 0, 0.001, 0.002, 0.004,
 * ... for which all pivots are positive.  CLEAVE_EINVAL also for a diagonal that is not
 * positive.  About O(non-zeros * non-zeros per row) for each shift. */
CLEAVE_API cleave_status cleave_matrix_ic0(cleave_matrix **out, const cleave_matrix *a,
                                           double *shift, cleave_error *err);

/* Incomplete LU factorisation without fill, for any square matrix: both factors in one matrix
 * with the pattern of a, L below the diagonal (with unit diagonal, not stored), U on and above
 * it; L U = a on that pattern.  CLEAVE_EINVAL names the row whose diagonal is missing or
 * becomes 0.  About O(non-zeros * non-zeros per row). */
CLEAVE_API cleave_status cleave_matrix_ilu0(cleave_matrix **out, const cleave_matrix *a,
                                            cleave_error *err);

/* Exact Cholesky factorisation of a symmetric positive definite matrix: the lower triangular L
 * with L L^T = P a P^T.  order: "mindeg" (the default for NULL; approximate minimum degree,
 * AMD) or "natural".  permutation: NULL, or set to the nrow rows of a in the order of
 * elimination: row k of L is row permutation[k] of a.  CLEAVE_EINVAL if a is not positive
 * definite; the message names the row and column of a where this was detected.  O(sum over the
 * columns of L of their length squared). */
CLEAVE_API cleave_status cleave_matrix_cholesky(cleave_matrix **out, int32_t *permutation,
                                                const cleave_matrix *a, const char *order,
                                                cleave_error *err);

/* ---- Vectors ------------------------------------------------------------------- */

/* Files of right-hand sides and solutions: rows * columns numbers in column-major order, as a
 * Matrix Market array or (when reading) as plain numbers. */
CLEAVE_API cleave_status cleave_vectors_read(double *values, int32_t rows, int32_t columns,
                                             const char *path, cleave_error *err);
CLEAVE_API cleave_status cleave_vectors_write(const double *values, int32_t rows,
                                              int32_t columns, const char *path,
                                              cleave_error *err);

/* ---- Memory -------------------------------------------------------------------- */

/* Measures the memory bandwidth of this many threads together (0: all that this process may
 * use): bytes read and written per second, the best of several passes of a = b + 3 c (STREAM
 * triad) over arrays larger than the caches.  Takes about 0.3 seconds and 200 megabytes. */
CLEAVE_API cleave_status cleave_bandwidth_measure(double *bytes_per_second, int threads,
                                                  cleave_error *err);

#ifdef __cplusplus
}
#endif

#endif
