/* SPDX-License-Identifier: Apache-2.0 */
/* coarsen/hierarchy.h - ever coarser graphs, each with the map from the one before.
 *
 * Level 0 is the graph that was given and belongs to the caller. */
#ifndef CLV_COARSEN_HIERARCHY_H
#define CLV_COARSEN_HIERARCHY_H

#include "coarsen/cluster.h"
#include "coarsen/contract.h"
#include "coarsen/dag_matching.h"

typedef struct clv_coarsening {
    int32_t limit;              /* stop at so many vertices */
    const int64_t *max_weight;  /* ncon: no coarse vertex weighs more */
    const int32_t *merge_class; /* of the vertices of level 0, or NULL */
    clv_merge kind;
    bool spare_weak;       /* clv_merge_rule */
    int32_t finer;         /* factor by which clusters are lighter where hubs hide the
                            * structure; 0: never */
    int64_t sparsify_from; /* a level of more arcs is followed by one with at most about */
    double density;        /* this share of them; 0: no bound.  Not for DAGs */
    const clv_dag_matching *matching; /* of a DAG: pairs by this rule, with max_weight, instead
                                       * of clusters; NULL: clusters */
    double least_shrink; /* end where a level keeps this share of the vertices; 0: 0.95, of a
                          * DAG 0.85 */
    bool end_at_stop;    /* even if the credit of the context pays for another level */
} clv_coarsening;

typedef struct clv_level {
    const clv_graph *g;
    clv_graph *owned;           /* g, from level 1 on */
    int32_t *map;               /* vertex of this level -> of the next; NULL on the coarsest */
    const int32_t *merge_class; /* NULL: one class */
    int32_t *owned_merge_class;
    bool thinned; /* light edges were dropped: cuts are estimates */
} clv_level;

enum { clv_most_levels = 64 };
typedef struct clv_hierarchy {
    int32_t nlevels; /* >= 1 */
    bool finer;      /* by clv_coarsening.finer */
    bool cut_short;  /* it ended early for lack of time */
    clv_level level[clv_most_levels];
} clv_hierarchy;

/* Coarsens until the limit is reached or a level shrinks too little.  On failure everything is
 * freed.  When the context says stop, the levels so far are the result, and those that its
 * credit pays for. */
cleave_status clv_hierarchy_build(clv_hierarchy *h, const clv_graph *g,
                                  const clv_coarsening *how, clv_context *ctx,
                                  cleave_error *err);
/* Frees the coarsest level and forgets it; level 0 has nothing to free. */
void clv_hierarchy_drop(clv_hierarchy *h);
void clv_hierarchy_free(clv_hierarchy *h);

#endif
