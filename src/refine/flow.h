/* SPDX-License-Identifier: Apache-2.0 */
/* refine/flow.h - better borders between pairs of parts by maximum flows.
 *
 * As in KaHIP [Sanders, Schulz 2011] and KaHyPar [Heuer, Sanders, Schlag 2018; Gottesbueren
 * et al. 2020]: around the border of two parts a corridor of vertices may change sides, all
 * others are terminals; the lightest balanced cut that refine/flow_cut.h finds through the
 * corridor replaces the border when it is better.  That finds
 * improvements which no sequence of single moves does.
 *
 * On a DAG the cuts through a corridor are those that keep the quotient acyclic
 * (refine/flow_corridor.h), and the pairs are those without a third part on a path between
 * them (refine/closure_schedule.c); s->rank is valid before and after, but not the same. */
#ifndef CLV_REFINE_FLOW_H
#define CLV_REFINE_FLOW_H

#include "refine/partition_state.h"

typedef struct clv_flow_params {
    int32_t rounds;       /* over the pairs next to a part that changed; >= 1 */
    int32_t alpha;        /* width of the corridors in units of the imbalance; >= 1 */
    int32_t depth;        /* ... and in hops (DAG: levels) on either side; 0: no bound */
    int32_t max_corridor; /* vertices of a corridor; >= 2 */
    int32_t min_gain;     /* another round if the last gained this many cut / 1000; >= 0 */
    int32_t whole;        /* DAG: pairs of up to so many vertices first have corridors without
                             bounds, for as long as that pays; 0: none */
    int32_t effort;       /* DAG: how often a corridor may be looked at, about; 0: no bound */
    int32_t lost;         /* DAG: how often the graph may be looked at for corridors that bring
                             nothing; 0: no bound */
} clv_flow_params;

/* What the efforts have in common; their rounds differ. */
clv_flow_params clv_flow_defaults(void);

/* Improves s (cut, then balance) until a round brings too little.  Pairs without a part in
 * common run in parallel; the result is that of one pair after the other, whatever the
 * number of threads.  Scratch: nvtx ints per thread, and what the corridors need.  Stops
 * between pairs when the context says so.  Fails only with CLEAVE_ENOMEM; s is consistent and
 * no worse then as well. */
cleave_status clv_flow_refine(clv_partition_state *s, const clv_flow_params *params,
                              clv_context *ctx, cleave_error *err);

/* ---- One pair (refine/flow.c), for refine/flow_schedule.c --------------------------------
 */

typedef struct clv_flow_pair {
    int32_t part[2];
    int32_t nseed;
    const int32_t *seed; /* vertices of part[0] that have, or had, a neighbour in part[1] */
    bool wide;           /* DAG: worth a try without bounds */
    int64_t most_spent;  /* DAG: what a try may cost; 0: no bound */
    int64_t cut;         /* about: the weight between the two */
    int64_t slack[2];    /* part[i]: what the imbalance allows above its share, ncon == 1 */
} clv_flow_pair;

typedef struct clv_flow_worker { /* one per thread */
    int32_t *local;              /* nvtx: -1 between calls */
    clv_ws ws;                   /* empty between calls */
    int32_t *moved;              /* vertices that change sides; grows */
    int64_t nmoved, capacity;
    int64_t lost; /* DAG: what corridors have cost that brought nothing, */
    int64_t paid; /* and how much of that the credit of the schedule was charged with */
} clv_flow_worker;

/* Appends the vertices that should change sides to worker->moved; *gain is what the cut
 * gains, 0 when nothing moves or only the balance improves.  s is not changed, so that pairs
 * without a part in common may run at the same time. */
cleave_status clv_flow_refine_pair(const clv_partition_state *s, const clv_flow_pair *pair,
                                   const clv_flow_params *params, clv_flow_worker *worker,
                                   int64_t *gain, cleave_error *err);

#endif
