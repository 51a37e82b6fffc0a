/* SPDX-License-Identifier: Apache-2.0 */
/* bench/map/map.h - declarations shared by the files of bench_map, in addition to bench.h.
 *
 * map.c         the command line, and the list of measurements
 * map_set.c     graphs, targets, the named subset, results of other programs
 * map_scotch.c  Scotch as a separate process, its target files
 * map_run.c     one measurement of cleave and of Scotch
 * map_store.c   measurements in a file, so that a run can be continued
 * map_table.c   geometric means by group and target
 * map_valid.c   validity of the results
 * map_bump.c    --bump: five PEs of a small mesh
 * map_one.c     --one-to-one: placing the ranks of a program */
#ifndef BENCH_MAP_H
#define BENCH_MAP_H

#include "common/bench.h"

enum {
    nmapgraph = 14,
    nrecorded = 7, /* targets with recorded results come first */
    nmaptarget = 15,
    ngroup = 2,
    max_map_rivals = 512,
    max_map_tools = 8
};

/* One measurement: the instance, our result, and that of Scotch.  Costs are as
 * cleave_evaluate_target counts them, on both sides. */
typedef struct map_row {
    char tag[40], graph[40], target[40];
    char effort[40]; /* or the name of a method */
    int threads, seed;
    double imbalance, limit;
    int status; /* as cleave_status; 1: the costs of the report and the evaluation differ */
    int balanced, empty, levels, cycles, timed_out;
    long long cost, cut; /* -1: there is no mapping */
    double reached, seconds, coarsen, initial, refine;
    long long scotch_cost, scotch_cut;
    long long scotch_says; /* its cost as it reports it */
    int scotch_balanced, scotch_empty;
    double scotch_reached, scotch_seconds;
    long long plain; /* --bump: cost of the best placement of a plain partition; else -1 */
} map_row;

typedef struct map_results {
    map_row *rows;
    int count, room;
    char path[500];
} map_results;

/* Options besides those of all benchmarks. */
typedef struct map_ask {
    int targets[nmaptarget], ntargets; /* places in map_targets */
    int quick, graphs_named;
    int beyond; /* the targets without recorded results */
} map_ask;

typedef struct map_target {
    const char *spec;
    int group;
} map_target;
extern const map_target map_targets[nmaptarget];
extern const char *const map_graphs[nmapgraph]; /* names of partition_set.c */
extern const char *const group_names[ngroup];

typedef struct map_rival {
    char graph[40], target[40], tool[24];
    double cost, seconds;
} map_rival;
typedef struct map_rivals {
    map_rival line[max_map_rivals];
    int count;
    char tool[max_map_tools][24]; /* all but Scotch */
    int ntools;
} map_rivals;

/* map_set.c */
int map_graph_find(const char *name); /* places in the lists above, or -1 */
int map_target_find(const char *spec);
int map_graph_quick(int graph);
int map_in_subset(const char *graph, const char *target); /* the 10 instances of `best` */
cleave_graph *map_graph_read(const settings *s, const char *name);
void map_rivals_load(map_rivals *r, const settings *s);
const map_rival *map_rivals_find(const map_rivals *r, const char *graph, const char *target,
                                 const char *tool);

/* map_scotch.c */
typedef struct scotch_files {
    char graph[500], target[500], mapping[500];
} scotch_files;
typedef struct scotch_run {
    double seconds; /* of the mapping alone */
    long long cost; /* as it reports; -1: not requested */
} scotch_run;
int scotch_available(void);
/* Names of files in the folder of results; one process may have one set at a time. */
scotch_files scotch_names(const settings *s);
void scotch_write_target(const scotch_files *f, const char *spec);
/* Ends the program when Scotch fails. */
scotch_run scotch_map(const scotch_files *f, double imbalance, int judged);
void scotch_remove(const scotch_files *f);

/* map_run.c */
typedef struct map_case {
    const cleave_graph *g;
    const cleave_target *t;
    const scotch_files *files; /* of the same graph and target */
    const map_row *known;      /* NULL, or has earlier results of Scotch, which is slow */
    cleave_effort effort;
    int repeat, one_to_one;
} map_case;
/* Fills the results of a row whose instance is set. */
void map_measure(map_row *r, const map_case *c);
/* Cost and balance of parts into the row, as ours. */
void map_judge(map_row *r, const cleave_graph *g, const cleave_target *t, const int32_t *part);
cleave_target *map_target_read(const char *spec);
void map_print_progress(const map_row *r);

/* map_store.c */
void map_store_load(map_results *all, const settings *s, const char *name, int fresh);
void map_store_add(map_results *all, const map_row *r);
map_row map_store_question(const settings *s, const char *graph, const char *target,
                           int effort, int seed);
const map_row *map_store_find(const map_results *all, const map_row *question);
/* A row on the same instance, measured with this library, if Scotch was slow. */
const map_row *map_store_slow(const map_results *all, const map_row *question);

/* map_table.c, map_valid.c */
void map_table(const settings *s, const map_ask *ask, const map_results *all,
               const map_rivals *r);
/* Prints the invalid rows of this library; returns their number. */
int map_valid(const settings *s, const map_results *all);

/* map_bump.c, map_one.c */
void bump_measure(const settings *s, const map_ask *ask, map_results *all);
void bump_print(const settings *s, const map_ask *ask, const map_results *all);
void one_measure(const settings *s, map_results *all);
void one_print(const settings *s, const map_results *all);

#endif
