/* SPDX-License-Identifier: Apache-2.0 */
/* bench/partition/partition.c - quality and time of cleave_map compared with METIS and others.
 *
 *   bench_partition FOLDER [--k 2,8,32] [--efforts fast,default,quality,best] [--threads 1,2]
 *       [--graphs 3elt,uk] [--seeds 2] [--repeat 3] [--quick] [--best-limit 60]
 *       [--imbalance 0.03] [--shared DIR] [--tag NAME] [--fresh] [--report] [--cpu]
 *       [--plot FILE]
 *   ... --known    k = 2 at 5 % on the graphs with best known cuts, effort best
 *   ... --large    k = 4096 on road_FLA and k = n/10 on 4elt
 *   ... --volume   objective volume on ten graphs, k = 8, 32
 *
 * METIS runs in this process and alternates with cleave.  Results are lines of
 * FOLDER/partition.tsv.  Instances that have been measured for this library (or --tag) are
 * skipped; --fresh discards them, --report only prints the tables.  The picture is written to
 * docs/pareto.svg for the whole set, otherwise to FOLDER. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "partition/partition.h"

typedef enum mode { MAIN, KNOWN, LARGE, VOLUME } mode;

typedef struct command {
    mode mode;
    int whole;
    choices said;
} command;

const char bench_name[] = "bench_partition";

/* ---- The command line ------------------------------------------------------------------- */

static void choose_graphs(settings *s, const command *c)
{
    static const char ten[] = "4elt,add20,bcsstk29,fe_body,memplus,wing,wiki-Vote,Email-Enron,"
                              "sat_safe029,lap3d_40";
    char item[max_list][40];
    const char *text = c->said.graphs ? c->said.graphs : c->mode == VOLUME ? ten : NULL;
    for (int i = 0; i < graph_count && !text; i++)
        if ((!c->said.quick || graph_set[i].quick) && (c->mode != KNOWN || graph_set[i].known))
            s->graphs[s->ngraphs++] = i;
    int count = text ? bench_list(text, item) : 0;
    for (int i = 0; i < count; i++) {
        int at = set_find(item[i]);
        if (at < 0)
            bench_fail(
                "there is no such graph in the set; see bench/partition/partition_set.c");
        s->graphs[s->ngraphs++] = at;
    }
}

static void parse_option(command *c, settings *s, int count, char **arguments, int *at)
{
    const char *name = arguments[*at];
    if (bench_option(&c->said, s, count, arguments, at))
        return;
    if (strcmp(name, "--known") == 0)
        c->mode = KNOWN;
    else if (strcmp(name, "--large") == 0)
        c->mode = LARGE;
    else if (strcmp(name, "--volume") == 0)
        c->mode = VOLUME;
    else if (strcmp(name, "--plot") == 0)
        s->plot = bench_value(count, arguments, at);
    else {
        fprintf(stderr, "bench_partition: there is no option %s\n", name);
        exit(2);
    }
}

static void settle(settings *s, command *c)
{
    static const char *const efforts[] = {"fast,default,quality,best", "best", "fast,default",
                                          "fast,default,quality"};
    static const char *const parts[] = {"2,8,32", "2", "4096", "8,32"};
    s->nk = bench_numbers(c->said.k ? c->said.k : parts[c->mode], s->k);
    bench_efforts(s, c->said.efforts ? c->said.efforts : efforts[c->mode]);
    s->nthreads = bench_numbers(c->said.threads    ? c->said.threads
                                : c->mode == KNOWN ? "2"
                                                   : "1,2",
                                s->threads);
    choose_graphs(s, c);
    s->seeds = c->said.seeds > 0 ? c->said.seeds : c->said.quick || c->mode != MAIN ? 1 : 2;
    if (c->mode == KNOWN)
        s->imbalance = 0.05;
    if (c->mode == VOLUME)
        s->objective = CLEAVE_OBJECTIVE_VOLUME;
    if (s->repeat < 1)
        s->repeat = 1;
    bench_tag(s);
    c->whole = c->mode == MAIN && s->ngraphs == graph_count && s->nk == 3 && !c->said.k;
}

