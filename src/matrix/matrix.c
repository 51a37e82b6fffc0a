/* SPDX-License-Identifier: Apache-2.0 */
/* matrix/matrix.c - sparse matrices with values. */
#include "matrix/matrix.h"

#include <string.h>

#include "base/sort.h"

static bool ascends(const int32_t *col, int64_t n)
{
    for (int64_t k = 1; k < n; k++)
        if (col[k - 1] >= col[k])
            return false;
    return true;
}

/* Sorts the row of n entries from `begin`, sums duplicates, stores it from `to`; returns its
 * end. */
static int64_t clean_row(clv_matrix_rows *rows, int64_t begin, int64_t n, int64_t to,
                         clv_sort_item *scratch)
{
    int32_t *col = rows->col;
    double *val = rows->val;
    for (int64_t k = 0; k < n; k++)
        scratch[k] = (clv_sort_item){.key = col[begin + k], .with.value = val[begin + k]};
    const clv_sort_item *sorted = clv_sort(scratch, scratch + n, n);
    int64_t start = to;
    for (int64_t k = 0; k < n; k++) {
        if (to > start && col[to - 1] == sorted[k].key) {
            val[to - 1] += sorted[k].with.value;
        } else {
            col[to] = (int32_t)sorted[k].key;
            val[to++] = sorted[k].with.value;
        }
    }
    return to;
}

static cleave_status clean_rows(clv_matrix_rows *rows, cleave_error *err)
{
    int32_t nrow = rows->nrow, *col = rows->col;
    int64_t longest = 0, *xadj = rows->xadj;
    double *val = rows->val;
    for (int32_t i = 0; i < nrow; i++)
        if (xadj[i + 1] - xadj[i] > longest)
            longest = xadj[i + 1] - xadj[i];
    clv_sort_item *scratch = clv_alloc(2 * longest, sizeof *scratch);
    if (!scratch)
        return clv_fail_memory(err);
    int64_t to = 0, begin = 0;
    for (int32_t i = 0; i < nrow; i++) {
        int64_t end = xadj[i + 1], n = end - begin;
        xadj[i] = to;
        if (ascends(col + begin, n)) {
            memmove(col + to, col + begin, (size_t)n * sizeof *col);
            memmove(val + to, val + begin, (size_t)n * sizeof *val);
            to += n;
        } else {
            to = clean_row(rows, begin, n, to, scratch);
        }
        begin = end;
    }
    xadj[nrow] = to;
    clv_sys_free(scratch);
    return CLEAVE_OK;
}

/* Transfers the arrays to the arena, or frees them and returns false. */
static bool adopt_arrays(clv_matrix *a, const clv_matrix_rows *rows)
{
    void *arrays[] = {rows->xadj, rows->col, rows->val};
    bool ok = true;
    for (int i = 0; i < 3; i++) {
        ok = ok && clv_arena_adopt(&a->arena, arrays[i]);
        if (!ok)
            clv_sys_free(arrays[i]);
    }
    return ok;
}

void clv_matrix_rows_free(clv_matrix_rows *rows)
{
    clv_sys_free(rows->xadj);
    clv_sys_free(rows->col);
    clv_sys_free(rows->val);
}

cleave_status clv_matrix_build(clv_matrix **out, clv_matrix_rows rows, cleave_error *err)
{
    *out = NULL;
    cleave_status status = clean_rows(&rows, err);
    clv_arena arena = {NULL};
    clv_matrix *a = status == CLEAVE_OK ? clv_arena_zalloc(&arena, 1, sizeof *a) : NULL;
    if (!a) {
        clv_matrix_rows_free(&rows);
        return status == CLEAVE_OK ? clv_fail_memory(err) : status;
    }
    *a = (clv_matrix){rows.nrow, rows.ncol, rows.xadj, rows.col, rows.val, arena};
    if (!adopt_arrays(a, &rows)) {
        clv_matrix_free(a);
        return clv_fail_memory(err);
    }
    *out = a;
    return CLEAVE_OK;
}

static cleave_status check_matrix(const cleave_matrix_csr *csr, cleave_error *err)
{
    if (csr->nrow < 0 || csr->ncol < 0)
        return clv_fail(err, CLEAVE_EINVAL, "the matrix is %d x %d", (int)csr->nrow,
                        (int)csr->ncol);
    if (!csr->xadj || csr->xadj[0] != 0)
        return clv_fail(err, CLEAVE_EINVAL, csr->xadj ? "xadj[0] is not 0" : "xadj is NULL");
    for (int32_t i = 0; i < csr->nrow; i++)
        if (csr->xadj[i + 1] < csr->xadj[i])
            return clv_fail(err, CLEAVE_EINVAL, "xadj[%d] is less than xadj[%d]", (int)i + 1,
                            (int)i);
    int64_t nnz = csr->xadj[csr->nrow];
    if (nnz > 0 && (!csr->col || !csr->val))
        return clv_fail(err, CLEAVE_EINVAL, "col or val is NULL");
    for (int64_t k = 0; k < nnz; k++)
        if (csr->col[k] < 0 || csr->col[k] >= csr->ncol)
            return clv_fail(err, CLEAVE_EINVAL, "entry %lld is in column %d, outside 0..%d",
                            (long long)k, (int)csr->col[k], (int)csr->ncol - 1);
    return CLEAVE_OK;
}

cleave_status clv_matrix_copy(clv_matrix **out, const cleave_matrix_csr *csr,
                              cleave_error *err)
{
    CLV_TRY(check_matrix(csr, err));
    int64_t nnz = csr->xadj[csr->nrow];
    clv_matrix_rows rows = {.nrow = csr->nrow, .ncol = csr->ncol};
    rows.xadj = clv_alloc((int64_t)csr->nrow + 1, sizeof *rows.xadj);
    rows.col = clv_alloc(nnz, sizeof *rows.col);
    rows.val = clv_alloc(nnz, sizeof *rows.val);
    if (!rows.xadj || !rows.col || !rows.val) {
        clv_matrix_rows_free(&rows);
        return clv_fail_memory(err);
    }
    memcpy(rows.xadj, csr->xadj, ((size_t)csr->nrow + 1) * sizeof *rows.xadj);
    if (nnz > 0) {
        memcpy(rows.col, csr->col, (size_t)nnz * sizeof *rows.col);
        memcpy(rows.val, csr->val, (size_t)nnz * sizeof *rows.val);
    }
    return clv_matrix_build(out, rows, err);
}

void clv_matrix_free(clv_matrix *a)
{
    if (a)
        clv_arena_free(&a->arena);
}

cleave_status clv_matrix_is_symmetric(const clv_matrix *a, bool *symmetric, cleave_error *err)
{
    *symmetric = a->nrow == a->ncol;
    if (!*symmetric)
        return CLEAVE_OK;
    /* Rows are visited in order, so the position of row i in the rows above only moves
     * forward: one cursor per row finds every opposite entry. */
    int64_t *cursor = clv_alloc(a->nrow, sizeof *cursor);
    if (!cursor)
        return clv_fail_memory(err);
    memcpy(cursor, a->xadj, (size_t)a->nrow * sizeof *cursor);
    for (int32_t i = 0; *symmetric && i < a->nrow; i++)
        for (int64_t k = a->xadj[i]; k < a->xadj[i + 1]; k++) {
            int64_t c = cursor[a->col[k]]++;
            if (c >= a->xadj[a->col[k] + 1] || a->col[c] != i ||
                memcmp(&a->val[c], &a->val[k], sizeof a->val[c]) != 0) {
                *symmetric = false;
                break;
            }
        }
    clv_sys_free(cursor);
    return CLEAVE_OK;
}
