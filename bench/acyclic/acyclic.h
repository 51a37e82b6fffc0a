/* SPDX-License-Identifier: Apache-2.0 */
/* bench/acyclic/acyclic.h - declarations shared by the files of bench_acyclic, in addition to
 * bench.h.
 *
 * acyclic.c             the command line, and the list of measurements
 * acyclic_set.c         the 23 DAGs, the named subset, the results of dagP
 * acyclic_table.c       cut, volume, critical path and time over the set; spread; validity
 * acyclic_paper.c       the experiments of the paper: variants and comparators
 * acyclic_statements.c  statements of the paper, and whether they hold in our runs */
#ifndef BENCH_ACYCLIC_H
#define BENCH_ACYCLIC_H

#include "common/bench.h"

enum { ndag = 23, nvariant = 14, max_rivals = 256 };

typedef struct dag_entry {
    const char *name; /* of the kernel, and in ../shared/anchors/acyclic.csv */
    int quick;        /* small: part of --quick */
} dag_entry;
extern const dag_entry dag_set[ndag];

/* A DAG and its undirected graph for METIS. */
typedef struct loaded_dag {
    cleave_graph *g, *undirected;
    metis_graph *m;
} loaded_dag;

typedef struct dag_rival {
    char graph[40], tool[24];
    int k;
    double cut, cut_best, volume, path, time_ratio; /* time_ratio 0: unknown */
} dag_rival;
typedef struct dag_rivals {
    dag_rival line[max_rivals];
    int count;
} dag_rivals;

/* acyclic_set.c */
int dag_find(const char *name); /* place in dag_set, or -1 */
int dag_in_subset(const char *graph, int k);
void dag_load(loaded_dag *l, const char *name); /* empty until it is loaded */
void dag_unload(loaded_dag *l);
void dag_rivals_load(dag_rivals *r, const settings *s);
const dag_rival *dag_rivals_find(const dag_rivals *r, const char *graph, int k,
                                 const char *tool);

/* acyclic_table.c */
/* Each prints, and returns how many results are invalid or differ with the threads. */
int acyclic_table(const settings *s, const results *all, const dag_rivals *r, int detail);
int acyclic_spread(const settings *s, const results *all);
int acyclic_valid(const settings *s, const results *all);

/* acyclic_paper.c */
/* A method of the experiments: dagP's variants first, the base variant among them. */
typedef struct variant {
    const char *name;
    const char *method, *params; /* NULL: the engine at an effort; method "metis": METIS */
    cleave_effort effort;
    int paper; /* 1: part of the paper's experiments */
} variant;
extern const variant variants[nvariant];
int variant_find(const char *name);

/* Means over the seeds of one method on one DAG. */
typedef struct paper_cell {
    int seeds, invalid;
    double cut, best, worst, volume, path, seconds;
} paper_cell;
typedef struct paper_results {
    int ncase;
    int graph[ndag * max_list], k[ndag * max_list];
    paper_cell cell[nvariant][ndag * max_list];
} paper_results;
typedef enum paper_value { PAPER_CUT, PAPER_TIME, PAPER_VOLUME, PAPER_PATH } paper_value;
/* Infinity where it was not measured or failed. */
double paper_get(const paper_results *p, int variant, int at, paper_value what);

void paper_measure(const settings *s, results *all);
void paper_report(const settings *s, const results *all, const char *folder);

/* acyclic_statements.c */
void paper_statements(const paper_results *p);

#endif
