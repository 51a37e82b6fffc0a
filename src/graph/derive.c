/* SPDX-License-Identifier: Apache-2.0 */
/* graph/derive.c - transpose and induced subgraph.
 *
 * No row is ever sorted.  Transposing vertex by vertex writes every new row in ascending
 * order; the successors of the result are therefore made from the predecessors of the source,
 * and vice versa. */
#include "graph/derive.h"

#include <string.h>

/* Prefix sums in place: counts[v] becomes the sum of counts[0..v], counts[count] the total. */
static void prefix_sums(int32_t count, int64_t *counts)
{
    int64_t sum = 0;
    for (int32_t v = 0; v < count; v++)
        counts[v] = sum += counts[v];
    counts[count] = sum;
}

/* Callers say which weights there are by constants, so that the compiler makes three loops. */
static CLV_ALWAYS_INLINE void transpose_rows(int32_t nvtx, clv_csr from, clv_csr_space to,
                                             bool narrow, bool wide)
{
    int64_t narc = nvtx > 0 ? from.xadj[nvtx] : 0;
    memset(to.xadj, 0, ((size_t)nvtx + 1) * sizeof *to.xadj);
    for (int64_t a = 0; a < narc; a++)
        to.xadj[from.adj[a]]++;
    prefix_sums(nvtx, to.xadj);
    /* Filled from their ends, rows ascend and xadj ends as the array of their starts. */
    for (int32_t v = nvtx; v-- > 0;) {
        for (int64_t a = from.xadj[v + 1]; a-- > from.xadj[v];) {
            int64_t place = --to.xadj[from.adj[a]];
            to.adj[place] = v;
            if (narrow)
                to.narrow[place] = from.weight.narrow[a];
            if (wide)
                to.wide[place] = from.weight.wide[a];
        }
    }
}

void clv_derive_transpose_rows(int32_t nvtx, clv_csr from, clv_csr_space to)
{
    if (from.weight.wide)
        transpose_rows(nvtx, from, to, false, true);
    else if (from.weight.narrow)
        transpose_rows(nvtx, from, to, true, false);
    else
        transpose_rows(nvtx, from, to, false, false);
}

/* ---- Attributes -------------------------------------------------------------------- */

/* Copies `from` (NULL stays NULL) to the graph's arena: `each` bytes per vertex, of the given
 * vertices in their order, or of all if `vertices` is NULL. */
static cleave_status copy_rows(clv_graph *g, const void **to, const void *from, size_t each,
                               const int32_t *vertices, cleave_error *err)
{
    if (!from)
        return CLEAVE_OK;
    char *copy = clv_arena_alloc(&g->arena, g->nvtx, each);
    if (!copy)
        return clv_fail_memory(err);
    if (!vertices)
        memcpy(copy, from, (size_t)g->nvtx * each);
    else
        for (int32_t i = 0; i < g->nvtx; i++)
            memcpy(copy + (size_t)i * each, (const char *)from + (size_t)vertices[i] * each,
                   each);
    *to = copy;
    return CLEAVE_OK;
}

static cleave_status copy_names(clv_graph *g, const clv_graph *from, const int32_t *vertices,
                                cleave_error *err)
{
    if (!from->names.offset)
        return CLEAVE_OK;
    int64_t *offset = clv_arena_alloc(&g->arena, (int64_t)g->nvtx + 1, sizeof *offset);
    if (!offset)
        return clv_fail_memory(err);
    offset[0] = 0;
    for (int32_t i = 0; i < g->nvtx; i++) {
        const char *name = clv_graph_name(from, vertices ? vertices[i] : i);
        offset[i + 1] = offset[i] + (int64_t)strlen(name) + 1;
    }
    char *text = clv_arena_alloc(&g->arena, offset[g->nvtx], 1);
    if (!text)
        return clv_fail_memory(err);
    for (int32_t i = 0; i < g->nvtx; i++)
        memcpy(text + offset[i], clv_graph_name(from, vertices ? vertices[i] : i),
               (size_t)(offset[i + 1] - offset[i]));
    g->names = (clv_names){offset, text};
    return CLEAVE_OK;
}

