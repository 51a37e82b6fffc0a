/* SPDX-License-Identifier: Apache-2.0 */
/* api/graph_algorithms.c - public orders, levels, components and derived graphs: checks the
 * arguments, provides a workspace, calls graph/. */
#include "graph/derive.h"
#include "graph/topology.h"

static cleave_status fail_null(cleave_error *err, const char *what)
{
    return clv_fail(err, CLEAVE_EINVAL, "%s is NULL", what);
}

/* `array` receives one value per vertex; it can be NULL for a graph without vertices. */
static cleave_status check_graph(const clv_graph *g, const void *array, const char *what,
                                 cleave_error *err)
{
    if (!g)
        return fail_null(err, "the graph");
    if (!array && g->nvtx > 0)
        return fail_null(err, what);
    return CLEAVE_OK;
}

static cleave_status check_dag(const clv_graph *g, const char *what, cleave_error *err)
{
    if (g->kind != CLEAVE_DAG)
        return clv_fail(err, CLEAVE_EINVAL, "an undirected graph has no %s", what);
    return CLEAVE_OK;
}

cleave_status cleave_graph_topological_order(const cleave_graph *g, int32_t *order,
                                             cleave_error *err)
{
    CLV_TRY(check_graph(g, order, "order", err));
    CLV_TRY(check_dag(g, "topological order", err));
    clv_ws ws = {NULL};
    cleave_status status = clv_topology_order(g, &ws, order, err);
    clv_ws_free(&ws);
    return status;
}

cleave_status cleave_graph_levels(const cleave_graph *g, cleave_levels which, int32_t *level,
                                  int32_t *depth, cleave_error *err)
{
    CLV_TRY(check_graph(g, level, "level", err));
    CLV_TRY(check_dag(g, "levels", err));
    if (which != CLEAVE_LEVELS_TOP && which != CLEAVE_LEVELS_BOTTOM &&
        which != CLEAVE_LEVELS_ALAP)
        return clv_fail(err, CLEAVE_EINVAL, "unknown kind of levels %d", (int)which);
    clv_ws ws = {NULL};
    cleave_status status = clv_topology_levels(g, which, &ws, level, depth, err);
    clv_ws_free(&ws);
    return status;
}

cleave_status cleave_graph_components(const cleave_graph *g, int32_t *component,
                                      int32_t *ncomponents, cleave_error *err)
{
    CLV_TRY(check_graph(g, component, "component", err));
    if (!ncomponents)
        return fail_null(err, "ncomponents");
    clv_ws ws = {NULL};
    cleave_status status = clv_topology_components(g, &ws, component, ncomponents, err);
    clv_ws_free(&ws);
    return status;
}

cleave_status cleave_strong_components(int32_t nvtx, const int64_t *xadj, const int32_t *adj,
                                       int32_t *component, int32_t *ncomponents,
                                       cleave_error *err)
{
    CLV_TRY(clv_topology_check_rows(nvtx, xadj, adj, err));
    if (!component && nvtx > 0)
        return fail_null(err, "component");
    if (!ncomponents)
        return fail_null(err, "ncomponents");
    clv_ws ws = {NULL};
    cleave_status status =
        clv_topology_strong(nvtx, xadj, adj, &ws, component, ncomponents, err);
    clv_ws_free(&ws);
    return status;
}

/* ---- Derived graphs ------------------------------------------------------------------ */

static cleave_status check_derive(cleave_graph **out, const cleave_graph *g, cleave_error *err)
{
    if (!out)
        return fail_null(err, "out");
    *out = NULL;
    return g ? CLEAVE_OK : fail_null(err, "the graph");
}

cleave_status cleave_graph_transpose(cleave_graph **out, const cleave_graph *g,
                                     cleave_error *err)
{
    CLV_TRY(check_derive(out, g, err));
    return clv_derive_transpose(out, g, err);
}

cleave_status cleave_graph_subgraph(cleave_graph **out, const cleave_graph *g, int32_t count,
                                    const int32_t *vertices, cleave_error *err)
{
    CLV_TRY(check_derive(out, g, err));
    if (count < 0)
        return clv_fail(err, CLEAVE_EINVAL, "a subgraph cannot have %ld vertices",
                        (long)count);
    if (!vertices && count > 0)
        return fail_null(err, "vertices");
    clv_ws ws = {NULL};
    cleave_status status = clv_derive_subgraph(out, g, count, vertices, &ws, err);
    clv_ws_free(&ws);
    return status;
}

static cleave_status check_mapping(const clv_graph *g, const clv_mapping *m, cleave_error *err)
{
    if (!m)
        return fail_null(err, "the mapping");
    if (m->nvtx != g->nvtx)
        return clv_fail(err, CLEAVE_EINVAL,
                        "the mapping is of %ld vertices, but the graph has %ld", (long)m->nvtx,
                        (long)g->nvtx);
    return CLEAVE_OK;
}

cleave_status cleave_graph_quotient(cleave_graph **out, const cleave_graph *g,
                                    const cleave_mapping *m, cleave_error *err)
{
    CLV_TRY(check_derive(out, g, err));
    CLV_TRY(check_mapping(g, m, err));
    clv_ws ws = {NULL};
    cleave_status status = clv_derive_quotient(out, g, m, &ws, err);
    clv_ws_free(&ws);
    return status;
}

cleave_status cleave_mapping_part_order(const cleave_graph *g, const cleave_mapping *m,
                                        int32_t *order, cleave_error *err)
{
    if (!g)
        return fail_null(err, "the graph");
    CLV_TRY(check_mapping(g, m, err));
    if (!order && m->nparts > 0)
        return fail_null(err, "order");
    CLV_TRY(check_dag(g, "order of its parts", err));
    clv_ws ws = {NULL};
    cleave_status status = clv_derive_part_order(g, m, &ws, order, err);
    clv_ws_free(&ws);
    return status;
}
