/* SPDX-License-Identifier: Apache-2.0 */
/* engine/acyclic/dagp.h - dagP as its paper defines it, and the methods the paper compares it
 * with.
 *
 * [Herrmann, Kho, Ucar, Kaya, Catalyurek: Acyclic Partitioning of Large Directed Acyclic
 * Graphs, CCGRID 2017]: coarsening by matchings (coarsen/dag_matching.h), the best of several
 * initial partitions (initial/dagp_initial.h), and one refinement pass per level
 * (refine/dagp/topref.h or refine/dagp/acyckway.h).  engine/pipeline.h gives better cuts. */
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

typedef enum clv_dagp_refine {
    CLV_DAGP_TOPREF,
    CLV_DAGP_ACYCKWAY,
} clv_dagp_refine;

typedef struct clv_dagp_params {
    clv_dag_order order;
    clv_dag_match match;
    clv_dagp_start initial; /* not CLV_DAGP_FAUZIA */
    clv_dagp_refine refine;
    int32_t runs; /* of each kind of initial partition; 0: six, or three of each */
} clv_dagp_params;

/* Parses "order=top,match=hem,runs=5": order=top|rand, match=rand|hem|nwhem,
 * initial=ker+gp|kern|gp, refine=topref|acyckway, runs=1..1000000.  The first value of each is
 * the default; NULL and "" select all defaults.  The message of CLEAVE_EINVAL lists the
 * values. */
cleave_status clv_dagp_parse(clv_dagp_params *params, const char *text, cleave_error *err);

/* Fills part and *result.  The partition is acyclic.  It is within the bounds if
 * clv_acyclic_balance finds such a partition.  Fixed vertices, a start, merge classes and a
 * machine are not supported.  Deterministic for (task, method, params, ctx->seed).  Fails only
 * with CLEAVE_ENOMEM. */
cleave_status clv_dagp(const clv_multilevel_task *task, clv_dagp_method method,
                       const clv_dagp_params *params, clv_context *ctx, int32_t *part,
                       clv_multilevel_result *result, cleave_error *err);

#endif
