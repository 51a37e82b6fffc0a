/* SPDX-License-Identifier: Apache-2.0 */
/* bench/layers/layers_paper.c - --paper: the content of Figure 9 of "GraphOpt" (Shah et al.
 * 2022) on other graphs: sizes of layers and levels, work by thread, speed-up by threads, and
 * savings of S1 to S3.  Speed-ups are by the cost model and do not need processors. */
#include <stdio.h>
#include <stdlib.h>

#include "layers/layers.h"

const char *const paper_graphs[npaper_graph] = {"mnist-antonio",  "bodyy5.tri",
                                                "OPF_6000.tri",   "pumsb_star",
                                                "grid2d_300.tri", "xenon1.tri"};
const int paper_threads[npaper_threads] = {2, 4, 6, 8, 10, 12, 14, 16, 18};
const char *const paper_curves[npaper_curve] = {"graphopt", "auto", "levels"};
const char *const paper_switches[npaper_switch] = {
    "graphopt", "graphopt:window=0", "graphopt:components=0", "graphopt:coarsening=0",
    "graphopt:window=0,components=0,coarsening=0"};

static void measure_schedule(const settings *s, layers_results *all, const char *graph,
                             const cleave_graph *g, const char *method, int threads,
                             double limit)
{
    layers_row q = layers_question(s, graph, method, threads);
    if (layers_look(all, &q))
        return;
    layers_measure(&q, g, 1, limit, NULL);
    layers_progress(&q);
    layers_add(all, &q);
}

static cleave_graph *read_graph(const settings *s, const char *name)
{
    const char *why;
    cleave_graph *g = layers_read(s, &layers_set[layers_find(name)], &why);
    if (!g)
        bench_fail(why);
    return g;
}

void paper_measure(const settings *s, const layers_ask *ask, layers_results *all)
{
    for (int i = 0; i < npaper_graph; i++) {
        const char *name = paper_graphs[i];
        cleave_graph *g = read_graph(s, name);
        for (int c = 0; c < npaper_curve; c++)
            for (int p = 0; p < npaper_threads; p++)
                measure_schedule(s, all, name, g, paper_curves[c], paper_threads[p],
                                 ask->limit);
        for (int threads = 2; threads <= 8; threads += 6)
            measure_schedule(s, all, name, g, LAYERS_FEW, threads, ask->limit);
        for (int w = 1; w < npaper_switch; w++)
            for (int threads = 2; threads <= 8; threads += 6)
                measure_schedule(s, all, name, g, paper_switches[w], threads,
                                 ask->quick && ask->limit > 10 ? 10 : ask->limit);
        cleave_graph_free(g);
    }
}

/* ---- Work by layer ---------------------------------------------------------------------- */

static void level_work(const cleave_graph *g, paper_work *w)
{
    cleave_csr csr;
    cleave_error err;
    cleave_csr_init(&csr, sizeof csr);
    cleave_graph_view(g, &csr);
    int32_t *level = malloc(((size_t)csr.nvtx + 1) * sizeof *level);
    if (!level)
        bench_fail("out of memory");
    if (cleave_graph_levels(g, CLEAVE_LEVELS_ALAP, level, &w->levels, &err) != CLEAVE_OK)
        bench_fail(err.message);
    w->level = calloc((size_t)w->levels + 1, sizeof *w->level);
    if (!w->level)
        bench_fail("out of memory");
    for (int32_t v = 0; v < csr.nvtx; v++)
        w->level[level[v]] += csr.vwgt ? csr.vwgt[v] : 1;
    free(level);
}

int paper_work_of(const settings *s, const char *graph, int threads, paper_work *w)
{
    cleave_graph *g = read_graph(s, graph);
    cleave_schedule *made = NULL;
    cleave_error err;
    layers_row q = layers_question(s, graph, "graphopt", threads);
    *w = (paper_work){.threads = threads};
    layers_measure(&q, g, 1, 0, &made);
    if (made) {
        w->layers = cleave_schedule_layers(made);
        w->work = calloc((size_t)w->layers * (size_t)threads + 1, sizeof *w->work);
        if (!w->work)
            bench_fail("out of memory");
        if (cleave_evaluate_schedule_work(g, made, w->work, &err) != CLEAVE_OK)
            bench_fail(err.message);
        level_work(g, w);
    }
    cleave_schedule_free(made);
    cleave_graph_free(g);
    return w->work != NULL;
}

void paper_work_free(paper_work *w)
{
    free(w->work);
    free(w->level);
    *w = (paper_work){.layers = 0};
}
