/* SPDX-License-Identifier: Apache-2.0 */
/* run/circuit_groups.h - a circuit bound to a schedule, for one instance at a time.
 *
 * Values stand in the order of execution: the leaves of each thread (its own copies of those
 * that it reads, so that nobody waits for leaves), then its blocks, cache lines of its own.
 * In a block the nodes that do not read one another, and have equally many elements, stand
 * side by side in groups of eight. */
#ifndef CLV_RUN_CIRCUIT_GROUPS_H
#define CLV_RUN_CIRCUIT_GROUPS_H

#include "run/circuit_kernels.h"
#include "run/run_sync.h"

typedef struct clv_circuit_bound {
    clv_run_sync sync;
    bool simple;              /* groups of one node, in the order of the schedule */
    int64_t nplace, nelement; /* with those that fill groups up */
    const int32_t *left, *right;
    const double *weight[2];
    const clv_circuit_segment *segment;
    const int64_t *xsegment; /* by step of sync, and the end */
    const int32_t *leaf;     /* by thread, what it reads; values from leaf_place on */
    const int64_t *xleaf;    /* threads + 1 */
    const int64_t *leaf_place;
    int64_t root;       /* its place */
    int32_t root_owner; /* the thread that computes it */
    double *value;      /* nplace */
    int64_t bytes;
    clv_arena arena;
} clv_circuit_bound;

/* s: of p->dag.  Zeroed on failure. */
cleave_status clv_circuit_bind(clv_circuit_bound *b, const clv_circuit_program *p,
                               const clv_schedule *s, clv_sync kind, bool simple, clv_ws *ws,
                               cleave_error *err);
void clv_circuit_bound_free(clv_circuit_bound *b);

/* One instance: every thread of b->sync calls it.  *root is set in the thread b->root_owner
 * alone. */
void clv_circuit_bound_run(clv_circuit_bound *b, const clv_circuit_program *p,
                           const clv_circuit_kernels *kernels, clv_circuit_op op,
                           const int8_t *evidence, int member, double *root);

/* An array whose first element begins a cache line. */
void *clv_circuit_lines(clv_arena *arena, int64_t count, size_t each);

#endif
