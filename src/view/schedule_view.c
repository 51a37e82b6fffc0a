/* SPDX-License-Identifier: Apache-2.0 */
/* view/schedule_view.c - clv_draw_schedule: the chart of a schedule, and tables about it. */
#include <math.h>
#include <string.h>

#include "evaluate/schedule_metrics.h"
#include "view/drawing.h"

enum { most_rows = 5000 };

typedef struct schedule_view {
    clv_drawing *d;
    const clv_graph *g;
    const clv_schedule *s;
    cleave_schedule_metrics metrics;
    clv_gantt gantt;
    clv_figure figure;
} schedule_view;

/* Rounds to tenths, so that it prints with one digit. */
static double rounded(double value)
{
    return floor(value * 10 + 0.5) / 10;
}

static void put_metrics(clv_page *page, const schedule_view *v)
{
    const cleave_schedule_metrics *m = &v->metrics;
    const clv_metric row[] = {
        clv_metric_int("Levels of the DAG", "levels", m->levels),
        clv_metric_int("Layers", "layers", m->layers),
        clv_metric_int("Threads with work", "threads_used", m->threads_used),
        clv_metric_int("Work", "work_total", m->work_total),
        clv_metric_int("Work of the slowest threads", "work_max", m->work_max),
        clv_metric_real("Mean parallelism", "mean_parallelism", m->mean_parallelism),
        clv_metric_int("Arcs that cross threads", "crossing_edges", m->crossing_edges),
        clv_metric_real("Cost", "cost", m->cost),
        clv_metric_real("Cost of one thread", "cost_serial", m->cost_serial),
        clv_metric_real("Predicted speed-up", "predicted_speedup", m->predicted_speedup)};
    clv_page_metrics(page, "Metrics", sizeof row / sizeof *row, row);
}

static cleave_status put_threads(clv_page *page, schedule_view *v, cleave_error *err)
{
    enum { columns = 4 };
    static const char *const header[columns] = {"Thread", "Work", "Share of the cost, %",
                                                "Crossing edges in"};
    int32_t n = v->s->threads < most_rows ? v->s->threads : most_rows;
    double *value =
        clv_arena_zalloc(&v->d->arena, (int64_t)v->s->threads * columns, sizeof *value);
    const char *const *cell;
    if (!value)
        return clv_fail_memory(err);
    for (int64_t i = 0; i < v->gantt.nbars; i++) {
        const clv_bar *bar = &v->gantt.bar[i];
        double *row = value + (int64_t)bar->thread * columns;
        row[1] += (double)bar->work;
        row[3] += (double)bar->crossing;
    }
    for (int32_t t = 0; t < v->s->threads; t++) {
        double *row = value + (int64_t)t * columns;
        row[0] = t;
        row[2] = v->gantt.length > 0 ? rounded(100 * row[1] / v->gantt.length) : 0;
    }
    CLV_TRY(clv_drawing_cells(v->d, columns, n, value, &cell, err));
    clv_page_table(page, "Threads", columns, header, n, cell);
    return CLEAVE_OK;
}

static cleave_status put_layers(clv_page *page, schedule_view *v, cleave_error *err)
{
    enum { columns = 6 };
    static const char *const header[columns] = {"Layer",      "Vertices", "Work",
                                                "Balance, %", "Cost",     "Crossing edges in"};
    int64_t shown = v->gantt.nshares < most_rows ? v->gantt.nshares : most_rows;
    int64_t all = v->gantt.nshares;
    double *value = clv_arena_zalloc(&v->d->arena, all * columns, sizeof *value);
    const char *const *cell;
    if (!value)
        return clv_fail_memory(err);
    int64_t each = all > 0 ? ((int64_t)v->s->layers + all - 1) / all : 1;
    for (int64_t i = 0; i < v->gantt.nbars; i++) {
        double *row = value + v->gantt.bar[i].first / each * columns;
        row[1] += (double)v->gantt.bar[i].vertices;
        row[2] += (double)v->gantt.bar[i].work;
    }
    for (int64_t i = 0; i < all; i++) {
        double *row = value + i * columns;
        row[0] = (double)(i * each);
        row[3] = rounded(100 * v->gantt.balance[i]);
        row[4] = v->gantt.barrier[2 * i + 1] - v->gantt.share[2 * i];
        row[5] = (double)v->gantt.crossing[i];
    }
    CLV_TRY(clv_drawing_cells(v->d, columns, shown, value, &cell, err));
    clv_page_table(page, each > 1 ? "Layers, from each on" : "Layers", columns, header, shown,
                   cell);
    return CLEAVE_OK;
}

static cleave_status fill_page(clv_page *page, schedule_view *v, const char *title,
                               cleave_error *err)
{
    clv_page_open(page, title, v->gantt.caption);
    clv_figure untitled = v->figure;
    untitled.title = v->gantt.title;
    untitled.caption = NULL;
    clv_page_figure(page, &untitled, false);
    if (!clv_drawing_results(page, &v->d->opt))
        put_metrics(page, v);
    CLV_TRY(put_threads(page, v, err));
    CLV_TRY(put_layers(page, v, err));
    return clv_page_close(page, err);
}

cleave_status clv_draw_schedule(clv_drawing *d, const clv_graph *g, const clv_schedule *s,
                                const cleave_schedule_costs *costs, cleave_error *err)
{
    schedule_view v = {.d = d, .g = g, .s = s, .metrics = {.size = sizeof v.metrics}};
    clv_ws *ws = d->ctx.ws;
    const char *title = d->opt.title ? d->opt.title : "A schedule";
    CLV_TRY(clv_evaluate_schedule_metrics(&v.metrics, g, s, costs, ws, err));
    CLV_TRY(clv_schedule_gantt(&v.gantt, d, g, s, costs, err));
    if (strcmp(d->format, "json") == 0)
        return clv_drawing_trace(d, title, 1, &v.gantt, err);
    CLV_TRY(clv_gantt_figure(&v.figure, &v.gantt, &d->arena, ws, err));
    if (strcmp(d->format, "svg") == 0) {
        v.figure.title = title;
        return clv_drawing_svg(d, title, 1, &v.figure, (double[]){1}, err);
    }
    clv_page page = {0};
    return clv_drawing_page(d, &page, fill_page(&page, &v, title, err));
}
