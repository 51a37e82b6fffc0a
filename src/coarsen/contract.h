/* SPDX-License-Identifier: Apache-2.0 */
/* coarsen/contract.h - builds the coarse graph from a map of vertices. */
#ifndef CLV_COARSEN_CONTRACT_H
#define CLV_COARSEN_CONTRACT_H

#include "base/context.h"
#include "graph/graph.h"

typedef struct clv_contraction {
    const int32_t *map; /* by vertex of g: its coarse vertex */
    int32_t ncoarse;
    double most_arcs; /* approximate; above it, light edges are dropped (coarsen/sparsify.h);
                         0: no limit */
    uint64_t salt;    /* of the sampling */
    bool sums_fit;    /* no sum of weights of g exceeds 31 bits; false: unknown */
    bool may_end;     /* returns *out NULL if the context is stopped during the call */
    bool thinned;     /* set on return: edges were dropped, cuts are estimates */
} clv_contraction;

/* *out has one vertex per value of how->map[v] in 0..ncoarse-1, with the summed weights.  Arcs
 * within a coarse vertex are removed, parallel arcs are summed.  Rows are not sorted;
 * coordinates, names and vsize are not copied.  The map of a DAG must not create a cycle; the
 * result is a DAG with predecessors, and is never sparsified.  The weights of vertices or
 * edges have 64 bits if their sum in g exceeds 31 bits.  Free the graph with clv_graph_free.
 * O(nvtx + narc), in parallel; the result does not depend on the number of threads. */
cleave_status clv_contract(clv_graph **out, const clv_graph *g, clv_contraction *how,
                           clv_context *ctx, cleave_error *err);

#endif
