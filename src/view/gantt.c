/* SPDX-License-Identifier: Apache-2.0 */
/* view/gantt.c - a Gantt chart as a figure. */
#include "view/gantt.h"

#include <math.h>
#include <stdio.h>

#include "view/axis.h"
#include "view/palette.h"
#include "view/shapes.h"

enum {
    most_names = 48,  /* limit for names of threads beside their rows and in the legend */
    most_joins = 100, /* limit for joins that are shown initially */
    text_room = 40,
    most_marks = 12
};

/* A row has height 1; bars leave a gap. */
static const double row_height = 0.84, balance_height = 1.3;

typedef struct drawing {
    clv_figure *f;
    const clv_gantt *what;
    clv_arena *arena;
    clv_ws *ws;
    clv_canvas canvas;
    double below; /* where the rows below the threads start */
} drawing;

void clv_gantt_busy(const clv_gantt *what, double *busy)
{
    for (int32_t t = 0; t < what->threads; t++)
        busy[t] = 0;
    for (int64_t i = 0; i < what->nbars; i++)
        busy[what->bar[i].thread] += what->bar[i].end - what->bar[i].begin;
}

/* ---- Rectangles ------------------------------------------------------------------------- */

typedef struct boxes {
    int64_t count;
    int32_t *at;
} boxes;

static cleave_status boxes_new(boxes *b, drawing *d, int64_t room, cleave_error *err)
{
    *b = (boxes){.at = clv_arena_alloc(d->arena, 2 * room, sizeof *b->at)};
    return b->at ? CLEAVE_OK : clv_fail_memory(err);
}

static void put_box(boxes *b, drawing *d, double x1, double y1, double x2, double y2)
{
    b->at[2 * b->count] = clv_canvas_put(&d->canvas, x1, y1);
    b->at[2 * b->count++ + 1] = clv_canvas_put(&d->canvas, x2, y2);
}

static clv_layer *add_boxes(drawing *d, const char *name, const boxes *b, int32_t ink)
{
    clv_layer *layer = clv_figure_layer(d->f, CLV_LAYER_RECTS, name);
    layer->count = b->count;
    layer->at = b->at;
    layer->ink = ink;
    return layer;
}

/* ---- Threads ---------------------------------------------------------------------------- */

static cleave_status add_rows(drawing *d, const double *busy, cleave_error *err)
{
    const clv_gantt *w = d->what;
    boxes b;
    double *share = clv_arena_alloc(d->arena, w->threads, sizeof *share);
    double *time = clv_arena_alloc(d->arena, w->threads, sizeof *time);
    if (!share || !time)
        return clv_fail_memory(err);
    CLV_TRY(boxes_new(&b, d, w->threads, err));
    for (int32_t t = 0; t < w->threads; t++) {
        put_box(&b, d, 0, t, w->length, t + row_height);
        time[t] = floor(busy[t] * 1000 + 0.5) / 1000;
        share[t] = w->length > 0 ? floor(1000 * busy[t] / w->length + 0.5) / 10 : 0;
    }
    clv_layer *layer = add_boxes(d, "threads", &b, CLV_INK_FAINT);
    layer->opacity = 0.6;
    layer->noun = "thread";
    clv_layer_reals(layer, "time at work", time);
    clv_layer_reals(layer, "per cent", share);
    return CLEAVE_OK;
}

static cleave_status add_waiting(drawing *d, cleave_error *err)
{
    const clv_gantt *w = d->what;
    boxes b;
    int32_t *thread = clv_arena_alloc(d->arena, w->nbars, sizeof *thread);
    double *time = clv_arena_alloc(d->arena, w->nbars, sizeof *time);
    if (!thread || !time)
        return clv_fail_memory(err);
    CLV_TRY(boxes_new(&b, d, w->nbars, err));
    for (int64_t i = 0; i < w->nbars; i++) {
        const clv_bar *bar = &w->bar[i];
        if (!(bar->idle_to > bar->idle_from))
            continue;
        thread[b.count] = bar->thread;
        time[b.count] = floor((bar->idle_to - bar->idle_from) * 1000 + 0.5) / 1000;
        put_box(&b, d, bar->idle_from, bar->thread + 0.3, bar->idle_to,
                bar->thread + row_height - 0.3);
    }
    clv_layer *layer = add_boxes(d, "waiting", &b, CLV_INK_MUTED);
    layer->opacity = 0.35;
    layer->noun = "wait";
    clv_layer_ints(layer, "thread", thread);
    clv_layer_reals(layer, w->unit, time);
    return CLEAVE_OK;
}

/* The fields of the bars. */
typedef struct bar_fields {
    int32_t *color, *thread, *first, *last;
    int64_t *work, *vertices, *crossing;
    double *time;
    const char **text;
    char *room;
} bar_fields;

