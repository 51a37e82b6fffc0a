/* SPDX-License-Identifier: Apache-2.0 */
/* initial/dagp_initial.h - the initial partitions of dagP.
 *
 * [Herrmann, Kho, Ucar, Kaya, Catalyurek: Acyclic Partitioning of Large Directed Acyclic
 * Graphs, CCGRID 2017], section IV-B, and the heuristic of [Fauzia et al., Beyond Reuse
 * Distance Analysis, 2013] that it is compared with.  initial/acyclic_start.h gives better
 * cuts. */
#ifndef CLV_INITIAL_DAGP_INITIAL_H
#define CLV_INITIAL_DAGP_INITIAL_H

#include "refine/state/partition_state.h"

typedef enum clv_dagp_start {
    CLV_DAGP_KER_GP, /* half of the runs each */
    CLV_DAGP_KERN,   /* Kernighan's dynamic program along random depth-first topological
                        orders */
    CLV_DAGP_GP,     /* greedy: fills part after part with the best ready vertex */
    /* Of the journal version, two parts: initial/dagp_bisection.h */
    CLV_DAGP_GREEDY,     /* greedy directed graph growing, three priorities, from both ends */
    CLV_DAGP_UNDIRECTED, /* a bisection of the undirected graph made acyclic */
    CLV_DAGP_FAUZIA      /* the same as GP with vertices near the last ones; not random */
} clv_dagp_start;

/* One of the first three kinds or the last.  Fills s->part and s->rank (by part number) and
 * evaluates.  Keeps the best run by (overload,
 * cut, fullest part).  runs: number of runs of each kind, at least 1.  Parts may exceed their
 * bounds if vertices are heavy.  There must be no fixed vertices.  Fails only with
 * CLEAVE_ENOMEM. */
cleave_status clv_dagp_initial(clv_partition_state *s, clv_dagp_start kind, int32_t runs,
                               clv_context *ctx, cleave_error *err);

/* ---- Single runs (initial/dagp_greedy.c), for dagp_initial.c ----------------------------
 * Fill s->part alone; scratch is given back.  *done: false if the context was stopped before
 * all vertices were placed. */
cleave_status clv_dagp_greedy(clv_partition_state *s, uint64_t seed, clv_ws *ws,
                              cleave_error *err);
cleave_status clv_dagp_fauzia(clv_partition_state *s, clv_context *ctx, bool *done,
                              cleave_error *err);

#endif
