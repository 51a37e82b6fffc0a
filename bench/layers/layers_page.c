/* SPDX-License-Identifier: Apache-2.0 */
/* bench/layers/layers_page.c - layers-paper.md: the rows of the paper's Figure 9 as tables. */
#include <stdio.h>
#include <string.h>

#include "layers/layers.h"

static void print_opening(FILE *to, const layers_view *v)
{
    fprintf(to,
            "# Super layers in detail: the content of GraphOpt's Figure 9\n"
            "\n"
            "\"GraphOpt: constrained-optimization-based parallelization of irregular graphs\" "
            "(Shah, Meert, Verhelst, 2022). This page is\n"
            "written by `bench/run layers --paper`; library `%s`.\n"
            "\n"
            "The graphs are ours: two circuits (operations of two inputs) and four lower "
            "triangles, from small to large. The speed-up is the serial\n"
            "cost over cost, where a schedule costs the sum over its layers of the largest "
            "thread's weight (multiply-adds) + 500: a\n"
            "simulation that does not need such a machine. Schedules are method `graphopt` "
            "with its "
            "defaults and the builtin solver, made by\n"
            "one thread, unless a table states otherwise; every schedule is checked.\n",
            v->s->tag);
}

static int64_t layer_sum(const paper_work *w, int32_t layer)
{
    int64_t sum = 0;
    for (int32_t p = 0; p < w->threads; p++)
        sum += w->work[layer * w->threads + p];
    return sum;
}

static int64_t layer_most(const paper_work *w, int32_t layer)
{
    int64_t most = 0;
    for (int32_t p = 0; p < w->threads; p++)
        if (w->work[layer * w->threads + p] > most)
            most = w->work[layer * w->threads + p];
    return most;
}

/* ---- Rows (f) and (g) ------------------------------------------------------------------- */

static void print_sizes(FILE *to, const char *graph, const paper_work *w)
{
    int64_t total = 0, largest_level = 0, largest = 0;
    for (int32_t l = 0; l < w->levels; l++) {
        total += w->level[l];
        largest_level = w->level[l] > largest_level ? w->level[l] : largest_level;
    }
    for (int32_t l = 0; l < w->layers; l++)
        largest = layer_sum(w, l) > largest ? layer_sum(w, l) : largest;
    fprintf(to, "| %s | %d | %lld | %d | %.0f | %lld | %d | %.0f | %lld | %.1f %% |\n", graph,
            w->threads, (long long)total, w->levels, (double)total / w->levels,
            (long long)largest_level, w->layers, (double)total / w->layers, (long long)largest,
            100 * (1 - (double)w->layers / w->levels));
}

static void print_few(FILE *to, const layers_view *v, const char *graph, int threads)
{
    const layers_row *all = layers_get(v, graph, "graphopt", threads);
    const layers_row *few = layers_get(v, graph, LAYERS_FEW, threads);
    if (all && few)
        fprintf(to, "| %s | %d | %d | %d | %.1f %% | %.2f | %d | %.1f %% | %.2f |\n", graph,
                threads, all->levels, all->layers, 100 * (1 - value_reduction(v, all)),
                all->speed_up, few->layers, 100 * (1 - value_reduction(v, few)),
                few->speed_up);
}

/* The cost of fewer layers. */
static void print_all_few(FILE *to, const layers_view *v)
{
    fprintf(to, "\nThe paper's layers are as large as possible, at any cost. With `few=16` a "
                "layer counts for 16 synchronisations when it is made:\n"
                "fewer layers, at a lower speed-up (which counts one).\n\n"
                "| graph | threads | levels | layers | fewer | speed-up | `few=16` | fewer | "
                "speed-up |\n|---|---|---|---|---|---|---|---|---|\n");
    for (int i = 0; i < npaper_graph; i++)
        for (int threads = 2; threads <= 8; threads += 6)
            print_few(to, v, paper_graphs[i], threads);
}

static void print_all_sizes(FILE *to, const layers_view *v)
{
    fprintf(to,
            "\n## (f) How large are the super layers?\n\n"
            "| graph | threads | work | levels | mean work | largest | layers | mean work | "
            "largest | fewer |\n|---|---|---|---|---|---|---|---|---|---|\n");
    for (int i = 0; i < npaper_graph; i++)
        for (int threads = 2; threads <= 8; threads += 6) {
            paper_work w;
            if (paper_work_of(v->s, paper_graphs[i], threads, &w))
                print_sizes(to, paper_graphs[i], &w);
            paper_work_free(&w);
        }
    fprintf(to, "\nPicture: `layers-sizes.svg`.\n");
    print_all_few(to, v);
}

static void print_balance(FILE *to, const char *graph, const paper_work *w)
{
    enum { shown = 6 };
    int64_t total = 0, most = 0;
    for (int32_t l = 0; l < w->layers; l++) {
        total += layer_sum(w, l);
        most += layer_most(w, l);
    }
    fprintf(to, "| %s | %d | %d | %.1f %% |", graph, w->threads, w->layers,
            100 * (double)total / (double)most / w->threads);
    for (int32_t l = 0; l < shown; l++) {
        int64_t least = l < w->layers ? w->work[l * w->threads] : 0;
        for (int32_t p = 0; p < w->threads && l < w->layers; p++)
            least = w->work[l * w->threads + p] < least ? w->work[l * w->threads + p] : least;
        if (l < w->layers)
            fprintf(to, " %lld-%lld |", (long long)least, (long long)layer_most(w, l));
        else
            fprintf(to, " |");
    }
    fprintf(to, "\n");
}

