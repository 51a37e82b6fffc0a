/* SPDX-License-Identifier: Apache-2.0 */
/* view/dag_cells.c - a large DAG: its vertices counted by part and range of levels.
 *
 * The area of a cell grows with its vertices, its height with their square root: otherwise a
 * few levels with most of the vertices would make the others invisible. */
#include <math.h>

#include "base/sort.h"
#include "view/dag_picture.h"
#include "view/flow_picture.h"

enum { most_columns = 160, most_cells = 40000, most_flows = 1500 };

typedef struct cells {
    int64_t count;
    int32_t *of;            /* by part and column: its cell; -1: none */
    int32_t *part, *column; /* by cell */
    int32_t *first, *last;  /* levels */
    int64_t *vertices, *weight;
    double *y;
} cells;

static cleave_status find_cells(clv_dag_drawing *d, cells *c, cleave_error *err)
{
    const clv_graph *g = d->what->g;
    int64_t places = (int64_t)d->l->nbands * d->columns;
    c->of = clv_ws_alloc(d->ws, places, sizeof *c->of);
    if (!c->of)
        return clv_fail_memory(err);
    for (int64_t i = 0; i < places; i++)
        c->of[i] = -1;
    for (int32_t v = 0; v < g->nvtx; v++) {
        int32_t *of = &c->of[(int64_t)d->l->part[v] * d->columns + clv_dag_column(d, v)];
        if (*of < 0)
            *of = (int32_t)c->count++;
    }
    c->part = clv_arena_alloc(d->arena, c->count, sizeof *c->part);
    c->column = clv_ws_alloc(d->ws, c->count, sizeof *c->column);
    c->first = clv_arena_alloc(d->arena, c->count, sizeof *c->first);
    c->last = clv_arena_alloc(d->arena, c->count, sizeof *c->last);
    c->vertices = clv_arena_zalloc(d->arena, c->count, sizeof *c->vertices);
    c->weight = clv_arena_zalloc(d->arena, c->count, sizeof *c->weight);
    c->y = clv_ws_alloc(d->ws, c->count, sizeof *c->y);
    if (!c->part || !c->column || !c->first || !c->last || !c->vertices || !c->weight || !c->y)
        return clv_fail_memory(err);
    return CLEAVE_OK;
}

static int32_t cell_of(const clv_dag_drawing *d, const cells *c, int32_t v)
{
    return c->of[(int64_t)d->l->part[v] * d->columns + clv_dag_column(d, v)];
}

static void count_vertices(const clv_dag_drawing *d, cells *c)
{
    for (int32_t v = 0; v < d->what->g->nvtx; v++) {
        int32_t i = cell_of(d, c, v), level = d->l->level[v];
        c->part[i] = d->l->part[v];
        c->column[i] = clv_dag_column(d, v);
        c->first[i] = c->vertices[i] == 0 || level < c->first[i] ? level : c->first[i];
        c->last[i] = c->vertices[i] == 0 || level > c->last[i] ? level : c->last[i];
        c->vertices[i]++;
        c->weight[i] += clv_graph_vwgt(d->what->g, v, 0);
    }
}

/* The height of a cell. */
static double height_of(const cells *c, int64_t i)
{
    return sqrt((double)c->vertices[i]);
}

static cleave_status place_cells(clv_dag_drawing *d, cells *c, cleave_error *err)
{
    double *fit = clv_ws_zalloc(d->ws, d->l->nbands, sizeof *fit);
    if (!fit)
        return clv_fail_memory(err);
    for (int64_t i = 0; i < c->count; i++)
        fit[c->part[i]] = fmax(fit[c->part[i]], height_of(c, i));
    CLV_TRY(clv_dag_bands(d, fit, err));
    for (int64_t i = 0; i < c->count; i++)
        c->y[i] = d->top[c->part[i]] + d->height[c->part[i]] / 2;
    for (int32_t v = 0; v < d->what->g->nvtx; v++)
        d->y[v] = c->y[cell_of(d, c, v)];
    return CLEAVE_OK;
}

static cleave_status add_cells(clv_dag_drawing *d, const cells *c, cleave_error *err)
{
    int32_t *at = clv_arena_alloc(d->arena, 2 * c->count, sizeof *at);
    if (!at)
        return clv_fail_memory(err);
    double half = d->columns > 60 ? 0.5 : 0.42;
    for (int64_t i = 0; i < c->count; i++) {
        double h = height_of(c, i) / 2;
        at[2 * i] = clv_canvas_put(&d->canvas, c->column[i] - half, c->y[i] - h);
        at[2 * i + 1] = clv_canvas_put(&d->canvas, c->column[i] + half, c->y[i] + h);
    }
    clv_layer *layer = clv_figure_layer(d->f, CLV_LAYER_RECTS, "cells");
    layer->count = c->count;
    layer->at = at;
    layer->color = c->part;
    layer->noun = "cell";
    layer->size = d->columns > 60 ? 0 : 0.5;
    if (d->what->part)
        clv_layer_ints(layer, "part", c->part);
    clv_layer_ints(layer, d->columns < d->l->depth ? "first level" : "level", c->first);
    if (d->columns < d->l->depth)
        clv_layer_ints(layer, "last level", c->last);
    clv_layer_longs(layer, "vertices", c->vertices);
    if (d->what->g->vwgt)
        clv_layer_longs(layer, "weight", c->weight);
    return CLEAVE_OK;
}

