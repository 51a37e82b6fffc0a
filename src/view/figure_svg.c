/* SPDX-License-Identifier: Apache-2.0 */
/* view/figure_svg.c - a figure as one SVG document.
 *
 * The picture is on the left, the legend on the right, title and caption above.  Shapes of one
 * colour are one path.  Layers of very many items, and in a three-dimensional figure all but
 * its texts, are rasterised at twice the resolution. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/group.h"
#include "view/deflate.h"
#include "view/figure.h"
#include "view/labels.h"
#include "view/raster.h"

enum { most_shapes = 40000, most_areas = 25000, legend_width = 190, sharpness = 2 };

static const double margin = 18, row = 19;

typedef struct drawing {
    clv_svg *svg;
    clv_ws *ws;
    const clv_figure *f;
    const double *position;
    clv_box box;       /* of the picture */
    double *x, *y, *z; /* pixels of the positions; z towards the reader, three-dimensional
                          figures only */
    double scale;      /* pixels per unit */
} drawing;

/* ---- Layout ----------------------------------------------------------------------------- */

static void project_flat(drawing *d, const double lo[3], const double hi[3])
{
    const clv_figure *f = d->f;
    double width = d->box.right - d->box.left, height = d->box.bottom - d->box.top;
    double fx = width / (hi[0] > lo[0] ? hi[0] - lo[0] : 1);
    double fy = height / (hi[1] > lo[1] ? hi[1] - lo[1] : 1);
    d->scale = fmin(fx, fy);
    if (!f->stretch)
        fx = fy = d->scale;
    double cx = (d->box.left + d->box.right) / 2, cy = (d->box.top + d->box.bottom) / 2;
    for (int64_t i = 0; i < f->npositions; i++) {
        double u = d->position[2 * i] - (lo[0] + hi[0]) / 2;
        double v = d->position[2 * i + 1] - (lo[1] + hi[1]) / 2;
        d->x[i] = cx + fx * u;
        d->y[i] = cy + (f->y_down ? fy : -fy) * v;
    }
}

/* View from above and from the side, z up: three faces of a box are visible. */
static void project_solid(drawing *d, const double lo[3], const double hi[3])
{
    static const double turn = -0.62, tilt = 0.42;
    const double a = cos(turn), b = sin(turn), e = cos(tilt), g = sin(tilt);
    double least[2] = {0, 0}, most[2] = {0, 0};
    for (int64_t i = 0; i < d->f->npositions; i++) {
        const double *p = d->position + 3 * i;
        double x = p[0] - (lo[0] + hi[0]) / 2, y = p[1] - (lo[1] + hi[1]) / 2;
        double z = p[2] - (lo[2] + hi[2]) / 2, v = b * x + a * y;
        d->x[i] = a * x - b * y;
        d->y[i] = -(e * z + g * v);
        d->z[i] = g * z - e * v;
        const double at[2] = {d->x[i], d->y[i]};
        for (int c = 0; c < 2; c++) {
            least[c] = i == 0 ? at[c] : fmin(least[c], at[c]);
            most[c] = i == 0 ? at[c] : fmax(most[c], at[c]);
        }
    }
    double width = most[0] - least[0], height = most[1] - least[1];
    d->scale = 0.96 * fmin((d->box.right - d->box.left) / (width > 0 ? width : 1),
                           (d->box.bottom - d->box.top) / (height > 0 ? height : 1));
    for (int64_t i = 0; i < d->f->npositions; i++) {
        d->x[i] =
            (d->box.left + d->box.right) / 2 + d->scale * (d->x[i] - (least[0] + most[0]) / 2);
        d->y[i] =
            (d->box.top + d->box.bottom) / 2 + d->scale * (d->y[i] - (least[1] + most[1]) / 2);
        d->z[i] *= d->scale;
    }
}

