/* SPDX-License-Identifier: Apache-2.0 */
/* coarsen/dag_clustering.h - clusters whose contraction keeps a DAG acyclic, by the rules of
 * dagP's journal version.
 *
 * The coarsening of [Herrmann, Ozkaya, Ucar, Kaya, Catalyurek: Multilevel Algorithms for
 * Acyclic Partitioning of Directed Acyclic Graphs, SIAM J. Sci. Comput. 41(4), 2019], section
 * 4.1.  coarsen/acyclic_cluster.c is the parallel one of the other methods. */
#ifndef CLV_COARSEN_DAG_CLUSTERING_H
#define CLV_COARSEN_DAG_CLUSTERING_H

#include "coarsen/dag_matching.h"

typedef enum clv_dag_rule {
    CLV_DAG_COTOP, /* no arc between two clusters leads from a level to the next */
    CLV_DAG_COCYC, /* a forward search finds no cycle */
    CLV_DAG_COHYB  /* COTOP for vertices of large degree, COCYC for the others */
} clv_dag_rule;

typedef struct clv_dag_clustering {
    clv_dag_rule rule;
    clv_dag_order order;
    clv_dag_match match;
    const int64_t *max_weight;  /* ncon: upper bound of a cluster */
    const int32_t *merge_class; /* nvtx: only vertices of one class merge; NULL: all */
    int32_t level;              /* enters the seed; odd: levels counted from the sinks */
} clv_dag_clustering;

/* map[v] becomes the coarse vertex of v, 0..*ncoarse-1.  Contracting it keeps g acyclic.  The
 * vertices of a cluster are connected and on at most two neighbouring levels.  Fails only with
 * CLEAVE_ENOMEM.  COTOP is O(nvtx + narc); each search of the other rules visits a bounded
 * number of arcs. */
cleave_status clv_dag_cluster(const clv_graph *g, const clv_dag_clustering *how,
                              clv_context *ctx, int32_t *map, int32_t *ncoarse,
                              cleave_error *err);

#endif
