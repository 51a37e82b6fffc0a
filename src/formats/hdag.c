/* SPDX-License-Identifier: Apache-2.0 */
/* formats/hdag.c - the hyperDAG format of HyperDAG_DB and OneStopParallel, .hdag.
 *
 * The numbers of hyperedges, vertices and pins; a line `e [communication [memory]]` per
 * hyperedge, a line `v [work [type]]` per vertex, both from 0 and in any order; then the pins,
 * `e v` each.  The first pin of a hyperedge is its source: arcs go from it to the others.  A %
 * starts a comment, at the start of a line or after its numbers.
 *
 * Work is the weight of the vertex.  Communication is what the source sends to each part that
 * reads it: its size.  Memory and type are ignored. */
#include <string.h>

#include "formats/formats.h"
#include "formats/grow.h"
#include "formats/text.h"

/* A table of lines `id [weight ...]` with each id of 0..count-1 once. */
typedef struct hdag_table {
    int64_t count;
    int32_t *weight; /* by id once the table is complete; before, in the order of the file */
    int32_t *id;     /* in the order of the file, as is line */
    int64_t *line;
    bool weighted; /* some weight is not 1 */
} hdag_table;

typedef struct hdag_reader {
    clv_text text;
    hdag_table hyperedges, vertices;
    int64_t npin;
    int32_t *source; /* by hyperedge; -1: no pin yet */
    int32_t *vsize;  /* by vertex, or NULL */
    clv_edge_stream stream;
} hdag_reader;

/* ---- Lines ---------------------------------------------------------------------------- */

/* Does the line end here, apart from a comment? */
static cleave_status numbers_end(clv_text *text, bool *end)
{
    CLV_TRY(clv_text_at_line_end(text, end));
    *end = *end || *text->cur == '%';
    return CLEAVE_OK;
}

/* Goes to the next line of a table or of the pins. */
static cleave_status next_line(clv_text *text, int64_t done, int64_t count, const char *what)
{
    bool more;
    CLV_TRY(clv_text_next_content(text, "%", &more));
    if (more)
        return CLEAVE_OK;
    return clv_text_fail(text, "the file ends after %lld of %lld %s", (long long)done,
                         (long long)count, what);
}

static cleave_status read_header(hdag_reader *r)
{
    clv_text *text = &r->text;
    bool more;
    CLV_TRY(clv_text_next_content(text, "%", &more));
    if (!more)
        return clv_text_fail(text, "the file has no header line");
    CLV_TRY(clv_text_i64(text, 0, INT32_MAX - 1, "the number of hyperedges",
                         &r->hyperedges.count));
    CLV_TRY(
        clv_text_i64(text, 0, INT32_MAX - 1, "the number of vertices", &r->vertices.count));
    CLV_TRY(clv_text_i64(text, 0, INT64_MAX / 4, "the number of pins", &r->npin));
    return clv_text_skip_line(text);
}

/* ---- Tables --------------------------------------------------------------------------- */

static cleave_status read_table_line(clv_text *text, hdag_table *table, int64_t i,
                                     const char *what_id)
{
    int64_t id, weight = 1;
    bool end;
    table->line[i] = text->line;
    CLV_TRY(clv_text_i64(text, 0, table->count - 1, what_id, &id));
    CLV_TRY(numbers_end(text, &end));
    if (!end)
        CLV_TRY(clv_text_i64(text, 0, INT32_MAX, "a weight", &weight));
    table->id[i] = (int32_t)id;
    table->weight[i] = (int32_t)weight;
    table->weighted |= weight != 1;
    return clv_text_skip_line(text);
}

/* Moves the weights from the order of the file to the order of the ids. */
static cleave_status place_weights(clv_text *text, hdag_table *table, const char *what)
{
    int32_t *placed = clv_alloc(table->count, sizeof *placed);
    if (!placed)
        return clv_fail_memory(text->err);
    for (int64_t i = 0; i < table->count; i++)
        placed[i] = -1;
    cleave_status status = CLEAVE_OK;
    for (int64_t i = 0; status == CLEAVE_OK && i < table->count; i++) {
        int32_t id = table->id[i];
        if (placed[id] >= 0)
            status = clv_fail_at(text->err, CLEAVE_EPARSE, clv_input_path(text->in),
                                 table->line[i], "%s %d occurs twice", what, (int)id);
        placed[id] = table->weight[i];
    }
    clv_sys_free(table->weight);
    table->weight = placed;
    return status;
}

static void free_table(hdag_table *table)
{
    clv_sys_free(table->weight);
    clv_sys_free(table->id);
    clv_sys_free(table->line);
    table->weight = table->id = NULL;
    table->line = NULL;
}

