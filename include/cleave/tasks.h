/* SPDX-License-Identifier: Apache-2.0 */
/* cleave/tasks.h - schedules of task graphs: on which PE does each task run, and when?
 *
 *     cleave_task_options opt;
 *     cleave_task_schedule *s = NULL;
 *     cleave_task_options_init(&opt, sizeof opt);
 *     opt.bandwidth = 0.5;
 *     if (cleave_task_schedule_build(&s, g, t, &opt, &err) == CLEAVE_OK)
 *         printf("task 0 starts at %g\n", cleave_task_schedule_start(s)[0]);
 *     cleave_task_schedule_free(s);
 *
 * A task graph is a DAG: vertex weights are work, arc weights are data.  Task v takes
 * work / speed on a PE, without interruption, and a PE executes one task at a time.  Data c of
 * an arc take d (L + c / B) to a PE at distance d of the target, and nothing on the same PE:
 * B is the bandwidth, L the latency.  Transfers do not delay each other.  The makespan is the
 * time at which the last task ends. */
#ifndef CLEAVE_TASKS_H
#define CLEAVE_TASKS_H

#include "cleave/graph.h"
#include "cleave/map.h"
#include "cleave/status.h"
#include "cleave/target.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct cleave_task_schedule cleave_task_schedule;

/* ---- Building ------------------------------------------------------------------------- */

typedef struct cleave_task_options {
    size_t size;
    /* NULL, "" or "auto": the best of list schedules, improved by local search; "heft",
     * "lookahead", "cpop", "peft" (list schedules with insertion), "etf", "dls", "minmin",
     * "maxmin", "sufferage" (without), "dsc" (clusters), "partition" (acyclic parts as
     * clusters), "serial" (the fastest PE). */
    const char *method;
    cleave_effort effort;        /* CLEAVE_EFFORT_DEFAULT; of auto.  More is never worse */
    double bandwidth;            /* 1; > 0 */
    double latency;              /* 0; >= 0 */
    uint64_t seed;               /* 1; of the local search */
    double time_limit;           /* seconds; 0: none.  The result is the best found by then */
    cleave_progress_fn progress; /* NULL */
    void *payload;               /* NULL */
} cleave_task_options;
CLEAVE_API void cleave_task_options_init(cleave_task_options *opt, size_t size);

/* Schedules a DAG with one weight per vertex on t; opt NULL: defaults.  PEs of speed 0 stay
 * idle.  CLEAVE_ERANGE: times would exceed the range of a double.  CLEAVE_ECANCEL if stopped
 * by the progress callback; *out is then the best schedule found. */
CLEAVE_API cleave_status cleave_task_schedule_build(cleave_task_schedule **out,
                                                    const cleave_graph *g,
                                                    const cleave_target *t,
                                                    const cleave_task_options *opt,
                                                    cleave_error *err);
/* Creates a schedule from arrays: PE and start of each task.  It is not checked against a
 * graph: see cleave_evaluate_task_schedule. */
CLEAVE_API cleave_status cleave_task_schedule_create(cleave_task_schedule **out,
                                                     int32_t ntasks, const int32_t *pe,
                                                     const double *start, cleave_error *err);
CLEAVE_API void cleave_task_schedule_free(cleave_task_schedule *s);

/* ---- Contents ------------------------------------------------------------------------- */

CLEAVE_API int32_t cleave_task_schedule_tasks(const cleave_task_schedule *s);
/* "auto: peft" and the like are not kept: the method that was asked for. */
CLEAVE_API const char *cleave_task_schedule_method(const cleave_task_schedule *s);
CLEAVE_API const int32_t *cleave_task_schedule_pe(const cleave_task_schedule *s);
CLEAVE_API const double *cleave_task_schedule_start(const cleave_task_schedule *s);

/* ---- Metrics -------------------------------------------------------------------------- */

typedef struct cleave_task_metrics {
    size_t size;
    double makespan;
    double bound;      /* no schedule is shorter: the largest of the bounds */
    double bound_path; /* longest path at the fastest speed, without communication */
    double bound_area; /* total work / total speed */
    double serial;     /* makespan on the fastest PE alone */
    double sent;       /* sum of d (L + c / B) over the arcs between PEs */
    int32_t pes_used;
} cleave_task_metrics;
CLEAVE_API void cleave_task_metrics_init(cleave_task_metrics *m, size_t size);
/* Checks and evaluates a schedule from scratch; opt: bandwidth and latency, NULL: defaults.
 * CLEAVE_EINVAL: the message names the task that violates the model.
 * O((tasks + arcs) log tasks). */
CLEAVE_API cleave_status cleave_evaluate_task_schedule(
    cleave_task_metrics *m, const cleave_graph *g, const cleave_target *t,
    const cleave_task_schedule *s, const cleave_task_options *opt, cleave_error *err);

/* ---- Files ---------------------------------------------------------------------------- */

/* A line "pe start" per task, in the order of their numbers, without a heading. */
CLEAVE_API cleave_status cleave_task_schedule_read(cleave_task_schedule **out,
                                                   const char *path, cleave_error *err);
CLEAVE_API cleave_status cleave_task_schedule_write(const cleave_task_schedule *s,
                                                    const char *path, cleave_error *err);

#ifdef __cplusplus
}
#endif

#endif
