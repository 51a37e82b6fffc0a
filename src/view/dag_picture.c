/* SPDX-License-Identifier: Apache-2.0 */
/* view/dag_picture.c - bands, vertices, arcs and the critical path of a DAG.
 *
 * In a column of a band, vertices are sorted alternately by the mean height of their
 * predecessors and of their successors (barycentre method): connected vertices get similar
 * heights [Sugiyama et al. 1981]. */
#include "view/dag_picture.h"

#include <math.h>
#include <stdio.h>

#include "base/number.h"
#include "base/sort.h"
#include "view/graph_picture.h"

enum { most_vertices = 3000, most_labels = 40, level_marks = 10, sweeps = 6 };

/* ---- Bands ------------------------------------------------------------------------------ */

cleave_status clv_dag_bands(clv_dag_drawing *d, const double *fit, cleave_error *err)
{
    const clv_dag_layout *l = d->l;
    double total = 0, place = 0;
    d->top = clv_arena_alloc(d->arena, l->nbands, sizeof *d->top);
    d->height = clv_arena_alloc(d->arena, l->nbands, sizeof *d->height);
    int32_t *at = clv_ws_alloc(d->ws, l->nbands, sizeof *at);
    if (!d->top || !d->height || !at)
        return clv_fail_memory(err);
    for (int32_t p = 0; p < l->nbands; p++) {
        at[l->band[p]] = p;
        total += fit[p];
    }
    double gap = 0.18 * total / l->nbands, least = 0.3 * total / l->nbands;
    for (int32_t b = 0; b < l->nbands; b++) {
        int32_t p = at[b];
        d->top[p] = place;
        d->height[p] = fmax(fmax(fit[p], least), 1e-3);
        place += d->height[p] + gap;
    }
    d->bottom = place - gap;
    return CLEAVE_OK;
}

cleave_status clv_dag_canvas(clv_dag_drawing *d, int64_t room, cleave_error *err)
{
    int64_t common = 3 * (int64_t)d->l->nbands + d->l->npath + 2 * level_marks + 8;
    return clv_canvas_new(&d->canvas, room + common, d->arena, err);
}

/* Each band extends from the first to the last column in which its part has vertices. */
cleave_status clv_dag_backdrop(clv_dag_drawing *d, cleave_error *err)
{
    const clv_dag_layout *l = d->l;
    int32_t *at = clv_arena_alloc(d->arena, 2 * (int64_t)l->nbands, sizeof *at);
    int32_t *color = clv_arena_alloc(d->arena, l->nbands, sizeof *color);
    int64_t *count = clv_arena_zalloc(d->arena, l->nbands, sizeof *count);
    int32_t *first = clv_ws_alloc(d->ws, l->nbands, sizeof *first);
    int32_t *last = clv_ws_alloc(d->ws, l->nbands, sizeof *last);
    if (!at || !color || !count || !first || !last)
        return clv_fail_memory(err);
    for (int32_t p = 0; p < l->nbands; p++)
        first[p] = last[p] = -1;
    for (int32_t v = 0; v < d->what->g->nvtx; v++) {
        int32_t p = l->part[v], c = clv_dag_column(d, v);
        first[p] = count[p] == 0 || c < first[p] ? c : first[p];
        last[p] = c > last[p] ? c : last[p];
        count[p]++;
    }
    for (int32_t p = 0; p < l->nbands; p++) {
        double pad = 0.06 * d->height[p];
        bool empty = count[p] == 0;
        at[2 * p] = clv_canvas_put(&d->canvas, empty ? -0.5 : first[p] - 0.5, d->top[p] - pad);
        at[2 * p + 1] = clv_canvas_put(&d->canvas, empty ? -0.5 : last[p] + 0.5,
                                       d->top[p] + d->height[p] + pad);
        color[p] = d->what->part ? p : CLV_INK_MUTED;
    }
    clv_layer *layer = clv_figure_layer(d->f, CLV_LAYER_RECTS, "bands");
    layer->count = l->nbands;
    layer->at = at;
    layer->color = color;
    layer->opacity = 0.16;
    layer->noun = "part";
    clv_layer_longs(layer, "vertices", count);
    return CLEAVE_OK;
}

/* ---- Vertices in their columns ---------------------------------------------------------- */

