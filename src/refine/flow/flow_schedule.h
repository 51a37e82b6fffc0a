/* SPDX-License-Identifier: Apache-2.0 */
/* refine/flow/flow_schedule.h - the common part of the schedules of
 * refine/flow/flow_schedule.c (any pairs) and refine/flow/closure_schedule.c (pairs of a DAG).
 */
#ifndef CLV_REFINE_FLOW_FLOW_SCHEDULE_H
#define CLV_REFINE_FLOW_FLOW_SCHEDULE_H

#include "base/failure.h"
#include "refine/flow/flow.h"

enum { clv_flow_pairs_per_part = 16 }; /* of a round, at most: the heaviest */

typedef struct clv_flow_outcome {
    int member; /* the worker whose list has the moves */
    int64_t begin, count, gain;
} clv_flow_outcome;

typedef struct clv_flow_rounds {
    clv_partition_state *s;
    const clv_flow_params *params;
    clv_context *ctx;
    clv_flow_worker *worker; /* by thread */
    int64_t *slack;          /* by part */
    uint8_t *active;         /* by part: changed in the round before */
    uint8_t *changed;        /* by part: changed in this round, or wave */
    clv_flow_pair *pair;     /* of this round, by first part; grows */
    int32_t npair, capacity;
    int32_t *first;            /* the first pair of a part; nparts + 1 */
    int32_t *order;            /* pairs by wave */
    clv_flow_outcome *outcome; /* by place in order */
    int32_t begin;             /* of the wave, in order */
    clv_failure failure;       /* of a pair */
} clv_flow_rounds;

/* Finds the pairs and their seeds: all adjacent parts of which one is active.  In a DAG an arc
 * leads from the first to the second part of a pair.  Memory from ws. */
cleave_status clv_flow_find_pairs(clv_flow_rounds *r, clv_ws *ws, cleave_error *err);

/* Processes the pairs order[begin..end), which have no common part, and applies the
 * results. */
cleave_status clv_flow_run_wave(clv_flow_rounds *r, int32_t begin, int32_t end,
                                cleave_error *err);

/* All rounds on a DAG. */
cleave_status clv_closure_rounds(clv_flow_rounds *r, cleave_error *err);

#endif
