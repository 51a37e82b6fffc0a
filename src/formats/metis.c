/* SPDX-License-Identifier: Apache-2.0 */
/* formats/metis.c - the METIS (and Chaco) graph format.
 *
 * `n m [fmt [ncon]]`, then a line per vertex: [vsize] [ncon weights] (neighbour [weight])*,
 * 1-based; the digits of fmt say which of vsize, vertex weights and edge weights are present.
 * `%` starts a comment line; an empty line is a vertex without neighbours.
 *
 * Rows are read directly into the final arrays.  As long as they ascend, each row is compared
 * with the rows before it (graph/symmetry.h) while it is in cache: for an ordinary file no
 * check is left for the end. */
#include "formats/formats.h"
#include "formats/metis_rows.h"
#include "graph/rows.h"
#include "graph/symmetry.h"

/* Line numbers of vertices, for messages: vertex v is in line v + offset of the last jump at
 * or before v.  Only comments make a jump necessary. */
typedef struct line_jump {
    int32_t vertex;
    int64_t line;
} line_jump;

typedef struct metis_reader {
    clv_text text;
    const clv_read_options *opt; /* NULL: a share is read */
    clv_metis_header head;
    int64_t first, count; /* the rows to read: all, or those of the share */
    clv_rows rows;
    int64_t vertex_room, arc_room;
    int32_t *vwgt, *vsize;
    int64_t *cursor;  /* of clv_symmetry_row; NULL when not wanted */
    bool good;        /* all rows so far ascend and are symmetric */
    bool compared;    /* all rows have been compared with each other */
    int watched, far; /* sampled arcs, and those of them that are long */
    clv_team *team;   /* NULL: a single thread reads */
    line_jump *jumps;
    int32_t njumps, jump_room;
} metis_reader;

/* ---- Capacity ------------------------------------------------------------------------- */

/* Grows by half, and at least by step, up to the size in the header.  Memory is not allocated
 * for the header alone, because it is not trusted. */
static int64_t next_room(int64_t room, int64_t announced, int64_t step)
{
    int64_t larger = room + room / 2 + step;
    return room < announced && larger > announced ? announced : larger;
}

static bool grow_i32(int32_t **array, int64_t room)
{
    int32_t *larger = clv_realloc(*array, room, sizeof *larger);
    if (larger)
        *array = larger;
    return larger != NULL;
}

static bool grow_i64(int64_t **array, int64_t room)
{
    int64_t *larger = clv_realloc(*array, room, sizeof *larger);
    if (larger)
        *array = larger;
    return larger != NULL;
}

static cleave_status grow_arcs(metis_reader *r, int64_t room)
{
    if (!grow_i32(&r->rows.adj, room) || (r->head.has_ewgt && !grow_i32(&r->rows.ewgt, room)))
        return clv_fail_memory(r->text.err);
    r->arc_room = room;
    return CLEAVE_OK;
}

static cleave_status grow_vertices(metis_reader *r, int64_t room)
{
    if (!grow_i64(&r->rows.xadj, room + 1) || (r->cursor && !grow_i64(&r->cursor, room)) ||
        (r->head.has_vwgt && !grow_i32(&r->vwgt, room * r->head.ncon)) ||
        (r->head.has_vsize && !grow_i32(&r->vsize, room)))
        return clv_fail_memory(r->text.err);
    r->vertex_room = room;
    return CLEAVE_OK;
}

enum { arc_step = 65536 };

/* Lower bound on the bytes in the line of a vertex: the newline, and two per number. */
static int64_t least_bytes(const metis_reader *r)
{
    int64_t numbers = (r->head.has_vsize ? 1 : 0) + (r->head.has_vwgt ? r->head.ncon : 0);
    return numbers > 0 ? 2 * numbers : 1;
}

static cleave_status more_vertices(metis_reader *r)
{
    int64_t step = 65536 / least_bytes(r) + 1;
    return grow_vertices(r, next_room(r->vertex_room, r->count, step));
}

/* First allocation: as much as the header requires, bounded by what fits into the file, at two
 * bytes per arc. */
static cleave_status first_room(metis_reader *r)
{
    int64_t size = clv_input_size(r->text.in);
    int64_t most = size >= 0 ? size : 1 << 20;
    bool directed = r->opt && r->opt->as == CLV_AS_DAG;
    int64_t arcs = directed ? r->head.nedge : 2 * r->head.nedge;
    if (r->opt && !directed) {
        r->cursor = clv_alloc(1, sizeof *r->cursor);
        if (!r->cursor)
            return clv_fail_memory(r->text.err);
    }
    int64_t most_vertices = most / least_bytes(r) + 1;
    CLV_TRY(grow_vertices(r, r->count < most_vertices ? r->count : most_vertices));
    /* Plus room for the numbers of one window, which read_ordinary_rows needs. */
    CLV_TRY(grow_arcs(r, (arcs < most / 2 ? arcs : most / 2) + CLV_TEXT_WINDOW / 2 + 1));
    r->rows.xadj[0] = 0;
    return CLEAVE_OK;
}

