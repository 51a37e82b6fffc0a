/* SPDX-License-Identifier: Apache-2.0 */
/* coarsen/clusters.h - growing clusters, common to coarsen/cluster.c and
 * coarsen/acyclic_cluster.c.
 *
 * A cluster is identified by its leader.  Only a single vertex joins another cluster, so
 * leaders never move and clusters only grow. */
#ifndef CLV_COARSEN_CLUSTERS_H
#define CLV_COARSEN_CLUSTERS_H

#include "base/blocks.h"
#include "base/group.h"
#include "coarsen/cluster.h"

typedef struct clv_clusters {
    const clv_graph *g;
    const clv_merge_rule *rule;
    int32_t *leader; /* by vertex: its cluster */
    int64_t *weight; /* by leader * ncon */
    uint8_t *joined; /* by vertex: it is in a cluster of at least two */
} clv_clusters;

/* Makes every vertex a cluster; arrays from ctx->ws. */
cleave_status clv_clusters_init(clv_clusters *c, const clv_graph *g,
                                const clv_merge_rule *rule, clv_context *ctx,
                                cleave_error *err);

/* v must be single: the weight of its cluster is its own. */
static inline bool clv_clusters_fit(const clv_clusters *c, int32_t v, int32_t cluster)
{
    int32_t ncon = c->g->ncon;
    if (c->rule->kind == CLV_MERGE_PAIRS && c->joined[cluster])
        return false;
    for (int32_t i = 0; i < ncon; i++)
        if (c->weight[(int64_t)cluster * ncon + i] + c->weight[(int64_t)v * ncon + i] >
            c->rule->max_weight[i])
            return false;
    return true;
}

static inline bool clv_clusters_mix(const clv_clusters *c, int32_t v, int32_t cluster)
{
    return !c->rule->merge_class || c->rule->merge_class[v] == c->rule->merge_class[cluster];
}

static inline void clv_clusters_join(clv_clusters *c, int32_t v, int32_t cluster)
{
    int32_t ncon = c->g->ncon;
    c->leader[v] = cluster;
    c->joined[v] = c->joined[cluster] = 1;
    for (int32_t i = 0; i < ncon; i++)
        c->weight[(int64_t)cluster * ncon + i] += c->weight[(int64_t)v * ncon + i];
}

/* Breaks ties between clusters pseudo-randomly. */
static inline uint32_t clv_clusters_lot(uint64_t salt, int32_t cluster)
{
    uint32_t x = ((uint32_t)cluster ^ (uint32_t)salt) * 0x9e3779b1u;
    return x ^ (x >> 15);
}

/* Fills the map of coarse vertices and returns their number. */
int32_t clv_clusters_number(const clv_clusters *c, clv_team *team, int32_t *map);

#endif
