/* SPDX-License-Identifier: Apache-2.0 */
/* formats/matrix_market.c - Matrix Market coordinate files [Boisvert, Pozo, Remington
 * 1996]: real, integer and pattern; general, symmetric and skew-symmetric.
 *
 * As an undirected graph: the pattern of A + A^T without its diagonal.  As a DAG: arcs
 * run from column to row (column j must be known before row i), over all entries or over
 * one triangle.  As a matrix: all values. */
#include "formats/matrix_market.h"

#include <math.h>
#include <string.h>

#include "formats/formats.h"
#include "formats/text.h"

typedef enum mm_symmetry { MM_GENERAL, MM_SYMMETRIC, MM_SKEW } mm_symmetry;

typedef struct mm_reader {
    clv_text text;
    bool pattern;
    bool wants_values; /* else they are only checked to be numbers */
    mm_symmetry symmetry;
    int64_t nrow, ncol, nnz, seen;
} mm_reader;

typedef struct mm_entry {
    int32_t row, col;
    double value; /* 1 in pattern files */
} mm_entry;

/* ---- Header --------------------------------------------------------------------------- */

static char lower_case(char c)
{
    return c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c;
}

/* Is the next word of this line `expected`, in any case?  It is consumed if so. */
static cleave_status word_is(clv_text *text, const char *expected, bool *is)
{
    CLV_TRY(clv_text_skip_blanks(text));
    const char *word;
    size_t length;
    CLV_TRY(clv_text_word(text, &word, &length));
    *is = length == strlen(expected);
    for (size_t i = 0; *is && i < length; i++)
        *is = lower_case(word[i]) == expected[i];
    if (!*is)
        text->cur = word;
    return CLEAVE_OK;
}

/* Consumes the next word and says which of the words it is; -1: none of them. */
static cleave_status one_of(clv_text *text, const char *const *words, int *which)
{
    for (*which = 0; words[*which]; ++*which) {
        bool is;
        CLV_TRY(word_is(text, words[*which], &is));
        if (is)
            return CLEAVE_OK;
    }
    *which = -1;
    return CLEAVE_OK;
}

static cleave_status read_banner(mm_reader *r)
{
    static const char *const fields[] = {"real", "integer", "double", "pattern", "complex", NULL};
    static const char *const symmetries[] = {"general", "symmetric", "skew-symmetric",
                                             "hermitian", NULL};
    clv_text *text = &r->text;
    bool is;
    CLV_TRY(word_is(text, "%%matrixmarket", &is));
    if (!is)
        return clv_text_fail(text, "the first line is not a %%%%MatrixMarket banner");
    CLV_TRY(word_is(text, "matrix", &is));
    if (!is)
        return clv_text_fail(text, "the banner speaks of something else than a matrix");
    CLV_TRY(word_is(text, "coordinate", &is));
    if (!is)
        return clv_text_fail(text, "only coordinate files hold a sparse matrix");
    int which;
    CLV_TRY(one_of(text, fields, &which));
    if (which < 0)
        return clv_text_fail(text, "the field is none of real, integer, pattern");
    if (which == 4)
        return clv_text_fail(text, "complex values are not supported");
    r->pattern = which == 3;
    CLV_TRY(one_of(text, symmetries, &which));
    if (which < 0)
        return clv_text_fail(text,
                             "the symmetry is none of general, symmetric, skew-symmetric");
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
    return clv_text_skip_line(text);
}

static cleave_status open_reader(mm_reader *r, clv_input *in, bool wants_values,
                                 cleave_error *err)
{
    memset(r, 0, sizeof *r);
    r->wants_values = wants_values;
    CLV_TRY(clv_text_init(&r->text, in, err));
    return read_header(r);
}

/* ---- Entries -------------------------------------------------------------------------- */

