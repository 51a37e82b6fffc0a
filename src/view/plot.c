/* SPDX-License-Identifier: Apache-2.0 */
/* view/plot.c - lays out and draws a chart.
 *
 * From top to bottom: title, subtitle, legend (as many rows as needed), the frame with its
 * grid, tick labels, axis label.  The frame gets the space that remains.  All pixel positions
 * are computed once; the labels of points come last and avoid everything else
 * (view/labels.c). */
#include "view/plot.h"

#include <math.h>
#include <string.h>

#include "view/axis.h"
#include "view/labels.h"

static const double margin = 16, label_size = 11, text_size = 12, mark_radius = 4.5;

typedef struct chart {
    clv_svg *svg;
    clv_ws *ws;
    const cleave_plot_options *opt;
    int32_t nseries;
    const cleave_series *series;
    double **x, **y; /* pixels of the points of each series */
    clv_box frame;
    clv_axis axis[2]; /* x, y */
    clv_tick tick[2][CLV_MAX_TICKS];
    int nticks[2];
} chart;

/* ---- Colours and shapes ---------------------------------------------------------------- */

/* 0: grey; 1 ...  8: from the palette.  Series without a colour get the next in turn. */
static int color_of(const chart *c, int32_t s)
{
    int32_t color = c->series[s].color;
    if (color != 0)
        return color < 0 ? 0 : color;
    int before = 0;
    for (int32_t i = 0; i < s; i++)
        before += c->series[i].color == 0;
    return before % 8 + 1;
}

static const char *color_class(const chart *c, int32_t s)
{
    static const char *const names[] = {"c0", "c1", "c2", "c3", "c4", "c5", "c6", "c7", "c8"};
    return names[color_of(c, s)];
}

static void draw_polygon(clv_svg *svg, const char *kind, double x, double y, int corners,
                         const double (*corner)[2])
{
    clv_svg_path(svg, kind);
    for (int i = 0; i < corners; i++) {
        double px = x + mark_radius * corner[i][0], py = y + mark_radius * corner[i][1];
        if (i == 0)
            clv_svg_path_move(svg, px, py);
        else
            clv_svg_path_line(svg, px, py);
    }
    clv_svg_path_close(svg);
    clv_svg_path_end(svg);
}

/* The shape depends on the colour: circle, square, diamond, triangle. */
static void draw_marker(const chart *c, int32_t s, double x, double y)
{
    static const double diamond[][2] = {{0, -1.3}, {1.3, 0}, {0, 1.3}, {-1.3, 0}};
    static const double triangle[][2] = {{0, -1.2}, {1.15, 0.85}, {-1.15, 0.85}};
    const char *kind = c->series[s].dashed ? "ring" : "dot";
    const double half = 0.9 * mark_radius;
    int color = color_of(c, s);
    if (color == 0)
        clv_svg_circle(c->svg, kind, x, y, 0.8 * mark_radius);
    else if (color % 4 == 1)
        clv_svg_circle(c->svg, kind, x, y, mark_radius);
    else if (color % 4 == 2)
        clv_svg_rect(c->svg, kind, (clv_rect){x - half, y - half, 2 * half, 2 * half}, 1);
    else if (color % 4 == 3)
        draw_polygon(c->svg, kind, x, y, 4, diamond);
    else
        draw_polygon(c->svg, kind, x, y, 3, triangle);
}

/* ---- Title and legend ------------------------------------------------------------------ */

/* Draws the lines of a text from baseline y on and returns the next baseline. */
static cleave_status draw_lines(chart *c, const char *kind, const char *text, double *y,
                                cleave_error *err)
{
    clv_ws_mark mark = clv_ws_save(c->ws);
    while (*text) {
        size_t length = strcspn(text, "\n");
        char *line = clv_ws_alloc(c->ws, (int64_t)length + 1, 1);
        if (!line)
            return clv_fail_memory(err);
        memcpy(line, text, length);
        line[length] = '\0';
        clv_svg_text(c->svg, kind, margin, *y, CLV_ANCHOR_START, line);
        *y += 1.4 * text_size;
        text += length + (text[length] == '\n');
    }
    clv_ws_restore(c->ws, mark);
    return CLEAVE_OK;
}

