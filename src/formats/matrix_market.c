/* SPDX-License-Identifier: Apache-2.0 */
/* formats/matrix_market.c - Matrix Market coordinate files [Boisvert, Pozo, Remington 1996]:
 * real, integer and pattern; general, symmetric and skew-symmetric.
 *
 * As an undirected graph: the pattern of A + A^T without its diagonal.  As a DAG: arcs go from
 * column to row (x_j is needed for row i), over all entries or over one triangle.  As a
 * matrix: see matrix_market_values.c. */
#include <math.h>
#include <string.h>

#include "formats/formats.h"
#include "formats/matrix_market_scan.h"
#include "graph/ordered_rows.h"

/* ---- Graphs --------------------------------------------------------------------------- */

static cleave_status weight_of(mm_reader *r, const clv_read_options *opt, double value,
                               int32_t *weight)
{
    double scaled = floor(fabs(value) * opt->scale + 0.5);
    if (!(scaled <= INT32_MAX)) /* also false for NaN */
        return clv_mm_fail_last(r, "the value of the entry, scaled, is not in 0..2147483647");
    *weight = (int32_t)scaled;
    return CLEAVE_OK;
}

/* A batch of entries that are added to the stream at once. */
typedef struct mm_batch {
    int count;
    int32_t tail[1024], head[1024], weight[1024];
} mm_batch;

/* Adds the arc of an entry, or nothing if it is in the other triangle.  Undirected: by_row
 * means that the file is sorted by rows; the index that changes slowly is the tail, because
 * runs with the same tail need less memory in a stream. */
static inline void put_entry_arc(mm_batch *batch, const mm_entry *e, int32_t weight, clv_as as,
                                 bool mirrored, bool by_row)
{
    int32_t tail = by_row ? e->row : e->col, head = by_row ? e->col : e->row;
    if ((as == CLV_AS_LOWER || as == CLV_AS_UPPER) &&
        !clv_mm_triangle_arc(e, as == CLV_AS_LOWER, mirrored, &tail, &head))
        return;
    batch->tail[batch->count] = tail;
    batch->head[batch->count] = head;
    batch->weight[batch->count++] = weight;
}

/* All arcs of a general matrix must have the same orientation: otherwise duplicates would look
 * like the two directions of an edge. */
static void turn_around(mm_batch *batch)
{
    for (int i = 0; i < batch->count; i++) {
        int32_t tail = batch->tail[i];
        batch->tail[i] = batch->head[i];
        batch->head[i] = tail;
    }
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
        CLV_TRY(clv_mm_next(r, &entry));
        if (r->seen == 2 && either && entry.row == before.row) {
            by_row = true;
            turn_around(&batch);
        }
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
    return clv_mm_expect_end(r);
}

static cleave_status check_graph_shape(const mm_reader *r, clv_as as)
{
    if (r->nrow != r->ncol)
        return clv_fail_at(r->text.err, CLEAVE_EPARSE, clv_input_path(r->text.in),
                           r->last_line,
                           "a matrix of %lld x %lld is not a graph: it is not square",
                           (long long)r->nrow, (long long)r->ncol);
    if (as == CLV_AS_DAG && r->symmetry != MM_GENERAL)
        return clv_mm_fail_last(
            r, "a symmetric matrix is not a DAG; read one of its triangles with "
               "\"lower\" or \"upper\"");
    return CLEAVE_OK;
}

/* The plain entries of the window, as long as they are in order.  Works on copies of the state
 * so that the compiler can keep it in registers. */
static void ordered_window(mm_reader *r, clv_ordered_rows *ordered)
{
    clv_ordered_rows o = *ordered;
    const char *p = r->text.cur, *end = r->text.end;
    int64_t seen = r->seen;
    while (seen < r->nnz) {
        mm_entry e;
        const char *next = clv_mm_plain(r, p, end, &e);
        if (CLV_UNLIKELY(!next))
            break;
        if (CLV_UNLIKELY(!clv_ordered_rows_add(&o, e.col, e.row)) && e.row != e.col)
            break;
        p = next;
        seen++;
    }
    r->text.line += seen - r->seen;
    r->text.cur = p;
    r->seen = seen;
    *ordered = o;
}

/* The entries of a symmetric file, as long as they are sorted by columns and below the
 * diagonal; *pending: an entry that is not was read into *entry. */
static cleave_status ordered_entries(mm_reader *r, clv_ordered_rows *ordered, mm_entry *entry,
                                     bool *pending)
{
    *pending = false;
    for (;;) {
        CLV_TRY(clv_mm_fill(r));
        ordered_window(r, ordered);
        if (r->seen == r->nnz)
            return CLEAVE_OK;
        CLV_TRY(clv_mm_next(r, entry));
        *pending =
            entry->row != entry->col && !clv_ordered_rows_add(ordered, entry->col, entry->row);
        if (*pending)
            return CLEAVE_OK;
    }
}

/* Reads a symmetric file that is sorted as usual.  *done false: it is not; the entries read so
 * far are in the stream. */