typedef struct arranging {
    const clv_graph *g;
    int64_t *cell; /* by vertex: its band and column */
    clv_sort_item *item, *scratch;
} arranging;

static void place_in_cells(clv_dag_drawing *d, arranging *a)
{
    const clv_sort_item *item = a->item;
    int32_t n = a->g->nvtx;
    for (int32_t i = 0, end; i < n; i = end) {
        int64_t cell = a->cell[item[i].with.index];
        for (end = i; end < n && a->cell[item[end].with.index] == cell;)
            end++;
        for (int32_t k = i; k < end; k++) {
            int32_t v = (int32_t)item[k].with.index, p = d->l->part[v];
            d->y[v] = d->top[p] + d->height[p] * (k - i + 0.5) / (end - i);
        }
    }
}

/* The mean height of the neighbours on one side, or the vertex's own if there are none. */
static double mean_neighbour_height(const clv_dag_drawing *d, const arranging *a, int32_t v,
                                    bool forward)
{
    const int64_t *x = forward ? a->g->xpred : a->g->xadj;
    const int32_t *adj = forward ? a->g->pred : a->g->adj;
    double sum = 0;
    for (int64_t k = x[v]; k < x[v + 1]; k++)
        sum += d->y[adj[k]];
    return x[v + 1] > x[v] ? sum / (double)(x[v + 1] - x[v]) : d->y[v];
}

static void sort_cells(clv_dag_drawing *d, arranging *a, int sweep)
{
    int32_t n = a->g->nvtx;
    for (int32_t v = 0; v < n; v++) {
        double share =
            sweep == 0 ? 0 : mean_neighbour_height(d, a, v, sweep % 2 == 1) / (d->bottom + 1);
        int64_t height = (int64_t)(fmin(fmax(share, 0), 1) * (1 << 20));
        a->item[v] = (clv_sort_item){.key = a->cell[v] * (1 << 21) + height, .with.index = v};
    }
    clv_sort_item *sorted = clv_sort(a->item, a->scratch, n);
    if (sorted != a->item) {
        a->scratch = a->item;
        a->item = sorted;
    }
    place_in_cells(d, a);
}

/* fit: by part, the largest number of its vertices in one level. */
static cleave_status find_fit(clv_dag_drawing *d, const arranging *a, double **fit,
                              cleave_error *err)
{
    int32_t n = a->g->nvtx;
    *fit = clv_ws_zalloc(d->ws, d->l->nbands, sizeof **fit);
    if (!*fit)
        return clv_fail_memory(err);
    for (int32_t v = 0; v < n; v++)
        a->item[v] = (clv_sort_item){.key = a->cell[v], .with.index = v};
    const clv_sort_item *sorted = clv_sort(a->item, a->scratch, n);
    for (int32_t i = 0, end; i < n; i = end) {
        int32_t p = d->l->part[sorted[i].with.index];
        for (end = i; end < n && sorted[end].key == sorted[i].key;)
            end++;
        (*fit)[p] = fmax((*fit)[p], end - i);
    }
    return CLEAVE_OK;
}

static cleave_status arrange_vertices(clv_dag_drawing *d, cleave_error *err)
{
    arranging a = {.g = d->what->g};
    double *fit;
    int32_t n = a.g->nvtx;
    a.cell = clv_ws_alloc(d->ws, n, sizeof *a.cell);
    a.item = clv_ws_alloc(d->ws, n, sizeof *a.item);
    a.scratch = clv_ws_alloc(d->ws, n, sizeof *a.scratch);
    if (!a.cell || !a.item || !a.scratch)
        return clv_fail_memory(err);
    for (int32_t v = 0; v < n; v++)
        a.cell[v] = (int64_t)d->l->part[v] * d->l->depth + d->l->level[v];
    CLV_TRY(find_fit(d, &a, &fit, err));
    CLV_TRY(clv_dag_bands(d, fit, err));
    for (int sweep = 0; sweep <= sweeps; sweep++)
        sort_cells(d, &a, sweep);
    return CLEAVE_OK;
}

