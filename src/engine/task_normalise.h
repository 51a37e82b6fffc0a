/* SPDX-License-Identifier: Apache-2.0 */
/* engine/task_normalise.h - a request, and then each task, in the terms of the search.
 *
 * The request is translated once per call: weights to bounds, groups, the order of the parts
 * of a DAG, the machine, a start that agrees with all of these.  A task is translated each
 * time it is solved, so that methods see the plain case alone: some vertex has a weight, part
 * p is at place p of the machine or of the order, every vertex moves by itself. */
#ifndef CLV_ENGINE_TASK_NORMALISE_H
#define CLV_ENGINE_TASK_NORMALISE_H

#include "engine/pipeline.h"

/* Fills a job that has a request and a context.  CLEAVE_EINVAL, CLEAVE_ECYCLE, CLEAVE_ERANGE:
 * no mapping can satisfy the request. */
cleave_status clv_normalise_request(clv_map_job *job, cleave_error *err);

/* A task as the methods see it; stays where it is while it is used. */
typedef struct clv_normal_task {
    clv_partition_task task; /* parts are numbered by place */
    clv_groups groups;       /* of the task, by place */
    clv_graph unit_weights;  /* of the task, if nothing weighs anything */
    clv_multilevel_task t;   /* vertices are groups; without a machine */
    clv_graph *contracted;   /* of t; NULL: every vertex is a group of its own */
    int32_t *part;           /* by vertex of t.g */
    clv_context *ctx;
} clv_normal_task;

/* part: of the caller, by vertex of task->g.  Arrays are from ctx->ws, which the caller
 * restores after clv_task_release, also on failure. */
cleave_status clv_task_normalise(clv_normal_task *to, const clv_partition_task *task,
                                 clv_context *ctx, int32_t *part, cleave_error *err);
/* Writes n->part to part in the terms of the task that was given. */
void clv_task_project_back(const clv_normal_task *n, const clv_partition_task *task,
                           int32_t *part);
void clv_task_release(clv_normal_task *n);

/* ---- One step, for tests ---------------------------------------------------------------- */

/* Where nothing weighs anything, every vertex of to->task gets weight 1.  Bounds of 0 would
 * forbid nothing to vertices without weight, and shares of 0 would tell a search nothing.  A
 * part that must stay empty gets a bound of 0, others have room for all.  Arrays are from ws.
 */
cleave_status clv_unit_weights(clv_normal_task *to, clv_ws *ws, cleave_error *err);

#endif
