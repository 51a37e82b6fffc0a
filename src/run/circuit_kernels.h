/* SPDX-License-Identifier: Apache-2.0 */
/* run/circuit_kernels.h - the loops that evaluate nodes, eight at a time.
 *
 * Groups: one instance, eight nodes of a kind side by side, each with its own children.
 * Sweeps: one node after the other, eight instances side by side.  Both give a value the
 * same bits, and so does the simple way, one node of one instance after the other. */
#ifndef CLV_RUN_CIRCUIT_KERNELS_H
#define CLV_RUN_CIRCUIT_KERNELS_H

#include "run/circuit_program.h"

enum { clv_circuit_lanes = 8 };

/* Groups of nodes that do not read one another, with so many elements each: a node that has
 * fewer has some of weight 0, which change nothing.  Of a sweep a group is one node. */
typedef struct clv_circuit_segment {
    int32_t elements; /* 0: one, whose weight is 1 */
    int32_t groups;
    int64_t place;   /* of the first node's value; the others follow.  Of a sweep: the first
                        in its list of places */
    int64_t element; /* the first of the arrays below */
} clv_circuit_segment;

/* Children are places of values; of a sweep, of eight values.  Element j of lane i of a group
 * is at 8 j + i; of a sweep, and the simple way, j. */
typedef struct clv_circuit_groups {
    const int32_t *left, *right;
    const double *weight; /* in the space of the operation */
    const int32_t *place; /* of a sweep: of each node's values */
} clv_circuit_groups;

typedef void (*clv_circuit_kernel)(const clv_circuit_segment *begin,
                                   const clv_circuit_segment *end, const clv_circuit_groups *g,
                                   double *value);

typedef struct clv_circuit_kernels {
    clv_circuit_kernel groups[CLV_CIRCUIT_OPS], sweep[CLV_CIRCUIT_OPS];
} clv_circuit_kernels;

extern const clv_circuit_kernel clv_circuit_kernels_simple[CLV_CIRCUIT_OPS];
extern const clv_circuit_kernels clv_circuit_kernels_plain;
#if defined(__x86_64__)
extern const clv_circuit_kernels clv_circuit_kernels_avx2;
#endif
/* The fastest that this processor can run. */
const clv_circuit_kernels *clv_circuit_kernels_best(void);

#endif
