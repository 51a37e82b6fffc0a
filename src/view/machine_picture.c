/* SPDX-License-Identifier: Apache-2.0 */
/* view/machine_picture.c - see view/machine_picture.h.
 *
 * Traffic has one colour scale, from cold to hot; loads have another, centred at a PE with its
 * exact share.  The width of a line grows with its traffic, so that the picture is readable
 * without colours. */
#include "view/machine_picture.h"

#include <math.h>
#include <stdio.h>

#include "base/number.h"
#include "view/palette.h"

enum { steps = CLV_MACHINE_STEPS, text_room = 40, most_labels = 2048 };

static const double thinnest = 1.2, widest = 8, wall = 0.32;

typedef struct scene {
    const clv_machine_picture *what;
    const clv_floorplan *floorplan;
    clv_figure *f;
    clv_arena *arena;
    cleave_error *err;
    double *position; /* those of the floor plan, then corners */
    int64_t used, room;
} scene;

/* The number in the target of a PE of the machine; -1: not in the target. */
static int32_t number_of(const clv_floorplan *fl, int32_t pe)
{
    return fl->used ? fl->used[pe] : pe;
}

/* ---- Colours ---------------------------------------------------------------------------- */

static int32_t heat_of(const scene *s, int64_t traffic)
{
    int64_t most = s->what->hottest;
    return most <= 0 ? 0 : (int32_t)((double)traffic / (double)most * (steps - 1) + 0.5);
}

/* Load of a PE in percent of its share; without a share 0, or the maximum shown if it has
 * load. */
static int32_t percent_of(const clv_machine_loads *l, int32_t pe)
{
    if (l->share[pe] <= 0)
        return l->work[pe] > 0 ? 1000 : 0;
    return (int32_t)fmin(1e6, 100 * (double)l->work[pe] / l->share[pe] + 0.5);
}

static int32_t load_color(int32_t percent)
{
    return steps + (percent >= 200 ? steps - 1 : percent * (steps - 1) / 200);
}

static uint32_t blend(uint32_t a, uint32_t b, double at)
{
    uint32_t out = 0;
    for (int shift = 0; shift <= 16; shift += 8) {
        double x = a >> shift & 255, y = b >> shift & 255;
        out |= (uint32_t)(x + at * (y - x) + 0.5) << shift;
    }
    return out;
}

static cleave_status make_palette(scene *s)
{
    static const uint32_t stop[] = {0xd5d9e3, 0xb3a6d6, 0x8170bd, 0x5a3e9c, 0x2e1463};
    int32_t npes = s->what->rgb ? s->what->t->npes : 0;
    uint32_t *rgb = clv_arena_alloc(s->arena, 2 * steps + npes, sizeof *rgb);
    if (!rgb)
        return clv_fail_memory(s->err);
    clv_palette_heat(rgb, steps);
    for (int i = 0; i < steps; i++) {
        double at = 4.0 * i / (steps - 1);
        int k = at < 3 ? (int)at : 3;
        rgb[steps + i] = blend(stop[k], stop[k + 1], at - k);
    }
    for (int32_t p = 0; p < npes; p++)
        rgb[2 * steps + p] = s->what->rgb[p];
    s->f->palette = rgb;
    s->f->npalette = 2 * steps + npes;
    return CLEAVE_OK;
}

static void add_entry(clv_legend *legend, int64_t *count, int32_t color, const char *name,
                      const char *value)
{
    legend[(*count)++] = (clv_legend){color, name, value};
}