static cleave_status draw_title(chart *c, double *top, cleave_error *err)
{
    double y = margin + 14;
    if (c->opt->title) {
        clv_svg_text(c->svg, "title", margin, y, CLV_ANCHOR_START, c->opt->title);
        y += 21;
    }
    if (c->opt->subtitle)
        CLV_TRY(draw_lines(c, "subtitle", c->opt->subtitle, &y, err));
    *top = c->opt->title || c->opt->subtitle ? y - 10 : margin;
    return CLEAVE_OK;
}

static void draw_legend_entry(const chart *c, int32_t s, double x, double y)
{
    const cleave_series *series = &c->series[s];
    double middle = y - 4;
    clv_svg_group(c->svg, color_class(c, s));
    if (series->line != CLEAVE_LINE_NONE)
        clv_svg_line(c->svg, series->dashed ? "line dash" : "line", x, middle, x + 26, middle);
    if (series->markers)
        draw_marker(c, s, x + 13, middle);
    clv_svg_group_end(c->svg);
    clv_svg_text(c->svg, "name", x + 33, y, CLV_ANCHOR_START, series->name);
}

/* Entries side by side, wrapped at the right margin; *top moves below them. */
static void draw_legend(const chart *c, double *top)
{
    const double row = 20, gap = 20;
    double x = margin, y = *top + 16;
    bool any = false;
    for (int32_t s = 0; s < c->nseries; s++) {
        if (!c->series[s].name)
            continue;
        double width = 33 + clv_svg_text_width(c->series[s].name, text_size) + gap;
        if (any && x + width - gap > c->opt->width - margin) {
            x = margin;
            y += row;
        }
        draw_legend_entry(c, s, x, y);
        x += width;
        any = true;
    }
    if (any)
        *top = y + 8;
}

/* ---- Axes ------------------------------------------------------------------------------ */

static cleave_status check_value(const cleave_series *s, int32_t i, bool log, double value,
                                 const char *axis, cleave_error *err)
{
    if (isfinite(value) && (!log || value > 0))
        return CLEAVE_OK;
    return clv_fail(err, CLEAVE_EINVAL, "%s[%d] of series \"%.60s\" is %s", axis, (int)i,
                    s->name ? s->name : "",
                    isfinite(value) ? "not positive on a logarithmic axis" : "not finite");
}

static void include_value(double value, double *lo, double *hi)
{
    *lo = value < *lo ? value : *lo;
    *hi = value > *hi ? value : *hi;
}

/* The interval of an axis: as given, or the range of the values and the mark. */
static cleave_status span_axis(chart *c, int which, double lo, double hi, cleave_error *err)
{
    clv_axis *axis = &c->axis[which];
    bool given = lo < hi;
    double mark = which ? c->opt->mark_y : c->opt->mark_x;
    axis->log = which ? c->opt->log_y : c->opt->log_x;
    axis->lo = INFINITY;
    axis->hi = -INFINITY;
    for (int32_t s = 0; s < c->nseries; s++)
        for (int32_t i = 0; i < c->series[s].count; i++) {
            double value = which ? c->series[s].y[i] : c->series[s].x[i];
            CLV_TRY(check_value(&c->series[s], i, axis->log, value, which ? "y" : "x", err));
            include_value(value, &axis->lo, &axis->hi);
        }
    if (mark != 0 && isfinite(mark) && (mark > 0 || !axis->log))
        include_value(mark, &axis->lo, &axis->hi);
    if (given) {
        axis->lo = lo;
        axis->hi = hi;
        return CLEAVE_OK;
    }
    if (!(axis->lo <= axis->hi)) { /* no points */
        axis->lo = axis->log ? 1 : 0;
        axis->hi = axis->log ? 10 : 1;
    }
    clv_axis_pad(axis->log, &axis->lo, &axis->hi);
    return CLEAVE_OK;
}

