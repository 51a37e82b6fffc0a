/* SPDX-License-Identifier: Apache-2.0 */
/* bench/adaptive/adaptive_meshes.c - cutting an order compared with mapping from scratch: cuts
 * and times relative to those of cleave_map with default options for the same unequal speeds
 * (ratio 4). */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "adaptive/adaptive.h"

enum { mesh_ratio = 4 };

typedef enum mesh_method { M_SCRATCH, M_SPLIT, M_REFINE, M_HCI, nmesh_method } mesh_method;
static const adaptive_method methods[nmesh_method] = {
    [M_SCRATCH] = {.name = "scratch"},
    [M_SPLIT] = {.name = "multilevel+split", .order = "multilevel"},
    [M_REFINE] = {.name = "split-refine", .order = "multilevel", .refine = 1},
    [M_HCI] = {.name = "hci+split", .order = "hci"},
};

/* ---- Measuring -------------------------------------------------------------------------- */

typedef struct mesh_run {
    const settings *s;
    adaptive_results *all;
    const char *name;
    cleave_graph *g;
    order_shelf shelf;
} mesh_run;

static void ready(mesh_run *run)
{
    if (!run->g)
        run->g = adaptive_read(run->s, run->name);
}

static void measure_mesh(mesh_run *run, mesh_method m, int k, int seed)
{
    double speed[max_pes];
    adaptive_row q =
        adaptive_question(run->s, run->name, methods[m].name, k, mesh_ratio, seed);
    if (adaptive_look(run->all, &q))
        return;
    ready(run);
    if (m == M_HCI && !adaptive_has_coords(run->g))
        return;
    speeds_draw(speed, k, mesh_ratio, seed);
    adaptive_case c = {
        .g = run->g, .speed = speed, .shelf = &run->shelf, .repeat = run->s->repeat};
    adaptive_measure(&q, &c, &methods[m]);
    adaptive_add(run->all, &q);
    adaptive_progress(&q);
}

/* Times of the order and of a 32-way partition into equal parts with defaults. */
static void measure_build(mesh_run *run)
{
    static const adaptive_method plain = {.name = "equal"};
    double speed[32];
    adaptive_row q = adaptive_question(run->s, run->name, "build:multilevel", 0, 0, 1);
    if (!adaptive_look(run->all, &q)) {
        ready(run);
        if (!shelf_get(&run->shelf, run->g, "multilevel", NULL, q.threads, &q.seconds))
            q.status = CLEAVE_EINVAL;
        adaptive_add(run->all, &q);
    }
    q = adaptive_question(run->s, run->name, plain.name, 32, 1, 1);
    if (adaptive_look(run->all, &q))
        return;
    ready(run);
    speeds_draw(speed, 32, 1, 1);
    adaptive_case c = {.g = run->g, .speed = speed, .repeat = run->s->repeat};
    adaptive_measure(&q, &c, &plain);
    adaptive_add(run->all, &q);
}

void meshes_measure(const settings *s, const adaptive_ask *ask, adaptive_results *all)
{
    for (int i = 0; i < s->ngraphs; i++) {
        mesh_run run = {.s = s, .all = all, .name = adaptive_set[s->graphs[i]].name};
        measure_build(&run);
        for (int j = 0; j < s->nk; j++)
            for (int seed = 1; seed <= s->seeds; seed++)
                for (int m = 0; m < nmesh_method; m++)
                    measure_mesh(&run, (mesh_method)m, s->k[j], seed);
        shelf_free(&run.shelf);
        cleave_graph_free(run.g);
    }
    if (ask->large)
        large_measure(s, ask, all);
}

/* ---- Means ------------------------------------------------------------------------------ */

typedef struct mesh_mean {
    double cut, time, least_gain; /* over scratch; the smallest speed-up */
    double seconds;
    int count;
} mesh_mean;

static void add(mesh_mean *to, const settings *s, const adaptive_results *all, mesh_method m,
                const char *name, int k, int seed)
{
    adaptive_row q = adaptive_question(s, name, methods[m].name, k, mesh_ratio, seed);
    adaptive_row p = adaptive_question(s, name, methods[M_SCRATCH].name, k, mesh_ratio, seed);
    const adaptive_row *ours = adaptive_look(all, &q), *base = adaptive_look(all, &p);
    if (!ours || !base || ours->cut <= 0 || base->cut <= 0)
        return;
    double gain = base->seconds / ours->seconds;
    to->cut += log((double)ours->cut / (double)base->cut);
    to->time += log(gain);
    to->seconds += log(ours->seconds);
    to->least_gain = to->count == 0 || gain < to->least_gain ? gain : to->least_gain;
    to->count++;
}

