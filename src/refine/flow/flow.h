/* SPDX-License-Identifier: Apache-2.0 */
/* refine/flow/flow.h - refinement of pairs of parts by maximum flows.
 *
 * As in KaHIP [Sanders, Schulz 2011] and KaHyPar [Heuer, Sanders, Schlag 2018; Gottesbueren et
 * al. 2020]: the vertices of a corridor around the boundary of two parts can change sides, all
 * others are terminals.  The lightest balanced cut that refine/flow/flow_cut.h finds through
 * the corridor replaces the boundary when it is better.  This finds improvements that no
 * sequence of single moves finds.
 *
 * On a DAG the cuts through a corridor keep the quotient graph acyclic
 * (refine/flow/flow_corridor.h), and the pairs are those without a third part on a path
 * between them (refine/flow/closure_schedule.c); s->rank is valid before and after, but can
 * change. */
#ifndef CLV_REFINE_FLOW_FLOW_H
#define CLV_REFINE_FLOW_FLOW_H

#include "refine/state/partition_state.h"

typedef struct clv_flow_params {
    int32_t rounds;       /* over the pairs next to a part that changed; >= 1 */
    int32_t alpha;        /* width of the corridors in units of the imbalance; >= 1 */
    int32_t depth;        /* ... and in hops (DAG: levels) on either side; 0: no bound */
    int32_t max_corridor; /* vertices of a corridor; >= 2 */
    int32_t min_gain;     /* another round if the last gained at least this many 1/1000 of the
                             cut; >= 0 */
    int32_t whole;        /* DAG: pairs of up to so many vertices first try corridors without
                             bounds, as long as that pays; 0: none */
    int32_t effort;       /* DAG: limit on the scans of a corridor, approximate; 0: no bound */
    int32_t lost;         /* DAG: limit on the scans of the graph for corridors without a gain;
                             0: no bound */
} clv_flow_params;

/* Parameters shared by the effort levels; their rounds differ. */
clv_flow_params clv_flow_defaults(void);

/* Improves s (cut, then balance) until the gain of a round is too small.  Pairs without a
 * common part run in parallel; the result is that of one pair after the other, for any number
 * of threads.  Scratch: nvtx ints per thread, and the corridors.  Stops between pairs if the
 * context is stopped.  Fails only with CLEAVE_ENOMEM; s is then consistent and not worse, too.
 */
cleave_status clv_flow_refine(clv_partition_state *s, const clv_flow_params *params,
                              clv_context *ctx, cleave_error *err);

/* ---- One pair (refine/flow/flow.c), for refine/flow/flow_schedule.c --------------------- */

typedef struct clv_flow_pair {
    int32_t part[2];
    int32_t nseed;
    const int32_t *seed; /* vertices of part[0] that have, or had, a neighbour in part[1] */
    bool wide;           /* DAG: worth a try without bounds */
    int64_t most_spent;  /* DAG: limit on the cost of a try; 0: no bound */
    int64_t cut;         /* approximate weight between the two */
    int64_t slack[2];    /* part[i]: the allowed weight above its share, ncon == 1 */
} clv_flow_pair;

typedef struct clv_flow_worker { /* one per thread */
    int32_t *local;              /* nvtx: -1 between calls; all workers have the same: only
                                    entries of the two parts are used */
    clv_ws ws;                   /* empty between calls */
    int32_t *moved;              /* vertices that change sides; grows */
    int64_t nmoved, capacity;
    int64_t lost; /* DAG: cost of corridors without a gain, */
    int64_t paid; /* and the share already charged to the credit of the schedule */
} clv_flow_worker;

/* Appends the vertices that should change sides to worker->moved; *gain is the gain in cut, 0
 * when nothing moves or only the balance improves.  s is not changed, so that pairs without a
 * common part can run at the same time. */
cleave_status clv_flow_refine_pair(const clv_partition_state *s, const clv_flow_pair *pair,
                                   const clv_flow_params *params, clv_flow_worker *worker,
                                   int64_t *gain, cleave_error *err);

#endif