static void lay_out_frame(chart *c, double top)
{
    const cleave_plot_options *opt = c->opt;
    c->frame.top = top + 8;
    c->frame.bottom = opt->height - margin - 18 - (opt->x_label ? 22 : 0);
    c->frame.right = opt->width - margin - 6;
    c->axis[1].from = c->frame.bottom;
    c->axis[1].to = c->frame.top;
    c->nticks[1] =
        clv_axis_ticks(&c->axis[1], (int)((c->frame.bottom - c->frame.top) / 36), c->tick[1]);
    double widest = 0;
    for (int i = 0; i < c->nticks[1]; i++)
        widest = fmax(widest, clv_svg_text_width(c->tick[1][i].label, label_size));
    c->frame.left = margin + widest + 8 + (opt->y_label ? 22 : 0);
    c->axis[0].from = c->frame.left;
    c->axis[0].to = c->frame.right;
    c->nticks[0] =
        clv_axis_ticks(&c->axis[0], (int)((c->frame.right - c->frame.left) / 64), c->tick[0]);
}

/* Is there a mark within the axis? */
static bool has_mark_within(const clv_axis *axis, double mark)
{
    return mark != 0 && mark > axis->lo && mark < axis->hi;
}

static void draw_grid(const chart *c)
{
    clv_svg_group(c->svg, NULL);
    for (int i = 0; i < c->nticks[0]; i++) {
        double x = clv_axis_pixel(&c->axis[0], c->tick[0][i].value);
        clv_svg_line(c->svg, "grid", x, c->frame.top, x, c->frame.bottom);
        clv_svg_text(c->svg, "tick", x, c->frame.bottom + 16, CLV_ANCHOR_MIDDLE,
                     c->tick[0][i].label);
    }
    for (int i = 0; i < c->nticks[1]; i++) {
        double y = clv_axis_pixel(&c->axis[1], c->tick[1][i].value);
        clv_svg_line(c->svg, "grid", c->frame.left, y, c->frame.right, y);
        clv_svg_text(c->svg, "tick", c->frame.left - 7, y + 4, CLV_ANCHOR_END,
                     c->tick[1][i].label);
    }
    if (has_mark_within(&c->axis[0], c->opt->mark_x)) {
        double x = clv_axis_pixel(&c->axis[0], c->opt->mark_x);
        clv_svg_line(c->svg, "mark", x, c->frame.top, x, c->frame.bottom);
    }
    if (has_mark_within(&c->axis[1], c->opt->mark_y)) {
        double y = clv_axis_pixel(&c->axis[1], c->opt->mark_y);
        clv_svg_line(c->svg, "mark", c->frame.left, y, c->frame.right, y);
    }
    clv_svg_path(c->svg, "axis");
    clv_svg_path_move(c->svg, c->frame.left, c->frame.top);
    clv_svg_path_line(c->svg, c->frame.left, c->frame.bottom);
    clv_svg_path_line(c->svg, c->frame.right, c->frame.bottom);
    clv_svg_path_end(c->svg);
    clv_svg_group_end(c->svg);
}

static void draw_axis_labels(const chart *c)
{
    double middle_x = 0.5 * (c->frame.left + c->frame.right);
    double middle_y = 0.5 * (c->frame.top + c->frame.bottom);
    if (c->opt->x_label)
        clv_svg_text(c->svg, NULL, middle_x, c->opt->height - margin + 2, CLV_ANCHOR_MIDDLE,
                     c->opt->x_label);
    if (c->opt->y_label)
        clv_svg_text_upward(c->svg, NULL, margin + 8, middle_y, CLV_ANCHOR_MIDDLE,
                            c->opt->y_label);
}

/* ---- Series ---------------------------------------------------------------------------- */

