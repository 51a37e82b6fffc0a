/* SPDX-License-Identifier: Apache-2.0 */
/* engine/solve/triangle_rows.c - converts a caller's triangle, in any storage, to the rows of
 * op(A) with ascending columns.
 *
 * Compressed columns, and rows to be transposed, are transposed by a counting sort that scans
 * the lines in ascending order, so that the rows of the result ascend.  Rows that do not
 * ascend are transposed twice.  No comparisons are necessary: all steps are linear. */
#include "base/group.h"
#include "engine/solve/triangle.h"

/* ---- Transposing ------------------------------------------------------------------------ */

/* Compressed lines of entries with the positions of their values. */
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

static cleave_status transpose_lines(lines *to, const lines *from, int32_t n, clv_ws *ws,
                                     cleave_error *err)
{
    int64_t *xadj = to->xadj = clv_ws_zalloc(ws, (int64_t)n + 1, sizeof *xadj);
    if (!xadj || !lines_alloc(to, from->xadj[n], ws))
        return clv_fail_memory(err);
    for (int64_t k = 0; k < from->xadj[n]; k++)
        xadj[from->idx[k] + 1]++;
    clv_group_starts(xadj, n);
    for (int32_t i = 0; i < n; i++)
        for (int64_t k = from->xadj[i]; k < from->xadj[i + 1]; k++) {
            int64_t at = xadj[from->idx[k] + 1]++;
            to->idx[at] = i;
            to->place[at] = from->place[k];
        }
    return CLEAVE_OK;
}

/* ---- One triangle ----------------------------------------------------------------------- */

/* Is the entry in line i at index j strictly inside the triangle? */
static inline bool inside(bool later, int32_t i, int32_t j)
{
    return later ? j > i : j < i;
}

/* Copies the entries of the triangle without its diagonal, line by line as given, and the
 * positions of the diagonal.  *ascending becomes false if a line does not ascend. */
static cleave_status copy_lines(lines *to, int64_t *diagonal, const cleave_triangle *t,
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
    CLV_TRY(copy_lines(&given, diagonal, t, &ascending, ws, err));
    rows = given;
    if (across) {
        CLV_TRY(transpose_lines(&rows, &given, t->n, ws, err));
    } else if (!ascending) {
        CLV_TRY(transpose_lines(&turned, &given, t->n, ws, err));
        CLV_TRY(transpose_lines(&rows, &turned, t->n, ws, err));
    }
    if (across || !ascending)
        CLV_TRY(refuse_duplicates(t, &rows, err));
    for (int32_t i = 0; i < t->n && !t->unit; i++)
        if (diagonal[i] < 0)
            return clv_fail(err, CLEAVE_EINVAL, "row %ld has no entry on the diagonal",
                            (long)i);
    *out = (clv_oriented){.upper = (t->upper != 0) != (t->transpose != 0),
                          .diagonal = t->unit ? NULL : diagonal};
    out->rows =
        (clv_tri_rows){t->n, rows.xadj, rows.idx, rows.place, out->diagonal, t->val32 != NULL};
    return CLEAVE_OK;
}

/* ---- Both triangles --------------------------------------------------------------------- */

/* Entries of the other triangle are mirrored, so that all are on the side of op(A). */
static cleave_status mirror_lines(lines *to, const cleave_triangle *t, clv_ws *ws,
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
            clv_group_starts(xadj, t->n);
    }
    return CLEAVE_OK;
}

cleave_status clv_triangle_union(clv_tri_rows *out, const cleave_triangle *t, clv_ws *ws,
                                 cleave_error *err)
{
    lines given, turned, rows;
    CLV_TRY(mirror_lines(&given, t, ws, err));
    CLV_TRY(transpose_lines(&turned, &given, t->n, ws, err));
    CLV_TRY(transpose_lines(&rows, &turned, t->n, ws, err));
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
