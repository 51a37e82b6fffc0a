/* SPDX-License-Identifier: Apache-2.0 */
/* formats/pace.c - the line-based formats of the DIMACS and PACE challenges.
 *
 * Comment lines start with `c`; one line `p KIND n m` precedes the edges; vertices are counted
 * from 1.  PACE (KIND tw, td, ...): an edge is a line `u v`.  DIMACS colouring (edge, col): `e
 * u v`, and `n v weight` gives a vertex its weight.  DIMACS shortest paths (sp): arcs `a u v
 * weight`; a two-way road is listed in both directions.
 *
 * Written as PACE, or as shortest paths if there are edge weights. */
#include <string.h>

#include "formats/formats.h"
#include "formats/grow.h"
#include "formats/text.h"

/* The first word in the line of an edge. */
enum { mark_none = 0, mark_edge = 'e', mark_arc = 'a' };

typedef struct pace_kind {
    const char *name;
    char mark;
} pace_kind;

static const pace_kind kinds[] = {
    {"tw", mark_none},  {"td", mark_none}, {"tdp", mark_none}, {"tww", mark_none},
    {"cep", mark_none}, {"ds", mark_none}, {"edge", 'e'},      {"edges", 'e'},
    {"col", 'e'},       {"sp", 'a'},
};
enum { nkinds = sizeof kinds / sizeof *kinds };

typedef struct pace_reader {
    clv_text text;
    const clv_read_options *opt;
    const pace_kind *kind; /* NULL: before the p line */
    int64_t line;          /* of the p line */
    int64_t nvtx, nedge;   /* as in that line */
    int64_t count;         /* edges so far, self-loops included */
    clv_edge_stream stream;
    int32_t *vwgt; /* capacity vwgt_room; 1 where the file gives no weight */
    int64_t vwgt_room;
} pace_reader;

/* ---- Lines ---------------------------------------------------------------------------- */

static const pace_kind *find_kind(const char *word, size_t length)
{
    for (int i = 0; i < nkinds; i++)
        if (strlen(kinds[i].name) == length && memcmp(kinds[i].name, word, length) == 0)
            return &kinds[i];
    return NULL;
}

static cleave_status read_problem(pace_reader *r)
{
    const char *word;
    size_t length;
    bool ends;
    if (r->kind)
        return clv_text_fail(&r->text, "the file has a second p line");
    CLV_TRY(clv_text_at_line_end(&r->text, &ends));
    if (ends)
        return clv_text_fail(&r->text, "the p line does not name a problem");
    CLV_TRY(clv_text_word(&r->text, &word, &length));
    r->kind = find_kind(word, length);
    if (!r->kind)
        return clv_text_fail(&r->text,
                             "\"%.*s\" is not a problem on graphs: tw, edge, col or sp",
                             length < 40 ? (int)length : 40, word);
    CLV_TRY(clv_text_i64(&r->text, 0, INT32_MAX - 1, "the number of vertices", &r->nvtx));
    CLV_TRY(clv_text_i64(&r->text, 0, INT64_MAX / 4, "the number of edges", &r->nedge));
    r->line = r->text.line;
    CLV_TRY(clv_text_end_line(&r->text, "the number of edges"));
    r->stream.weighted = r->kind->mark == mark_arc;
    return CLEAVE_OK;
}

static cleave_status read_edge(pace_reader *r)
{
    int64_t u, v, weight = 1;
    CLV_TRY(clv_text_i64(&r->text, 1, r->nvtx, "a vertex", &u));
    CLV_TRY(clv_text_i64(&r->text, 1, r->nvtx, "a vertex", &v));
    if (r->kind->mark == mark_arc)
        CLV_TRY(clv_text_i64(&r->text, 0, INT32_MAX, "the weight of an arc", &weight));
    CLV_TRY(clv_text_end_line(&r->text, r->kind->mark == mark_arc ? "the arc" : "the edge"));
    int32_t tail = (int32_t)(u - 1), head = (int32_t)(v - 1), w = (int32_t)weight;
    if (!clv_edge_stream_add(&r->stream, 1, &tail, &head, &w))
        return clv_fail_memory(r->text.err);
    r->count++;
    return CLEAVE_OK;
}

