/* SPDX-License-Identifier: Apache-2.0 */
/* formats/edges.c - edge lists: `u v [weight]` per line.
 *
 * Accepts columns separated by blanks, tabs, commas or semicolons; comments that start with #
 * or %; a header row of words; any whole numbers as vertices (formats/vertex_ids.h).  An edge
 * is listed in one direction, or in both with the same weight.  Duplicates without weights are
 * merged; weights of duplicates in the same direction are summed.  A line `v v` declares
 * vertex v without an edge: isolated vertices are written that way. */
#include <string.h>

#include "formats/formats.h"
#include "formats/text.h"
#include "formats/vertex_ids.h"

typedef struct edges_reader {
    clv_text text;
    clv_vertex_ids ids;
    clv_edge_stream stream; /* vertices are codes of clv_vertex_ids */
    clv_arena arena;        /* owns the names until the graph does */
    int columns;            /* 2 or 3; 0: not yet known */
    int64_t lines;
} edges_reader;

/* ---- Lines ---------------------------------------------------------------------------- */

static int shown_length(size_t length)
{
    return length < 40 ? (int)length : 40;
}

static cleave_status read_id(edges_reader *r, const char *word, size_t length, int32_t *code)
{
    int64_t id;
    bool overflow = false;
    if (length == 0)
        return clv_text_fail(&r->text, "the line ends before its second vertex");
    if (clv_parse_i64(word, word + length, &id, &overflow) != word + length)
        return clv_text_fail(&r->text, "vertex \"%.*s\" is not a whole number",
                             shown_length(length), word);
    if (overflow)
        return clv_text_fail(&r->text, "vertex %.*s does not fit into 64 bits",
                             shown_length(length), word);
    if (!clv_vertex_ids_code(&r->ids, id, code))
        return clv_fail_memory(r->text.err);
    return CLEAVE_OK;
}

static cleave_status read_weight(edges_reader *r, const clv_read_options *opt,
                                 const char *word, size_t length, int32_t *weight)
{
    bool overflow = false;
    int64_t value;
    if (opt->weights_from_values || opt->no_weights) {
        double real;
        if (clv_parse_double(word, word + length, &real) != word + length)
            return clv_text_fail(&r->text, "weight \"%.*s\" is not a number",
                                 shown_length(length), word);
        real = opt->no_weights ? 1 : (real < 0 ? -real : real) * opt->scale + 0.5;
        overflow = !(real < 2147483648.0);
        value = overflow ? 0 : (int64_t)real;
    } else if (clv_parse_i64(word, word + length, &value, &overflow) != word + length) {
        return clv_text_fail(&r->text,
                             "weight \"%.*s\" is not a whole number (real ones need a scale)",
                             shown_length(length), word);
    }
    if (overflow || value < 0 || value > INT32_MAX)
        return clv_text_fail(&r->text, "weight %.*s is outside 0..2147483647",
                             shown_length(length), word);
    *weight = (int32_t)value;
    return CLEAVE_OK;
}

/* Every line must have as many columns as the first. */
static cleave_status check_columns(edges_reader *r, int columns)
{
    if (r->columns == 0) {
        r->columns = columns;
        r->stream.weighted = columns == 3;
    }
    if (columns == r->columns)
        return CLEAVE_OK;
    return clv_text_fail(&r->text, "the line has %s weight, unlike those before it",
                         columns == 3 ? "a" : "no");
}

static cleave_status read_edge(edges_reader *r, const clv_read_options *opt)
{
    const char *word;
    size_t length;
    int32_t tail, head, weight = 1;
    CLV_TRY(clv_text_field(&r->text, &word, &length));
    CLV_TRY(read_id(r, word, length, &tail));
    CLV_TRY(clv_text_field(&r->text, &word, &length));
    CLV_TRY(read_id(r, word, length, &head));
    CLV_TRY(clv_text_field(&r->text, &word, &length));
    CLV_TRY(check_columns(r, length == 0 ? 2 : 3));
    if (length > 0) {
        CLV_TRY(read_weight(r, opt, word, length, &weight));
        CLV_TRY(clv_text_field(&r->text, &word, &length));
        if (length > 0)
            return clv_text_fail(&r->text, "the line has more than three columns");
    }
    if (!clv_edge_stream_add(&r->stream, 1, &tail, &head, &weight))
        return clv_fail_memory(r->text.err);
    r->lines++;
    return clv_text_skip_line(&r->text);
}

