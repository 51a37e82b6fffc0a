/* SPDX-License-Identifier: Apache-2.0 */
/* formats/dot_parse.c - the statements of a DOT file, turned into vertices and edges.
 *
 * The grammar of Graphviz without recursion: a stack of open subgraphs, each with the state of
 * its current statement.  An edge statement is a chain of ends; an end is a set of vertices (a
 * vertex, a list a, b, or a subgraph).  All vertices named since the start of the outermost
 * statement are on one stack, `members`; the vertices of an end, or of a subgraph with all
 * that is nested in it, are a range of this stack.
 *
 * Attributes with a meaning: weight of edges and vertices (several numbers in one string for
 * several vertex weights), vsize and pos of vertices.  Defaults (node [...], edge [...]) apply
 * to what is created after them in their subgraph and in those inside it. */
#include "formats/dot_parse.h"

#include <math.h>
#include <string.h>

#include "formats/dot_scan.h"

/* Limits.  Every vertex has as many weights as the longest list, and edges between subgraphs
 * expand to all pairs: a small file must not exhaust memory. */
enum { deepest = 256, most_weights = 1024, most_pairs = 1 << 24 };

typedef enum place { AT_STATEMENT, AT_END, BEHIND_END } place;

/* An open subgraph. */
typedef struct frame {
    place place;         /* state of the current statement */
    int64_t line;        /* where the statement starts */
    int64_t members;     /* where the vertices of the subgraph start */
    int64_t ends;        /* where the ends of the current statement start */
    bool list;           /* the current end may continue with ", vertex" */
    bool reopened;       /* a subgraph of this name exists already */
    int64_t weight_at;   /* default weight of vertices in parser.defaults; -1: none */
    int32_t vsize;       /* default; -1: none */
    int64_t edge_weight; /* default; -1: none */
} frame;

typedef struct parser {
    clv_dot_scan scan;
    clv_dot_graph *graph;
    cleave_error *err;
    frame *frames;
    int64_t nframes, frame_space;
    int32_t *members;
    int64_t nmembers, member_space;
    int64_t *ends; /* where each end starts in members */
    int64_t nends, end_space;
    int32_t *defaults; /* default weights of vertices, ncon each */
    int64_t ndefaults, default_space;
    int64_t *stamp; /* by vertex: the last subgraph in which it was counted */
    int64_t stamp_space, subgraphs;
    clv_name_table subgraph_names;
    int32_t ncon;                  /* weights per vertex; 0: none seen */
    clv_dot_attributes attributes; /* of the attribute list read last */
    int64_t edge_weight;           /* in that list; -1: absent */
    int64_t pairs;                 /* edges so far that come from ends of several vertices */
} parser;

static cleave_status advance(parser *p)
{
    return clv_dot_next(&p->scan);
}

/* Makes room for one more element in *array. */
static cleave_status make_room(parser *p, void **array, int64_t count, int64_t *space,
                               size_t each)
{
    if (count < *space)
        return CLEAVE_OK;
    int64_t larger = 2 * count + 64;
    void *grown = clv_realloc(*array, larger, each);
    if (!grown)
        return clv_fail_memory(p->err);
    *array = grown;
    *space = larger;
    return CLEAVE_OK;
}

/* ---- Values of attributes ------------------------------------------------------------ */

/* A weight is a whole number; 3.0, as some programs print it, is accepted. */
static const char *parse_weight(const char *text, const char *end, int32_t *weight)
{
    int64_t whole = -1;
    bool overflow = false;
    double real;
    const char *behind = clv_parse_double(text, end, &real);
    const char *behind_whole = clv_parse_i64(text, end, &whole, &overflow);
    if (behind && behind != behind_whole) {
        overflow = !(real >= 0 && real <= INT32_MAX && real == floor(real));
        whole = overflow ? -1 : (int64_t)real;
    }
    if (!behind || overflow || whole < 0 || whole > INT32_MAX)
        return NULL;
    *weight = (int32_t)whole;
    return behind;
}

static cleave_status fail_weight(const parser *p, const char *key)
{
    return clv_dot_fail(&p->scan, "%s '%.40s' is not a whole number from 0 to 2147483647", key,
                        p->scan.id);
}

static cleave_status read_one_weight(parser *p, const char *key, int32_t *weight)
{
    const char *text = p->scan.id, *end = text + p->scan.id_length;
    if (parse_weight(text, end, weight) != end)
        return fail_weight(p, key);
    return CLEAVE_OK;
}

static const char *skip_separators(const char *text)
{
    while (*text == ' ' || *text == ',' || *text == '\t')
        text++;
    return text;
}

