/* SPDX-License-Identifier: Apache-2.0 */
/* coarsen/regions.h - the cheapest coarsening: regions of breadth-first searches, in one pass.
 */
#ifndef CLV_COARSEN_REGIONS_H
#define CLV_COARSEN_REGIONS_H

#include "coarsen/cluster.h"

/* map as of clv_cluster: from the first vertex by number that has no region yet, a search
 * takes vertices of its class in breadth until they weigh an eighth of what the rule allows.
 * One step replaces several levels where time is short; regions are less compact than
 * clusters, and edge weights do not count.  O(nvtx + narc); scratch a word per
 * vertex. */
cleave_status clv_cluster_regions(const clv_graph *g, const clv_merge_rule *rule, clv_ws *ws,
                                  int32_t *map, int32_t *ncoarse, cleave_error *err);

#endif
