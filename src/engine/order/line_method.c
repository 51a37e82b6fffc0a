/* SPDX-License-Identifier: Apache-2.0 */
/* engine/order/line_method.c - the table of ordering methods, see engine/order/line_method.h.
 */
#include "engine/order/line_method.h"

#include <math.h>

#include "base/params.h"
#include "engine/order/dissection.h"
#include "engine/order/multilevel_order.h"
#include "engine/order/simple_line.h"
#include "engine/presets.h"
#include "graph/order.h"
#include "graph/topology.h"
#include "order/curve.h"
#include "order/elimination/elimination_order.h"
#include "order/elimination/minimum_degree.h"

static const clv_line_method methods[] = {
    {CLV_LINE_AUTO, "auto", 0},     {CLV_LINE_HCI, "hci", 0},
    {CLV_LINE_ZCI, "zci", 0},       {CLV_LINE_RCBI, "rcbi", 0},
    {CLV_LINE_RSBI, "rsbi", 0},     {CLV_LINE_MULTILEVEL, "multilevel", 0},
    {CLV_LINE_TOPO, "topo", 0},     {CLV_LINE_ND, "nd", 0},
    {CLV_LINE_MINDEG, "mindeg", 0},
};
enum { nmethods = sizeof methods / sizeof methods[0] };

static cleave_status find(clv_line_method *method, const char *name, cleave_error *err)
{
    for (int i = 0; i < nmethods; i++)
        if (strcmp(name && *name ? name : "auto", methods[i].name) == 0) {
            *method = methods[i];
            return CLEAVE_OK;
        }
    return clv_fail(err, CLEAVE_EINVAL,
                    "method is \"%.40s\"; expected one of auto, hci, zci, rcbi, rsbi, "
                    "multilevel, topo, nd, mindeg",
                    name);
}

cleave_status clv_line_method_parse(clv_line_method *method, const char *name,
                                    const char *params, cleave_error *err)
{
    CLV_TRY(find(method, name, err));
    if (!params || !*params)
        return CLEAVE_OK;
    if (method->kind != CLV_LINE_RCBI && method->kind != CLV_LINE_RSBI)
        return clv_fail(err, CLEAVE_EINVAL, "params is \"%.40s\", but method %s has none",
                        params, method->name);
    while (params) {
        clv_param param = clv_param_next(&params);
        int64_t leaves = 0;
        if (!clv_param_is(&param, "leaves") ||
            !clv_substring_integer(param.value, 1, INT32_MAX, &leaves))
            return clv_fail(err, CLEAVE_EINVAL,
                            "\"%.*s\" is not a parameter of %s; known are leaves=N, N >= 1",
                            clv_substring_shown(param.item), param.item.begin, method->name);
        method->leaves = (int32_t)leaves;
    }
    return CLEAVE_OK;
}

/* ---- What suits the graph --------------------------------------------------------------- */

cleave_status clv_coordinates_check(const clv_graph *g, const char *method, cleave_error *err)
{
    if (g->ndim == 0 && g->nvtx > 0)
        return clv_fail(err, CLEAVE_EINVAL,
                        "method %s needs coordinates, but the graph has none: name a file of "
                        "them (--coords FILE), put them beside the graph as NAME.xyz, or "
                        "convert both to a binary graph (.clv)",
                        method);
    for (int64_t i = 0; i < (int64_t)g->nvtx * g->ndim; i++)
        if (!isfinite(g->coords[i]))
            return clv_fail(err, CLEAVE_EINVAL,
                            "method %s needs coordinates, but those of vertex %ld are not "
                            "finite",
                            method, (long)(i / g->ndim));
    return CLEAVE_OK;
}

static bool goes_by_coordinates(clv_line_kind kind)
{
    return kind == CLV_LINE_HCI || kind == CLV_LINE_ZCI || kind == CLV_LINE_RCBI;
}