static cleave_status read_ordered(clv_rows *rows, mm_reader *r, clv_edge_stream *stream,
                                  bool *done)
{
    enum { shortest_line = 4 };
    *done = false;
    int64_t most = clv_input_size(r->text.in) / shortest_line;
    if (most < r->nnz) /* the size is unknown, or too small for so many entries */
        return CLEAVE_OK;
    clv_ordered_rows ordered;
    CLV_TRY(clv_ordered_rows_init(&ordered, (int32_t)r->nrow, r->nnz, r->text.err));
    mm_entry entry;
    bool pending;
    cleave_status status = ordered_entries(r, &ordered, &entry, &pending);
    if (status == CLEAVE_OK && !pending)
        status = clv_mm_expect_end(r);
    if (status != CLEAVE_OK) {
        clv_ordered_rows_free(&ordered);
        return status;
    }
    *done = !pending;
    if (*done)
        return clv_ordered_rows_finish(rows, &ordered, r->text.err);
    if (!clv_ordered_rows_to_stream(&ordered, stream) ||
        !clv_edge_stream_add(stream, 1, &entry.col, &entry.row, NULL))
        return clv_fail_memory(r->text.err);
    return CLEAVE_OK;
}

static cleave_status read_rows(clv_rows *rows, mm_reader *r, const clv_read_options *opt,
                               clv_edge_stream *stream)
{
    bool undirected = opt->as == CLV_AS_AUTO || opt->as == CLV_AS_UNDIRECTED;
    bool both = undirected && r->symmetry != MM_GENERAL, done = false;
    if (both && !opt->weights_from_values)
        CLV_TRY(read_ordered(rows, r, stream, &done));
    if (done)
        return CLEAVE_OK;
    CLV_TRY(stream_entries(r, opt, stream));
    return clv_edge_stream_rows(rows, stream, (int32_t)r->nrow, both, r->text.err);
}

static cleave_status build_graph(clv_graph **out, mm_reader *r, const clv_read_options *opt,
                                 clv_edge_stream *stream)
{
    CLV_TRY(check_graph_shape(r, opt->as));
    CLV_TRY(clv_mm_check_size(r));
    bool undirected = opt->as == CLV_AS_AUTO || opt->as == CLV_AS_UNDIRECTED;
    bool weighted = opt->weights_from_values;
    /* A general matrix with unsymmetric values has no obvious edge weights. */
    clv_build_rules rules = weighted && r->symmetry == MM_GENERAL
                                ? clv_rules_both_ways(opt)
                                : clv_rules_collapsing(opt, weighted);
    clv_where where = {.path = clv_input_path(r->text.in), .base = 1};
    clv_rows rows;
    CLV_TRY(read_rows(&rows, r, opt, stream));
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
    cleave_status status = clv_mm_open(&r, in, opt->weights_from_values, err);
    if (status == CLEAVE_OK)
        status = build_graph(out, &r, opt, &stream);
    clv_edge_stream_free(&stream);
    clv_text_free(&r.text);
    return status;
}

/* Column by column, as common tools write: the lower triangle of an undirected graph, entry
 * (head, tail) for every arc of a DAG. */
static cleave_status write_graph_sums(const clv_graph *g, const clv_sums *sums,
                                      clv_output *out, const int32_t *part, cleave_error *err)
{
    (void)part;
    (void)err;
    bool undirected = g->kind == CLEAVE_UNDIRECTED;
    clv_put_text(out, "%%MatrixMarket matrix coordinate ");
    clv_put_text(out, clv_sums_weigh_arcs(sums, g) ? "integer " : "pattern ");
    clv_put_text(out, undirected ? "symmetric\n" : "general\n");
    clv_mm_put_sizes(out, g->nvtx, g->nvtx, clv_graph_edges(g));
    for (int32_t v = 0; v < g->nvtx; v++)
        for (int64_t a = g->xadj[v]; a < g->xadj[v + 1]; a++) {
            if (undirected && g->adj[a] < v)
                continue;
            clv_mm_put_entry(out, g->adj[a], v);
            if (clv_sums_weigh_arcs(sums, g)) {
                clv_put_char(out, ' ');
                clv_put_i64(out, clv_sums_arc(sums, g, a));
            }
            clv_put_char(out, '\n');
        }
    return CLEAVE_OK;
}

static cleave_status write_graph(const clv_graph *g, clv_output *out, const int32_t *part,
                                 cleave_error *err)
{
    return write_graph_sums(g, NULL, out, part, err);
}

static int looks_like(const char *bytes, size_t count)
{
    static const char banner[] = "%%matrixmarket";
    if (count < sizeof banner - 1)
        return 0;
    for (size_t i = 0; i < sizeof banner - 1; i++)
        if (clv_text_lower(bytes[i]) != banner[i])
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
    .write_sums = write_graph_sums,
    .reads_triangles = true,
    .reads_values = true,
    .holds = CLEAVE_HOLDS_EDGE_VALUES,
};
