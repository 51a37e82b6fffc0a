/* SPDX-License-Identifier: Apache-2.0 */
/* formats/scotch.c - Scotch's graph format, .grf [Pellegrini, Scotch user's guide, 6.1].
 *
 * `0` (the version); vertices and arcs (two per edge); the base, 0 or 1, and three digits that
 * say whether there are vertex labels, edge weights and vertex weights; then for each vertex
 * [label] [weight] degree ([weight] neighbour)*.  Line breaks have no meaning.
 *
 * With labels, vertices may come in any order: they are numbered by ascending label, which is
 * also the order of Scotch's .xyz and .map files.  The labels become names unless they are
 * consecutive numbers from the base on. */
#include <string.h>

#include "formats/formats.h"
#include "formats/grow.h"
#include "formats/text.h"
#include "formats/vertex_ids.h"

typedef struct scotch_reader {
    clv_text text;
    const clv_read_options *opt;
    int64_t nvtx, narc, base; /* as in the header */
    bool has_label, has_ewgt, has_vwgt;
    clv_rows rows; /* neighbours: numbers, or with labels codes of clv_vertex_ids */
    int64_t vertex_room, arc_room;
    int32_t *vwgt;
    int64_t *line;  /* by vertex, for messages */
    int64_t *label; /* by vertex */
    clv_vertex_ids ids;
    clv_names names;
    clv_arena arena; /* owns the names until the graph does */
} scotch_reader;

/* ---- Header --------------------------------------------------------------------------- */

static cleave_status read_flags(scotch_reader *r)
{
    const char *word;
    size_t length;
    bool more;
    CLV_TRY(clv_text_next_content(&r->text, "", &more));
    if (!more)
        return clv_text_fail(&r->text, "the file ends before its three flags");
    CLV_TRY(clv_text_word(&r->text, &word, &length));
    bool digits = length <= 3;
    for (size_t i = 0; digits && i < length; i++)
        digits = word[i] == '0' || word[i] == '1';
    if (!digits)
        return clv_text_fail(&r->text, "the flags \"%.*s\" are not up to three digits 0 or 1",
                             length < 20 ? (int)length : 20, word);
    r->has_vwgt = word[length - 1] == '1';
    r->has_ewgt = length > 1 && word[length - 2] == '1';
    r->has_label = length > 2 && word[length - 3] == '1';
    return CLEAVE_OK;
}

static cleave_status read_header(scotch_reader *r)
{
    int64_t version;
    CLV_TRY(clv_text_next_i64(&r->text, 0, 0, "the version of the format", &version));
    CLV_TRY(clv_text_next_i64(&r->text, 0, INT32_MAX - 1, "the number of vertices", &r->nvtx));
    CLV_TRY(clv_text_next_i64(&r->text, 0, INT64_MAX / 4, "the number of arcs", &r->narc));
    CLV_TRY(clv_text_next_i64(&r->text, 0, 1, "the number of the first vertex", &r->base));
    return read_flags(r);
}

/* ---- Vertices ------------------------------------------------------------------------- */

static cleave_status grow_vertices(scotch_reader *r)
{
    int64_t room = clv_next_room(r->vertex_room);
    if (!clv_grow_i64(&r->rows.xadj, room + 1) || !clv_grow_i64(&r->line, room) ||
        (r->has_vwgt && !clv_grow_i32(&r->vwgt, room)) ||
        (r->has_label && !clv_grow_i64(&r->label, room)))
        return clv_fail_memory(r->text.err);
    r->vertex_room = room;
    return CLEAVE_OK;
}

static cleave_status grow_arcs(scotch_reader *r)
{
    int64_t room = clv_next_room(r->arc_room);
    if (!clv_grow_i32(&r->rows.adj, room) ||
        (r->has_ewgt && !clv_grow_i32(&r->rows.ewgt, room)))
        return clv_fail_memory(r->text.err);
    r->arc_room = room;
    return CLEAVE_OK;
}

static cleave_status read_neighbour(scotch_reader *r, int32_t *neighbour)
{
    int64_t value;
    if (!r->has_label) {
        CLV_TRY(clv_text_next_i64(&r->text, r->base, r->base + r->nvtx - 1, "a neighbour",
                                  &value));
        *neighbour = (int32_t)(value - r->base);
        return CLEAVE_OK;
    }
    CLV_TRY(clv_text_next_i64(&r->text, 0, INT64_MAX, "the label of a neighbour", &value));
    if (!clv_vertex_ids_code(&r->ids, value, neighbour))
        return clv_fail_memory(r->text.err);
    return CLEAVE_OK;
}

