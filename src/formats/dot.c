/* SPDX-License-Identifier: Apache-2.0 */
/* formats/dot.c - DOT, the language of Graphviz.
 *
 * Reading: a digraph becomes a DAG, a graph becomes an undirected graph. dot_vertices.h
 * describes the numbers of the vertices.  Duplicate edges are merged; if one of them has an
 * explicit weight, their weights (1 where absent) are summed.  In a graph, a -- b and b -- a
 * are the same edge; the arcs a -> b and b -> a of a digraph that is read as an undirected
 * graph are its two directions, see graph/build.h.  Self-loops are dropped, except in a DAG,
 * where they are cycles (unless it is condensed).  `strict` has no effect.
 *
 * Writing: one statement per vertex, in order, then one per edge.  Weights, sizes and
 * positions are attributes (weight, vsize, pos; several vertex weights as one string), weights
 * only where not 1, so that reading gives the same graph.  Exceptions: names that are exactly
 * 0..n-1 become numbers, and the unit of the weights is lost.  A mapping becomes the attribute
 * `part` and colours. */
#include <string.h>

#include "formats/dot_parse.h"
#include "formats/formats.h"
#include "formats/name_table.h"
#include "graph/rows.h"

/* ---- Reading ------------------------------------------------------------------------- */

static cleave_status refuse_loops(const clv_dot_graph *dot, const clv_input *in,
                                  cleave_error *err)
{
    const char *name = clv_name_table_name(&dot->vertices.names, dot->loop_vertex);
    return clv_fail_at(err, CLEAVE_ECYCLE, clv_input_path(in), dot->loop_line,
                       "the graph has a cycle: %.40s -> %.40s", name, name);
}

/* Replaces absent weights (-1) in an ascending row.  Among duplicates of one edge: 1 each if
 * at least one has a weight, otherwise 1 for the first and 0 for the others.  The sum thus
 * depends only on the edges between the same two vertices. */
static void fill_absent_weights(const int32_t *adj, int32_t *ewgt, int64_t count)
{
    for (int64_t first = 0, end; first < count; first = end) {
        bool given = false;
        for (end = first; end < count && adj[end] == adj[first]; end++)
            given = given || ewgt[end] >= 0;
        for (int64_t a = first; a < end; a++)
            if (ewgt[a] < 0)
                ewgt[a] = given || a == first;
    }
}

static cleave_status finish_weights(clv_rows *rows, bool weighted, cleave_error *err)
{
    if (!weighted) {
        clv_sys_free(rows->ewgt);
        rows->ewgt = NULL;
        return CLEAVE_OK;
    }
    clv_ws ws = {NULL};
    cleave_status status = clv_rows_sort(rows, &ws, err);
    clv_ws_free(&ws);
    for (int32_t v = 0; status == CLEAVE_OK && v < rows->nvtx; v++)
        fill_absent_weights(rows->adj + rows->xadj[v], rows->ewgt + rows->xadj[v],
                            rows->xadj[v + 1] - rows->xadj[v]);
    if (status != CLEAVE_OK)
        clv_rows_free(rows);
    return status;
}

/* Numbers the vertices and builds the graph, which takes over edges and attributes of dot. */
static cleave_status make_graph(clv_graph **out, clv_dot_graph *dot, cleave_kind kind,
                                const clv_input *in, const clv_read_options *opt,
                                cleave_error *err)
{
    clv_rows rows;
    int64_t loops = dot->edges.loops;
    int32_t nvtx = dot->vertices.names.count;
    CLV_TRY(clv_dot_vertices_finish(&dot->vertices, &dot->edges, err));
    CLV_TRY(clv_edge_stream_rows(&rows, &dot->edges, nvtx, !dot->directed, err));
    CLV_TRY(finish_weights(&rows, dot->weighted, err));
    clv_build_rules rules = clv_rules_collapsing(opt, dot->weighted);
    /* An undirected graph may lack the other direction of its edges: build adds it. */
    rules.trust = opt->trust && kind == CLEAVE_DAG;
    clv_names names = {dot->vertices.names.offset, dot->vertices.names.text};
    clv_where where = {.path = clv_input_path(in), .names = &names};
    CLV_TRY(clv_build_graph(out, kind, &rows, &rules, &where, err));
    if (opt->repair && opt->repairs)
        opt->repairs->self_loops += loops;
    (*out)->format = "dot";
    (*out)->entries = dot->entries;
    return clv_dot_vertices_give(&dot->vertices, *out, err);
}

