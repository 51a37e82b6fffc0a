/* SPDX-License-Identifier: Apache-2.0 */
/* coarsen/contract.h - the coarse graph that a map of vertices makes. */
#ifndef CLV_COARSEN_CONTRACT_H
#define CLV_COARSEN_CONTRACT_H

#include "base/context.h"
#include "graph/graph.h"

typedef struct clv_contraction {
    double
        most_arcs; /* about; beyond, light edges are dropped (coarsen/sparsify.h); 0: none */
    uint64_t salt; /* of that */
    bool sums_fit; /* no sum of weights of g exceeds 31 bits; false: unknown */
    bool may_end;  /* ends with *out NULL when the context says stop meanwhile */
    bool thinned;  /* set on return: edges were dropped, cuts are estimates */
} clv_contraction;

/* *out has one vertex per value of map[v] in 0..ncoarse-1, with the summed weights; arcs
 * inside a coarse vertex vanish, parallel ones are summed.  Rows are not sorted; coordinates,
 * names and vsize are not carried along.  A DAG gives a DAG, predecessors included, which is
 * never thinned out: the map must not make a cycle.  The weights of vertices or of edges have
 * 64 bits where their sum in g does not fit 31.  The graph is freed with clv_graph_free.
 * O(nvtx + narc), in parallel; the result does not depend on the number of threads. */
cleave_status clv_contract(clv_graph **out, const clv_graph *g, const int32_t *map,
                           int32_t ncoarse, clv_contraction *how, clv_context *ctx,
                           cleave_error *err);

#endif
