/* SPDX-License-Identifier: Apache-2.0 */
/* run/circuit_kernels.h - the loops that evaluate nodes, eight at a time.
 *
 * Groups: one instance, eight adjacent nodes of the same shape, each with its own children.
 * Sweeps: one node after the other, for eight instances at a time.  Both give the same bits,
 * as do the simple loops, one node of one instance after the other. */
#ifndef CLV_RUN_CIRCUIT_KERNELS_H
#define CLV_RUN_CIRCUIT_KERNELS_H

#include "run/circuit_program.h"

enum { clv_circuit_lanes = 8 };

/* Groups of nodes that do not read each other, all with this number of elements: a node with
 * fewer is padded with elements of weight 0, which change nothing.  In a sweep, a group is one
 * node. */
typedef struct clv_circuit_segment {
    int32_t elements; /* 0: one element, whose weight is 1 */
    int32_t groups;
    int64_t place;   /* index of the first node's value; the others follow.  In a sweep: index
                        in its list of places */
    int64_t element; /* index of its first element in the arrays below */
} clv_circuit_segment;

/* Children are indices of values; in a sweep, of groups of eight values.  Element j of lane i
 * of a group is at 8 j + i; in a sweep and in the simple loops, at j. */
typedef struct clv_circuit_groups {
    const int32_t *left, *right;
    const double *weight; /* logarithms or linear, as the operation requires */
    const int32_t *place; /* in a sweep: index of each node's values */
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
/* The fastest loops for this processor. */
const clv_circuit_kernels *clv_circuit_kernels_best(void);

#endif
