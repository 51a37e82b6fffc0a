/* SPDX-License-Identifier: Apache-2.0 */
/* target/scotch_deco2.c - reading deco 2: see target/scotch_deco.h.
 *
 * Everything is read and its numbers are checked, but the levels above the first graph are not
 * used: they only serve Scotch's distance estimates. */
#include "formats/grow.h"
#include "graph/build.h"
#include "target/graph_target.h"
#include "target/scotch_deco.h"

enum { numbers_per_domain = 9, most_graphs = 1024 };

typedef struct deco2_reader {
    clv_text *text;
    int64_t npes, levels, entries; /* as in the header */
    int32_t *domain;               /* by PE */
    int32_t *vertex;               /* by PE */
    int32_t *weight;               /* by domain */
    int64_t pe_room, domain_room;
    clv_rows rows; /* of the first graph */
    int64_t row_room, arc_room;
    int64_t vertices; /* of the current graph */
} deco2_reader;

static cleave_status read_pes(deco2_reader *r)
{
    for (int64_t i = 0; i < r->npes; i++) {
        int64_t domain, vertex;
        if (i == r->pe_room) {
            int64_t room = clv_next_room(r->pe_room);
            if (!clv_grow_i32(&r->domain, room) || !clv_grow_i32(&r->vertex, room))
                return clv_fail_memory(r->text->err);
            r->pe_room = room;
        }
        CLV_TRY(clv_text_next_i64(r->text, 0, 2 * r->npes - 2, "the domain of a PE", &domain));
        CLV_TRY(clv_text_next_i64(r->text, 0, INT32_MAX, "the vertex of a PE", &vertex));
        r->domain[i] = (int32_t)domain;
        r->vertex[i] = (int32_t)vertex;
    }
    return CLEAVE_OK;
}

/* Only the weight of a domain, its third number, is used. */
static cleave_status read_domains(deco2_reader *r)
{
    for (int64_t i = 0; i < 2 * r->npes - 1; i++) {
        int64_t value;
        if (i == r->domain_room) {
            int64_t room = clv_next_room(r->domain_room);
            if (!clv_grow_i32(&r->weight, room))
                return clv_fail_memory(r->text->err);
            r->domain_room = room;
        }
        for (int k = 0; k < numbers_per_domain; k++) {
            CLV_TRY(clv_text_next_i64(r->text, k == 2 ? 0 : -1, INT32_MAX,
                                      "a number of a domain", &value));
            if (k == 2)
                r->weight[i] = (int32_t)value;
        }
    }
    return CLEAVE_OK;
}

/* ---- Graphs ---------------------------------------------------------------------------- */

static cleave_status add_arc(deco2_reader *r, int64_t arc, int64_t length, int64_t to)
{
    if (arc == r->arc_room) {
        int64_t room = clv_next_room(r->arc_room);
        if (!clv_grow_i32(&r->rows.adj, room) || !clv_grow_i32(&r->rows.ewgt, room))
            return clv_fail_memory(r->text->err);
        r->arc_room = room;
    }
    r->rows.adj[arc] = (int32_t)to;
    r->rows.ewgt[arc] = (int32_t)length;
    return CLEAVE_OK;
}

static cleave_status end_row(deco2_reader *r, int64_t v, int64_t arcs)
{
    if (v + 1 >= r->row_room) {
        int64_t room = clv_next_room(v + 1);
        if (!clv_grow_i64(&r->rows.xadj, room))
            return clv_fail_memory(r->text->err);
        r->row_room = room;
    }
    r->rows.xadj[0] = 0;
    r->rows.xadj[v + 1] = arcs;
    return CLEAVE_OK;
}

typedef struct graph_header {
    int64_t arcs, base, flags; /* flags as in the file: three digits */
} graph_header;

static cleave_status read_row(deco2_reader *r, const graph_header *h, int64_t *arcs, bool keep)
{
    int64_t value, degree, length = 1, to;
    if (h->flags / 100)
        CLV_TRY(clv_text_next_i64(r->text, 0, INT64_MAX, "the label of a vertex", &value));
    if (h->flags % 10)
        CLV_TRY(clv_text_next_i64(r->text, 0, INT32_MAX, "the weight of a vertex", &value));
    CLV_TRY(clv_text_next_i64(r->text, 0, h->arcs - *arcs, "the degree of a vertex", &degree));
    for (int64_t i = 0; i < degree; i++, ++*arcs) {
        if (h->flags / 10 % 10)
            CLV_TRY(
                clv_text_next_i64(r->text, 0, INT32_MAX, "the weight of an edge", &length));
        CLV_TRY(clv_text_next_i64(r->text, h->base, h->base + r->vertices - 1, "a neighbour",
                                  &to));
        if (keep)
            CLV_TRY(add_arc(r, *arcs, length, to - h->base));
    }
    return CLEAVE_OK;
}

