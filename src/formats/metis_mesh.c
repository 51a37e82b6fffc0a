/* SPDX-License-Identifier: Apache-2.0 */
/* formats/metis_mesh.c - METIS meshes as graphs [Karypis, METIS manual, 4.1.2].
 *
 * `elements [ncon]`, then a line per element: ncon weights and the nodes of the element,
 * counted from 1.  `%` starts a comment line; an empty line is an element without nodes.
 *
 * Dual graph: a vertex per element, with its weights; two elements with n and m nodes are
 * neighbours if they share at least min(common, n - 1, m - 1) nodes, and at least one.  Nodal
 * graph: a vertex per node; nodes of the same element are neighbours.
 *
 * Both take one counter per vertex, and time proportional to the sum of the squares of the
 * nodes per element or elements per node; a mesh for which this is excessive is refused. */
#include "formats/metis_mesh.h"

#include <string.h>

#include "base/group.h"
#include "formats/formats.h"
#include "formats/grow.h"
#include "formats/text.h"

/* Lists by owner: nodes by element, or elements by node. */
typedef struct mesh_lists {
    int32_t count;
    int64_t *first; /* count + 1 */
    int32_t *item;
} mesh_lists;

typedef struct mesh_reader {
    clv_text text;
    int64_t nelement, ncon; /* as in the header */
    int64_t element_room, item_room;
    int32_t nnode;     /* largest node + 1 */
    int64_t last_line; /* line of the largest node */
    mesh_lists nodes;  /* by element */
    mesh_lists elements;
    int32_t *vwgt;
} mesh_reader;

/* ---- Reading -------------------------------------------------------------------------- */

static cleave_status read_header(mesh_reader *r)
{
    bool more, ends;
    CLV_TRY(clv_text_next_content(&r->text, "%", &more));
    if (!more)
        return clv_text_fail(&r->text, "the file has no header line");
    CLV_TRY(clv_text_i64(&r->text, 0, INT32_MAX - 1, "the number of elements", &r->nelement));
    CLV_TRY(clv_text_at_line_end(&r->text, &ends));
    if (!ends)
        CLV_TRY(
            clv_text_i64(&r->text, 0, 1024, "the number of weights per element", &r->ncon));
    CLV_TRY(clv_text_end_line(&r->text, "the number of weights per element"));
    return clv_text_skip_line(&r->text);
}

static cleave_status grow_elements(mesh_reader *r)
{
    int64_t room = clv_next_room(r->element_room);
    if (!clv_grow_i64(&r->nodes.first, room + 1) ||
        (r->ncon && !clv_grow_i32(&r->vwgt, room * r->ncon)))
        return clv_fail_memory(r->text.err);
    r->element_room = room;
    return CLEAVE_OK;
}

static cleave_status grow_items(mesh_reader *r)
{
    int64_t room = clv_next_room(r->item_room);
    if (!clv_grow_i32(&r->nodes.item, room))
        return clv_fail_memory(r->text.err);
    r->item_room = room;
    return CLEAVE_OK;
}

/* Skips comment lines; cur is then at the first non-blank byte of the line of the element. */
static cleave_status find_element(mesh_reader *r, int64_t e)
{
    for (;;) {
        CLV_TRY(clv_text_skip_blanks(&r->text));
        if (r->text.cur == r->text.end)
            return clv_text_fail(&r->text, "the file ends after %lld of %lld elements",
                                 (long long)e, (long long)r->nelement);
        if (*r->text.cur != '%')
            return CLEAVE_OK;
        CLV_TRY(clv_text_skip_line(&r->text));
    }
}

static cleave_status read_element(mesh_reader *r, int64_t e, int64_t *count)
{
    int64_t value;
    for (int64_t c = 0; c < r->ncon; c++) {
        CLV_TRY(clv_text_i64(&r->text, 0, INT32_MAX, "the weight of an element", &value));
        r->vwgt[e * r->ncon + c] = (int32_t)value;
    }
    for (;;) {
        bool ends;
        CLV_TRY(clv_text_at_line_end(&r->text, &ends));
        if (ends)
            return clv_text_skip_line(&r->text);
        CLV_TRY(clv_text_i64(&r->text, 1, INT32_MAX - 1, "a node", &value));
        if (*count == r->item_room)
            CLV_TRY(grow_items(r));
        r->nodes.item[(*count)++] = (int32_t)(value - 1);
        if (value > r->nnode) {
            r->nnode = (int32_t)value;
            r->last_line = r->text.line;
        }
    }
}