static cleave_status read_parsed(clv_graph **out, clv_dot_graph *dot, const clv_input *in,
                                 const clv_read_options *opt, cleave_error *err)
{
    if (opt->as == CLV_AS_DAG && !dot->directed)
        return clv_fail_at(err, CLEAVE_EINVAL, clv_input_path(in), dot->header_line,
                           "a graph without directions cannot be read as a DAG: it would have "
                           "to be a digraph");
    bool dag = dot->directed && opt->as != CLV_AS_UNDIRECTED;
    if (dag && dot->edges.loops > 0 && !opt->repair && !opt->cycles)
        return refuse_loops(dot, in, err);
    return make_graph(out, dot, dag ? CLEAVE_DAG : CLEAVE_UNDIRECTED, in, opt, err);
}

static cleave_status read_dot(clv_graph **out, clv_input *in, const clv_read_options *opt,
                              cleave_error *err)
{
    clv_dot_graph dot = {0};
    cleave_status status = clv_dot_parse(&dot, in, err);
    if (status == CLEAVE_OK)
        status = read_parsed(out, &dot, in, opt, err);
    clv_dot_graph_free(&dot);
    return status;
}

/* ---- Recognising --------------------------------------------------------------------- */

static size_t skip_past(const char *bytes, size_t i, size_t count, const char *mark)
{
    size_t length = strlen(mark);
    while (i + length <= count && memcmp(bytes + i, mark, length) != 0)
        i++;
    return i + length <= count ? i + length : count;
}

/* The position after white space and comments. */
static size_t skip_ignored(const char *bytes, size_t i, size_t count)
{
    while (i < count) {
        if (bytes[i] == '#' || (i + 1 < count && memcmp(bytes + i, "//", 2) == 0))
            i = skip_past(bytes, i, count, "\n");
        else if (i + 1 < count && memcmp(bytes + i, "/*", 2) == 0)
            i = skip_past(bytes, i + 2, count, "*/");
        else if (bytes[i] == ' ' || (bytes[i] >= '\t' && bytes[i] <= '\r'))
            i++;
        else
            break;
    }
    return i;
}

static bool has_keyword(const char *bytes, size_t *i, size_t count, const char *keyword)
{
    size_t j = *i;
    for (; *keyword; keyword++, j++)
        if (j == count || (bytes[j] | 32) != *keyword)
            return false;
    bool ends = j == count || strchr(" \t\r\n\v\f{\"</#", bytes[j]) != NULL;
    if (ends)
        *i = j;
    return ends;
}

static int looks_like_dot(const char *bytes, size_t count)
{
    size_t i = 0;
    i = skip_ignored(bytes, i, count);
    if (has_keyword(bytes, &i, count, "strict"))
        i = skip_ignored(bytes, i, count);
    if (!has_keyword(bytes, &i, count, "digraph") && !has_keyword(bytes, &i, count, "graph"))
        return 0;
    return memchr(bytes + i, '{', count - i) ? 100 : 40;
}

/* ---- Writing ------------------------------------------------------------------------- */

static bool is_keyword(const char *name)
{
    static const char *const keywords[] = {"node",   "edge",    "graph",
                                           "strict", "digraph", "subgraph"};
    for (size_t k = 0; k < sizeof keywords / sizeof *keywords; k++) {
        size_t i = 0;
        if (has_keyword(name, &i, strlen(name), keywords[k]) && name[i] == '\0')
            return true;
    }
    return false;
}

/* Letters, digits and _, not starting with a digit; or a whole number. */
static bool needs_no_quotes(const char *name)
{
    const char *p = name;
    bool digits = true;
    for (; *p; p++) {
        int lower = *p | 32;
        bool digit = *p >= '0' && *p <= '9';
        if (!digit && !(lower >= 'a' && lower <= 'z') && *p != '_')
            return false;
        digits &= digit;
    }
    return p != name && (digits || ((*name < '0' || *name > '9') && !is_keyword(name)));
}

static void put_id(clv_output *out, const char *name)
{
    if (needs_no_quotes(name)) {
        clv_put_text(out, name);
        return;
    }
    clv_put_char(out, '"');
    for (; *name; name++) {
        if (*name == '"' || *name == '\\')
            clv_put_char(out, '\\');
        clv_put_char(out, *name);
    }
    clv_put_char(out, '"');
}

static void put_vertex(clv_output *out, const clv_graph *g, int32_t v)
{
    const char *name = clv_graph_name(g, v);
    if (name)
        put_id(out, name);
    else
        clv_put_i64(out, v);
}

/* "[key=" or ", key=" */
static void put_key(clv_output *out, bool *first, const char *key)
{
    clv_put_text(out, *first ? " [" : ", ");
    clv_put_text(out, key);
    clv_put_char(out, '=');
    *first = false;
}

static void put_weight(clv_output *out, const clv_graph *g, const clv_sums *sums, int32_t v,
                       bool *first)
{
    if (!clv_sums_weigh_vertices(sums, g) ||
        (g->ncon == 1 && clv_sums_vertex(sums, g, v, 0) == 1))
        return;
    put_key(out, first, "weight");
    if (g->ncon > 1)
        clv_put_char(out, '"');
    for (int32_t c = 0; c < g->ncon; c++) {
        if (c > 0)
            clv_put_char(out, ' ');
        clv_put_i64(out, clv_sums_vertex(sums, g, v, c));
    }
    if (g->ncon > 1)
        clv_put_char(out, '"');
}