static cleave_status read_arcs(scotch_reader *r, int64_t degree, int64_t *narc)
{
    for (int64_t i = 0; i < degree; i++, ++*narc) {
        int64_t weight;
        if (*narc == r->arc_room)
            CLV_TRY(grow_arcs(r));
        if (r->has_ewgt) {
            CLV_TRY(
                clv_text_next_i64(&r->text, 0, INT32_MAX, "the weight of an edge", &weight));
            r->rows.ewgt[*narc] = (int32_t)weight;
        }
        CLV_TRY(read_neighbour(r, &r->rows.adj[*narc]));
    }
    return CLEAVE_OK;
}

/* Reads the degree, and label and weight if there are any. */
static cleave_status read_vertex_data(scotch_reader *r, int32_t v, int64_t *degree)
{
    int64_t weight;
    int32_t code;
    bool more;
    CLV_TRY(clv_text_next_content(&r->text, "", &more));
    if (!more)
        return clv_text_fail(&r->text, "the file ends after %d of %lld vertices", (int)v,
                             (long long)r->nvtx);
    r->line[v] = r->text.line;
    if (r->has_label) {
        CLV_TRY(
            clv_text_next_i64(&r->text, 0, INT64_MAX, "the label of a vertex", &r->label[v]));
        if (!clv_vertex_ids_code(&r->ids, r->label[v], &code))
            return clv_fail_memory(r->text.err);
    }
    if (r->has_vwgt) {
        CLV_TRY(clv_text_next_i64(&r->text, 0, INT32_MAX, "the weight of a vertex", &weight));
        r->vwgt[v] = (int32_t)weight;
    }
    return clv_text_next_i64(&r->text, 0, INT64_MAX / 4, "the degree of a vertex", degree);
}

static cleave_status check_count(scotch_reader *r, int64_t narc)
{
    if (narc == r->narc)
        return CLEAVE_OK;
    if (r->opt->repair) {
        r->opt->repairs->counts++;
        return CLEAVE_OK;
    }
    return clv_fail_at(r->text.err, CLEAVE_EPARSE, clv_input_path(r->text.in), 0,
                       "the header has %lld arcs, but the lists have %lld", (long long)r->narc,
                       (long long)narc);
}

static cleave_status read_vertices(scotch_reader *r)
{
    int64_t narc = 0;
    CLV_TRY(grow_vertices(r));
    CLV_TRY(grow_arcs(r));
    r->rows.xadj[0] = 0;
    for (int32_t v = 0; v < r->nvtx; v++) {
        int64_t degree;
        if (v == r->vertex_room)
            CLV_TRY(grow_vertices(r));
        CLV_TRY(read_vertex_data(r, v, &degree));
        CLV_TRY(read_arcs(r, degree, &narc));
        r->rows.xadj[v + 1] = narc;
    }
    r->rows.nvtx = (int32_t)r->nvtx;
    bool more;
    CLV_TRY(clv_text_next_content(&r->text, "", &more));
    if (more)
        return clv_text_fail(&r->text, "unexpected text after the last of %lld vertices",
                             (long long)r->nvtx);
    return check_count(r, narc);
}

/* ---- Labels --------------------------------------------------------------------------- */

static int32_t number_of(scotch_reader *r, int64_t label)
{
    int32_t code = 0;
    clv_vertex_ids_code(&r->ids, label, &code); /* the label is known: this cannot fail */
    return clv_vertex_ids_number(&r->ids, code);
}

static cleave_status fail_at_vertex(const scotch_reader *r, int32_t v, const char *before,
                                    const char *label, const char *after)
{
    return clv_fail_at(r->text.err, CLEAVE_EPARSE, clv_input_path(r->text.in), r->line[v],
                       "%s %s %s", before, label, after);
}

/* position[k] becomes the position in the file of the vertex with the k-th smallest label.
 * Fails if a neighbour is not the label of any vertex. */
static cleave_status find_positions(scotch_reader *r, int32_t *position)
{
    const clv_names *names = &r->names;
    for (int32_t k = 0; k < r->ids.nvtx; k++)
        position[k] = -1;
    for (int32_t v = 0; v < r->nvtx; v++) {
        int32_t k = number_of(r, r->label[v]);
        if (position[k] >= 0)
            return fail_at_vertex(r, v, "label", names->text + names->offset[k],
                                  "occurs twice");
        position[k] = v;
    }
    for (int32_t v = 0; v < r->nvtx; v++)
        for (int64_t a = r->rows.xadj[v]; a < r->rows.xadj[v + 1]; a++) {
            int32_t k = clv_vertex_ids_number(&r->ids, r->rows.adj[a]);
            if (position[k] < 0)
                return fail_at_vertex(r, v, "neighbour", names->text + names->offset[k],
                                      "is the label of no vertex");
            r->rows.adj[a] = k;
        }
    return CLEAVE_OK;
}