static cleave_status project(drawing *d, cleave_error *err)
{
    double lo[3], hi[3];
    d->position = d->f->evened ? d->f->evened : d->f->position;
    clv_figure_bounds(d->f, d->position, lo, hi);
    d->x = clv_ws_alloc(d->ws, d->f->npositions, sizeof *d->x);
    d->y = clv_ws_alloc(d->ws, d->f->npositions, sizeof *d->y);
    d->z = clv_ws_alloc(d->ws, d->f->npositions, sizeof *d->z);
    if (!d->x || !d->y || !d->z)
        return clv_fail_memory(err);
    if (d->f->ndim == 3)
        project_solid(d, lo, hi);
    else
        project_flat(d, lo, hi);
    return CLEAVE_OK;
}

/* ---- Colours ---------------------------------------------------------------------------- */

static const char *const ink_class[] = {"", "strong", "muted", "faint", "paper", "accent"};
static const uint32_t ink_pixels[] = {0, 0x4a5560, 0x7d8894, 0xb9c2cb, 0xffffff, 0xe5484d};

static uint32_t rgb_of(const clv_figure *f, int32_t color)
{
    return color < 0 ? ink_pixels[-color] : f->palette[color % f->npalette];
}

/* ---- Pixels ----------------------------------------------------------------------------- */

static double ball_radius(const drawing *d, const clv_layer *layer, int64_t i)
{
    return fmax(0.5, (layer->sizes ? layer->sizes[i] : layer->size) * d->scale);
}

static void at_pixel(const drawing *d, int32_t p, double to[3])
{
    to[0] = (d->x[p] - d->box.left) * sharpness;
    to[1] = (d->y[p] - d->box.top) * sharpness;
    to[2] = d->f->ndim == 3 ? d->z[p] * sharpness : 0;
}

static double point_radius(const drawing *d, const clv_layer *layer, int64_t i)
{
    if (layer->balls)
        return ball_radius(d, layer, i);
    return layer->size > 0 ? layer->size : 2;
}

/* Upper bound on the radius of the points of a layer, in pixels of the raster. */
static double most_radius(const drawing *d, const clv_layer *layer, const clv_raster *r)
{
    double areas = 0, pixels = (double)r->width * r->height;
    for (int64_t i = 0; i < layer->count; i++) {
        double side = 2 * sharpness * point_radius(d, layer, i);
        areas += fmin(side * side, pixels);
    }
    return clv_raster_most_radius(r, layer->count, areas);
}

static void pixels_of_points(const drawing *d, const clv_layer *layer, clv_raster *r)
{
    double far = 0, near = 0, at[3];
    for (int64_t i = 0; d->f->ndim == 3 && i < d->f->npositions; i++) {
        far = i == 0 || d->z[i] < far ? d->z[i] : far;
        near = i == 0 || d->z[i] > near ? d->z[i] : near;
    }
    double span = near > far ? near - far : 1, most = most_radius(d, layer, r);
    for (int64_t i = 0; i < layer->count; i++) {
        int32_t p = clv_layer_at(layer, i);
        uint32_t rgb = rgb_of(d->f, clv_layer_color(layer, i));
        double radius = fmin(most, sharpness * point_radius(d, layer, i));
        at_pixel(d, p, at);
        if (r->depth)
            clv_raster_ball(r, at, fmax(1.1, radius), rgb, 0.8 + 0.2 * (d->z[p] - far) / span);
        else
            clv_raster_square(r, at[0], at[1], radius, rgb,
                              layer->opacity > 0 ? layer->opacity : 1);
    }
}

/* Depth offset of lines, so that they run over balls, not through them. */
static double lift_of(const drawing *d)
{
    double lift = 1;
    for (int i = 0; i < d->f->nlayers; i++)
        if (d->f->layer[i].balls && !d->f->layer[i].hidden)
            lift = fmax(lift, sharpness * d->f->layer[i].size * d->scale);
    return lift;
}