/* ---- Rows ----------------------------------------------------------------------------- */

static cleave_status fail_neighbour(metis_reader *r, uint64_t value)
{
    return clv_text_fail(&r->text, "neighbour %llu is outside 1..%lld",
                         (unsigned long long)value, (long long)r->head.nvtx);
}

static cleave_status fail_character(metis_reader *r, const char *p)
{
    r->text.cur = p;
    const char *word;
    size_t length;
    CLV_TRY(clv_text_word(&r->text, &word, &length));
    return clv_text_fail(&r->text, "\"%.*s\" is not a vertex number",
                         length < 20 ? (int)length : 20, word);
}

/* Called at a byte after a number that is not a digit: a blank, the end of the window or of
 * the line, or an error. */
static cleave_status between_numbers(metis_reader *r, const char **p, bool *row_ends)
{
    clv_text *text = &r->text;
    text->cur = *p;
    CLV_TRY(clv_text_skip_blanks(text));
    *p = text->cur;
    *row_ends = **p == '\n';
    if (*row_ends || (unsigned char)(**p - '0') < 10)
        return CLEAVE_OK;
    return fail_character(r, *p);
}

/* The neighbours in a row without weights, up to the end of the line. */
static cleave_status read_neighbours(metis_reader *r, int64_t *narc)
{
    const char *p = r->text.cur;
    int64_t n = *narc, room = r->arc_room;
    int32_t *adj = r->rows.adj;
    for (;;) {
        if (*p == ' ')
            p++;
        if ((unsigned char)(*p - '0') >= 10) {
            bool row_ends;
            CLV_TRY(between_numbers(r, &p, &row_ends));
            if (row_ends)
                break;
        }
        uint64_t value;
        const char *start = p;
        p = clv_text_digits(p, &value);
        if (CLV_UNLIKELY(p == r->text.end && !r->text.at_end)) {
            r->text.cur = start; /* the number may continue after the window */
            CLV_TRY(clv_text_fill(&r->text));
            p = r->text.cur;
            continue;
        }
        if (CLV_UNLIKELY(value - 1 >= (uint64_t)r->head.nvtx))
            return fail_neighbour(r, value);
        if (CLV_UNLIKELY(n == room)) {
            CLV_TRY(grow_arcs(r, next_room(room, 2 * r->head.nedge, arc_step)));
            adj = r->rows.adj;
            room = r->arc_room;
        }
        adj[n++] = (int32_t)(value - 1);
    }
    r->text.cur = p;
    *narc = n;
    return CLEAVE_OK;
}

static cleave_status read_weighted_neighbours(metis_reader *r, int64_t *narc)
{
    for (;;) {
        bool ends;
        CLV_TRY(clv_text_at_line_end(&r->text, &ends));
        if (ends)
            return CLEAVE_OK;
        int64_t neighbour, weight;
        CLV_TRY(clv_text_i64(&r->text, 1, r->head.nvtx, "a neighbour", &neighbour));
        CLV_TRY(clv_text_i64(&r->text, 0, INT32_MAX, "the weight of an edge", &weight));
        if (*narc == r->arc_room)
            CLV_TRY(grow_arcs(r, next_room(r->arc_room, 2 * r->head.nedge, arc_step)));
        r->rows.adj[*narc] = (int32_t)(neighbour - 1);
        r->rows.ewgt[*narc] = (int32_t)weight;
        ++*narc;
    }
}

static cleave_status read_vertex_data(metis_reader *r, int64_t v)
{
    int64_t value;
    if (r->head.has_vsize) {
        CLV_TRY(clv_text_i64(&r->text, 0, INT32_MAX, "the size of a vertex", &value));
        r->vsize[v] = (int32_t)value;
    }
    for (int32_t c = 0; r->head.has_vwgt && c < r->head.ncon; c++) {
        CLV_TRY(clv_text_i64(&r->text, 0, INT32_MAX, "the weight of a vertex", &value));
        r->vwgt[v * r->head.ncon + c] = (int32_t)value;
    }
    return CLEAVE_OK;
}

