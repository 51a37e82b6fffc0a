/* SPDX-License-Identifier: Apache-2.0 */
/* engine/task_normalise.h - translates a request, and then each task, into the terms of the
 * search.
 *
 * The request is translated once per call: weights to bounds, groups, the order of the parts
 * of a DAG, the machine, and a start that agrees with these.  A task is translated each time
 * it is solved, so that methods handle the plain case only: some vertex has a positive weight,
 * part p is place p of the machine or of the order, and every vertex moves independently. */
#ifndef CLV_ENGINE_TASK_NORMALISE_H
#define CLV_ENGINE_TASK_NORMALISE_H

#include "engine/pipeline.h"

/* Fills a job that has a request and a context.  CLEAVE_EINVAL, CLEAVE_ECYCLE, CLEAVE_ERANGE:
 * no mapping can satisfy the request. */
cleave_status clv_normalise_request(clv_map_job *job, cleave_error *err);
/* Sums of edge weight times distance must not overflow anywhere: CLEAVE_ERANGE.  table: all
 * distances, or NULL. */
cleave_status clv_check_costs(const clv_graph *g, const clv_target *t, const int32_t *table,
                              cleave_error *err);

/* A task in the terms of the methods.  It must not move in memory while it is used. */
typedef struct clv_normal_task {
    clv_partition_task task; /* parts are numbered by place */
    clv_groups groups;       /* of the task, by place */
    clv_graph unit_weights;  /* of the task, if all weights are 0 */
    clv_multilevel_task t;   /* vertices are groups; no machine */
    clv_graph *contracted;   /* of t; NULL: every vertex is its own group */
    int32_t *part;           /* by vertex of t.g */
    clv_context *ctx;
} clv_normal_task;

/* part: of the caller, by vertex of task->g.  Arrays are from ctx->ws, which the caller
 * restores after clv_task_release, also on failure. */
cleave_status clv_task_normalise(clv_normal_task *to, const clv_partition_task *task,
                                 clv_context *ctx, int32_t *part, cleave_error *err);
/* Writes n->part to part, in the numbering of the given task. */
void clv_task_project_back(const clv_normal_task *n, const clv_partition_task *task,
                           int32_t *part);
void clv_task_release(clv_normal_task *n);

/* ---- One step, for tests ---------------------------------------------------------------- */

/* If all weights are 0, gives every vertex of to->task weight 1: bounds of 0 would not
 * restrict vertices of weight 0, and shares of 0 would not guide a search.  A part that must
 * stay empty gets a bound of 0; the others can hold all vertices.  Arrays are from ws. */
cleave_status clv_unit_weights(clv_normal_task *to, clv_ws *ws, cleave_error *err);

#endif
