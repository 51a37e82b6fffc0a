/* SPDX-License-Identifier: Apache-2.0 */
/* matrix/cholesky.c - exact Cholesky factorization, row by row ("up-looking") [Davis, Direct
 * methods for sparse linear systems, chapter 4].
 *
 * Row k of L solves the triangular system of the rows above it with row k of the matrix as
 * right-hand side; columns are processed in ascending order.  Values are stored twice: by rows
 * for the result, and by columns for reading.
 *
 * Four successive columns with the same rows below them (a supernode) are processed together:
 * one pass over the rows instead of four, with the same subtractions in the same order. */
#include "matrix/cholesky.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "base/group.h"
#include "matrix/lower_half.h"

enum { most_together = 4 };

typedef struct factor {
    const clv_graph *pattern;
    const int32_t *order;
    /* The lower triangle of P a P^T by rows, without the diagonal; columns in any order. */
    int64_t *from;
    int32_t *from_col;
    double *from_val, *diagonal; /* diagonal: later that of L */
    double *by_column;           /* as pattern->adj */
    int64_t *filled;             /* by column: index of its next value */
    uint8_t *together; /* by column: number of columns from here on, itself included, with the
                          same rows */
    double *row;       /* zero except for the current row */
    /* The result. */
    int64_t *xadj;
    int32_t *col;
    double *val;
} factor;

/* ---- Preparation ----------------------------------------------------------------------- */

/* Row i of a goes to place[i]; each entry goes to the later of its row and column. */
static void permute(factor *f, const clv_matrix *a, const int32_t *place)
{
    int64_t *next = f->from + 1; /* shifted by one, for clv_group_starts */
    for (int32_t i = 0; i < a->nrow; i++) {
        int64_t end = a->xadj[i] + clv_lower_half_length(a, i) - 1;
        for (int64_t p = a->xadj[i]; p < end; p++) {
            int32_t r = place[i], c = place[a->col[p]];
            next[r > c ? r : c]++;
        }
        f->diagonal[place[i]] = a->val[end];
    }
    clv_group_starts(f->from, a->nrow);
    for (int32_t i = 0; i < a->nrow; i++) {
        int64_t end = a->xadj[i] + clv_lower_half_length(a, i) - 1;
        for (int64_t p = a->xadj[i]; p < end; p++) {
            int32_t r = place[i], c = place[a->col[p]];
            int64_t to = next[r > c ? r : c]++;
            f->from_col[to] = r > c ? c : r;
            f->from_val[to] = a->val[p];
        }
    }
}

/* If j + 1 is the first row of column j, its other rows are among those of column j + 1; if it
 * has exactly one row more, they are the same. */
static void find_together(factor *f)
{
    const clv_graph *g = f->pattern;
    for (int32_t j = g->nvtx - 1; j >= 0; j--) {
        int64_t length = g->xadj[j + 1] - g->xadj[j];
        bool same = length > 0 && g->adj[g->xadj[j]] == j + 1 &&
                    g->xadj[j + 2] - g->xadj[j + 1] == length - 1;
        f->together[j] =
            same && f->together[j + 1] < UINT8_MAX ? (uint8_t)(f->together[j + 1] + 1) : 1;
    }
}

/* The pattern of the result: predecessors, then the diagonal. */
static void fill_pattern(factor *f)
{
    const clv_graph *g = f->pattern;
    for (int32_t k = 0; k < g->nvtx; k++) {
        int64_t length = g->xpred[k + 1] - g->xpred[k];
        f->xadj[k] = g->xpred[k] + k;
        if (length > 0)
            memcpy(f->col + f->xadj[k], g->pred + g->xpred[k],
                   (size_t)length * sizeof *f->col);
        f->col[f->xadj[k] + length] = k;
        f->filled[k] = g->xadj[k];
    }
    f->xadj[g->nvtx] = g->narc + g->nvtx;
}

/* ---- One row --------------------------------------------------------------------------- */

/* The entry of column j in the current row; subtracts its product with column j from the rest
 * of the row. */
static inline double take_one(const factor *f, int32_t j, double *row)
{
    const clv_graph *g = f->pattern;
    double value = row[j] / f->diagonal[j];
    row[j] = 0;
    for (int64_t p = g->xadj[j]; p < f->filled[j]; p++)
        row[g->adj[p]] -= f->by_column[p] * value;
    return value;
}

