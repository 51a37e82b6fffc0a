/* SPDX-License-Identifier: Apache-2.0 */
/* bench/layers/layers.c - super layers: quality and time of schedules.
 *
 *   bench_layers FOLDER            the 17 matrices compared with recorded schedulers for 2, 8
 *                                  and 18 threads, circuits, time from 10^4 to 10^7
 *                                  non-zeros, bars
 *   bench_layers FOLDER --paper    the contents of Figure 9 of GraphOpt (Shah et al. 2022):
 *                                  layers-paper.md and pictures, written to docs, with
 *                                  --quick to FOLDER
 *   bench_layers FOLDER --scaling  only the time from 10^4 to 10^7 non-zeros
 *
 * With [--graphs bodyy5.tri,dna] [--methods auto,levels+split] [--quick] [--repeat 3]
 * [--limit 120] [--shared DIR] [--tag NAME] [--fresh] [--report] [--cpu].  Speed-ups are by
 * the cost model of the recorded schedulers: sum over layers of the largest thread's non-zeros
 * + 500.  Every schedule is checked by cleave_schedule_check and computed by one thread.
 * Serial solves are measured in this process, before and after each schedule.  --limit: time
 * limit in seconds of one schedule of graphopt.
 *
 * Results are lines of FOLDER/layers.tsv, layers-paper.tsv.  Instances that have been measured
 * for this library (or --tag) are skipped; --fresh discards them, --report only prints the
 * tables.  Exit status 1: a schedule is invalid. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "layers/layers.h"

typedef struct command {
    int paper, scaling;
    choices said;
} command;

const char bench_name[] = "bench_layers";

static void choose_graphs(settings *s, const command *c)
{
    char item[max_list][40];
    for (int i = 0; i < layers_count && !c->said.graphs; i++)
        if (!c->said.quick || layers_set[i].quick)
            s->graphs[s->ngraphs++] = i;
    int count = c->said.graphs ? bench_list(c->said.graphs, item) : 0;
    for (int i = 0; i < count; i++) {
        int at = layers_find(item[i]);
        if (at < 0)
            bench_fail("there is no such graph in the set; see bench/layers/layers_set.c");
        s->graphs[s->ngraphs++] = at;
    }
}

static void parse_option(command *c, layers_ask *ask, settings *s, int count, char **arguments,
                         int *at)
{
    const char *name = arguments[*at];
    if (bench_option(&c->said, s, count, arguments, at))
        return;
    if (strcmp(name, "--paper") == 0)
        c->paper = 1;
    else if (strcmp(name, "--scaling") == 0)
        c->scaling = 1;
    else if (strcmp(name, "--methods") == 0)
        ask->nmethods = bench_list(bench_value(count, arguments, at), ask->methods);
    else if (strcmp(name, "--limit") == 0)
        ask->limit = strtod(bench_value(count, arguments, at), NULL);
    else {
        fprintf(stderr, "bench_layers: there is no option %s\n", name);
        exit(2);
    }
}

/* Is there an instance that has not been measured? */
static int is_open(const layers_results *all, const layers_ask *ask, const layers_row *q)
{
    int asked = ask->nmethods == 0;
    for (int i = 0; i < ask->nmethods; i++)
        asked = asked || strcmp(ask->methods[i], q->method) == 0;
    return asked && !layers_look(all, q);
}

/* Methods of the tables, then LAYERS_FEW for triangles; NULL: the end. */
static const char *method_at(const layers_graph *what, int m)
{
    return m < nlayers_method                              ? layers_methods[m]
           : m == nlayers_method && what->kind == TRIANGLE ? LAYERS_FEW
                                                           : NULL;
}

static int is_missing(const layers_results *all, const layers_ask *ask, const settings *s,
                      const layers_graph *what)
{
    for (int m = 0; method_at(what, m); m++)
        for (int p = 0; p < nlayers_threads; p++) {
            layers_row q =
                layers_question(s, what->name, method_at(what, m), layers_threads[p]);
            if (is_open(all, ask, &q))
                return 1;
        }
    return 0;
}

static void measure_matrix(const settings *s, const layers_ask *ask, layers_results *all,
                           const layers_graph *what, const cleave_graph *g)
{
    double solve = layers_solve_seconds(g);
    for (int m = 0; method_at(what, m); m++)
        for (int p = 0; p < nlayers_threads; p++) {
            layers_row q =
                layers_question(s, what->name, method_at(what, m), layers_threads[p]);
            if (!is_open(all, ask, &q))
                continue;
            layers_measure(&q, g, s->repeat, ask->limit, NULL);
            double after = layers_solve_seconds(g);
            q.solve = after < solve ? after : solve;
            solve = after;
            layers_progress(&q);
            layers_add(all, &q);
        }
}

static void measure_matrices(const settings *s, const layers_ask *ask, layers_results *all)
{
    const char *said = NULL;
    for (int i = 0; i < s->ngraphs; i++) {
        const layers_graph *what = &layers_set[s->graphs[i]];
        const char *why = "";
        if (what->kind == CIRCUIT || !is_missing(all, ask, s, what))
            continue;
        cleave_graph *g = layers_read(s, what, &why);
        if (g)
            measure_matrix(s, ask, all, what, g);
        else if (said != why)
            fprintf(stderr, "%s: %s is left out: %s\n", bench_name, what->name, said = why);
        cleave_graph_free(g);
    }
}

static void run_paper(const layers_view *v, layers_results *all, const command *c)
{
    const char *into = c->said.quick ? v->s->folder : "docs";
    if (!c->said.report)
        paper_measure(v->s, v->ask, all);
    paper_page(v, into);
    paper_plots(v, into);
}

static void run_tables(const layers_view *v, layers_results *all, const command *c)
{
    if (!c->said.report) {
        measure_matrices(v->s, v->ask, all);
        if (v->ask->nmethods == 0)
            circuits_measure(v->s, v->ask, all);
        if (!c->said.graphs)
            growth_measure(v->s, v->ask, all);
    }
    printf("library %s, %s times\n", v->s->tag, bench_in_cpu() ? "CPU" : "wall");
    layers_tables(v);
    circuits_print(v);
    growth_print(v);
    layers_bars(v);
}

static void run_scaling(const layers_view *v, layers_results *all, const command *c)
{
    if (!c->said.report)
        growth_measure(v->s, v->ask, all);
    printf("library %s, %s times\n", v->s->tag, bench_in_cpu() ? "CPU" : "wall");
    growth_print(v);
}

int main(int count, char **arguments)
{
    static settings s = {.repeat = 3};
    static layers_results all;
    static layers_rivals rivals;
    layers_ask ask = {.limit = 120};
    command c = {.paper = 0};
    if (count < 2)
        bench_fail("usage: bench_layers FOLDER [OPTIONS]; bench/layers/layers.c lists them");
    s.folder = arguments[1];
    bench_shared(&s);
    for (int i = 2; i < count; i++)
        parse_option(&c, &ask, &s, count, arguments, &i);
    if (s.repeat < 1)
        s.repeat = 1;
    ask.quick = c.said.quick;
    choose_graphs(&s, &c);
    bench_tag(&s);
    layers_rivals_load(&rivals, &s);
    layers_load(&all, &s, c.paper ? "layers-paper" : "layers", c.said.fresh);
    layers_view v = {&s, &ask, &all, &rivals};
    if (c.paper)
        run_paper(&v, &all, &c);
    else if (c.scaling)
        run_scaling(&v, &all, &c);
    else
        run_tables(&v, &all, &c);
    int invalid = layers_valid(&s, &all);
    free(all.rows);
    return invalid > 0;
}