/* The careful way to read a line, which also writes the messages. */
static cleave_status read_entry_slowly(mm_reader *r, mm_entry *entry)
{
    clv_text *text = &r->text;
    bool more, ends;
    CLV_TRY(clv_text_next_content(text, "%", &more));
    if (!more)
        return clv_text_fail(text, "the file ends after %lld of %lld entries",
                             (long long)r->seen, (long long)r->nnz);
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

static inline const char *skip_digits(const char *p)
{
    int count;
    do {
        count = clv_text_count_digits(clv_text_load(p));
        p += count;
    } while (count == 8);
    return p;
}

/* Behind the plain decimal number at p; NULL: it is something else. */
static inline const char *skip_number(const char *p)
{
    p += *p == '-' || *p == '+';
    const char *start = p;
    p = skip_digits(p);
    bool digits = p > start;
    if (*p == '.') {
        start = p + 1;
        p = skip_digits(start);
        digits |= p > start;
    }
    if (!digits)
        return NULL;
    if (*p == 'e' || *p == 'E') {
        p++;
        p += *p == '-' || *p == '+';
        start = p;
        p = skip_digits(p);
        digits = p > start;
    }
    return digits ? p : NULL;
}

static inline const char *skip_spaces(const char *p)
{
    while (*p == ' ' || *p == '\t')
        p++;
    return p;
}

enum { longest_quick_line = 256 };

/* The number at p and the one blank behind it, the rule; else any digits and blanks. */
static inline const char *read_index(const char *p, char behind, uint64_t *value)
{
    uint64_t bytes = clv_text_load(p);
    unsigned count = (unsigned)clv_text_count_digits(bytes);
    if (CLV_LIKELY(count - 1 < 7 && (char)(bytes >> (8 * count)) == behind)) {
        *value = clv_text_eight_digits(bytes << (64 - 8 * count));
        return p + count + (behind == ' ');
    }
    p = skip_spaces(p);
    if ((unsigned char)(*p - '0') >= 10)
        return NULL;
    return skip_spaces(clv_text_digits(p, value));
}

/* Reads "row col [value]\n" when it lies inside the window and is plain; false: it is not,
 * nothing is consumed, and the careful way decides. */
static inline bool read_entry_quickly(mm_reader *r, mm_entry *entry)
{
    clv_text *text = &r->text;
    uint64_t row, col;
    const char *p = read_index(text->cur, ' ', &row);
    if (CLV_UNLIKELY(!p))
        return false;
    const char *second = p;
    p = read_index(p, r->pattern ? '\n' : ' ', &col);
    if (CLV_UNLIKELY(!p || row - 1 >= (uint64_t)r->nrow || col - 1 >= (uint64_t)r->ncol))
        return false;
    *entry = (mm_entry){(int32_t)(row - 1), (int32_t)(col - 1), 1.0};
    if (!r->pattern) {
        /* A blank must stand between column and value. */
        if (p[-1] != ' ' && p[-1] != '\t')
            return false;
        p = r->wants_values ? clv_parse_double(p, text->end, &entry->value) : skip_number(p);
        if (!p)
            return false;
        p = skip_spaces(p);
    }
    p += *p == '\r';
    if (CLV_UNLIKELY(*p != '\n' || p >= text->end || second[-1] > ' '))
        return false;
    text->cur = p + 1;
    text->line++;
    return true;
}

static inline cleave_status next_entry(mm_reader *r, mm_entry *entry)
{
    if (CLV_UNLIKELY(r->text.end - r->text.cur < longest_quick_line))
        CLV_TRY(clv_text_fill(&r->text));
    if (CLV_UNLIKELY(!read_entry_quickly(r, entry)))
        CLV_TRY(read_entry_slowly(r, entry));
    r->seen++;
    return CLEAVE_OK;
}

static cleave_status expect_end(mm_reader *r)
{
    bool more;
    CLV_TRY(clv_text_next_content(&r->text, "%", &more));
    if (more)
        return clv_text_fail(&r->text, "the file goes on after the last of %lld entries",
                             (long long)r->nnz);
    return CLEAVE_OK;
}

/* ---- Graphs --------------------------------------------------------------------------- */

static cleave_status weight_of(mm_reader *r, const clv_read_options *opt, double value,
                               int32_t *weight)
{
    double scaled = floor(fabs(value) * opt->scale + 0.5);
    if (!(scaled <= INT32_MAX)) /* NaN as well */
        return clv_text_fail(&r->text, "the value above this line, scaled, is not in "
                                       "0..2147483647");
    *weight = (int32_t)scaled;
    return CLEAVE_OK;
}

/* Entries on their way into the stream, many at a time. */
typedef struct mm_batch {
    int count;
    int32_t tail[1024], head[1024], weight[1024];
} mm_batch;

/* The arc of an entry as `as` demands, or nothing.  Undirected: `by_row` says which index
 * the file runs over slowly; as tails they make short streams. */
static inline void put_entry_arc(mm_batch *batch, const mm_entry *e, int32_t weight, clv_as as,
                                 bool mirrored, bool by_row)
{
    int32_t tail = by_row ? e->row : e->col, head = by_row ? e->col : e->row;
    if (as == CLV_AS_LOWER || as == CLV_AS_UPPER) {
        bool lower = as == CLV_AS_LOWER;
        if (!mirrored && e->row != e->col && (e->row > e->col) != lower)
            return;
        int32_t low = e->row < e->col ? e->row : e->col;
        int32_t high = e->row < e->col ? e->col : e->row;
        tail = lower ? low : high;
        head = lower ? high : low;
    }
    batch->tail[batch->count] = tail;
    batch->head[batch->count] = head;
    batch->weight[batch->count++] = weight;
}

static bool flush_batch(mm_batch *batch, clv_edge_stream *stream)
{
    int count = batch->count;
    batch->count = 0;
    return clv_edge_stream_add(stream, count, batch->tail, batch->head, batch->weight);
}

static cleave_status stream_entries(mm_reader *r, const clv_read_options *opt,
                                    clv_edge_stream *stream)
{
    enum { full = sizeof((mm_batch *)0)->tail / sizeof(int32_t) };
    bool mirrored = r->symmetry != MM_GENERAL, by_row = false;
    bool either = opt->as == CLV_AS_AUTO || opt->as == CLV_AS_UNDIRECTED;
    mm_entry entry, before = {-1, -1, 0};
    mm_batch batch;
    batch.count = 0;
    while (r->seen < r->nnz) {
        CLV_TRY(next_entry(r, &entry));
        if (r->seen == 2)
            by_row = either && entry.row == before.row;
        before = entry;
        int32_t weight = 1;
        if (opt->weights_from_values)
            CLV_TRY(weight_of(r, opt, entry.value, &weight));
        put_entry_arc(&batch, &entry, weight, opt->as, mirrored, by_row);
        if (batch.count == full && !flush_batch(&batch, stream))
            return clv_fail_memory(r->text.err);
    }
    if (!flush_batch(&batch, stream))
        return clv_fail_memory(r->text.err);
    return expect_end(r);
}

static cleave_status check_graph_shape(mm_reader *r, clv_as as)
{
    if (r->nrow != r->ncol)
        return clv_text_fail(&r->text, "a matrix of %lld x %lld is no graph: it is not square",
                             (long long)r->nrow, (long long)r->ncol);
    if (as == CLV_AS_DAG && r->symmetry != MM_GENERAL)
        return clv_text_fail(&r->text, "a symmetric matrix is no DAG; take one of its "
                                       "triangles with \"lower\" or \"upper\"");
    return CLEAVE_OK;
}

/* Rows without entries cost nothing in the file but do in memory: an absurd header must not
 * take all of it. */
static cleave_status check_size(const mm_reader *r)
{
    enum { harmless = 1 << 24, most_per_entry = 64 };
    if (r->nrow <= harmless || r->nrow / most_per_entry <= r->nnz)
        return CLEAVE_OK;
    return clv_fail_at(r->text.err, CLEAVE_ERANGE, clv_input_path(r->text.in), 0,
                       "%lld rows with %lld entries in all are too many to be meant",
                       (long long)r->nrow, (long long)r->nnz);
}

static cleave_status build(clv_graph **out, mm_reader *r, const clv_read_options *opt,
                           clv_edge_stream *stream)
{
    CLV_TRY(check_graph_shape(r, opt->as));
    CLV_TRY(stream_entries(r, opt, stream));
    bool undirected = opt->as == CLV_AS_AUTO || opt->as == CLV_AS_UNDIRECTED;
    bool weighted = opt->weights_from_values;
    clv_build_rules rules = clv_rules_collapsing(opt, weighted);
    /* Values of a general matrix that are not symmetric have no obvious edge weight. */
    if (weighted && r->symmetry == MM_GENERAL)
        rules.symmetrise = opt->symmetrise;
    clv_where where = {clv_input_path(r->text.in), NULL, NULL, NULL, 1};
    clv_rows rows;
    CLV_TRY(check_size(r));
    CLV_TRY(clv_edge_stream_rows(&rows, stream, (int32_t)r->nrow,
                                 undirected && r->symmetry != MM_GENERAL, r->text.err));
    CLV_TRY(clv_build_graph(out, undirected ? CLEAVE_UNDIRECTED : CLEAVE_DAG, &rows, &rules,
                            &where, r->text.err));
    (*out)->entries = r->nnz;
    return CLEAVE_OK;
}

static cleave_status read_graph(clv_graph **out, clv_input *in, const clv_read_options *opt,
                                cleave_error *err)
{
    mm_reader r;
    clv_edge_stream stream;
    clv_edge_stream_init(&stream, opt->weights_from_values);
    cleave_status status = open_reader(&r, in, opt->weights_from_values, err);
    if (status == CLEAVE_OK)
        status = build(out, &r, opt, &stream);
    clv_edge_stream_free(&stream);
    clv_text_free(&r.text);
    return status;
}

static void put_entry(clv_output *out, int32_t row, int32_t col)
{
    clv_put_i64(out, (int64_t)row + 1);
    clv_put_char(out, ' ');
    clv_put_i64(out, (int64_t)col + 1);
}

static void put_sizes(clv_output *out, int32_t nrow, int32_t ncol, int64_t nnz)
{
    clv_put_i64(out, nrow);
    clv_put_char(out, ' ');
    clv_put_i64(out, ncol);
    clv_put_char(out, ' ');
    clv_put_i64(out, nnz);
    clv_put_char(out, '\n');
}

/* Column by column, as the format's own tools do: the lower triangle of an undirected
 * graph, entry (head, tail) for every arc of a DAG. */
static cleave_status write_graph(const clv_graph *g, clv_output *out, const int32_t *part,
                                 cleave_error *err)
{
    (void)part;
    (void)err;
    bool undirected = g->kind == CLEAVE_UNDIRECTED;
    clv_put_text(out, "%%MatrixMarket matrix coordinate ");
    clv_put_text(out, g->ewgt ? "integer " : "pattern ");
    clv_put_text(out, undirected ? "symmetric\n" : "general\n");
    put_sizes(out, g->nvtx, g->nvtx, clv_graph_edges(g));
    for (int32_t v = 0; v < g->nvtx; v++)
        for (int64_t a = g->xadj[v]; a < g->xadj[v + 1]; a++) {
            if (undirected && g->adj[a] < v)
                continue;
            put_entry(out, g->adj[a], v);
            if (g->ewgt) {
                clv_put_char(out, ' ');
                clv_put_i64(out, g->ewgt[a]);
            }
            clv_put_char(out, '\n');
        }
    return CLEAVE_OK;
}

static int looks_like(const char *bytes, size_t count)
{
    static const char banner[] = "%%matrixmarket";
    if (count < sizeof banner - 1)
        return 0;
    for (size_t i = 0; i < sizeof banner - 1; i++)
        if (lower_case(bytes[i]) != banner[i])
            return 0;
    return 100;
}

const clv_format clv_format_matrix_market = {
    .name = "mtx",
    .description = "Matrix Market coordinate file",
    .extensions = "mtx mm",
    .looks_like = looks_like,
    .read = read_graph,
    .write = write_graph,
    .reads_triangles = true,
};

/* ---- Matrices ------------------------------------------------------------------------- */

/* Entries as they come, then sorted into rows. */
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
        CLV_TRY(next_entry(r, &e));
        bool ok = add_triple(t, e.row, e.col, e.value);
        if (r->symmetry == MM_SKEW && e.row == e.col && e.value != 0)
            return clv_text_fail(&r->text, "the diagonal of a skew-symmetric matrix is zero");
        if (ok && r->symmetry != MM_GENERAL && e.row != e.col)
            ok = add_triple(t, e.col, e.row, r->symmetry == MM_SKEW ? -e.value : e.value);
        if (!ok)
            return clv_fail_memory(r->text.err);
    }
    return expect_end(r);
}