/* The same for columns j .. j + 3, which share their rows; first among the four. */
static void take_four(const factor *f, int32_t j, double *row, double *value)
{
    const clv_graph *g = f->pattern;
    const double *column[most_together];
    for (int c = 0; c < most_together; c++) {
        const double *own = f->by_column + g->xadj[j + c];
        value[c] = row[j + c] / f->diagonal[j + c];
        row[j + c] = 0;
        for (int later = c + 1; later < most_together; later++)
            row[j + later] -= own[later - c - 1] * value[c];
        column[c] = own + (most_together - 1 - c);
    }
    const int32_t *rows = g->adj + g->xadj[j + 3];
    int64_t count = f->filled[j + 3] - g->xadj[j + 3];
    double v0 = value[0], v1 = value[1], v2 = value[2], v3 = value[3];
    for (int64_t p = 0; p < count; p++) {
        double sum = row[rows[p]];
        sum -= column[0][p] * v0;
        sum -= column[1][p] * v1;
        sum -= column[2][p] * v2;
        sum -= column[3][p] * v3;
        row[rows[p]] = sum;
    }
}

/* False: the pivot is not positive. */
static bool factor_row(factor *f, int32_t k)
{
    double *row = f->row, *to = f->val + f->xadj[k], pivot = f->diagonal[k];
    int64_t length = f->xadj[k + 1] - f->xadj[k] - 1;
    const int32_t *col = f->col + f->xadj[k];
    for (int64_t p = f->from[k]; p < f->from[k + 1]; p++)
        row[f->from_col[p]] = f->from_val[p];
    for (int64_t p = 0; p < length;) {
        int32_t j = col[p];
        /* Unless k is one of the four, row k is in all of them if it is in the first. */
        bool four = f->together[j] >= most_together && j + most_together <= k;
        int count = four ? most_together : 1;
        if (four)
            take_four(f, j, row, to + p);
        else
            to[p] = take_one(f, j, row);
        for (int c = 0; c < count; c++, p++) {
            pivot -= to[p] * to[p];
            f->by_column[f->filled[j + c]++] = to[p];
        }
    }
    if (!(pivot > 0 && pivot <= DBL_MAX))
        return false;
    to[length] = f->diagonal[k] = sqrt(pivot);
    return true;
}

/* ---- The factorization ----------------------------------------------------------------- */

static bool allocate(factor *f, int64_t n, int64_t entries, clv_ws *ws)
{
    int64_t narc = f->pattern->narc;
    f->from = clv_ws_zalloc(ws, n + 1, sizeof *f->from);
    f->from_col = clv_ws_alloc(ws, entries, sizeof *f->from_col);
    f->from_val = clv_ws_alloc(ws, entries, sizeof *f->from_val);
    f->diagonal = clv_ws_alloc(ws, n, sizeof *f->diagonal);
    f->by_column = clv_ws_alloc(ws, narc, sizeof *f->by_column);
    f->filled = clv_ws_alloc(ws, n, sizeof *f->filled);
    f->together = clv_ws_alloc(ws, n, sizeof *f->together);
    f->row = clv_ws_zalloc(ws, n, sizeof *f->row);
    f->xadj = clv_alloc(n + 1, sizeof *f->xadj);
    f->col = clv_alloc(narc + n, sizeof *f->col);
    f->val = clv_alloc(narc + n, sizeof *f->val);
    return f->from && f->from_col && f->from_val && f->diagonal && f->by_column && f->filled &&
           f->together && f->row && f->xadj && f->col && f->val;
}

static cleave_status factorise(factor *f, const clv_matrix *a, clv_ws *ws, cleave_error *err)
{
    int32_t *place = clv_ws_alloc(ws, a->nrow, sizeof *place);
    if (!place || !allocate(f, a->nrow, a->xadj[a->nrow], ws))
        return clv_fail_memory(err);
    for (int32_t k = 0; k < a->nrow; k++)
        place[f->order[k]] = k;
    permute(f, a, place);
    find_together(f);
    fill_pattern(f);
    for (int32_t k = 0; k < a->nrow; k++)
        if (!factor_row(f, k))
            return clv_fail(err, CLEAVE_EINVAL,
                            "the matrix is not positive definite: the pivot of row and column "
                            "%d (counted from 0) is not positive",
                            (int)f->order[k]);
    return CLEAVE_OK;
}

cleave_status clv_cholesky(clv_matrix **out, const clv_matrix *a, const int32_t *order,
                           const clv_graph *pattern, clv_ws *ws, cleave_error *err)
{
    *out = NULL;
    factor f = {.pattern = pattern, .order = order};
    clv_ws_mark mark = clv_ws_save(ws);
    cleave_status status = factorise(&f, a, ws, err);
    clv_ws_restore(ws, mark);
    clv_matrix_rows rows = {a->nrow, a->nrow, f.xadj, f.col, f.val};
    if (status == CLEAVE_OK)
        return clv_matrix_build(out, rows, err);
    clv_matrix_rows_free(&rows);
    return status;
}