static void pixels_of_segments(const drawing *d, const clv_layer *layer, clv_raster *r)
{
    double lift = lift_of(d);
    for (int64_t i = 0; i < layer->count; i++) {
        double a[3], b[3];
        at_pixel(d, layer->at[2 * i], a);
        at_pixel(d, layer->at[2 * i + 1], b);
        a[2] += lift;
        b[2] += lift;
        int across =
            fabs(b[0] - a[0]) > fabs(b[1] - a[1]); /* wider across its main direction */
        double wide = sharpness * fmax(1, layer->size - 1);
        for (double w = 0; w < wide; w++, a[across]++, b[across]++)
            clv_raster_line(r, a, b, rgb_of(d->f, clv_layer_color(layer, i)),
                            layer->opacity > 0 ? layer->opacity : 1);
    }
}

static void pixels_of_areas(const drawing *d, const clv_layer *layer, clv_raster *r)
{
    enum { most = 64 };
    double x[most], y[most], at[3];
    for (int64_t i = 0; i < layer->count; i++) {
        int count = 0;
        for (int64_t k = layer->offset[i]; k < layer->offset[i + 1] && count < most; k++) {
            at_pixel(d, layer->at[k], at);
            x[count] = at[0];
            y[count++] = at[1];
        }
        clv_raster_polygon(r, count, x, y, rgb_of(d->f, clv_layer_color(layer, i)),
                           layer->opacity > 0 ? layer->opacity : 1);
    }
}

static bool in_pixels(const drawing *d, const clv_layer *layer)
{
    if (layer->kind == CLV_LAYER_AREAS)
        return layer->count > most_areas;
    bool fine = layer->kind == CLV_LAYER_POINTS || layer->kind == CLV_LAYER_SEGMENTS;
    return fine && (d->f->ndim == 3 || layer->count > most_shapes);
}

/* Rasterises layers first .. last - 1, as far as they are raster layers, into one image. */
static cleave_status draw_pixels(drawing *d, int first, int last, cleave_error *err)
{
    clv_ws_mark mark = clv_ws_save(d->ws);
    clv_raster r;
    double width = d->box.right - d->box.left, height = d->box.bottom - d->box.top;
    CLV_TRY(clv_raster_new(&r, (int32_t)ceil(width * sharpness),
                           (int32_t)ceil(height * sharpness), d->f->ndim == 3, d->ws, err));
    for (int pass = 0; pass < 2; pass++) /* balls first, because they hide lines */
        for (int i = first; i < last; i++) {
            const clv_layer *layer = &d->f->layer[i];
            bool points = layer->kind == CLV_LAYER_POINTS;
            if (layer->hidden || !in_pixels(d, layer) || points == (pass == 1))
                continue;
            if (points)
                pixels_of_points(d, layer, &r);
            else if (layer->kind == CLV_LAYER_AREAS)
                pixels_of_areas(d, layer, &r);
            else
                pixels_of_segments(d, layer, &r);
        }
    clv_buffer png = {0};
    clv_png(&png, r.width, r.height, r.rgba);
    d->svg->failed = d->svg->failed || png.failed;
    if (!d->svg->failed)
        clv_svg_image(d->svg,
                      (clv_rect){d->box.left, d->box.top, (double)r.width / sharpness,
                                 (double)r.height / sharpness},
                      png.text, png.used);
    clv_buffer_free(&png);
    clv_ws_restore(d->ws, mark);
    return CLEAVE_OK;
}

/* ---- Shapes ----------------------------------------------------------------------------- */

static double tenths(double pixels)
{
    return floor(pixels * 10 + 0.5) / 10;
}