static cleave_status fail_absurd(const pace_reader *r)
{
    return clv_fail_at(r->text.err, CLEAVE_ERANGE, clv_input_path(r->text.in), 0,
                       "%lld vertices with %lld edges in all are implausible",
                       (long long)r->nvtx, (long long)r->count);
}

static cleave_status grow_weights(pace_reader *r, int64_t needed)
{
    int64_t room = clv_next_room(needed);
    room = room < r->nvtx ? room : r->nvtx;
    if (!clv_grow_i32(&r->vwgt, room))
        return clv_fail_memory(r->text.err);
    for (int64_t v = r->vwgt_room; v < room; v++)
        r->vwgt[v] = 1;
    r->vwgt_room = room;
    return CLEAVE_OK;
}

static cleave_status read_vertex(pace_reader *r)
{
    int64_t v, weight;
    CLV_TRY(clv_text_i64(&r->text, 1, r->nvtx, "a vertex", &v));
    CLV_TRY(clv_text_i64(&r->text, 0, INT32_MAX, "the weight of a vertex", &weight));
    CLV_TRY(clv_text_end_line(&r->text, "the weight of the vertex"));
    if (v > r->vwgt_room && !clv_plausible_vertices(v, r->nedge))
        return fail_absurd(r);
    if (v > r->vwgt_room)
        CLV_TRY(grow_weights(r, v));
    r->vwgt[v - 1] = (int32_t)weight;
    return CLEAVE_OK;
}

static cleave_status fail_line(const pace_reader *r, const char *word, size_t length)
{
    const char *expected = r->kind->mark == mark_edge  ? "e u v"
                           : r->kind->mark == mark_arc ? "a u v weight"
                                                       : "u v";
    return clv_text_fail(&r->text, "\"%.*s\" does not start a line '%s'",
                         length < 40 ? (int)length : 40, word, expected);
}

/* cur is at the first word of a line. */
static cleave_status read_line(pace_reader *r)
{
    char first = *r->text.cur;
    if (first == 'c')
        return CLEAVE_OK;
    if (r->kind && r->kind->mark == mark_none && first >= '0' && first <= '9')
        return read_edge(r);
    const char *word;
    size_t length;
    CLV_TRY(clv_text_word(&r->text, &word, &length));
    if (length == 1 && first == 'p')
        return read_problem(r);
    if (!r->kind)
        return clv_text_fail(&r->text, "a line precedes the p line");
    if (length == 1 && first == r->kind->mark)
        return read_edge(r);
    if (length == 1 && first == 'n' && r->kind->mark == mark_edge)
        return read_vertex(r);
    return fail_line(r, word, length);
}

static cleave_status read_lines(pace_reader *r)
{
    for (;;) {
        bool more;
        CLV_TRY(clv_text_next_content(&r->text, "", &more));
        if (!more)
            break;
        CLV_TRY(read_line(r));
        CLV_TRY(clv_text_skip_line(&r->text));
    }
    if (!r->kind)
        return clv_text_fail(&r->text, "the file has no p line");
    return CLEAVE_OK;
}

/* ---- The graph ------------------------------------------------------------------------ */

/* Colouring files count each edge once or twice; both conventions are in use. */
static cleave_status check_counts(const pace_reader *r)
{
    bool fits =
        r->count == r->nedge ||
        (r->kind->mark == mark_edge && (r->count == 2 * r->nedge || 2 * r->count == r->nedge));
    if (!fits && r->opt->repair)
        r->opt->repairs->counts++;
    else if (!fits)
        return clv_fail_at(r->text.err, CLEAVE_EPARSE, clv_input_path(r->text.in), r->line,
                           "the p line has %lld edges, but the file has %lld",
                           (long long)r->nedge, (long long)r->count);
    return clv_plausible_vertices(r->nvtx, r->count) ? CLEAVE_OK : fail_absurd(r);
}

/* Edges are listed once; arcs of shortest paths in both directions, otherwise they are
 * one-way. */
static clv_build_rules rules_of(const pace_reader *r)
{
    return r->kind->mark == mark_arc ? clv_rules_both_ways(r->opt)
                                     : clv_rules_collapsing(r->opt, false);
}