static cleave_status copy_unit(clv_graph *g, const char *unit, cleave_error *err)
{
    if (!unit)
        return CLEAVE_OK;
    size_t bytes = strlen(unit) + 1;
    char *copy = clv_arena_alloc(&g->arena, (int64_t)bytes, 1);
    if (!copy)
        return clv_fail_memory(err);
    g->unit = memcpy(copy, unit, bytes);
    return CLEAVE_OK;
}

/* Copies everything but the arcs. g->nvtx is set; vertices NULL: all of them in order. */
static cleave_status copy_attributes(clv_graph *g, const clv_graph *from,
                                     const int32_t *vertices, cleave_error *err)
{
    const void *vwgt = NULL, *vsize = NULL, *coords = NULL;
    CLV_TRY(copy_rows(g, &vwgt, from->vwgt, (size_t)from->ncon * sizeof *from->vwgt, vertices,
                      err));
    CLV_TRY(copy_rows(g, &vsize, from->vsize, sizeof *from->vsize, vertices, err));
    CLV_TRY(copy_rows(g, &coords, from->coords, (size_t)from->ndim * sizeof *from->coords,
                      vertices, err));
    g->ncon = from->ncon;
    g->ndim = from->ndim;
    g->vwgt = vwgt;
    g->vsize = vsize;
    g->coords = coords;
    CLV_TRY(copy_names(g, from, vertices, err));
    return copy_unit(g, from->unit, err);
}

/* ---- Transpose --------------------------------------------------------------------- */

static cleave_status copy_array(clv_graph *g, const void **to, const void *from, int64_t count,
                                size_t each, cleave_error *err)
{
    if (!from)
        return CLEAVE_OK;
    void *copy = clv_arena_alloc(&g->arena, count, each);
    if (!copy)
        return clv_fail_memory(err);
    if (count > 0)
        memcpy(copy, from, (size_t)count * each);
    *to = copy;
    return CLEAVE_OK;
}

typedef struct row_arrays {
    const int64_t *x;
    const int32_t *a, *w;
} row_arrays;

static cleave_status copy_arcs(clv_graph *g, row_arrays *to, row_arrays from,
                               cleave_error *err)
{
    const void *x = NULL, *a = NULL, *w = NULL;
    CLV_TRY(copy_array(g, &x, from.x, (int64_t)g->nvtx + 1, sizeof *from.x, err));
    CLV_TRY(copy_array(g, &a, from.a, g->narc, sizeof *from.a, err));
    CLV_TRY(copy_array(g, &w, from.w, g->narc, sizeof *from.w, err));
    *to = (row_arrays){x, a, w};
    return CLEAVE_OK;
}

static void set_rows(clv_graph *g, row_arrays successors, row_arrays predecessors)
{
    g->xadj = successors.x;
    g->adj = successors.a;
    g->ewgt = successors.w;
    g->xpred = predecessors.x;
    g->pred = predecessors.a;
    g->pwgt = predecessors.w;
    g->entries = clv_graph_edges(g);
}

static cleave_status transpose_into(clv_graph *g, const clv_graph *from, cleave_error *err)
{
    row_arrays successors, predecessors;
    g->kind = from->kind;
    g->nvtx = from->nvtx;
    g->narc = from->narc;
    CLV_TRY(copy_arcs(g, &successors, (row_arrays){from->xpred, from->pred, from->pwgt}, err));
    predecessors = successors;
    if (from->kind == CLEAVE_DAG)
        CLV_TRY(
            copy_arcs(g, &predecessors, (row_arrays){from->xadj, from->adj, from->ewgt}, err));
    set_rows(g, successors, predecessors);
    return copy_attributes(g, from, NULL, err);
}

/* Stores g in *out on success; on failure frees it. */
static cleave_status return_or_free(clv_graph **out, clv_graph *g, cleave_status status)
{
    if (status == CLEAVE_OK)
        *out = g;
    else
        clv_graph_free(g);
    return status;
}

cleave_status clv_derive_transpose(clv_graph **out, const clv_graph *g, cleave_error *err)
{
    *out = NULL;
    clv_graph *made = clv_graph_new();
    if (!made)
        return clv_fail_memory(err);
    return return_or_free(out, made, transpose_into(made, g, err));
}

/* ---- Induced subgraph -------------------------------------------------------------- */

