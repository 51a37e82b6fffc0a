/* SPDX-License-Identifier: Apache-2.0 */
/* formats/matrix_market_values.c - Matrix Market files as matrices with values. */
#include "base/group.h"
#include "formats/matrix_market.h"
#include "formats/matrix_market_scan.h"

/* Entries in file order, before they are sorted into rows. */
typedef struct mm_triples {
    int64_t count, room;
    mm_entry *entry;
} mm_triples;

static bool add_triple(mm_triples *t, int32_t row, int32_t col, double value)
{
    if (t->count == t->room) {
        int64_t room = t->room + t->room / 2 + 4096;
        mm_entry *larger = clv_realloc(t->entry, room, sizeof *larger);
        if (!larger)
            return false;
        t->entry = larger;
        t->room = room;
    }
    t->entry[t->count++] = (mm_entry){row, col, value};
    return true;
}

static cleave_status read_triples(mm_reader *r, mm_triples *t)
{
    mm_entry e;
    while (r->seen < r->nnz) {
        CLV_TRY(clv_mm_next(r, &e));
        bool ok = add_triple(t, e.row, e.col, e.value);
        if (r->symmetry == MM_SKEW && e.row == e.col && e.value != 0)
            return clv_mm_fail_last(r, "the diagonal of a skew-symmetric matrix is zero");
        if (ok && r->symmetry != MM_GENERAL && e.row != e.col)
            ok = add_triple(t, e.col, e.row, r->symmetry == MM_SKEW ? -e.value : e.value);
        if (!ok)
            return clv_fail_memory(r->text.err);
    }
    return clv_mm_expect_end(r);
}

static cleave_status triples_to_rows(clv_matrix **out, const mm_reader *r, const mm_triples *t)
{
    clv_matrix_rows rows = {.nrow = (int32_t)r->nrow, .ncol = (int32_t)r->ncol};
    int64_t *xadj = rows.xadj = clv_zalloc(r->nrow + 1, sizeof *xadj);
    rows.col = clv_alloc(t->count, sizeof *rows.col);
    rows.val = clv_alloc(t->count, sizeof *rows.val);
    if (!rows.xadj || !rows.col || !rows.val) {
        clv_matrix_rows_free(&rows);
        return clv_fail_memory(r->text.err);
    }
    for (int64_t k = 0; k < t->count; k++)
        xadj[t->entry[k].row + 1]++;
    clv_group_starts(xadj, r->nrow);
    for (int64_t k = 0; k < t->count; k++) {
        int64_t place = xadj[t->entry[k].row + 1]++;
        rows.col[place] = t->entry[k].col;
        rows.val[place] = t->entry[k].value;
    }
    return clv_matrix_build(out, rows, r->text.err);
}

cleave_status clv_matrix_market_read(clv_matrix **out, clv_input *in, cleave_error *err)
{
    *out = NULL;
    mm_reader r;
    mm_triples t = {0, 0, NULL};
    cleave_status status = clv_mm_open(&r, in, true, err);
    if (status == CLEAVE_OK)
        status = clv_mm_check_size(&r);
    if (status == CLEAVE_OK)
        status = read_triples(&r, &t);
    if (status == CLEAVE_OK)
        status = triples_to_rows(out, &r, &t);
    clv_sys_free(t.entry);
    clv_text_free(&r.text);
    return status;
}

cleave_status clv_matrix_market_write(const clv_matrix *a, clv_output *out, cleave_error *err)
{
    bool symmetric;
    CLV_TRY(clv_matrix_is_symmetric(a, &symmetric, err));
    int64_t nnz = 0;
    for (int32_t i = 0; i < a->nrow; i++)
        for (int64_t k = a->xadj[i]; k < a->xadj[i + 1]; k++)
            nnz += !symmetric || a->col[k] <= i;
    clv_put_text(out, "%%MatrixMarket matrix coordinate real ");
    clv_put_text(out, symmetric ? "symmetric\n" : "general\n");
    clv_mm_put_sizes(out, a->nrow, a->ncol, nnz);
    for (int32_t i = 0; i < a->nrow; i++)
        for (int64_t k = a->xadj[i]; k < a->xadj[i + 1]; k++) {
            if (symmetric && a->col[k] > i)
                continue;
            clv_mm_put_entry(out, i, a->col[k]);
            clv_put_char(out, ' ');
            clv_put_double(out, a->val[k]);
            clv_put_char(out, '\n');
        }
    return CLEAVE_OK;
}
