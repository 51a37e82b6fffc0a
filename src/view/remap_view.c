/* SPDX-License-Identifier: Apache-2.0 */
/* view/remap_view.c - clv_draw_remap: the mapping before and after, and the migration.
 *
 * Vertices that stay are pale.  Vertices that move have the colour of their new part in the
 * first figure, and of their old part in the second. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "evaluate/mapping_metrics.h"
#include "view/flow_picture.h"
#include "view/frames.h"
#include "view/graph_view.h"

enum { most_discs = 500, most_flows = 2000, caption_room = 240, most_rows = 5000 };

typedef struct remap_view {
    clv_drawing *d;
    const clv_graph *g;
    const clv_mapping *m[2]; /* before, after */
    int32_t nparts;          /* the larger of the two numbers of parts */
    clv_graph_picture what;  /* positions */
    uint32_t *rgb;
    int64_t nmoved, migration;
    int32_t *moved; /* vertices */
    int64_t nflows, left_out;
    clv_flow *flow;
    cleave_metrics metrics[2];
    clv_figure figure[3]; /* before, after, migration */
    int figures;
} remap_view;

static int64_t size_of(const clv_graph *g, int32_t v)
{
    return g->vsize ? g->vsize[v] : 1;
}

/* ---- Migration -------------------------------------------------------------------------- */

static cleave_status find_moved(remap_view *v, cleave_error *err)
{
    v->moved = clv_arena_alloc(&v->d->arena, v->g->nvtx, sizeof *v->moved);
    if (!v->moved)
        return clv_fail_memory(err);
    for (int32_t i = 0; i < v->g->nvtx; i++)
        if (v->m[0]->part[i] != v->m[1]->part[i]) {
            v->moved[v->nmoved++] = i;
            v->migration += size_of(v->g, i);
        }
    return CLEAVE_OK;
}

static cleave_status find_flows(remap_view *v, cleave_error *err)
{
    clv_ws *ws = v->d->ctx.ws;
    clv_ws_mark mark = clv_ws_save(ws);
    int64_t pairs = (int64_t)v->nparts * v->nparts;
    int64_t *amount = clv_ws_zalloc(ws, pairs, sizeof *amount);
    if (!amount)
        return clv_fail_memory(err);
    for (int64_t i = 0; i < v->nmoved; i++) {
        int64_t from = v->m[0]->part[v->moved[i]], to = v->m[1]->part[v->moved[i]];
        amount[from * v->nparts + to] += size_of(v->g, v->moved[i]);
    }
    int64_t count = 0;
    for (int64_t k = 0; k < pairs; k++)
        count += amount[k] > 0;
    v->flow = clv_arena_alloc(&v->d->arena, count, sizeof *v->flow);
    if (!v->flow)
        return clv_fail_memory(err);
    for (int64_t k = 0; k < pairs; k++)
        if (amount[k] > 0)
            v->flow[v->nflows++] =
                (clv_flow){(int32_t)(k / v->nparts), (int32_t)(k % v->nparts), amount[k]};
    CLV_TRY(clv_flow_largest(v->flow, &v->nflows, most_flows, ws, err));
    v->left_out = count - v->nflows;
    clv_ws_restore(ws, mark);
    return CLEAVE_OK;
}

/* ---- Before and after ------------------------------------------------------------------- */

static clv_layer *layer_named(clv_figure *f, const char *name)
{
    for (int i = 0; i < f->nlayers; i++)
        if (f->layer[i].name && strcmp(f->layer[i].name, name) == 0)
            return &f->layer[i];
    return NULL;
}

static cleave_status add_moved(remap_view *v, int which, cleave_error *err)
{
    clv_figure *f = &v->figure[which];
    int32_t *color = clv_arena_alloc(&v->d->arena, v->nmoved, sizeof *color);
    if (!color)
        return clv_fail_memory(err);
    for (int64_t i = 0; i < v->nmoved; i++)
        color[i] = v->m[1 - which]->part[v->moved[i]];
    clv_layer *vertices = layer_named(f, "vertices"), *parts = layer_named(f, "parts");
    if (vertices)
        clv_layer_ints(vertices, which == 0 ? "part after" : "part before",
                       v->m[1 - which]->part);
    clv_layer *pale = parts ? parts : vertices;
    if (pale)
        pale->opacity = 0.4;
    clv_layer *layer = clv_figure_layer(f, CLV_LAYER_POINTS, "moved vertices");
    layer->count = v->nmoved;
    layer->at = v->moved;
    layer->color = color;
    layer->size = v->g->nvtx > 100000  ? 1
                  : v->g->nvtx > 20000 ? 1.3
                  : v->g->nvtx > 3000  ? 2.2
                                       : 4;
    return CLEAVE_OK;
}

