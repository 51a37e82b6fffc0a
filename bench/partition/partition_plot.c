/* SPDX-License-Identifier: Apache-2.0 */
/* bench/partition/partition_plot.c - a plot of cut against time: our effort levels for each
 * number of threads, connected, and the recorded results of other programs. */
#include <stdio.h>
#include <string.h>

#include "partition/partition.h"

/* The recorded tools with the names of their authors; two: measured on two threads. */
static const struct {
    const char *tool, *label;
    int two;
} labels[] = {
    {"kaffpa-fast", "KaHIP fast", 0},
    {"kaffpa-eco", "KaHIP eco", 0},
    {"kaminpar-1", "KaMinPar", 0},
    {"kaminpar-2", "KaMinPar", 1},
    {"kaminparstrong-1", "KaMinPar strong", 0},
    {"mtk-default-1", "Mt-KaHyPar default", 0},
    {"mtk-default-2", "Mt-KaHyPar default", 1},
    {"mtk-quality-2", "Mt-KaHyPar quality", 1},
    {"scotch", "Scotch", 0},
};

typedef struct points {
    double x[16], y[16];
    const char *label[16];
    char text[16][40];
    int count;
} points;

static void add_point(points *p, ratios r, const char *label)
{
    if (r.count == 0 || p->count == 16)
        return;
    p->x[p->count] = r.time;
    p->y[p->count] = r.cut;
    p->label[p->count++] = label;
}

static void gather_ours(points *p, const settings *s, const results *all, int threads,
                        int named)
{
    for (int e = 0; e < s->nefforts; e++) {
        int best = s->efforts[e] == CLEAVE_EFFORT_BEST;
        slice where = {-1, -1, best ? 1 : -1};
        char *text = p->text[p->count];
        if (best)
            snprintf(text, sizeof p->text[0], "best, %g s (20 instances)", s->best_limit);
        else
            snprintf(text, sizeof p->text[0], "%s", effort_names[s->efforts[e]]);
        add_point(p, table_ours(s, all, s->efforts[e], threads, where), named ? text : NULL);
    }
}

static void gather_rivals(points *p, const settings *s, const rivals *r, int two)
{
    slice everything = {-1, -1, -1};
    if (!two)
        add_point(p, (ratios){1, 1, 1}, "METIS");
    for (size_t i = 0; i < sizeof labels / sizeof *labels; i++)
        if (labels[i].two == two)
            add_point(p, table_rival(s, r, labels[i].tool, everything), labels[i].label);
}

static cleave_series series_of(const points *p, const char *name)
{
    cleave_series s;
    cleave_series_init(&s, sizeof s);
    s.name = name;
    s.count = p->count;
    s.x = p->x;
    s.y = p->y;
    s.labels = p->label;
    return s;
}

static void describe(const settings *s, char *text, size_t size)
{
    int used = snprintf(text, size, "Geometric means over %d graphs, k =", s->ngraphs);
    for (int i = 0; i < s->nk; i++)
        used += snprintf(text + used, size - (size_t)used, "%s %d", i ? "," : "", s->k[i]);
    snprintf(text + used, size - (size_t)used,
             ", %g %% imbalance. METIS on one thread = 1; lower left is better.\n"
             "METIS and cleave in one run; the others as recorded, their time over gpmetis's.",
             100 * s->imbalance);
}

void plot_pareto(const settings *s, const results *all, const rivals *r, const char *path)
{
    static points ours[max_list], theirs[2];
    static char names[max_list][32];
    cleave_series series[max_list + 2];
    char subtitle[600];
    int count = 0;
    for (int t = 0; t < s->nthreads; t++) {
        gather_ours(&ours[t], s, all, s->threads[t], t == 0);
        snprintf(names[t], sizeof names[t], "cleave, %d thread%s", s->threads[t],
                 s->threads[t] == 1 ? "" : "s");
        series[count] = series_of(&ours[t], names[t]);
        series[count].line = CLEAVE_LINE_STRAIGHT;
        series[count].color = 1 + t / 2;
        series[count++].dashed = t % 2;
    }
    for (int two = 0; two < 2; two++) {
        gather_rivals(&theirs[two], s, r, two);
        series[count] =
            series_of(&theirs[two], two ? "others, 2 threads" : "others, 1 thread");
        series[count].color = -1;
        series[count++].dashed = two;
    }
    cleave_plot_options opt;
    cleave_error err;
    cleave_plot_options_init(&opt, sizeof opt);
    describe(s, subtitle, sizeof subtitle);
    opt.title = "Graph partitioning: cut against time";
    opt.subtitle = subtitle;
    opt.x_label = "time / METIS";
    opt.y_label = "cut / METIS";
    opt.log_x = 1;
    opt.mark_x = opt.mark_y = 1;
    opt.width = 800;
    opt.height = 520;
    if (cleave_plot_write(path, count, series, &opt, &err) != CLEAVE_OK)
        bench_fail(err.message);
    printf("\npicture: %s\n", path);
}
