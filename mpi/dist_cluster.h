/* SPDX-License-Identifier: Apache-2.0 */
/* mpi/dist_cluster.h - clusters of a distributed graph, for coarsening. */
#ifndef CLV_MPI_DIST_CLUSTER_H
#define CLV_MPI_DIST_CLUSTER_H

#include "base/context.h"
#include "mpi/dist_graph.h"

typedef struct clv_dist_merge_rule {
    const int64_t *max_weight; /* ncon: upper bound on the weight of a cluster; at most 2^31 -
                                  1 */
    const int32_t
        *merge_class; /* own and ghosts: only vertices of one class merge; NULL: all can */
    int32_t level;    /* mixed into the seed */
} clv_dist_merge_rule;

/* Collective.  Sets leader[v] of own vertices to the global number of the vertex that names
 * v's cluster; a leader's is its own number.  The leader can be on any rank.
 *
 * The rule is that of coarsen/cluster.h: a singleton joins the neighbouring cluster with the
 * highest edge weight relative to its vertex weight.  Vertices are processed in sub-rounds; in
 * a sub-round all threads of a rank choose at once, then the choices are admitted one after
 * the other.  Clusters of other ranks are asked for admission in four phases.  A random role
 * per phase decides which vertices ask and which answer, so that no two wait for each other.
 * Remaining singletons merge with others of their rank that prefer the same cluster (two-hop).
 * In a DAG, whose arcs between ranks all lead to higher ranks, clusters stay inside ranks and
 * follow coarsen/acyclic_cluster.h; such clusters make no cycle.  O(arcs of this rank). */
cleave_status clv_dist_cluster(const clv_dist_graph *g, const clv_dist_merge_rule *rule,
                               clv_context *ctx, int64_t *leader, cleave_error *err);

#endif
