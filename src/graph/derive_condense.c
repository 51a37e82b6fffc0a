/* SPDX-License-Identifier: Apache-2.0 */
/* graph/derive_condense.c - condensation: the DAG of the strongly connected components of a
 * directed graph, as their quotient with sizes and names.
 *
 * Components are numbered by their smallest vertices, so that the numbering of the graph
 * changes as little as possible. */
#include <stdio.h>
#include <string.h>

#include "graph/derive.h"
#include "graph/topology.h"

/* Renumbers component[v] by smallest vertex. first and members, by component: its smallest
 * vertex and its number of vertices. */
static void renumber(int32_t nvtx, int32_t *component, int32_t *number, int32_t *first,
                     int32_t *members)
{
    int32_t count = 0;
    for (int32_t v = 0; v < nvtx; v++)
        number[v] = -1;
    for (int32_t v = 0; v < nvtx; v++) {
        int32_t *to = &number[component[v]];
        if (*to < 0) {
            first[count] = v;
            members[count] = 0;
            *to = count++;
        }
        component[v] = *to;
        members[*to]++;
    }
}

static cleave_status sum_sizes(clv_graph *made, const clv_graph *g, const int32_t *component,
                               clv_ws *ws, cleave_error *err)
{
    int64_t *sum = clv_ws_zalloc(ws, made->nvtx, sizeof *sum);
    int32_t *vsize = clv_arena_alloc(&made->arena, made->nvtx, sizeof *vsize);
    if (!sum || !vsize)
        return clv_fail_memory(err);
    for (int32_t v = 0; v < g->nvtx; v++)
        sum[component[v]] += g->vsize ? g->vsize[v] : 1;
    for (int32_t c = 0; c < made->nvtx; c++) {
        if (sum[c] > INT32_MAX)
            return clv_fail(err, CLEAVE_ERANGE,
                            "the sizes of the vertices of a strongly connected component sum "
                            "to %lld, more than 2^31-1",
                            (long long)sum[c]);
        vsize[c] = (int32_t)sum[c];
    }
    made->vsize = vsize;
    return CLEAVE_OK;
}

/* The name of a component: "a" for a single vertex, "a (and 2 more)" for several.  Returns the
 * length with the zero byte; to NULL: only computes it. */
static int64_t put_name(char *to, const clv_graph *g, int32_t v, int32_t members)
{
    char number[16], more[40] = "";
    const char *name = clv_graph_name(g, v);
    if (!name) {
        snprintf(number, sizeof number, "%ld", (long)v);
        name = number;
    }
    if (members > 1)
        snprintf(more, sizeof more, " (and %ld more)", (long)members - 1);
    size_t length = strlen(name), rest = strlen(more) + 1;
    if (to) {
        memcpy(to, name, length);
        memcpy(to + length, more, rest);
    }
    return (int64_t)(length + rest);
}

static cleave_status name_components(clv_graph *made, const clv_graph *g, const int32_t *first,
                                     const int32_t *members, cleave_error *err)
{
    int64_t *offset = clv_arena_alloc(&made->arena, (int64_t)made->nvtx + 1, sizeof *offset);
    if (!offset)
        return clv_fail_memory(err);
    offset[0] = 0;
    for (int32_t c = 0; c < made->nvtx; c++)
        offset[c + 1] = offset[c] + put_name(NULL, g, first[c], members[c]);
    char *text = clv_arena_alloc(&made->arena, offset[made->nvtx], 1);
    if (!text)
        return clv_fail_memory(err);
    for (int32_t c = 0; c < made->nvtx; c++)
        put_name(text + offset[c], g, first[c], members[c]);
    made->names = (clv_names){offset, text};
    return CLEAVE_OK;
}

static cleave_status condense(clv_graph **made, const clv_graph *g, clv_mapping **components,
                              clv_ws *ws, cleave_error *err)
{
    int32_t count;
    int32_t *component = clv_ws_alloc(ws, g->nvtx, sizeof *component);
    int32_t *number = clv_ws_alloc(ws, g->nvtx, sizeof *number);
    int32_t *first = clv_ws_alloc(ws, g->nvtx, sizeof *first);
    int32_t *members = clv_ws_alloc(ws, g->nvtx, sizeof *members);
    if (!component || !number || !first || !members)
        return clv_fail_memory(err);
    CLV_TRY(clv_topology_strong(g->nvtx, g->xadj, g->adj, ws, component, &count, err));
    renumber(g->nvtx, component, number, first, members);
    CLV_TRY(clv_mapping_new(components, g->nvtx, count, component, err));
    if (count == g->nvtx)
        return CLEAVE_OK;
    CLV_TRY(clv_derive_quotient(made, g, *components, ws, err));
    (*made)->format = g->format;
    (*made)->entries = g->entries;
    CLV_TRY(sum_sizes(*made, g, component, ws, err));
    return name_components(*made, g, first, members, err);
}

cleave_status clv_derive_condense(clv_graph **g, clv_mapping **components, clv_ws *ws,
                                  cleave_error *err)
{
    clv_graph *made = NULL;
    clv_ws_mark mark = clv_ws_save(ws);
    cleave_status status = condense(&made, *g, components, ws, err);
    clv_ws_restore(ws, mark);
    if (status != CLEAVE_OK) {
        clv_graph_free(made);
        clv_mapping_free(*components);
        *components = NULL;
        return status;
    }
    if (made) {
        clv_graph_free(*g);
        *g = made;
    }
    return CLEAVE_OK;
}
