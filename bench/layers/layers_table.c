/* SPDX-License-Identifier: Apache-2.0 */
/* bench/layers/layers_table.c - speed-ups by the cost model compared with the recorded tools,
 * layers compared with the levels of the DAG, time of the analysis in serial solves. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "layers/layers.h"

const char *const layers_methods[nlayers_method] = {
    "auto",       "grow",       "graphopt",       "levels",
    "auto+split", "grow+split", "graphopt+split", "levels+split"};

/* ---- Means ------------------------------------------------------------------------------ */

const layers_row *layers_get(const layers_view *v, const char *graph, const char *method,
                             int threads)
{
    layers_row q = layers_question(v->s, graph, method, threads);
    const layers_row *r = layers_look(v->all, &q);
    return r && r->status == 0 ? r : NULL;
}

double value_speed_up(const layers_view *v, const layers_row *r)
{
    (void)v;
    return r->speed_up;
}

double value_solves(const layers_view *v, const layers_row *r)
{
    (void)v;
    return r->solve > 0 ? r->seconds / r->solve : 0;
}

double value_reduction(const layers_view *v, const layers_row *r)
{
    (void)v;
    return r->levels > 0 ? (double)r->layers / r->levels : 0;
}

double value_to_best(const layers_view *v, const layers_row *r)
{
    double best = layers_rivals_best(v->rivals, r->graph, r->threads);
    return best > 0 ? r->cost / best : 0;
}

static int is_of_kind(const layers_graph *g, int kind)
{
    return kind < 0 ? g->kind != CIRCUIT : (int)g->kind == kind;
}

double layers_mean(const layers_view *v, layers_value value, int kind, const char *method,
                   int threads, int *count)
{
    double sum = 0;
    *count = 0;
    for (int i = 0; i < layers_count; i++) {
        const layers_row *r = layers_get(v, layers_set[i].name, method, threads);
        double x = r && is_of_kind(&layers_set[i], kind) ? value(v, r) : 0;
        if (x > 0) {
            sum += log(x);
            ++*count;
        }
    }
    return *count ? exp(sum / *count) : 0;
}

static double tool_mean(const layers_view *v, int kind, const char *tool, int threads)
{
    double sum = 0;
    int count = 0;
    for (int i = 0; i < layers_count; i++) {
        const char *name = layers_set[i].name;
        const layers_rival *r = layers_rivals_find(v->rivals, name, threads, tool);
        if (!r || !is_of_kind(&layers_set[i], kind) || !layers_get(v, name, "auto", threads))
            continue;
        sum += log(r->speed_up);
        count++;
    }
    return count ? exp(sum / count) : 0;
}

/* ---- Speed-ups -------------------------------------------------------------------------- */

static void print_number(double x)
{
    if (x > 0)
        printf(" %10.2f", x);
    else
        printf(" %10s", "-");
}

static void print_heading(int threads)
{
    printf("\nspeed-up over serial on %d threads (work + 500 for a layer)\n%-20s", threads,
           "");
    for (int m = 0; m < nlayers_method; m++)
        printf(" %10.10s", m < nlayers_method / 2 ? layers_methods[m] : "+split");
    for (int t = 0; t < nlayers_tool; t++)
        printf(" %10s", layers_tools[t]);
    printf("\n");
}

static void print_means(const layers_view *v, int kind, const char *name, int threads)
{
    int count = 0;
    printf("%-20s", name);
    for (int m = 0; m < nlayers_method; m++)
        print_number(layers_mean(v, value_speed_up, kind, layers_methods[m], threads, &count));
    for (int t = 0; t < nlayers_tool; t++)
        print_number(tool_mean(v, kind, layers_tools[t], threads));
    printf("\n");
}

static void print_speed_ups(const layers_view *v, int threads)
{
    print_heading(threads);
    for (int i = 0; i < layers_count; i++) {
        const char *name = layers_set[i].name;
        if (layers_set[i].kind == CIRCUIT || !layers_get(v, name, "auto", threads))
            continue;
        printf("%-20s", name);
        for (int m = 0; m < nlayers_method; m++) {
            const layers_row *r = layers_get(v, name, layers_methods[m], threads);
            print_number(r ? r->speed_up : 0);
        }
        for (int t = 0; t < nlayers_tool; t++) {
            const layers_rival *r =
                layers_rivals_find(v->rivals, name, threads, layers_tools[t]);
            print_number(r ? r->speed_up : 0);
        }
        printf("\n");
    }
    print_means(v, TRIANGLE, "mean of triangles", threads);
    print_means(v, FACTOR, "mean of factors", threads);
    print_means(v, -1, "mean of all", threads);
}

/* ---- Layers, tasks, time ---------------------------------------------------------------- */

static void print_layers(const layers_view *v)
{
    static const char *const shown[] = {"auto", "graphopt", "auto+split"};
    enum { nshown = sizeof shown / sizeof *shown };
    printf("\nlayers, and by how many per cent they are fewer than the levels of the DAG\n"
           "%-20s %7s",
           "", "levels");
    for (int m = 0; m < nshown; m++)
        for (int p = 0; p < nlayers_threads; p++)
            printf(" %9s/%-2d", m < 2 ? shown[m] : "+split", layers_threads[p]);
    printf("  tasks/rows, 18 threads\n");
    for (int i = 0; i < layers_count; i++) {
        const char *name = layers_set[i].name;
        const layers_row *first = layers_get(v, name, "auto", layers_threads[0]);
        if (layers_set[i].kind == CIRCUIT || !first)
            continue;
        printf("%-20s %7d", name, first->levels);
        for (int m = 0; m < nshown; m++)
            for (int p = 0; p < nlayers_threads; p++) {
                const layers_row *r = layers_get(v, name, shown[m], layers_threads[p]);
                if (r)
                    printf(" %5d %5.1f%%", r->layers, 100 * (1 - value_reduction(v, r)));
                else
                    printf(" %12s", "-");
            }
        const layers_row *split = layers_get(v, name, "auto+split", 18);
        printf(" %6.2f\n", split ? (double)split->tasks / (double)split->rows : 0);
    }
}

static void print_times(const layers_view *v)
{
    int count = 0;
    printf("\ntime to schedule in serial solves, geometric means over the matrices\n%-20s",
           "");
    for (int p = 0; p < nlayers_threads; p++)
        printf(" %10d", layers_threads[p]);
    printf(" threads\n");
    for (int m = 0; m < nlayers_method; m++) {
        printf("%-20s", layers_methods[m]);
        for (int p = 0; p < nlayers_threads; p++)
            print_number(layers_mean(v, value_solves, -1, layers_methods[m], layers_threads[p],
                                     &count));
        printf("\n");
    }
    for (int i = 0; i < layers_count; i++) {
        const layers_row *r = layers_get(v, layers_set[i].name, "auto", 8);
        if (layers_set[i].kind != CIRCUIT && r)
            printf("  %-18s %8lld non-zeros: serial solve %8.3f ms, auto for 8 threads "
                   "%8.1f ms, %5.1f solves\n",
                   r->graph, r->total, 1e3 * r->solve, 1e3 * r->seconds, value_solves(v, r));
    }
}

void layers_tables(const layers_view *v)
{
    for (int p = 0; p < nlayers_threads; p++)
        print_speed_ups(v, layers_threads[p]);
    print_layers(v);
    print_times(v);
}