static bool ascends(const clv_rows *rows, int32_t v)
{
    const int32_t *adj = rows->adj;
    for (int64_t a = rows->xadj[v] + 1; a < rows->xadj[v + 1]; a++)
        if (adj[a - 1] >= adj[a])
            return false;
    return true;
}

static cleave_status note_line(metis_reader *r, int32_t v)
{
    if (r->njumps > 0) {
        const line_jump *last = &r->jumps[r->njumps - 1];
        if (last->line + (v - last->vertex) == r->text.line)
            return CLEAVE_OK;
    }
    if (r->njumps == r->jump_room) {
        int32_t room = 2 * r->jump_room + 16;
        line_jump *larger = clv_realloc(r->jumps, room, sizeof *larger);
        if (!larger)
            return clv_fail_memory(r->text.err);
        r->jumps = larger;
        r->jump_room = room;
    }
    r->jumps[r->njumps++] = (line_jump){v, r->text.line};
    return CLEAVE_OK;
}

static int64_t line_of_vertex(const void *context, int32_t v)
{
    const metis_reader *r = context;
    int32_t low = 0, high = r->njumps;
    while (high - low > 1) {
        int32_t middle = low + (high - low) / 2;
        if (r->jumps[middle].vertex <= v)
            low = middle;
        else
            high = middle;
    }
    return r->njumps ? r->jumps[low].line + (v - r->jumps[low].vertex) : 0;
}

/* Skips comment lines; cur is then at the first non-blank byte of the line of vertex v. */
static cleave_status find_row(metis_reader *r, int64_t v)
{
    clv_text *text = &r->text;
    for (;;) {
        CLV_TRY(clv_text_skip_blanks(text));
        if (text->cur == text->end)
            return clv_text_fail(text, "the file ends after %lld of %lld vertices",
                                 (long long)(r->first + v), (long long)r->head.nvtx);
        if (*text->cur != '%')
            return CLEAVE_OK;
        CLV_TRY(clv_text_skip_line(text));
    }
}

static cleave_status read_row(metis_reader *r, int32_t v, int64_t *narc)
{
    if (CLV_UNLIKELY(*r->text.cur <= ' ' || *r->text.cur == '%'))
        CLV_TRY(find_row(r, v));
    CLV_TRY(note_line(r, v));
    if (r->head.has_vsize || r->head.has_vwgt)
        CLV_TRY(read_vertex_data(r, v));
    if (r->head.has_ewgt)
        CLV_TRY(read_weighted_neighbours(r, narc));
    else
        CLV_TRY(read_neighbours(r, narc));
    r->rows.xadj[v + 1] = *narc;
    clv_asymmetry found;
    r->good = r->good && ascends(&r->rows, v) &&
              (!r->cursor || clv_symmetry_row(&r->rows, v, r->cursor, &found));
    return clv_text_skip_line(&r->text);
}

/* Samples the arcs of row v.  If many neighbours are far away, the comparison row by row would
 * miss the cache at every arc; it is then left to clv_build_graph. */
static void watch_locality(metis_reader *r, int32_t v)
{
    enum { far_away = 1 << 16, per_row = 8, enough = 64 };
    int64_t begin = r->rows.xadj[v], step = (r->rows.xadj[v + 1] - begin) / per_row + 1;
    for (int64_t a = begin; a < r->rows.xadj[v + 1] && r->watched < enough; a += step) {
        int32_t distance = r->rows.adj[a] > v ? r->rows.adj[a] - v : v - r->rows.adj[a];
        r->far += distance > far_away;
        r->watched++;
    }
    if (r->watched == enough && r->far > enough / 4 && r->cursor) {
        clv_sys_free(r->cursor);
        r->cursor = NULL;
    }
}

/* Reads ordinary rows from *v on; *v becomes the first row that is not ordinary. */
static cleave_status read_ordinary_rows(metis_reader *r, int32_t *v, int64_t *narc)
{
    int64_t most_numbers = CLV_TEXT_WINDOW / 2 + 1;
    if (r->arc_room - *narc < most_numbers)
        CLV_TRY(
            grow_arcs(r, next_room(r->arc_room, 2 * r->head.nedge, arc_step) + most_numbers));
    int32_t most = (int32_t)(r->vertex_room < r->count ? r->vertex_room : r->count), u = *v;
    int32_t *to = r->rows.adj + *narc;
    clv_asymmetry found;
    for (; u < most; u++) {
        const char *next =
            clv_metis_row(r->text.cur, r->text.end, (uint64_t)r->head.nvtx, &to, &r->good);
        if (!next)
            break;
        *narc = to - r->rows.adj;
        r->rows.xadj[u + 1] = *narc;
        r->text.cur = next;
        if (r->good && r->cursor)
            r->good = clv_symmetry_row(&r->rows, u, r->cursor, &found);
    }
    r->text.line += u - *v;
    if (u > *v)
        watch_locality(r, u - 1);
    *v = u;
    return CLEAVE_OK;
}

