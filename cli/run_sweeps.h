/* SPDX-License-Identifier: Apache-2.0 */
/* cli/run_sweeps.h - triangular systems: the serial reference solve, and products for
 * residuals. */
#ifndef CLI_RUN_SWEEPS_H
#define CLI_RUN_SWEEPS_H

#include "cli/cli.h"

/* op(T) of a triangle T of a matrix; entries outside T are ignored. */
typedef struct cli_sweep {
    const cleave_matrix *a;
    bool upper, unit, transpose;
} cli_sweep;

/* In the library's form; `val32` NULL: double. */
void cli_sweep_triangle(const cli_sweep *sweep, const float *val32, cleave_triangle *t);
/* y = op(T) x, directly from the entries of the matrix. */
void cli_sweep_multiply(const cli_sweep *sweep, double *y, const double *x);

/* op(T) in plain compressed rows, columns ascending, the diagonal among them. */
typedef struct cli_rows {
    int32_t n;
    bool backward, unit; /* unit: there is no diagonal */
    int64_t *xadj;
    int32_t *col;
    double *val; /* one of the two */
    float *val32;
} cli_rows;
void cli_rows_make(cli_rows *rows, const cli_sweep *sweep, bool single);
void cli_rows_free(cli_rows *rows);

/* Substitution row by row, columns ascending, one division; x and b may be the same. */
void cli_rows_solve(const cli_rows *rows, double *x, const double *b);
void cli_rows_solve_f(const cli_rows *rows, float *x, const float *b);
/* The minimum number of bytes that a solve reads and writes. */
int64_t cli_rows_bytes(const cli_rows *rows);
int64_t cli_rows_flops(const cli_rows *rows);

#endif