static cleave_status triples_to_rows(clv_matrix **out, const mm_reader *r, const mm_triples *t)
{
    int64_t *xadj = clv_zalloc(r->nrow + 2, sizeof *xadj);
    int32_t *col = clv_alloc(t->count, sizeof *col);
    double *val = clv_alloc(t->count, sizeof *val);
    if (!xadj || !col || !val) {
        clv_sys_free(xadj);
        clv_sys_free(col);
        clv_sys_free(val);
        return clv_fail_memory(r->text.err);
    }
    /* Counted two rows ahead: filling row i moves xadj[i + 1] to where it belongs. */
    for (int64_t k = 0; k < t->count; k++)
        xadj[t->entry[k].row + 2]++;
    for (int64_t i = 0; i < r->nrow; i++)
        xadj[i + 2] += xadj[i + 1];
    for (int64_t k = 0; k < t->count; k++) {
        int64_t place = xadj[t->entry[k].row + 1]++;
        col[place] = t->entry[k].col;
        val[place] = t->entry[k].value;
    }
    return clv_matrix_build(out, (int32_t)r->nrow, (int32_t)r->ncol, xadj, col, val,
                            r->text.err);
}

cleave_status clv_matrix_market_read(clv_matrix **out, clv_input *in, cleave_error *err)
{
    *out = NULL;
    mm_reader r;
    mm_triples t = {0, 0, NULL};
    cleave_status status = open_reader(&r, in, true, err);
    if (status == CLEAVE_OK)
        status = read_triples(&r, &t);
    if (status == CLEAVE_OK)
        status = check_size(&r);
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
    put_sizes(out, a->nrow, a->ncol, nnz);
    for (int32_t i = 0; i < a->nrow; i++)
        for (int64_t k = a->xadj[i]; k < a->xadj[i + 1]; k++) {
            if (symmetric && a->col[k] > i)
                continue;
            put_entry(out, i, a->col[k]);
            clv_put_char(out, ' ');
            clv_put_double(out, a->val[k]);
            clv_put_char(out, '\n');
        }
    return CLEAVE_OK;
}
