/* SPDX-License-Identifier: Apache-2.0 */
/* bench/layers/layers_bars.c - the goals, and which of them are met. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "layers/layers.h"

enum { nmatrix = 17 };

/* least: the bar is a lower bound. */
static void print_bar(const char *what, double reached, double bar, int least, int count)
{
    if (count == 0) {
        printf("  %-62s %8s %8.2f not measured\n", what, "-", bar);
        return;
    }
    int met = least ? reached >= bar : reached <= bar;
    printf("  %-62s %8.2f %8.2f %s (%d)\n", what, reached, bar, met ? "met" : "MISSED", count);
}

static void print_speed(const layers_view *v, const char *method, int threads, double bar)
{
    char what[100];
    int count;
    double mean = layers_mean(v, value_speed_up, -1, method, threads, &count);
    snprintf(what, sizeof what, "speed-up of %s, %d threads%s", method, threads,
             count > 0 && count < nmatrix ? " (not all matrices)" : "");
    print_bar(what, mean, bar, 1, count);
}

/* Layers over levels; the minimum of two methods. */
static double left_over(const layers_view *v, const char *graph, const char *first,
                        const char *second, int threads)
{
    const layers_row *a = layers_get(v, graph, first, threads);
    const layers_row *b = second ? layers_get(v, graph, second, threads) : a;
    double x = a && b ? value_reduction(v, a) : 0, y = a && b ? value_reduction(v, b) : 0;
    return x < y ? x : y;
}

/* Per cent fewer layers than levels on mesh-like matrices, in the geometric mean, and the
 * matrix with the least. */
static void print_mesh(const layers_view *v, layers_kind kind, const char *first,
                       const char *second, int threads)
{
    double worst = 0, sum = 0;
    int count = 0;
    char what[100];
    const char *where = "";
    for (int i = 0; i < layers_count; i++) {
        double left = layers_set[i].mesh && layers_set[i].kind == kind
                          ? left_over(v, layers_set[i].name, first, second, threads)
                          : 0;
        if (left <= 0)
            continue;
        sum += log(left);
        count++;
        if (left > worst) {
            worst = left;
            where = layers_set[i].name;
        }
    }
    snprintf(what, sizeof what, "%% fewer layers, %s of meshes, %d threads%s%s",
             kind == FACTOR ? "factors" : "triangles", threads, second ? "" : ": ",
             second ? "" : strchr(first, ':') + 1);
    print_bar(what, 100 * (1 - exp(sum / (count ? count : 1))), 99, 1, count);
    if (count)
        printf("    the least of them: %.1f %%, %s\n", 100 * (1 - worst), where);
}

static void print_circuits(const layers_view *v, int threads)
{
    char what[100];
    int count;
    double a = layers_mean(v, value_reduction, CIRCUIT, "auto", threads, &count);
    double b = layers_mean(v, value_reduction, CIRCUIT, "graphopt", threads, &count);
    snprintf(what, sizeof what, "%% fewer layers, circuits, %d threads: %s", threads,
             a < b ? "auto" : "graphopt");
    print_bar(what, 100 * (1 - (a < b ? a : b)), 88.5, 1, count);
    a = layers_mean(v, value_reduction, CIRCUIT, LAYERS_FEW, threads, &count);
    snprintf(what, sizeof what, "%% fewer layers, circuits, %d threads: few=16", threads);
    print_bar(what, 100 * (1 - a), 88.5, 1, count);
}

static void print_cost(const layers_view *v, const char *method, int threads)
{
    char what[100];
    int count;
    double mean = layers_mean(v, value_to_best, TRIANGLE, method, threads, &count);
    snprintf(what, sizeof what, "%s over best public cost, triangles, %d threads", method,
             threads);
    print_bar(what, mean, 1.2, 0, count);
}

static void print_graphopt(const layers_view *v)
{
    double slowest = 0;
    for (int p = 0; p < nlayers_threads; p++) {
        print_cost(v, "graphopt", layers_threads[p]);
        print_cost(v, LAYERS_FEW, layers_threads[p]);
        for (int i = 0; i < layers_count; i++) {
            const layers_row *r =
                layers_get(v, layers_set[i].name, "graphopt", layers_threads[p]);
            double each = r && r->total > 250000 ? 1e6 * r->seconds / (double)r->total : 0;
            slowest = each > slowest ? each : slowest;
        }
    }
    print_bar("graphopt: slowest, s for a million non-zeros (from 250000)", slowest, 10, 0,
              slowest > 0);
}

void layers_bars(const layers_view *v)
{
    int count;
    printf("\nbars%-60s %8s %8s\n", "", "reached", "bar");
    print_speed(v, "auto", 2, 1.72);
    print_speed(v, "auto", 8, 3.6);
    print_speed(v, "auto", 18, 4.5);
    print_speed(v, "auto+split", 8, 5);
    print_speed(v, "auto+split", 18, 8);
    for (int p = 0; p < nlayers_threads; p++) {
        print_mesh(v, TRIANGLE, "auto", "graphopt", layers_threads[p]);
        print_mesh(v, TRIANGLE, LAYERS_FEW, NULL, layers_threads[p]);
        print_mesh(v, FACTOR, "auto", "graphopt", layers_threads[p]);
    }
    for (int p = 0; p < nlayers_threads; p++)
        print_circuits(v, layers_threads[p]);
    print_graphopt(v);
    for (int p = 0; p < nlayers_threads; p++) {
        char what[100];
        double mean = layers_mean(v, value_solves, -1, "auto", layers_threads[p], &count);
        snprintf(what, sizeof what, "auto: time in serial solves, %d threads",
                 layers_threads[p]);
        print_bar(what, mean, 30, 0, count);
    }
    double ratio = growth_ratio(v);
    print_bar("auto: time of a non-zero, worst over best, 10^4 to 10^7", ratio, 3, 0,
              ratio > 0);
}
