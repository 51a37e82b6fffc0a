/* SPDX-License-Identifier: Apache-2.0 */
/* formats/coords.c - coordinates of vertices in a separate file.
 *
 * Three forms.  Scotch (.xyz): the number of dimensions, the number of vertices, then "label x
 * y z" in any order; the smallest label is vertex 0.  Plain: "x y z" in line v for vertex v.
 * Matrix Market: a dense array, one row per vertex, stored by columns.  One-dimensional
 * coordinates get 0 as second dimension. */
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "formats/formats.h"
#include "formats/text.h"

static const char comment_marks[] = "#%";

typedef struct reader {
    clv_text text;
    int32_t nvtx;
    int32_t given; /* numbers per vertex in the file */
    int32_t ndim;  /* numbers per vertex that are kept: 2 or 3 */
    double *coords;
    /* Scotch only, in the order of the file. */
    int64_t *label, *line;
} reader;

/* ---- Parts of lines ------------------------------------------------------------------ */

static cleave_status set_dimensions(reader *r, int64_t given)
{
    r->given = (int32_t)given;
    r->ndim = given < 2 ? 2 : (int32_t)given;
    r->coords = clv_zalloc((int64_t)r->nvtx * r->ndim, sizeof *r->coords);
    return r->coords ? CLEAVE_OK : clv_fail_memory(r->text.err);
}

static cleave_status read_coordinate(reader *r, double *value)
{
    CLV_TRY(clv_text_double(&r->text, "a coordinate", value));
    if (!isfinite(*value))
        return clv_text_fail(&r->text, "a coordinate is not finite");
    return CLEAVE_OK;
}

static cleave_status end_line(reader *r, const char *expected)
{
    bool ends;
    CLV_TRY(clv_text_at_line_end(&r->text, &ends));
    if (!ends)
        return clv_text_fail(&r->text, "unexpected text after %s", expected);
    return CLEAVE_OK;
}

/* The coordinates of one vertex and the end of their line. */
static cleave_status read_point(reader *r, double *point)
{
    static const char *const expected[] = {"1 coordinate", "2 coordinates", "3 coordinates"};
    for (int32_t d = 0; d < r->given; d++)
        CLV_TRY(read_coordinate(r, &point[d]));
    return end_line(r, expected[r->given - 1]);
}

/* Goes to the line of the next vertex, whose number is `done`; fails if the file ends first.
 */
static cleave_status next_point(reader *r, int64_t done)
{
    bool more;
    CLV_TRY(clv_text_next_content(&r->text, comment_marks, &more));
    if (!more)
        return clv_text_fail(&r->text,
                             "the file ends after the coordinates of %lld vertices, the graph "
                             "has %d",
                             (long long)done, (int)r->nvtx);
    return CLEAVE_OK;
}

static cleave_status refuse_more(reader *r)
{
    bool more;
    CLV_TRY(clv_text_next_content(&r->text, comment_marks, &more));
    if (more)
        return clv_text_fail(&r->text,
                             "there are more lines than the coordinates of the graph's %d "
                             "vertices",
                             (int)r->nvtx);
    return CLEAVE_OK;
}

/* ---- Plain --------------------------------------------------------------------------- */

/* The number of words in the first line is the number of dimensions. */
static cleave_status read_first_point(reader *r)
{
    double point[3];
    int32_t count = 0;
    for (bool ends = false; !ends;) {
        if (count == 3)
            return end_line(r, "3 coordinates");
        CLV_TRY(read_coordinate(r, &point[count++]));
        CLV_TRY(clv_text_at_line_end(&r->text, &ends));
    }
    CLV_TRY(set_dimensions(r, count));
    memcpy(r->coords, point, (size_t)count * sizeof *point);
    return CLEAVE_OK;
}

static cleave_status read_plain(reader *r)
{
    if (r->nvtx == 0)
        CLV_TRY(set_dimensions(r, 2));
    for (int64_t v = 0; v < r->nvtx; v++) {
        CLV_TRY(next_point(r, v));
        CLV_TRY(v == 0 ? read_first_point(r) : read_point(r, r->coords + v * r->ndim));
    }
    return refuse_more(r);
}

