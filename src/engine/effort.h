/* SPDX-License-Identifier: Apache-2.0 */
/* engine/effort.h - how much work each effort does: one table. */
#ifndef CLV_ENGINE_EFFORT_H
#define CLV_ENGINE_EFFORT_H

#include "coarsen/cluster.h"
#include "refine/kway.h"

typedef struct clv_effort {
    /* Coarsening */
    int32_t limit_per_part; /* stop at so many vertices per part */
    int32_t limit_least;    /* but not below so many */
    int32_t limit_pair;     /* of the bisections that make the first solution */
    double heaviest;        /* bound of a coarse vertex: so many times total / limit */
    int64_t sparsify_from;  /* clv_coarsening */
    double density;
    /* First solutions */
    int32_t bisections; /* independent bisections of each step, the best is kept */
    int32_t tries, most_tries;
    int32_t fm_passes, fm_patience; /* two parts */
    /* Refinement of more than two parts */
    int32_t label_rounds;
    int32_t jet_rounds, jet_patience;
    int32_t fm_rounds;
    int32_t flow_rounds;
    /* The whole */
    int32_t cycles;      /* V-cycles after the first run */
    int32_t population;  /* of solutions that are combined; 0: none */
    int32_t generations; /* without a time limit; with one, until it is over */
} clv_effort;

const clv_effort *clv_effort_of(cleave_effort effort);
/* What a bisection inside recursive bisection does at this effort. */
clv_effort clv_effort_inner(const clv_effort *outer);

/* Improves the solution of one level as much as the effort says. */
cleave_status clv_improve(clv_kway *s, const clv_effort *effort, clv_context *ctx,
                          cleave_error *err);

#endif