static cleave_status add_arcs(clv_dag_drawing *d, const char *name, bool cut,
                              cleave_error *err)
{
    const clv_graph *g = d->what->g;
    const int32_t *part = d->l->part;
    int32_t *at = clv_arena_alloc(d->arena, 2 * g->narc, sizeof *at);
    int32_t *color = clv_arena_alloc(d->arena, g->narc, sizeof *color);
    if (!at || !color)
        return clv_fail_memory(err);
    clv_layer *layer = clv_figure_layer(d->f, CLV_LAYER_SEGMENTS, name);
    layer->at = at;
    layer->color = cut ? NULL : color;
    for (int32_t v = 0; v < g->nvtx; v++)
        for (int64_t a = g->xadj[v]; a < g->xadj[v + 1]; a++) {
            int32_t u = g->adj[a];
            if ((part[v] != part[u]) != cut)
                continue;
            *at++ = v;
            *at++ = u;
            *color++ = d->what->part ? part[v] : CLV_INK_MUTED;
            layer->count++;
        }
    layer->arrows = layer->count <= 600;
    layer->size = layer->count > 2000 ? 0.6 : 1;
    layer->opacity = cut ? 0.55 : 0.6;
    return CLEAVE_OK;
}

static cleave_status add_vertices(clv_dag_drawing *d, cleave_error *err)
{
    const clv_graph *g = d->what->g;
    clv_layer *layer = clv_figure_layer(d->f, CLV_LAYER_POINTS, "vertices");
    layer->count = g->nvtx;
    layer->color = d->what->part;
    layer->ink = 0;
    layer->noun = "vertex";
    layer->size = g->nvtx > 1000 ? 2.4 : g->nvtx > 200 ? 3.5 : 6;
    if (d->what->part)
        clv_layer_ints(layer, "part", d->what->part);
    clv_layer_ints(layer, "level", d->l->level);
    if (g->vwgt && g->ncon == 1)
        clv_layer_ints(layer, "weight", g->vwgt);
    d->f->group_field = d->what->part ? 0 : -1;
    if (!g->names.offset)
        return CLEAVE_OK;
    const char **name = clv_arena_alloc(d->arena, g->nvtx, sizeof *name);
    if (!name)
        return clv_fail_memory(err);
    for (int32_t v = 0; v < g->nvtx; v++)
        name[v] = clv_graph_name(g, v);
    clv_layer_texts(layer, "name", name);
    return CLEAVE_OK;
}

/* ---- Common parts ----------------------------------------------------------------------- */

/* One segment per column, even if it has several vertices of the path. */
static cleave_status add_path(clv_dag_drawing *d, cleave_error *err)
{
    const clv_dag_layout *l = d->l;
    int32_t *at = clv_arena_alloc(d->arena, 2 * l->npath + 2, sizeof *at);
    if (!at)
        return clv_fail_memory(err);
    clv_layer *layer = clv_figure_layer(d->f, CLV_LAYER_SEGMENTS, "critical path");
    int32_t before = -1, column = -1, part = -1;
    for (int64_t i = 0; i < l->npath; i++) {
        int32_t v = l->path[i], c = clv_dag_column(d, v);
        if (c == column && l->part[v] == part)
            continue;
        int32_t now = clv_canvas_put(&d->canvas, c, d->y[v]);
        if (before >= 0) {
            at[2 * layer->count] = before;
            at[2 * layer->count++ + 1] = now;
        }
        before = now;
        column = c;
        part = l->part[v];
    }
    layer->at = at;
    layer->ink = CLV_INK_ACCENT;
    layer->size = 2.5;
    return CLEAVE_OK;
}

static cleave_status add_marks(clv_dag_drawing *d, cleave_error *err)
{
    const clv_dag_layout *l = d->l;
    int32_t marks = l->depth < level_marks ? l->depth : level_marks;
    bool named = d->what->part && l->nbands <= most_labels;
    int64_t most = marks + (named ? l->nbands : 0);
    const char **text = clv_arena_alloc(d->arena, most, sizeof *text);
    int32_t *at = clv_arena_alloc(d->arena, most, sizeof *at);
    char *room = clv_arena_alloc(d->arena, most, CLV_NUMBER_SPACE);
    if (!text || !at || !room)
        return clv_fail_memory(err);
    double under = d->bottom * 1.035 + 0.02, left = -0.5 - 0.045 * d->columns;
    int64_t used = 0;
    if (named) /* room for the texts on the left */
        clv_canvas_put(&d->canvas, left - 0.025 * d->columns, 0);
    for (int32_t i = 0; i < marks; i++, room += CLV_NUMBER_SPACE) {
        int32_t level = marks > 1 ? (int32_t)((int64_t)i * (l->depth - 1) / (marks - 1)) : 0;
        double x = (double)level * d->columns / l->depth;
        snprintf(room, CLV_NUMBER_SPACE, i == 0 ? "level %d" : "%d", (int)level);
        at[used] = clv_canvas_put(&d->canvas, x, under);
        text[used++] = room;
    }
    for (int32_t p = 0; named && p < l->nbands; p++, room += CLV_NUMBER_SPACE) {
        snprintf(room, CLV_NUMBER_SPACE, "part %d", (int)p);
        at[used] = clv_canvas_put(&d->canvas, left, d->top[p] + d->height[p] / 2);
        text[used++] = room;
    }
    clv_layer *layer = clv_figure_layer(d->f, CLV_LAYER_TEXTS, "labels");
    layer->count = used;
    layer->at = at;
    layer->texts = text;
    layer->size = 11;
    return CLEAVE_OK;
}

