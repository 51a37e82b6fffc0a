/* SPDX-License-Identifier: Apache-2.0 */
/* cli/run_system.h - the system of `cleave run solve`: the triangle of a file, or the factors
 * of its matrix, one sweep or two. */
#ifndef CLI_RUN_SYSTEM_H
#define CLI_RUN_SYSTEM_H

#include "cli/run_sweeps.h"

typedef enum cli_system_kind {
    CLI_SYSTEM_ANY, /* the triangle of a triangular matrix, otherwise the lower one */
    CLI_SYSTEM_LOWER,
    CLI_SYSTEM_UPPER,
    CLI_SYSTEM_IC0,
    CLI_SYSTEM_ILU0,
    CLI_SYSTEM_FACTOR
} cli_system_kind;

typedef struct cli_system {
    cli_system_kind kind;
    bool transpose, unit;
    cleave_matrix *a;      /* of the file, or made dominant */
    cleave_matrix *factor; /* NULL: the triangle of the matrix itself */
    int32_t *order;        /* rows of the exact factor; NULL: as in the matrix */
    int32_t n;
    int sweeps; /* 1 or 2, one after the other */
    cli_sweep sweep[2];
    float *val32;          /* values of the matrix of the sweeps for plans; NULL: double */
    double shift;          /* of IC(0) */
    double seconds_factor; /* 0: no factorization */
} cli_system;

/* a, kind, transpose and unit are set; warns about changes of the matrix.  CLEAVE_EINVAL: the
 * matrix cannot be solved in this way. */
cleave_status cli_system_make(cli_system *s, cleave_error *err);
void cli_system_free(cli_system *s);
/* "lower triangle", "IC(0)", ... */
const char *cli_system_name(const cli_system *s);

/* ||b - A x|| / ||b|| in the numbering of the sweeps, with the largest of `columns`; A is the
 * product of the sweeps, of an exact factor the matrix itself. */
double cli_system_residual(const cli_system *s, const double *x, const double *b,
                           int32_t columns);

#endif