static cleave_status fields_new(bar_fields *k, drawing *d, cleave_error *err)
{
    int64_t n = d->what->nbars;
    k->color = clv_arena_alloc(d->arena, n, sizeof *k->color);
    k->thread = clv_arena_alloc(d->arena, n, sizeof *k->thread);
    k->first = clv_arena_alloc(d->arena, n, sizeof *k->first);
    k->last = clv_arena_alloc(d->arena, n, sizeof *k->last);
    k->work = clv_arena_alloc(d->arena, n, sizeof *k->work);
    k->vertices = clv_arena_alloc(d->arena, n, sizeof *k->vertices);
    k->crossing = clv_arena_alloc(d->arena, n, sizeof *k->crossing);
    k->time = clv_arena_alloc(d->arena, n, sizeof *k->time);
    k->text = clv_arena_alloc(d->arena, n, sizeof *k->text);
    k->room = clv_arena_alloc(d->arena, n, text_room);
    if (!k->color || !k->thread || !k->first || !k->last || !k->work || !k->vertices ||
        !k->crossing || !k->time || !k->text || !k->room)
        return clv_fail_memory(err);
    return CLEAVE_OK;
}

static void take_bar(bar_fields *k, int64_t i, const clv_bar *bar)
{
    k->color[i] = 2 * bar->thread + bar->first % 2;
    k->thread[i] = bar->thread;
    k->first[i] = bar->first;
    k->last[i] = bar->last;
    k->work[i] = bar->work;
    k->vertices[i] = bar->vertices;
    k->crossing[i] = bar->crossing;
    k->time[i] = floor((bar->end - bar->begin) * 1000 + 0.5) / 1000;
    char *text = k->room + i * text_room;
    if (bar->first == bar->last)
        snprintf(text, text_room, "%d", (int)bar->first);
    else
        snprintf(text, text_room, "%d\xe2\x80\x93%d", (int)bar->first, (int)bar->last);
    k->text[i] = text;
}

static cleave_status add_work(drawing *d, cleave_error *err)
{
    const clv_gantt *w = d->what;
    boxes b;
    bar_fields k;
    bool ranges = false, known = w->nbars > 0 && w->bar[0].vertices >= 0;
    CLV_TRY(fields_new(&k, d, err));
    CLV_TRY(boxes_new(&b, d, w->nbars, err));
    for (int64_t i = 0; i < w->nbars; i++) {
        const clv_bar *bar = &w->bar[i];
        put_box(&b, d, bar->begin, bar->thread, bar->end, bar->thread + row_height);
        take_bar(&k, i, bar);
        ranges = ranges || bar->first != bar->last;
    }
    clv_layer *layer = add_boxes(d, "work", &b, 0);
    layer->color = k.color;
    layer->texts = k.text;
    layer->noun = "bar";
    layer->size = w->nbars < 400 ? 0.7 : 0;
    clv_layer_ints(layer, "thread", k.thread);
    clv_layer_ints(layer, ranges ? "first layer" : "layer", k.first);
    if (ranges)
        clv_layer_ints(layer, "last layer", k.last);
    clv_layer_longs(layer, "work", k.work);
    if (known) {
        clv_layer_longs(layer, "vertices", k.vertices);
        clv_layer_longs(layer, "crossing edges in", k.crossing);
    }
    clv_layer_reals(layer, w->unit, k.time);
    return CLEAVE_OK;
}

static cleave_status add_barriers(drawing *d, cleave_error *err)
{
    const clv_gantt *w = d->what;
    boxes b;
    if (w->nbarriers == 0)
        return CLEAVE_OK;
    CLV_TRY(boxes_new(&b, d, w->nbarriers, err));
    for (int64_t i = 0; i < w->nbarriers; i++)
        put_box(&b, d, w->barrier[2 * i], -0.12, w->barrier[2 * i + 1],
                w->threads - 1 + row_height + 0.12);
    clv_layer *layer = add_boxes(d, "barriers", &b, CLV_INK_MUTED);
    layer->opacity = 0.45;
    layer->noun = "barrier";
    return CLEAVE_OK;
}

/* ---- Properties of layers --------------------------------------------------------------- */

