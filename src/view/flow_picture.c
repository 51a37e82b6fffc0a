/* SPDX-License-Identifier: Apache-2.0 */
/* view/flow_picture.c - parts as discs, flows between them as arrows. */
#include "view/flow_picture.h"

#include <math.h>
#include <stdio.h>

#include "base/number.h"
#include "base/sort.h"
#include "view/shapes.h"

enum { number_room = 16, most_amounts = 40 };

static const double widest = 0.17, narrowest = 0.012, largest = 0.3, smallest = 0.1;

typedef struct drawing {
    const clv_flow_picture *what;
    clv_arena *arena;
    clv_canvas canvas;
    clv_shapes arrows, discs;
    double *radius;      /* by part */
    int32_t *beside;     /* by flow: the position of its label */
    int64_t *amount;     /* by flow */
    int32_t *from, *to;  /* by flow */
    const char **number; /* by part */
} drawing;

static cleave_status make_room(drawing *d, cleave_error *err)
{
    const clv_flow_picture *w = d->what;
    int64_t positions =
        w->nflows * (CLV_ARROW_CORNERS + 1) + (int64_t)w->nparts * (CLV_DISC_CORNERS + 1);
    CLV_TRY(clv_canvas_new(&d->canvas, positions, d->arena, err));
    CLV_TRY(
        clv_shapes_new(&d->arrows, &d->canvas, w->nflows, CLV_ARROW_CORNERS, d->arena, err));
    CLV_TRY(clv_shapes_new(&d->discs, &d->canvas, w->nparts, CLV_DISC_CORNERS, d->arena, err));
    d->radius = clv_arena_alloc(d->arena, w->nparts, sizeof *d->radius);
    d->number = clv_arena_alloc(d->arena, w->nparts, sizeof *d->number);
    d->beside = clv_arena_alloc(d->arena, w->nflows, sizeof *d->beside);
    d->amount = clv_arena_alloc(d->arena, w->nflows, sizeof *d->amount);
    d->from = clv_arena_alloc(d->arena, w->nflows, sizeof *d->from);
    d->to = clv_arena_alloc(d->arena, w->nflows, sizeof *d->to);
    if (!d->radius || !d->number || !d->beside || !d->amount || !d->from || !d->to)
        return clv_fail_memory(err);
    return CLEAVE_OK;
}

static void find_sizes(drawing *d)
{
    int64_t most = 1;
    for (int32_t p = 0; p < d->what->nparts; p++)
        most = d->what->weight[p] > most ? d->what->weight[p] : most;
    for (int32_t p = 0; p < d->what->nparts; p++)
        d->radius[p] =
            fmax(smallest, largest * sqrt((double)d->what->weight[p] / (double)most));
}

static void put_arrows(drawing *d)
{
    const clv_flow_picture *w = d->what;
    int64_t most = 1;
    for (int64_t i = 0; i < w->nflows; i++)
        most = w->flow[i].amount > most ? w->flow[i].amount : most;
    for (int64_t i = 0; i < w->nflows; i++) {
        const clv_flow *flow = &w->flow[i];
        const double *a = w->place + 2 * (int64_t)flow->from,
                     *b = w->place + 2 * (int64_t)flow->to;
        double middle[2];
        clv_arrow arrow = {.from = {a[0], a[1]},
                           .to = {b[0], b[1]},
                           .gap_from = d->radius[flow->from] * 0.9,
                           .gap_to = d->radius[flow->to] + 0.02,
                           .bend = w->bend ? w->bend[i] : 0.12,
                           .width =
                               fmax(narrowest, widest * (double)flow->amount / (double)most)};
        clv_shapes_arrow(&d->arrows, &arrow, middle);
        d->beside[i] = clv_canvas_put(&d->canvas, middle[0], middle[1]);
        d->amount[i] = flow->amount;
        d->from[i] = flow->from;
        d->to[i] = flow->to;
    }
}

static void add_arrows(drawing *d, clv_figure *f)
{
    clv_layer *layer = clv_figure_layer(f, CLV_LAYER_AREAS, d->what->layer);
    clv_shapes_give(&d->arrows, layer);
    layer->color = d->from;
    layer->opacity = 0.7;
    layer->noun = d->what->noun;
    clv_layer_ints(layer, "from part", d->from);
    clv_layer_ints(layer, "to part", d->to);
    clv_layer_longs(layer, "weight", d->amount);
}

