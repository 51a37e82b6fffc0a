/* SPDX-License-Identifier: Apache-2.0 */
/* run/circuit_sweep.h - a whole circuit by one thread, for eight instances at a time.
 *
 * Nodes are visited about depth first from the root, so that a value is read soon after it is
 * written, and its place is used again once nobody reads it any more: the values of a large
 * circuit, eight each, stay in the caches.  About, because a node that waits for the one
 * before it would leave the processor idle: nodes of a kind that do not read one another are
 * brought together from a short stretch of that order. */
#ifndef CLV_RUN_CIRCUIT_SWEEP_H
#define CLV_RUN_CIRCUIT_SWEEP_H

#include "run/circuit_kernels.h"

typedef struct clv_circuit_sweep {
    int32_t nplace; /* of eights of values; leaves have the first ones */
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

/* value: 8 * nplace numbers, the first on a cache line.  instance: eight, which may be the
 * same.  root: eight results. */
void clv_circuit_sweep_run(const clv_circuit_sweep *s, const clv_circuit_program *p,
                           const clv_circuit_kernels *kernels, clv_circuit_op op,
                           const int8_t *const *instance, double *value, double *root);

#endif
