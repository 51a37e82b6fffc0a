/* SPDX-License-Identifier: Apache-2.0 */
/* tests/api/edge_case_facts.h - the current edge case, its mappings and the expected results,
 * for test_edge_cases_api.c and its parts, edge_case_*.c. */
#ifndef CLV_TESTS_EDGE_CASE_FACTS_H
#define CLV_TESTS_EDGE_CASE_FACTS_H

#include "api/api_support.h"
#include "oracle/oracle_graph.h"
#include "oracle/oracle_metrics.h"

enum { EDGE_ROOM = 64 }; /* no case has more vertices or parts */

/* The case at hand, and as a graph. */
extern const cleave_csr *edge_csr;
extern cleave_graph *edge_graph;

/* The functions tested in the other files. */
extern const api_test edge_circuits[], edge_constraints[], edge_matrices[], edge_orders[],
    edge_runs[], edge_schedules[], edge_tasks[];

/* The path of a file; static, 4 deep. */
const char *edge_scratch(const char *name);

void edge_matrix(oracle_graph *dense, const cleave_csr *csr);

/* Mappings i = 0, 1, ... until false: 1 part, 2, as many as vertices, more than vertices,
 * all in the last of many, and one whose quotients have cycles. */
bool edge_mapping(int i, int32_t nvtx, int32_t *nparts, int32_t part[EDGE_ROOM]);

/* What cleave_graph_quotient must return, given the quotient as a matrix. */
cleave_status edge_quotient_status(const cleave_csr *csr, const oracle_graph *quotient,
                                   int32_t nparts, const int32_t *part);

/* The oracle's word on the default options; static. */
const oracle_result *edge_metrics(const cleave_graph *g, int32_t nparts, const int32_t *part);

/* Same kind and rows, and the same edge weights (absent ones are 1) if asked for. */
bool edge_same_rows(const cleave_graph *a, const cleave_graph *b, bool weights);

#endif
