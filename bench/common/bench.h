/* SPDX-License-Identifier: Apache-2.0 */
/* bench/common/bench.h - declarations shared by bench_partition, bench_acyclic and bench_map.
 *
 * bench_options.c  lists and options of the command line, the tag of the library
 * bench_metis.c    METIS in this process
 * bench_run.c      one measurement of cleave and of METIS
 * bench_store.c    measurements in a file, so that a run can be continued */
#ifndef BENCH_BENCH_H
#define BENCH_BENCH_H

#include <stdint.h>

#include "cleave/cleave.h"

enum { max_list = 64, neffort = 4 };
extern const char *const effort_names[neffort];
extern const char bench_name[]; /* of the program, for error messages */

typedef struct settings {
    const char *folder; /* for results */
    char shared[400];
    char tag[40]; /* names the library that was measured */
    const char *plot;
    int k[max_list], nk;
    int efforts[max_list], nefforts;
    int threads[max_list], nthreads;
    int graphs[max_list], ngraphs; /* places in the set of the benchmark */
    int seeds, repeat;
    double imbalance, best_limit;
    cleave_objective objective;
} settings;

/* Options of all benchmarks; NULL and 0: not given. */
typedef struct choices {
    const char *efforts, *graphs, *k, *threads;
    int seeds, quick, fresh, report;
} choices;

/* One measurement: the instance, our result, and that of METIS. */
typedef struct row {
    char tag[40], graph[40];
    char effort[40]; /* or the name of a method */
    int k, threads, seed, objective;
    double imbalance, limit;
    int status, balanced, empty, levels, cycles, timed_out;
    int acyclic; /* as cleave_metrics */
    long long cut, volume, path;
    double reached, seconds, coarsen, initial, refine;
    int metis_fails; /* the other figures of METIS are not valid then */
    int metis_balanced, metis_empty;
    long long metis_cut, metis_volume, metis_path;
    double metis_reached, metis_seconds;
} row;

typedef struct results {
    row *rows;
    int count, room;
    char path[500];
} results;

/* bench_options.c */
void bench_fail(const char *what);
/* Wall time, or with --cpu that of this process on all its threads together: more stable on a
 * busy machine, for measurements on one thread. */
double bench_seconds(void);
int bench_in_cpu(void);
/* The number of repetitions of a run of this time: more for short runs, one for long ones. */
int bench_repeats(double seconds, int repeat, double limit);
int bench_list(const char *text, char item[][40]);
int bench_numbers(const char *text, int *to);
void bench_efforts(settings *s, const char *text);
/* The value of option *at, which advances to it. */
const char *bench_value(int count, char **arguments, int *at);
/* Parses an option that all benchmarks have; 0: another option. */
int bench_option(choices *c, settings *s, int count, char **arguments, int *at);
/* Fills s->shared and, unless it was given, s->tag. */
void bench_shared(settings *s);
void bench_tag(settings *s);

/* bench_metis.c */
typedef struct metis_graph metis_graph;
int metis_available(void);
/* g is undirected and must outlive what is made of it. */
metis_graph *metis_prepare(const cleave_graph *g);
void metis_free(metis_graph *m);
/* Seconds of one call, negative when METIS fails; part has a place per vertex. */
double metis_run(metis_graph *m, int k, double imbalance, int seed, int volume, int32_t *part);

/* bench_run.c */
typedef struct run_how {
    cleave_effort effort;
    const char *method, *params; /* NULL: the engine */
    int repeat;
    int metis_volume; /* METIS has the volume as its objective */
    int metis_may_fail;
} run_how;
/* Fills the results of a row whose instance is set; m NULL: without METIS.  0: there is no
 * mapping, see r->status. */
int run_case(row *r, const cleave_graph *g, metis_graph *m, const run_how *how);
/* METIS instead of this library: its result is evaluated in the same way. */
void run_metis(row *r, const cleave_graph *g, metis_graph *m);
int run_invalid(const row *r);

/* bench_store.c */
/* Files of lines, see bench_lines.c. */
typedef struct lines_file {
    const char *name; /* without folder and .tsv */
    const char *heading;
    void (*take)(void *all, const char *line); /* lines that cannot be parsed are skipped */
} lines_file;
/* rows with room for one more. */
void *lines_grow(void *rows, int count, int *room, size_t each);
/* Finds the path and reads the existing rows; fresh: ignores them. */
void lines_load(char *path, size_t size, const settings *s, const lines_file *from, int fresh,
                void *all);
void lines_append(const char *path, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

void store_load(results *all, const settings *s, const char *name, int fresh);
void store_add(results *all, const row *r);
row store_question(const settings *s, const char *graph, int k, int effort, int threads,
                   int seed);
const row *store_find(const results *all, const row *question);

#endif
