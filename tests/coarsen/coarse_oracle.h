/* SPDX-License-Identifier: Apache-2.0 */
/* tests/coarsen/coarse_oracle.h - contraction by sorting a list of all arcs: slow, and
 * independent of src/coarsen/contract.c. */
#ifndef CLV_TESTS_COARSEN_COARSE_ORACLE_H
#define CLV_TESTS_COARSEN_COARSE_ORACLE_H

#include "coarsen/contract.h"
#include "refine/kway_fixture.h"

typedef struct arc_list {
    struct listed_arc {
        int32_t x, y;
        int64_t wgt;
    } * arc; /* sorted by (x, y), each once */
    int64_t count;
} arc_list;

/* The arcs of the graph that map makes of g. */
arc_list oracle_contract(const clv_graph *g, const int32_t *map);
/* The arcs of a graph as they are; parallel ones stay apart. */
arc_list oracle_arcs(const clv_graph *g);
const struct listed_arc *oracle_find(const arc_list *list, int32_t x, int32_t y);
void oracle_free(arc_list *list);

/* NULL, or how `coarse` differs from the graph that map makes of g. */
const char *oracle_contraction_fault(const clv_graph *g, const int32_t *map,
                                     const clv_graph *coarse);
/* Are weights of `coarse`, made of g, other than of 64 bits where sums of g exceed 31? */
bool oracle_widths_fault(const clv_graph *g, const clv_graph *coarse);
/* Do both have the same arrays, byte by byte? */
bool oracle_same_graph(const clv_graph *a, const clv_graph *b);

/* Weight of the edges between vertices of different `side`. */
int64_t oracle_cut(const clv_graph *g, const int32_t *side);

/* Room for count, and one more; to be freed. */
void *zeros(int64_t count, size_t each);

/* Undirected graphs from lists of edges. */
typedef struct edges {
    int32_t nvtx;
    int64_t count;
    int32_t (*ends)[2];
} edges;

/* Edges of weight 1; the arrays of *g go with graph_drop. */
void graph_from_edges(clv_graph *g, const edges *e);
void graph_drop(clv_graph *g);

#endif
