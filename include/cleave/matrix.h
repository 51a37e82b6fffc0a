/* SPDX-License-Identifier: Apache-2.0 */
/* cleave/matrix.h - sparse matrices with values, their factors, and vectors.
 *
 *     cleave_matrix *a = NULL, *factor = NULL;
 *     if (cleave_matrix_read(&a, "field.mtx", NULL, &err) == CLEAVE_OK)
 *         cleave_matrix_ic0(&factor, a, NULL, &err);
 *     cleave_matrix_free(factor);
 *     cleave_matrix_free(a);
 *
 * Triangular solves with the factors are in solve.h.  The pattern of a matrix is a graph:
 * cleave_graph_read reads the same files. */
#ifndef CLEAVE_MATRIX_H
#define CLEAVE_MATRIX_H

#include "cleave/graph.h"
#include "cleave/status.h"

#ifdef __cplusplus
extern "C" {
#endif

/* A sparse matrix with values in compressed rows, columns in ascending order. */
typedef struct cleave_matrix cleave_matrix;
typedef struct cleave_matrix_csr {
    size_t size;
    int32_t nrow, ncol;
    const int64_t *xadj; /* nrow + 1 */
    const int32_t *col;
    const double *val; /* 1.0 everywhere for pattern files */
} cleave_matrix_csr;
CLEAVE_API void cleave_matrix_csr_init(cleave_matrix_csr *csr, size_t size);
/* Reads a Matrix Market file; a symmetric or skew file is expanded to both triangles,
 * duplicate entries are summed.  Only opt->progress and opt->payload are used. */
CLEAVE_API cleave_status cleave_matrix_read(cleave_matrix **out, const char *path,
                                            const cleave_read_options *opt, cleave_error *err);
CLEAVE_API cleave_status cleave_matrix_create(cleave_matrix **out,
                                              const cleave_matrix_csr *csr, cleave_error *err);
CLEAVE_API void cleave_matrix_view(const cleave_matrix *a, cleave_matrix_csr *view);
/* Writes a Matrix Market file, "symmetric" if pattern and values are symmetric. */
CLEAVE_API cleave_status cleave_matrix_write(const cleave_matrix *a, const char *path,
                                             cleave_error *err);
CLEAVE_API void cleave_matrix_free(cleave_matrix *a);

/* ---- Factors -------------------------------------------------------------------------- */

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

/* The factor of cleave_graph_factor (generate.h) as a lower triangular matrix with its
 * diagonal and with random values: multiples of 1/256 in [-1, 0) below the diagonal, and on
 * the diagonal 1 more than the sum of the row's absolute values. */
CLEAVE_API cleave_status cleave_matrix_factor(cleave_matrix **out, const cleave_graph *g,
                                              const char *order, const int32_t *permutation,
                                              uint64_t seed, cleave_error *err);

/* ---- Vectors -------------------------------------------------------------------------- */

/* Files of right-hand sides and solutions: rows * columns numbers in column-major order, as a
 * Matrix Market array or (when reading) as plain numbers. */
CLEAVE_API cleave_status cleave_vectors_read(double *values, int32_t rows, int32_t columns,
                                             const char *path, cleave_error *err);
CLEAVE_API cleave_status cleave_vectors_write(const double *values, int32_t rows,
                                              int32_t columns, const char *path,
                                              cleave_error *err);

#ifdef __cplusplus
}
#endif

#endif