static cleave_status read_rows(metis_reader *r)
{
    enum { worth_it = 64 * 1024 };
    bool plain = !r->head.has_vsize && !r->head.has_vwgt && !r->head.has_ewgt;
    int64_t narc = 0;
    r->good = true;
    for (int32_t v = 0; v < r->count; v++) {
        if (v == r->vertex_room)
            CLV_TRY(more_vertices(r));
        if (plain) {
            if (r->text.end - r->text.cur < worth_it)
                CLV_TRY(clv_text_fill(&r->text));
            CLV_TRY(note_line(r, v));
            CLV_TRY(read_ordinary_rows(r, &v, &narc));
            if (v == r->count)
                break;
            if (v == r->vertex_room)
                CLV_TRY(more_vertices(r));
        }
        CLV_TRY(read_row(r, v, &narc));
    }
    r->rows.nvtx = (int32_t)r->count;
    bool more;
    CLV_TRY(clv_text_next_content(&r->text, "%", &more));
    if (more)
        return clv_text_fail(&r->text, "unexpected text after the last of %lld vertices",
                             (long long)r->head.nvtx);
    r->compared = r->cursor != NULL;
    if (r->good && r->compared)
        r->good = clv_symmetry_rest(&r->rows, r->cursor) < 0;
    clv_sys_free(r->cursor);
    r->cursor = NULL;
    return CLEAVE_OK;
}

/* Large uncompressed files of ordinary rows are read by all threads. */
static cleave_status read_in_pieces(metis_reader *r, bool *done)
{
    *done = false;
    bool plain = !r->head.has_vsize && !r->head.has_vwgt && !r->head.has_ewgt;
    int threads = r->opt->threads ? r->opt->threads : clv_threads_available();
    if (!plain || threads == 1 || clv_input_size(r->text.in) < CLV_METIS_PIECES_PAY)
        return CLEAVE_OK;
    CLV_TRY(clv_team_create(&r->team, r->opt->threads, r->text.err));
    int64_t begin = clv_input_position(r->text.in) - (r->text.end - r->text.cur);
    CLV_TRY(clv_metis_read_pieces(&r->rows, r->text.in, begin, (int32_t)r->head.nvtx, r->team,
                                  done, r->text.err));
    return *done ? note_line(r, 0) : CLEAVE_OK;
}

/* ---- The graph ------------------------------------------------------------------------ */

cleave_status clv_metis_fail_count(const clv_metis_header *h, int64_t edges, const char *path,
                                   cleave_error *err)
{
    return clv_fail_at(err, CLEAVE_EPARSE, path, h->line,
                       "the header has %lld edges, but the lists have %lld",
                       (long long)h->nedge, (long long)edges);
}

/* The header counts undirected edges once.  If one-way edges are symmetrised, it may also
 * count the listed edges, or half of them. */
static cleave_status check_count(metis_reader *r, int64_t listed, int64_t edges)
{
    bool lenient = r->opt->symmetrise != CLV_SYMMETRISE_REFUSE;
    bool fits = edges == r->head.nedge ||
                (lenient && (listed == r->head.nedge || listed == 2 * r->head.nedge));
    if (fits)
        return CLEAVE_OK;
    if (r->opt->repair) {
        r->opt->repairs->counts++;
        return CLEAVE_OK;
    }
    return clv_metis_fail_count(&r->head, edges, clv_input_path(r->text.in), r->text.err);
}

static cleave_status attach(metis_reader *r, clv_graph *g)
{
    if (r->vwgt && !clv_arena_adopt(&g->arena, r->vwgt))
        return clv_fail_memory(r->text.err);
    g->vwgt = r->vwgt;
    g->ncon = r->head.ncon;
    r->vwgt = NULL;
    if (r->vsize && !clv_arena_adopt(&g->arena, r->vsize))
        return clv_fail_memory(r->text.err);
    g->vsize = r->vsize;
    r->vsize = NULL;
    return CLEAVE_OK;
}