static cleave_status make_legend(scene *s)
{
    enum { marks = 5, entries = 2 * marks + 1 };
    static const char *const load_name[marks] = {"idle PE", "half its share", "its share",
                                                 "half as much again", "twice or more"};
    clv_legend *legend = clv_arena_zalloc(s->arena, entries, sizeof *legend);
    char *text = clv_arena_alloc(s->arena, marks, CLV_NUMBER_SPACE);
    if (!legend || !text)
        return clv_fail_memory(s->err);
    s->f->legend = legend;
    if (s->floorplan->used)
        add_entry(legend, &s->f->nlegend, CLV_INK_FAINT, "PE not of this target", NULL);
    if (!s->what->loads)
        return CLEAVE_OK;
    for (int i = 0; i < marks; i++)
        add_entry(legend, &s->f->nlegend, load_color(50 * i), load_name[i], NULL);
    const char *noun = s->what->loads->across ? "out of a box"
                       : s->what->loads->link ? "over a link"
                                              : "between two PEs";
    for (int i = 0; i < marks && s->what->hottest > 0; i++, text += CLV_NUMBER_SPACE) {
        *clv_print_i64(text, s->what->hottest * i / (marks - 1)) = '\0';
        add_entry(legend, &s->f->nlegend, i * (steps - 1) / (marks - 1), noun, text);
    }
    s->f->legend_title = "Load of PEs, traffic";
    return CLEAVE_OK;
}

/* ---- Rectangles ------------------------------------------------------------------------- */

static int32_t put_corner(scene *s, double x, double y)
{
    s->position[2 * s->used] = x;
    s->position[2 * s->used + 1] = y;
    return (int32_t)s->used++;
}

static void put_rect(scene *s, int32_t *at, double left, double top, double right,
                     double bottom)
{
    at[0] = put_corner(s, left, top);
    at[1] = put_corner(s, right, bottom);
}

static cleave_status copy_places(scene *s)
{
    const clv_floorplan *fl = s->floorplan;
    s->room = fl->nplaces + (fl->ndim == 2 ? 3 * (int64_t)fl->npes : 0) +
              4 * (int64_t)fl->nboxes + 4;
    s->position = clv_arena_alloc(s->arena, s->room * fl->ndim, sizeof *s->position);
    if (!s->position)
        return clv_fail_memory(s->err);
    for (int64_t i = 0; i < (int64_t)fl->nplaces * fl->ndim; i++)
        s->position[i] = fl->position[i];
    s->used = fl->nplaces;
    return CLEAVE_OK;
}

/* ---- Boxes ------------------------------------------------------------------------------ */

static bool is_wanted(const clv_floorplan_box *box, clv_box_kind kind)
{
    return box->kind == kind;
}

static cleave_status add_boxes(scene *s, clv_box_kind kind, const char *name)
{
    const clv_floorplan *fl = s->floorplan;
    int32_t *at = clv_arena_alloc(s->arena, 2 * (int64_t)fl->nboxes, sizeof *at);
    const char **text = clv_arena_alloc(s->arena, fl->nboxes, sizeof *text);
    int64_t count = 0;
    if (!at || !text)
        return clv_fail_memory(s->err);
    for (int32_t b = 0; b < fl->nboxes; b++) {
        const clv_floorplan_box *box = &fl->box[b];
        if (!is_wanted(box, kind))
            continue;
        text[count] = box->name;
        put_rect(s, at + 2 * count++, box->left, box->top, box->right, box->bottom);
    }
    if (count == 0)
        return CLEAVE_OK;
    clv_layer *layer = clv_figure_layer(s->f, CLV_LAYER_RECTS, name);
    layer->count = count;
    layer->at = at;
    layer->ink = kind == CLV_BOX_GROUP ? CLV_INK_FAINT : CLV_INK_PAPER;
    layer->size = kind == CLV_BOX_GROUP ? 2 : 1;
    layer->opacity = kind == CLV_BOX_THREAD ? 0.35 : 1;
    if (kind != CLV_BOX_GROUP)
        layer->texts = text;
    return CLEAVE_OK;
}