/* Moves rows, weights and lines from the order of the file to the order of the labels. */
static cleave_status permute(scotch_reader *r, const int32_t *position)
{
    int64_t n = r->nvtx, narc = r->rows.xadj[n], to = 0;
    clv_rows old = r->rows;
    clv_rows sorted = {.nvtx = old.nvtx};
    int32_t *vwgt = r->has_vwgt ? clv_alloc(n, sizeof *vwgt) : NULL;
    int64_t *line = clv_alloc(n, sizeof *line);
    sorted.xadj = clv_alloc(n + 1, sizeof *sorted.xadj);
    sorted.adj = clv_alloc(narc, sizeof *sorted.adj);
    sorted.ewgt = old.ewgt ? clv_alloc(narc, sizeof *sorted.ewgt) : NULL;
    bool all = line && sorted.xadj && sorted.adj && (!old.ewgt || sorted.ewgt) &&
               (!r->has_vwgt || vwgt);
    for (int64_t k = 0; all && k < n; k++) {
        int32_t v = position[k];
        int64_t first = old.xadj[v], count = old.xadj[v + 1] - first;
        sorted.xadj[k] = to;
        memcpy(sorted.adj + to, old.adj + first, (size_t)count * sizeof *sorted.adj);
        if (old.ewgt)
            memcpy(sorted.ewgt + to, old.ewgt + first, (size_t)count * sizeof *sorted.ewgt);
        if (vwgt)
            vwgt[k] = r->vwgt[v];
        line[k] = r->line[v];
        to += count;
    }
    if (all) {
        sorted.xadj[n] = to;
        r->rows = sorted;
        clv_rows_free(&old);
        clv_sys_free(r->vwgt);
        clv_sys_free(r->line);
        r->vwgt = vwgt;
        r->line = line;
        return CLEAVE_OK;
    }
    clv_rows_free(&sorted);
    clv_sys_free(vwgt);
    clv_sys_free(line);
    return clv_fail_memory(r->text.err);
}

/* Are the labels, which are all different, the numbers from base on in some order? */
static bool labels_are_plain(const scotch_reader *r)
{
    for (int32_t v = 0; v < r->nvtx; v++)
        if (r->label[v] < r->base || r->label[v] >= r->base + r->nvtx)
            return false;
    return true;
}

static cleave_status resolve_labels(scotch_reader *r)
{
    CLV_TRY(clv_vertex_ids_finish(&r->ids, r->text.err));
    CLV_TRY(clv_vertex_ids_names(&r->names, &r->ids, &r->arena, r->text.err));
    int32_t *position = clv_alloc(r->ids.nvtx, sizeof *position);
    if (!position)
        return clv_fail_memory(r->text.err);
    cleave_status status = find_positions(r, position);
    if (status == CLEAVE_OK)
        status = permute(r, position);
    clv_sys_free(position);
    if (status == CLEAVE_OK && labels_are_plain(r)) {
        r->names = (clv_names){NULL, NULL};
        clv_arena_free(&r->arena);
    }
    return status;
}

/* ---- The graph ------------------------------------------------------------------------ */

static int64_t line_of_vertex(const void *context, int32_t v)
{
    return ((const scotch_reader *)context)->line[v];
}

static cleave_status make_graph(clv_graph **out, scotch_reader *r)
{
    bool directed = r->opt->as == CLV_AS_DAG;
    clv_where where = {.path = clv_input_path(r->text.in),
                       .line_of = line_of_vertex,
                       .context = r,
                       .names = &r->names,
                       .base = (int)r->base};
    clv_build_rules rules = clv_rules_strict(r->opt, r->has_ewgt);
    CLV_TRY(clv_build_graph(out, directed ? CLEAVE_DAG : CLEAVE_UNDIRECTED, &r->rows, &rules,
                            &where, r->text.err));
    (*out)->entries = directed ? r->narc : r->narc / 2;
    if (r->vwgt && !clv_arena_adopt(&(*out)->arena, r->vwgt))
        return clv_fail_memory(r->text.err);
    (*out)->vwgt = r->vwgt;
    r->vwgt = NULL;
    (*out)->names = r->names;
    clv_arena_move(&(*out)->arena, &r->arena);
    return CLEAVE_OK;
}

static cleave_status read_scotch(clv_graph **out, clv_input *in, const clv_read_options *opt,
                                 cleave_error *err)
{
    scotch_reader r = {.opt = opt};
    cleave_status status = clv_text_init(&r.text, in, err);
    if (status == CLEAVE_OK)
        status = read_header(&r);
    if (status == CLEAVE_OK)
        status = read_vertices(&r);
    if (status == CLEAVE_OK && r.has_label)
        status = resolve_labels(&r);
    if (status == CLEAVE_OK)
        status = make_graph(out, &r);
    clv_text_free(&r.text);
    clv_rows_free(&r.rows);
    clv_sys_free(r.vwgt);
    clv_sys_free(r.line);
    clv_sys_free(r.label);
    clv_vertex_ids_free(&r.ids);
    clv_arena_free(&r.arena);
    return status;
}

