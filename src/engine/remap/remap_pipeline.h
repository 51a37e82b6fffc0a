/* SPDX-License-Identifier: Apache-2.0 */
/* engine/remap/remap_pipeline.h - the steps of cleave_remap: the pipeline of
 * engine/pipeline.h, preceded by finding the current PE of each vertex. */
#ifndef CLV_ENGINE_REMAP_REMAP_PIPELINE_H
#define CLV_ENGINE_REMAP_REMAP_PIPELINE_H

#include "engine/remap/remap.h"

/* One call; arrays are from the context's first workspace. */
typedef struct clv_remap_job {
    clv_map_job map; /* its request has no start */
    const clv_mapping *old;
    const clv_target *from; /* the machine of the old mapping; NULL: the same */
    clv_remap_task task;    /* price, strategy and order are given; the rest is filled in */
    const int32_t *lives;   /* by vertex: its PE of the new machine; -1: none */
    clv_remap_result result;
    int64_t cut_before, migration;
} clv_remap_job;

/* Fills part; see clv_pipeline_map. */
cleave_status clv_pipeline_remap(clv_remap_job *job, int32_t *part, cleave_error *err);
/* Recomputes what is reported about part; see clv_pipeline_judge. */
cleave_status clv_pipeline_judge_remap(clv_remap_job *job, const int32_t *part,
                                       cleave_error *err);

#endif
