/* SPDX-License-Identifier: Apache-2.0 */
/* bench/adaptive/adaptive_paper.c - the experiments of "Mapping Unstructured Computational
 * Graphs for Adaptive and Nonuniform Computational Environments" (Kaddoura, Ou, Ranka 1995):
 * 4, 5, 10, 15, 20 parts, ratios of the largest speed to the least 1, 2, 3, 4, 8, 20 samples
 * of each, two ways of grouping, on 3elt (Graph 1) and on a strip wound into a spiral that
 * replaces Graph 2, which is not available.  Every method sees the same samples; sample i also
 * is the seed of methods that draw random numbers. */
#include <stdio.h>
#include <string.h>

#include "adaptive/adaptive.h"

const char *const paper_graphs[npaper_graph] = {"3elt", "spiral:6x200"};
const int paper_parts[npaper_part] = {4, 5, 10, 15, 20};
const int paper_ratios[npaper_ratio] = {1, 2, 3, 4, 8};
const char *const grouping_names[ngrouping] = {"binpacking", "simple"};

/* Methods of the paper cut exactly; multilevel and refinement may use the imbalance. */
const adaptive_method paper_methods[npaper_method] = {
    [P_RSB] = {.name = "rsb", .method = "rsb", .grouped = 1},
    [P_RCB] = {.name = "rcb", .method = "rcb", .grouped = 1},
    [P_HCI] = {.name = "hci", .method = "hci", .grouped = 1},
    [P_ZCI] = {.name = "zci", .method = "zci", .grouped = 1},
    [P_RSBI] = {.name = "rsbi-1024",
                .order = "rsbi",
                .order_params = "leaves=1024",
                .exact = 1,
                .grouped = 1},
    [P_RSBI_WHOLE] = {.name = "rsbi", .order = "rsbi", .exact = 1, .grouped = 1},
    [P_RCBI] = {.name = "rcbi", .order = "rcbi", .exact = 1, .grouped = 1},
    [P_MULTILEVEL] = {.name = "multilevel", .order = "multilevel", .grouped = 1},
    [P_MULTILEVEL_EXACT] = {.name = "multilevel-exact",
                            .order = "multilevel",
                            .exact = 1,
                            .grouped = 1},
    [P_SPLIT_REFINE] = {.name = "split-refine", .order = "multilevel", .refine = 1},
    [P_RSB_REFINED] = {.name = "rsb-refined",
                       .method = "rsb",
                       .params = "refine=1",
                       .grouped = 1},
    [P_SCRATCH] = {.name = "scratch"},
};

static adaptive_row question_of(const settings *s, int graph, paper_method m, int grouping,
                                int k, int ratio, int sample)
{
    char name[40];
    snprintf(name, sizeof name, "%s%s%s", paper_methods[m].name,
             paper_methods[m].grouped ? ":" : "",
             paper_methods[m].grouped ? grouping_names[grouping] : "");
    return adaptive_question(s, paper_graphs[graph], name, k, ratio, sample);
}

static adaptive_row build_question(const settings *s, int graph, paper_method m)
{
    char name[40];
    snprintf(name, sizeof name, "build:%s", paper_methods[m].name);
    return adaptive_question(s, paper_graphs[graph], name, 0, 0, 1);
}

/* ---- Measuring -------------------------------------------------------------------------- */

typedef struct paper_run {
    const settings *s;
    adaptive_results *all;
    cleave_graph *g;
    order_shelf shelf;
    int graph;
} paper_run;

static void ready(paper_run *run)
{
    if (!run->g)
        run->g = adaptive_read(run->s, paper_graphs[run->graph]);
}

static void measure_sample(paper_run *run, paper_method m, int grouping, int k, int ratio,
                           int sample)
{
    double speed[max_pes];
    adaptive_row q = question_of(run->s, run->graph, m, grouping, k, ratio, sample);
    if (adaptive_look(run->all, &q))
        return;
    ready(run);
    speeds_draw(speed, k, ratio, sample);
    adaptive_case c = {.g = run->g,
                       .speed = speed,
                       .shelf = &run->shelf,
                       .grouping = paper_methods[m].grouped ? grouping_names[grouping] : NULL,
                       .repeat = 1};
    adaptive_measure(&q, &c, &paper_methods[m]);
    adaptive_add(run->all, &q);
    if (adaptive_invalid(&q))
        adaptive_progress(&q);
}

static void measure_build(paper_run *run, paper_method m)
{
    adaptive_row q = build_question(run->s, run->graph, m);
    if (!paper_methods[m].order || adaptive_look(run->all, &q))
        return;
    ready(run);
    if (!shelf_get(&run->shelf, run->g, paper_methods[m].order, paper_methods[m].order_params,
                   run->s->threads[0], &q.seconds))
        q.status = CLEAVE_EINVAL;
    adaptive_add(run->all, &q);
}