static cleave_status read_elements(mesh_reader *r)
{
    int64_t count = 0;
    CLV_TRY(grow_elements(r));
    CLV_TRY(grow_items(r));
    r->nodes.first[0] = 0;
    for (int64_t e = 0; e < r->nelement; e++) {
        if (e == r->element_room)
            CLV_TRY(grow_elements(r));
        CLV_TRY(find_element(r, e));
        CLV_TRY(read_element(r, e, &count));
        r->nodes.first[e + 1] = count;
    }
    r->nodes.count = (int32_t)r->nelement;
    bool more;
    CLV_TRY(clv_text_next_content(&r->text, "%", &more));
    if (more)
        return clv_text_fail(&r->text, "unexpected text after the last of %lld elements",
                             (long long)r->nelement);
    /* Nodes without elements are possible, but a mesh with many of them is refused. */
    enum { harmless = 1 << 20, most_per_entry = 64 };
    if (r->nnode > harmless && r->nnode / most_per_entry > count)
        return clv_fail_at(r->text.err, CLEAVE_ERANGE, clv_input_path(r->text.in),
                           r->last_line, "node %d of a mesh with %lld entries is implausible",
                           (int)r->nnode, (long long)count);
    return CLEAVE_OK;
}

/* Degenerate elements list a node twice: keeps it once. */
static cleave_status drop_repeated(mesh_reader *r)
{
    int64_t to = 0, *first = r->nodes.first;
    int32_t *last = clv_alloc(r->nnode, sizeof *last);
    if (!last)
        return clv_fail_memory(r->text.err);
    memset(last, 0xff, (size_t)r->nnode * sizeof *last);
    for (int32_t e = 0; e < r->nelement; e++) {
        int64_t i = first[e], end = first[e + 1];
        first[e] = to;
        for (; i < end; i++) {
            int32_t node = r->nodes.item[i];
            if (last[node] != e)
                r->nodes.item[to++] = node;
            last[node] = e;
        }
    }
    first[r->nelement] = to;
    clv_sys_free(last);
    return CLEAVE_OK;
}

/* The elements of each node: the transposed lists. */
static cleave_status find_elements(mesh_reader *r)
{
    const int64_t *first = r->nodes.first;
    int64_t count = first[r->nelement];
    int64_t *end = clv_zalloc((int64_t)r->nnode + 1, sizeof *end);
    r->elements = (mesh_lists){r->nnode, end, clv_alloc(count, sizeof *r->elements.item)};
    if (!end || !r->elements.item)
        return clv_fail_memory(r->text.err);
    for (int64_t i = 0; i < count; i++)
        end[r->nodes.item[i]]++;
    clv_running_sums(end, r->nnode);
    /* Filled from their ends, the lists ascend, and end[] becomes the start of each list. */
    for (int32_t e = r->nodes.count; e-- > 0;)
        for (int64_t i = first[e + 1]; i-- > first[e];)
            r->elements.item[--end[r->nodes.item[i]]] = e;
    return CLEAVE_OK;
}

/* ---- Elements only --------------------------------------------------------------------- */

cleave_status clv_mesh_read(clv_mesh *mesh, const char *path, cleave_error *err)
{
    mesh_reader r = {.nelement = 0};
    clv_input *in;
    *mesh = (clv_mesh){0};
    CLV_TRY(clv_input_open(&in, path, NULL, NULL, err));
    cleave_status status = clv_text_init(&r.text, in, err);
    if (status == CLEAVE_OK)
        status = read_header(&r);
    if (status == CLEAVE_OK)
        status = read_elements(&r);
    clv_text_free(&r.text);
    clv_input_close(in);
    clv_sys_free(r.vwgt);
    *mesh = (clv_mesh){r.nodes.count, r.nnode, r.nodes.first, r.nodes.item};
    return status;
}

void clv_mesh_free(clv_mesh *mesh)
{
    clv_sys_free(mesh->first);
    clv_sys_free(mesh->node);
    *mesh = (clv_mesh){0};
}

/* ---- Graphs --------------------------------------------------------------------------- */

/* Owners v and u in `own` are neighbours if they have enough items in common; `back` has the
 * owners of each item. */
typedef struct mesh_pairs {
    const mesh_lists *own, *back;
    int32_t common;
    int32_t *shared; /* by owner: items in common with the current one; 0 between rows */
    int32_t *found;  /* owners with at least one */
    int64_t room;
    clv_rows *rows;
} mesh_pairs;

static int32_t items_of(const mesh_lists *lists, int32_t v)
{
    return (int32_t)(lists->first[v + 1] - lists->first[v]);
}

static bool share_enough_items(const mesh_pairs *p, int32_t v, int32_t u)
{
    int32_t n = items_of(p->own, v) - 1, m = items_of(p->own, u) - 1, least = p->common;
    least = n < least ? n : least;
    least = m < least ? m : least;
    return p->shared[u] >= least;
}

static cleave_status add_row(mesh_pairs *p, int32_t v, cleave_error *err)
{
    int64_t found = 0, to = p->rows->xadj[v];
    for (int64_t i = p->own->first[v]; i < p->own->first[v + 1]; i++) {
        int32_t item = p->own->item[i];
        for (int64_t j = p->back->first[item]; j < p->back->first[item + 1]; j++) {
            int32_t u = p->back->item[j];
            if (p->shared[u]++ == 0)
                p->found[found++] = u;
        }
    }
    if (to + found > p->room) {
        int64_t room = clv_next_room(to + found);
        if (!clv_grow_i32(&p->rows->adj, room))
            return clv_fail_memory(err);
        p->room = room;
    }
    for (int64_t i = 0; i < found; i++) {
        int32_t u = p->found[i];
        if (u != v && share_enough_items(p, v, u))
            p->rows->adj[to++] = u;
        p->shared[u] = 0;
    }
    p->rows->xadj[v + 1] = to;
    return CLEAVE_OK;
}

