/* SPDX-License-Identifier: Apache-2.0 */
/* target/graph_target.c - see target/graph_target.h: checks the graph, transfers its names and
 * weights to the target, and chooses between a table of distances and the levels of
 * target/deco_levels.h. */
#include "target/graph_target.h"

#include <stdio.h>
#include <string.h>

#include "formats/graph_file.h"
#include "graph/topology.h"
#include "target/deco.h"
#include "target/deco_levels.h"
#include "target/target_forms.h"

enum { name_space = 64 };

/* "3" or "\"n3\"", for messages. */
static void name_vertex(const clv_graph *g, int32_t v, char text[name_space])
{
    const char *name = clv_graph_name(g, v);
    if (name)
        snprintf(text, name_space, CLV_TARGET_SHOWN, CLV_TARGET_SHOW(name, strlen(name)));
    else
        snprintf(text, name_space, "%ld", (long)v);
}

static cleave_status refuse_pair(const clv_graph *g, int32_t v, int32_t u, const char *what,
                                 cleave_error *err)
{
    char first[name_space], second[name_space];
    name_vertex(g, v, first);
    name_vertex(g, u, second);
    return clv_fail(err, CLEAVE_EINVAL, "%s %s and %s of the target graph", what, first,
                    second);
}

static cleave_status check_lengths(const clv_graph *g, cleave_error *err)
{
    for (int32_t v = 0; g->ewgt && v < g->nvtx; v++)
        for (int64_t a = g->xadj[v]; a < g->xadj[v + 1]; a++)
            if (g->ewgt[a] < 1)
                return refuse_pair(g, v, g->adj[a],
                                   "the length of a link must be 1 at least; it is 0 between",
                                   err);
    return CLEAVE_OK;
}

static cleave_status check_connected(const clv_graph *g, cleave_error *err)
{
    clv_ws ws = {0};
    int32_t count = 0, v = 0;
    int32_t *component = clv_ws_alloc(&ws, g->nvtx, sizeof *component);
    cleave_status status = component ? clv_topology_components(g, &ws, component, &count, err)
                                     : clv_fail_memory(err);
    if (status == CLEAVE_OK && count > 1) {
        while (component[v] == 0)
            v++;
        status = refuse_pair(g, 0, v, "there is no path between the vertices", err);
    }
    clv_ws_free(&ws);
    return status;
}

static cleave_status check_graph(const clv_graph *g, cleave_error *err)
{
    if (g->kind != CLEAVE_UNDIRECTED)
        return clv_fail(err, CLEAVE_EINVAL, "a target graph is undirected, not a DAG");
    if (g->nvtx < 1)
        return clv_fail(err, CLEAVE_EINVAL, "the target graph has no vertices");
    if (g->nvtx > clv_most_tree_pes)
        return clv_fail(err, CLEAVE_ERANGE, "a target graph has at most %ld vertices",
                        (long)clv_most_tree_pes);
    CLV_TRY(check_lengths(g, err));
    return check_connected(g, err);
}

/* ---- Names and speeds ------------------------------------------------------------------- */

static cleave_status set_speeds(clv_target *t, const clv_graph *g, cleave_error *err)
{
    if (!g->vwgt)
        return CLEAVE_OK;
    double *speeds = clv_alloc(g->nvtx, sizeof *speeds);
    if (!speeds)
        return clv_fail_memory(err);
    for (int32_t v = 0; v < g->nvtx; v++)
        speeds[v] = clv_graph_vwgt(g, v, 0);
    cleave_status status = clv_target_set_speeds(t, speeds, err);
    clv_sys_free(speeds);
    return status;
}

static cleave_status set_names(clv_target *t, const clv_graph *g, cleave_error *err)
{
    if (!g->names.offset)
        return CLEAVE_OK;
    char **name = clv_arena_alloc(&t->arena, g->nvtx, sizeof *name);
    if (!name)
        return clv_fail_memory(err);
    for (int32_t v = 0; v < g->nvtx; v++)
        name[v] = (char *)clv_graph_name(g, v);
    t->name = name;
    return CLEAVE_OK;
}

