/* SPDX-License-Identifier: Apache-2.0 */
/* run/circuit_groups.h - a circuit bound to a schedule, for one instance at a time.
 *
 * Values are stored in the order of execution: the leaves of each thread (a copy of those that
 * it reads, so that no thread waits for leaves), then its blocks, on separate cache lines.
 * Within a block, nodes that do not read each other and have equal numbers of elements are
 * adjacent in groups of eight. */
#ifndef CLV_RUN_CIRCUIT_GROUPS_H
#define CLV_RUN_CIRCUIT_GROUPS_H

#include "run/circuit_kernels.h"
#include "run/run_sync.h"

/* What is bound to a schedule, and how. */
typedef struct clv_circuit_binding {
    const clv_circuit_program *program; /* lives as long as what is bound */
    clv_sync sync;
    bool simple; /* groups of one node, in schedule order */
} clv_circuit_binding;

typedef struct clv_circuit_bound {
    const clv_circuit_program *program;
    clv_run_sync sync;
    bool simple;
    int64_t nplace, nelement; /* including the padding of groups */
    const int32_t *left, *right;
    const double *weight[2];
    const clv_circuit_segment *segment;
    const int64_t *xsegment; /* by step of sync, and the end */
    const int32_t *leaf;     /* by thread: the leaves that it reads; their values start at
                                leaf_place */
    const int64_t *xleaf;    /* threads + 1 */
    const int64_t *leaf_place;
    int64_t root;       /* index of its value */
    int32_t root_owner; /* the thread that computes it */
    double *value;      /* nplace */
    int64_t bytes;
    clv_arena arena;
} clv_circuit_bound;

/* s: a schedule of the program's dag.  *b is zeroed on failure. */
cleave_status clv_circuit_bind(clv_circuit_bound *b, const clv_circuit_binding *how,
                               const clv_schedule *s, clv_ws *ws, cleave_error *err);
void clv_circuit_bound_free(clv_circuit_bound *b);

/* Evaluates one instance: every thread of b->sync calls it.  *root is set only in the thread
 * b->root_owner. */
void clv_circuit_bound_run(clv_circuit_bound *b, const clv_circuit_kernels *kernels,
                           clv_circuit_op op, const int8_t *evidence, int member,
                           double *root);

/* An array that is aligned to a cache line. */
void *clv_circuit_lines(clv_arena *arena, int64_t count, size_t each);

#endif
