/* SPDX-License-Identifier: Apache-2.0 */
/* run/circuit_job.h - a batch of instances, shared out.
 *
 * Eights of instances go to the threads as they come free, each by a sweep of its own, without
 * a wait; what is left over, too few for all threads, goes one by one through the schedule, in
 * which all threads take part.  A result does not depend on which way it came. */
#ifndef CLV_RUN_CIRCUIT_JOB_H
#define CLV_RUN_CIRCUIT_JOB_H

#include "run/circuit_groups.h"
#include "run/circuit_sweep.h"

typedef struct clv_circuit_job {
    const clv_circuit_program *program;
    const clv_circuit_kernels *kernels;
    clv_circuit_bound *bound;       /* NULL: sweeps only */
    const clv_circuit_sweep *sweep; /* NULL: none; of the two there is one at least */
    double *const *value;           /* by member: for its sweeps */
    clv_circuit_op op;
    int64_t count;
    const int64_t *index; /* of the instances; NULL: all, in order */
    const int8_t *evidence;
    double *result; /* logarithms; where linear space is too small for one: NaN */
    int64_t swept;  /* the first so many by sweeps */
    atomic_int_least64_t next;
} clv_circuit_job;

/* What a sweep of eight takes, in evaluations of one instance by groups. */
double clv_circuit_sweep_cost(clv_circuit_op op);
/* Sets swept and next, for so many threads. */
void clv_circuit_job_share(clv_circuit_job *job, int threads);
/* Every member of a team of at least as many as job->bound has calls it once. */
void clv_circuit_job_work(clv_circuit_job *job, int member);

#endif
