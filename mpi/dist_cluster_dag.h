/* SPDX-License-Identifier: Apache-2.0 */
/* mpi/dist_cluster_dag.h - clusters of a distributed DAG; see mpi/dist_cluster.h. */
#ifndef CLV_MPI_DIST_CLUSTER_DAG_H
#define CLV_MPI_DIST_CLUSTER_DAG_H

#include "mpi/dist_cluster.h"

/* Collective.  No arc leads to a lower rank: a path that leaves a rank never comes back, so
 * that what makes no cycle inside a rank makes none at all. */
cleave_status clv_dist_cluster_dag(const clv_dist_graph *g, const clv_dist_merge_rule *rule,
                                   clv_context *ctx, int64_t *leader, cleave_error *err);

/* The graph that the own vertices of a rank induce, with their weights, as a graph of one
 * machine: local numbers are vertex numbers.  Not collective. */
cleave_status clv_dist_induced(clv_graph **out, const clv_dist_graph *g, cleave_error *err);

#endif
