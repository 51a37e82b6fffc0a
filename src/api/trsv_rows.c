/* SPDX-License-Identifier: Apache-2.0 */
/* api/trsv_rows.c - a caller's triangle, in whichever way it is stored, as the rows of op(A)
 * with ascending columns.
 *
 * Compressed columns, and rows to be transposed, are dealt out column by column in ascending
 * order: the rows then ascend by themselves.  Rows that do not ascend are dealt out twice.
 * Nothing is compared, so that all is linear. */
#include "api/trsv.h"

#include "graph/graph.h"
#include "matrix/matrix.h"

void cleave_triangle_init(cleave_triangle *t, size_t size)
{
    clv_sized_init(t, size);
}

/* The rows of a matrix that has more or fewer columns: refused later, where there is a way to
 * say why. */
enum { not_square = INT32_MIN };

void cleave_triangle_of_matrix(cleave_triangle *t, size_t size, const cleave_matrix *a)
{
    cleave_triangle full = {.part = 1};
    if (a) {
        full.n = a->nrow == a->ncol ? a->nrow : not_square;
        full.xadj = a->xadj;
        full.idx = a->col;
        full.val = a->val;
    }
    clv_sized_init(t, size);
    clv_sized_write(t, &full, sizeof full);
}

void cleave_triangle_of_graph(cleave_triangle *t, size_t size, const cleave_graph *g)
{
    cleave_triangle full = {.by_columns = 1, .diagonal_apart = 1};
    if (g) {
        int32_t first = 0; /* vertex with a neighbour */
        while (first < g->nvtx && g->xadj[first + 1] == 0)
            first++;
        full.n = g->nvtx;
        full.xadj = g->xadj;
        full.idx = g->adj;
        full.part = g->kind != CLEAVE_DAG;
        full.upper = g->kind == CLEAVE_DAG && first < g->nvtx && g->adj[0] < first;
    }
    clv_sized_init(t, size);
    clv_sized_write(t, &full, sizeof full);
}

/* ---- Before any work -------------------------------------------------------------------- */

static cleave_status check_indices(const cleave_triangle *t, cleave_error *err)
{
    const char *line = t->by_columns ? "column" : "row";
    const char *across = t->by_columns ? "row" : "column";
    for (int32_t i = 0; i < t->n; i++)
        for (int64_t k = t->xadj[i]; k < t->xadj[i + 1]; k++)
            if (t->idx[k] < 0 || t->idx[k] >= t->n)
                return clv_fail(err, CLEAVE_EINVAL,
                                "%s %ld has an entry in %s %ld, outside 0..%ld", line, (long)i,
                                across, (long)t->idx[k], (long)t->n - 1);
    return CLEAVE_OK;
}

cleave_status clv_triangle_take(cleave_triangle *out, const cleave_triangle *t,
                                cleave_error *err)
{
    static const int64_t none[1] = {0};
    *out = (cleave_triangle){0};
    if (!t)
        return clv_fail(err, CLEAVE_EINVAL, "the triangle is NULL");
    CLV_TRY(clv_sized_copy(out, sizeof *out, t, "cleave_triangle", err));
    if (out->n == not_square)
        return clv_fail(err, CLEAVE_EINVAL, "the matrix is not square, so it has no triangle");
    if (out->n < 0)
        return clv_fail(err, CLEAVE_EINVAL, "a triangle cannot have %ld rows", (long)out->n);
    if (!out->xadj && out->n > 0)
        return clv_fail(err, CLEAVE_EINVAL, "xadj is NULL");
    if (!out->xadj)
        out->xadj = none;
    if (out->xadj[0] != 0)
        return clv_fail(err, CLEAVE_EINVAL, "xadj[0] is %lld, not 0", (long long)out->xadj[0]);
    for (int32_t i = 0; i < out->n; i++)
        if (out->xadj[i + 1] < out->xadj[i])
            return clv_fail(err, CLEAVE_EINVAL, "xadj[%ld] is %lld, less than xadj[%ld]",
                            (long)i + 1, (long long)out->xadj[i + 1], (long)i);
    if (out->val && out->val32)
        return clv_fail(err, CLEAVE_EINVAL, "both val and val32 are given");
    int64_t count = out->xadj[out->n] + (out->diagonal_apart && !out->unit ? out->n : 0);
    if (count >= CLV_TRI_ZERO)
        return clv_fail(err, CLEAVE_ERANGE,
                        "%lld entries are too many for a plan, which has at most %lld",
                        (long long)count, (long long)CLV_TRI_ZERO - 1);
    if (count == 0)
        return CLEAVE_OK;
    if (!out->idx && out->xadj[out->n] > 0)
        return clv_fail(err, CLEAVE_EINVAL, "idx is NULL");
    if (!out->val && !out->val32)
        return clv_fail(err, CLEAVE_EINVAL, "val and val32 are both NULL");
    return check_indices(out, err);
}