static cleave_status add_balance(drawing *d, cleave_error *err)
{
    const clv_gantt *w = d->what;
    boxes b;
    int32_t *color = clv_arena_alloc(d->arena, w->nshares, sizeof *color);
    double *share = clv_arena_alloc(d->arena, w->nshares, sizeof *share);
    if (!color || !share)
        return clv_fail_memory(err);
    CLV_TRY(boxes_new(&b, d, w->nshares, err));
    double bottom = d->below + balance_height;
    for (int64_t i = 0; i < w->nshares; i++) {
        put_box(&b, d, w->share[2 * i], bottom - balance_height * w->balance[i],
                w->share[2 * i + 1], bottom);
        color[i] = 2 * w->threads + (w->balance[i] < 0.5);
        share[i] = floor(1000 * w->balance[i] + 0.5) / 10;
    }
    clv_layer *layer = add_boxes(d, "balance", &b, CLV_INK_MUTED);
    layer->color = color;
    layer->noun = "layer";
    layer->size = w->nshares < 400 ? 0.5 : 0;
    clv_layer_reals(layer, "balance, per cent", share);
    return CLEAVE_OK;
}

static cleave_status add_crossing(drawing *d, cleave_error *err)
{
    const clv_gantt *w = d->what;
    boxes b;
    int64_t most = 1;
    CLV_TRY(boxes_new(&b, d, w->nshares, err));
    for (int64_t i = 0; i < w->nshares; i++)
        most = w->crossing[i] > most ? w->crossing[i] : most;
    double bottom = d->below + 2 * balance_height + 0.5;
    for (int64_t i = 0; i < w->nshares; i++)
        put_box(&b, d, w->share[2 * i],
                bottom - balance_height * (double)w->crossing[i] / (double)most,
                w->share[2 * i + 1], bottom);
    clv_layer *layer = add_boxes(d, "crossing edges per layer", &b, CLV_INK_MUTED);
    layer->noun = "layer";
    clv_layer_longs(layer, "crossing edges", w->crossing);
    return CLEAVE_OK;
}

/* From the end of one bar to the start of another. */
static cleave_status add_joins(drawing *d, cleave_error *err)
{
    const clv_gantt *w = d->what;
    if (w->njoins == 0)
        return CLEAVE_OK;
    int32_t *at = clv_arena_alloc(d->arena, 2 * w->njoins, sizeof *at);
    float *width = clv_arena_alloc(d->arena, w->njoins, sizeof *width);
    int64_t *count = clv_arena_alloc(d->arena, w->njoins, sizeof *count), most = 1;
    if (!at || !width || !count)
        return clv_fail_memory(err);
    for (int64_t i = 0; i < w->njoins; i++)
        most = w->join[i].count > most ? w->join[i].count : most;
    for (int64_t i = 0; i < w->njoins; i++) {
        const clv_bar *a = &w->bar[w->join[i].from], *b = &w->bar[w->join[i].to];
        at[2 * i] = clv_canvas_put(&d->canvas, a->end, a->thread + row_height / 2);
        at[2 * i + 1] = clv_canvas_put(&d->canvas, b->begin, b->thread + row_height / 2);
        count[i] = w->join[i].count;
        width[i] =
            most > 1 ? (float)(0.5 + 0.5 * floor(4 * (double)count[i] / (double)most)) : 1.3f;
    }
    clv_layer *layer = clv_figure_layer(d->f, CLV_LAYER_SEGMENTS, w->joins);
    layer->count = w->njoins;
    layer->at = at;
    layer->sizes = width;
    layer->opacity = 0.6;
    layer->arrows = true;
    layer->hidden = w->njoins > most_joins;
    layer->noun = w->nbarriers > 0 ? "crossing" : "wait";
    clv_layer_longs(layer, "arcs", count);
    if (w->nbarriers == 0)
        layer->nfields = 0;
    return CLEAVE_OK;
}

/* ---- Texts ------------------------------------------------------------------------------ */

static cleave_status add_texts(drawing *d, cleave_error *err)
{
    const clv_gantt *w = d->what;
    clv_tick tick[CLV_MAX_TICKS];
    const clv_axis axis = {.lo = 0, .hi = w->length > 0 ? w->length : 1, .to = 1};
    int marks = clv_axis_ticks(&axis, most_marks, tick);
    int32_t named = w->threads <= most_names ? w->threads : 0;
    int64_t most = marks + named + 3;
    const char **text = clv_arena_zalloc(d->arena, most, sizeof *text);
    int32_t *at = clv_arena_alloc(d->arena, most, sizeof *at);
    char *room = clv_arena_alloc(d->arena, most, CLV_TICK_SPACE);
    if (!text || !at || !room)
        return clv_fail_memory(err);
    double rows = w->threads + (w->nshares > 0 ? 2 * balance_height + 1 : 0);
    double left = -0.055 * w->length, over = -0.13 - 0.05 * rows;
    int64_t used = 0;
    for (int i = 0; i < marks; i++, room += CLV_TICK_SPACE) {
        snprintf(room, CLV_TICK_SPACE, "%s", tick[i].label);
        at[used] = clv_canvas_put(&d->canvas, tick[i].value, over);
        text[used++] = room;
    }
    for (int32_t t = 0; t < named; t++, room += CLV_TICK_SPACE) {
        snprintf(room, CLV_TICK_SPACE, "thread %d", (int)t);
        at[used] = clv_canvas_put(&d->canvas, left, t + row_height / 2);
        text[used++] = room;
    }
    at[used] = clv_canvas_put(&d->canvas, left, over);
    text[used++] = w->unit;
    if (w->nshares > 0) {
        at[used] = clv_canvas_put(&d->canvas, left, d->below + balance_height / 2);
        text[used++] = "balance";
        at[used] = clv_canvas_put(&d->canvas, left, d->below + 1.5 * balance_height + 0.5);
        text[used++] = "crossing";
    }
    clv_canvas_put(&d->canvas, left - 0.05 * w->length, 0); /* room for the names */
    clv_layer *layer = clv_figure_layer(d->f, CLV_LAYER_TEXTS, "labels");
    layer->count = used;
    layer->at = at;
    layer->texts = text;
    layer->size = 11;
    return CLEAVE_OK;
}

