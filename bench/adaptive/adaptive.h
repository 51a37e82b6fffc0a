/* SPDX-License-Identifier: Apache-2.0 */
/* bench/adaptive/adaptive.h - declarations shared by the files of bench_adaptive, in addition
 * to bench.h.
 *
 * adaptive.c              the command line
 * adaptive_set.c          graphs, and the distributions of speeds
 * adaptive_run.c          one measurement: a method by name, evaluated
 * adaptive_store.c        measurements in a file, so that a run can be continued
 * adaptive_paper.c        --paper: the experiments of Kaddoura, Ou and Ranka
 * adaptive_printed.c      the values printed in that paper
 * adaptive_page.c         our values next to them as a page of Markdown
 * adaptive_tables.c       the tables of that page
 * adaptive_plot.c         the plots of that page
 * adaptive_meshes.c       --meshes: orders that are cut, compared with mappings from scratch
 * adaptive_large.c        --large: the same with a million vertices
 * adaptive_remap.c        --remap: PEs lost, speeds changed
 * adaptive_remap_table.c  the results of --remap
 * adaptive_remap.h        declarations shared by these two */
#ifndef BENCH_ADAPTIVE_H
#define BENCH_ADAPTIVE_H

#include <stdio.h>

#include "common/bench.h"

enum { max_pes = 1024 };

/* One measurement. k, ratio, price and seed are 0 where they are not used. */
typedef struct adaptive_row {
    char tag[40], graph[40];
    char method[40]; /* "rsb:simple", "build:hci", "diffuse" */
    int k, ratio, threads, seed;
    double price, imbalance;
    int status; /* as cleave_status; 1: a report differs from the evaluation */
    int balanced, empty;
    long long cut, setups, migration, bound;
    double reached, seconds;
} adaptive_row;

typedef struct adaptive_results {
    adaptive_row *rows;
    int count, room;
    char path[500];
} adaptive_results;

/* Options besides those of all benchmarks. */
typedef struct adaptive_ask {
    int quick, large;
} adaptive_ask;

/* adaptive_set.c */
typedef struct adaptive_graph {
    const char *name;
    const char *file; /* below data of the shared folder; NULL: `name` is generated */
    int quick;        /* 1: also with --quick */
} adaptive_graph;
extern const adaptive_graph adaptive_set[];
extern const int adaptive_count;
int adaptive_find(const char *name); /* a place in the set, or -1 */
/* With its coordinates if there are any; "spiral:6x200" is generated. */
cleave_graph *adaptive_read(const settings *s, const char *name);
int adaptive_has_coords(const cleave_graph *g);

/* Uniform in [1, ratio]; then the smallest becomes 1 and the largest `ratio`.  They depend on
 * k, ratio and seed only. */
void speeds_draw(double *speed, int k, int ratio, int seed);
/* Each is divided by a number uniform in [1, most], or with `either` as often multiplied. */
void speeds_change(double *speed, int k, double most, int either, int seed);
/* Marks `count` of k PEs. */
void pes_choose(char *chosen, int k, int count, int seed);
cleave_target *target_of(const double *speed, int k);

/* adaptive_run.c */
typedef struct adaptive_method {
    const char *name; /* in the store */
    /* Of cleave_map; NULL with order NULL: the default.  params get the grouping. */
    const char *method, *params;
    /* Of cleave_order_build, then cleave_order_split, or cleave_order_split_refine. */
    const char *order, *order_params;
    int refine;
    int exact;   /* cuts as near to the shares as possible, not moved to places with few
                    crossings */
    int grouped; /* the grouping has an effect */
} adaptive_method;

/* Orders of a graph, each made when first needed. */
enum { max_orders = 8 };
typedef struct order_shelf {
    const char *method[max_orders], *params[max_orders];
    cleave_order *order[max_orders];
    double seconds[max_orders]; /* that it took */
    int count;
} order_shelf;
/* NULL: it cannot be made; prints an error. */
const cleave_order *shelf_get(order_shelf *shelf, const cleave_graph *g, const char *method,
                              const char *params, int threads, double *seconds);
void shelf_free(order_shelf *shelf);

