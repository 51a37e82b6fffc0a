/* SPDX-License-Identifier: Apache-2.0 */
/* formats/csv_matrix.c - dense communication matrices, n lines of n numbers, as profilers
 * write them.
 *
 * The entry in row i, column j is the weight of what vertex i sends to vertex j, rounded to a
 * whole number.  0 means no edge, anything above 0 weighs at least 1, the diagonal is ignored.
 * Columns are separated by commas, semicolons or blanks; comments start with # or %; a row of
 * titles is skipped.
 *
 * Detection: a square table with at least four columns is a matrix, because an edge list has
 * two or three.  If only blanks separate the columns it takes six, because a METIS header has
 * up to five numbers. */
#include <math.h>

#include "formats/formats.h"
#include "formats/text.h"

typedef struct matrix_reader {
    clv_text text;
    clv_edge_stream stream;
    int64_t rows, columns; /* columns: of the first row */
} matrix_reader;

/* ---- Numbers -------------------------------------------------------------------------- */

static cleave_status read_value(matrix_reader *r, const char *word, size_t length,
                                double scale, int32_t *weight)
{
    int shown = length < 40 ? (int)length : 40;
    double value;
    if (clv_parse_double(word, word + length, &value) != word + length || !isfinite(value))
        return clv_text_fail(&r->text, "entry \"%.*s\" is not a number", shown, word);
    if (value < 0)
        return clv_text_fail(&r->text, "entry %.*s is negative", shown, word);
    double rounded = floor(value * scale + 0.5);
    if (!(rounded <= INT32_MAX))
        return clv_text_fail(&r->text, "entry %.*s is more than 2147483647", shown, word);
    *weight = value > 0 && rounded < 1 ? 1 : (int32_t)rounded;
    return CLEAVE_OK;
}

static cleave_status read_row(matrix_reader *r, const clv_read_options *opt)
{
    double scale = opt->weights_from_values ? opt->scale : 1;
    const char *word;
    size_t length;
    int64_t column = 0;
    for (;; column++) {
        int32_t tail = (int32_t)r->rows, head = (int32_t)column, weight;
        CLV_TRY(clv_text_field(&r->text, &word, &length));
        if (length == 0)
            break;
        CLV_TRY(read_value(r, word, length, scale, &weight));
        if (opt->no_weights && weight > 0)
            weight = 1;
        if (column == INT32_MAX - 1)
            return clv_text_fail(&r->text, "a matrix cannot have so many columns");
        if (weight > 0 && tail != head &&
            !clv_edge_stream_add(&r->stream, 1, &tail, &head, &weight))
            return clv_fail_memory(r->text.err);
    }
    if (r->rows == 0)
        r->columns = column;
    if (column != r->columns)
        return clv_text_fail(&r->text, "the line has %lld numbers, the first has %lld",
                             (long long)column, (long long)r->columns);
    if (r->rows == r->columns)
        return clv_text_fail(&r->text, "the matrix has more rows than its %lld columns",
                             (long long)r->columns);
    r->rows++;
    return clv_text_skip_line(&r->text);
}

static cleave_status read_rows(matrix_reader *r, const clv_read_options *opt)
{
    bool titles, more;
    CLV_TRY(clv_text_skip_titles(&r->text, &titles));
    for (;;) {
        CLV_TRY(clv_text_next_content(&r->text, "#%", &more));
        if (!more)
            break;
        CLV_TRY(read_row(r, opt));
    }
    if (r->rows < r->columns)
        return clv_text_fail(&r->text, "the file ends after %lld of %lld rows",
                             (long long)r->rows, (long long)r->columns);
    if (r->rows == 0)
        return clv_text_fail(&r->text, "the matrix has no rows");
    return CLEAVE_OK;
}

/* ---- The graph ------------------------------------------------------------------------ */

static cleave_status make_graph(clv_graph **out, matrix_reader *r, const clv_read_options *opt)
{
    clv_rows rows;
    CLV_TRY(clv_edge_stream_rows(&rows, &r->stream, (int32_t)r->rows, false, r->text.err));
    rows.ascending = true;
    clv_build_rules rules = clv_rules_strict(opt, true);
    clv_where where = {.path = clv_input_path(r->text.in), .base = 0};
    cleave_kind kind = opt->as == CLV_AS_DAG ? CLEAVE_DAG : CLEAVE_UNDIRECTED;
    CLV_TRY(clv_build_graph(out, kind, &rows, &rules, &where, r->text.err));
    (*out)->entries = r->rows * r->columns;
    return CLEAVE_OK;
}

static cleave_status read_matrix(clv_graph **out, clv_input *in, const clv_read_options *opt,
                                 cleave_error *err)
{
    matrix_reader r = {.rows = 0};
    clv_edge_stream_init(&r.stream, true);
    cleave_status status = clv_text_init(&r.text, in, err);
    if (status == CLEAVE_OK)
        status = read_rows(&r, opt);
    if (status == CLEAVE_OK)
        status = make_graph(out, &r, opt);
    clv_edge_stream_free(&r.stream);
    clv_text_free(&r.text);
    return status;
}

/* ---- Recognising ---------------------------------------------------------------------- */

typedef struct line_shape {
    int64_t words;
    bool commas;  /* or semicolons */
    bool numbers; /* there is nothing but numbers */
    bool whole;   /* the end of the line was seen */
} line_shape;

static const char *look_at_line(const char *p, const char *end, line_shape *shape)
{
    bool inside = false;
    *shape = (line_shape){.numbers = true};
    for (; p < end && *p != '\n'; p++) {
        bool separator = clv_text_separates(*p);
        shape->commas = shape->commas || *p == ',' || *p == ';';
        shape->numbers = shape->numbers && (separator || (*p >= '0' && *p <= '9') ||
                                            (*p != '\0' && strchr("+-.eE", *p)));
        shape->words += !separator && !inside;
        inside = !separator;
    }
    shape->whole = p < end;
    return p < end ? p + 1 : end;
}

/* Are the rows in this buffer those of a square matrix? */
static int looks_like_matrix(const char *bytes, size_t count)
{
    enum { sure = 95, least = 4, least_blanks = 6 };
    const char *p = bytes, *end = bytes + count;
    bool all = count < CLV_INPUT_PEEK, titles = false;
    int64_t rows = 0, columns = 0;
    while (p < end) {
        line_shape line;
        bool comment = *p == '#' || *p == '%';
        p = look_at_line(p, end, &line);
        if (comment || line.words == 0)
            continue;
        if (!line.numbers && rows == 0 && !titles && line.commas) {
            titles = true;
            continue;
        }
        if (!line.numbers || line.words < (line.commas ? least : least_blanks))
            return 0;
        bool cut = !line.whole && !all;
        if (rows > 0 && (cut ? line.words > columns : line.words != columns))
            return 0;
        columns = rows == 0 ? line.words : columns;
        if (++rows > columns)
            return 0;
    }
    return rows > 0 && (!all || rows == columns) ? sure : 0;
}

const clv_format clv_format_csv_matrix = {
    .name = "csv-matrix",
    .description = "dense matrix of weights: n lines of n numbers",
    .extensions = "",
    .looks_like = looks_like_matrix,
    .read = read_matrix,
    .write = NULL,
    .reads_values = true,
};
