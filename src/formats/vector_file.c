/* SPDX-License-Identifier: Apache-2.0 */
/* formats/vector_file.c - vectors: a Matrix Market array, or plain numbers, any number per
 * line; column by column.  Empty lines and lines that start with # or % are skipped. */
#include "formats/vector_file.h"

#include <math.h>

#include "formats/output.h"
#include "formats/text.h"

/* Reads the rest of the banner, and the sizes. */
static cleave_status read_header(clv_text *text, int32_t rows, int32_t columns)
{
    static const char *const fields[] = {"real", "integer", "double"};
    bool is, more;
    int64_t size[2];
    CLV_TRY(clv_text_word_is(text, "matrix", &is));
    if (!is)
        return clv_text_fail(text, "the banner does not describe a matrix");
    CLV_TRY(clv_text_word_is(text, "array", &is));
    if (!is)
        return clv_text_fail(text, "only array files hold vectors");
    is = false;
    for (int i = 0; i < 3 && !is; i++)
        CLV_TRY(clv_text_word_is(text, fields[i], &is));
    if (!is)
        return clv_text_fail(text, "the field is not real or integer");
    CLV_TRY(clv_text_word_is(text, "general", &is));
    if (!is)
        return clv_text_fail(text, "the symmetry of vectors is not general");
    CLV_TRY(clv_text_skip_line(text));
    CLV_TRY(clv_text_next_content(text, "%", &more));
    if (!more)
        return clv_text_fail(text, "the file ends before its size line");
    CLV_TRY(clv_text_i64(text, 0, INT32_MAX - 1, "the number of rows", &size[0]));
    CLV_TRY(clv_text_i64(text, 0, INT32_MAX - 1, "the number of columns", &size[1]));
    CLV_TRY(clv_text_end_line(text, "the sizes"));
    if (size[0] != rows || size[1] != columns)
        return clv_text_fail(text, "the vectors are %lld x %lld, but %d x %d are expected",
                             (long long)size[0], (long long)size[1], (int)rows, (int)columns);
    return clv_text_skip_line(text);
}

/* Reads up to the end of the file. */
static cleave_status read_numbers(clv_text *text, double *values, int64_t count)
{
    for (int64_t seen = 0;;) {
        bool more, ends = false;
        CLV_TRY(clv_text_next_content(text, "#%", &more));
        if (!more && seen < count)
            return clv_text_fail(text, "the file ends after %lld of %lld values",
                                 (long long)seen, (long long)count);
        if (!more)
            return CLEAVE_OK;
        while (!ends) {
            double value;
            if (seen == count)
                return clv_text_fail(text, "unexpected text after the last of %lld values",
                                     (long long)count);
            CLV_TRY(clv_text_double(text, "a value", &value));
            if (!isfinite(value))
                return clv_text_fail(text, "a value is not finite");
            values[seen++] = value;
            CLV_TRY(clv_text_at_line_end(text, &ends));
        }
        CLV_TRY(clv_text_skip_line(text));
    }
}

static cleave_status read_all(clv_text *text, double *values, int32_t rows, int32_t columns)
{
    bool banner;
    CLV_TRY(clv_text_fill(text));
    banner = text->cur < text->end && *text->cur == '%';
    if (banner)
        CLV_TRY(clv_text_word_is(text, "%%matrixmarket", &banner));
    if (banner)
        CLV_TRY(read_header(text, rows, columns));
    return read_numbers(text, values, (int64_t)rows * columns);
}

cleave_status clv_vectors_read(double *values, int32_t rows, int32_t columns, const char *path,
                               cleave_error *err)
{
    clv_input *in;
    clv_text text;
    CLV_TRY(clv_input_open(&in, path, NULL, NULL, err));
    cleave_status status = clv_text_init(&text, in, err);
    if (status == CLEAVE_OK)
        status = read_all(&text, values, rows, columns);
    clv_text_free(&text);
    clv_input_close(in);
    return status;
}

cleave_status clv_vectors_write(const double *values, int32_t rows, int32_t columns,
                                const char *path, cleave_error *err)
{
    clv_output *to;
    CLV_TRY(clv_output_open(&to, path, NULL, NULL, err));
    clv_put_text(to, "%%MatrixMarket matrix array real general\n");
    clv_put_i64(to, rows);
    clv_put_char(to, ' ');
    clv_put_i64(to, columns);
    clv_put_char(to, '\n');
    for (int64_t k = 0; k < (int64_t)rows * columns; k++) {
        clv_put_double(to, values[k]);
        clv_put_char(to, '\n');
    }
    return clv_output_commit(to, err);
}
