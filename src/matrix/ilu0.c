/* SPDX-License-Identifier: Apache-2.0 */
/* matrix/ilu0.c - incomplete LU factorization without fill [Meijerink & van der Vorst 1977;
 * Saad, Iterative methods for sparse linear systems, chapter 10], row by row.
 *
 * Row i is reduced by the rows k < i of its entries, in ascending order; entries outside its
 * pattern are dropped.  `place` has the positions of the columns in row i. */
#include "matrix/ilu0.h"

#include <math.h>
#include <string.h>

typedef struct factors {
    int32_t n;
    int64_t *xadj;
    int32_t *col;
    double *val;
    int64_t *diagonal; /* by row: index of the diagonal */
    int64_t *place;    /* by column: index in the current row; -1: not in the row */
} factors;

static cleave_status find_diagonals(const factors *f, cleave_error *err)
{
    for (int32_t i = 0; i < f->n; i++) {
        f->diagonal[i] = -1;
        f->place[i] = -1;
        for (int64_t p = f->xadj[i]; p < f->xadj[i + 1]; p++) {
            if (f->col[p] == i)
                f->diagonal[i] = p;
            if (!isfinite(f->val[p]))
                return clv_fail(err, CLEAVE_EINVAL,
                                "the value in row %d, column %d (counted from 0) is not a "
                                "finite number",
                                (int)i, (int)f->col[p]);
        }
        if (f->diagonal[i] < 0)
            return clv_fail(err, CLEAVE_EINVAL,
                            "row %d (counted from 0) has no entry on the diagonal", (int)i);
    }
    return CLEAVE_OK;
}

/* Subtracts the multiple of row k from row i that eliminates its entry at p. */
static void eliminate_entry(const factors *f, int64_t p)
{
    int32_t k = f->col[p];
    double multiple = f->val[p] / f->val[f->diagonal[k]];
    f->val[p] = multiple;
    for (int64_t q = f->diagonal[k] + 1; q < f->xadj[k + 1]; q++) {
        int64_t to = f->place[f->col[q]];
        if (to >= 0)
            f->val[to] -= multiple * f->val[q];
    }
}

static cleave_status factor_rows(const factors *f, cleave_error *err)
{
    for (int32_t i = 0; i < f->n; i++) {
        for (int64_t p = f->xadj[i]; p < f->xadj[i + 1]; p++)
            f->place[f->col[p]] = p;
        for (int64_t p = f->xadj[i]; p < f->diagonal[i]; p++)
            eliminate_entry(f, p);
        for (int64_t p = f->xadj[i]; p < f->xadj[i + 1]; p++)
            f->place[f->col[p]] = -1;
        double pivot = f->val[f->diagonal[i]];
        if (pivot == 0 || !isfinite(pivot))
            return clv_fail(err, CLEAVE_EINVAL,
                            "the pivot of row %d (counted from 0) %s, so the matrix has no "
                            "incomplete LU factors",
                            (int)i, pivot == 0 ? "is 0" : "is not a finite number");
    }
    return CLEAVE_OK;
}

/* Copies a; false: out of memory. */
static bool allocate(factors *f, const clv_matrix *a)
{
    int64_t n = f->n = a->nrow, nnz = a->xadj[n];
    f->xadj = clv_alloc(n + 1, sizeof *f->xadj);
    f->col = clv_alloc(nnz, sizeof *f->col);
    f->val = clv_alloc(nnz, sizeof *f->val);
    f->diagonal = clv_alloc(n, sizeof *f->diagonal);
    f->place = clv_alloc(n, sizeof *f->place);
    if (!f->xadj || !f->col || !f->val || !f->diagonal || !f->place)
        return false;
    memcpy(f->xadj, a->xadj, (size_t)(n + 1) * sizeof *f->xadj);
    if (nnz > 0) {
        memcpy(f->col, a->col, (size_t)nnz * sizeof *f->col);
        memcpy(f->val, a->val, (size_t)nnz * sizeof *f->val);
    }
    return true;
}

cleave_status clv_ilu0(clv_matrix **out, const clv_matrix *a, cleave_error *err)
{
    *out = NULL;
    if (a->nrow != a->ncol)
        return clv_fail(err, CLEAVE_EINVAL, "the matrix is %d x %d, not square", (int)a->nrow,
                        (int)a->ncol);
    factors f = {0};
    cleave_status status = allocate(&f, a) ? find_diagonals(&f, err) : clv_fail_memory(err);
    if (status == CLEAVE_OK)
        status = factor_rows(&f, err);
    clv_sys_free(f.diagonal);
    clv_sys_free(f.place);
    clv_matrix_rows rows = {f.n, f.n, f.xadj, f.col, f.val};
    if (status == CLEAVE_OK)
        return clv_matrix_build(out, rows, err);
    clv_matrix_rows_free(&rows);
    return status;
}
