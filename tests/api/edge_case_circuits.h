/* SPDX-License-Identifier: Apache-2.0 */
/* tests/api/edge_case_circuits.h - the part of test_edge_cases_api.c that is about circuits.
 */
#ifndef CLV_TESTS_EDGE_CASE_CIRCUITS_H
#define CLV_TESTS_EDGE_CASE_CIRCUITS_H

#include "api/edge_case_constraints.h"

/* The functions tested here, and how many they are. */
const edge_function *edge_circuit_functions(int *count);
/* The case at hand; before the functions are called. */
void edge_circuits_set(const cleave_csr *csr, const cleave_graph *g);

#endif