/* With unequal shares after, those before may have been unequal as well. */
static bool is_before_guessed(const remap_view *v)
{
    return v->d->opt.shares && !v->d->opt.shares_before;
}

static cleave_status draw_state(remap_view *v, int which, cleave_error *err)
{
    char *caption = clv_arena_alloc(&v->d->arena, caption_room, 1);
    char imbalance[CLV_PERCENT_ROOM];
    if (!caption)
        return clv_fail_memory(err);
    clv_graph_picture what = v->what;
    const cleave_metrics *m = &v->metrics[which];
    what.part = v->m[which]->part;
    what.nparts = v->m[which]->nparts;
    what.title = which == 0 ? "Before" : "After";
    what.caption = caption;
    clv_print_percent(imbalance, m->imbalance);
    snprintf(caption, caption_room, "%lld part%s, cut %lld, imbalance %s%s; dots: %s",
             (long long)m->parts, m->parts == 1 ? "" : "s", (long long)m->cut, imbalance,
             which == 0 && is_before_guessed(v) ? " of equal parts" : "",
             which == 0 ? "what leaves, coloured by where it goes"
                        : "what came, coloured by where it was");
    CLV_TRY(clv_graph_figure(&v->figure[which], &what, &v->d->arena, v->d->ctx.ws, err));
    v->figure[which].palette = v->rgb;
    v->figure[which].npalette = v->nparts;
    return add_moved(v, which, err);
}

/* ---- Migration between parts ------------------------------------------------------------ */

/* Bends arrows towards the middle, past the parts in between; the two directions between a
 * pair of parts differ. */
static void find_bends(const remap_view *v, const double *place, double *bend)
{
    for (int64_t i = 0; i < v->nflows; i++) {
        const double *a = place + 2 * (int64_t)v->flow[i].from;
        const double *b = place + 2 * (int64_t)v->flow[i].to;
        double side = (a[1] - b[1]) * (a[0] + b[0]) + (b[0] - a[0]) * (a[1] + b[1]);
        double size = v->flow[i].from < v->flow[i].to ? 0.08 : 0.17;
        bend[i] = side > 1e-9 ? -size : size;
    }
}

static cleave_status draw_flows(remap_view *v, cleave_error *err)
{
    char *caption = clv_arena_alloc(&v->d->arena, caption_room, 1);
    double *place = clv_arena_alloc(&v->d->arena, 2 * (int64_t)v->nparts, sizeof *place);
    double *bend = clv_arena_alloc(&v->d->arena, v->nflows, sizeof *bend);
    int64_t *weight = clv_arena_zalloc(&v->d->arena, v->nparts, sizeof *weight);
    if (!caption || !place || !bend || !weight)
        return clv_fail_memory(err);
    clv_flow_circle(place, v->nparts);
    find_bends(v, place, bend);
    for (int32_t i = 0; i < v->g->nvtx; i++)
        weight[v->m[1]->part[i]] += clv_graph_vwgt(v->g, i, 0);
    snprintf(caption, caption_room, "%lld of %lld vertices moved, migration %lld",
             (long long)v->nmoved, (long long)v->g->nvtx, (long long)v->migration);
    const clv_flow_picture what = {.title = "What moved from where to where",
                                   .caption = caption,
                                   .nparts = v->nparts,
                                   .place = place,
                                   .bend = bend,
                                   .weight = weight,
                                   .rgb = v->rgb,
                                   .nflows = v->nflows,
                                   .flow = v->flow,
                                   .layer = "migration",
                                   .noun = "migration",
                                   .left_out = v->left_out};
    return clv_flow_figure(&v->figure[2], &what, &v->d->arena, err);
}

/* ---- Writing ---------------------------------------------------------------------------- */

static cleave_status write_svg(remap_view *v, const char *title, cleave_error *err)
{
    const clv_picture_size size = {v->d->opt.width, v->d->opt.height};
    int32_t half = size.width / 2,
            upper = v->figures > 2 ? size.height * 11 / 20 : size.height;
    const clv_frame frame[3] = {{&v->figure[0], 0, 0, {half, upper}},
                                {&v->figure[1], half, 0, {size.width - half, upper}},
                                {&v->figure[2], 0, upper, {size.width, size.height - upper}}};
    const clv_frames frames = {title, size, v->figures, frame};
    return clv_frames_svg(&v->d->out, &frames, v->d->ctx.ws, err);
}