/* ---- Dealing out --------------------------------------------------------------------------
 */

/* Compressed lines of entries with their places. */
typedef struct lines {
    int64_t *xadj;
    int32_t *idx;
    uint32_t *place;
} lines;

static bool lines_alloc(lines *l, int64_t count, clv_ws *ws)
{
    l->idx = clv_ws_alloc(ws, count, sizeof *l->idx);
    l->place = clv_ws_alloc(ws, count, sizeof *l->place);
    return l->idx && l->place;
}

/* counts[i + 1] entries of line i become offsets, one line late: filling moves each to the
 * right place. */
static void offsets_late(int64_t *counts, int32_t n)
{
    int64_t sum = 0;
    for (int32_t i = 0; i < n; i++) {
        int64_t count = counts[i + 1];
        counts[i + 1] = sum;
        sum += count;
    }
}

static cleave_status deal(lines *to, const lines *from, int32_t n, clv_ws *ws,
                          cleave_error *err)
{
    int64_t *xadj = to->xadj = clv_ws_zalloc(ws, (int64_t)n + 1, sizeof *xadj);
    if (!xadj || !lines_alloc(to, from->xadj[n], ws))
        return clv_fail_memory(err);
    for (int64_t k = 0; k < from->xadj[n]; k++)
        xadj[from->idx[k] + 1]++;
    offsets_late(xadj, n);
    for (int32_t i = 0; i < n; i++)
        for (int64_t k = from->xadj[i]; k < from->xadj[i + 1]; k++) {
            int64_t at = xadj[from->idx[k] + 1]++;
            to->idx[at] = i;
            to->place[at] = from->place[k];
        }
    return CLEAVE_OK;
}

/* ---- The triangle of what is given
 * ---------------------------------------------------------- */

/* Is the entry in line i at index j inside, strictly? */
static inline bool inside(bool later, int32_t i, int32_t j)
{
    return later ? j > i : j < i;
}

/* The entries of the triangle without its diagonal, line by line as they are given, and the
 * places of the diagonal; *ascending becomes false where a line does not. */
static cleave_status take_lines(lines *to, int64_t *diagonal, const cleave_triangle *t,
                                bool *ascending, clv_ws *ws, cleave_error *err)
{
    bool later = (t->upper != 0) != (t->by_columns != 0); /* indices above the line's number */
    int64_t *xadj = to->xadj = clv_ws_alloc(ws, (int64_t)t->n + 1, sizeof *xadj);
    if (!xadj || !lines_alloc(to, t->xadj[t->n], ws))
        return clv_fail_memory(err);
    int64_t count = 0;
    for (int32_t i = 0; i < t->n; i++) {
        int32_t last = -1;
        xadj[i] = count;
        diagonal[i] = t->diagonal_apart ? t->xadj[t->n] + i : -1;
        for (int64_t k = t->xadj[i]; k < t->xadj[i + 1]; k++) {
            int32_t j = t->idx[k];
            if (inside(later, i, j)) {
                *ascending = *ascending && j > last;
                last = j;
                to->idx[count] = j;
                to->place[count++] = (uint32_t)k;
            } else if (j == i) {
                if (t->diagonal_apart)
                    return clv_fail(err, CLEAVE_EINVAL,
                                    "row %ld has an entry on the diagonal, which is apart",
                                    (long)i);
                if (diagonal[i] >= 0)
                    return clv_fail(err, CLEAVE_EINVAL,
                                    "row %ld has two entries in column %ld", (long)i, (long)i);
                diagonal[i] = k;
            } else if (!t->part) {
                return clv_fail(err, CLEAVE_EINVAL,
                                "row %ld has an entry in column %ld, which is not in the %s "
                                "triangle",
                                (long)(t->by_columns ? j : i), (long)(t->by_columns ? i : j),
                                t->upper ? "upper" : "lower");
            }
        }
    }
    xadj[t->n] = count;
    return CLEAVE_OK;
}

