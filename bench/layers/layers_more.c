/* SPDX-License-Identifier: Apache-2.0 */
/* bench/layers/layers_more.c - circuits, and the growth of time with size: lower triangles of
 * grids of ten thousand to ten million non-zeros. */
#include <stdio.h>
#include <string.h>

#include "layers/layers.h"

/* ---- Circuits --------------------------------------------------------------------------- */

static const char *const circuit_methods[] = {"auto", "graphopt", LAYERS_FEW, "levels"};
enum { ncircuit_method = sizeof circuit_methods / sizeof *circuit_methods };

void circuits_measure(const settings *s, const layers_ask *ask, layers_results *all)
{
    for (int i = 0; i < s->ngraphs; i++) {
        const layers_graph *what = &layers_set[s->graphs[i]];
        const char *why;
        cleave_graph *g = NULL;
        if (what->kind != CIRCUIT)
            continue;
        for (int m = 0; m < ncircuit_method; m++)
            for (int p = 0; p < nlayers_threads; p++) {
                layers_row q =
                    layers_question(s, what->name, circuit_methods[m], layers_threads[p]);
                if (layers_look(all, &q))
                    continue;
                if (!g && !(g = layers_read(s, what, &why)))
                    bench_fail(why);
                layers_measure(&q, g, s->repeat, ask->limit, NULL);
                layers_progress(&q);
                layers_add(all, &q);
            }
        cleave_graph_free(g);
    }
}

static void print_circuit(const layers_view *v, const char *graph, int threads)
{
    const layers_row *first = layers_get(v, graph, "auto", threads);
    if (!first)
        return;
    printf("%-16s %7d %7d", graph, threads, first->levels);
    for (int m = 0; m < ncircuit_method; m++) {
        const layers_row *r = layers_get(v, graph, circuit_methods[m], threads);
        if (r)
            printf(" %6d %5.1f%% %5.2f", r->layers, 100 * (1 - value_reduction(v, r)),
                   r->speed_up);
        else
            printf(" %19s", "-");
    }
    printf("\n");
}

void circuits_print(const layers_view *v)
{
    int count;
    printf("\ncircuits: layers, per cent fewer than levels, speed-up\n%-16s threads %7s", "",
           "levels");
    for (int m = 0; m < ncircuit_method; m++)
        printf("  %-18s", circuit_methods[m]);
    printf("\n");
    for (int p = 0; p < nlayers_threads; p++) {
        int threads = layers_threads[p];
        for (int i = 0; i < layers_count; i++)
            if (layers_set[i].kind == CIRCUIT)
                print_circuit(v, layers_set[i].name, threads);
        printf("%-16s %7d %7s", "geometric mean", threads, "");
        for (int m = 0; m < ncircuit_method; m++) {
            const char *method = circuit_methods[m];
            double left = layers_mean(v, value_reduction, CIRCUIT, method, threads, &count);
            printf(" %6s %5.1f%% %5.2f", "", 100 * (1 - left),
                   layers_mean(v, value_speed_up, CIRCUIT, method, threads, &count));
        }
        printf("\n");
    }
}

/* ---- Growth with the size --------------------------------------------------------------- */

static const char *const growth_graphs[] = {
    "grid2d:58x58",    "grid2d:183x183",  "grid2d:577x577",  "grid2d:1826x1826",
    "grid3d:14x14x14", "grid3d:30x30x30", "grid3d:64x64x64", "grid3d:137x137x137"};
enum { ngrowth = sizeof growth_graphs / sizeof *growth_graphs, growth_threads = 8 };

void growth_measure(const settings *s, const layers_ask *ask, layers_results *all)
{
    for (int i = 0; i < ngrowth; i++) {
        layers_row q = layers_question(s, growth_graphs[i], "auto", growth_threads);
        layers_graph what = {growth_graphs[i], growth_graphs[i], TRIANGLE, 1, 0};
        const char *why;
        if ((ask->quick && i % 4 == 3) || layers_look(all, &q))
            continue;
        cleave_graph *g = layers_read(s, &what, &why);
        q.solve = layers_solve_seconds(g);
        layers_measure(&q, g, s->repeat, 0, NULL);
        double after = layers_solve_seconds(g);
        q.solve = after < q.solve ? after : q.solve;
        layers_progress(&q);
        layers_add(all, &q);
        cleave_graph_free(g);
    }
}

void growth_print(const layers_view *v)
{
    printf("\nauto for %d threads from 10^4 to 10^7 non-zeros\n%-22s %10s %9s %10s %8s %8s\n",
           growth_threads, "", "non-zeros", "ms", "ns/nonzero", "solves", "speed-up");
    for (int i = 0; i < ngrowth; i++) {
        const layers_row *r = layers_get(v, growth_graphs[i], "auto", growth_threads);
        if (r)
            printf("%-22s %10lld %9.1f %10.1f %8.1f %8.2f\n", r->graph, r->total,
                   1e3 * r->seconds, 1e9 * r->seconds / (double)r->total, value_solves(v, r),
                   r->speed_up);
    }
}

double growth_ratio(const layers_view *v)
{
    double worst = 0;
    for (int from = 0; from < ngrowth; from += 4) {
        double least = 0, most = 0;
        for (int i = from; i < from + 4; i++) {
            const layers_row *r = layers_get(v, growth_graphs[i], "auto", growth_threads);
            double each = r ? r->seconds / (double)r->total : 0;
            if (each > 0 && (least == 0 || each < least))
                least = each;
            most = each > most ? each : most;
        }
        if (least > 0 && most / least > worst)
            worst = most / least;
    }
    return worst;
}