/* ---- Measuring -------------------------------------------------------------------------- */

static int wanted(const command *c, const char *graph, int k, int effort, int seed)
{
    if (effort != CLEAVE_EFFORT_BEST || c->mode != MAIN)
        return 1;
    return seed == 1 && (set_in_subset(graph, k) || c->said.graphs);
}

typedef struct loaded {
    cleave_graph *g;
    metis_graph *m;
} loaded;

static void measure_effort(const settings *s, results *all, loaded *l,
                           const graph_entry *entry, int effort, row *question)
{
    run_how how = {.effort = (cleave_effort)effort,
                   .repeat = s->repeat,
                   .metis_volume = s->objective == CLEAVE_OBJECTIVE_VOLUME};
    if (store_find(all, question))
        return;
    if (!l->g) {
        l->g = set_read(s, entry);
        l->m = metis_prepare(l->g);
    }
    if (!run_case(question, l->g, l->m, &how))
        exit(1);
    store_add(all, question);
    fprintf(stderr, "%-18s k=%-5d %-8s %d thr. seed %d  cut %9lld  %6.3f @ %-7.2f %s\n",
            question->graph, question->k, question->effort, question->threads, question->seed,
            question->cut, (double)question->cut / (double)question->metis_cut,
            question->seconds / question->metis_seconds,
            run_invalid(question) ? "INVALID" : "");
}

static void measure_graph(const settings *s, const command *c, results *all, int graph,
                          const int *k, int nk)
{
    const graph_entry *entry = &graph_set[graph];
    loaded l = {NULL, NULL};
    for (int i = 0; i < nk; i++)
        for (int e = 0; e < s->nefforts; e++)
            for (int seed = 1; seed <= s->seeds; seed++)
                for (int t = 0; t < s->nthreads; t++) {
                    row q = store_question(s, entry->name, k[i], s->efforts[e], s->threads[t],
                                           seed);
                    if (wanted(c, entry->name, k[i], s->efforts[e], seed))
                        measure_effort(s, all, &l, entry, s->efforts[e], &q);
                }
    if (l.g) {
        metis_free(l.m);
        cleave_graph_free(l.g);
    }
}

static void measure_all(const settings *s, const command *c, results *all)
{
    const int many = 4096, tenth = 1560; /* 4elt has 15606 vertices */
    if (c->mode == LARGE) {
        measure_graph(s, c, all, set_find("4elt"), &tenth, 1);
        measure_graph(s, c, all, set_find("road_FLA"), &many, 1);
        return;
    }
    for (int i = 0; i < s->ngraphs; i++)
        measure_graph(s, c, all, s->graphs[i], s->k, s->nk);
}

int main(int count, char **arguments)
{
    static settings s = {.repeat = 3, .imbalance = 0.03, .best_limit = 60};
    static results all;
    static rivals others;
    command c = {.mode = MAIN};
    char path[500];
    if (count < 2)
        bench_fail(
            "usage: bench_partition FOLDER [OPTIONS]; bench/partition/partition.c lists them");
    if (!metis_available())
        bench_fail("METIS is not here: apt install libmetis-dev, then run this again");
    s.folder = arguments[1];
    bench_shared(&s);
    for (int i = 2; i < count; i++)
        parse_option(&c, &s, count, arguments, &i);
    settle(&s, &c);
    store_load(&all, &s, "partition", c.said.fresh);
    if (!c.said.report)
        measure_all(&s, &c, &all);
    if (c.mode == KNOWN)
        special_known(&s, &all);
    else if (c.mode == LARGE)
        special_large(&s, &all);
    else if (c.mode == VOLUME)
        special_volume(&s, &all);
    else {
        rivals_load(&others, &s);
        table_print(&s, &all, &others);
        snprintf(path, sizeof path, "%s/pareto.svg", s.folder);
        plot_pareto(&s, &all, &others, s.plot ? s.plot : c.whole ? "docs/pareto.svg" : path);
        free(others.lines);
    }
    free(all.rows);
    return 0;
}
