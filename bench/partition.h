/* SPDX-License-Identifier: Apache-2.0 */
/* bench/partition.h - what the pieces of bench_partition share.
 *
 * partition.c        the command line and what is measured
 * partition_set.c    the graphs, their families, the named subsets
 * partition_metis.c  METIS in this process
 * partition_run.c    one measurement of ours beside METIS
 * partition_store.c  measurements on file, so that a run can be taken up again
 * partition_rivals.c what other programs reached, as recorded
 * partition_table.c  the main tables; partition_special.c those of --known, --large, --volume
 * partition_plot.c   the picture */
#ifndef BENCH_PARTITION_H
#define BENCH_PARTITION_H

#include <stdint.h>

#include "cleave/cleave.h"

enum { max_list = 64, neffort = 4, nfamily = 4, nsubset = 20 };

typedef enum family { MESH, IRREGULAR, ROAD, MATRIX } family;
extern const char *const family_names[nfamily];
extern const char *const effort_names[neffort];

typedef struct graph_entry {
    const char *name; /* in ../shared/anchors/undirected.csv */
    const char *file; /* below ../shared/data */
    family family;
    int quick;      /* small: part of --quick */
    int unweighted; /* the anchors took it without its weights */
    int known;      /* best known cut for k = 2 at 5 %, or 0 */
} graph_entry;
extern const graph_entry graph_set[];
extern const int graph_count;

typedef struct settings {
    const char *folder; /* for results */
    char shared[400];
    char tag[40]; /* names the library that was measured */
    const char *plot;
    int k[max_list], nk;
    int efforts[max_list], nefforts;
    int threads[max_list], nthreads;
    int graphs[max_list], ngraphs; /* places in graph_set */
    int seeds, repeat;
    double imbalance, best_limit;
    cleave_objective objective;
} settings;

/* One measurement: what was asked, what we reached, what METIS reached beside it. */
typedef struct row {
    char tag[40], graph[40], effort[12];
    int k, threads, seed, objective;
    double imbalance, limit;
    int status, balanced, empty, levels, cycles, timed_out;
    long long cut, volume;
    double reached, seconds, coarsen, initial, refine;
    int metis_balanced, metis_empty;
    long long metis_cut, metis_volume;
    double metis_reached, metis_seconds;
} row;

typedef struct results {
    row *rows;
    int count, room;
    char path[500];
} results;

void bench_fail(const char *what);
double bench_seconds(void);

/* partition_set.c */
cleave_graph *set_read(const settings *s, const graph_entry *entry);
int set_find(const char *name); /* place in graph_set, or -1 */
int set_in_subset(const char *graph, int k);

/* partition_metis.c */
typedef struct metis_graph metis_graph;
int metis_available(void);
metis_graph *metis_prepare(const cleave_graph *g);
void metis_free(metis_graph *m);
/* Seconds of one call; part has a place per vertex. */
double metis_run(metis_graph *m, int k, double imbalance, int seed, int volume, int32_t *part);

/* partition_run.c */
/* Fills what was reached of a row whose question is set. */
void run_case(row *r, const cleave_graph *g, metis_graph *m, int repeat);

/* partition_store.c */
void store_load(results *all, const settings *s, int fresh);
void store_add(results *all, const row *r);
row store_question(const settings *s, const char *graph, int k, int effort, int threads,
                   int seed);
const row *store_find(const results *all, const row *question);

/* partition_rivals.c */
typedef struct rival_line {
    char graph[40], tool[24];
    int k;
    double cut, time_ratio;
} rival_line;
typedef struct rivals {
    rival_line *lines;
    int count;
    char tool[16][24];
    int ntools;
} rivals;
void rivals_load(rivals *r, const settings *s);
const rival_line *rivals_find(const rivals *r, const char *graph, int k, const char *tool);

/* A part of the set; -1: no restriction. */
typedef struct slice {
    int family, k, subset;
} slice;
typedef struct ratios {
    double cut, time;
    int count; /* instances */
} ratios;
/* Geometric means of ours over METIS's. */
ratios table_ours(const settings *s, const results *all, int effort, int threads, slice where);
ratios table_rival(const settings *s, const rivals *r, const char *tool, slice where);
/* Mean over the seeds of one instance; 0 when it was not measured. */
int table_instance(const settings *s, const results *all, int graph, int k, int effort,
                   int threads, row *mean);

/* partition_table.c, partition_special.c, partition_plot.c */
void table_print(const settings *s, const results *all, const rivals *r);
void special_known(const settings *s, const results *all);
void special_large(const settings *s, const results *all);
void special_volume(const settings *s, const results *all);
void plot_pareto(const settings *s, const results *all, const rivals *r, const char *path);

#endif