static void print_all_balances(FILE *to, const layers_view *v)
{
    fprintf(to,
            "\n## (g) Work by thread\n\nBalance is the work over threads times the sum of "
            "the largest; then the smallest and the largest thread of the first layers.\n\n"
            "| graph | threads | layers | balance | 1 | 2 | 3 | 4 | 5 | 6 |\n"
            "|---|---|---|---|---|---|---|---|---|---|\n");
    for (int i = 0; i < npaper_graph; i++)
        for (int threads = 2; threads <= 8; threads += 6) {
            paper_work w;
            if (paper_work_of(v->s, paper_graphs[i], threads, &w))
                print_balance(to, paper_graphs[i], &w);
            paper_work_free(&w);
        }
    fprintf(to, "\nPicture: `layers-work.svg`, every thread of every layer of %s.\n",
            paper_graphs[work_graph]);
}

/* ---- Rows (h), (i) and (j) -------------------------------------------------------------- */

static void print_scaling(FILE *to, const layers_view *v)
{
    fprintf(to,
            "\n## (h) Speed-up by number of threads\n\n`levels` has a layer for each level "
            "of the DAG; `auto` is our default.\n\n| graph | method |");
    for (int p = 0; p < npaper_threads; p++)
        fprintf(to, " %d |", paper_threads[p]);
    fprintf(to, "\n|---|---");
    for (int p = 0; p < npaper_threads; p++)
        fprintf(to, "|---");
    fprintf(to, "|\n");
    for (int i = 0; i < npaper_graph; i++)
        for (int c = 0; c < npaper_curve; c++) {
            fprintf(to, "| %s | %s |", paper_graphs[i], paper_curves[c]);
            for (int p = 0; p < npaper_threads; p++) {
                const layers_row *r =
                    layers_get(v, paper_graphs[i], paper_curves[c], paper_threads[p]);
                if (r)
                    fprintf(to, " %.2f |", r->speed_up);
                else
                    fprintf(to, " - |");
            }
            fprintf(to, "\n");
        }
    fprintf(to, "\nPicture: `layers-threads.svg`.\n");
}

static void print_switch_cell(FILE *to, const layers_view *v, const char *graph,
                              const char *method, int threads)
{
    layers_row q = layers_question(v->s, graph, method, threads);
    const layers_row *r = layers_look(v->all, &q);
    if (r && r->status == CLEAVE_ECANCEL)
        fprintf(to, " > %.0f s |", r->seconds);
    else if (r && r->status == 0)
        fprintf(to, " %.3f s, %d, %.2f |", r->seconds, r->layers, r->speed_up);
    else
        fprintf(to, " - |");
}

static void print_switches(FILE *to, const layers_view *v)
{
    static const char *const names[npaper_switch] = {"all on", "without S1", "without S2",
                                                     "without S3", "without all three"};
    fprintf(to,
            "\n## (i), (j) What S1, S2 and S3 save\n\nTime to schedule (%s), layers, "
            "speed-up. S1 is the window, S2 the components, S3 the list coarsening. `>`: time "
            "limit reached.\n\n| graph | threads |",
            bench_in_cpu() ? "CPU" : "wall");
    for (int w = 0; w < npaper_switch; w++)
        fprintf(to, " %s |", names[w]);
    fprintf(to, "\n|---|---|---|---|---|---|---|\n");
    for (int i = 0; i < npaper_graph; i++)
        for (int threads = 2; threads <= 8; threads += 6) {
            fprintf(to, "| %s | %d |", paper_graphs[i], threads);
            for (int w = 0; w < npaper_switch; w++)
                print_switch_cell(to, v, paper_graphs[i], paper_switches[w], threads);
            fprintf(to, "\n");
        }
    fprintf(to, "\nPicture: `layers-switches.svg`.\n");
}

static void print_remarks(FILE *to)
{
    fprintf(
        to,
        "\n## Remarks\n"
        "- The paper counts 99 %% fewer barriers than levels on the exact L factors of 370 "
        "matrices (section 4.4.1; not for which number of threads),\n  and 88.5 %% on 16 "
        "circuits. The best number of layers depends on the cost of a layer: 500 "
        "multiply-adds are little compared with the work of\n  a layer for 2 threads and much "
        "for 18, and the "
        "lower triangle of a grid has hundreds of levels where factors have thousands.\n"
        "- Without S1 to S3 the paper's solver does not end within an hour on its "
        "larger graphs; the time of the builtin one is limited by the size of the\n  "
        "instance.\n");
}

void paper_page(const layers_view *v, const char *folder)
{
    char path[600];
    snprintf(path, sizeof path, "%s/layers-paper.md", folder);
    FILE *to = fopen(path, "w");
    if (!to)
        bench_fail(path);
    print_opening(to, v);
    print_all_sizes(to, v);
    print_all_balances(to, v);
    print_scaling(to, v);
    print_switches(to, v);
    print_remarks(to);
    if (fclose(to) != 0)
        bench_fail(path);
    printf("page: %s\n", path);
}