static void put_position(clv_output *out, const clv_graph *g, int32_t v, bool *first)
{
    if (!g->coords)
        return;
    put_key(out, first, "pos");
    for (int32_t d = 0; d < g->ndim; d++) {
        clv_put_char(out, d == 0 ? '"' : ',');
        clv_put_double(out, g->coords[(int64_t)v * g->ndim + d]);
    }
    clv_put_char(out, '"');
}

/* Colours of consecutive parts are far apart: hues advance by the golden ratio. */
static void put_part(clv_output *out, int32_t part, bool *first)
{
    put_key(out, first, "part");
    clv_put_i64(out, part);
    put_key(out, first, "style");
    clv_put_text(out, "filled");
    put_key(out, first, "fillcolor");
    int64_t hue = ((int64_t)part * 618 + 600) % 1000;
    clv_put_text(out, "\"0.");
    clv_put_char(out, (char)('0' + hue / 100));
    clv_put_char(out, (char)('0' + hue / 10 % 10));
    clv_put_char(out, (char)('0' + hue % 10));
    clv_put_text(out, " 0.5 0.95\"");
}

static void write_vertex(clv_output *out, const clv_graph *g, const clv_sums *sums,
                         const int32_t *part, int32_t v)
{
    bool first = true;
    put_vertex(out, g, v);
    put_weight(out, g, sums, v, &first);
    if (g->vsize && g->vsize[v] != 1) {
        put_key(out, &first, "vsize");
        clv_put_i64(out, g->vsize[v]);
    }
    put_position(out, g, v, &first);
    if (part)
        put_part(out, part[v], &first);
    clv_put_text(out, first ? ";\n" : "];\n");
}

static void write_edges(clv_output *out, const clv_graph *g, const clv_sums *sums, int32_t v)
{
    bool directed = g->kind == CLEAVE_DAG;
    for (int64_t a = g->xadj[v]; a < g->xadj[v + 1]; a++) {
        if (!directed && g->adj[a] < v)
            continue;
        put_vertex(out, g, v);
        clv_put_text(out, directed ? " -> " : " -- ");
        put_vertex(out, g, g->adj[a]);
        bool first = true;
        if (clv_sums_arc(sums, g, a) != 1) {
            put_key(out, &first, "weight");
            clv_put_i64(out, clv_sums_arc(sums, g, a));
        }
        clv_put_text(out, first ? ";\n" : "];\n");
    }
}

/* On reading, two vertices with the same name would become one. */
static cleave_status refuse_equal_names(const clv_graph *g, cleave_error *err)
{
    clv_name_table table = {0};
    cleave_status status = CLEAVE_OK;
    for (int32_t v = 0; g->names.offset && status == CLEAVE_OK && v < g->nvtx; v++) {
        const char *name = clv_graph_name(g, v);
        int32_t other;
        bool added = true;
        status = clv_name_table_add(&table, name, (int64_t)strlen(name), &other, &added, err);
        if (status == CLEAVE_OK && !added)
            status =
                clv_fail(err, CLEAVE_EINVAL,
                         "vertices %d and %d are both named '%.40s', which DOT does not allow",
                         (int)other, (int)v, name);
    }
    clv_name_table_free(&table);
    return status;
}

static cleave_status write_dot_sums(const clv_graph *g, const clv_sums *sums, clv_output *out,
                                    const int32_t *part, cleave_error *err)
{
    CLV_TRY(refuse_equal_names(g, err));
    clv_put_text(out, g->kind == CLEAVE_DAG ? "digraph G {\n" : "graph G {\n");
    for (int32_t v = 0; v < g->nvtx; v++)
        write_vertex(out, g, sums, part, v);
    for (int32_t v = 0; v < g->nvtx; v++)
        write_edges(out, g, sums, v);
    clv_put_text(out, "}\n");
    return CLEAVE_OK;
}

static cleave_status write_dot(const clv_graph *g, clv_output *out, const int32_t *part,
                               cleave_error *err)
{
    return write_dot_sums(g, NULL, out, part, err);
}

const clv_format clv_format_dot = {
    .name = "dot",
    .description = "DOT of Graphviz: a digraph is a DAG, a graph is undirected",
    .extensions = "dot gv",
    .looks_like = looks_like_dot,
    .read = read_dot,
    .write = write_dot,
    .write_sums = write_dot_sums,
    .holds = CLV_HOLDS_WEIGHTS | CLEAVE_HOLDS_COORDINATES | CLEAVE_HOLDS_IDS |
             CLEAVE_HOLDS_NAMES | CLEAVE_HOLDS_DIRECTION | CLEAVE_HOLDS_PARTS,
};
