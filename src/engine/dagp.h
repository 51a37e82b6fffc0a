/* SPDX-License-Identifier: Apache-2.0 */
/* engine/dagp.h - dagP as its paper defines it, and the methods that the paper compares with.
 *
 * [Herrmann, Kho, Ucar, Kaya, Catalyurek: Acyclic Partitioning of Large Directed Acyclic
 * Graphs, CCGRID 2017]: coarsening by matchings (coarsen/dag_matching.h), the best of several
 * first partitions (initial/dagp_initial.h), and on the way up one pass of moves per level
 * (refine/topref.h or refine/acyckway.h).  For better cuts see engine/pipeline.h. */
#ifndef CLV_ENGINE_DAGP_H
#define CLV_ENGINE_DAGP_H

#include "coarsen/dag_matching.h"
#include "engine/multilevel.h"
#include "initial/dagp_initial.h"

typedef enum clv_dagp_method {
    CLV_DAGP,           /* the whole */
    CLV_DAGP_KERNIGHAN, /* Kernighan's program along a topological order of the whole graph */
    CLV_DAGP_FILL       /* Fauzia et al.: fills part after part with vertices that are ready */
} clv_dagp_method;

typedef enum clv_dagp_refine {
    CLV_DAGP_TOPREF,
    CLV_DAGP_ACYCKWAY,
} clv_dagp_refine;

typedef struct clv_dagp_params {
    clv_dag_order order;
    clv_dag_match match;
    clv_dagp_start initial; /* not CLV_DAGP_FAUZIA */
    clv_dagp_refine refine;
    int32_t runs; /* of each kind of first partition; 0: six, or three of each */
} clv_dagp_params;

/* Reads "order=top,match=hem,runs=5": order=top|rand, match=rand|hem|nwhem,
 * initial=ker+gp|kern|gp, refine=topref|acyckway, runs=1..1000000; the first value of each is
 * the default, which also NULL and "" give.  CLEAVE_EINVAL says what there is. */
cleave_status clv_dagp_parse(clv_dagp_params *params, const char *text, cleave_error *err);

/* Fills part and *result.  The partition is acyclic; it is within the bounds where
 * clv_acyclic_balance finds such a one.  Fixed vertices, a start, classes and a machine are
 * not supported: task has none.  Deterministic for (task, method, params, ctx->seed).  Fails
 * only with CLEAVE_ENOMEM. */
cleave_status clv_dagp(const clv_multilevel_task *task, clv_dagp_method method,
                       const clv_dagp_params *params, clv_context *ctx, int32_t *part,
                       clv_multilevel_result *result, cleave_error *err);

#endif