typedef struct selection {
    int32_t count;
    const int32_t *vertices; /* new -> old */
    int32_t *local;          /* old -> new; -1: not selected */
} selection;

static cleave_status number_vertices(selection *s, int32_t nvtx, clv_ws *ws, cleave_error *err)
{
    s->local = clv_ws_alloc(ws, nvtx, sizeof *s->local);
    if (!s->local)
        return clv_fail_memory(err);
    for (int32_t v = 0; v < nvtx; v++)
        s->local[v] = -1;
    for (int32_t i = 0; i < s->count; i++) {
        int32_t v = s->vertices[i];
        if (v < 0 || v >= nvtx)
            return clv_fail(err, CLEAVE_EINVAL,
                            "vertices[%ld] is %ld, but the graph has %ld vertices", (long)i,
                            (long)v, (long)nvtx);
        if (s->local[v] >= 0)
            return clv_fail(err, CLEAVE_EINVAL, "vertices[%ld] and vertices[%ld] are both %ld",
                            (long)s->local[v], (long)i, (long)v);
        s->local[v] = i;
    }
    return CLEAVE_OK;
}

/* x[i] becomes the end of row i of the transpose: counts arcs into i from selected vertices.
 */
static void count_turned(const selection *s, row_arrays from, int64_t *x)
{
    for (int32_t i = 0; i < s->count; i++) {
        int32_t v = s->vertices[i];
        for (int64_t a = from.x[v]; a < from.x[v + 1]; a++)
            if (s->local[from.a[a]] >= 0)
                x[s->local[from.a[a]]]++;
    }
    prefix_sums(s->count, x);
}

static void fill_turned(const selection *s, row_arrays from, int64_t *x, int32_t *adj,
                        int32_t *wgt)
{
    for (int32_t i = s->count; i-- > 0;) {
        int32_t v = s->vertices[i];
        for (int64_t a = from.x[v]; a < from.x[v + 1]; a++) {
            int32_t u = s->local[from.a[a]];
            if (u < 0)
                continue;
            adj[--x[u]] = i;
            if (wgt)
                wgt[x[u]] = from.w[a];
        }
    }
}

/* The transpose of the rows `from`, restricted to selected vertices. */
static cleave_status turn_rows(clv_graph *g, const selection *s, row_arrays from,
                               row_arrays *to, cleave_error *err)
{
    int64_t *x = clv_arena_zalloc(&g->arena, (int64_t)s->count + 1, sizeof *x);
    if (!x)
        return clv_fail_memory(err);
    count_turned(s, from, x);
    g->narc = x[s->count];
    int32_t *adj = clv_arena_alloc(&g->arena, g->narc, sizeof *adj);
    int32_t *wgt = from.w ? clv_arena_alloc(&g->arena, g->narc, sizeof *wgt) : NULL;
    if (!adj || (from.w && !wgt))
        return clv_fail_memory(err);
    fill_turned(s, from, x, adj, wgt);
    *to = (row_arrays){x, adj, wgt};
    return CLEAVE_OK;
}

static cleave_status select_into(clv_graph *g, const clv_graph *from, const selection *s,
                                 cleave_error *err)
{
    row_arrays successors, predecessors;
    g->kind = from->kind;
    g->nvtx = s->count;
    CLV_TRY(
        turn_rows(g, s, (row_arrays){from->xpred, from->pred, from->pwgt}, &successors, err));
    predecessors = successors;
    if (from->kind == CLEAVE_DAG)
        CLV_TRY(turn_rows(g, s, (row_arrays){from->xadj, from->adj, from->ewgt}, &predecessors,
                          err));
    set_rows(g, successors, predecessors);
    return copy_attributes(g, from, s->vertices, err);
}

cleave_status clv_derive_subgraph(clv_graph **out, const clv_graph *g, int32_t count,
                                  const int32_t *vertices, clv_ws *ws, cleave_error *err)
{
    *out = NULL;
    clv_ws_mark mark = clv_ws_save(ws);
    selection s = {count, vertices, NULL};
    CLV_TRY(number_vertices(&s, g->nvtx, ws, err));
    clv_graph *made = clv_graph_new();
    if (!made)
        return clv_fail_memory(err);
    cleave_status status = select_into(made, g, &s, err);
    clv_ws_restore(ws, mark);
    return return_or_free(out, made, status);
}