static cleave_status make_graph(clv_graph **out, metis_reader *r)
{
    clv_where where = {.path = clv_input_path(r->text.in),
                       .line_of = line_of_vertex,
                       .context = r,
                       .base = 1};
    clv_build_rules rules = clv_rules_strict(r->opt, r->head.has_ewgt);
    rules.team = r->team;
    int64_t listed = r->rows.xadj[r->head.nvtx];
    bool directed = r->opt->as == CLV_AS_DAG;
    r->rows.known_good = r->good && r->compared;
    CLV_TRY(clv_build_graph(out, directed ? CLEAVE_DAG : CLEAVE_UNDIRECTED, &r->rows, &rules,
                            &where, r->text.err));
    (*out)->entries = r->head.nedge;
    CLV_TRY(check_count(r, listed, clv_graph_edges(*out)));
    return attach(r, *out);
}

static cleave_status read_metis(clv_graph **out, clv_input *in, const clv_read_options *opt,
                                cleave_error *err)
{
    metis_reader r = {.opt = opt};
    cleave_status status = clv_text_init(&r.text, in, err);
    if (status == CLEAVE_OK)
        status = clv_metis_read_header(&r.head, &r.text);
    r.count = r.head.nvtx;
    bool done = false;
    if (status == CLEAVE_OK)
        status = read_in_pieces(&r, &done);
    if (status == CLEAVE_OK && !done)
        status = first_room(&r);
    if (status == CLEAVE_OK && !done)
        status = read_rows(&r);
    if (status == CLEAVE_OK)
        status = make_graph(out, &r);
    clv_team_free(r.team);
    clv_text_free(&r.text);
    clv_rows_free(&r.rows);
    clv_sys_free(r.vwgt);
    clv_sys_free(r.vsize);
    clv_sys_free(r.cursor);
    clv_sys_free(r.jumps);
    return status;
}

cleave_status clv_metis_read_share(clv_metis_share *share, const clv_metis_header *h,
                                   clv_text *text)
{
    metis_reader r = {.text = *text, .head = *h, .first = share->first, .count = share->count};
    cleave_status status = first_room(&r);
    if (status == CLEAVE_OK)
        status = read_rows(&r);
    share->rows = r.rows;
    share->rows.ascending = r.good;
    share->vwgt = r.vwgt;
    share->vsize = r.vsize;
    clv_sys_free(r.jumps);
    *text = r.text;
    return status;
}

/* ---- Writing -------------------------------------------------------------------------- */

static void write_header(const clv_graph *g, const clv_sums *sums, clv_output *out)
{
    clv_put_i64(out, g->nvtx);
    clv_put_char(out, ' ');
    clv_put_i64(out, clv_graph_edges(g));
    bool vwgt = clv_sums_weigh_vertices(sums, g), ewgt = clv_sums_weigh_arcs(sums, g);
    if (g->vsize || vwgt || ewgt) {
        clv_put_char(out, ' ');
        clv_put_char(out, g->vsize ? '1' : '0');
        clv_put_char(out, vwgt ? '1' : '0');
        clv_put_char(out, ewgt ? '1' : '0');
    }
    if (vwgt && g->ncon > 1) {
        clv_put_char(out, ' ');
        clv_put_i64(out, g->ncon);
    }
    clv_put_char(out, '\n');
}

/* A number, preceded by a blank unless it is the first in the line. */
static void put_field(clv_output *out, bool *first, int64_t value)
{
    if (!*first)
        clv_put_char(out, ' ');
    *first = false;
    clv_put_i64(out, value);
}

static cleave_status write_metis_sums(const clv_graph *g, const clv_sums *sums,
                                      clv_output *out, const int32_t *part, cleave_error *err)
{
    (void)part;
    (void)err;
    write_header(g, sums, out);
    for (int32_t v = 0; v < g->nvtx; v++) {
        bool first = true;
        if (g->vsize)
            put_field(out, &first, g->vsize[v]);
        for (int32_t c = 0; clv_sums_weigh_vertices(sums, g) && c < g->ncon; c++)
            put_field(out, &first, clv_sums_vertex(sums, g, v, c));
        for (int64_t a = g->xadj[v]; a < g->xadj[v + 1]; a++) {
            put_field(out, &first, (int64_t)g->adj[a] + 1);
            if (clv_sums_weigh_arcs(sums, g))
                put_field(out, &first, clv_sums_arc(sums, g, a));
        }
        clv_put_char(out, '\n');
    }
    return CLEAVE_OK;
}

static cleave_status write_metis(const clv_graph *g, clv_output *out, const int32_t *part,
                                 cleave_error *err)
{
    return write_metis_sums(g, NULL, out, part, err);
}

const clv_format clv_format_metis = {
    .name = "metis",
    .description = "METIS / Chaco graph",
    .extensions = "graph metis chaco",
    .looks_like = NULL,
    .read = read_metis,
    .write = write_metis,
    .write_sums = write_metis_sums,
    .holds = CLV_HOLDS_WEIGHTS,
};
