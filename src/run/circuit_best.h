/* SPDX-License-Identifier: Apache-2.0 */
/* run/circuit_best.h - the assignment with the largest value. */
#ifndef CLV_RUN_CIRCUIT_BEST_H
#define CLV_RUN_CIRCUIT_BEST_H

#include "run/circuit_program.h"

/* As cleave_circuit_most_probable, for one instance; returns the value. value: nleaf + nnode
 * numbers of scratch; chosen: nnode, all false before and after. */
double clv_circuit_best(const clv_circuit_program *p, const int8_t *evidence, double *value,
                        bool *chosen, int8_t *assignment);

#endif