/* graph -1, k -1: all of them. */
static mesh_mean mean_of(const settings *s, const adaptive_results *all, mesh_method m,
                         int graph, int k)
{
    mesh_mean mean = {0, 0, 0, 0, 0};
    for (int i = 0; i < s->ngraphs; i++)
        for (int j = 0; j < s->nk; j++)
            for (int seed = 1; seed <= s->seeds; seed++)
                if ((graph < 0 || s->graphs[i] == graph) && (k < 0 || s->k[j] == k))
                    add(&mean, s, all, m, adaptive_set[s->graphs[i]].name, s->k[j], seed);
    if (mean.count) {
        mean.cut = exp(mean.cut / mean.count);
        mean.time = exp(mean.time / mean.count);
        mean.seconds = exp(mean.seconds / mean.count);
    }
    return mean;
}

/* ---- The table -------------------------------------------------------------------------- */

static void print_cell(mesh_mean m)
{
    if (m.count)
        printf("  %6.3f @1/%-9.0f", m.cut, m.time);
    else
        printf("  %6s   %-10s", "-", "");
}

static void print_line(const settings *s, const adaptive_results *all, const char *name,
                       int graph, int k)
{
    printf("%-10s", name);
    for (int m = M_SPLIT; m < nmesh_method; m++)
        print_cell(mean_of(s, all, (mesh_method)m, graph, k));
    printf("\n");
}

/* Seconds of the order over those of a 32-way partition; 0: not measured. */
static double build_ratio(const settings *s, const adaptive_results *all, const char *name)
{
    adaptive_row q = adaptive_question(s, name, "build:multilevel", 0, 0, 1);
    adaptive_row p = adaptive_question(s, name, "equal", 32, 1, 1);
    const adaptive_row *order = adaptive_look(all, &q), *plain = adaptive_look(all, &p);
    return order && plain && !order->status && plain->cut > 0 ? order->seconds / plain->seconds
                                                              : 0;
}

static void print_build(const settings *s, const adaptive_results *all)
{
    double sum = 0, worst = 0;
    int count = 0;
    printf("\nmultilevel order / one 32-way default partition, time:");
    for (int i = 0; i < s->ngraphs; i++) {
        double ratio = build_ratio(s, all, adaptive_set[s->graphs[i]].name);
        if (ratio <= 0)
            continue;
        printf("  %s %.2f", adaptive_set[s->graphs[i]].name, ratio);
        sum += log(ratio);
        worst = ratio > worst ? ratio : worst;
        count++;
    }
    printf("\n");
    if (count) {
        bar_print("building a multilevel order / 32-way partition, geometric mean",
                  exp(sum / count), 6, 0);
        bar_print("the same, worst graph", worst, 6, 0);
    }
}

void bar_print(const char *what, double reached, double bar, int least)
{
    int met = least ? reached >= bar : reached <= bar;
    printf("%-70s %10.4g  bar %s %g: %s\n", what, reached, least ? ">=" : "<=", bar,
           met ? "met" : "MISSED");
}

void meshes_print(const settings *s, const adaptive_ask *ask, const adaptive_results *all)
{
    char name[16];
    printf("geometric means over cleave_map by default on the same speeds (ratio %d): cut @ "
           "time\n\n%-10s",
           mesh_ratio, "");
    for (int m = M_SPLIT; m < nmesh_method; m++)
        printf("  %-19s", methods[m].name);
    printf("\n");
    print_line(s, all, "all", -1, -1);
    for (int j = 0; j < s->nk; j++) {
        snprintf(name, sizeof name, "k = %d", s->k[j]);
        print_line(s, all, name, -1, s->k[j]);
    }
    for (int i = 0; i < s->ngraphs; i++)
        print_line(s, all, adaptive_set[s->graphs[i]].name, s->graphs[i], -1);
    print_build(s, all);
    mesh_mean split = mean_of(s, all, M_SPLIT, -1, -1);
    mesh_mean refine = mean_of(s, all, M_REFINE, -1, -1);
    if (split.count) {
        printf("split takes %.2f microseconds (geometric mean)\n", 1e6 * split.seconds);
        bar_print("cut of multilevel order + split / from scratch", split.cut, 1.15, 0);
    }
    if (refine.count) {
        bar_print("cut of split_refine / from scratch", refine.cut, 1.06, 0);
        bar_print("from scratch / split_refine, time, geometric mean", refine.time, 10, 1);
        bar_print("the same, worst instance", refine.least_gain, 10, 1);
    }
    if (ask->large)
        large_print(s, all);
}
