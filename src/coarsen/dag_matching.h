/* SPDX-License-Identifier: Apache-2.0 */
/* coarsen/dag_matching.h - matchings whose contraction keeps a DAG acyclic.
 *
 * The coarsening of [Herrmann, Kho, Ucar, Kaya, Catalyurek: Acyclic Partitioning of Large
 * Directed Acyclic Graphs, CCGRID 2017], which uses levels that are computed once.
 * coarsen/acyclic_cluster.c merges more than two vertices at a time. */
#ifndef CLV_COARSEN_DAG_MATCHING_H
#define CLV_COARSEN_DAG_MATCHING_H

#include "base/context.h"
#include "graph/graph.h"

typedef enum clv_dag_order {
    CLV_DAG_ORDER_TOP, /* vertices in a depth-first topological order */
    CLV_DAG_ORDER_RAND,
    CLV_DAG_ORDER_BREADTH /* level after level, each in random order */
} clv_dag_order;

typedef enum clv_dag_match {
    CLV_DAG_MATCH_RAND, /* any allowed neighbour */
    CLV_DAG_MATCH_HEM,  /* the one with the heaviest arc */
    CLV_DAG_MATCH_NWHEM /* the one with the heaviest arc relative to its weight */
} clv_dag_match;

typedef struct clv_dag_matching {
    clv_dag_order order;
    clv_dag_match match;
    const int64_t *max_weight; /* ncon: upper bound of a pair; NULL: none */
    int32_t level;             /* enters the seed */
} clv_dag_matching;

/* map[v] becomes the coarse vertex of v, 0..*ncoarse-1, numbered in the order of the smaller
 * vertex of each pair.  Contracting it keeps g acyclic.  Fails only with CLEAVE_ENOMEM. O(nvtx
 * + narc). */
cleave_status clv_dag_match_pairs(const clv_graph *g, const clv_dag_matching *how,
                                  clv_context *ctx, int32_t *map, int32_t *ncoarse,
                                  cleave_error *err);

#endif
