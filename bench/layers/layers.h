/* SPDX-License-Identifier: Apache-2.0 */
/* bench/layers/layers.h - declarations shared by the files of bench_layers, in addition to
 * bench.h.
 *
 * layers.c        the command line
 * layers_set.c    matrices, circuits, results of other programs
 * layers_run.c    one measurement: a schedule by name, checked; a serial solve
 * layers_store.c  measurements in a file, so that a run can be continued
 * layers_table.c  speed-ups next to those of recorded tools, layers, analysis time
 * layers_more.c   circuits, growth with the size
 * layers_bars.c   goals
 * layers_paper.c  --paper: the contents of Figure 9 of Shah et al.
 * layers_page.c   the same as a page of Markdown
 * layers_plot.c   the plots of that page */
#ifndef BENCH_LAYERS_H
#define BENCH_LAYERS_H

#include <stdio.h>

#include "common/bench.h"

enum { nlayers_threads = 3, max_layers_rivals = 256, nlayers_tool = 3 };
extern const int layers_threads[nlayers_threads]; /* 2, 8, 18 */

/* One measurement.  Costs are by the defaults, 500 for a layer, as the recorded ones. */
typedef struct layers_row {
    char tag[40], graph[40];
    char method[64]; /* "auto", "auto+split", "graphopt:window=0" */
    int threads;     /* of the schedule */
    int status;      /* as cleave_status; 1: the check of the schedule fails */
    int levels, layers, used;
    long long rows, tasks, total, most, crossing; /* most: sum over layers of the largest */
    double cost, speed_up;
    double seconds; /* that it took */
    double solve;   /* seconds of a serial solve; 0: there is none */
} layers_row;

typedef struct layers_results {
    layers_row *rows;
    int count, room;
    char path[500];
} layers_results;

typedef struct layers_ask {
    int quick;
    double limit; /* time limit of a schedule of --paper in seconds */
    char methods[max_list][40];
    int nmethods; /* 0: all */
} layers_ask;

/* ---- layers_set.c ---- */
typedef enum layers_kind { TRIANGLE, FACTOR, CIRCUIT } layers_kind;
typedef struct layers_graph {
    const char *name;
    const char *file; /* below data of the shared folder, or "grid2d:NxN" */
    layers_kind kind;
    int mesh;  /* lower triangle or factor of a mesh-like matrix */
    int quick; /* 1: also with --quick */
} layers_graph;
extern const layers_graph layers_set[];
extern const int layers_count;
int layers_find(const char *name); /* a place in the set, or -1 */
/* A DAG whose vertex weights are costs; NULL: not available, *why has the reason. */
cleave_graph *layers_read(const settings *s, const layers_graph *what, const char **why);
/* The lower triangle of an undirected graph, which is freed. */
cleave_graph *layers_lower(cleave_graph *g);

typedef struct layers_rival {
    char graph[40], tool[24];
    int threads, layers;
    double cost, speed_up; /* over serial */
} layers_rival;
typedef struct layers_rivals {
    layers_rival line[max_layers_rivals];
    int count;
} layers_rivals;
extern const char *const layers_tools[nlayers_tool];
void layers_rivals_load(layers_rivals *r, const settings *s);
const layers_rival *layers_rivals_find(const layers_rivals *r, const char *graph, int threads,
                                       const char *tool);
double layers_rivals_best(const layers_rivals *r, const char *graph, int threads);

/* ---- layers_run.c ---- */
/* Seconds of a row-wise solve with the pattern of g, on this thread. */
double layers_solve_seconds(const cleave_graph *g);
/* Fills the results of a row whose instance is set; repeat: number of runs, of which the
 * minimum time is used; limit: time limit in seconds, 0: none. *keep (may be NULL): the
 * schedule. */
void layers_measure(layers_row *r, const cleave_graph *g, int repeat, double limit,
                    cleave_schedule **keep);
int layers_invalid(const layers_row *r);
void layers_progress(const layers_row *r);

/* ---- layers_store.c ---- */
void layers_load(layers_results *all, const settings *s, const char *name, int fresh);
void layers_add(layers_results *all, const layers_row *r);
layers_row layers_question(const settings *s, const char *graph, const char *method,
                           int threads);
const layers_row *layers_look(const layers_results *all, const layers_row *question);
/* Prints the invalid rows of this library; returns their number. */
int layers_valid(const settings *s, const layers_results *all);

/* ---- layers_table.c ---- */
enum { nlayers_method = 8 };
extern const char *const layers_methods[nlayers_method];
/* graphopt as in the paper: few layers at any cost; triangles and circuits. */
#define LAYERS_FEW "graphopt:few=16"
typedef struct layers_view {
    const settings *s;
    const layers_ask *ask;
    const layers_results *all;
    const layers_rivals *rivals;
} layers_view;
/* NULL: not measured. */
const layers_row *layers_get(const layers_view *v, const char *graph, const char *method,
                             int threads);
/* Geometric means over the graphs of a kind that have been measured; kind -1: both kinds of
 * matrices; 0: there are none. */
typedef double (*layers_value)(const layers_view *v, const layers_row *r);
double layers_mean(const layers_view *v, layers_value value, int kind, const char *method,
                   int threads, int *count);
double value_speed_up(const layers_view *v, const layers_row *r);
double value_solves(const layers_view *v, const layers_row *r);    /* time in serial solves */
double value_reduction(const layers_view *v, const layers_row *r); /* layers / levels */
double value_to_best(const layers_view *v, const layers_row *r);   /* cost over best public */
void layers_tables(const layers_view *v);

/* ---- layers_more.c, layers_bars.c ---- */
void circuits_measure(const settings *s, const layers_ask *ask, layers_results *all);
void circuits_print(const layers_view *v);
void growth_measure(const settings *s, const layers_ask *ask, layers_results *all);
void growth_print(const layers_view *v);
/* The worst time of a non-zero over the best one; 0: not measured. */
double growth_ratio(const layers_view *v);
void layers_bars(const layers_view *v);

/* ---- layers_paper.c, layers_page.c, layers_plot.c ---- */
enum { npaper_graph = 6, npaper_threads = 9, npaper_switch = 5, npaper_curve = 3 };
enum { work_graph = 4 }; /* whose threads are drawn */
extern const char *const paper_graphs[npaper_graph];
extern const int paper_threads[npaper_threads];         /* 2, 4, ..., 18 */
extern const char *const paper_switches[npaper_switch]; /* methods of the store */
extern const char *const paper_curves[npaper_curve];
/* Work by layer and thread of a graph under graphopt; and work by level of the DAG. */
typedef struct paper_work {
    int32_t layers, threads, levels;
    int64_t *work, *level;
} paper_work;
void paper_measure(const settings *s, const layers_ask *ask, layers_results *all);
/* Computes that schedule again; 0: not available. */
int paper_work_of(const settings *s, const char *graph, int threads, paper_work *w);
void paper_work_free(paper_work *w);
void paper_page(const layers_view *v, const char *folder);
void paper_plots(const layers_view *v, const char *folder);

#endif
