/* SPDX-License-Identifier: Apache-2.0 */
/* mpi/dist_cluster.h - clusters of a distributed graph, for coarsening. */
#ifndef CLV_MPI_DIST_CLUSTER_H
#define CLV_MPI_DIST_CLUSTER_H

#include "base/context.h"
#include "mpi/dist_graph.h"

typedef struct clv_dist_merge_rule {
    const int64_t *max_weight; /* ncon: upper bound on the weight of a cluster */
    const int32_t
        *merge_class; /* own and ghosts: only vertices of one class merge; NULL: all can */
    int32_t level;    /* mixed into the seed */
} clv_dist_merge_rule;

/* Collective.  Sets leader[v] of own vertices to the global number of the vertex that names
 * v's cluster; a leader's is its own number.  The leader can be on any rank.
 *
 * The rule is that of coarsen/cluster.h: a singleton joins the neighbouring cluster with the
 * highest ratio of edge weight to cluster weight.  Vertices are processed in sub-rounds; in a
 * sub-round the vertices of a rank choose in parallel, then the choices are admitted one after
 * the other.  Requests to join clusters of other ranks are sent at the end of each of eight
 * phases.  In each phase a vertex randomly either sends or receives requests, so that no two
 * vertices wait for each other.  Remaining singletons merge with others of their rank that
 * prefer the same cluster (two-hop).  In a DAG, whose arcs between ranks all lead to higher
 * ranks, clusters stay inside ranks and follow coarsen/acyclic_cluster.h; such clusters make
 * no cycle.  O(arcs of this rank). */
cleave_status clv_dist_cluster(const clv_dist_graph *g, const clv_dist_merge_rule *rule,
                               clv_context *ctx, int64_t *leader, cleave_error *err);

#endif
