/* SPDX-License-Identifier: Apache-2.0 */
/* coarsen/regions.h - fast coarsening: clusters by breadth-first search in one pass. */
#ifndef CLV_COARSEN_REGIONS_H
#define CLV_COARSEN_REGIONS_H

#include "coarsen/cluster.h"

/* map as in clv_cluster.  Each search starts from the smallest unassigned vertex and adds
 * vertices of its merge class breadth-first until they weigh an eighth of the rule's bound.
 * One step replaces several levels if time is short.  Regions are less compact than clusters
 * and ignore edge weights.  O(nvtx + narc); scratch one word per vertex. */
cleave_status clv_cluster_regions(const clv_graph *g, const clv_merge_rule *rule, clv_ws *ws,
                                  int32_t *map, int32_t *ncoarse, cleave_error *err);

#endif