/* ---- Scotch -------------------------------------------------------------------------- */

static cleave_status read_scotch_header(reader *r)
{
    bool more;
    int64_t dimensions, count;
    CLV_TRY(clv_text_next_content(&r->text, comment_marks, &more));
    CLV_TRY(clv_text_i64(&r->text, 1, 3, "the number of dimensions", &dimensions));
    CLV_TRY(clv_text_next_content(&r->text, "", &more));
    CLV_TRY(clv_text_i64(&r->text, 0, INT32_MAX, "the number of vertices", &count));
    CLV_TRY(end_line(r, "the number of vertices"));
    if (count != r->nvtx)
        return clv_text_fail(&r->text, "coordinates of %lld vertices, but the graph has %d",
                             (long long)count, (int)r->nvtx);
    return set_dimensions(r, dimensions);
}

static cleave_status fail_label(const reader *r, int64_t i, const char *what)
{
    return clv_fail_at(r->text.err, CLEAVE_EPARSE, clv_input_path(r->text.in), r->line[i],
                       "vertex label %lld %s", (long long)r->label[i], what);
}

/* Moves the points from the order of the file to the order of the labels. */
static cleave_status place_points(reader *r)
{
    int64_t base = r->nvtx > 0 ? r->label[0] : 0;
    for (int32_t i = 0; i < r->nvtx; i++)
        base = r->label[i] < base ? r->label[i] : base;
    double *placed = clv_alloc((int64_t)r->nvtx * r->ndim, sizeof *placed);
    bool *seen = clv_zalloc(r->nvtx, sizeof *seen);
    cleave_status status = placed && seen ? CLEAVE_OK : clv_fail_memory(r->text.err);
    for (int32_t i = 0; status == CLEAVE_OK && i < r->nvtx; i++) {
        int64_t v = r->label[i] - base;
        if (v >= r->nvtx) {
            status = fail_label(r, i, "is too large: labels must be consecutive");
        } else if (seen[v]) {
            status = fail_label(r, i, "occurs twice");
        } else {
            seen[v] = true;
            memcpy(placed + v * r->ndim, r->coords + (int64_t)i * r->ndim,
                   (size_t)r->ndim * sizeof *placed);
        }
    }
    clv_sys_free(seen);
    clv_sys_free(status == CLEAVE_OK ? r->coords : placed);
    if (status == CLEAVE_OK)
        r->coords = placed;
    return status;
}

static cleave_status read_scotch(reader *r)
{
    CLV_TRY(read_scotch_header(r));
    r->label = clv_alloc(r->nvtx, sizeof *r->label);
    r->line = clv_alloc(r->nvtx, sizeof *r->line);
    if (!r->label || !r->line)
        return clv_fail_memory(r->text.err);
    for (int64_t i = 0; i < r->nvtx; i++) {
        CLV_TRY(next_point(r, i));
        r->line[i] = r->text.line;
        CLV_TRY(clv_text_i64(&r->text, INT32_MIN, INT32_MAX, "a vertex label", &r->label[i]));
        CLV_TRY(read_point(r, r->coords + i * r->ndim));
    }
    CLV_TRY(refuse_more(r));
    return place_points(r);
}

/* ---- Matrix Market ------------------------------------------------------------------- */

static const char matrix_banner[] = "%%MatrixMarket";

static bool word_is(const char *word, size_t length, const char *lower)
{
    if (length != strlen(lower))
        return false;
    for (size_t i = 0; i < length; i++) {
        char c = word[i] >= 'A' && word[i] <= 'Z' ? (char)(word[i] + 32) : word[i];
        if (c != lower[i])
            return false;
    }
    return true;
}