static cleave_status refuse_duplicates(const cleave_triangle *t, const lines *rows,
                                       cleave_error *err)
{
    for (int32_t i = 0; i < t->n; i++)
        for (int64_t k = rows->xadj[i] + 1; k < rows->xadj[i + 1]; k++)
            if (rows->idx[k] == rows->idx[k - 1])
                return clv_fail(err, CLEAVE_EINVAL, "row %ld has two entries in column %ld",
                                (long)(t->transpose ? rows->idx[k] : i),
                                (long)(t->transpose ? i : rows->idx[k]));
    return CLEAVE_OK;
}

cleave_status clv_triangle_orient(clv_oriented *out, const cleave_triangle *t, clv_ws *ws,
                                  cleave_error *err)
{
    lines given, turned, rows;
    bool ascending = true, across = (t->by_columns != 0) != (t->transpose != 0);
    int64_t *diagonal = clv_ws_alloc(ws, t->n, sizeof *diagonal);
    if (!diagonal)
        return clv_fail_memory(err);
    CLV_TRY(take_lines(&given, diagonal, t, &ascending, ws, err));
    rows = given;
    if (across) {
        CLV_TRY(deal(&rows, &given, t->n, ws, err));
    } else if (!ascending) {
        CLV_TRY(deal(&turned, &given, t->n, ws, err));
        CLV_TRY(deal(&rows, &turned, t->n, ws, err));
    }
    if (across || !ascending)
        CLV_TRY(refuse_duplicates(t, &rows, err));
    for (int32_t i = 0; i < t->n && !t->unit; i++)
        if (diagonal[i] < 0)
            return clv_fail(err, CLEAVE_EINVAL, "row %ld has no entry on the diagonal",
                            (long)i);
    *out = (clv_oriented){.upper = (t->upper != 0) != (t->transpose != 0),
                          .diagonal = t->unit ? NULL : diagonal};
    out->rows = (clv_tri_rows){t->n, rows.xadj, rows.idx, rows.place, out->diagonal};
    return CLEAVE_OK;
}

/* ---- Both triangles --------------------------------------------------------------------- */

/* Every entry counts as the one that mirrors it, so that all are on the side of op(A). */
static cleave_status take_both(lines *to, const cleave_triangle *t, clv_ws *ws,
                               cleave_error *err)
{
    bool upper = (t->upper != 0) != (t->transpose != 0);
    int64_t *xadj = to->xadj = clv_ws_zalloc(ws, (int64_t)t->n + 1, sizeof *xadj);
    if (!xadj || !lines_alloc(to, t->xadj[t->n], ws))
        return clv_fail_memory(err);
    for (int pass = 0; pass < 2; pass++) {
        for (int32_t i = 0; i < t->n; i++)
            for (int64_t k = t->xadj[i]; k < t->xadj[i + 1]; k++) {
                int32_t low = t->idx[k] < i ? t->idx[k] : i,
                        high = t->idx[k] < i ? i : t->idx[k];
                if (low == high)
                    continue;
                int32_t row = upper ? low : high;
                if (pass == 0) {
                    xadj[row + 1]++;
                } else {
                    int64_t at = xadj[row + 1]++;
                    to->idx[at] = upper ? high : low;
                    to->place[at] = (uint32_t)k;
                }
            }
        if (pass == 0)
            offsets_late(xadj, t->n);
    }
    return CLEAVE_OK;
}

cleave_status clv_triangle_union(clv_tri_rows *out, const cleave_triangle *t, clv_ws *ws,
                                 cleave_error *err)
{
    lines given, turned, rows;
    CLV_TRY(take_both(&given, t, ws, err));
    CLV_TRY(deal(&turned, &given, t->n, ws, err));
    CLV_TRY(deal(&rows, &turned, t->n, ws, err));
    int64_t kept = 0, begin = 0;
    for (int32_t i = 0; i < t->n; i++) {
        int64_t end = rows.xadj[i + 1];
        int32_t last = -1;
        rows.xadj[i] = kept;
        for (int64_t k = begin; k < end; k++) {
            if (rows.idx[k] != last)
                rows.idx[kept++] = rows.idx[k];
            last = rows.idx[k];
        }
        begin = end;
    }
    rows.xadj[t->n] = kept;
    *out = (clv_tri_rows){.n = t->n, .xadj = rows.xadj, .col = rows.idx};
    return CLEAVE_OK;
}