static cleave_status find_pixels(chart *c, cleave_error *err)
{
    c->x = clv_ws_alloc(c->ws, c->nseries, sizeof *c->x);
    c->y = clv_ws_alloc(c->ws, c->nseries, sizeof *c->y);
    if (!c->x || !c->y)
        return clv_fail_memory(err);
    for (int32_t s = 0; s < c->nseries; s++) {
        const cleave_series *series = &c->series[s];
        c->x[s] = clv_ws_alloc(c->ws, series->count, sizeof **c->x);
        c->y[s] = clv_ws_alloc(c->ws, series->count, sizeof **c->y);
        if (!c->x[s] || !c->y[s])
            return clv_fail_memory(err);
        for (int32_t i = 0; i < series->count; i++) {
            c->x[s][i] = clv_axis_pixel(&c->axis[0], series->x[i]);
            c->y[s][i] = clv_axis_pixel(&c->axis[1], series->y[i]);
        }
    }
    return CLEAVE_OK;
}

static void draw_line(const chart *c, int32_t s)
{
    const cleave_series *series = &c->series[s];
    const double *x = c->x[s], *y = c->y[s];
    if (series->line == CLEAVE_LINE_NONE || series->count < 2)
        return;
    const char *kind = series->dashed ? "line dash" : "line";
    if (series->line == CLEAVE_LINE_STRAIGHT) {
        clv_svg_polyline(c->svg, kind, series->count, x, y);
        return;
    }
    clv_svg_path(c->svg, kind);
    clv_svg_path_move(c->svg, x[0], y[0]);
    for (int32_t i = 1; i < series->count; i++) {
        clv_svg_path_line(c->svg, x[i], y[i - 1]);
        if (y[i] != y[i - 1])
            clv_svg_path_line(c->svg, x[i], y[i]);
    }
    clv_svg_path_end(c->svg);
}

/* All lines before all points, so that no line crosses a point. */
static void draw_series(const chart *c)
{
    for (int32_t s = 0; s < c->nseries; s++) {
        clv_svg_group(c->svg, color_class(c, s));
        draw_line(c, s);
        clv_svg_group_end(c->svg);
    }
    for (int32_t s = 0; s < c->nseries; s++) {
        clv_svg_group(c->svg, color_class(c, s));
        for (int32_t i = 0; c->series[s].markers && i < c->series[s].count; i++)
            draw_marker(c, s, c->x[s][i], c->y[s][i]);
        clv_svg_group_end(c->svg);
    }
}

/* ---- Labels ---------------------------------------------------------------------------- */

static const char *label_of(const cleave_series *s, int32_t i)
{
    return s->labels ? s->labels[i] : NULL;
}

static cleave_status gather_obstacles(const chart *c, clv_obstacles *o, cleave_error *err)
{
    int64_t points = 0;
    for (int32_t s = 0; s < c->nseries; s++)
        points += c->series[s].count;
    clv_box *box = clv_ws_alloc(c->ws, points, sizeof *box);
    clv_segment *segment = clv_ws_alloc(c->ws, 2 * points, sizeof *segment);
    if (!box || !segment)
        return clv_fail_memory(err);
    *o = (clv_obstacles){.frame = c->frame, .box = box, .segment = segment};
    for (int32_t s = 0; s < c->nseries; s++) {
        bool lined = c->series[s].line != CLEAVE_LINE_NONE;
        bool steps = c->series[s].line == CLEAVE_LINE_STEPS;
        for (int32_t i = 0; i < c->series[s].count; i++) {
            double x = c->x[s][i], y = c->y[s][i], r = mark_radius + 2;
            box[o->nbox++] = (clv_box){x - r, y - r, x + r, y + r};
            if (!lined || i == 0)
                continue;
            double x0 = c->x[s][i - 1], y0 = c->y[s][i - 1];
            segment[o->nsegment++] = (clv_segment){x0, y0, x, steps ? y0 : y};
            if (steps)
                segment[o->nsegment++] = (clv_segment){x, y0, x, y};
        }
    }
    return CLEAVE_OK;
}