static cleave_status read_lines(edges_reader *r, const clv_read_options *opt)
{
    bool titles, more;
    CLV_TRY(clv_text_skip_titles(&r->text, &titles));
    for (;;) {
        CLV_TRY(clv_text_next_content(&r->text, "#%", &more));
        if (!more && titles && r->lines == 0) /* otherwise any text would be an empty graph */
            return clv_text_fail(&r->text, "no edges follow the row of titles");
        if (!more)
            return CLEAVE_OK;
        CLV_TRY(read_edge(r, opt));
    }
}

/* ---- The line of an arc ---------------------------------------------------------------- */

typedef struct arc_search {
    const clv_input *in;
    const clv_names *names;
} arc_search;

static cleave_status read_again(void *context, char *to, size_t capacity, int64_t at,
                                size_t *count, cleave_error *err)
{
    return clv_input_read_at(context, to, capacity, at, count, err);
}

static int64_t id_of(const clv_names *names, int32_t v)
{
    int64_t id = v;
    bool overflow;
    if (names->offset)
        clv_parse_i64(names->text + names->offset[v], names->text + names->offset[v + 1] - 1,
                      &id, &overflow);
    return id;
}

static cleave_status search_arc(clv_text *text, int64_t from, int64_t to, int64_t *line)
{
    bool titles, more;
    CLV_TRY(clv_text_skip_titles(text, &titles));
    for (*line = 0;;) {
        int64_t id[2];
        CLV_TRY(clv_text_next_content(text, "#%", &more));
        for (int i = 0; more && i < 2; i++) {
            const char *word;
            size_t length;
            bool overflow;
            CLV_TRY(clv_text_field(text, &word, &length));
            clv_parse_i64(word, word + length, &id[i], &overflow);
        }
        if (!more || (id[0] == from && id[1] == to)) {
            *line = more ? text->line : 0;
            return CLEAVE_OK;
        }
        CLV_TRY(clv_text_skip_line(text));
    }
}

/* The line numbers of edges are not stored: to report an invalid arc, an uncompressed file is
 * read again.  0: not found. */
static int64_t line_of_arc(const void *context, int32_t from, int32_t to)
{
    const arc_search *search = context;
    const clv_input_source source = {
        .size = clv_input_size(search->in), .read = read_again, .context = (void *)search->in};
    int64_t line = 0;
    clv_input *again = NULL;
    clv_text text = {.cur = NULL};
    if (source.size < 0 ||
        clv_input_from(&again, clv_input_path(search->in), &source, NULL) != CLEAVE_OK)
        return 0;
    if (clv_text_init(&text, again, NULL) != CLEAVE_OK ||
        search_arc(&text, id_of(search->names, from), id_of(search->names, to), &line) !=
            CLEAVE_OK)
        line = 0;
    clv_text_free(&text);
    clv_input_close(again);
    return line;
}

/* ---- The graph ------------------------------------------------------------------------ */

static cleave_status make_graph(clv_graph **out, edges_reader *r, const clv_read_options *opt)
{
    cleave_error *err = r->text.err;
    CLV_TRY(clv_vertex_ids_finish(&r->ids, err));
    clv_names names = {NULL, NULL};
    if (!clv_vertex_ids_plain(&r->ids))
        CLV_TRY(clv_vertex_ids_names(&names, &r->ids, &r->arena, err));
    clv_edge_stream_renumber(&r->stream, clv_vertex_ids_number, &r->ids);
    clv_rows rows;
    CLV_TRY(clv_edge_stream_rows(&rows, &r->stream, r->ids.nvtx, false, err));
    clv_build_rules rules = clv_rules_collapsing(opt, r->columns == 3);
    arc_search search = {r->text.in, &names};
    clv_where where = {.path = clv_input_path(r->text.in),
                       .context = &search,
                       .names = &names,
                       .line_of_arc = line_of_arc};
    cleave_kind kind = opt->as == CLV_AS_DAG ? CLEAVE_DAG : CLEAVE_UNDIRECTED;
    CLV_TRY(clv_build_graph(out, kind, &rows, &rules, &where, err));
    (*out)->entries = r->lines;
    (*out)->names = names;
    clv_arena_move(&(*out)->arena, &r->arena);
    return CLEAVE_OK;
}

