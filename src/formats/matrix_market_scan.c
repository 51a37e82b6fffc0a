/* SPDX-License-Identifier: Apache-2.0 */
/* formats/matrix_market_scan.c - the header and the entries of a Matrix Market coordinate
 * file. */
#include "formats/matrix_market_scan.h"

#include <string.h>

/* ---- Header --------------------------------------------------------------------------- */

/* Consumes the next word; *which becomes its index among the words, -1: it is none of them. */
static cleave_status one_of(clv_text *text, const char *const *words, int *which)
{
    for (*which = 0; words[*which]; ++*which) {
        bool is;
        CLV_TRY(clv_text_word_is(text, words[*which], &is));
        if (is)
            return CLEAVE_OK;
    }
    *which = -1;
    return CLEAVE_OK;
}

static cleave_status read_banner(mm_reader *r)
{
    static const char *const fields[] = {"real",    "integer", "double",
                                         "pattern", "complex", NULL};
    static const char *const symmetries[] = {"general", "symmetric", "skew-symmetric",
                                             "hermitian", NULL};
    clv_text *text = &r->text;
    bool is;
    CLV_TRY(clv_text_word_is(text, "%%matrixmarket", &is));
    if (!is)
        return clv_text_fail(text, "the first line is not a %%%%MatrixMarket banner");
    CLV_TRY(clv_text_word_is(text, "matrix", &is));
    if (!is)
        return clv_text_fail(text, "the banner does not describe a matrix");
    CLV_TRY(clv_text_word_is(text, "coordinate", &is));
    if (!is)
        return clv_text_fail(text, "only coordinate files hold a sparse matrix");
    int which;
    CLV_TRY(one_of(text, fields, &which));
    if (which < 0)
        return clv_text_fail(text, "the field is not real, integer or pattern");
    if (which == 4)
        return clv_text_fail(text, "complex values are not supported");
    r->pattern = which == 3;
    CLV_TRY(one_of(text, symmetries, &which));
    if (which < 0)
        return clv_text_fail(text, "the symmetry is not general, symmetric or skew-symmetric");
    if (which == 3)
        return clv_text_fail(text, "hermitian matrices are complex and not supported");
    r->symmetry = (mm_symmetry)which;
    return clv_text_skip_line(text);
}

static cleave_status read_header(mm_reader *r)
{
    clv_text *text = &r->text;
    CLV_TRY(read_banner(r));
    bool more, ends;
    CLV_TRY(clv_text_next_content(text, "%", &more));
    if (!more)
        return clv_text_fail(text, "the file ends before its size line");
    CLV_TRY(clv_text_i64(text, 0, INT32_MAX - 1, "the number of rows", &r->nrow));
    CLV_TRY(clv_text_i64(text, 0, INT32_MAX - 1, "the number of columns", &r->ncol));
    CLV_TRY(clv_text_i64(text, 0, INT64_MAX / 32, "the number of entries", &r->nnz));
    CLV_TRY(clv_text_at_line_end(text, &ends));
    if (!ends)
        return clv_text_fail(text, "the size line has more than three numbers");
    if (r->symmetry != MM_GENERAL && r->nrow != r->ncol)
        return clv_text_fail(text, "a symmetric matrix of %lld x %lld is not square",
                             (long long)r->nrow, (long long)r->ncol);
    r->last_line = text->line;
    return clv_text_skip_line(text);
}

cleave_status clv_mm_open(mm_reader *r, clv_input *in, bool wants_values, cleave_error *err)
{
    memset(r, 0, sizeof *r);
    r->wants_values = wants_values;
    CLV_TRY(clv_text_init(&r->text, in, err));
    return read_header(r);
}

/* ---- Entries -------------------------------------------------------------------------- */

/* The general way to read a line; reports all errors. */
cleave_status clv_mm_entry(mm_reader *r, mm_entry *entry)
{
    clv_text *text = &r->text;
    bool more, ends;
    CLV_TRY(clv_text_next_content(text, "%", &more));
    if (!more)
        return clv_text_fail(text, "the file ends after %lld of %lld entries",
                             (long long)r->seen, (long long)r->nnz);
    r->last_line = text->line;
    int64_t row, col;
    CLV_TRY(clv_text_i64(text, 1, r->nrow, "the row of an entry", &row));
    CLV_TRY(clv_text_i64(text, 1, r->ncol, "the column of an entry", &col));
    *entry = (mm_entry){(int32_t)(row - 1), (int32_t)(col - 1), 1.0};
    if (!r->pattern)
        CLV_TRY(clv_text_double(text, "the value of an entry", &entry->value));
    CLV_TRY(clv_text_at_line_end(text, &ends));
    if (!ends)
        return clv_text_fail(text, "the entry has more than %d numbers", r->pattern ? 2 : 3);
    return clv_text_skip_line(text);
}

cleave_status clv_mm_expect_end(mm_reader *r)
{
    bool more;
    CLV_TRY(clv_text_next_content(&r->text, "%", &more));
    if (more)
        return clv_text_fail(&r->text, "unexpected text after the last of %lld entries",
                             (long long)r->nnz);
    return CLEAVE_OK;
}

cleave_status clv_mm_check_size(const mm_reader *r)
{
    enum { harmless = 1 << 22, most_per_entry = 64 };
    if (r->nrow <= harmless || r->nrow / most_per_entry <= r->nnz)
        return CLEAVE_OK;
    return clv_fail_at(r->text.err, CLEAVE_ERANGE, clv_input_path(r->text.in), 0,
                       "%lld rows with %lld entries in all are implausible",
                       (long long)r->nrow, (long long)r->nnz);
}

void clv_mm_put_entry(clv_output *out, int32_t row, int32_t col)
{
    clv_put_i64(out, (int64_t)row + 1);
    clv_put_char(out, ' ');
    clv_put_i64(out, (int64_t)col + 1);
}

void clv_mm_put_sizes(clv_output *out, int32_t nrow, int32_t ncol, int64_t nnz)
{
    clv_put_i64(out, nrow);
    clv_put_char(out, ' ');
    clv_put_i64(out, ncol);
    clv_put_char(out, ' ');
    clv_put_i64(out, nnz);
    clv_put_char(out, '\n');
}

cleave_status clv_mm_fail_last(const mm_reader *r, const char *sentence)
{
    const clv_text *text = &r->text;
    bool ended = text->cur > text->window && text->cur[-1] == '\n';
    return clv_fail_at(text->err, CLEAVE_EPARSE, clv_input_path(text->in),
                       text->line - (ended ? 1 : 0), "%s", sentence);
}