static cleave_status read_table(clv_text *text, hdag_table *table, const char *what,
                                const char *what_id, const char *what_many)
{
    int64_t room = 0;
    for (int64_t i = 0; i < table->count; i++) {
        CLV_TRY(next_line(text, i, table->count, what_many));
        if (i == room) {
            room = clv_next_room(room);
            if (!clv_grow_i32(&table->weight, room) || !clv_grow_i32(&table->id, room) ||
                !clv_grow_i64(&table->line, room))
                return clv_fail_memory(text->err);
        }
        CLV_TRY(read_table_line(text, table, i, what_id));
    }
    CLV_TRY(place_weights(text, table, what));
    clv_sys_free(table->id);
    clv_sys_free(table->line);
    table->id = NULL;
    table->line = NULL;
    return CLEAVE_OK;
}

/* ---- Pins ----------------------------------------------------------------------------- */

static cleave_status start_pins(hdag_reader *r)
{
    int64_t n = r->vertices.count, m = r->hyperedges.count;
    r->source = clv_alloc(m, sizeof *r->source);
    r->vsize = clv_alloc(n, sizeof *r->vsize);
    if (!r->source || !r->vsize)
        return clv_fail_memory(r->text.err);
    memset(r->source, 0xff, (size_t)m * sizeof *r->source);
    memset(r->vsize, 0xff,
           (size_t)n * sizeof *r->vsize); /* -1: not the source of a hyperedge */
    return CLEAVE_OK;
}

static cleave_status read_pin(hdag_reader *r)
{
    int64_t e, v;
    CLV_TRY(clv_text_i64(&r->text, 0, r->hyperedges.count - 1, "the hyperedge of a pin", &e));
    CLV_TRY(clv_text_i64(&r->text, 0, r->vertices.count - 1, "the vertex of a pin", &v));
    int32_t tail = r->source[e], head = (int32_t)v;
    if (tail < 0) {
        if (r->vsize[v] >= 0)
            return clv_text_fail(&r->text, "vertex %d is the source of a second hyperedge",
                                 (int)head);
        r->vsize[v] = r->hyperedges.weight[e];
        r->source[e] = head;
    } else if (tail == head) {
        return clv_text_fail(&r->text, "hyperedge %lld has its source %d as another pin",
                             (long long)e, (int)head);
    } else if (!clv_edge_stream_add(&r->stream, 1, &tail, &head, NULL)) {
        return clv_fail_memory(r->text.err);
    }
    return clv_text_skip_line(&r->text);
}

static cleave_status read_pins(hdag_reader *r)
{
    CLV_TRY(start_pins(r));
    for (int64_t i = 0; i < r->npin; i++) {
        CLV_TRY(next_line(&r->text, i, r->npin, "pins"));
        CLV_TRY(read_pin(r));
    }
    bool more;
    CLV_TRY(clv_text_next_content(&r->text, "%", &more));
    if (more)
        return clv_text_fail(&r->text, "unexpected text after the last of %lld pins",
                             (long long)r->npin);
    for (int64_t v = 0; v < r->vertices.count; v++)
        if (r->vsize[v] < 0)
            r->vsize[v] = 1;
    return CLEAVE_OK;
}

static cleave_status read_all(hdag_reader *r, clv_input *in, cleave_error *err)
{
    CLV_TRY(clv_text_init(&r->text, in, err));
    CLV_TRY(read_header(r));
    CLV_TRY(read_table(&r->text, &r->hyperedges, "hyperedge", "the number of a hyperedge",
                       "hyperedges"));
    CLV_TRY(
        read_table(&r->text, &r->vertices, "vertex", "the number of a vertex", "vertices"));
    return read_pins(r);
}

/* ---- The graph ------------------------------------------------------------------------ */

static cleave_status adopt_array(clv_graph *g, const int32_t **to, int32_t **from,
                                 cleave_error *err)
{
    if (!clv_arena_adopt(&g->arena, *from))
        return clv_fail_memory(err);
    *to = *from;
    *from = NULL;
    return CLEAVE_OK;
}

