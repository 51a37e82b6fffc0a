/* SPDX-License-Identifier: Apache-2.0 */
/* graph/derive.h - derived graphs: transpose, induced subgraph, quotient, condensation. */
#ifndef CLV_GRAPH_DERIVE_H
#define CLV_GRAPH_DERIVE_H

#include "graph/graph.h"
#include "graph/mapping.h"

/* Compressed rows (CSR) of a square pattern, and arrays for such rows; of the weights at most
 * one array is set. */
typedef struct clv_csr {
    const int64_t *xadj; /* nvtx + 1; the first is 0 */
    const int32_t *adj;
    clv_weights weight; /* by arc; no array: none */
} clv_csr;
typedef struct clv_csr_space {
    int64_t *xadj; /* nvtx + 1 */
    int32_t *adj;
    int32_t *narrow; /* weights of the same kind as those of the rows */
    int64_t *wide;
} clv_csr_space;
/* The rows of the result ascend, with parallel arcs adjacent.  O(nvtx + narc). */
void clv_derive_transpose_rows(int32_t nvtx, clv_csr from, clv_csr_space to);

/* As cleave_graph_transpose and cleave_graph_subgraph.  Vertices keep their attributes; the
 * new graph has no source format.  CLEAVE_EINVAL: a vertex is out of range or occurs twice.
 * O(nvtx + arcs of the vertices), plus the length of their names. */
cleave_status clv_derive_transpose(clv_graph **out, const clv_graph *g, cleave_error *err);
cleave_status clv_derive_subgraph(clv_graph **out, const clv_graph *g, int32_t count,
                                  const int32_t *vertices, clv_ws *ws, cleave_error *err);

/* The quotient as plain rows, possibly with cycles: parts are vertices, arc weights have 64
 * bits. */
typedef struct clv_quotient {
    int32_t nparts;
    int64_t *xadj; /* nparts + 1 */
    int32_t *adj;  /* ascending; undirected: both directions; DAG: successors */
    int64_t *cut;  /* by arc: total weight of its edges */
} clv_quotient;
/* Arrays are from ws; the caller restores it. part[v] is in 0..nparts-1.  CLEAVE_ERANGE: a cut
 * does not fit.  O(nvtx + narc + nparts) (graph/derive_quotient.c). */
cleave_status clv_derive_quotient_rows(clv_quotient *q, const clv_graph *g, int32_t nparts,
                                       const int32_t *part, clv_ws *ws, cleave_error *err);
/* Weights that may be too large for a graph. */
typedef struct clv_sums {
    const int64_t *vertex; /* nvtx * ncon */
    const int64_t *arc;    /* narc */
} clv_sums;
/* As cleave_quotient_create: a graph without weights, and the sums in its arena.  Vertex
 * weights are summed by part; other attributes are dropped. */
cleave_status clv_derive_quotient_sums(clv_graph **out, clv_sums *sums, const clv_graph *g,
                                       const clv_mapping *m, clv_ws *ws, cleave_error *err);
/* Sets the sums as weights of such a graph; CLEAVE_ERANGE: one exceeds 2^31-1, and the graph
 * stays without weights. */
cleave_status clv_derive_narrow(clv_graph *g, const clv_sums *sums, cleave_error *err);
/* Both steps.  As cleave_graph_quotient: CLEAVE_ECYCLE reports a cycle, CLEAVE_ERANGE a weight
 * above 2^31-1. m->nvtx is g->nvtx. */
cleave_status clv_derive_quotient(clv_graph **out, const clv_graph *g, const clv_mapping *m,
                                  clv_ws *ws, cleave_error *err);
/* As cleave_mapping_part_order; g is a DAG. */
cleave_status clv_derive_part_order(const clv_graph *g, const clv_mapping *m, clv_ws *ws,
                                    int32_t *order, cleave_error *err);

/* The DAG of the strongly connected components of *g, a directed graph that may have cycles,
 * as cleave_graph_read with condense.  Replaces *g, or leaves it if it has no cycle.
 * *components (NULL at the call) becomes the mapping of vertices to components.
 * CLEAVE_ERANGE: a weight exceeds 2^31-1.  O(nvtx + narc), plus the length of the names
 * (graph/derive_condense.c). */
cleave_status clv_derive_condense(clv_graph **g, clv_mapping **components, clv_ws *ws,
                                  cleave_error *err);

#endif
