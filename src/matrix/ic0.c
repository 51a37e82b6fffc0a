/* SPDX-License-Identifier: Apache-2.0 */
/* matrix/ic0.c - incomplete Cholesky factorisation without fill [Meijerink & van der Vorst,
 * Math. Comp. 1977], row by row.
 *
 * Entry (i, k) of L is that of the matrix less the product of rows i and k of L up to column
 * k, over the diagonal of row k.  Row i lies spread out in an array that is 0 elsewhere, so
 * that the product runs along row k alone. */
#include "matrix/ic0.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "matrix/lower_half.h"

static const double first_shift = 0.001;
/* Larger ones leave nothing of the matrix but its diagonal. */
static const double last_shift = 1e12;

typedef struct factor {
    int32_t n;
    int64_t *xadj;
    int32_t *col;
    double *val;
    double *row; /* n: zero but for the entries of the row at hand */
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

/* The row whose pivot is not positive; -1: all are. */
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

/* The pattern; false: out of memory. */
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
    if (status == CLEAVE_OK)
        return clv_matrix_build(out, f.n, f.n, f.xadj, f.col, f.val, err);
    clv_sys_free(f.xadj);
    clv_sys_free(f.col);
    clv_sys_free(f.val);
    return status;
}