static cleave_status read_graph_header(deco2_reader *r, graph_header *h)
{
    int64_t version;
    CLV_TRY(clv_text_next_i64(r->text, 0, 0, "the version of the graph", &version));
    CLV_TRY(
        clv_text_next_i64(r->text, 1, INT32_MAX / 2, "the number of vertices", &r->vertices));
    CLV_TRY(clv_text_next_i64(r->text, 0, INT64_MAX / 4, "the number of arcs", &h->arcs));
    CLV_TRY(clv_text_next_i64(r->text, 0, 1, "the number of the first vertex", &h->base));
    CLV_TRY(clv_text_next_i64(r->text, 0, 111, "the three flags", &h->flags));
    if (h->flags % 10 > 1 || h->flags / 10 % 10 > 1)
        return clv_text_fail(r->text, "the flags are not three digits 0 or 1");
    return CLEAVE_OK;
}

static cleave_status read_graph(deco2_reader *r, bool keep)
{
    graph_header h;
    int64_t arcs = 0;
    CLV_TRY(read_graph_header(r, &h));
    if (keep)
        CLV_TRY(end_row(r, -1, 0));
    for (int64_t v = 0; v < r->vertices; v++) {
        CLV_TRY(read_row(r, &h, &arcs, keep));
        if (keep)
            CLV_TRY(end_row(r, v, arcs));
    }
    if (arcs != h.arcs)
        return clv_text_fail(r->text, "the graph has %lld arcs, but its header has %lld",
                             (long long)arcs, (long long)h.arcs);
    if (keep)
        r->rows.nvtx = (int32_t)r->vertices;
    return CLEAVE_OK;
}

/* ---- The target ------------------------------------------------------------------------ */

static cleave_status read_all(deco2_reader *r)
{
    int64_t value;
    CLV_TRY(clv_text_next_i64(r->text, 1, INT32_MAX / 2, "the number of PEs", &r->npes));
    CLV_TRY(clv_text_next_i64(r->text, 1, most_graphs, "the number of levels", &r->levels));
    CLV_TRY(
        clv_text_next_i64(r->text, 0, INT64_MAX / 4, "the number of entries", &r->entries));
    CLV_TRY(read_pes(r));
    CLV_TRY(read_domains(r));
    for (int64_t level = 0; level < r->levels; level++) {
        CLV_TRY(read_graph(r, level == 0));
        CLV_TRY(clv_text_next_i64(r->text, 0, INT64_MAX, "the diameter of a graph", &value));
    }
    for (int64_t i = 0; i < r->entries; i++)
        CLV_TRY(clv_text_next_i64(r->text, 0, INT32_MAX, "the vertex of a domain", &value));
    return CLEAVE_OK;
}

/* Sets the weights of the vertices that are PEs; other vertices are not used. */
static cleave_status give_weights(const deco2_reader *r, clv_graph *g)
{
    int32_t *vwgt = clv_arena_alloc(&g->arena, g->nvtx, sizeof *vwgt);
    if (!vwgt)
        return clv_fail_memory(r->text->err);
    for (int32_t v = 0; v < g->nvtx; v++)
        vwgt[v] = 1;
    for (int64_t i = 0; i < r->npes; i++) {
        if (r->vertex[i] >= g->nvtx)
            return clv_text_fail(r->text, "PE %lld is vertex %ld, but the graph has only %ld",
                                 (long long)i, (long)r->vertex[i], (long)g->nvtx);
        vwgt[r->vertex[i]] = r->weight[r->domain[i]];
    }
    g->vwgt = vwgt;
    return CLEAVE_OK;
}

static bool all_vertices(const deco2_reader *r, int32_t nvtx)
{
    bool all = r->npes == nvtx;
    for (int64_t i = 0; all && i < r->npes; i++)
        all = r->vertex[i] == i;
    return all;
}

static cleave_status make_target(clv_target **out, deco2_reader *r)
{
    cleave_error inner;
    clv_graph *g = NULL;
    clv_target *whole = NULL;
    clv_build_rules rules = {0};
    clv_where where = {.path = clv_input_path(r->text->in)};
    CLV_TRY(clv_build_graph(&g, CLEAVE_UNDIRECTED, &r->rows, &rules, &where, r->text->err));
    cleave_status status = give_weights(r, g);
    if (status != CLEAVE_OK) {
        clv_graph_free(g);
        return status;
    }
    bool all = all_vertices(r, g->nvtx);
    status = clv_target_graph(&whole, g, &inner);
    if (status == CLEAVE_OK && all)
        *out = whole;
    else if (status == CLEAVE_OK)
        status = clv_target_sub(out, whole, (int32_t)r->npes, r->vertex, &inner);
    return clv_scotch_blame(r->text, status, &inner);
}

cleave_status clv_scotch_deco2(clv_target **out, clv_text *text)
{
    deco2_reader r = {.text = text};
    cleave_status status = read_all(&r);
    if (status == CLEAVE_OK)
        status = make_target(out, &r);
    clv_rows_free(&r.rows);
    clv_sys_free(r.domain);
    clv_sys_free(r.vertex);
    clv_sys_free(r.weight);
    return status;
}
