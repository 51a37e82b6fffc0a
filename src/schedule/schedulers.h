/* SPDX-License-Identifier: Apache-2.0 */
/* schedule/schedulers.h - the methods for making super layers, each a function that fills a
 * layering for its number of threads.  g: a DAG, ncon 1.  All are deterministic: the result
 * does not depend on the number of worker threads. */
#ifndef CLV_SCHEDULE_SCHEDULERS_H
#define CLV_SCHEDULE_SCHEDULERS_H

#include "base/context.h"
#include "graph/schedule.h"

typedef struct clv_schedule_costs {
    double sync, read; /* see cleave_schedule_costs */
    bool hasty;        /* auto ends its search early and omits graphopt, which takes as long as
                          hundreds of solves */
} clv_schedule_costs;

/* The super layer and the thread of every vertex. */
typedef struct clv_layering {
    int32_t threads;         /* 0 <= thread[v] < threads; given */
    int32_t layers;          /* 0 <= layer[v] < layers; some may be empty */
    int32_t *layer, *thread; /* by vertex; arrays of the caller */
    const char *method;      /* set by the methods that choose among others */
} clv_layering;

static inline clv_schedule_spec clv_layering_spec(const clv_layering *l)
{
    return (clv_schedule_spec){
        .method = l->method, .threads = l->threads, .layer = l->layer, .thread = l->thread};
}

/* schedule/schedule_cost.c: the cost of a schedule (layers without vertices are free), and its
 * two sums, each may be NULL. -1: out of memory.  O(nvtx + narc + layers). */
double clv_schedule_cost(const clv_graph *g, const clv_schedule_spec *of,
                         const clv_schedule_costs *costs, clv_ws *ws, int64_t *work_max,
                         int64_t *crossing);

/* schedule/unit.c: the unit in which weights and costs are integers without a common divisor,
 * if possible: the value 1 becomes times / divisor. */
typedef struct clv_schedule_unit {
    int64_t times, divisor;
} clv_schedule_unit;
clv_schedule_unit clv_schedule_unit_of(const clv_graph *g, double sync);
double clv_schedule_unit_cost(clv_schedule_unit unit, double cost);
/* *view: g with its weights in this unit, from ws; all other arrays are those of g. */
cleave_status clv_schedule_unit_graph(clv_graph *view, const clv_graph *g,
                                      clv_schedule_unit unit, clv_ws *ws, cleave_error *err);

/* schedule/measure_costs.c: as cleave_schedule_costs_measure; *seconds: time of a
 * multiply-add. */
cleave_status clv_measure_costs(clv_schedule_costs *costs, double *seconds, int threads,
                                cleave_error *err);

/* schedule/level_layers.c: ALAP levels, the vertices of each distributed to threads by weight.
 */
cleave_status clv_schedule_levels(const clv_graph *g, clv_context *ctx, clv_layering *l,
                                  cleave_error *err);

/* schedule/grow.c: layers grown for all threads together, then improved. */
cleave_status clv_schedule_grow(const clv_graph *g, const clv_schedule_costs *costs,
                                clv_context *ctx, clv_layering *l, cleave_error *err);

/* schedule/auto_layers.c: the cheapest of growths with several budgets and up to l->threads
 * threads; of graphopt if the DAG is small and growth is far from its bound (not if costs are
 * hasty); of serial, unless it costs more. l->method: "grow", "graphopt" or "serial". */
cleave_status clv_schedule_auto(const clv_graph *g, const clv_schedule_costs *costs,
                                clv_context *ctx, clv_layering *l, cleave_error *err);

enum { clv_graphopt_most_sync = 1000000000 };
/* schedule/graphopt.c [Shah et al. 2022]; docs/design/superlayers.md explains the parameters.
 */
typedef struct clv_graphopt_params {
    bool window, components, coarsening; /* S1, S2, S3; default true */
    int32_t alpha;                       /* 4: window size */
    int32_t ws, wc;                      /* 10, 1: weights of the two-way model */
    int32_t coarse;                      /* 1000: approximate number of coarse vertices */
    int32_t threshold;                   /* 1000: sets with more vertices are coarsened
                                            (thresh_G) */
    int32_t depth;                       /* 0: log2 of the size of a coarse vertex */
    int32_t degree;                      /* 10 */
    int32_t effort;                      /* 4: steps of the built-in solver per arc; 0: more */
    int32_t margin;                      /* 5 %: margin of truncation above the size */
    int32_t sync;                        /* 500: cost of a layer, in units of weight */
    int32_t few;                         /* 1: factor on sync */
    int32_t chunk;                       /* 4: layers that do not feed all threads end at chunk
                                          * sync */
    bool adapt;                          /* true: threads without enough work stay idle */
    cleave_two_way_fn solver;            /* NULL: schedule/two_way.c */
    void *solver_payload;
} clv_graphopt_params;
/* The cost of a synchronisation as graphopt's integer parameter. */
static inline int32_t clv_graphopt_whole_sync(double sync)
{
    return sync < clv_graphopt_most_sync ? (int32_t)(sync + 0.5) : clv_graphopt_most_sync;
}
clv_graphopt_params clv_graphopt_defaults(void);
cleave_status clv_graphopt_parse(clv_graphopt_params *params, const char *text,
                                 cleave_error *err);
cleave_status clv_schedule_graphopt(const clv_graph *g, const clv_graphopt_params *params,
                                    clv_context *ctx, clv_layering *l, cleave_error *err);

/* The DAG of tasks that heavy rows are split into.  The predecessors of a task are the task
 * before it in the same row, if any, and its own share of the row's predecessors, in ascending
 * order. */
typedef struct clv_split_rows {
    clv_graph *tasks;    /* the caller frees it; its arena owns the arrays: */
    int32_t *row;        /* by task */
    clv_layering layers; /* the schedule found while splitting, often a good one if rows are
                            heavy; layer and thread NULL: no row is split */
} clv_split_rows;

/* schedule/row_split.c: splits rows for that many threads.  On failure tasks is NULL. */
cleave_status clv_row_split(clv_split_rows *out, const clv_graph *g, int32_t threads,
                            const clv_schedule_costs *costs, clv_context *ctx,
                            cleave_error *err);

/* schedule/row_split_auto.c: input: the layers from clv_row_split; output: the cheapest
 * schedule of the tasks, as clv_schedule_auto. */
cleave_status clv_row_split_auto(const clv_graph *tasks, const clv_schedule_costs *costs,
                                 clv_context *ctx, clv_layering *l, cleave_error *err);

#endif