static cleave_status read_weights(parser *p)
{
    clv_dot_attributes *a = &p->attributes;
    const char *text = p->scan.id, *end = text + p->scan.id_length;
    int64_t count = 0, space = a->weight_space;
    do {
        void *weight = a->weight;
        CLV_TRY(make_room(p, &weight, count, &space, sizeof *a->weight));
        a->weight = weight;
        a->weight_space = (int32_t)space;
        const char *behind = parse_weight(text, end, &a->weight[count++]);
        if (!behind)
            return fail_weight(p, "weight");
        if (count > most_weights)
            return clv_dot_fail(&p->scan, "weight has more than %d numbers",
                                (int)most_weights);
        text = skip_separators(behind);
        if (text == behind && text != end)
            return fail_weight(p, "weight");
    } while (text != end);
    if (p->ncon > 0 && count != p->ncon)
        return clv_dot_fail(&p->scan, "weight '%.40s' has %lld numbers, earlier ones have %d",
                            p->scan.id, (long long)count, (int)p->ncon);
    a->ncon = p->ncon = (int32_t)count;
    return CLEAVE_OK;
}

/* "x,y" or "x,y,z", with an optional !  (pinned vertex).  Positions are optional: if one is
 * malformed, the graph gets no coordinates, and that is not an error. */
static void read_position(parser *p)
{
    clv_dot_attributes *a = &p->attributes;
    const char *text = p->scan.id, *end = text + p->scan.id_length;
    int32_t count = 0;
    a->ndim = 0;
    while (count < 3) {
        text = clv_parse_double(text, end, &a->pos[count]);
        if (!text || !isfinite(a->pos[count]))
            return;
        count++;
        const char *next = skip_separators(text);
        if (next == text)
            break;
        text = next;
    }
    if (*text == '!')
        text++;
    if (text == end && count >= 2)
        a->ndim = count;
}

typedef enum owner { OF_GRAPH, OF_VERTICES, OF_EDGES } owner;
typedef enum attribute { OTHER, WEIGHT, VSIZE, POS } attribute;

static attribute attribute_named(const char *key)
{
    if (strcmp(key, "weight") == 0)
        return WEIGHT;
    if (strcmp(key, "vsize") == 0)
        return VSIZE;
    return strcmp(key, "pos") == 0 ? POS : OTHER;
}

static cleave_status read_value(parser *p, owner whose, attribute key)
{
    if (whose == OF_EDGES && key == WEIGHT) {
        int32_t weight;
        CLV_TRY(read_one_weight(p, "weight", &weight));
        p->edge_weight = weight;
    }
    if (whose != OF_VERTICES)
        return CLEAVE_OK;
    if (key == WEIGHT)
        return read_weights(p);
    if (key == VSIZE)
        return read_one_weight(p, "vsize", &p->attributes.vsize);
    if (key == POS)
        read_position(p);
    return CLEAVE_OK;
}

/* [key = value; key = value, key] and any number of such lists. */
static cleave_status read_attributes(parser *p, owner whose)
{
    clv_dot_scan *scan = &p->scan;
    p->attributes.ncon = p->attributes.ndim = 0;
    p->attributes.vsize = -1;
    p->edge_weight = -1;
    while (scan->token == '[') {
        CLV_TRY(advance(p));
        while (scan->token != ']') {
            if (!clv_dot_is_word(scan))
                return clv_dot_fail_expected(scan, "an attribute or ']'");
            attribute key = attribute_named(scan->id);
            CLV_TRY(advance(p));
            if (scan->token == '=') {
                CLV_TRY(advance(p));
                if (!clv_dot_is_word(scan))
                    return clv_dot_fail_expected(scan, "a value after '='");
                CLV_TRY(read_value(p, whose, key));
                CLV_TRY(advance(p));
            }
            if (scan->token == ',' || scan->token == ';')
                CLV_TRY(advance(p));
        }
        CLV_TRY(advance(p));
    }
    return CLEAVE_OK;
}

/* ---- Defaults ------------------------------------------------------------------------ */

static cleave_status keep_default_weight(parser *p, frame *f)
{
    f->weight_at = p->ndefaults;
    for (int32_t c = 0; c < p->attributes.ncon; c++) {
        void *defaults = p->defaults;
        CLV_TRY(make_room(p, &defaults, p->ndefaults, &p->default_space, sizeof *p->defaults));
        p->defaults = defaults;
        p->defaults[p->ndefaults++] = p->attributes.weight[c];
    }
    return CLEAVE_OK;
}

