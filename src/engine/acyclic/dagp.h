/* SPDX-License-Identifier: Apache-2.0 */
/* engine/acyclic/dagp.h - dagP as its papers define it, and the methods they compare it with.
 *
 * [Herrmann, Kho, Ucar, Kaya, Catalyurek: Acyclic Partitioning of Large Directed Acyclic
 * Graphs, CCGRID 2017]: coarsening by matchings (coarsen/dag_matching.h), the best of several
 * initial partitions (initial/dagp_initial.h), and one refinement pass per level
 * (refine/dagp/topref.h or refine/dagp/acyckway.h).
 *
 * [Herrmann, Ozkaya, Ucar, Kaya, Catalyurek: Multilevel Algorithms for Acyclic Partitioning of
 * Directed Acyclic Graphs, SIAM J. Sci. Comput. 41(4), 2019]: recursive bisection; coarsening
 * by clusters (coarsen/dag_clustering.h), which can follow an undirected bisection made
 * acyclic (initial/dagp_bisection.h); FM (refine/dagp/boundary_fm.h).  engine/pipeline.h gives
 * better cuts than either. */
#ifndef CLV_ENGINE_ACYCLIC_DAGP_H
#define CLV_ENGINE_ACYCLIC_DAGP_H

#include "coarsen/dag_matching.h"
#include "engine/multilevel/multilevel.h"
#include "initial/dagp_initial.h"

typedef enum clv_dagp_method {
    CLV_DAGP,           /* the multilevel method */
    CLV_DAGP_KERNIGHAN, /* Kernighan's dynamic program along a topological order of the
                           whole graph */
    CLV_DAGP_FILL       /* Fauzia et al.: fills part after part with ready vertices */
} clv_dagp_method;

typedef enum clv_dagp_version {
    CLV_DAGP_2017, /* all parts at once */
    CLV_DAGP_2019  /* recursive bisection */
} clv_dagp_version;

typedef enum clv_dagp_coarsen {
    CLV_DAGP_MATCHING,
    CLV_DAGP_COTOP, /* those of coarsen/dag_clustering.h */
    CLV_DAGP_COCYC,
    CLV_DAGP_COHYB,
    CLV_DAGP_NO_COARSENING
} clv_dagp_coarsen;

/* Use of an undirected bisection of the finest level, made acyclic, in the coarsening. */
typedef enum clv_dagp_constrain {
    CLV_DAGP_UNCONSTRAINED,
    CLV_DAGP_CLUSTERS,          /* clusters stay inside its parts */
    CLV_DAGP_CLUSTERS_AND_START /* and it is the initial partition */
} clv_dagp_constrain;

typedef enum clv_dagp_refine {
    CLV_DAGP_TOPREF,
    CLV_DAGP_ACYCKWAY,
    CLV_DAGP_FM /* refine/dagp/boundary_fm.h */
} clv_dagp_refine;

typedef struct clv_dagp_params {
    clv_dagp_version version;
    clv_dagp_coarsen coarsen;
    clv_dagp_constrain constrain;
    clv_dag_order order;
    clv_dag_match match;
    clv_dagp_start initial; /* not CLV_DAGP_FAUZIA */
    clv_dagp_refine refine;
    int32_t runs; /* of each kind of initial partition; 0: six, or three of each; of the
                     undirected bisection one */
} clv_dagp_params;

/* Parses "order=top,match=hem,runs=5": order=top|rand|breadth, match=rand|hem|nwhem,
 * initial=ker+gp|kern|gp|greedy|undirected, refine=topref|acyckway|fm,
 * coarsen=matching|cotop|cocyc|cohyb|none, constrain=no|clusters|start, runs=1..1000000,
 * version=2017|2019.  NULL and "" select the version of 2017 with the first value of each.  A
 * value that only the version of 2019 has selects that version, whose defaults are
 * order=breadth, match=hem, initial=undirected, refine=fm, coarsen=cohyb, constrain=start.
 * The message of CLEAVE_EINVAL lists the values, or names the contradiction. */
cleave_status clv_dagp_parse(clv_dagp_params *params, const char *text, cleave_error *err);

/* Fills part and *result.  The partition is acyclic.  It is within the bounds if
 * clv_acyclic_balance finds such a partition.  Fixed vertices, a start, merge classes and a
 * machine are not supported.  Deterministic for (task, method, params, ctx->seed).  Fails only
 * with CLEAVE_ENOMEM. */
cleave_status clv_dagp(const clv_multilevel_task *task, clv_dagp_method method,
                       const clv_dagp_params *params, clv_context *ctx, int32_t *part,
                       clv_multilevel_result *result, cleave_error *err);

#endif