static void shape_of(const drawing *d, const clv_layer *layer, int64_t i)
{
    clv_svg *svg = d->svg;
    int64_t first = clv_layer_first(layer, i), last = clv_layer_first(layer, i + 1);
    int32_t p = clv_layer_at(layer, first);
    if (layer->kind == CLV_LAYER_POINTS) {
        double r = layer->balls      ? fmin(3, ball_radius(d, layer, i))
                   : layer->sizes    ? layer->sizes[i]
                   : layer->size > 0 ? layer->size
                                     : 3;
        clv_svg_path_dot(svg, d->x[p], d->y[p], r);
        return;
    }
    if (layer->kind == CLV_LAYER_RECTS) {
        int32_t q = layer->at[first + 1];
        clv_svg_path_move(svg, d->x[p], d->y[p]);
        clv_svg_path_line(svg, d->x[q], d->y[p]);
        clv_svg_path_line(svg, d->x[q], d->y[q]);
        clv_svg_path_line(svg, d->x[p], d->y[q]);
        clv_svg_path_close(svg);
        return;
    }
    /* Tenths of a pixel, and relative instead of absolute coordinates, make the file a third
     * smaller. */
    double x = tenths(d->x[p]), y = tenths(d->y[p]);
    clv_svg_path_move(svg, x, y);
    for (int64_t k = first + 1; k < last; k++) {
        double to_x = tenths(d->x[layer->at[k]]), to_y = tenths(d->y[layer->at[k]]);
        clv_svg_path_step(svg, to_x - x, to_y - y);
        x = to_x;
        y = to_y;
    }
    if (layer->kind == CLV_LAYER_AREAS)
        clv_svg_path_close(svg);
}

static void head_of(const drawing *d, const clv_layer *layer, int64_t i)
{
    int32_t a = layer->at[2 * i], b = layer->at[2 * i + 1];
    double dx = d->x[b] - d->x[a], dy = d->y[b] - d->y[a], length = hypot(dx, dy);
    if (length < 4)
        return;
    double width = layer->sizes ? layer->sizes[i] : layer->size > 0 ? layer->size : 1;
    double size = fmin(length / 2, 3 + 2 * width) / length;
    dx *= size;
    dy *= size;
    clv_svg_path_move(d->svg, d->x[b], d->y[b]);
    clv_svg_path_line(d->svg, d->x[b] - dx - dy / 2, d->y[b] - dy + dx / 2);
    clv_svg_path_line(d->svg, d->x[b] - dx + dy / 2, d->y[b] - dy - dx / 2);
    clv_svg_path_close(d->svg);
}

/* The CSS style of items of a colour and, for lines, of a width. */
static void style_of(const drawing *d, const clv_layer *layer, int32_t color, double width,
                     char *style, size_t room)
{
    char paint[64] = "";
    uint32_t rgb = color < 0 ? 0 : rgb_of(d->f, color);
    bool line = layer->kind == CLV_LAYER_SEGMENTS, outline = layer->size > 0 && !line;
    if (color >= 0 && line)
        snprintf(paint, sizeof paint, "stroke:#%06x;", (unsigned)rgb);
    else if (color >= 0)
        snprintf(paint, sizeof paint, "fill:#%06x;%s", (unsigned)rgb,
                 outline || layer->kind == CLV_LAYER_POINTS ? "" : "stroke:inherit;");
    int hundredths = (int)(100 * width + 0.5);
    int percent = (int)(100 * (layer->opacity > 0 ? layer->opacity : 1) + 0.5);
    int used = snprintf(style, room, "%s", paint);
    if (line || (outline && layer->kind != CLV_LAYER_POINTS))
        used += snprintf(style + used, room - (size_t)used, "stroke-width:%d.%02d;",
                         hundredths / 100, hundredths % 100);
    if (color >= 0 && !line && !outline && layer->kind != CLV_LAYER_POINTS)
        used = snprintf(style, room, "fill:#%06x;stroke:#%06x;", (unsigned)rgb, (unsigned)rgb);
    if (percent < 100)
        used += snprintf(style + used, room - (size_t)used, "opacity:.%02d;", percent);
    if (layer->dashed)
        snprintf(style + used, room - (size_t)used, "stroke-dasharray:5 4;");
}