/* Fails unless the next word of the banner is `wanted` or `other` (may be NULL). */
static cleave_status banner_word(reader *r, const char *wanted, const char *other)
{
    const char *word = "";
    size_t length = 0;
    bool ends;
    CLV_TRY(clv_text_at_line_end(&r->text, &ends));
    if (!ends)
        CLV_TRY(clv_text_word(&r->text, &word, &length));
    if (word_is(word, length, wanted) || (other && word_is(word, length, other)))
        return CLEAVE_OK;
    return clv_text_fail(&r->text,
                         "coordinates are a 'matrix array real general': \"%.*s\" is not '%s'",
                         length < 40 ? (int)length : 40, word, wanted);
}

static cleave_status read_matrix_header(reader *r)
{
    bool more;
    int64_t rows, columns;
    r->text.cur += strlen(matrix_banner);
    CLV_TRY(banner_word(r, "matrix", NULL));
    CLV_TRY(banner_word(r, "array", NULL));
    CLV_TRY(banner_word(r, "real", "integer"));
    CLV_TRY(banner_word(r, "general", NULL));
    CLV_TRY(clv_text_skip_line(&r->text));
    CLV_TRY(clv_text_next_content(&r->text, "%", &more));
    CLV_TRY(clv_text_i64(&r->text, 0, INT32_MAX, "the number of rows", &rows));
    CLV_TRY(clv_text_i64(&r->text, 1, 3, "the number of columns", &columns));
    CLV_TRY(end_line(r, "the number of columns"));
    if (rows != r->nvtx)
        return clv_text_fail(&r->text, "coordinates of %lld vertices, but the graph has %d",
                             (long long)rows, (int)r->nvtx);
    return set_dimensions(r, columns);
}

static cleave_status read_matrix(reader *r)
{
    CLV_TRY(read_matrix_header(r));
    bool more;
    for (int32_t d = 0; d < r->given; d++)
        for (int64_t v = 0; v < r->nvtx; v++) {
            CLV_TRY(clv_text_next_content(&r->text, "%", &more));
            if (!more)
                return clv_text_fail(&r->text, "the file ends after %lld of %lld coordinates",
                                     (long long)d * r->nvtx + (long long)v,
                                     (long long)r->given * r->nvtx);
            CLV_TRY(read_coordinate(r, &r->coords[v * r->ndim + d]));
        }
    return refuse_more(r);
}

/* ---- Reading ------------------------------------------------------------------------- */

/* Scotch's form starts with a line that holds the number of dimensions, a line that holds the
 * number of vertices, and a line of more than one word.  Such a file is recognised with any
 * extension. */
static bool looks_like_scotch(const char *bytes, size_t count, int32_t nvtx)
{
    const char *p = bytes, *end = bytes + count;
    int64_t value[2];
    bool overflow = false;
    for (int i = 0; i < 2; i++) {
        p = clv_parse_i64(p, end, &value[i], &overflow);
        if (!p)
            return false;
        while (p < end && (*p == ' ' || *p == '\t' || *p == '\r'))
            p++;
        if (p == end || *p++ != '\n')
            return false;
    }
    int words = 0;
    for (bool inside = false; p < end && *p != '\n'; p++) {
        bool blank = *p == ' ' || *p == '\t' || *p == '\r';
        words += !blank && !inside;
        inside = !blank;
    }
    return value[0] >= 1 && value[0] <= 3 && value[1] == nvtx && words > 1;
}

static cleave_status read_form(reader *r, clv_input *in, const char *path, cleave_error *err)
{
    const char *bytes;
    size_t count;
    CLV_TRY(clv_input_peek(in, &bytes, &count, err));
    bool matrix = count >= strlen(matrix_banner) &&
                  word_is(bytes, strlen(matrix_banner), "%%matrixmarket");
    bool scotch =
        clv_path_has_extension(path, "xyz") ||
        (!clv_path_has_extension(path, "coords") && looks_like_scotch(bytes, count, r->nvtx));
    CLV_TRY(clv_text_init(&r->text, in, err));
    return matrix ? read_matrix(r) : scotch ? read_scotch(r) : read_plain(r);
}