/* node [...], edge [...] or graph [...] */
static cleave_status read_defaults(parser *p, frame *f)
{
    int token = p->scan.token;
    CLV_TRY(advance(p));
    if (p->scan.token != '[')
        return clv_dot_fail_expected(&p->scan, token == CLV_DOT_NODE   ? "'[' after 'node'"
                                               : token == CLV_DOT_EDGE ? "'[' after 'edge'"
                                                                       : "'[' after 'graph'");
    owner whose = token == CLV_DOT_NODE   ? OF_VERTICES
                  : token == CLV_DOT_EDGE ? OF_EDGES
                                          : OF_GRAPH;
    CLV_TRY(read_attributes(p, whose));
    if (p->edge_weight >= 0)
        f->edge_weight = p->edge_weight;
    if (p->attributes.vsize >= 0)
        f->vsize = p->attributes.vsize;
    return p->attributes.ncon > 0 ? keep_default_weight(p, f) : CLEAVE_OK;
}

/* ---- Statements ---------------------------------------------------------------------- */

static cleave_status begin_end(parser *p)
{
    void *ends = p->ends;
    CLV_TRY(make_room(p, &ends, p->nends, &p->end_space, sizeof *p->ends));
    p->ends = ends;
    p->ends[p->nends++] = p->nmembers;
    return CLEAVE_OK;
}

static cleave_status add_vertex(parser *p, const frame *f)
{
    clv_dot_attributes defaults = {.vsize = f->vsize};
    if (f->weight_at >= 0) {
        defaults.weight = p->defaults + f->weight_at;
        defaults.ncon = p->ncon;
    }
    int32_t v;
    CLV_TRY(clv_dot_vertices_add(&p->graph->vertices, p->scan.id, p->scan.id_length, &defaults,
                                 &v, p->err));
    void *members = p->members;
    CLV_TRY(make_room(p, &members, p->nmembers, &p->member_space, sizeof *p->members));
    p->members = members;
    p->members[p->nmembers++] = v;
    return CLEAVE_OK;
}

static cleave_status add_edge(parser *p, int64_t line, int32_t tail, int32_t head,
                              int64_t weight)
{
    clv_dot_graph *graph = p->graph;
    if (tail == head && graph->edges.loops == 0) {
        graph->loop_vertex = tail;
        graph->loop_line = line;
    }
    if (!graph->directed && tail > head) {
        int32_t swap = tail;
        tail = head;
        head = swap;
    }
    graph->entries++;
    graph->weighted |= weight >= 0;
    int32_t given = weight >= 0 ? (int32_t)weight : -1;
    if (!clv_edge_stream_add(&graph->edges, 1, &tail, &head, &given))
        return clv_fail_memory(p->err);
    return CLEAVE_OK;
}

/* All edges from the end [a, b) to the end [b, c) of members. */
static cleave_status connect_ends(parser *p, const frame *f, int64_t a, int64_t b, int64_t c,
                                  int64_t weight)
{
    if (b - a > 1 && c - b > 1) {
        int64_t more;
        if (!clv_mul_i64(b - a, c - b, &more) || more > most_pairs - p->pairs)
            return clv_fail_at(p->err, CLEAVE_EPARSE, clv_input_path(p->scan.text.in), f->line,
                               "all edges between %lld and %lld vertices: more than %d edges "
                               "may not be written as pairs of subgraphs",
                               (long long)(b - a), (long long)(c - b), (int)most_pairs);
        p->pairs += more;
    }
    for (int64_t i = a; i < b; i++)
        for (int64_t j = b; j < c; j++)
            CLV_TRY(add_edge(p, f->line, p->members[i], p->members[j], weight));
    return CLEAVE_OK;
}

static cleave_status finish_edges(parser *p, const frame *f)
{
    int64_t weight = p->edge_weight >= 0 ? p->edge_weight : f->edge_weight;
    for (int64_t e = f->ends; e + 1 < p->nends; e++)
        CLV_TRY(connect_ends(p, f, p->ends[e], p->ends[e + 1],
                             e + 2 < p->nends ? p->ends[e + 2] : p->nmembers, weight));
    return CLEAVE_OK;
}

static cleave_status finish_vertices(parser *p, const frame *f)
{
    for (int64_t i = p->ends[f->ends]; i < p->nmembers; i++)
        if (!clv_dot_vertices_set(&p->graph->vertices, p->members[i], &p->attributes))
            return clv_fail_memory(p->err);
    return CLEAVE_OK;
}

/* Called after the vertices or ends of a statement: reads its attributes and creates what it
 * describes. */
