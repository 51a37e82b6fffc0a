/* SPDX-License-Identifier: Apache-2.0 */
/* mpi/dist_cluster_dag.h - acyclic clusters of a distributed DAG; see mpi/dist_cluster.h. */
#ifndef CLV_MPI_DIST_CLUSTER_DAG_H
#define CLV_MPI_DIST_CLUSTER_DAG_H

#include "mpi/dist_cluster.h"

/* Collective.  Requires that no arc leads to a lower rank: then a path that leaves a rank
 * never returns, and clusters that are acyclic inside each rank are acyclic in the whole
 * graph. */
cleave_status clv_dist_cluster_dag(const clv_dist_graph *g, const clv_dist_merge_rule *rule,
                                   clv_context *ctx, int64_t *leader, cleave_error *err);

/* The subgraph induced by the own vertices of a rank, with their weights, as a clv_graph:
 * local numbers are vertex numbers.  Not collective. */
cleave_status clv_dist_induced(clv_graph **out, const clv_dist_graph *g, cleave_error *err);

#endif
