/* SPDX-License-Identifier: Apache-2.0 */
/* graph/derive.h - new graphs from old ones: transpose, induced subgraph, quotient,
 * condensation. */
#ifndef CLV_GRAPH_DERIVE_H
#define CLV_GRAPH_DERIVE_H

#include "graph/graph.h"
#include "graph/mapping.h"

/* Rows turned around: xt (nvtx + 1), t and tw (xadj[nvtx] places; w and tw may be NULL).
 * xadj[0] is 0.  The rows of the result ascend, parallel arcs side by side.
 * O(nvtx + narc). */
void clv_derive_transpose_rows(int32_t nvtx, const int64_t *xadj, const int32_t *adj,
                               const int32_t *w, int64_t *xt, int32_t *t, int32_t *tw);
/* The same with 64-bit weights, as coarse graphs may have them. */
void clv_derive_transpose_wide(int32_t nvtx, const int64_t *xadj, const int32_t *adj,
                               const int64_t *w, int64_t *xt, int32_t *t, int64_t *tw);

/* As cleave_graph_transpose and cleave_graph_subgraph.  Attributes go with their vertices;
 * the new graph has no source format.  A vertex out of range or named twice:
 * CLEAVE_EINVAL.  O(nvtx + arcs of the vertices), and the length of their names. */
cleave_status clv_derive_transpose(clv_graph **out, const clv_graph *g, cleave_error *err);
cleave_status clv_derive_subgraph(clv_graph **out, const clv_graph *g, int32_t count,
                                  const int32_t *vertices, clv_ws *ws, cleave_error *err);

/* The quotient as bare rows, cycles allowed: parts are vertices, arc weights 64-bit. */
typedef struct clv_quotient {
    int32_t nparts;
    int64_t *xadj; /* nparts + 1 */
    int32_t *adj;  /* ascending; undirected: both directions; DAG: successors */
    int64_t *cut;  /* by arc: weight of the edges it stands for */
} clv_quotient;
/* Arrays from ws; the caller restores.  part[v] is in 0..nparts-1.  CLEAVE_ERANGE when a
 * cut does not fit.  O(nvtx + narc + nparts) (graph/derive_quotient.c). */
cleave_status clv_derive_quotient_rows(clv_quotient *q, const clv_graph *g, int32_t nparts,
                                       const int32_t *part, clv_ws *ws, cleave_error *err);
/* Weights that may not fit into those of a graph. */
typedef struct clv_sums {
    const int64_t *vertex; /* nvtx * ncon */
    const int64_t *arc;    /* narc */
} clv_sums;
/* As cleave_quotient_create: a graph without weights, and the sums in its arena.  Of the
 * attributes only vertex weights carry over: those of the same part are summed. */
cleave_status clv_derive_quotient_sums(clv_graph **out, clv_sums *sums, const clv_graph *g,
                                       const clv_mapping *m, clv_ws *ws, cleave_error *err);
/* Gives such a graph the sums as its weights; CLEAVE_ERANGE when one exceeds 2^31-1: it then
 * stays without any. */
cleave_status clv_derive_narrow(clv_graph *g, const clv_sums *sums, cleave_error *err);
/* Both.  As cleave_graph_quotient: CLEAVE_ECYCLE names a cycle, CLEAVE_ERANGE when a weight
 * exceeds 2^31-1.  m->nvtx is g->nvtx. */
cleave_status clv_derive_quotient(clv_graph **out, const clv_graph *g, const clv_mapping *m,
                                  clv_ws *ws, cleave_error *err);
/* As cleave_mapping_part_order, of a DAG. */
cleave_status clv_derive_part_order(const clv_graph *g, const clv_mapping *m, clv_ws *ws,
                                    int32_t *order, cleave_error *err);

/* The DAG of the strongly connected components of *g, a directed graph which may have cycles,
 * as cleave_graph_read describes it with condense; *g is replaced, or left as it is when it
 * has none.  *components (NULL at the call) becomes the mapping onto the components.
 * CLEAVE_ERANGE when a weight exceeds 2^31-1.  O(nvtx + narc) and the length of the names
 * (graph/derive_condense.c). */
cleave_status clv_derive_condense(clv_graph **g, clv_mapping **components, clv_ws *ws,
                                  cleave_error *err);

#endif
