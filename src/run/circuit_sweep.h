/* SPDX-License-Identifier: Apache-2.0 */
/* run/circuit_sweep.h - evaluation of a whole circuit by one thread, for eight instances at a
 * time.
 *
 * Nodes are visited approximately depth first from the root: a value is read soon after it is
 * written, and its place is reused after its last read, so that the values of a large circuit,
 * eight each, stay in cache.  The order is only approximately depth first, because a node that
 * waits for the one before it would leave the processor idle: nodes of the same shape that do
 * not read each other are grouped from a short range of that order. */
#ifndef CLV_RUN_CIRCUIT_SWEEP_H
#define CLV_RUN_CIRCUIT_SWEEP_H

#include "run/circuit_kernels.h"

typedef struct clv_circuit_sweep {
    const clv_circuit_program *program; /* lives as long as the sweep */
    int32_t nplace; /* number of groups of eight values; leaves have the first ones */
    int32_t root;
    int64_t nsegment;
    const clv_circuit_segment *segment;
    const int32_t *place, *left, *right;
    const double *weight[2];
    clv_arena arena;
} clv_circuit_sweep;

cleave_status clv_circuit_sweep_new(clv_circuit_sweep *s, const clv_circuit_program *p,
                                    clv_ws *ws, cleave_error *err);
void clv_circuit_sweep_free(clv_circuit_sweep *s);

/* value: 8 * nplace numbers, aligned to a cache line. instance: eight, which may be equal.
 * root: eight results. */
void clv_circuit_sweep_run(const clv_circuit_sweep *s, const clv_circuit_kernels *kernels,
                           clv_circuit_op op, const int8_t *const *instance, double *value,
                           double *root);

#endif
