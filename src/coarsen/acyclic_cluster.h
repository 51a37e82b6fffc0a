/* SPDX-License-Identifier: Apache-2.0 */
/* coarsen/acyclic_cluster.h - which vertices of a DAG merge, so that a DAG remains. */
#ifndef CLV_COARSEN_ACYCLIC_CLUSTER_H
#define CLV_COARSEN_ACYCLIC_CLUSTER_H

#include "coarsen/cluster.h"

/* As clv_cluster, for a DAG; contracting the map makes no cycle, whatever the classes.
 * O(nvtx + narc) time, in parallel where the DAG is deep enough; scratch about 10 words per
 * vertex. */
cleave_status clv_cluster_acyclic(const clv_graph *g, const clv_merge_rule *rule,
                                  clv_context *ctx, int32_t *map, int32_t *ncoarse,
                                  cleave_error *err);

#endif