/* ---- Recognising ---------------------------------------------------------------------- */

/* Splits the line at *p into up to `most` words and moves *p after the line; -1: it has more
 * words, or its end was not seen. */
static int split_line(const char **p, const char *end, const char **word, size_t *length,
                      int most)
{
    int words = 0;
    const char *newline = memchr(*p, '\n', (size_t)(end - *p));
    if (!newline)
        return -1;
    for (const char *q = *p; q < newline;) {
        const char *begin = q;
        while (q < newline && *q != ' ' && *q != '\t' && *q != '\r')
            q++;
        if (q > begin && words == most)
            return -1;
        if (q > begin) {
            word[words] = begin;
            length[words++] = (size_t)(q - begin);
        }
        q += q < newline && q == begin;
    }
    *p = newline + 1;
    return words;
}

/* A line `0`, one of two numbers, and one of the base and exactly three digits. */
static int looks_like_scotch(const char *bytes, size_t count)
{
    const char *p = bytes, *end = bytes + count, *word[2];
    size_t length[2];
    if (split_line(&p, end, word, length, 1) != 1 || length[0] != 1 || *word[0] != '0')
        return 0;
    if (split_line(&p, end, word, length, 2) != 2 || *word[0] < '0' || *word[0] > '9' ||
        *word[1] < '0' || *word[1] > '9')
        return 0;
    if (split_line(&p, end, word, length, 2) != 2 || length[0] != 1 ||
        (*word[0] != '0' && *word[0] != '1') || length[1] != 3)
        return 0;
    for (int i = 0; i < 3; i++)
        if (word[1][i] != '0' && word[1][i] != '1')
            return 0;
    return 95;
}

/* ---- Writing -------------------------------------------------------------------------- */

/* Names can be labels if they are non-negative numbers in ascending order. */
static bool names_are_labels(const clv_graph *g)
{
    int64_t before = -1;
    for (int32_t v = 0; g->names.offset && v < g->nvtx; v++) {
        const char *name = clv_graph_name(g, v), *end = name + strlen(name);
        int64_t label;
        bool overflow = false;
        if (clv_parse_i64(name, end, &label, &overflow) != end || overflow || label <= before)
            return false;
        before = label;
    }
    return g->names.offset != NULL;
}

static void put_label(clv_output *out, const clv_graph *g, bool by_name, int32_t v)
{
    int64_t label = v;
    bool overflow = false;
    if (by_name) { /* "+7" is a number but not a valid label */
        const char *name = clv_graph_name(g, v);
        clv_parse_i64(name, name + strlen(name), &label, &overflow);
    }
    clv_put_i64(out, label);
}

static void write_header(const clv_graph *g, clv_output *out, bool labels)
{
    clv_put_text(out, "0\n");
    clv_put_i64(out, g->nvtx);
    clv_put_char(out, '\t');
    clv_put_i64(out, g->narc);
    clv_put_text(out, "\n0\t");
    clv_put_char(out, labels ? '1' : '0');
    clv_put_char(out, g->ewgt ? '1' : '0');
    clv_put_text(out, g->vwgt ? "1\n" : "0\n");
}

static cleave_status write_scotch(const clv_graph *g, clv_output *out, const int32_t *part,
                                  cleave_error *err)
{
    (void)part;
    (void)err;
    bool labels = names_are_labels(g);
    write_header(g, out, labels);
    for (int32_t v = 0; v < g->nvtx; v++) {
        if (labels) {
            put_label(out, g, labels, v);
            clv_put_char(out, '\t');
        }
        if (g->vwgt) {
            clv_put_i64(out, clv_graph_vwgt(g, v, 0));
            clv_put_char(out, '\t');
        }
        clv_put_i64(out, g->xadj[v + 1] - g->xadj[v]);
        for (int64_t a = g->xadj[v]; a < g->xadj[v + 1]; a++) {
            clv_put_char(out, '\t');
            if (g->ewgt) {
                clv_put_i64(out, g->ewgt[a]);
                clv_put_char(out, '\t');
            }
            put_label(out, g, labels, g->adj[a]);
        }
        clv_put_char(out, '\n');
    }
    return CLEAVE_OK;
}

const clv_format clv_format_scotch = {
    .name = "scotch",
    .description = "Scotch graph",
    .extensions = "grf src",
    .looks_like = looks_like_scotch,
    .read = read_scotch,
    .write = write_scotch,
    .holds = CLEAVE_HOLDS_VERTEX_WEIGHTS | CLEAVE_HOLDS_EDGE_WEIGHTS | CLEAVE_HOLDS_IDS,
};