typedef struct adaptive_case {
    const cleave_graph *g;
    const double *speed;
    order_shelf *shelf;
    const char *grouping; /* NULL: the default */
    int repeat;           /* the minimum time of so many runs is used */
} adaptive_case;
/* Fills the results of a row whose instance is set. */
void adaptive_measure(adaptive_row *r, const adaptive_case *c, const adaptive_method *m);
/* Cut, setups and balance of a mapping into the row. */
void adaptive_judge(adaptive_row *r, const cleave_graph *g, const cleave_mapping *m,
                    const double *speed);
int adaptive_invalid(const adaptive_row *r);
double wall_seconds(void); /* also with --cpu: for measurements on several threads */
void adaptive_progress(const adaptive_row *r);

/* adaptive_store.c */
void adaptive_load(adaptive_results *all, const settings *s, const char *name, int fresh);
void adaptive_add(adaptive_results *all, const adaptive_row *r);
adaptive_row adaptive_question(const settings *s, const char *graph, const char *method, int k,
                               int ratio, int seed);
const adaptive_row *adaptive_look(const adaptive_results *all, const adaptive_row *question);
/* Prints the invalid rows of this library; returns their number. */
int adaptive_valid(const settings *s, const adaptive_results *all);

/* adaptive_paper.c */
enum { npaper_graph = 2, npaper_part = 5, npaper_ratio = 5, ngrouping = 2 };
typedef enum paper_method {
    P_RSB,
    P_RCB,
    P_HCI,
    P_ZCI,
    P_RSBI, /* --leaves 1024 */
    P_RSBI_WHOLE,
    P_RCBI,
    P_MULTILEVEL,
    P_MULTILEVEL_EXACT,
    P_SPLIT_REFINE,
    P_RSB_REFINED,
    P_SCRATCH,
    npaper_method
} paper_method;
extern const char *const paper_graphs[npaper_graph];
extern const int paper_parts[npaper_part], paper_ratios[npaper_ratio];
extern const char *const grouping_names[ngrouping]; /* binpacking, simple: as the tables */
extern const adaptive_method paper_methods[npaper_method];
/* Means over samples; ratio -1: and over all ratios.  count 0: nothing was measured. */
typedef struct paper_mean {
    double edges, setups, seconds;
    int count;
} paper_mean;
typedef struct paper_view {
    const settings *s;
    const adaptive_results *all;
} paper_view;
paper_mean paper_cell_of(const paper_view *v, int graph, paper_method m, int grouping, int k,
                         int ratio);
double paper_build_seconds(const paper_view *v, int graph, paper_method m); /* < 0: none */
void adaptive_paper(const settings *s, adaptive_results *all);
/* Prints the bars; returns the number of missed ones. */
int adaptive_paper_bars(const paper_view *v, FILE *to);

/* adaptive_printed.c: edges and setups as published; 0: not published. */
typedef struct printed {
    double edges, setups;
} printed;
printed printed_table1(int graph, paper_method m, int part);
printed printed_table2(int graph, paper_method m, int grouping, int ratio);
printed printed_table3(int graph, paper_method m, int grouping, int part); /* and Table 5 */
double printed_table4(int graph, paper_method m, int k);                   /* seconds */
double printed_table6(int graph, int grouping, int part);                  /* per cent */
double printed_table7(int graph);

/* adaptive_page.c, adaptive_tables.c, adaptive_plot.c */
void adaptive_page(const paper_view *v, const char *folder);
void page_tables(FILE *to, const paper_view *v);
void adaptive_plots(const paper_view *v, const char *folder);

/* adaptive_meshes.c, adaptive_large.c, adaptive_remap.c */
void meshes_measure(const settings *s, const adaptive_ask *ask, adaptive_results *all);
void meshes_print(const settings *s, const adaptive_ask *ask, const adaptive_results *all);
void large_measure(const settings *s, const adaptive_ask *ask, adaptive_results *all);
void large_print(const settings *s, const adaptive_results *all);
void bar_print(const char *what, double reached, double bar, int least);
void remap_measure(const settings *s, adaptive_results *all);
void remap_print(const settings *s, const adaptive_results *all);

#endif
