/* SPDX-License-Identifier: Apache-2.0 */
/* bench/partition/partition.h - declarations shared by the files of bench_partition, in
 * addition to bench.h.
 *
 * partition.c          the command line, and the list of measurements
 * partition_set.c      the graphs, their families, the named subsets
 * partition_rivals.c   recorded results of other programs
 * partition_table.c    the main tables
 * partition_special.c  the tables of --known, --large, --volume
 * partition_plot.c     the picture */
#ifndef BENCH_PARTITION_H
#define BENCH_PARTITION_H

#include "common/bench.h"

enum { nfamily = 4, nsubset = 20 };

typedef enum family { MESH, IRREGULAR, ROAD, MATRIX } family;
extern const char *const family_names[nfamily];

typedef struct graph_entry {
    const char *name; /* in ../shared/anchors/undirected.csv */
    const char *file; /* below ../shared/data */
    family family;
    int quick;      /* small: part of --quick */
    int unweighted; /* recorded without its weights */
    int known;      /* best known cut for k = 2 at 5 %, or 0 */
} graph_entry;
extern const graph_entry graph_set[];
extern const int graph_count;

/* partition_set.c */
cleave_graph *set_read(const settings *s, const graph_entry *entry);
int set_find(const char *name); /* place in graph_set, or -1 */
int set_in_subset(const char *graph, int k);

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
