/* SPDX-License-Identifier: Apache-2.0 */
/* matrix/lower_half.c - the lower triangle of a symmetric matrix. */
#include "matrix/lower_half.h"

#include <math.h>
#include <string.h>

/* Index of the first entry of row i with a column >= c. */
static int64_t lower_bound(const clv_matrix *a, int32_t i, int32_t c)
{
    int64_t low = a->xadj[i], high = a->xadj[i + 1];
    while (low < high) {
        int64_t middle = low + (high - low) / 2;
        if (a->col[middle] < c)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

int64_t clv_lower_half_length(const clv_matrix *a, int32_t i)
{
    return lower_bound(a, i, i + 1) - a->xadj[i];
}

static cleave_status check_row(const clv_matrix *a, int32_t i, int64_t length,
                               cleave_error *err)
{
    const int32_t *col = a->col + a->xadj[i];
    const double *val = a->val + a->xadj[i];
    for (int64_t k = 0; k < length; k++)
        if (!isfinite(val[k]))
            return clv_fail(err, CLEAVE_EINVAL,
                            "the value in row %d, column %d (counted from 0) is not a finite "
                            "number",
                            (int)i, (int)col[k]);
    if (length == 0 || col[length - 1] != i)
        return clv_fail(err, CLEAVE_EINVAL,
                        "row %d (counted from 0) has no entry on the diagonal, so the matrix "
                        "is not positive definite",
                        (int)i);
    if (!(val[length - 1] > 0))
        return clv_fail(err, CLEAVE_EINVAL,
                        "the diagonal of row %d (counted from 0) is not positive, so the "
                        "matrix is not positive definite",
                        (int)i);
    return CLEAVE_OK;
}

/* Rows are visited in order, so the position of row i in the rows below only moves forward. */
static cleave_status check_opposites(const clv_matrix *a, cleave_error *err)
{
    int64_t *cursor = clv_alloc(a->nrow, sizeof *cursor);
    if (!cursor)
        return clv_fail_memory(err);
    if (a->nrow > 0)
        memcpy(cursor, a->xadj, (size_t)a->nrow * sizeof *cursor);
    cleave_status status = CLEAVE_OK;
    for (int32_t i = 0; status == CLEAVE_OK && i < a->nrow; i++)
        for (int64_t k = a->xadj[i] + clv_lower_half_length(a, i); k < a->xadj[i + 1]; k++) {
            int32_t j = a->col[k];
            while (cursor[j] < a->xadj[j + 1] && a->col[cursor[j]] < i)
                cursor[j]++;
            if (cursor[j] < a->xadj[j + 1] && a->col[cursor[j]] == i)
                continue;
            status = clv_fail(err, CLEAVE_EINVAL,
                              "row %d, column %d (counted from 0) has an entry, but row %d, "
                              "column %d has none: the matrix is not symmetric",
                              (int)i, (int)j, (int)j, (int)i);
            break;
        }
    clv_sys_free(cursor);
    return status;
}

cleave_status clv_lower_half_check(const clv_matrix *a, cleave_error *err)
{
    if (a->nrow != a->ncol)
        return clv_fail(err, CLEAVE_EINVAL, "the matrix is %d x %d, not square", (int)a->nrow,
                        (int)a->ncol);
    int64_t lower = 0;
    for (int32_t i = 0; i < a->nrow; i++) {
        int64_t length = clv_lower_half_length(a, i);
        CLV_TRY(check_row(a, i, length, err));
        lower += length;
    }
    return lower == a->xadj[a->nrow] ? CLEAVE_OK : check_opposites(a, err);
}
