/* SPDX-License-Identifier: Apache-2.0 */
/* coarsen/cluster.h - chooses which vertices merge into one coarse vertex.
 *
 * The first half of a coarsening step; coarsen/contract.h builds the coarse graph from the
 * resulting map.  The rule limits merging: an upper bound of the merged weight, and merge
 * classes (parts of a solution that is kept, fixed vertices). */
#ifndef CLV_COARSEN_CLUSTER_H
#define CLV_COARSEN_CLUSTER_H

#include "base/context.h"
#include "graph/graph.h"

typedef enum clv_merge {
    CLV_MERGE_CLUSTERS, /* label propagation: clusters as large as the weight bound allows */
    CLV_MERGE_PAIRS     /* heavy-edge matching: pairs */
} clv_merge;

typedef struct clv_merge_rule {
    clv_merge kind;
    const int64_t *max_weight;  /* ncon: upper bound of a merged vertex */
    const int32_t *merge_class; /* nvtx: only vertices of one class merge; NULL: all may */
    int32_t level;              /* enters the seed */
    bool spare_weak;            /* no merges over weak ties, so that light edges can be cut */
} clv_merge_rule;

/* map[v] becomes the coarse vertex of v, 0..*ncoarse-1, numbered in the order of their leaders
 * so that neighbours stay near each other in memory.
 *
 * Every single vertex in turn joins the neighbouring cluster with the strongest tie relative
 * to its weight; with spare_weak not over a tie weaker than an eighth of its strongest one.
 * Large graphs are processed in sub-rounds: the vertices of a sub-round choose in parallel
 * from the state at its start.  Their choices are admitted sequentially, so that the result
 * does not depend on the number of threads, and refused vertices choose again.  Vertices left
 * alone are then merged, up to half the bound, with others whose strongest tie leads to the
 * same cluster (two-hop), or with other isolated ones.  O(nvtx + narc) time; scratch about 6
 * words per vertex.
 *
 * If the context is stopped during the call, or the remaining time is too short for the levels
 * that would follow, *ncoarse becomes 0 and the map is undefined.  A call after the stop
 * completes. */
cleave_status clv_cluster(const clv_graph *g, const clv_merge_rule *rule, clv_context *ctx,
                          int32_t *map, int32_t *ncoarse, cleave_error *err);

#endif