static void draw_batch(const drawing *d, const clv_layer *layer, int64_t count,
                       const int32_t *item)
{
    char style[128], kind[40];
    int32_t color = clv_layer_color(layer, item[0]);
    bool line = layer->kind == CLV_LAYER_SEGMENTS;
    double width = line && layer->sizes ? layer->sizes[item[0]] : layer->size;
    style_of(d, layer, color, width > 0 ? width : 1, style, sizeof style);
    snprintf(kind, sizeof kind, "%s%s", color < 0 ? ink_class[-color] : "part",
             line                              ? " line"
             : layer->kind == CLV_LAYER_POINTS ? ""
             : layer->size > 0                 ? " edge"
                                               : " area");
    clv_svg_group_with(d->svg, kind, NULL, style);
    clv_svg_path(d->svg, NULL);
    for (int64_t i = 0; i < count; i++)
        shape_of(d, layer, item[i]);
    clv_svg_path_end(d->svg);
    if (line && layer->arrows) {
        clv_svg_path(d->svg, "head");
        for (int64_t i = 0; i < count; i++)
            head_of(d, layer, item[i]);
        clv_svg_path_end(d->svg);
    }
    clv_svg_group_end(d->svg);
}

/* Sorts items by colour, otherwise in order.  If an item has its own width, it is drawn on its
 * own; otherwise items of a colour form one path. */
static cleave_status draw_shapes(drawing *d, const clv_layer *layer, cleave_error *err)
{
    const int32_t inks = 6, colors = d->f->npalette + inks;
    clv_ws_mark mark = clv_ws_save(d->ws);
    int64_t *from = clv_ws_zalloc(d->ws, colors + 1, sizeof *from);
    int32_t *item = clv_ws_alloc(d->ws, layer->count, sizeof *item);
    if (!from || !item)
        return clv_fail_memory(err);
    for (int64_t i = 0; i < layer->count; i++)
        from[clv_layer_color(layer, i) + inks + 1]++;
    clv_running_sums(from, colors);
    for (int64_t i = 0; i < layer->count; i++)
        item[from[clv_layer_color(layer, i) + inks]++] = (int32_t)i;
    bool apart = layer->kind == CLV_LAYER_SEGMENTS && layer->sizes;
    for (int64_t i = 0; i < layer->count;) {
        int64_t end = apart ? i + 1 : from[clv_layer_color(layer, item[i]) + inks];
        draw_batch(d, layer, end - i, item + i);
        i = end;
    }
    clv_ws_restore(d->ws, mark);
    return CLEAVE_OK;
}

static void draw_texts(const drawing *d, const clv_layer *layer)
{
    char style[64];
    for (int64_t i = 0; i < layer->count; i++) {
        int32_t p = clv_layer_at(layer, i);
        double size = layer->sizes ? layer->sizes[i] : layer->size > 0 ? layer->size : 12;
        if (!layer->texts[i])
            continue;
        snprintf(style, sizeof style, "font-size:%dpx", (int)(size + 0.5));
        clv_svg_group_with(d->svg, "over", NULL, style);
        clv_svg_text(d->svg, NULL, d->x[p], d->y[p] + 0.35 * size, CLV_ANCHOR_MIDDLE,
                     layer->texts[i]);
        clv_svg_group_end(d->svg);
    }
}

static void draw_inside(const drawing *d, const clv_layer *layer)
{
    for (int64_t i = 0; i < layer->count; i++) {
        int32_t p = layer->at[2 * i], q = layer->at[2 * i + 1];
        double width = fabs(d->x[q] - d->x[p]), height = fabs(d->y[q] - d->y[p]);
        const char *text = layer->texts[i];
        if (!text || height < 13 || clv_svg_text_width(text, 11) > width - 4)
            continue;
        uint32_t rgb = rgb_of(d->f, clv_layer_color(layer, i));
        bool light = 30 * (rgb >> 16) + 59 * (rgb >> 8 & 255) + 11 * (rgb & 255) > 14000;
        clv_svg_group_with(d->svg, NULL, NULL, light ? "fill:#111" : "fill:#fff");
        clv_svg_text(d->svg, "inside", (d->x[p] + d->x[q]) / 2, (d->y[p] + d->y[q]) / 2 + 4,
                     CLV_ANCHOR_MIDDLE, text);
        clv_svg_group_end(d->svg);
    }
}