static cleave_status make_graph(clv_graph **out, pace_reader *r)
{
    clv_rows rows;
    CLV_TRY(check_counts(r));
    CLV_TRY(clv_edge_stream_rows(&rows, &r->stream, (int32_t)r->nvtx, false, r->text.err));
    clv_build_rules rules = rules_of(r);
    clv_where where = {.path = clv_input_path(r->text.in), .base = 1};
    cleave_kind kind = r->opt->as == CLV_AS_DAG ? CLEAVE_DAG : CLEAVE_UNDIRECTED;
    CLV_TRY(clv_build_graph(out, kind, &rows, &rules, &where, r->text.err));
    (*out)->entries = r->count;
    if (!r->vwgt)
        return CLEAVE_OK;
    CLV_TRY(grow_weights(r, r->nvtx));
    if (!clv_arena_adopt(&(*out)->arena, r->vwgt))
        return clv_fail_memory(r->text.err);
    (*out)->vwgt = r->vwgt;
    r->vwgt = NULL;
    return CLEAVE_OK;
}

static cleave_status read_pace(clv_graph **out, clv_input *in, const clv_read_options *opt,
                               cleave_error *err)
{
    pace_reader r = {.opt = opt};
    clv_edge_stream_init(&r.stream, false);
    cleave_status status = clv_text_init(&r.text, in, err);
    if (status == CLEAVE_OK)
        status = read_lines(&r);
    if (status == CLEAVE_OK)
        status = make_graph(out, &r);
    clv_edge_stream_free(&r.stream);
    clv_text_free(&r.text);
    clv_sys_free(r.vwgt);
    return status;
}

/* ---- Recognising ---------------------------------------------------------------------- */

/* Comment lines, then `p KIND`. */
static int looks_like_pace(const char *bytes, size_t count)
{
    const char *p = bytes, *end = bytes + count;
    while (p < end && (*p == 'c' || *p == '\n' || *p == '\r')) {
        const char *newline = memchr(p, '\n', (size_t)(end - p));
        if (!newline)
            return 0;
        p = newline + 1;
    }
    if (end - p < 3 || p[0] != 'p' || p[1] != ' ')
        return 0;
    p += 2;
    const char *word = p;
    while (p < end && *p != ' ' && *p != '\t' && *p != '\n')
        p++;
    return find_kind(word, (size_t)(p - word)) ? 95 : 0;
}

/* ---- Writing -------------------------------------------------------------------------- */

static void put_edge(clv_output *out, const clv_graph *g, int32_t tail, int64_t a)
{
    if (g->ewgt)
        clv_put_text(out, "a ");
    clv_put_i64(out, (int64_t)tail + 1);
    clv_put_char(out, ' ');
    clv_put_i64(out, (int64_t)g->adj[a] + 1);
    if (g->ewgt) {
        clv_put_char(out, ' ');
        clv_put_i64(out, g->ewgt[a]);
    }
    clv_put_char(out, '\n');
}

static cleave_status write_pace(const clv_graph *g, clv_output *out, const int32_t *part,
                                cleave_error *err)
{
    (void)part;
    (void)err;
    bool once = g->kind == CLEAVE_UNDIRECTED && !g->ewgt;
    clv_put_text(out, g->ewgt ? "p sp " : "p tw ");
    clv_put_i64(out, g->nvtx);
    clv_put_char(out, ' ');
    clv_put_i64(out, once ? g->narc / 2 : g->narc);
    clv_put_char(out, '\n');
    for (int32_t v = 0; v < g->nvtx; v++)
        for (int64_t a = g->xadj[v]; a < g->xadj[v + 1]; a++)
            if (!once || g->adj[a] > v)
                put_edge(out, g, v, a);
    return CLEAVE_OK;
}

const clv_format clv_format_pace = {
    .name = "pace",
    .description = "PACE and DIMACS graph: p tw, p edge, p sp",
    .extensions = "gr",
    .looks_like = looks_like_pace,
    .read = read_pace,
    .write = write_pace,
    .holds = CLEAVE_HOLDS_EDGE_WEIGHTS,
};