cleave_status clv_coords_read(double **coords, int32_t *ndim, const char *path, int32_t nvtx,
                              cleave_error *err)
{
    *coords = NULL;
    *ndim = 0;
    clv_input *in;
    CLV_TRY(clv_input_open(&in, path, NULL, NULL, err));
    reader r = {.nvtx = nvtx};
    cleave_status status = read_form(&r, in, path, err);
    clv_text_free(&r.text);
    clv_sys_free(r.label);
    clv_sys_free(r.line);
    clv_input_close(in);
    if (status != CLEAVE_OK) {
        clv_sys_free(r.coords);
        return status;
    }
    *coords = r.coords;
    *ndim = r.ndim;
    return CLEAVE_OK;
}

/* ---- Writing ------------------------------------------------------------------------- */

static void write_points(const clv_graph *g, clv_output *out, bool labels)
{
    for (int64_t v = 0; v < g->nvtx; v++) {
        if (labels)
            clv_put_i64(out, v);
        for (int32_t d = 0; d < g->ndim; d++) {
            if (labels || d > 0)
                clv_put_char(out, labels ? '\t' : ' ');
            clv_put_double(out, g->coords[v * g->ndim + d]);
        }
        clv_put_char(out, '\n');
    }
}

static void write_columns(const clv_graph *g, clv_output *out)
{
    clv_put_text(out, matrix_banner);
    clv_put_text(out, " matrix array real general\n");
    clv_put_i64(out, g->nvtx);
    clv_put_char(out, ' ');
    clv_put_i64(out, g->ndim);
    clv_put_char(out, '\n');
    for (int32_t d = 0; d < g->ndim; d++)
        for (int64_t v = 0; v < g->nvtx; v++) {
            clv_put_double(out, g->coords[v * g->ndim + d]);
            clv_put_char(out, '\n');
        }
}

cleave_status clv_coords_write(const clv_graph *g, const char *path, cleave_error *err)
{
    if (!g->coords)
        return clv_fail(err, CLEAVE_EINVAL, "the graph has no coordinates to write");
    clv_output *out;
    CLV_TRY(clv_output_open(&out, path, NULL, NULL, err));
    bool scotch = clv_path_has_extension(path, "xyz");
    if (clv_path_has_extension(path, "mtx")) {
        write_columns(g, out);
    } else {
        if (scotch) {
            clv_put_i64(out, g->ndim);
            clv_put_char(out, '\n');
            clv_put_i64(out, g->nvtx);
            clv_put_char(out, '\n');
        }
        write_points(g, out, scotch);
    }
    return clv_output_commit(out, err);
}

/* ---- Finding ------------------------------------------------------------------------- */

/* Length of the path without ".gz" and without the extension. */
static size_t stem_length(const char *path)
{
    size_t length = strlen(path);
    if (length > 3 && strcmp(path + length - 3, ".gz") == 0)
        length -= 3;
    for (size_t i = length; i > 1 && path[i - 1] != '/'; i--)
        if (path[i - 1] == '.' && path[i - 2] != '/')
            return i - 1;
    return length;
}

char *clv_coords_beside(const char *graph_path, bool *oom)
{
    static const char *const endings[] = {".xyz",       ".xyz.gz",    ".coords",
                                          ".coords.gz", "_coord.mtx", "_coord.mtx.gz"};
    enum { longest_ending = 16 };
    *oom = false;
    if (strcmp(graph_path, "-") == 0)
        return NULL;
    size_t stem = stem_length(graph_path);
    char *path = clv_alloc((int64_t)stem + longest_ending, 1);
    if (!path) {
        *oom = true;
        return NULL;
    }
    memcpy(path, graph_path, stem);
    for (size_t i = 0; i < sizeof endings / sizeof *endings; i++) {
        strcpy(path + stem, endings[i]);
        if (access(path, R_OK) == 0)
            return path;
    }
    clv_sys_free(path);
    return NULL;
}