/* The strip with the name of each box, coloured by the traffic across its walls. */
static cleave_status add_walls(scene *s)
{
    const clv_floorplan *fl = s->floorplan;
    const clv_machine_loads *l = s->what->loads;
    int32_t *at = clv_arena_alloc(s->arena, 2 * (int64_t)fl->nboxes, sizeof *at);
    int32_t *color = clv_arena_alloc(s->arena, fl->nboxes, sizeof *color);
    int64_t *traffic = clv_arena_zalloc(s->arena, fl->nboxes, sizeof *traffic);
    const char **text = clv_arena_alloc(s->arena, fl->nboxes, sizeof *text);
    int64_t count = 0;
    if (!at || !color || !traffic || !text)
        return clv_fail_memory(s->err);
    for (int32_t b = 0; b < fl->nboxes; b++) {
        const clv_floorplan_box *box = &fl->box[b];
        if (box->kind != CLV_BOX_GROUP)
            continue;
        traffic[count] = l ? l->across[b] : 0;
        /* The outermost box has no traffic across its walls. */
        color[count] = l && box->parent >= 0 ? heat_of(s, l->across[b]) : CLV_INK_FAINT;
        text[count] = box->name;
        put_rect(s, at + 2 * count++, box->left + 0.04, box->top + 0.04, box->right - 0.04,
                 box->top + wall - 0.04);
    }
    clv_layer *layer = clv_figure_layer(s->f, CLV_LAYER_RECTS, "traffic");
    layer->count = count;
    layer->at = at;
    layer->color = color;
    layer->texts = text;
    layer->noun = "box";
    clv_layer_texts(layer, "", text);
    if (l)
        clv_layer_longs(layer, "traffic in and out", traffic);
    return CLEAVE_OK;
}

/* ---- Links ------------------------------------------------------------------------------ */

/* By link: the two positions that it joins, without links that have a loose end. */
static cleave_status find_ends(const scene *s, int32_t (**out)[2])
{
    const clv_floorplan *fl = s->floorplan;
    int32_t(*end)[2] = clv_arena_alloc(s->arena, s->what->t->links + 1, sizeof *end);
    if (!end)
        return clv_fail_memory(s->err);
    for (int64_t i = 0; i <= s->what->t->links; i++)
        end[i][0] = end[i][1] = -1;
    for (int64_t i = 0; i < fl->nlines; i++) {
        const int32_t place[2] = {fl->line[i].from, fl->line[i].to};
        int32_t *both = fl->line[i].link < 0 ? NULL : end[fl->line[i].link];
        for (int k = 0; both && k < 2; k++)
            if (place[k] < fl->npes + fl->nswitches)
                both[both[0] < 0 ? 0 : 1] = place[k];
    }
    *out = end;
    return CLEAVE_OK;
}

static int name_place(const scene *s, int32_t place, char *to, size_t room)
{
    if (place < 0)
        return snprintf(to, room, "?");
    return place < s->floorplan->npes
               ? snprintf(to, room, "PE %d", (int)place)
               : snprintf(to, room, "switch %d", (int)(place - s->floorplan->npes));
}

static cleave_status describe_links(scene *s, clv_layer *layer)
{
    int32_t(*end)[2] = NULL;
    int64_t count = layer->count;
    char *text = clv_arena_alloc(s->arena, count, text_room);
    const char **joins = clv_arena_alloc(s->arena, count, sizeof *joins);
    if (!text || !joins)
        return clv_fail_memory(s->err);
    CLV_TRY(find_ends(s, &end));
    for (int64_t i = 0; i < count; i++, text += text_room) {
        const int32_t *both = end[s->floorplan->line[i].link < 0 ? s->what->t->links
                                                                 : s->floorplan->line[i].link];
        int used = name_place(s, both[0], text, text_room);
        used += snprintf(text + used, (size_t)(text_room - used), " and ");
        name_place(s, both[1], text + used, (size_t)(text_room - used));
        joins[i] = text;
    }
    clv_layer_texts(layer, "between", joins);
    return CLEAVE_OK;
}

static float width_of(const scene *s, int64_t traffic)
{
    double most = (double)s->what->hottest, many = (double)s->floorplan->nlines;
    double most_wide = many > 4000 ? 3 : many > 1000 ? 5 : widest;
    return (float)(thinnest +
                   (most > 0 ? (most_wide - thinnest) * (double)traffic / most : 0));
}