/* The layers of a thread alternate between two shades, so that adjacent bars can be
 * distinguished. */
static cleave_status add_colors(drawing *d, const double *busy, cleave_error *err)
{
    const clv_gantt *w = d->what;
    int32_t colors = 2 * w->threads + 2, shown = w->threads < most_names ? w->threads : 0;
    uint32_t *base = clv_arena_alloc(d->arena, w->threads, sizeof *base);
    uint32_t *rgb = clv_arena_alloc(d->arena, colors, sizeof *rgb);
    clv_legend *legend = clv_arena_alloc(d->arena, shown, sizeof *legend);
    char *room = clv_arena_alloc(d->arena, 2 * (int64_t)shown, text_room);
    if (!base || !rgb || !legend || !room)
        return clv_fail_memory(err);
    CLV_TRY(clv_palette_parts(base, w->threads, (clv_palette_pairs){0}, d->ws, err));
    for (int32_t t = 0; t < w->threads; t++) {
        rgb[2 * t] = base[t];
        rgb[2 * t + 1] = (base[t] >> 1 & 0x7f7f7f) + (base[t] >> 2 & 0x3f3f3f) + 0x3f3f3f;
    }
    rgb[2 * w->threads] = 0x4e9a6b;     /* good balance */
    rgb[2 * w->threads + 1] = 0xd9822b; /* poor balance */
    for (int32_t t = 0; t < shown; t++, room += 2 * text_room) {
        snprintf(room, text_room, "thread %d", (int)t);
        snprintf(room + text_room, text_room, "%d %% at work",
                 w->length > 0 ? (int)(100 * busy[t] / w->length + 0.5) : 0);
        legend[t] = (clv_legend){2 * t, room, room + text_room};
    }
    d->f->palette = rgb;
    d->f->npalette = colors;
    d->f->legend = legend;
    d->f->nlegend = shown;
    d->f->legend_title = "Threads";
    return CLEAVE_OK;
}

static cleave_status draw(drawing *d, cleave_error *err)
{
    const clv_gantt *w = d->what;
    double *busy = clv_ws_alloc(d->ws, w->threads, sizeof *busy);
    if (!busy)
        return clv_fail_memory(err);
    clv_gantt_busy(w, busy);
    int64_t room = 2 * (int64_t)w->threads + 4 * w->nbars + 2 * w->nbarriers + 4 * w->nshares +
                   2 * w->njoins + most_names + CLV_MAX_TICKS + 8;
    CLV_TRY(clv_canvas_new(&d->canvas, room, d->arena, err));
    CLV_TRY(add_colors(d, busy, err));
    CLV_TRY(add_rows(d, busy, err));
    CLV_TRY(add_waiting(d, err));
    CLV_TRY(add_work(d, err));
    CLV_TRY(add_barriers(d, err));
    if (w->nshares > 0) {
        CLV_TRY(add_balance(d, err));
        CLV_TRY(add_crossing(d, err));
    }
    CLV_TRY(add_joins(d, err));
    CLV_TRY(add_texts(d, err));
    clv_canvas_give(&d->canvas, d->f);
    return CLEAVE_OK;
}

cleave_status clv_gantt_figure(clv_figure *f, const clv_gantt *what, clv_arena *arena,
                               clv_ws *ws, cleave_error *err)
{
    drawing d = {.f = f, .what = what, .arena = arena, .ws = ws};
    clv_ws_mark mark = clv_ws_save(ws);
    *f = clv_figure_new(what->title, 2);
    f->caption = what->caption;
    f->stretch = true;
    f->y_down = true;
    d.below = what->threads + 0.45;
    CLV_TRY(draw(&d, err));
    clv_ws_restore(ws, mark);
    return CLEAVE_OK;
}