cleave_status clv_line_method_choose(clv_line_method *method, const clv_graph *g,
                                     cleave_effort effort, cleave_error *err)
{
    bool dag = g->kind == CLEAVE_DAG;
    if (method->kind == CLV_LINE_AUTO) {
        bool quick = !dag && clv_preset_orders_by_curve(effort) && g->ndim > 0;
        *method = methods[quick ? CLV_LINE_HCI : CLV_LINE_MULTILEVEL];
    }
    if (dag && method->kind != CLV_LINE_TOPO && method->kind != CLV_LINE_MULTILEVEL)
        return clv_fail(err, CLEAVE_EINVAL,
                        "method %s is for undirected graphs, but the graph is a DAG: use topo "
                        "or multilevel, or read it as \"undirected\"",
                        method->name);
    if (!dag && method->kind == CLV_LINE_TOPO)
        return clv_fail(err, CLEAVE_EINVAL,
                        "method topo is for DAGs, but the graph is undirected");
    if (goes_by_coordinates(method->kind))
        return clv_coordinates_check(g, method->name, err);
    return CLEAVE_OK;
}

/* ---- The line --------------------------------------------------------------------------- */

static cleave_status halve_by_vectors(clv_line_result *line, const clv_graph *g,
                                      int32_t leaves, clv_context *ctx, cleave_error *err)
{
    clv_spectral_notes noted = {0}, *notes = &noted;
    clv_halving_source source = clv_source_spectral_noting(&notes);
    CLV_TRY(clv_halving_order(g, &source, leaves, ctx, line->vertex, err));
    line->spectral = clv_spectral_summary(notes);
    return CLEAVE_OK;
}

static cleave_status order_by_degree(const clv_graph *g, clv_context *ctx, int32_t *vertex,
                                     cleave_error *err)
{
    clv_minimum_degree_task task = {.g = g, .ninner = g->nvtx, .dense = true, .ctx = ctx};
    CLV_TRY(clv_minimum_degree(&task, ctx->ws, vertex, err));
    if (clv_context_stop(ctx)) /* any order is valid; this one has better cache locality */
        return CLEAVE_OK;
    return clv_order_postorder(g, ctx->ws, vertex, err);
}

static cleave_status make_line(clv_line_result *line, const clv_graph *g,
                               const clv_line_method *method, cleave_effort effort,
                               clv_context *ctx, cleave_error *err)
{
    int32_t *vertex = line->vertex;
    switch (method->kind) {
    case CLV_LINE_HCI:
        return clv_curve_order(g, CLV_CURVE_HILBERT, ctx, vertex, err);
    case CLV_LINE_ZCI:
        return clv_curve_order(g, CLV_CURVE_MORTON, ctx, vertex, err);
    case CLV_LINE_RCBI:
        return clv_halving_order(g, &clv_source_coordinates, method->leaves, ctx, vertex, err);
    case CLV_LINE_RSBI:
        return halve_by_vectors(line, g, method->leaves, ctx, err);
    case CLV_LINE_TOPO:
        return clv_topology_order(g, ctx->ws, vertex, err);
    case CLV_LINE_ND:
        return clv_dissection(g, effort, ctx, vertex, err);
    case CLV_LINE_MINDEG:
        return order_by_degree(g, ctx, vertex, err);
    default:
        break;
    }
    if (g->kind == CLEAVE_DAG) /* an unchecked graph may have a cycle */
        CLV_TRY(clv_topology_order(g, ctx->ws, vertex, err));
    return clv_multilevel_order(g, effort, ctx, vertex, err);
}

/* Is the order computed by recursive bisection, whose first half alone is no good line? */
static bool is_halved(clv_line_kind kind)
{
    return kind == CLV_LINE_RSBI || kind == CLV_LINE_RCBI;
}

cleave_status clv_line_make(clv_line_result *line, const clv_graph *g,
                            const clv_line_method *method, cleave_effort effort,
                            clv_context *ctx, cleave_error *err)
{
    clv_graph view;
    clv_ws_mark mark = clv_ws_save(ctx->ws);
    line->spectral = (clv_spectral_quality){0};
    CLV_TRY(clv_order_graph(&view, g, ctx->ws, err));
    cleave_status status = make_line(line, &view, method, effort, ctx, err);
    bool shortened = clv_context_is_hurried(ctx) || clv_context_is_stopped(ctx);
    if (status == CLEAVE_OK && shortened && g->kind == CLEAVE_UNDIRECTED &&
        is_halved(method->kind))
        status = clv_simple_line_replace(&view, ctx, line->vertex, err);
    clv_ws_restore(ctx->ws, mark);
    return status;
}