/* The legend: the critical path first, then the parts. */
static cleave_status add_legend(clv_dag_drawing *d, cleave_error *err)
{
    const clv_dag_picture *w = d->what;
    if (w->part)
        CLV_TRY(clv_graph_legend(d->f, &(clv_graph_parts){w->g, w->nparts, w->part}, d->arena,
                                 err));
    clv_legend *legend = clv_arena_alloc(d->arena, d->f->nlegend + 1, sizeof *legend);
    char *text = clv_arena_alloc(d->arena, 1, CLV_NUMBER_SPACE);
    if (!legend || !text)
        return clv_fail_memory(err);
    *clv_print_i64(text, d->l->length) = '\0';
    legend[0] = (clv_legend){CLV_INK_ACCENT, "critical path", text};
    for (int64_t i = 0; i < d->f->nlegend; i++)
        legend[i + 1] = d->f->legend[i];
    d->f->legend = legend;
    d->f->nlegend++;
    return CLEAVE_OK;
}

static cleave_status draw_vertices(clv_dag_drawing *d, cleave_error *err)
{
    const clv_graph *g = d->what->g;
    CLV_TRY(arrange_vertices(d, err));
    CLV_TRY(clv_dag_canvas(d, g->nvtx, err));
    for (int32_t v = 0; v < g->nvtx; v++) /* vertex v is position v */
        clv_canvas_put(&d->canvas, d->l->level[v], d->y[v]);
    CLV_TRY(clv_dag_backdrop(d, err));
    CLV_TRY(add_arcs(d, "arcs", false, err));
    if (d->what->part)
        CLV_TRY(add_arcs(d, "cut arcs", true, err));
    CLV_TRY(add_path(d, err));
    return add_vertices(d, err);
}

static cleave_status draw(clv_dag_drawing *d, cleave_error *err)
{
    const clv_dag_picture *w = d->what;
    uint32_t *rgb;
    d->y = clv_ws_zalloc(d->ws, w->g->nvtx, sizeof *d->y);
    if (!d->y)
        return clv_fail_memory(err);
    CLV_TRY(clv_graph_colors(&rgb, &(clv_graph_parts){w->g, d->l->nbands, w->part}, d->arena,
                             d->ws, err));
    d->f->palette = rgb;
    d->f->npalette = d->l->nbands;
    d->columns = d->l->depth;
    if (w->condensed || w->g->nvtx > most_vertices) {
        CLV_TRY(clv_dag_cells(d, err));
        CLV_TRY(add_path(d, err));
    } else {
        CLV_TRY(draw_vertices(d, err));
    }
    CLV_TRY(add_marks(d, err));
    clv_canvas_give(&d->canvas, d->f);
    return add_legend(d, err);
}

cleave_status clv_dag_figure(clv_figure *f, const clv_dag_picture *what,
                             const clv_dag_layout *l, clv_arena *arena, clv_ws *ws,
                             cleave_error *err)
{
    clv_dag_drawing d = {.f = f, .what = what, .l = l, .arena = arena, .ws = ws};
    clv_ws_mark mark = clv_ws_save(ws);
    *f = clv_figure_new(what->title, 2);
    f->caption = what->caption;
    f->stretch = true;
    f->y_down = true;
    CLV_TRY(draw(&d, err));
    clv_ws_restore(ws, mark);
    return CLEAVE_OK;
}