static cleave_status draw_layers(drawing *d, cleave_error *err)
{
    bool done = false; /* the raster image of a three-dimensional figure */
    for (int i = 0; i < d->f->nlayers; i++) {
        const clv_layer *layer = &d->f->layer[i];
        if (layer->hidden || layer->count == 0)
            continue;
        if (in_pixels(d, layer)) {
            if (!done)
                CLV_TRY(draw_pixels(d, d->f->ndim == 3 ? 0 : i,
                                    d->f->ndim == 3 ? d->f->nlayers : i + 1, err));
            done = d->f->ndim == 3;
            continue;
        }
        clv_svg_group_with(d->svg, "layer", layer->name, NULL);
        if (layer->kind == CLV_LAYER_TEXTS)
            draw_texts(d, layer);
        else
            CLV_TRY(draw_shapes(d, layer, err));
        if (layer->kind == CLV_LAYER_RECTS && layer->texts)
            draw_inside(d, layer);
        clv_svg_group_end(d->svg);
    }
    return CLEAVE_OK;
}

/* ---- Title and legend ------------------------------------------------------------------- */

static void draw_legend(const drawing *d, double x, double top, double bottom)
{
    const clv_figure *f = d->f;
    int64_t rows = (int64_t)((bottom - top) / row) - 1;
    int64_t shown = f->nlegend <= rows ? f->nlegend : rows - 1;
    double y = top + 12;
    clv_svg_group_with(d->svg, "legend", "legend", NULL);
    clv_svg_text(d->svg, "heading", x, y, CLV_ANCHOR_START,
                 f->legend_title ? f->legend_title : "Legend");
    for (int64_t i = 0; i < shown; i++) {
        char style[40] = "";
        const clv_legend *entry = &f->legend[i];
        y += row;
        if (entry->color >= 0)
            snprintf(style, sizeof style, "fill:#%06x", (unsigned)rgb_of(f, entry->color));
        clv_svg_group_with(d->svg, entry->color < 0 ? ink_class[-entry->color] : NULL, NULL,
                           style);
        clv_svg_rect(d->svg, "swatch", (clv_rect){x, y - 11, 13, 13}, 3);
        clv_svg_group_end(d->svg);
        clv_svg_text(d->svg, NULL, x + 21, y, CLV_ANCHOR_START, entry->name);
        if (entry->value)
            clv_svg_text(d->svg, "value", x + legend_width - margin, y, CLV_ANCHOR_END,
                         entry->value);
    }
    if (shown < f->nlegend) {
        char more[48];
        snprintf(more, sizeof more, "and %lld more", (long long)(f->nlegend - shown));
        clv_svg_text(d->svg, "more", x + 21, y + row, CLV_ANCHOR_START, more);
    }
    clv_svg_group_end(d->svg);
}

cleave_status clv_figure_svg(clv_svg *svg, const clv_figure *f, clv_picture_size size,
                             clv_ws *ws, cleave_error *err)
{
    drawing d = {.svg = svg, .ws = ws, .f = f};
    double top = margin + (f->title ? 20 : 0) + (f->caption ? 20 : 0);
    double side = f->nlegend > 0 ? legend_width : 0;
    d.box = (clv_box){margin, top, size.width - margin - side, size.height - margin};
    clv_ws_mark mark = clv_ws_save(ws);
    clv_svg_open(svg, size.width, size.height, f->title, clv_figure_style);
    clv_svg_rect(svg, "paper", (clv_rect){0, 0, size.width, size.height}, 0);
    if (f->title)
        clv_svg_text(svg, "title", margin, margin + 9, CLV_ANCHOR_START, f->title);
    if (f->caption)
        clv_svg_text(svg, "caption", margin, margin + 29, CLV_ANCHOR_START, f->caption);
    CLV_TRY(project(&d, err));
    CLV_TRY(draw_layers(&d, err));
    if (f->nlegend > 0)
        draw_legend(&d, size.width - side, top, size.height - margin);
    clv_ws_restore(ws, mark);
    return clv_svg_close(svg, err);
}
