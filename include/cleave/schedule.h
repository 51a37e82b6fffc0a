/* SPDX-License-Identifier: Apache-2.0 */
/* cleave/schedule.h - a DAG in super layers: who computes what, and where all wait for each
 * other; a part of cleave/cleave.h. */
#ifndef CLEAVE_SCHEDULE_H
#define CLEAVE_SCHEDULE_H

#ifndef CLEAVE_CLEAVE_H
#error "include <cleave/cleave.h>, which includes this header"
#endif

#ifdef __cplusplus
extern "C" {
#endif

/* Every vertex of a DAG has a super layer and a thread.  Inside a layer no arc joins two
 * threads, and no arc leads to an earlier layer: threads wait for each other between layers
 * and nowhere else. */
typedef struct cleave_schedule cleave_schedule;

/* What it costs to run one, in units of vertex weight (a multiply-add of a triangular solve).
 * A layer takes the largest of what its threads take, and `sync`; a thread takes its weight
 * and `read` for each arc from another thread. */
typedef struct cleave_schedule_costs {
    size_t size;
    double sync; /* 500 */
    double read; /* 0 */
} cleave_schedule_costs;
CLEAVE_API void cleave_schedule_costs_init(cleave_schedule_costs *costs, size_t size);
/* Lines "sync 480" and "read 1.5"; '%' and '#' begin comments.  What the file does not name
 * has its default. */
CLEAVE_API cleave_status cleave_schedule_costs_read(cleave_schedule_costs *costs,
                                                    const char *path, cleave_error *err);

/* costs NULL: defaults. */
CLEAVE_API cleave_status cleave_schedule_costs_write(const cleave_schedule_costs *costs,
                                                     const char *path, cleave_error *err);
/* Measures them on this machine, with so many threads at once (0: all that this process may
 * use, at least 2): under a second, not the same twice.  *seconds (NULL is fine): the time
 * of a multiply-add, which is the unit. */
CLEAVE_API cleave_status cleave_schedule_costs_measure(cleave_schedule_costs *costs,
                                                       double *seconds, int threads,
                                                       cleave_error *err);

/* Solves an instance of the two-way model: model is MiniZinc's text, data its data file's;
 * fills part[0..count) with 0, 1, 2 and returns 0.  Returns a positive number when it has no
 * solution (the library's own solver finds one) and a negative one to give up. */
typedef int (*cleave_two_way_fn)(void *payload, const char *model, const char *data,
                                 int32_t count, int32_t *part);
/* For those who run MiniZinc: the last solution in what it printed.  *proved (NULL is fine)
 * becomes 1 when it says that there is no better one, else 0.  CLEAVE_EPARSE when there is no
 * solution, or not of `count` vertices. */
CLEAVE_API cleave_status cleave_two_way_answer(int32_t *part, int32_t count, const char *text,
                                               int *proved, cleave_error *err);

typedef struct cleave_schedule_options {
    size_t size;
    /* NULL, "" or "auto": the cheapest of several growths, on as many threads as pay, of
     * graphopt where the DAG is small and growth far from the bound, and of serial;
     * "graphopt" [Shah et al. 2022], "grow", "levels" (a layer for each level of the DAG),
     * "serial". */
    const char *method;
    /* NULL; of graphopt: "window=0,components=0,coarsening=0" switch S1 to S3 off, "ws=10",
     * "wc=1", "alpha=4", "coarse=1000", "few=16" (fewer layers, at a higher cost), ... */
    const char *params;
    int32_t threads;                    /* of the schedule, >= 1; 2 */
    const cleave_schedule_costs *costs; /* NULL: defaults */
    int split_rows;           /* 0; nonzero: heavy vertices become several tasks, each
                                 a part of its predecessors (graph vertices are rows
                                 of a triangular matrix, weights their non-zeros) */
    uint64_t seed;            /* 1; of graphopt's solver */
    double time_limit;        /* seconds; 0: none.  The best schedule so far is then the
                                 result; what has no layer yet gets a last one, of one
                                 thread.  A solver of the caller's is not interrupted */
    int workers;              /* threads that compute it; 0: all that this process
                                 may use; the schedule does not depend on it */
    cleave_two_way_fn solver; /* NULL: our own */
    void *solver_payload;
    cleave_progress_fn progress; /* NULL */
    void *payload;               /* NULL */
} cleave_schedule_options;
CLEAVE_API void cleave_schedule_options_init(cleave_schedule_options *opt, size_t size);

/* Schedules a DAG with one weight per vertex; opt NULL: defaults.  CLEAVE_EINVAL also when
 * layers times threads would be more than 256 times the vertices and four million; auto and
 * grow make a schedule of fewer threads then.  CLEAVE_ECANCEL: the progress callback said
 * stop; *out is then as at the time limit.  CLEAVE_ECYCLE: a graph taken on trust. */
CLEAVE_API cleave_status cleave_schedule_build(cleave_schedule **out, const cleave_graph *g,
                                               const cleave_schedule_options *opt,
                                               cleave_error *err);
/* A schedule that the caller knows: layer and thread of each vertex.  Not checked against a
 * graph: see cleave_schedule_check. */
CLEAVE_API cleave_status cleave_schedule_create(cleave_schedule **out, int32_t nvtx,
                                                const int32_t *layer, const int32_t *thread,
                                                cleave_error *err);
CLEAVE_API void cleave_schedule_free(cleave_schedule *s);

CLEAVE_API int32_t cleave_schedule_tasks(const cleave_schedule *s);
CLEAVE_API int32_t cleave_schedule_rows(const cleave_schedule *s); /* vertices of the graph */
CLEAVE_API int32_t cleave_schedule_layers(const cleave_schedule *s);
CLEAVE_API int32_t cleave_schedule_threads(const cleave_schedule *s);
CLEAVE_API const char *cleave_schedule_method(const cleave_schedule *s); /* "grow" */
/* By task; and the tasks in the order of execution: layer by layer, in a layer thread by
 * thread, and there in an order in which all arcs run forward. */
CLEAVE_API const int32_t *cleave_schedule_layer(const cleave_schedule *s);
CLEAVE_API const int32_t *cleave_schedule_thread(const cleave_schedule *s);
CLEAVE_API const int32_t *cleave_schedule_order(const cleave_schedule *s);
/* Where in that order a thread's work of a layer begins, at layer * threads + thread, and the
 * end. */
CLEAVE_API const int64_t *cleave_schedule_blocks(const cleave_schedule *s);
/* The row that a task is a part of; NULL: tasks are rows. */
CLEAVE_API const int32_t *cleave_schedule_row(const cleave_schedule *s);
/* How many of its row's predecessors a task takes: the row's tasks, which ascend, share them
 * out in ascending order; NULL likewise. */
CLEAVE_API const int32_t *cleave_schedule_share(const cleave_schedule *s);
/* The DAG of the tasks; NULL: tasks are rows, or the schedule is from a file. */
CLEAVE_API const cleave_graph *cleave_schedule_graph(const cleave_schedule *s);

/* CLEAVE_EINVAL names the vertex or the arc that breaks the promise.  O(nvtx + narc). */
CLEAVE_API cleave_status cleave_schedule_check(const cleave_schedule *s, const cleave_graph *g,
                                               cleave_error *err);

CLEAVE_API cleave_status cleave_schedule_read(cleave_schedule **out, const char *path,
                                              cleave_error *err);
CLEAVE_API cleave_status cleave_schedule_write(const cleave_schedule *s, const char *path,
                                               cleave_error *err);

typedef struct cleave_schedule_metrics {
    size_t size;
    int32_t levels; /* of the DAG */
    int32_t layers;
    int32_t threads_used;   /* that have any work */
    int64_t work_total;     /* sum of the weights */
    int64_t work_max;       /* sum over layers of the largest thread's weight */
    int64_t crossing_edges; /* arcs between threads */
    double cost, cost_serial;
    double predicted_speedup; /* cost_serial / cost */
    double mean_parallelism;  /* work_total / work_max */
} cleave_schedule_metrics;
CLEAVE_API void cleave_schedule_metrics_init(cleave_schedule_metrics *m, size_t size);
CLEAVE_API cleave_status cleave_evaluate_schedule(cleave_schedule_metrics *m,
                                                  const cleave_graph *g,
                                                  const cleave_schedule *s,
                                                  const cleave_schedule_costs *costs,
                                                  cleave_error *err);
/* The weight of every thread's work in every layer, at layer * threads + thread. */
CLEAVE_API cleave_status cleave_evaluate_schedule_work(const cleave_graph *g,
                                                       const cleave_schedule *s, int64_t *work,
                                                       cleave_error *err);

#ifdef __cplusplus
}
#endif

#endif
