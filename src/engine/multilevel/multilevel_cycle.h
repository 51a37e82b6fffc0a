/* SPDX-License-Identifier: Apache-2.0 */
/* engine/multilevel/multilevel_cycle.h - the loop of every multilevel method: coarsen, solve
 * the coarsest level, then project and refine level by level.
 *
 * clv_multilevel_run is independent of the kind of graph and solution, so that partitions
 * (engine/multilevel/multilevel.c, engine/acyclic/dagp.c), separators
 * (engine/order/separator.c) and distributed graphs (mpi/dist_multilevel.c) share it.  The
 * shared-memory methods also share clv_cycle, a hierarchy of graphs and the parts of the
 * current level. */
#ifndef CLV_ENGINE_MULTILEVEL_MULTILEVEL_CYCLE_H
#define CLV_ENGINE_MULTILEVEL_MULTILEVEL_CYCLE_H

#include "coarsen/hierarchy.h"
#include "engine/multilevel/multilevel.h"

/* Each function is called at most once per level; `method` is the argument of
 * clv_multilevel_run.  Level 0 is the finest. */
typedef struct clv_multilevel_steps {
    /* Makes the levels 0 to *nlevels - 1. */
    cleave_status (*coarsen)(void *method, int32_t *nlevels, cleave_error *err);
    /* Solves *level, the coarsest one.  It may solve a finer level instead and set *level to
     * it. */
    cleave_status (*solve_coarsest)(void *method, int32_t *level, cleave_error *err);
    /* Projects the solution of level + 1, which is freed, to a level and evaluates it. */
    cleave_status (*project)(void *method, int32_t level, cleave_error *err);
    /* Improves the solution of a level. */
    cleave_status (*refine)(void *method, int32_t level, cleave_error *err);
    bool refine_coarsest; /* false: solve_coarsest refines its solution itself */
} clv_multilevel_steps;

typedef struct clv_multilevel_summary {
    int32_t levels;
    double coarsen, initial, refine; /* seconds */
} clv_multilevel_summary;

/* If ctx (NULL: none) has a time limit, the first two steps get shares of the remaining time
 * and end as after a stop; the context is then running again, so that there is time to refine.
 * On failure, as on success, the method frees its levels. */
cleave_status clv_multilevel_run(const clv_multilevel_steps *steps, void *method,
                                 clv_context *ctx, clv_multilevel_summary *summary,
                                 cleave_error *err);

/* ---- Levels of one machine -------------------------------------------------------------- */

typedef struct clv_cycle {
    clv_context *ctx;
    clv_hierarchy h;
    int32_t *part;   /* of the current level; from ctx->ws, or result on level 0 */
    int32_t *result; /* nvtx of level 0 */
} clv_cycle;

/* Makes part an uninitialised array for a level.  Fails only with CLEAVE_ENOMEM. */
cleave_status clv_cycle_open(clv_cycle *c, int32_t level, cleave_error *err);
/* Projects part to a level: each vertex gets the part of its coarse vertex of level + 1. */
cleave_status clv_cycle_project(clv_cycle *c, int32_t level, cleave_error *err);

/* ---- Partitions of these levels --------------------------------------------------------- */

/* Sets what is the same on all levels, and allocates weight, count and, in a DAG, rank of the
 * parts, all 0.  *s is overwritten; part, maybe_boundary and fixed are NULL.  Fails only with
 * CLEAVE_ENOMEM. */
cleave_status clv_partition_init(clv_partition_state *s, const clv_multilevel_task *task,
                                 clv_ws *ws, cleave_error *err);
/* Makes s the state of a level by clv_cycle_open and clv_cycle_project.  maybe_boundary is an
 * uninitialised array; weight, count and cut are those of the coarser level. */
cleave_status clv_partition_open(clv_partition_state *s, clv_cycle *c, int32_t level,
                                 cleave_error *err);
cleave_status clv_partition_project(clv_partition_state *s, clv_cycle *c, int32_t level,
                                    cleave_error *err);
/* Reports progress: the level of s is about to be refined. */
void clv_partition_report(const clv_partition_state *s, clv_cycle *c);
/* Fills all of *result. */
void clv_partition_result(const clv_partition_state *s, const clv_multilevel_summary *summary,
                          clv_multilevel_result *result);

#endif
