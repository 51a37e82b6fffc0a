/* SPDX-License-Identifier: Apache-2.0 */
/* tests/api/edge_case_constraints.h - the part of test_edge_cases_api.c that is about
 * constraints, targets, mapping and charts. */
#ifndef CLV_TESTS_EDGE_CASE_CONSTRAINTS_H
#define CLV_TESTS_EDGE_CASE_CONSTRAINTS_H

#include "api/edge_case_facts.h"

typedef struct edge_function {
    const char *name;
    void (*test)(void);
} edge_function;

/* The functions tested here, and how many they are. */
const edge_function *edge_constraint_functions(int *count);
/* The case at hand; before the functions are called. */
void edge_constraints_set(const cleave_csr *csr, const cleave_graph *g);
/* Checks that failed so far. */
int edge_constraint_failures(void);

#endif
