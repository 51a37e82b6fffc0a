/* SPDX-License-Identifier: Apache-2.0 */
/* bench/map/map.c - quality and time of cleave_map onto machines, compared with Scotch and
 * others.
 *
 *   bench_map FOLDER [--efforts fast,default,quality,best] [--graphs 3elt,wing]
 *       [--targets mesh:8x8,hypercube:6] [--seeds 1] [--repeat 3] [--threads 1] [--quick]
 *       [--best-limit 60] [--imbalance 0.03] [--shared DIR] [--tag NAME] [--fresh] [--report]
 *       [--cpu]
 *   ... --beyond      8 other machines, sides that are no powers of two and trees of unequal
 *                     levels; compared with Scotch in the same run
 *   ... --bump        the graph bump onto every list [0,4,a,b,c] of 2x4 and 4x2 meshes;
 *                     --quick: every set of them instead of every list
 *   ... --one-to-one  the ranks of a program, one on each of 512 PEs
 *
 * By default 14 graphs on 7 targets at efforts default and quality; best has ten instances on
 * trees, or all that --graphs names.  Scotch (scotch_gmap on one thread, the same bound)
 * alternates with cleave.  Times are wall times of the mapping alone, as reported by both
 * programs; with --cpu they are CPU times, which vary less on a busy machine. --threads is one
 * number, for cleave.
 *
 * Results are lines of FOLDER/map.tsv, map-bump.tsv, map-one.tsv.  Instances that have been
 * measured for this library (or --tag) are skipped; --fresh discards them, --report only
 * prints the tables.  Exit status 1: a result is invalid. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "map/map.h"

typedef enum mode { MAIN, BUMP, ONE } mode;

typedef struct command {
    mode mode;
    const char *targets;
    int beyond;
    choices said;
} command;

const char bench_name[] = "bench_map";

/* ---- The command line ------------------------------------------------------------------- */

static void choose_graphs(settings *s, const command *c)
{
    char item[max_list][40];
    for (int i = 0; i < nmapgraph && !c->said.graphs; i++)
        if (!c->said.quick || map_graph_quick(i))
            s->graphs[s->ngraphs++] = i;
    int count = c->said.graphs ? bench_list(c->said.graphs, item) : 0;
    for (int i = 0; i < count; i++) {
        int at = map_graph_find(item[i]);
        if (at < 0)
            bench_fail("there is no such graph in the set; see bench/map/map_set.c");
        s->graphs[s->ngraphs++] = at;
    }
}

static void choose_targets(map_ask *ask, const command *c)
{
    char item[max_list][40];
    int from = c->beyond ? nrecorded : 0, to = c->beyond ? nmaptarget : nrecorded;
    for (int i = from; i < to && !c->targets; i++)
        ask->targets[ask->ntargets++] = i;
    int count = c->targets ? bench_list(c->targets, item) : 0;
    for (int i = 0; i < count && ask->ntargets < nmaptarget; i++) {
        int at = map_target_find(item[i]);
        if (at < 0)
            bench_fail("there is no such target in the set; see bench/map/map_set.c");
        ask->targets[ask->ntargets++] = at;
    }
}

static void parse_option(command *c, settings *s, int count, char **arguments, int *at)
{
    const char *name = arguments[*at];
    if (bench_option(&c->said, s, count, arguments, at))
        return;
    if (strcmp(name, "--bump") == 0)
        c->mode = BUMP;
    else if (strcmp(name, "--one-to-one") == 0)
        c->mode = ONE;
    else if (strcmp(name, "--beyond") == 0)
        c->beyond = 1;
    else if (strcmp(name, "--targets") == 0)
        c->targets = bench_value(count, arguments, at);
    else {
        fprintf(stderr, "bench_map: there is no option %s\n", name);
        exit(2);
    }
}

static void settle(settings *s, map_ask *ask, const command *c)
{
    static const char *const efforts[] = {"default,quality", "default,quality",
                                          "fast,default,quality"};
    bench_efforts(s, c->said.efforts ? c->said.efforts : efforts[c->mode]);
    s->nthreads = bench_numbers(c->said.threads ? c->said.threads : "1", s->threads);
    if (s->nthreads != 1)
        bench_fail("--threads is one number here");
    choose_graphs(s, c);
    choose_targets(ask, c);
    ask->quick = c->said.quick;
    ask->beyond = c->beyond;
    ask->graphs_named = c->said.graphs != NULL;
    s->seeds = c->said.seeds > 0 ? c->said.seeds : 1;
    if (s->repeat < 1)
        s->repeat = 1;
    bench_tag(s);
}