static cleave_status add_links(scene *s)
{
    const clv_floorplan *fl = s->floorplan;
    const clv_machine_loads *l = s->what->loads;
    int64_t count = fl->nlines;
    int32_t *at = clv_arena_alloc(s->arena, 2 * count, sizeof *at);
    int32_t *color = clv_arena_alloc(s->arena, count, sizeof *color);
    int64_t *traffic = clv_arena_zalloc(s->arena, count, sizeof *traffic);
    float *size = clv_arena_alloc(s->arena, count, sizeof *size);
    if (!at || !color || !traffic || !size)
        return clv_fail_memory(s->err);
    bool known = l && l->link;
    for (int64_t i = 0; i < count; i++) {
        const clv_floorplan_line *line = &fl->line[i];
        bool loaded = known && line->link >= 0;
        at[2 * i] = line->from;
        at[2 * i + 1] = line->to;
        traffic[i] = loaded ? l->link[line->link] : 0;
        color[i] = loaded ? heat_of(s, traffic[i]) : CLV_INK_MUTED;
        size[i] = loaded ? width_of(s, traffic[i]) : 1.5F;
    }
    clv_layer *layer = clv_figure_layer(s->f, CLV_LAYER_SEGMENTS, "links");
    layer->count = count;
    layer->at = at;
    layer->color = color;
    layer->size = fl->ndim == 3 ? 3 : 0;
    layer->sizes = size;
    layer->noun = "link";
    CLV_TRY(describe_links(s, layer));
    if (known)
        clv_layer_longs(layer, "traffic", traffic);
    return CLEAVE_OK;
}

/* Machines without routes: pairs of PEs that exchange data. */
static cleave_status add_pairs(scene *s)
{
    const clv_machine_loads *l = s->what->loads;
    int32_t *at = clv_arena_alloc(s->arena, 2 * l->npairs, sizeof *at);
    int32_t *color = clv_arena_alloc(s->arena, l->npairs, sizeof *color);
    int64_t *traffic = clv_arena_alloc(s->arena, l->npairs, sizeof *traffic);
    float *size = clv_arena_alloc(s->arena, l->npairs, sizeof *size);
    int32_t *seat = clv_arena_alloc(s->arena, s->what->t->npes, sizeof *seat);
    if (!at || !color || !traffic || !size || !seat)
        return clv_fail_memory(s->err);
    for (int32_t p = 0; p < s->floorplan->npes; p++)
        if (number_of(s->floorplan, p) >= 0)
            seat[number_of(s->floorplan, p)] = p;
    for (int64_t i = 0; i < l->npairs; i++) {
        at[2 * i] = seat[l->pair[i].from];
        at[2 * i + 1] = seat[l->pair[i].to];
        traffic[i] = l->pair[i].weight;
        color[i] = heat_of(s, traffic[i]);
        size[i] = width_of(s, traffic[i]);
    }
    clv_layer *layer = clv_figure_layer(s->f, CLV_LAYER_SEGMENTS, "pairs");
    layer->count = l->npairs;
    layer->at = at;
    layer->color = color;
    layer->sizes = size;
    layer->opacity = 0.85;
    layer->noun = "pair";
    clv_layer_longs(layer, "traffic", traffic);
    return CLEAVE_OK;
}

static cleave_status add_switches(scene *s)
{
    int32_t count = s->floorplan->nswitches;
    int32_t *at = clv_arena_alloc(s->arena, count, sizeof *at);
    if (!at)
        return clv_fail_memory(s->err);
    for (int32_t i = 0; i < count; i++)
        at[i] = s->floorplan->npes + i;
    clv_layer *layer = clv_figure_layer(s->f, CLV_LAYER_POINTS, "switches");
    layer->count = count;
    layer->at = at;
    layer->ink = CLV_INK_STRONG;
    layer->size = count > 60 ? 1.8 : 5;
    layer->noun = "switch";
    return CLEAVE_OK;
}

