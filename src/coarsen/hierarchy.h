/* SPDX-License-Identifier: Apache-2.0 */
/* coarsen/hierarchy.h - a hierarchy of successively coarser graphs, each with the map from the
 * previous one.
 *
 * Level 0 is the given graph and belongs to the caller. */
#ifndef CLV_COARSEN_HIERARCHY_H
#define CLV_COARSEN_HIERARCHY_H

#include "coarsen/cluster.h"
#include "coarsen/contract.h"
#include "coarsen/dag_clustering.h"
#include "coarsen/dag_matching.h"

typedef struct clv_coarsening {
    int32_t limit;              /* number of vertices at which coarsening ends */
    const int64_t *max_weight;  /* ncon: upper bound of a coarse vertex */
    const int32_t *merge_class; /* of the vertices of level 0, or NULL */
    clv_merge kind;
    bool spare_weak;       /* clv_merge_rule */
    int32_t finer;         /* factor by which clusters are lighter if hubs hide the
                              structure; 0: never */
    int64_t sparsify_from; /* after a level of more arcs, the next one has at most about */
    double density;        /* this share of them; 0: no bound.  Not for DAGs */
    const clv_dag_matching *matching;     /* DAG: matching by this rule, with max_weight,
                                             instead of clustering; NULL: clustering */
    const clv_dag_clustering *clustering; /* DAG: the same by the rules of dagP's journal
                                             version; keeps merge_class, too */
    double least_shrink; /* ends if a level keeps this share of the vertices; 0: 0.95, for a
                            DAG 0.85 */
    bool end_at_stop;    /* even if the credit of the context covers another level */
} clv_coarsening;

typedef struct clv_level {
    const clv_graph *g;
    clv_graph *owned;           /* g, for level 1 and above */
    int32_t *map;               /* vertex of this level -> of the next; NULL on the coarsest */
    const int32_t *merge_class; /* NULL: one class */
    int32_t *owned_merge_class;
    bool thinned; /* light edges were dropped: cuts are estimates */
} clv_level;

enum { clv_most_levels = 64 };
typedef struct clv_hierarchy {
    int32_t nlevels; /* >= 1 */
    bool finer;      /* by clv_coarsening.finer */
    bool cut_short;  /* ended early for lack of time */
    clv_level level[clv_most_levels];
} clv_hierarchy;

/* Coarsens until the limit is reached or a level shrinks too little.  On failure everything is
 * freed.  If the context is stopped, the result is the levels so far, and those that its
 * credit covers. */
cleave_status clv_hierarchy_build(clv_hierarchy *h, const clv_graph *g,
                                  const clv_coarsening *how, clv_context *ctx,
                                  cleave_error *err);
/* Frees and removes the coarsest level; level 0 is only removed. */
void clv_hierarchy_drop(clv_hierarchy *h);
void clv_hierarchy_free(clv_hierarchy *h);

#endif
