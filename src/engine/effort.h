/* SPDX-License-Identifier: Apache-2.0 */
/* engine/effort.h - how much work each effort does: one table. */
#ifndef CLV_ENGINE_EFFORT_H
#define CLV_ENGINE_EFFORT_H

#include "coarsen/cluster.h"
#include "refine/placement.h"

typedef struct clv_effort {
    /* Coarsening */
    int32_t limit_per_part; /* stop at so many vertices per part */
    int32_t limit_least;    /* but not below so many */
    int32_t limit_pair;     /* of the bisections that make the first solution */
    clv_merge merge;
    bool spare_weak; /* clv_merge_rule; not of an effort but of the graph at hand */
    double heaviest; /* bound of a coarse vertex: so many times total / limit */
    int32_t finer;   /* clv_coarsening, also the next two */
    int64_t sparsify_from;
    double density;
    /* First solutions */
    int32_t bisections; /* independent bisections of each step, the best is kept */
    int32_t tries, most_tries;
    int32_t fm_passes, fm_patience; /* two parts */
    /* Refinement of more than two parts */
    int32_t label_rounds; /* on the finest level, before the others */
    int32_t jet_rounds, jet_patience;
    int32_t fm_rounds;
    int32_t flow_rounds;
    clv_placement_params placing; /* whole parts between places of a machine */
    bool plain; /* also from a partition that knew no machine, placed; onto a few PEs always,
                   if there is an apart */
    int32_t apart; /* independent mappings onto a few PEs, the best is kept; 0: one */
    /* DAGs */
    int32_t pair_flow_rounds; /* of flow_rounds, inside recursive bisection */
    int32_t flow_alpha;       /* width of the corridors; clv_flow_params */
    int32_t flow_whole;       /* on small levels: pairs of so many vertices as a whole */
    int32_t flow_lost;  /* what they may cost in vain, in looks at the graph; 0: anything */
    int32_t flow_below; /* only on levels of fewer vertices; 0: on all */
    bool reach;         /* FM with moves that change the order of the parts */
    int32_t reslices;   /* new orders that are sliced, per level */
    int32_t climbs;     /* 0: from the engine's own first solution; from the starts
                           below, 1: the better one, 2: both, 3: all of these */
    int32_t underlying; /* start without directions: 1 of low effort, 2 of more */
    bool any_order;     /* draw which of the parts comes first */
    int32_t sliced;     /* orders of the whole graph that are sliced for a start */
    /* The whole */
    int32_t cycles;     /* V-cycles after the first run */
    int32_t population; /* of solutions that are combined; 0: none */
    int32_t generations;
    bool until_limit; /* with a time limit, generations until it is over */
} clv_effort;

const clv_effort *clv_effort_of(cleave_effort effort, cleave_kind kind);
/* The same for undirected graphs on a machine. */
const clv_effort *clv_effort_on_machine(cleave_effort effort);
/* What a bisection inside recursive bisection does at this effort. */
clv_effort clv_effort_inner(const clv_effort *outer);

/* Improves the solution of one level as much as the effort says. */
cleave_status clv_improve(clv_kway *s, const clv_effort *effort, clv_context *ctx,
                          cleave_error *err);

#endif