/* ---- PEs -------------------------------------------------------------------------------- */

/* The fields of the PEs. */
static cleave_status describe_pes(scene *s, clv_layer *layer)
{
    const clv_floorplan *fl = s->floorplan;
    const clv_machine_loads *l = s->what->loads;
    const clv_target *t = s->what->t;
    int32_t *number = clv_arena_alloc(s->arena, fl->npes, sizeof *number);
    int32_t *percent = clv_arena_zalloc(s->arena, fl->npes, sizeof *percent);
    int64_t *work = clv_arena_zalloc(s->arena, fl->npes, sizeof *work);
    int64_t *traffic = clv_arena_zalloc(s->arena, fl->npes, sizeof *traffic);
    const char **name = clv_arena_alloc(s->arena, fl->npes, sizeof *name);
    if (!number || !percent || !work || !traffic || !name)
        return clv_fail_memory(s->err);
    for (int32_t p = 0; p < fl->npes; p++) {
        int32_t pe = number[p] = number_of(fl, p);
        name[p] = pe >= 0 && t->name ? t->name[pe] : "";
        if (pe < 0 || !l)
            continue;
        work[p] = l->work[pe];
        percent[p] = percent_of(l, pe);
        traffic[p] = l->traffic[pe];
    }
    if (t->name)
        clv_layer_texts(layer, "name", name);
    if (fl->used)
        clv_layer_ints(layer, "number in the target", number);
    if (l) {
        clv_layer_longs(layer, "load", work);
        clv_layer_ints(layer, "% of its share", percent);
        clv_layer_longs(layer, "traffic", traffic);
    }
    return CLEAVE_OK;
}

/* Labels inside PEs: numbers, or names if there are boxes. */
static cleave_status label_pes(scene *s, const char ***out)
{
    const clv_floorplan *fl = s->floorplan;
    const char **label = clv_arena_zalloc(s->arena, fl->npes, sizeof *label);
    char *text = clv_arena_alloc(s->arena, fl->npes, CLV_NUMBER_SPACE);
    if (!label || !text)
        return clv_fail_memory(s->err);
    for (int32_t p = 0; p < fl->npes && fl->npes <= most_labels; p++) {
        *clv_print_i64(text, number_of(fl, p) < 0 ? p : number_of(fl, p)) = '\0';
        label[p] = text;
        text += CLV_NUMBER_SPACE;
    }
    for (int32_t b = 0; b < fl->nboxes; b++)
        if (fl->box[b].kind == CLV_BOX_PE)
            label[fl->box[b].first] = fl->box[b].name;
    *out = label;
    return CLEAVE_OK;
}

static void place_pes(scene *s, int32_t *at)
{
    const clv_floorplan *fl = s->floorplan;
    for (int32_t p = 0; p < fl->npes; p++) {
        const double *x = s->position + 2 * (int64_t)p;
        put_rect(s, at + 2 * (int64_t)p, x[0] - fl->width / 2, x[1] - fl->height / 2,
                 x[0] + fl->width / 2, x[1] + fl->height / 2);
    }
}

/* Two layers have the same rectangles or balls: colours by load and by part. */
static void shape_layer(const scene *s, clv_layer *layer, const int32_t *at,
                        const int32_t *color)
{
    layer->count = s->floorplan->npes;
    layer->color = color;
    if (s->floorplan->ndim == 3) {
        layer->balls = true;
        layer->size = 0.15;
    } else {
        layer->at = at;
        layer->size = s->floorplan->npes > 1000 ? 0.5 : 1;
    }
}