static cleave_status add_rows(mesh_pairs *p, cleave_error *err)
{
    int32_t n = p->own->count;
    p->rows->nvtx = n;
    p->rows->paired = true;
    p->rows->xadj = clv_alloc((int64_t)n + 1, sizeof *p->rows->xadj);
    p->rows->adj = clv_alloc(0, sizeof *p->rows->adj);
    p->shared = clv_zalloc(n, sizeof *p->shared);
    p->found = clv_alloc(n, sizeof *p->found);
    if (!p->rows->xadj || !p->rows->adj || !p->shared || !p->found)
        return clv_fail_memory(err);
    p->rows->xadj[0] = 0;
    for (int32_t v = 0; v < n; v++)
        CLV_TRY(add_row(p, v, err));
    return CLEAVE_OK;
}

/* Refuses a mesh with too many pairs to check; names the owner with most of them. */
static cleave_status check_effort(const mesh_reader *r, const mesh_lists *back,
                                  const char *what)
{
    enum { harmless = 1 << 24, most_per_entry = 512 };
    int64_t pairs = 0, entries = back->first[back->count];
    int32_t worst = 0;
    for (int32_t v = 0; v < back->count; v++) {
        int64_t n = items_of(back, v);
        int64_t square;
        if (!clv_mul_i64(n, n, &square) || !clv_add_i64(pairs, square, &pairs))
            pairs = INT64_MAX;
        worst = n > items_of(back, worst) ? v : worst;
    }
    if (pairs <= harmless || pairs / most_per_entry <= entries)
        return CLEAVE_OK;
    return clv_fail_at(r->text.err, CLEAVE_ERANGE, clv_input_path(r->text.in), 0,
                       "the graph would be too dense: %s %lld alone joins %d vertices", what,
                       (long long)worst + 1, (int)items_of(back, worst));
}

static cleave_status make_rows(clv_rows *rows, const mesh_reader *r,
                               const clv_read_options *opt)
{
    mesh_pairs p = {&r->nodes, &r->elements, opt->mesh_common, NULL, NULL, 0, rows};
    if (opt->mesh_nodal) {
        p.own = &r->elements;
        p.back = &r->nodes;
        p.common = 1;
    }
    CLV_TRY(check_effort(r, p.back, opt->mesh_nodal ? "element" : "node"));
    cleave_status status = add_rows(&p, r->text.err);
    clv_sys_free(p.shared);
    clv_sys_free(p.found);
    return status;
}

static cleave_status make_graph(clv_graph **out, mesh_reader *r, const clv_read_options *opt)
{
    clv_rows rows = {.nvtx = 0};
    CLV_TRY(drop_repeated(r));
    CLV_TRY(find_elements(r));
    cleave_status status = make_rows(&rows, r, opt);
    if (status != CLEAVE_OK) {
        clv_rows_free(&rows);
        return status;
    }
    clv_build_rules rules = {.symmetrise = CLV_SYMMETRISE_REFUSE};
    CLV_TRY(clv_build_graph(out, CLEAVE_UNDIRECTED, &rows, &rules, NULL, r->text.err));
    (*out)->entries = r->nelement;
    if (!r->ncon || opt->mesh_nodal)
        return CLEAVE_OK;
    if (!clv_arena_adopt(&(*out)->arena, r->vwgt))
        return clv_fail_memory(r->text.err);
    (*out)->vwgt = r->vwgt;
    (*out)->ncon = (int32_t)r->ncon;
    r->vwgt = NULL;
    return CLEAVE_OK;
}

static cleave_status read_all(mesh_reader *r, clv_input *in, const clv_read_options *opt,
                              cleave_error *err)
{
    if (opt->as == CLV_AS_DAG)
        return clv_fail_at(err, CLEAVE_EINVAL, clv_input_path(in), 0,
                           "a mesh has no directions and cannot be read as a DAG");
    CLV_TRY(clv_text_init(&r->text, in, err));
    CLV_TRY(read_header(r));
    return read_elements(r);
}

static cleave_status read_mesh(clv_graph **out, clv_input *in, const clv_read_options *opt,
                               cleave_error *err)
{
    mesh_reader r = {.nelement = 0};
    cleave_status status = read_all(&r, in, opt, err);
    if (status == CLEAVE_OK)
        status = make_graph(out, &r, opt);
    clv_text_free(&r.text);
    clv_sys_free(r.nodes.first);
    clv_sys_free(r.nodes.item);
    clv_sys_free(r.elements.first);
    clv_sys_free(r.elements.item);
    clv_sys_free(r.vwgt);
    return status;
}

const clv_format clv_format_metis_mesh = {
    .name = "mesh",
    .description = "METIS mesh: its dual or nodal graph",
    .extensions = "mesh",
    .looks_like = NULL,
    .read = read_mesh,
    .write = NULL,
};