/* Numbers the edges in the order of their smaller ends: the links of the target. */
static cleave_status number_links(clv_deco *d, clv_target *t, cleave_error *err)
{
    const clv_graph *g = d->g;
    d->edge = clv_arena_alloc(&t->arena, g->narc, sizeof *d->edge);
    int64_t *next = clv_alloc(g->nvtx, sizeof *next); /* by vertex: its first unnumbered arc */
    if (!d->edge || !next) {
        clv_sys_free(next);
        return clv_fail_memory(err);
    }
    for (int32_t v = 0; v < g->nvtx; v++)
        next[v] = g->xadj[v];
    /* Rows ascend, so the arc back from u is the first unnumbered arc of u. */
    for (int32_t v = 0; v < g->nvtx; v++)
        for (int64_t a = next[v]; a < g->xadj[v + 1]; a++) {
            d->edge[a] = t->links;
            d->edge[next[g->adj[a]]++] = t->links++;
        }
    clv_sys_free(next);
    return CLEAVE_OK;
}

static cleave_status make_exact(clv_target **out, clv_graph *g, clv_ws *ws, cleave_error *err)
{
    CLV_TRY(clv_deco_open(out, g->nvtx, err));
    clv_target *t = *out;
    clv_deco *d = t->data;
    int32_t(*half)[2] = clv_ws_alloc(ws, g->nvtx, sizeof *half);
    if (!half)
        return clv_fail_memory(err);
    CLV_TRY(set_speeds(t, g, err));
    CLV_TRY(clv_deco_shortest_paths(d, g, ws, err));
    CLV_TRY(clv_deco_bipartition(d, g, half, ws, err));
    d->g = g;
    CLV_TRY(number_links(d, t, err));
    return clv_deco_finish(t, half, ws, err);
}

static cleave_status make_target(clv_target **out, clv_graph *g, clv_ws *ws, cleave_error *err)
{
    CLV_TRY(check_graph(g, err));
    if (g->nvtx <= clv_most_exact) {
        CLV_TRY(make_exact(out, g, ws, err));
    } else {
        CLV_TRY(clv_deco_levels_make(out, g, ws, err));
        CLV_TRY(set_speeds(*out, g, err));
    }
    return set_names(*out, g, err);
}

cleave_status clv_target_graph(clv_target **out, clv_graph *g, cleave_error *err)
{
    clv_ws ws = {0};
    *out = NULL;
    cleave_status status = make_target(out, g, &ws, err);
    clv_ws_free(&ws);
    if (status == CLEAVE_OK) {
        clv_arena_move(&(*out)->arena, &g->arena);
        return CLEAVE_OK;
    }
    clv_target_free(*out);
    *out = NULL;
    clv_graph_free(g);
    return status;
}

/* ---- Files ------------------------------------------------------------------------------ */

static cleave_status read_graph(clv_graph **g, clv_input *in, cleave_error *err)
{
    const clv_format *format;
    cleave_repairs repairs = {0};
    clv_read_options opt = {
        .as = CLV_AS_UNDIRECTED, .scale = 1, .repairs = &repairs, .mesh_common = 1};
    CLV_TRY(clv_graph_file_input(&format, in, NULL, err));
    CLV_TRY(format->read(g, in, &opt, err));
    (*g)->format = format->name;
    return CLEAVE_OK;
}

cleave_status clv_target_graph_file(clv_target **out, const char *path, cleave_error *err)
{
    clv_input *in;
    clv_graph *g = NULL;
    *out = NULL;
    CLV_TRY(clv_input_open(&in, path, NULL, NULL, err));
    cleave_status status = read_graph(&g, in, err);
    clv_input_close(in);
    if (status != CLEAVE_OK) {
        clv_graph_free(g);
        return status;
    }
    return clv_target_graph(out, g, err);
}

const clv_target_form clv_target_form_graph = {
    .prefix = "graph:",
    .example = "graph:FILE",
    .description = "any graph; edge weights are lengths, distances are shortest paths",
    .file = true,
    .parse = clv_target_graph_file,
};
