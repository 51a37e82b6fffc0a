/* SPDX-License-Identifier: Apache-2.0 */
/* tests/api/edge_case_matrices.h - the part of test_edge_cases_api.c that is about matrices
 * and graphs that are made. */
#ifndef CLV_TESTS_EDGE_CASE_MATRICES_H
#define CLV_TESTS_EDGE_CASE_MATRICES_H

#include "api/edge_case_constraints.h"

/* The functions tested here, and how many they are. */
const edge_function *edge_matrix_functions(int *count);
/* The case at hand; before the functions are called. */
void edge_matrices_set(const cleave_csr *csr, const cleave_graph *g);

#endif