/* ---- Arcs from cell to cell ------------------------------------------------------------- */

/* Sums the arcs between different cells: within a part, or with `cut` between two parts. */
static cleave_status find_flows(clv_dag_drawing *d, const cells *c, bool cut, clv_flow **flow,
                                int64_t *count, cleave_error *err)
{
    const clv_graph *g = d->what->g;
    clv_sort_item *item = clv_ws_alloc(d->ws, g->narc, sizeof *item);
    clv_sort_item *scratch = clv_ws_alloc(d->ws, g->narc, sizeof *scratch);
    int64_t n = 0;
    if (!item || !scratch)
        return clv_fail_memory(err);
    for (int32_t v = 0; v < g->nvtx; v++)
        for (int64_t a = g->xadj[v]; a < g->xadj[v + 1]; a++) {
            int32_t u = g->adj[a], from = cell_of(d, c, v), to = cell_of(d, c, u);
            if (from == to || (d->l->part[v] != d->l->part[u]) != cut)
                continue;
            item[n++] = (clv_sort_item){.key = from * c->count + to,
                                        .with.index = clv_graph_ewgt(g, a)};
        }
    item = clv_sort(item, scratch, n);
    *flow = clv_ws_alloc(d->ws, n, sizeof **flow);
    if (!*flow)
        return clv_fail_memory(err);
    *count = 0;
    for (int64_t i = 0, end; i < n; i = end) {
        int64_t sum = 0;
        for (end = i; end < n && item[end].key == item[i].key; end++)
            sum += item[end].with.index;
        (*flow)[(*count)++] = (clv_flow){(int32_t)(item[i].key / c->count),
                                         (int32_t)(item[i].key % c->count), sum};
    }
    return clv_flow_largest(*flow, count, most_flows, d->ws, err);
}

static cleave_status add_flows(clv_dag_drawing *d, const cells *c, bool cut, const char *name,
                               const char *noun, cleave_error *err)
{
    clv_flow *flow = NULL;
    int64_t count, most = 1;
    CLV_TRY(find_flows(d, c, cut, &flow, &count, err));
    int32_t *at = clv_arena_alloc(d->arena, 2 * count, sizeof *at);
    int32_t *color = clv_arena_alloc(d->arena, count, sizeof *color);
    int32_t *from = clv_arena_alloc(d->arena, count, sizeof *from);
    int32_t *to = clv_arena_alloc(d->arena, count, sizeof *to);
    int64_t *weight = clv_arena_alloc(d->arena, count, sizeof *weight);
    float *width = clv_arena_alloc(d->arena, count, sizeof *width);
    if (!at || !color || !from || !to || !weight || !width)
        return clv_fail_memory(err);
    for (int64_t i = 0; i < count; i++)
        most = flow[i].amount > most ? flow[i].amount : most;
    for (int64_t i = 0; i < count; i++) {
        at[2 * i] = clv_canvas_put(&d->canvas, c->column[flow[i].from], c->y[flow[i].from]);
        at[2 * i + 1] = clv_canvas_put(&d->canvas, c->column[flow[i].to], c->y[flow[i].to]);
        from[i] = c->part[flow[i].from];
        to[i] = c->part[flow[i].to];
        color[i] = d->what->part ? from[i] : CLV_INK_MUTED;
        weight[i] = flow[i].amount;
        /* Discrete widths, so that many arrows share a path. */
        width[i] = (float)(0.5 + 0.5 * floor(9 * sqrt((double)weight[i] / (double)most)));
    }
    clv_layer *layer = clv_figure_layer(d->f, CLV_LAYER_SEGMENTS, name);
    layer->count = count;
    layer->at = at;
    layer->color = color;
    layer->sizes = width;
    layer->opacity = cut ? 0.5 : 0.6;
    layer->hidden = !cut && d->what->part;
    layer->noun = noun;
    if (cut) {
        clv_layer_ints(layer, "from part", from);
        clv_layer_ints(layer, "to part", to);
    }
    clv_layer_longs(layer, "weight", weight);
    return CLEAVE_OK;
}

cleave_status clv_dag_cells(clv_dag_drawing *d, cleave_error *err)
{
    cells c = {0};
    int32_t most = most_cells / d->l->nbands;
    most = most > most_columns ? most_columns : most < 12 ? 12 : most;
    d->columns = d->l->depth < most ? d->l->depth : most;
    CLV_TRY(find_cells(d, &c, err));
    count_vertices(d, &c);
    CLV_TRY(place_cells(d, &c, err));
    CLV_TRY(clv_dag_canvas(d, 2 * c.count + 4 * most_flows, err));
    CLV_TRY(clv_dag_backdrop(d, err));
    CLV_TRY(add_flows(d, &c, false, "arcs", "arcs", err));
    CLV_TRY(add_cells(d, &c, err));
    return d->what->part ? add_flows(d, &c, true, "traffic", "traffic", err) : CLEAVE_OK;
}