static void draw_label(const chart *c, const clv_label *l)
{
    if (l->leader) { /* from the edge of the point to the nearest point of the box */
        double x = fmin(fmax(l->x, l->box.left), l->box.right);
        double y = fmin(fmax(l->y, l->box.top), l->box.bottom);
        double way = hypot(x - l->x, y - l->y), begin = way > 0 ? (mark_radius + 1) / way : 0;
        clv_svg_line(c->svg, "lead", l->x + begin * (x - l->x), l->y + begin * (y - l->y), x,
                     y);
    }
    clv_svg_text(c->svg, "label", l->box.left, l->box.bottom - 0.28 * l->height,
                 CLV_ANCHOR_START, l->text);
}

static cleave_status draw_labels(const chart *c, cleave_error *err)
{
    int64_t count = 0;
    for (int32_t s = 0; s < c->nseries; s++)
        for (int32_t i = 0; i < c->series[s].count; i++)
            count += label_of(&c->series[s], i) != NULL;
    if (count == 0)
        return CLEAVE_OK;
    clv_obstacles obstacles;
    clv_label *label = clv_ws_zalloc(c->ws, count, sizeof *label);
    if (!label)
        return clv_fail_memory(err);
    CLV_TRY(gather_obstacles(c, &obstacles, err));
    count = 0;
    for (int32_t s = 0; s < c->nseries; s++)
        for (int32_t i = 0; i < c->series[s].count; i++) {
            const char *text = label_of(&c->series[s], i);
            if (text)
                label[count++] = (clv_label){.text = text,
                                             .x = c->x[s][i],
                                             .y = c->y[s][i],
                                             .width = clv_svg_text_width(text, label_size),
                                             .height = 1.25 * label_size};
        }
    clv_labels_place(label, count, &obstacles);
    clv_svg_group(c->svg, NULL);
    for (int64_t i = 0; i < count; i++)
        draw_label(c, &label[i]);
    clv_svg_group_end(c->svg);
    return CLEAVE_OK;
}

/* ---- The chart ------------------------------------------------------------------------- */

static cleave_status draw(chart *c, clv_plot_range range, cleave_error *err)
{
    double top;
    CLV_TRY(span_axis(c, 0, range.x_lo, range.x_hi, err));
    CLV_TRY(span_axis(c, 1, range.y_lo, range.y_hi, err));
    clv_svg_open(c->svg, c->opt->width, c->opt->height, c->opt->title, clv_plot_style);
    clv_svg_rect(c->svg, "paper", (clv_rect){0, 0, c->opt->width, c->opt->height}, 0);
    CLV_TRY(draw_title(c, &top, err));
    draw_legend(c, &top);
    lay_out_frame(c, top);
    if (c->frame.right - c->frame.left < 60 || c->frame.bottom - c->frame.top < 60)
        return clv_fail(err, CLEAVE_EINVAL,
                        "%d x %d pixels are too few for so many names and texts",
                        (int)c->opt->width, (int)c->opt->height);
    draw_grid(c);
    draw_axis_labels(c);
    CLV_TRY(find_pixels(c, err));
    draw_series(c);
    CLV_TRY(draw_labels(c, err));
    return clv_svg_close(c->svg, err);
}

cleave_status clv_plot_draw(clv_svg *svg, const clv_plot *plot, clv_ws *ws, cleave_error *err)
{
    clv_ws_mark mark = clv_ws_save(ws);
    chart *c = clv_ws_zalloc(ws, 1, sizeof *c);
    if (!c)
        return clv_fail_memory(err);
    c->svg = svg;
    c->ws = ws;
    c->opt = plot->opt;
    c->nseries = plot->nseries;
    c->series = plot->series;
    cleave_status status = draw(c, plot->range, err);
    clv_ws_restore(ws, mark);
    return status;
}