static cleave_status finish_statement(parser *p, frame *f)
{
    owner whose = p->nends - f->ends > 1 ? OF_EDGES : f->list ? OF_VERTICES : OF_GRAPH;
    CLV_TRY(read_attributes(p, whose));
    if (whose == OF_EDGES)
        CLV_TRY(finish_edges(p, f));
    if (whose == OF_VERTICES)
        CLV_TRY(finish_vertices(p, f));
    p->nends = f->ends;
    if (p->nframes == 1)
        p->nmembers = 0;
    f->place = AT_STATEMENT;
    return CLEAVE_OK;
}

/* name, name:port or name:port:compass */
static cleave_status read_vertex(parser *p, frame *f)
{
    CLV_TRY(add_vertex(p, f));
    CLV_TRY(advance(p));
    for (int i = 0; i < 2 && p->scan.token == ':'; i++) {
        CLV_TRY(advance(p));
        if (!clv_dot_is_word(&p->scan))
            return clv_dot_fail_expected(&p->scan, "a port after ':'");
        CLV_TRY(advance(p));
    }
    f->place = BEHIND_END;
    f->list = true;
    return CLEAVE_OK;
}

/* ---- Subgraphs ----------------------------------------------------------------------- */

static cleave_status push_frame(parser *p, bool reopened)
{
    if (p->nframes > deepest)
        return clv_dot_fail(&p->scan, "subgraphs are nested more than %d deep", (int)deepest);
    void *frames = p->frames;
    CLV_TRY(make_room(p, &frames, p->nframes, &p->frame_space, sizeof *p->frames));
    p->frames = frames;
    frame inner = {.weight_at = -1, .vsize = -1, .edge_weight = -1};
    if (p->nframes > 0)
        inner = p->frames[p->nframes - 1]; /* defaults are inherited */
    inner.place = AT_STATEMENT;
    inner.members = p->nmembers;
    inner.ends = p->nends;
    inner.list = false;
    inner.reopened = reopened;
    p->frames[p->nframes++] = inner;
    return CLEAVE_OK;
}

/* [subgraph [name]] { */
static cleave_status open_subgraph(parser *p, frame *f)
{
    bool is_new = true;
    f->list = false;
    if (p->scan.token == CLV_DOT_SUBGRAPH) {
        CLV_TRY(advance(p));
        if (p->scan.token == CLV_DOT_ID) {
            int32_t number;
            CLV_TRY(clv_name_table_add(&p->subgraph_names, p->scan.id, p->scan.id_length,
                                       &number, &is_new, p->err));
            CLV_TRY(advance(p));
        }
    }
    if (p->scan.token != '{')
        return clv_dot_fail_expected(&p->scan, "the '{' of a subgraph");
    CLV_TRY(advance(p));
    return push_frame(p, !is_new);
}

/* Leaves every vertex of the subgraph once in members. */
static cleave_status drop_repeated_members(parser *p, const frame *f)
{
    int32_t nvtx = p->graph->vertices.names.count;
    if (p->stamp_space < nvtx) {
        int64_t space = 2 * (int64_t)nvtx;
        int64_t *stamp = clv_realloc(p->stamp, space, sizeof *stamp);
        if (!stamp)
            return clv_fail_memory(p->err);
        memset(stamp + p->stamp_space, 0, (size_t)(space - p->stamp_space) * sizeof *stamp);
        p->stamp = stamp;
        p->stamp_space = space;
    }
    int64_t mark = ++p->subgraphs, kept = f->members;
    for (int64_t i = f->members; i < p->nmembers; i++) {
        int32_t v = p->members[i];
        if (p->stamp[v] != mark)
            p->members[kept++] = v;
        p->stamp[v] = mark;
    }
    p->nmembers = kept;
    return CLEAVE_OK;
}

static cleave_status close_frame(parser *p)
{
    frame closed = p->frames[--p->nframes];
    CLV_TRY(advance(p));
    if (p->nframes == 0)
        return CLEAVE_OK;
    CLV_TRY(drop_repeated_members(p, &closed));
    frame *outer = &p->frames[p->nframes - 1];
    outer->place = BEHIND_END;
    /* As an end it would include the vertices of its earlier blocks, which are not kept. */
    bool is_end = p->nends - outer->ends > 1 || p->scan.token == CLV_DOT_ARROW ||
                  p->scan.token == CLV_DOT_LINE;
    if (closed.reopened && is_end)
        return clv_dot_fail(&p->scan, "a subgraph that was opened before cannot be an end of "
                                      "edges here: give it another name");
    return CLEAVE_OK;
}

/* ---- Parser states ------------------------------------------------------------------- */

