/* SPDX-License-Identifier: Apache-2.0 */
/* tests/oracle/oracle_graph.h - small graphs as dense matrices, and slow, simple versions of
 * the functions of src/graph.  Shares no code and no algorithm with it: reachability by
 * Warshall's closure, distances by Floyd's triple loop, longest paths by relaxing every arc n
 * times. */
#ifndef CLV_TESTS_ORACLE_GRAPH_H
#define CLV_TESTS_ORACLE_GRAPH_H

#include <stdbool.h>
#include <stdint.h>

enum { ORACLE_MAX = 48 };

typedef struct oracle_graph {
    int n;
    bool arc[ORACLE_MAX][ORACLE_MAX];
    int64_t wgt[ORACLE_MAX][ORACLE_MAX];
} oracle_graph;

/* reach[u][v]: there is a path of at least one arc from u to v. */
void oracle_closure(const oracle_graph *o, bool reach[ORACLE_MAX][ORACLE_MAX]);
bool oracle_acyclic(const oracle_graph *o);
/* Arcs of a shortest cycle; 0: none. */
int oracle_girth(const oracle_graph *o);
/* Arcs of the longest path that ends in v (or, backwards, that starts there). */
void oracle_longest(const oracle_graph *o, bool backwards, int32_t *level);
/* Smallest ready vertex first. */
void oracle_order(const oracle_graph *o, int32_t *order);
/* Directions ignored; numbered by smallest vertex.  Returns the number of components. */
int oracle_components(const oracle_graph *o, int32_t *component);
/* The quotient: arcs between different parts, weights summed. */
void oracle_quotient(const oracle_graph *o, int nparts, const int32_t *part,
                     oracle_graph *quotient);

#endif
