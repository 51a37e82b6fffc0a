/* SPDX-License-Identifier: Apache-2.0 */
/* coarsen/cluster.h - choose which vertices merge into one coarse vertex.
 *
 * First half of a coarsening step; coarsen/contract.h builds the coarse graph from the map
 * that results.  The rule limits merging: a bound of the merged weight, and classes that
 * never mix (parts of a solution that is kept, fixed vertices). */
#ifndef CLV_COARSEN_CLUSTER_H
#define CLV_COARSEN_CLUSTER_H

#include "base/context.h"
#include "graph/graph.h"

typedef enum clv_merge {
    CLV_MERGE_CLUSTERS, /* label propagation: as many as the weight bound allows */
    CLV_MERGE_PAIRS     /* heavy-edge matching: two at most */
} clv_merge;

typedef struct clv_merge_rule {
    clv_merge kind;
    const int64_t *max_weight;  /* ncon: no merged vertex weighs more */
    const int32_t *merge_class; /* nvtx: only vertices of one class merge; NULL: all may */
    int32_t level;              /* enters the seed */
    bool spare_weak;            /* weak ties are not merged: the cut counts edges */
} clv_merge_rule;

/* map[v] becomes the coarse vertex of v, 0..*ncoarse-1, numbered in the order of their leaders
 * so that neighbours stay near each other in memory.
 *
 * Every single vertex in turn joins the neighbouring cluster that it is tied to most
 * strongly for its weight, but with spare_weak not over a tie of less than an eighth of its
 * strongest one.
 * Large graphs are taken in sub-rounds: the vertices of one sub-round choose at the same time,
 * in parallel, from what stood at its start; their choices are admitted one after the other,
 * so that the result does not depend on the number of threads, and those that are refused
 * choose again.  Vertices left alone are then merged, up to half the bound, with others that
 * are tied most strongly to the same cluster (two-hop), or with other isolated ones.
 * O(nvtx + narc) time; scratch about 6 words per vertex.
 *
 * When the context says stop meanwhile, or the time left is too short for the levels that
 * would follow, *ncoarse becomes 0 and the map is undefined; not when it had said so before.
 */
cleave_status clv_cluster(const clv_graph *g, const clv_merge_rule *rule, clv_context *ctx,
                          int32_t *map, int32_t *ncoarse, cleave_error *err);

#endif
