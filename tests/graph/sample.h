/* SPDX-License-Identifier: Apache-2.0 */
/* tests/graph/sample.h - random small graphs, as matrices and as graphs, a checker of the
 * invariants of graph.h, and the loop that makes each allocation fail once. */
#ifndef CLV_TESTS_GRAPH_SAMPLE_H
#define CLV_TESTS_GRAPH_SAMPLE_H

#include "base/rng.h"
#include "graph/graph.h"
#include "oracle/oracle_graph.h"

typedef enum sample_kind {
    SAMPLE_UNDIRECTED, /* symmetric */
    SAMPLE_DAG,        /* acyclic, in a random order */
    SAMPLE_DIGRAPH,    /* anything but loops */
    SAMPLE_LOOPS       /* anything */
} sample_kind;

/* At most `largest` vertices; density, weights (0 sometimes) and size drawn from rng. */
void sample_matrix(oracle_graph *o, sample_kind kind, int largest, clv_rng *rng);

/* Rows of the matrix in static memory; each arc 1 or (copies) up to 3 times, in random
 * order inside a row. */
typedef struct sample_rows {
    int64_t xadj[ORACLE_MAX + 1];
    int32_t adj[3 * ORACLE_MAX * ORACLE_MAX];
} sample_rows;
void sample_bare_rows(sample_rows *rows, const oracle_graph *o, bool copies, clv_rng *rng);

typedef struct sample_attributes {
    bool edge_weights;
    int32_t ncon; /* 0: no vertex weights */
    bool vsize;
    int32_t ndim; /* 0: no coordinates */
    bool names;
} sample_attributes;
sample_attributes sample_any_attributes(clv_rng *rng);
sample_attributes sample_all_attributes(void);

/* Values that identify their origin. */
int32_t sample_vwgt(int32_t v, int32_t con);
int32_t sample_vsize(int32_t v);
double sample_coord(int32_t v, int32_t axis);
void sample_name(int32_t v, char name[32]);

/* The graph of the matrix; aborts the program when that fails. */
clv_graph *sample_graph(const oracle_graph *o, cleave_kind kind, sample_attributes with);
/* A graph from any number of arcs in the order given (undirected edges once). */
clv_graph *sample_edges(cleave_kind kind, int32_t nvtx, int64_t count, const int32_t *tail,
                        const int32_t *head, const int32_t *wgt);

/* NULL, or what is wrong with the graph's arrays. */
const char *sample_fault(const clv_graph *g);

#endif