static cleave_status put_flows(clv_page *page, remap_view *v, cleave_error *err)
{
    enum { columns = 3 };
    static const char *const header[columns] = {"From part", "To part", "Migration"};
    int64_t n = v->nflows < most_rows ? v->nflows : most_rows;
    double *value = clv_arena_alloc(&v->d->arena, n * columns, sizeof *value);
    const char *const *cell;
    if (!value)
        return clv_fail_memory(err);
    for (int64_t i = 0; i < n; i++) {
        value[i * columns] = v->flow[i].from;
        value[i * columns + 1] = v->flow[i].to;
        value[i * columns + 2] = (double)v->flow[i].amount;
    }
    CLV_TRY(clv_drawing_cells(v->d, columns, n, value, &cell, err));
    clv_page_table(page, "Migration", columns, header, n, cell);
    return CLEAVE_OK;
}

static clv_metric share_metric(const char *label, const char *key, double value)
{
    return isfinite(value) ? clv_metric_real(label, key, value)
                           : clv_metric_text(label, key, "infinite");
}

static cleave_status fill_page(clv_page *page, remap_view *v, const char *title,
                               cleave_error *err)
{
    const cleave_metrics *old = &v->metrics[0], *now = &v->metrics[1];
    const clv_metric row[] = {clv_metric_int("Vertices", "vertices", v->g->nvtx),
                              clv_metric_int("Vertices that moved", "moved", v->nmoved),
                              clv_metric_int("Migration", "migration", v->migration),
                              clv_metric_int("Parts before", "parts_before", old->parts),
                              clv_metric_int("Parts", "parts", now->parts),
                              clv_metric_int("Cut before", "cut_before", old->cut),
                              clv_metric_int("Cut", "cut", now->cut),
                              share_metric(is_before_guessed(v)
                                               ? "Imbalance before, of equal parts"
                                               : "Imbalance before",
                                           "imbalance_before", old->imbalance),
                              share_metric("Imbalance", "imbalance", now->imbalance)};
    clv_page_open(page, title, v->figures > 2 ? v->figure[2].caption : NULL);
    for (int i = 0; i < v->figures; i++)
        clv_page_figure(page, &v->figure[i], i < 2);
    if (!clv_drawing_results(page, &v->d->opt))
        clv_page_metrics(page, "Metrics", sizeof row / sizeof *row, row);
    if (v->figures > 2)
        CLV_TRY(put_flows(page, v, err));
    return clv_page_close(page, err);
}

static cleave_status make_figures(remap_view *v, const cleave_evaluate_options evaluate[2],
                                  cleave_error *err)
{
    for (int i = 0; i < 2; i++) {
        v->metrics[i] = (cleave_metrics){.size = sizeof v->metrics[i]};
        CLV_TRY(clv_evaluate_mapping(&v->metrics[i], v->g, v->m[i], &evaluate[i], v->d->ctx.ws,
                                     err));
    }
    v->what.g = v->g;
    CLV_TRY(clv_graph_positions(&v->what, v->d, err));
    const clv_graph_parts after = {v->g, v->nparts > 0 ? v->nparts : 1, v->m[1]->part};
    CLV_TRY(clv_graph_colors(&v->rgb, &after, &v->d->arena, v->d->ctx.ws, err));
    CLV_TRY(find_moved(v, err));
    for (int i = 0; i < 2; i++)
        CLV_TRY(draw_state(v, i, err));
    v->figures = 2;
    if (v->nparts < 2 || v->nparts > most_discs)
        return CLEAVE_OK;
    CLV_TRY(find_flows(v, err));
    CLV_TRY(draw_flows(v, err));
    v->figures = 3;
    v->figure[2].legend = v->figure[1].legend; /* both are the same */
    v->figure[2].nlegend = v->figure[1].nlegend;
    v->figure[2].legend_title = v->figure[1].legend_title;
    v->figure[0].nlegend = v->figure[1].nlegend = 0;
    return CLEAVE_OK;
}

cleave_status clv_draw_remap(clv_drawing *d, const clv_graph *g, const clv_mapping *const m[2],
                             const cleave_evaluate_options evaluate[2], cleave_error *err)
{
    remap_view v = {.d = d, .g = g, .m = {m[0], m[1]}};
    const char *title = d->opt.title ? d->opt.title : "A remapping";
    v.nparts = m[0]->nparts > m[1]->nparts ? m[0]->nparts : m[1]->nparts;
    CLV_TRY(make_figures(&v, evaluate, err));
    if (strcmp(d->format, "svg") == 0)
        return write_svg(&v, title, err);
    clv_page page = {0};
    return clv_drawing_page(d, &page, fill_page(&page, &v, title, err));
}
