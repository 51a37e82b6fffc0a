/* SPDX-License-Identifier: Apache-2.0 */
/* coarsen/acyclic_cluster.h - clusters the vertices of a DAG so that the coarse graph is a
 * DAG. */
#ifndef CLV_COARSEN_ACYCLIC_CLUSTER_H
#define CLV_COARSEN_ACYCLIC_CLUSTER_H

#include "coarsen/cluster.h"

/* As clv_cluster, for a DAG.  Contracting the map creates no cycle, whatever the merge
 * classes. O(nvtx + narc) time, in parallel if the DAG is deep enough; scratch about 10 words
 * per vertex. */
cleave_status clv_cluster_acyclic(const clv_graph *g, const clv_merge_rule *rule,
                                  clv_context *ctx, int32_t *map, int32_t *ncoarse,
                                  cleave_error *err);

#endif
