/* SPDX-License-Identifier: Apache-2.0 */
/* mpi/dist_cluster.h - which vertices of a distributed graph merge. */
#ifndef CLV_MPI_DIST_CLUSTER_H
#define CLV_MPI_DIST_CLUSTER_H

#include "base/context.h"
#include "mpi/dist_graph.h"

typedef struct clv_dist_merge_rule {
    const int64_t *max_weight; /* ncon: no merged vertex weighs more; at most 2^31 - 1 */
    const int32_t
        *merge_class; /* own and ghosts: only vertices of one class merge; NULL: all */
    int32_t level;    /* enters the seed */
} clv_dist_merge_rule;

/* Collective.  leader[v] (own vertices) becomes the global number of the vertex that v's
 * cluster is named after, itself for leaders; whoever owns it.
 *
 * The rule of coarsen/cluster.h on many ranks: a vertex that is alone joins the neighbouring
 * cluster that it is tied to most strongly for its weight.  Vertices are taken in sub-rounds,
 * in each of which all threads of a rank choose at once and the choices are admitted in turn.
 * Clusters of other ranks are asked for admission in four phases; a phase's lot decides who
 * asks and who answers, so that no two wait for each other.  What is left alone merges with
 * others of its rank that wanted the same cluster (two-hop).  A DAG whose arcs between ranks
 * all lead to higher ranks: clusters stay inside of ranks, as coarsen/acyclic_cluster.h makes
 * them; such clusters make no cycle.  O(arcs of this rank). */
cleave_status clv_dist_cluster(const clv_dist_graph *g, const clv_dist_merge_rule *rule,
                               clv_context *ctx, int64_t *leader, cleave_error *err);

#endif