/* ---- Measuring -------------------------------------------------------------------------- */

static int wanted(const map_ask *ask, const map_row *q, int effort)
{
    if (effort != CLEAVE_EFFORT_BEST)
        return 1;
    return q->seed == 1 && (ask->graphs_named || map_in_subset(q->graph, q->target));
}

typedef struct loaded {
    cleave_graph *g;
    scotch_files files;
} loaded;

static void load(loaded *l, const settings *s, const char *name)
{
    cleave_error err;
    if (l->g)
        return;
    l->g = map_graph_read(s, name);
    l->files = scotch_names(s);
    if (cleave_graph_write(l->g, l->files.graph, NULL, &err) != CLEAVE_OK)
        bench_fail(err.message);
}

static void measure_effort(const settings *s, map_results *all, loaded *l, int effort,
                           map_row *q)
{
    load(l, s, q->graph);
    scotch_write_target(&l->files, q->target);
    cleave_target *t = map_target_read(q->target);
    map_case c = {.g = l->g,
                  .t = t,
                  .files = &l->files,
                  .known = map_store_slow(all, q),
                  .effort = (cleave_effort)effort,
                  .repeat = s->repeat};
    map_measure(q, &c);
    cleave_target_free(t);
    map_store_add(all, q);
    map_print_progress(q);
}

static void measure_graph(const settings *s, const map_ask *ask, map_results *all,
                          const char *name)
{
    loaded l = {.g = NULL};
    for (int t = 0; t < ask->ntargets; t++)
        for (int e = 0; e < s->nefforts; e++)
            for (int seed = 1; seed <= s->seeds; seed++) {
                map_row q = map_store_question(s, name, map_targets[ask->targets[t]].spec,
                                               s->efforts[e], seed);
                if (wanted(ask, &q, s->efforts[e]) && !map_store_find(all, &q))
                    measure_effort(s, all, &l, s->efforts[e], &q);
            }
    if (l.g) {
        scotch_remove(&l.files);
        cleave_graph_free(l.g);
    }
}

static void measure_all(const settings *s, const map_ask *ask, mode mode, map_results *all)
{
    if (!scotch_available())
        bench_fail("Scotch is not here: apt install scotch, then run this again");
    if (mode == BUMP)
        bump_measure(s, ask, all);
    else if (mode == ONE)
        one_measure(s, all);
    else
        for (int i = 0; i < s->ngraphs; i++)
            measure_graph(s, ask, all, map_graphs[s->graphs[i]]);
}

int main(int count, char **arguments)
{
    static const char *const files[] = {"map", "map-bump", "map-one"};
    static settings s = {.repeat = 3, .imbalance = 0.03, .best_limit = 60};
    static map_results all;
    static map_rivals others;
    static map_ask ask;
    command c = {.mode = MAIN};
    if (count < 2)
        bench_fail("usage: bench_map FOLDER [OPTIONS]; bench/map/map.c lists them");
    s.folder = arguments[1];
    bench_shared(&s);
    for (int i = 2; i < count; i++)
        parse_option(&c, &s, count, arguments, &i);
    settle(&s, &ask, &c);
    map_store_load(&all, &s, files[c.mode], c.said.fresh);
    if (!c.said.report)
        measure_all(&s, &ask, c.mode, &all);
    printf("\nlibrary %s, %d thread%s; Scotch on one, in the same run; %s times; "
           "%g %% imbalance, %d seed%s\n",
           s.tag, s.threads[0], s.threads[0] == 1 ? "" : "s", bench_in_cpu() ? "CPU" : "wall",
           100 * s.imbalance, s.seeds, s.seeds == 1 ? "" : "s");
    if (c.mode == BUMP)
        bump_print(&s, &ask, &all);
    else if (c.mode == ONE)
        one_print(&s, &all);
    else {
        map_rivals_load(&others, &s);
        map_table(&s, &ask, &all, &others);
    }
    int invalid = map_valid(&s, &all);
    free(all.rows);
    return invalid > 0;
}
