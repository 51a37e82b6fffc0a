/* SPDX-License-Identifier: Apache-2.0 */
/* api/view_schedule.c - cleave_view_schedule: the chart of a schedule, and tables about it. */
#include <math.h>
#include <string.h>

#include "api/view_charts.h"
#include "graph/schedule_costs.h"

enum { most_rows = 5000 };

static const char *const formats[] = {"svg", "html", "json", NULL};

typedef struct viewing {
    clv_view_chart c;
    const clv_graph *g;
    const clv_schedule *s;
    cleave_schedule_costs costs;
    cleave_schedule_metrics metrics;
    clv_gantt gantt;
    clv_figure figure;
} viewing;

/* To tenths, such that it prints as that. */
static double rounded(double value)
{
    return floor(value * 10 + 0.5) / 10;
}

static void put_metrics(clv_page *page, const viewing *v)
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

static cleave_status put_threads(clv_page *page, viewing *v, cleave_error *err)
{
    enum { columns = 4 };
    static const char *const header[columns] = {"Thread", "Work", "Share of the cost, %",
                                                "Crossing edges in"};
    int32_t n = v->s->threads < most_rows ? v->s->threads : most_rows;
    double *value =
        clv_arena_zalloc(&v->c.arena, (int64_t)v->s->threads * columns, sizeof *value);
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
    CLV_TRY(clv_view_chart_cells(&v->c, columns, n, value, &cell, err));
    clv_page_table(page, "Threads", columns, header, n, cell);
    return CLEAVE_OK;
}

static cleave_status put_layers(clv_page *page, viewing *v, cleave_error *err)
{
    enum { columns = 6 };
    static const char *const header[columns] = {"Layer",      "Vertices", "Work",
                                                "Balance, %", "Cost",     "Crossing edges in"};
    int64_t shown = v->gantt.nshares < most_rows ? v->gantt.nshares : most_rows;
    int64_t all = v->gantt.nshares;
    double *value = clv_arena_zalloc(&v->c.arena, all * columns, sizeof *value);
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
    CLV_TRY(clv_view_chart_cells(&v->c, columns, shown, value, &cell, err));
    clv_page_table(page, each > 1 ? "Layers, from each on" : "Layers", columns, header, shown,
                   cell);
    return CLEAVE_OK;
}

static cleave_status fill_page(clv_page *page, viewing *v, const char *title,
                               cleave_error *err)
{
    clv_page_open(page, title, v->gantt.caption);
    clv_figure untitled = v->figure;
    untitled.title = v->gantt.title;
    untitled.caption = NULL;
    clv_page_figure(page, &untitled, false);
    if (!clv_view_results(page, &v->c.opt))
        put_metrics(page, v);
    CLV_TRY(put_threads(page, v, err));
    CLV_TRY(put_layers(page, v, err));
    return clv_page_close(page, err);
}

static cleave_status write(viewing *v, cleave_error *err)
{
    const char *title = v->c.opt.title ? v->c.opt.title : "A schedule";
    CLV_TRY(cleave_evaluate_schedule(&v->metrics, v->g, v->s, &v->costs, err));
    CLV_TRY(clv_view_gantt_schedule(&v->gantt, &v->c, v->g, v->s, &v->costs, err));
    if (strcmp(v->c.format, "json") == 0)
        return clv_view_chart_trace(&v->c, title, 1, &v->gantt, err);
    CLV_TRY(clv_gantt_figure(&v->figure, &v->gantt, &v->c.arena, v->c.ctx.ws, err));
    if (strcmp(v->c.format, "svg") == 0) {
        v->figure.title = title;
        return clv_view_chart_svg(&v->c, title, 1, &v->figure, (double[]){1}, err);
    }
    clv_page page = {0};
    cleave_status status = fill_page(&page, v, title, err);
    if (status == CLEAVE_OK)
        status = clv_view_save(v->c.path, &page.out, err);
    clv_page_free(&page);
    return status;
}

cleave_status cleave_view_schedule(const char *path, const cleave_graph *g,
                                   const cleave_schedule *s,
                                   const cleave_schedule_costs *costs,
                                   const cleave_view_options *opt, cleave_error *err)
{
    viewing v = {.g = g, .s = s};
    if (!g || !s)
        return clv_fail(err, CLEAVE_EINVAL, "%s is NULL", g ? "the schedule" : "the graph");
    CLV_TRY(clv_schedule_costs_take(&v.costs, costs, err));
    CLV_TRY(cleave_schedule_check(s, g, err));
    CLV_TRY(clv_view_chart_open(&v.c, path, opt, formats, err));
    cleave_schedule_metrics_init(&v.metrics, sizeof v.metrics);
    cleave_status status = write(&v, err);
    clv_view_chart_close(&v.c);
    return status;
}
