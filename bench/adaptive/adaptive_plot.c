/* SPDX-License-Identifier: Apache-2.0 */
/* bench/adaptive/adaptive_plot.c - plots of cross edges by number of parts: ours as solid
 * lines, the paper's dashed in the same colour. */
#include <stdio.h>
#include <string.h>

#include "adaptive/adaptive.h"

typedef struct curve {
    paper_method m;
    const char *name, *paper; /* NULL: the paper does not have it */
    int color;
} curve;

static const curve curves[] = {
    {P_RCB, "RCB", "RCB, paper", 1},
    {P_HCI, "HCI", "HCI, paper", 2},
    {P_RSBI, "RSBI, 1024 leaves", "RSBI, paper", 3},
    {P_RSB, "RSB", "RSB, paper", 4},
    {P_MULTILEVEL, "multilevel order, cut", NULL, 5},
    {P_SPLIT_REFINE, "the same, refined", NULL, 6},
};
enum { ncurve = sizeof curves / sizeof *curves };

typedef struct points {
    double x[npaper_part], y[npaper_part];
    int count;
} points;

static cleave_series series_of(const points *p, const char *name, int color, int dashed)
{
    cleave_series s;
    cleave_series_init(&s, sizeof s);
    s.name = name;
    s.count = p->count;
    s.x = p->x;
    s.y = p->y;
    s.line = CLEAVE_LINE_STRAIGHT;
    s.color = color;
    s.dashed = dashed;
    return s;
}

static void gather(points *ours, points *theirs, const paper_view *v, int graph,
                   paper_method m)
{
    ours->count = theirs->count = 0;
    for (int j = 0; j < npaper_part; j++) {
        paper_mean mean = paper_cell_of(v, graph, m, 0, paper_parts[j], -1);
        printed there = printed_table3(graph, m, 0, j);
        if (mean.count) {
            ours->x[ours->count] = paper_parts[j];
            ours->y[ours->count++] = mean.edges;
        }
        if (there.edges > 0) {
            theirs->x[theirs->count] = paper_parts[j];
            theirs->y[theirs->count++] = there.edges;
        }
    }
}

static void draw(const paper_view *v, int graph, const char *path)
{
    static points ours[ncurve], theirs[ncurve];
    cleave_series series[2 * ncurve];
    char subtitle[300];
    int count = 0;
    for (int i = 0; i < ncurve; i++) {
        gather(&ours[i], &theirs[i], v, graph, curves[i].m);
        if (ours[i].count)
            series[count++] = series_of(&ours[i], curves[i].name, curves[i].color, 0);
        if (curves[i].paper)
            series[count++] = series_of(&theirs[i], curves[i].paper, curves[i].color, 1);
    }
    cleave_plot_options opt;
    cleave_error err;
    cleave_plot_options_init(&opt, sizeof opt);
    snprintf(subtitle, sizeof subtitle,
             "%s: means over speeds of ratios 1, 2, 3, 4, 8, %d samples each, grouping "
             "binpacking",
             graph == 0 ? "3elt" : "A strip of 6 x 200 vertices for Simon's spiral",
             v->s->seeds);
    opt.title = "Processors of unequal speed: cross edges by number of parts";
    opt.subtitle = subtitle;
    opt.x_label = "parts";
    opt.y_label = "cross edges";
    opt.width = 800;
    opt.height = 520;
    if (cleave_plot_write(path, count, series, &opt, &err) != CLEAVE_OK)
        bench_fail(err.message);
    printf("picture: %s\n", path);
}

void adaptive_plots(const paper_view *v, const char *folder)
{
    static const char *const names[npaper_graph] = {"3elt", "spiral"};
    for (int g = 0; g < npaper_graph; g++) {
        char path[600];
        snprintf(path, sizeof path, "%s/adaptive-%s.svg", folder, names[g]);
        draw(v, g, path);
    }
}