static cleave_status read_end(parser *p, frame *f)
{
    if (p->scan.token == CLV_DOT_ID)
        return read_vertex(p, f);
    if (!f->list && (p->scan.token == '{' || p->scan.token == CLV_DOT_SUBGRAPH))
        return open_subgraph(p, f);
    return clv_dot_fail_expected(&p->scan, f->list ? "a vertex after ','"
                                                   : "a vertex or a subgraph after the edge");
}

/* key = value */
static cleave_status skip_assignment(parser *p)
{
    CLV_TRY(advance(p));
    CLV_TRY(advance(p));
    if (!clv_dot_is_word(&p->scan))
        return clv_dot_fail_expected(&p->scan, "a value after '='");
    return advance(p);
}

static cleave_status start_statement(parser *p, frame *f)
{
    bool assigns;
    f->line = p->scan.line;
    switch (p->scan.token) {
    case '}':
        return close_frame(p);
    case ';':
        return advance(p);
    case CLV_DOT_NODE:
    case CLV_DOT_EDGE:
    case CLV_DOT_GRAPH:
        return read_defaults(p, f);
    case '{':
    case CLV_DOT_SUBGRAPH:
        CLV_TRY(begin_end(p));
        return open_subgraph(p, f);
    case CLV_DOT_ID:
        CLV_TRY(clv_dot_follows(&p->scan, '=', &assigns));
        if (assigns)
            return skip_assignment(p);
        CLV_TRY(begin_end(p));
        return read_vertex(p, f);
    default:
        return clv_dot_fail_expected(&p->scan, "a statement or '}'");
    }
}

static cleave_status continue_statement(parser *p, frame *f)
{
    int token = p->scan.token;
    if (token == CLV_DOT_ARROW || token == CLV_DOT_LINE) {
        if ((token == CLV_DOT_ARROW) != p->graph->directed)
            return clv_dot_fail(&p->scan, p->graph->directed
                                              ? "'--' in a digraph: its edges are '->'"
                                              : "'->' in a graph: its edges are '--'");
        f->list = false;
        f->place = AT_END;
        CLV_TRY(begin_end(p));
        return advance(p);
    }
    if (token == ',' && f->list) {
        f->place = AT_END;
        return advance(p);
    }
    return finish_statement(p, f);
}

/* ---- The file ------------------------------------------------------------------------ */

/* [strict] (graph | digraph) [name] { */
static cleave_status read_header(parser *p)
{
    clv_dot_scan *scan = &p->scan;
    if (scan->token == CLV_DOT_STRICT)
        CLV_TRY(advance(p));
    if (scan->token != CLV_DOT_GRAPH && scan->token != CLV_DOT_DIGRAPH)
        return clv_dot_fail_expected(scan, "'graph' or 'digraph'");
    p->graph->directed = scan->token == CLV_DOT_DIGRAPH;
    p->graph->header_line = scan->line;
    CLV_TRY(advance(p));
    if (scan->token == CLV_DOT_ID)
        CLV_TRY(advance(p));
    if (scan->token != '{')
        return clv_dot_fail_expected(scan, "the '{' of the graph");
    return advance(p);
}

static cleave_status read_file(parser *p)
{
    CLV_TRY(read_header(p));
    CLV_TRY(push_frame(p, false));
    while (p->nframes > 0) {
        frame *f = &p->frames[p->nframes - 1];
        if (f->place == AT_STATEMENT)
            CLV_TRY(start_statement(p, f));
        else if (f->place == AT_END)
            CLV_TRY(read_end(p, f));
        else
            CLV_TRY(continue_statement(p, f));
    }
    if (p->scan.token != CLV_DOT_END)
        return clv_dot_fail_expected(&p->scan, "nothing after the '}' of the graph");
    return CLEAVE_OK;
}

cleave_status clv_dot_parse(clv_dot_graph *out, clv_input *in, cleave_error *err)
{
    parser p = {.graph = out, .err = err};
    p.attributes.vsize = -1;
    clv_edge_stream_init(&out->edges, true);
    cleave_status status = clv_dot_scan_init(&p.scan, in, err);
    if (status == CLEAVE_OK)
        status = read_file(&p);
    clv_dot_scan_free(&p.scan);
    clv_name_table_free(&p.subgraph_names);
    clv_sys_free(p.frames);
    clv_sys_free(p.members);
    clv_sys_free(p.ends);
    clv_sys_free(p.defaults);
    clv_sys_free(p.stamp);
    clv_sys_free(p.attributes.weight);
    return status;
}

void clv_dot_graph_free(clv_dot_graph *graph)
{
    clv_dot_vertices_free(&graph->vertices);
    clv_edge_stream_free(&graph->edges);
}
