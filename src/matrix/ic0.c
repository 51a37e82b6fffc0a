/* SPDX-License-Identifier: Apache-2.0 */
/* matrix/ic0.c - incomplete Cholesky factorization without fill [Meijerink & van der Vorst,
 * Math.  Comp.  1977], row by row.
 *
 * Entry (i, k) of L is the entry of the matrix minus the product of rows i and k of L up to
 * column k, divided by the diagonal of row k.  Row i is scattered into a dense array, so that
 * the product only runs along row k. */
#include "matrix/ic0.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "matrix/lower_half.h"

static const double first_shift = 0.001;
/* With larger shifts the matrix is practically its diagonal. */
static const double last_shift = 1e12;

typedef struct factor {
    int32_t n;
    int64_t *xadj;
    int32_t *col;
    double *val;
    double *row; /* n: zero except for the entries of the current row */
} factor;

static void copy_values(const factor *f, const clv_matrix *a, double shift)
{
    for (int32_t i = 0; i < f->n; i++) {
        int64_t length = f->xadj[i + 1] - f->xadj[i];
        memcpy(f->val + f->xadj[i], a->val + a->xadj[i], (size_t)length * sizeof *f->val);
        f->val[f->xadj[i + 1] - 1] *= 1 + shift;
    }
}

/* False: the pivot is not positive. */
static bool factor_row(const factor *f, int32_t i)
{
    int64_t begin = f->xadj[i], diagonal = f->xadj[i + 1] - 1;
    double pivot = f->val[diagonal];
    for (int64_t p = begin; p < diagonal; p++) {
        int32_t k = f->col[p];
        int64_t end = f->xadj[k + 1] - 1;
        double value = f->val[p];
        for (int64_t q = f->xadj[k]; q < end; q++)
            value -= f->val[q] * f->row[f->col[q]];
        value /= f->val[end];
        f->val[p] = f->row[k] = value;
        pivot -= value * value;
    }
    for (int64_t p = begin; p < diagonal; p++)
        f->row[f->col[p]] = 0;
    if (!(pivot > 0 && pivot <= DBL_MAX))
        return false;
    f->val[diagonal] = sqrt(pivot);
    return true;
}

/* The row whose pivot is not positive; -1: none. */
static int32_t factor_rows(const factor *f, const clv_matrix *a, double shift)
{
    copy_values(f, a, shift);
    for (int32_t i = 0; i < f->n; i++)
        if (!factor_row(f, i))
            return i;
    return -1;
}

static cleave_status find_shift(const factor *f, const clv_matrix *a, double *shift,
                                cleave_error *err)
{
    double now = 0;
    int32_t stuck = factor_rows(f, a, now);
    while (stuck >= 0 && shift && now < last_shift) {
        now = now > 0 ? 2 * now : first_shift;
        stuck = factor_rows(f, a, now);
    }
    if (stuck >= 0)
        return clv_fail(err, CLEAVE_EINVAL,
                        "the pivot of row %d (counted from 0) is not positive, so the matrix "
                        "has no incomplete Cholesky factor%s",
                        (int)stuck, shift ? ", whatever its diagonal is raised by" : "");
    if (shift)
        *shift = now;
    return CLEAVE_OK;
}

/* Copies the pattern; false: out of memory. */
static bool allocate(factor *f, const clv_matrix *a)
{
    f->n = a->nrow;
    f->xadj = clv_alloc((int64_t)f->n + 1, sizeof *f->xadj);
    f->row = clv_zalloc(f->n, sizeof *f->row);
    if (!f->xadj || !f->row)
        return false;
    f->xadj[0] = 0;
    for (int32_t i = 0; i < f->n; i++)
        f->xadj[i + 1] = f->xadj[i] + clv_lower_half_length(a, i);
    f->col = clv_alloc(f->xadj[f->n], sizeof *f->col);
    f->val = clv_alloc(f->xadj[f->n], sizeof *f->val);
    if (!f->col || !f->val)
        return false;
    for (int32_t i = 0; i < f->n; i++)
        memcpy(f->col + f->xadj[i], a->col + a->xadj[i],
               (size_t)(f->xadj[i + 1] - f->xadj[i]) * sizeof *f->col);
    return true;
}

cleave_status clv_ic0(clv_matrix **out, const clv_matrix *a, double *shift, cleave_error *err)
{
    *out = NULL;
    factor f = {0};
    cleave_status status =
        allocate(&f, a) ? find_shift(&f, a, shift, err) : clv_fail_memory(err);
    clv_sys_free(f.row);
    clv_matrix_rows rows = {f.n, f.n, f.xadj, f.col, f.val};
    if (status == CLEAVE_OK)
        return clv_matrix_build(out, rows, err);
    clv_matrix_rows_free(&rows);
    return status;
}
