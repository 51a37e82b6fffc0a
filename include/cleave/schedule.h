/* SPDX-License-Identifier: Apache-2.0 */
/* cleave/schedule.h - schedules of a DAG in super layers, with barriers between the layers.
 *
 *     cleave_schedule *s = NULL;
 *     if (cleave_schedule_build(&s, g, NULL, &err) == CLEAVE_OK)
 *         printf("%d layers\n", (int)cleave_schedule_layers(s));
 *     cleave_schedule_free(s);
 *
 * solve.h and circuit.h execute schedules of triangular matrices and of circuits. */
#ifndef CLEAVE_SCHEDULE_H
#define CLEAVE_SCHEDULE_H

#include "cleave/graph.h"
#include "cleave/status.h"

#ifdef __cplusplus
extern "C" {
#endif

/* A schedule assigns a super layer and a thread to every vertex of a DAG.  Inside a layer no
 * arc connects two threads, and no arc leads to an earlier layer: threads synchronise only
 * between layers. */
typedef struct cleave_schedule cleave_schedule;

/* ---- Costs ---------------------------------------------------------------------------- */

/* The cost model, in units of vertex weight (a multiply-add of a triangular solve).  The cost
 * of a layer is the largest cost of its threads plus `sync`; the cost of a thread is its
 * weight plus `read` for each arc from another thread. */
typedef struct cleave_schedule_costs {
    size_t size;
    double sync; /* 500 */
    double read; /* 0 */
} cleave_schedule_costs;
CLEAVE_API void cleave_schedule_costs_init(cleave_schedule_costs *costs, size_t size);
/* Reads lines such as "sync 480" and "read 1.5"; '%' and '#' begin comments.  A cost that is
 * not in the file has its default. */
CLEAVE_API cleave_status cleave_schedule_costs_read(cleave_schedule_costs *costs,
                                                    const char *path, cleave_error *err);

/* costs NULL: defaults. */
CLEAVE_API cleave_status cleave_schedule_costs_write(const cleave_schedule_costs *costs,
                                                     const char *path, cleave_error *err);
/* Measures the costs on this machine with this many threads (0: all that this process may
 * use, at least 2); takes less than a second.  Results differ between runs.  *seconds (may be
 * NULL) is set to the time of a multiply-add, the unit of the costs. */
CLEAVE_API cleave_status cleave_schedule_costs_measure(cleave_schedule_costs *costs,
                                                       double *seconds, int threads,
                                                       cleave_error *err);

/* ---- Building ------------------------------------------------------------------------- */

/* A callback that solves an instance of the two-way model: model is the MiniZinc model, data
 * the contents of its data file.  Fills part[0..count) with 0, 1, 2 and returns 0.  Returns a
 * positive number if it found no solution (the library's own solver is used then) and a
 * negative one to cancel. */
typedef int (*cleave_two_way_fn)(void *payload, const char *model, const char *data,
                                 int32_t count, int32_t *part);
/* Parses the output of MiniZinc and returns its last solution.  *proved (may be NULL) is set
 * to 1 if MiniZinc reports it as optimal, else to 0.  CLEAVE_EPARSE if there is no solution,
 * or not one of `count` vertices. */
CLEAVE_API cleave_status cleave_two_way_answer(int32_t *part, int32_t count, const char *text,
                                               int *proved, cleave_error *err);

typedef struct cleave_schedule_options {
    size_t size;
    /* NULL, "" or "auto": the cheapest of several grow schedules with different numbers of
     * threads, of graphopt if the DAG is small and grow is far from the lower bound, and of
     * serial; "graphopt" [Shah et al. 2022], "grow", "levels" (a layer for each level of the
     * DAG), "serial". */
    const char *method;
    /* NULL, or parameters of graphopt: "window=0,components=0,coarsening=0" disable the
     * techniques S1 to S3; "ws=10", "wc=1", "alpha=4", "coarse=1000", "few=16" (fewer layers,
     * at a higher cost), ... */
    const char *params;
    int32_t threads;                    /* of the schedule, >= 1; 2 */
    const cleave_schedule_costs *costs; /* NULL: defaults */
    int split_rows;           /* 0; nonzero: heavy vertices are split into several tasks,
                                 each with some of the predecessors (graph vertices are
                                 rows of a triangular matrix, weights their non-zeros) */
    uint64_t seed;            /* 1; of graphopt's solver */
    double time_limit;        /* seconds; 0: none.  The result is the best schedule found
                                 by then; vertices without a layer are put into one last
                                 layer of one thread.  `solver` is not interrupted */
    int workers;              /* threads that compute the schedule; 0: all that this
                                 process may use; the schedule does not depend on it */
    cleave_two_way_fn solver; /* NULL: the library's solver */
    void *solver_payload;
    cleave_progress_fn progress; /* NULL */
    void *payload;               /* NULL */
} cleave_schedule_options;
CLEAVE_API void cleave_schedule_options_init(cleave_schedule_options *opt, size_t size);

/* Schedules a DAG with one weight per vertex; opt NULL: defaults.  CLEAVE_EINVAL also if
 * layers times threads would exceed both 256 times the vertices and four million; auto and
 * grow use fewer threads then.  CLEAVE_ECANCEL if stopped by the progress callback; *out is
 * then as at the time limit.  CLEAVE_ECYCLE if a graph created with CLEAVE_TRUST has a
 * cycle. */
CLEAVE_API cleave_status cleave_schedule_build(cleave_schedule **out, const cleave_graph *g,
                                               const cleave_schedule_options *opt,
                                               cleave_error *err);
/* Creates a schedule from arrays: layer and thread of each vertex.  It is not checked against
 * a graph: see cleave_schedule_check. */
CLEAVE_API cleave_status cleave_schedule_create(cleave_schedule **out, int32_t nvtx,
                                                const int32_t *layer, const int32_t *thread,
                                                cleave_error *err);
CLEAVE_API void cleave_schedule_free(cleave_schedule *s);

/* ---- Contents ------------------------------------------------------------------------- */

CLEAVE_API int32_t cleave_schedule_tasks(const cleave_schedule *s);
CLEAVE_API int32_t cleave_schedule_rows(const cleave_schedule *s); /* vertices of the graph */
CLEAVE_API int32_t cleave_schedule_layers(const cleave_schedule *s);
CLEAVE_API int32_t cleave_schedule_threads(const cleave_schedule *s);
CLEAVE_API const char *cleave_schedule_method(const cleave_schedule *s); /* "grow" */
/* Layer and thread of each task; and the tasks in the order of execution: sorted by layer,
 * then by thread, then in topological order. */
CLEAVE_API const int32_t *cleave_schedule_layer(const cleave_schedule *s);
CLEAVE_API const int32_t *cleave_schedule_thread(const cleave_schedule *s);
CLEAVE_API const int32_t *cleave_schedule_order(const cleave_schedule *s);
/* Offsets into that order: element layer * threads + thread is where the tasks of this thread
 * in this layer begin; the last element is the end. */
CLEAVE_API const int64_t *cleave_schedule_blocks(const cleave_schedule *s);
/* The row that a task belongs to; NULL: each task is a row. */
CLEAVE_API const int32_t *cleave_schedule_row(const cleave_schedule *s);
/* The number of its row's predecessors that a task processes: the tasks of a row, in ascending
 * order, process its predecessors in ascending order; NULL likewise. */
CLEAVE_API const int32_t *cleave_schedule_share(const cleave_schedule *s);
/* The DAG of the tasks; NULL: each task is a row, or the schedule was read from a file. */
CLEAVE_API const cleave_graph *cleave_schedule_graph(const cleave_schedule *s);

/* Checks that s is a valid schedule of g.  CLEAVE_EINVAL names the vertex or the arc that
 * violates it.  O(nvtx + narc). */
CLEAVE_API cleave_status cleave_schedule_check(const cleave_schedule *s, const cleave_graph *g,
                                               cleave_error *err);

/* ---- Files ---------------------------------------------------------------------------- */

CLEAVE_API cleave_status cleave_schedule_read(cleave_schedule **out, const char *path,
                                              cleave_error *err);
CLEAVE_API cleave_status cleave_schedule_write(const cleave_schedule *s, const char *path,
                                               cleave_error *err);

#ifdef __cplusplus
}
#endif

#endif
