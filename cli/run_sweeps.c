/* SPDX-License-Identifier: Apache-2.0 */
/* Triangular systems in compressed sparse rows. */
#include "cli/run_sweeps.h"

#include <stdlib.h>

static cleave_matrix_csr view_of(const cleave_matrix *a)
{
    cleave_matrix_csr view;
    cleave_matrix_csr_init(&view, sizeof view);
    cleave_matrix_view(a, &view);
    return view;
}

/* Whether op(T) has an entry at the position of this entry of the matrix. */
static bool belongs(const cli_sweep *s, int32_t row, int32_t col)
{
    if (row == col)
        return !s->unit;
    return s->upper ? col > row : col < row;
}

void cli_sweep_triangle(const cli_sweep *sweep, const float *val32, cleave_triangle *t)
{
    cleave_triangle_of_matrix(t, sizeof *t, sweep->a);
    t->upper = sweep->upper;
    t->unit = sweep->unit;
    t->transpose = sweep->transpose;
    if (val32) {
        t->val = NULL;
        t->val32 = val32;
    }
}

void cli_sweep_multiply(const cli_sweep *sweep, double *y, const double *x)
{
    cleave_matrix_csr a = view_of(sweep->a);
    for (int32_t i = 0; i < a.nrow; i++)
        y[i] = sweep->unit ? x[i] : 0;
    for (int32_t i = 0; i < a.nrow; i++)
        for (int64_t k = a.xadj[i]; k < a.xadj[i + 1]; k++)
            if (belongs(sweep, i, a.col[k])) {
                int32_t row = sweep->transpose ? a.col[k] : i;
                int32_t col = sweep->transpose ? i : a.col[k];
                y[row] += a.val[k] * x[col];
            }
}

/* ---- Rows ----------------------------------------------------------------------------- */

void cli_rows_make(cli_rows *rows, const cli_sweep *sweep, bool single)
{
    cleave_matrix_csr a = view_of(sweep->a);
    *rows = (cli_rows){.n = a.nrow,
                       .backward = sweep->upper != sweep->transpose,
                       .unit = sweep->unit,
                       .xadj = cli_alloc((int64_t)a.nrow + 2, sizeof *rows->xadj)};
    int64_t *next = rows->xadj + 1; /* two ahead while counting, one ahead while filling */
    for (int32_t i = 0; i < a.nrow; i++)
        for (int64_t k = a.xadj[i]; k < a.xadj[i + 1]; k++)
            next[(sweep->transpose ? a.col[k] : i) + 1] += belongs(sweep, i, a.col[k]);
    for (int32_t i = 0; i < a.nrow; i++)
        next[i + 1] += next[i];
    int64_t count = next[a.nrow];
    rows->col = cli_alloc(count, sizeof *rows->col);
    rows->val = single ? NULL : cli_alloc(count, sizeof *rows->val);
    rows->val32 = single ? cli_alloc(count, sizeof *rows->val32) : NULL;
    /* Rows of the matrix one after the other: columns ascend, transposed or not. */
    for (int32_t i = 0; i < a.nrow; i++)
        for (int64_t k = a.xadj[i]; k < a.xadj[i + 1]; k++) {
            if (!belongs(sweep, i, a.col[k]))
                continue;
            int64_t to = next[sweep->transpose ? a.col[k] : i]++;
            rows->col[to] = sweep->transpose ? i : a.col[k];
            if (single)
                rows->val32[to] = (float)a.val[k];
            else
                rows->val[to] = a.val[k];
        }
}

void cli_rows_free(cli_rows *rows)
{
    free(rows->xadj);
    free(rows->col);
    free(rows->val);
    free(rows->val32);
    *rows = (cli_rows){0};
}

/* One loop for both number types and the four kinds of triangles, without branches inside.
 * The diagonal is the last entry of a row of a lower triangle, the first of an upper one. */
#define SUBSTITUTE(values, backward, unit)                                                    \
    for (int32_t k = 0; k < n; k++) {                                                         \
        int32_t i = (backward) ? n - 1 - k : k;                                               \
        int64_t p = xadj[i] + (!(unit) && (backward));                                        \
        int64_t end = xadj[i + 1] - (!(unit) && !(backward));                                 \
        sum = b[i];                                                                           \
        for (; p < end; p++)                                                                  \
            sum -= (values)[p] * x[col[p]];                                                   \
        x[i] = (unit) ? sum : sum / (values)[(backward) ? xadj[i] : end];                     \
    }
#define SUBSTITUTE_ANY(values)                                                                \
    do {                                                                                      \
        if (rows->unit && rows->backward)                                                     \
            SUBSTITUTE(values, true, true)                                                    \
        else if (rows->unit)                                                                  \
            SUBSTITUTE(values, false, true)                                                   \
        else if (rows->backward)                                                              \
            SUBSTITUTE(values, true, false)                                                   \
        else                                                                                  \
            SUBSTITUTE(values, false, false)                                                  \
    } while (0)

void cli_rows_solve(const cli_rows *rows, double *x, const double *b)
{
    const int64_t *xadj = rows->xadj;
    const int32_t *col = rows->col, n = rows->n;
    const double *val = rows->val;
    double sum;
    SUBSTITUTE_ANY(val);
}

void cli_rows_solve_f(const cli_rows *rows, float *x, const float *b)
{
    const int64_t *xadj = rows->xadj;
    const int32_t *col = rows->col, n = rows->n;
    const float *val = rows->val32;
    float sum;
    SUBSTITUTE_ANY(val);
}

int64_t cli_rows_bytes(const cli_rows *rows)
{
    int64_t real = rows->val32 ? sizeof(float) : sizeof(double);
    return rows->xadj[rows->n] * (real + (int64_t)sizeof *rows->col) +
           rows->n * (2 * real + (int64_t)sizeof *rows->xadj);
}

int64_t cli_rows_flops(const cli_rows *rows)
{
    int64_t outside = rows->xadj[rows->n] - (rows->unit ? 0 : rows->n);
    return 2 * outside + (rows->unit ? 0 : rows->n);
}