static cleave_status add_pes(scene *s)
{
    const clv_floorplan *fl = s->floorplan;
    const clv_machine_picture *what = s->what;
    clv_layer_kind kind = fl->ndim == 3 ? CLV_LAYER_POINTS : CLV_LAYER_RECTS;
    int32_t *at = clv_arena_alloc(s->arena, 2 * (int64_t)fl->npes, sizeof *at);
    int32_t *color = clv_arena_alloc(s->arena, fl->npes, sizeof *color);
    int32_t *part = clv_arena_alloc(s->arena, fl->npes, sizeof *part);
    const char **label = NULL;
    if (!at || !color || !part)
        return clv_fail_memory(s->err);
    for (int32_t p = 0; p < fl->npes; p++) {
        int32_t pe = number_of(fl, p);
        color[p] = pe < 0         ? CLV_INK_FAINT
                   : !what->loads ? load_color(100)
                                  : load_color(percent_of(what->loads, pe));
        part[p] = pe < 0 || !what->rgb ? CLV_INK_FAINT : 2 * steps + pe;
    }
    if (fl->ndim == 2)
        place_pes(s, at);
    CLV_TRY(label_pes(s, &label));
    clv_layer *layer = clv_figure_layer(s->f, kind, "PEs");
    shape_layer(s, layer, at, color);
    layer->texts = fl->ndim == 2 && fl->nboxes == 0 ? label : NULL;
    layer->noun = "PE";
    CLV_TRY(describe_pes(s, layer));
    if (!what->rgb)
        return CLEAVE_OK;
    clv_layer *parts = clv_figure_layer(s->f, kind, "part colours");
    shape_layer(s, parts, at, part);
    parts->texts = layer->texts;
    parts->hidden = true;
    return CLEAVE_OK;
}

/* The names of cores above their hardware threads. */
static cleave_status name_cores(scene *s)
{
    const clv_floorplan *fl = s->floorplan;
    int32_t *at = clv_arena_alloc(s->arena, 2 * (int64_t)fl->npes, sizeof *at);
    const char **text = clv_arena_alloc(s->arena, fl->npes, sizeof *text);
    int64_t count = 0;
    if (!at || !text)
        return clv_fail_memory(s->err);
    for (int32_t b = 0; b < fl->nboxes; b++)
        if (fl->box[b].kind == CLV_BOX_PE) {
            text[count] = fl->box[b].name;
            at[count++] = put_corner(s, (fl->box[b].left + fl->box[b].right) / 2,
                                     fl->box[b].top + wall / 2);
        }
    clv_layer *layer = clv_figure_layer(s->f, CLV_LAYER_TEXTS, "names");
    layer->count = count;
    layer->at = at;
    layer->texts = text;
    layer->ink = CLV_INK_STRONG;
    return CLEAVE_OK;
}

cleave_status clv_machine_figure(clv_figure *f, const clv_machine_picture *what,
                                 clv_arena *arena, cleave_error *err)
{
    const clv_floorplan *fl = what->floorplan;
    scene s = {.what = what, .floorplan = fl, .f = f, .arena = arena, .err = err};
    *f = clv_figure_new(what->title, fl->ndim);
    f->caption = what->caption;
    f->y_down = true;
    f->group_field = -1;
    CLV_TRY(make_palette(&s));
    CLV_TRY(make_legend(&s));
    CLV_TRY(copy_places(&s));
    if (fl->nboxes > 0) {
        CLV_TRY(add_boxes(&s, CLV_BOX_GROUP, "boxes"));
        CLV_TRY(add_boxes(&s, CLV_BOX_MEMORY, "memory"));
        CLV_TRY(add_walls(&s));
    }
    if (fl->nlines > 0)
        CLV_TRY(add_links(&s));
    else if (what->loads && what->loads->npairs > 0)
        CLV_TRY(add_pairs(&s));
    if (fl->nswitches > 0)
        CLV_TRY(add_switches(&s));
    CLV_TRY(add_pes(&s));
    if (fl->nboxes > 0) {
        CLV_TRY(add_boxes(&s, CLV_BOX_THREAD, "hardware threads"));
        CLV_TRY(name_cores(&s));
    }
    f->position = s.position;
    f->npositions = s.used;
    return CLEAVE_OK;
}