static void measure_method(paper_run *run, paper_method m)
{
    measure_build(run, m);
    for (int j = 0; j < npaper_part; j++)
        for (int r = 0; r < npaper_ratio; r++)
            for (int grouping = 0; grouping < ngrouping; grouping++)
                for (int i = 1; i <= run->s->seeds; i++)
                    if (grouping == 0 || paper_methods[m].grouped)
                        measure_sample(run, m, grouping, paper_parts[j], paper_ratios[r], i);
}

void adaptive_paper(const settings *s, adaptive_results *all)
{
    for (int graph = 0; graph < npaper_graph; graph++) {
        paper_run run = {.s = s, .all = all, .graph = graph};
        for (int m = 0; m < npaper_method; m++) {
            double start = wall_seconds();
            measure_method(&run, (paper_method)m);
            fprintf(stderr, "%-14s %-18s %6.1f s\n", paper_graphs[graph],
                    paper_methods[m].name, wall_seconds() - start);
        }
        shelf_free(&run.shelf);
        cleave_graph_free(run.g);
    }
}

/* ---- Means ------------------------------------------------------------------------------ */

paper_mean paper_cell_of(const paper_view *v, int graph, paper_method m, int grouping, int k,
                         int ratio)
{
    paper_mean mean = {0, 0, 0, 0};
    if (!paper_methods[m].grouped)
        grouping = 0;
    for (int r = 0; r < npaper_ratio; r++)
        for (int i = 1; i <= v->s->seeds; i++) {
            if (ratio >= 0 && paper_ratios[r] != ratio)
                continue;
            adaptive_row q = question_of(v->s, graph, m, grouping, k, paper_ratios[r], i);
            const adaptive_row *found = adaptive_look(v->all, &q);
            if (!found || found->cut < 0)
                continue;
            mean.edges += (double)found->cut;
            mean.setups += (double)found->setups;
            mean.seconds += found->seconds;
            mean.count++;
        }
    if (mean.count) {
        mean.edges /= mean.count;
        mean.setups /= mean.count;
        mean.seconds /= mean.count;
    }
    return mean;
}

double paper_build_seconds(const paper_view *v, int graph, paper_method m)
{
    adaptive_row q = build_question(v->s, graph, m);
    const adaptive_row *found = adaptive_look(v->all, &q);
    return found && !found->status ? found->seconds : -1;
}

/* ---- Bars ------------------------------------------------------------------------------- */

/* On Graph 1, means as in Table 3 with binpacking; `base` is the method of the paper. */
static const struct bar {
    paper_method m, base;
    double edges, setups; /* factors; 0: no bar */
} bars[] = {{P_RSB, P_RSB, 1.10, 1.10},        {P_HCI, P_HCI, 1.10, 1.10},
            {P_RCB, P_RCB, 1.10, 1.10},        {P_RSBI, P_RSBI, 1.10, 1.10},
            {P_RSB_REFINED, P_RSB, 1.00, 0},   {P_MULTILEVEL, P_RSB, 1.00, 0},
            {P_MULTILEVEL_EXACT, P_RSB, 0, 0}, {P_SPLIT_REFINE, P_RSB, 0, 0},
            {P_SCRATCH, P_RSB, 0, 0}};

static void print_verdict(FILE *to, double worst, double bar, int *missed)
{
    if (bar <= 0) {
        fprintf(to, " %.3f |", worst);
        return;
    }
    fprintf(to, " %.3f, %s |", worst, worst <= bar ? "met" : "**missed**");
    *missed += worst > bar;
}

static int print_bar(const paper_view *v, const struct bar *b, FILE *to)
{
    double edges = 0, setups = 0;
    int missed = 0;
    fprintf(to, "| %s | %s |", paper_methods[b->m].name, paper_methods[b->base].name);
    for (int j = 0; j < npaper_part; j++) {
        paper_mean ours = paper_cell_of(v, 0, b->m, 0, paper_parts[j], -1);
        printed theirs = printed_table3(0, b->base, 0, j);
        if (!ours.count) {
            fprintf(to, " - |");
            edges = setups = 1e9;
            continue;
        }
        double e = ours.edges / theirs.edges, u = ours.setups / theirs.setups;
        fprintf(to, " %.3f |", e);
        edges = e > edges ? e : edges;
        setups = u > setups ? u : setups;
    }
    if (edges >= 1e9) {
        fprintf(to, " not measured | - |\n");
        return b->edges > 0;
    }
    print_verdict(to, edges, b->edges, &missed);
    print_verdict(to, setups, b->setups, &missed);
    fprintf(to, "\n");
    return missed;
}

int adaptive_paper_bars(const paper_view *v, FILE *to)
{
    int missed = 0;
    fprintf(to, "| method | over the paper's |");
    for (int j = 0; j < npaper_part; j++)
        fprintf(to, " %d |", paper_parts[j]);
    fprintf(to, " edges, worst | setups, worst |\n|---|---|");
    for (int j = 0; j < npaper_part; j++)
        fprintf(to, "---|");
    fprintf(to, "---|---|\n");
    for (size_t i = 0; i < sizeof bars / sizeof *bars; i++)
        missed += print_bar(v, &bars[i], to);
    return missed;
}