static cleave_status add_parts(drawing *d, clv_figure *f, cleave_error *err)
{
    const clv_flow_picture *w = d->what;
    int32_t *color = clv_arena_alloc(d->arena, w->nparts, sizeof *color);
    int32_t *at = clv_arena_alloc(d->arena, w->nparts, sizeof *at);
    char *text = clv_arena_alloc(d->arena, w->nparts, number_room);
    if (!color || !at || !text)
        return clv_fail_memory(err);
    for (int32_t p = 0; p < w->nparts; p++, text += number_room) {
        const double *place = w->place + 2 * (int64_t)p;
        clv_shapes_disc(&d->discs, place[0], place[1], d->radius[p]);
        at[p] = clv_canvas_put(&d->canvas, place[0], place[1]);
        color[p] = p;
        *clv_print_i64(text, p) = '\0';
        d->number[p] = text;
    }
    clv_layer *layer = clv_figure_layer(f, CLV_LAYER_AREAS, "parts");
    clv_shapes_give(&d->discs, layer);
    layer->color = color;
    layer->size = 1.5;
    layer->noun = "part";
    clv_layer_longs(layer, "weight", w->weight);
    layer = clv_figure_layer(f, CLV_LAYER_TEXTS, "numbers of parts");
    layer->count = w->nparts;
    layer->at = at;
    layer->texts = d->number;
    layer->size = w->nparts <= 24 ? 13 : 10;
    layer->hidden = w->nparts > 200;
    return CLEAVE_OK;
}

static cleave_status add_amounts(drawing *d, clv_figure *f, cleave_error *err)
{
    int64_t count = d->what->nflows;
    const char **text = clv_arena_alloc(d->arena, count, sizeof *text);
    char *room = clv_arena_alloc(d->arena, count, CLV_NUMBER_SPACE);
    if (!text || !room)
        return clv_fail_memory(err);
    for (int64_t i = 0; i < count; i++, room += CLV_NUMBER_SPACE) {
        *clv_print_i64(room, d->amount[i]) = '\0';
        text[i] = room;
    }
    clv_layer *layer = clv_figure_layer(f, CLV_LAYER_TEXTS, "amounts");
    layer->count = count;
    layer->at = d->beside;
    layer->texts = text;
    layer->size = 11;
    layer->hidden = count > most_amounts;
    return CLEAVE_OK;
}

/* The caption reports the number of flows that are not drawn. */
static cleave_status caption_of(const drawing *d, clv_figure *f, cleave_error *err)
{
    enum { room = 240 };
    const clv_flow_picture *w = d->what;
    f->caption = w->caption;
    if (w->left_out == 0)
        return CLEAVE_OK;
    char *text = clv_arena_alloc(d->arena, room, 1);
    if (!text)
        return clv_fail_memory(err);
    snprintf(text, room, "%.160s; the %lld smallest are not drawn",
             w->caption ? w->caption : "", (long long)w->left_out);
    f->caption = text;
    return CLEAVE_OK;
}

cleave_status clv_flow_figure(clv_figure *f, const clv_flow_picture *what, clv_arena *arena,
                              cleave_error *err)
{
    drawing d = {.what = what, .arena = arena};
    *f = clv_figure_new(what->title, 2);
    f->y_down = true;
    f->palette = what->rgb;
    f->npalette = what->nparts;
    CLV_TRY(make_room(&d, err));
    find_sizes(&d);
    put_arrows(&d);
    add_arrows(&d, f);
    CLV_TRY(add_parts(&d, f, err));
    CLV_TRY(add_amounts(&d, f, err));
    clv_canvas_give(&d.canvas, f);
    return caption_of(&d, f, err);
}

cleave_status clv_flow_largest(clv_flow *flow, int64_t *count, int64_t most, clv_ws *ws,
                               cleave_error *err)
{
    if (*count <= most)
        return CLEAVE_OK;
    clv_ws_mark mark = clv_ws_save(ws);
    clv_sort_item *item = clv_ws_alloc(ws, *count, sizeof *item);
    clv_sort_item *scratch = clv_ws_alloc(ws, *count, sizeof *scratch);
    bool *kept = clv_ws_zalloc(ws, *count, sizeof *kept);
    if (!item || !scratch || !kept)
        return clv_fail_memory(err);
    for (int64_t i = 0; i < *count; i++)
        item[i] = (clv_sort_item){.key = -flow[i].amount, .with.index = i};
    item = clv_sort(item, scratch, *count);
    for (int64_t i = 0; i < most; i++)
        kept[item[i].with.index] = true;
    int64_t used = 0;
    for (int64_t i = 0; i < *count; i++)
        if (kept[i])
            flow[used++] = flow[i];
    *count = used;
    clv_ws_restore(ws, mark);
    return CLEAVE_OK;
}

void clv_flow_circle(double *place, int32_t nparts)
{
    const double turn = 6.283185307179586;
    double radius = nparts > 2 ? 0.6 / sin(turn / 2 / nparts) : nparts == 2 ? 0.75 : 0;
    for (int32_t p = 0; p < nparts; p++) {
        place[2 * (int64_t)p] = radius * sin(turn * p / nparts);
        place[2 * (int64_t)p + 1] = -radius * cos(turn * p / nparts);
    }
}
