/* SPDX-License-Identifier: Apache-2.0 */
/* bench/layers/layers_plot.c - the rows of the paper's Figure 9 as plots. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "layers/layers.h"

enum { max_points = 240, max_series = 20, size_threads = 8 };

typedef struct points {
    double x[max_points], y[max_points];
    int count;
} points;

typedef struct picture {
    cleave_series series[max_series];
    points points[max_series];
    int count;
} picture;

static picture *start_picture(void)
{
    picture *p = calloc(1, sizeof *p);
    if (!p)
        bench_fail("out of memory");
    return p;
}

static points *start_series(picture *p, const char *name, int color, int dashed, int markers)
{
    cleave_series *s = &p->series[p->count];
    cleave_series_init(s, sizeof *s);
    s->name = name;
    s->line = CLEAVE_LINE_STRAIGHT;
    s->color = color;
    s->dashed = dashed;
    s->markers = markers;
    return &p->points[p->count++];
}

static void add_point(points *to, double x, double y)
{
    if (to->count < max_points && y > 0) {
        to->x[to->count] = x;
        to->y[to->count++] = y;
    }
}

static void write_picture(picture *p, const char *folder, const char *name,
                          const cleave_plot_options *opt)
{
    char path[600];
    cleave_error err;
    int kept = 0;
    for (int i = 0; i < p->count; i++) {
        p->series[i].x = p->points[i].x;
        p->series[i].y = p->points[i].y;
        p->series[i].count = p->points[i].count;
        if (p->points[i].count > 0)
            p->series[kept++] = p->series[i];
    }
    snprintf(path, sizeof path, "%s/%s.svg", folder, name);
    if (cleave_plot_write(path, kept, p->series, opt, &err) != CLEAVE_OK)
        bench_fail(err.message);
    printf("picture: %s\n", path);
    free(p);
}

static cleave_plot_options describe(const char *title, const char *subtitle, const char *x,
                                    const char *y, int log_x, int log_y)
{
    cleave_plot_options opt;
    cleave_plot_options_init(&opt, sizeof opt);
    opt.title = title;
    opt.subtitle = subtitle;
    opt.x_label = x;
    opt.y_label = y;
    opt.log_x = log_x;
    opt.log_y = log_y;
    opt.width = 800;
    opt.height = 520;
    return opt;
}

/* Work by layer or level; if there are many, a regular sample. */
static void add_sizes(points *to, int32_t count, int32_t each, const int64_t *work)
{
    int32_t step = 1 + count / (max_points - 1);
    for (int32_t l = 0; l < count; l += step) {
        double sum = 0;
        for (int32_t p = 0; p < each; p++)
            sum += (double)work[(int64_t)l * each + p];
        add_point(to, l + 1, sum);
    }
}

static void plot_sizes(const layers_view *v, const char *folder)
{
    picture *p = start_picture();
    for (int i = 0; i < npaper_graph; i++) {
        paper_work w;
        if (paper_work_of(v->s, paper_graphs[i], size_threads, &w)) {
            add_sizes(start_series(p, paper_graphs[i], i + 1, 0, 1), w.layers, w.threads,
                      w.work);
            add_sizes(start_series(p, NULL, i + 1, 1, 0), w.levels, 1, w.level);
        }
        paper_work_free(&w);
    }
    cleave_plot_options opt =
        describe("Super layers are few and large",
                 "Work of each super layer for 8 threads (full) and of each level of the DAG "
                 "(dashed, ALAP)",
                 "layer, level", "multiply-adds", 1, 1);
    write_picture(p, folder, "layers-sizes", &opt);
}

static void plot_work(const layers_view *v, const char *folder)
{
    static char names[size_threads][16];
    const char *graph = paper_graphs[work_graph];
    char subtitle[100];
    picture *p = start_picture();
    paper_work w;
    if (paper_work_of(v->s, graph, size_threads, &w))
        for (int t = 0; t < size_threads; t++) {
            snprintf(names[t], sizeof names[t], "thread %d", t);
            points *to = start_series(p, names[t], t + 1, 0, 1);
            p->series[t].line = CLEAVE_LINE_NONE;
            for (int32_t l = 0; l < w.layers; l++)
                add_point(to, l + 1, (double)w.work[l * size_threads + t]);
        }
    paper_work_free(&w);
    snprintf(subtitle, sizeof subtitle,
             "%s, 8 threads, method graphopt; threads without work are not drawn", graph);
    cleave_plot_options opt = describe("Work of each thread in each super layer", subtitle,
                                       "layer", "multiply-adds", 0, 0);
    write_picture(p, folder, "layers-work", &opt);
}

static void plot_threads(const layers_view *v, const char *folder)
{
    picture *p = start_picture();
    for (int i = 0; i < npaper_graph; i++)
        for (int c = 0; c < npaper_curve; c += 2) {
            points *to = start_series(p, c == 0 ? paper_graphs[i] : NULL, i + 1, c > 0, 1);
            for (int k = 0; k < npaper_threads; k++) {
                const layers_row *r =
                    layers_get(v, paper_graphs[i], paper_curves[c], paper_threads[k]);
                add_point(to, paper_threads[k], r ? r->speed_up : 0);
            }
        }
    cleave_plot_options opt = describe(
        "Speed-up by number of threads",
        "By the cost model: method graphopt (full), a layer for each level of the DAG "
        "(dashed)",
        "threads", "speed-up over serial", 0, 0);
    opt.mark_y = 1;
    write_picture(p, folder, "layers-threads", &opt);
}

static int by_x(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static void plot_switches(const layers_view *v, const char *folder)
{
    static const char *const names[npaper_switch] = {"all on", "without S1", "without S2",
                                                     "without S3", "without all three"};
    picture *p = start_picture();
    for (int w = 0; w < npaper_switch; w++) {
        points *to = start_series(p, names[w], w + 1, 0, 1);
        double found[npaper_graph][2];
        int count = 0;
        for (int i = 0; i < npaper_graph; i++) {
            const layers_row *r = layers_get(v, paper_graphs[i], paper_switches[w], 8);
            if (r) {
                found[count][0] = (double)r->total;
                found[count++][1] = r->seconds;
            }
        }
        qsort(found, (size_t)count, sizeof found[0], by_x);
        for (int i = 0; i < count; i++)
            add_point(to, found[i][0], found[i][1]);
    }
    cleave_plot_options opt = describe(
        "What the window (S1), components (S2) and list coarsening (S3) save",
        "Time to schedule for 8 threads, method graphopt; what was given up is not shown",
        "multiply-adds of the graph", "seconds", 1, 1);
    write_picture(p, folder, "layers-switches", &opt);
}

void paper_plots(const layers_view *v, const char *folder)
{
    plot_sizes(v, folder);
    plot_work(v, folder);
    plot_threads(v, folder);
    plot_switches(v, folder);
}