static cleave_status read_edges(clv_graph **out, clv_input *in, const clv_read_options *opt,
                                cleave_error *err)
{
    edges_reader r = {.columns = 0};
    clv_edge_stream_init(&r.stream, false);
    cleave_status status = clv_text_init(&r.text, in, err);
    if (status == CLEAVE_OK)
        status = read_lines(&r, opt);
    if (status == CLEAVE_OK)
        status = make_graph(out, &r, opt);
    clv_edge_stream_free(&r.stream);
    clv_vertex_ids_free(&r.ids);
    clv_arena_free(&r.arena);
    clv_text_free(&r.text);
    return status;
}

/* ---- Writing -------------------------------------------------------------------------- */

/* Names can be written instead of numbers if reading them gives the same numbers. */
static bool names_are_ids(const clv_graph *g)
{
    if (!g->names.offset)
        return false;
    int64_t before = INT64_MIN;
    for (int32_t v = 0; v < g->nvtx; v++) {
        const char *name = clv_graph_name(g, v), *end = name + strlen(name);
        int64_t id;
        bool overflow = false;
        if (clv_parse_i64(name, end, &id, &overflow) != end || overflow ||
            (v > 0 && id <= before))
            return false;
        before = id;
    }
    return true;
}

static void put_vertex(clv_output *out, const clv_graph *g, bool by_name, int32_t v)
{
    if (by_name)
        clv_put_text(out, clv_graph_name(g, v));
    else
        clv_put_i64(out, v);
}

/* weight -1: no weight is written. */
static void put_line(clv_output *out, const clv_graph *g, bool by_name, int32_t tail,
                     int32_t head, int64_t weight)
{
    put_vertex(out, g, by_name, tail);
    clv_put_char(out, ' ');
    put_vertex(out, g, by_name, head);
    if (weight >= 0) {
        clv_put_char(out, ' ');
        clv_put_i64(out, weight);
    }
    clv_put_char(out, '\n');
}

static cleave_status write_edges_sums(const clv_graph *g, const clv_sums *sums,
                                      clv_output *out, const int32_t *part, cleave_error *err)
{
    (void)part;
    (void)err;
    bool by_name = names_are_ids(g), undirected = g->kind == CLEAVE_UNDIRECTED;
    bool weighted = clv_sums_weigh_arcs(sums, g);
    for (int32_t v = 0; v < g->nvtx; v++) {
        if (g->xadj[v] == g->xadj[v + 1] && g->xpred[v] == g->xpred[v + 1])
            put_line(out, g, by_name, v, v, weighted ? 0 : -1);
        for (int64_t a = g->xadj[v]; a < g->xadj[v + 1]; a++)
            if (!undirected || g->adj[a] > v)
                put_line(out, g, by_name, v, g->adj[a],
                         weighted ? clv_sums_arc(sums, g, a) : -1);
    }
    return CLEAVE_OK;
}

static cleave_status write_edges(const clv_graph *g, clv_output *out, const int32_t *part,
                                 cleave_error *err)
{
    return write_edges_sums(g, NULL, out, part, err);
}

const clv_format clv_format_edges = {
    .name = "edges",
    .description = "edge list: u v [weight] per line",
    .extensions = "edges el txt csv tsv edgelist",
    .looks_like = NULL,
    .read = read_edges,
    .write = write_edges,
    .write_sums = write_edges_sums,
    .reads_values = true,
    .holds = CLEAVE_HOLDS_EDGE_WEIGHTS | CLEAVE_HOLDS_IDS,
};