static cleave_status make_graph(clv_graph **out, hdag_reader *r, const clv_read_options *opt)
{
    cleave_error *err = r->text.err;
    clv_rows rows;
    bool dag = opt->as != CLV_AS_UNDIRECTED;
    CLV_TRY(clv_edge_stream_rows(&rows, &r->stream, (int32_t)r->vertices.count, false, err));
    clv_build_rules rules =
        dag ? clv_rules_strict(opt, false) : clv_rules_collapsing(opt, false);
    clv_where where = {.path = clv_input_path(r->text.in)};
    CLV_TRY(clv_build_graph(out, dag ? CLEAVE_DAG : CLEAVE_UNDIRECTED, &rows, &rules, &where,
                            err));
    (*out)->entries = r->hyperedges.count;
    if (r->vertices.weighted)
        CLV_TRY(adopt_array(*out, &(*out)->vwgt, &r->vertices.weight, err));
    if (r->hyperedges.weighted)
        CLV_TRY(adopt_array(*out, &(*out)->vsize, &r->vsize, err));
    return CLEAVE_OK;
}

static cleave_status read_hdag(clv_graph **out, clv_input *in, const clv_read_options *opt,
                               cleave_error *err)
{
    hdag_reader r = {.npin = 0};
    clv_edge_stream_init(&r.stream, false);
    cleave_status status = read_all(&r, in, err);
    if (status == CLEAVE_OK)
        status = make_graph(out, &r, opt);
    clv_text_free(&r.text);
    clv_edge_stream_free(&r.stream);
    free_table(&r.hyperedges);
    free_table(&r.vertices);
    clv_sys_free(r.source);
    clv_sys_free(r.vsize);
    return status;
}

/* ---- Recognising ---------------------------------------------------------------------- */

/* One of the first two lines is a comment that names the format. */
static int looks_like_hdag(const char *bytes, size_t count)
{
    static const char *const banners[] = {"% HyperDAG file format", "%% HyperdagDB format",
                                          "%HyperDAG model"};
    const char *p = bytes, *end = bytes + count;
    for (int line = 0; line < 2 && p < end && *p == '%'; line++) {
        for (size_t i = 0; i < sizeof banners / sizeof *banners; i++) {
            size_t length = strlen(banners[i]);
            if ((size_t)(end - p) >= length && memcmp(p, banners[i], length) == 0)
                return 100;
        }
        const char *newline = memchr(p, '\n', (size_t)(end - p));
        p = newline ? newline + 1 : end;
    }
    return 0;
}

/* ---- Writing -------------------------------------------------------------------------- */

static void put_pair(clv_output *out, int64_t a, int64_t b)
{
    clv_put_i64(out, a);
    clv_put_char(out, ' ');
    clv_put_i64(out, b);
    clv_put_char(out, '\n');
}

static void write_pins(const clv_graph *g, clv_output *out)
{
    int64_t e = 0;
    clv_put_text(out, "%% Pins: HyperedgeID NodeID\n");
    for (int32_t v = 0; v < g->nvtx; v++) {
        if (g->xadj[v] == g->xadj[v + 1])
            continue;
        put_pair(out, e, v);
        for (int64_t a = g->xadj[v]; a < g->xadj[v + 1]; a++)
            put_pair(out, e, g->adj[a]);
        e++;
    }
}

static cleave_status write_hdag(const clv_graph *g, clv_output *out, const int32_t *part,
                                cleave_error *err)
{
    (void)part;
    if (g->kind != CLEAVE_DAG)
        return clv_fail(err, CLEAVE_EINVAL,
                        "format \"hdag\" holds DAGs, and this graph is undirected");
    int64_t hyperedges = 0, e = 0;
    for (int32_t v = 0; v < g->nvtx; v++)
        hyperedges += g->xadj[v] < g->xadj[v + 1];
    clv_put_text(out, "%% HyperdagDB format written by cleave\n");
    clv_put_i64(out, hyperedges);
    clv_put_char(out, ' ');
    put_pair(out, g->nvtx, g->narc + hyperedges);
    clv_put_text(out, "%% Hyperedges: ID comm_weight\n");
    for (int32_t v = 0; v < g->nvtx; v++)
        if (g->xadj[v] < g->xadj[v + 1])
            put_pair(out, e++, g->vsize ? g->vsize[v] : 1);
    clv_put_text(out, "%% Vertices: ID work_weight\n");
    for (int32_t v = 0; v < g->nvtx; v++)
        put_pair(out, v, clv_graph_vwgt(g, v, 0));
    write_pins(g, out);
    return CLEAVE_OK;
}

const clv_format clv_format_hdag = {
    .name = "hdag",
    .description = "hyperDAG",
    .extensions = "hdag",
    .looks_like = looks_like_hdag,
    .read = read_hdag,
    .write = write_hdag,
    .holds = CLEAVE_HOLDS_VERTEX_WEIGHTS | CLEAVE_HOLDS_VERTEX_SIZES | CLEAVE_HOLDS_DIRECTION,
};
