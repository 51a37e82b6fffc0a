/* SPDX-License-Identifier: Apache-2.0 */
/* schedule/schedulers.h - the ways to make super layers.  Each fills layer[v] and thread[v],
 * 0 <= thread[v] < threads; layers may be left empty.  g: a DAG, ncon 1.  All are
 * deterministic: the same on any number of workers. */
#ifndef CLV_SCHEDULE_SCHEDULERS_H
#define CLV_SCHEDULE_SCHEDULERS_H

#include "base/context.h"
#include "graph/graph.h"

typedef struct clv_schedule_costs {
    double sync, read; /* see cleave_schedule_costs */
    bool hasty;        /* auto is soon content, and leaves out graphopt, which takes as long
                                 as hundreds of solves */
} clv_schedule_costs;

/* schedule/schedule_cost.c: what a schedule costs (layers without vertices are free); also
 * its two sums, each may be NULL.  -1: out of memory.  O(nvtx + narc + layers). */
double clv_schedule_cost(const clv_graph *g, int32_t threads, const int32_t *layer,
                         const int32_t *thread, const clv_schedule_costs *costs, clv_ws *ws,
                         int64_t *work_max, int64_t *crossing);

/* schedule/unit.c: the unit in which weights and costs are whole numbers without a common
 * divisor, where that is possible: what was 1 is times / divisor of it. */
typedef struct clv_schedule_unit {
    int64_t times, divisor;
} clv_schedule_unit;
clv_schedule_unit clv_schedule_unit_of(const clv_graph *g, double sync);
double clv_schedule_unit_cost(clv_schedule_unit unit, double cost);
/* *view: g with its weights in this unit, from ws; all else is g's. */
cleave_status clv_schedule_unit_graph(clv_graph *view, const clv_graph *g,
                                      clv_schedule_unit unit, clv_ws *ws, cleave_error *err);

/* schedule/measure_costs.c: as cleave_schedule_costs_measure; *seconds: of a multiply-add. */
cleave_status clv_measure_costs(clv_schedule_costs *costs, double *seconds, int threads,
                                cleave_error *err);

/* schedule/level_layers.c: ALAP levels, the vertices of each dealt to threads by weight. */
cleave_status clv_schedule_levels(const clv_graph *g, int32_t threads, clv_context *ctx,
                                  int32_t *layer, int32_t *thread, cleave_error *err);

/* schedule/grow.c: layers grown for all threads together, then improved on the cost. */
cleave_status clv_schedule_grow(const clv_graph *g, int32_t threads,
                                const clv_schedule_costs *costs, clv_context *ctx,
                                int32_t *layer, int32_t *thread, cleave_error *err);

/* schedule/auto_layers.c: the cheapest of growths with several budgets and counts of threads
 * up to `threads`; of graphopt where the DAG is small and growth far from its bound (not if
 * costs say hasty); of serial when that is not dearer.  *method: "grow", "graphopt" or
 * "serial". */
cleave_status clv_schedule_auto(const clv_graph *g, int32_t threads,
                                const clv_schedule_costs *costs, clv_context *ctx,
                                int32_t *layer, int32_t *thread, const char **method,
                                cleave_error *err);

enum { clv_graphopt_most_sync = 1000000000 };
/* schedule/graphopt.c [Shah et al. 2022]; docs/design/superlayers.md says what each is for. */
typedef struct clv_graphopt_params {
    bool window, components, coarsening; /* S1, S2, S3: true */
    int32_t alpha;                       /* 4: of the window */
    int32_t ws, wc;                      /* 10, 1: weights of the two-way model */
    int32_t coarse;                      /* 1000: coarse vertices, about */
    int32_t threshold;                   /* 1000: more vertices are made coarse (thresh_G) */
    int32_t depth;                       /* 0: log2 of the size of a coarse vertex */
    int32_t degree;                      /* 10 */
    int32_t effort;                      /* 4: steps of our solver per arc; 0: more */
    int32_t margin;                      /* 5 %: what truncation leaves above the size */
    int32_t sync;                        /* 500: cost of a layer, in units of weight */
    int32_t few;                         /* 1: a layer counts as so many `sync` */
    int32_t chunk;                       /* 4: layers short of threads end at chunk * sync */
    bool adapt;                          /* true: threads that cannot be fed stay idle */
    cleave_two_way_fn solver;            /* NULL: schedule/two_way.c */
    void *solver_payload;
} clv_graphopt_params;
/* The cost of a layer as graphopt takes it. */
static inline int32_t clv_graphopt_whole_sync(double sync)
{
    return sync < clv_graphopt_most_sync ? (int32_t)(sync + 0.5) : clv_graphopt_most_sync;
}
clv_graphopt_params clv_graphopt_defaults(void);
cleave_status clv_graphopt_parse(clv_graphopt_params *params, const char *text,
                                 cleave_error *err);
cleave_status clv_schedule_graphopt(const clv_graph *g, int32_t threads,
                                    const clv_graphopt_params *params, clv_context *ctx,
                                    int32_t *layer, int32_t *thread, cleave_error *err);

/* schedule/row_split.c: *out is the DAG of tasks, row[t] the row of task t (allocated in the
 * arena of *out); predecessors of a task that continues a row are the one before it and its
 * own share of the row's predecessors, in ascending order. */
cleave_status clv_row_split(clv_graph **out, int32_t **row, const clv_graph *g,
                            int32_t threads, const clv_schedule_costs *costs, clv_context *ctx,
                            cleave_error *err);
/* The same with the schedule of the tasks by which rows were cut, often a good one where rows
 * are heavy (also in the arena of *out); layer and thread NULL: no row is split. */
cleave_status clv_row_split_layers(clv_graph **out, int32_t **row, int32_t **layer,
                                   int32_t **thread, const clv_graph *g, int32_t threads,
                                   const clv_schedule_costs *costs, clv_context *ctx,
                                   cleave_error *err);

/* schedule/row_split_auto.c: layer and thread as clv_row_split_layers found them become the
 * cheapest schedule of the tasks, as clv_schedule_auto. */
cleave_status clv_row_split_auto(const clv_graph *tasks, int32_t threads,
                                 const clv_schedule_costs *costs, clv_context *ctx,
                                 int32_t *layer, int32_t *thread, const char **method,
                                 cleave_error *err);

#endif
