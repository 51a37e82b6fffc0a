/* SPDX-License-Identifier: Apache-2.0 */
/* tests/engine/acyclic_fixture.h - DAGs for cleave_map, constraints that can be met, and the
 * checker of map_fixture.h with acyclicity added. */
#ifndef CLV_TESTS_ACYCLIC_FIXTURE_H
#define CLV_TESTS_ACYCLIC_FIXTURE_H

#include "engine/map_fixture.h"

/* "up GRAPH", "down GRAPH" and "mix GRAPH" give the edges of fixture_graph(GRAPH) directions:
 * to the higher number, to the lower one, or along an order that is drawn.  "layers:N:WIDTH:D"
 * is N layers of WIDTH vertices; each reads about D of the layer before and now and then one
 * of an earlier layer.  Any other text is a form of cleave_graph_generate that makes a DAG. */
cleave_graph *acyclic_fixture_graph(const char *text);
/* n vertices, each pair joined with so many chances in a thousand; weights up to the most
 * given, 0: none. */
cleave_graph *acyclic_fixture_random(uint64_t seed, int32_t n, int32_t thousandths,
                                     int32_t vwgt, int32_t ewgt);
void ask_dag(asked *a, const char *text, int32_t nparts, cleave_effort effort);

/* An acyclic partition into a->k consecutive slices of an order that is drawn, each of about
 * the weight that `sizes` (relative; NULL: equal) gives its part; which part comes when is
 * drawn, too. */
void acyclic_fixture_slices(const asked *a, uint64_t seed, const int32_t *sizes,
                            int32_t *part);

/* fixture_judge, and: the parts form no cycle, as reported. */
const char *dag_judge(const asked *a, cleave_status status, const cleave_mapping *m, facts *f);
/* Maps and checks: NULL, or what is wrong (static). m may be NULL. */
typedef enum dag_demand { DAG_VALID, DAG_OK } dag_demand; /* DAG_OK: and CLEAVE_OK */
const char *dag_map(asked *a, dag_demand demand, facts *f, cleave_mapping **m);

#endif
