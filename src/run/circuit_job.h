/* SPDX-License-Identifier: Apache-2.0 */
/* run/circuit_job.h - a batch of instances, distributed over threads.
 *
 * Groups of eight instances go to the threads dynamically; each is evaluated by a sweep,
 * without synchronisation.  The remaining instances, too few for all threads, are evaluated
 * one by one by all threads together, according to the schedule.  Both give the same results.
 */
#ifndef CLV_RUN_CIRCUIT_JOB_H
#define CLV_RUN_CIRCUIT_JOB_H

#include "run/circuit_groups.h"
#include "run/circuit_sweep.h"

typedef struct clv_circuit_job {
    const clv_circuit_program *program;
    const clv_circuit_kernels *kernels;
    clv_circuit_bound *bound;       /* NULL: sweeps only */
    const clv_circuit_sweep *sweep; /* NULL: no sweeps; at least one of the two is set */
    double *const *value;           /* by member: workspace of its sweeps */
    clv_circuit_op op;
    int64_t count;
    const int64_t *index; /* of the instances; NULL: all, in order */
    const int8_t *evidence;
    double *result; /* logarithms; NaN if linear space is too small */
    int64_t swept;  /* this many instances are evaluated by sweeps */
    atomic_int_least64_t next;
} clv_circuit_job;

/* The time of a sweep of eight instances, relative to one evaluation by groups. */
double clv_circuit_sweep_cost(clv_circuit_op op);
/* Sets swept and next for this number of threads. */
void clv_circuit_job_share(clv_circuit_job *job, int threads);
/* Every member of a team calls it once; the team has at least as many members as job->bound.
 */
void clv_circuit_job_work(clv_circuit_job *job, int member);

#endif
