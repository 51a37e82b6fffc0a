/* SPDX-License-Identifier: Apache-2.0 */
/* schedule/graphopt.h - the parts of method graphopt [Shah et al. 2022] and their shared
 * state.
 *
 * One super layer after the other: a window of vertices (schedule/window.h) is divided among
 * the threads by recursive halving (graphopt_split.c); each halving is a solution of the
 * two-way model (graphopt_model.c).  The parts are balanced (graphopt_balance.c) and truncated
 * to equal sizes (graphopt_finish.c); at the end, runs of layers that one thread does as fast
 * are collapsed (graphopt_collapse.c).
 *
 * Vertices are numbered by ALAP level, then by the caller's number: ascending numbers are a
 * topological order.  Sets of vertices ascend; a set contains with each vertex all its
 * predecessors that are in no earlier layer and in the set from which it was taken. */
#ifndef CLV_SCHEDULE_GRAPHOPT_H
#define CLV_SCHEDULE_GRAPHOPT_H

#include "schedule/schedulers.h"

typedef struct clv_vertex_set {
    const int32_t *v;
    int32_t count;
} clv_vertex_set;

/* Threads begin .. begin + count - 1. */
typedef struct clv_thread_range {
    int32_t begin, count;
} clv_thread_range;

typedef struct clv_graphopt {
    const clv_graphopt_params *params;
    clv_context *ctx;
    int32_t nvtx, threads;
    const int64_t *xpred;
    const int32_t *pred;
    const int32_t *weight;
    const int32_t *thread; /* of vertices in earlier layers; -1: not in a layer yet */
    int32_t *part;         /* of vertices in the current layer: thread; -1: later */
    int64_t *load;         /* by thread, of the current layer */
    int32_t *local;        /* by vertex: index in the current set; -1 outside */
    int64_t *votes;        /* by thread; zeros between uses */
    double mapped;         /* fraction of the weight of the last window that its layer took */
} clv_graphopt;

static inline int64_t clv_graphopt_weigh(const clv_graphopt *s, clv_vertex_set set)
{
    int64_t sum = 0;
    for (int32_t i = 0; i < set.count; i++)
        sum += s->weight[set.v[i]];
    return sum;
}

/* graphopt_model.c: side[i] of set.v[i] becomes 1, 2 (for the threads of `first`, `second`) or
 * 0: later.  Coarsens (S3) large sets.  If the two ranges have different numbers of threads,
 * the sizes are to have the same ratio, as far as it can be estimated in advance. */
cleave_status clv_graphopt_two_way(clv_graphopt *s, clv_vertex_set set, clv_thread_range first,
                                   clv_thread_range second, int32_t *side, cleave_error *err);

/* graphopt_split.c: M1 and S2: sets part and load of the vertices of the set for the threads.
 * Before the call part is -1 and load 0. */
cleave_status clv_graphopt_split(clv_graphopt *s, clv_vertex_set set, clv_thread_range threads,
                                 cleave_error *err);

/* graphopt_balance.c: M2 for the threads. */
cleave_status clv_graphopt_balance(clv_graphopt *s, clv_vertex_set set,
                                   clv_thread_range threads, cleave_error *err);

/* graphopt_finish.c: truncation.  Adds vertices that can join a thread, then truncates all
 * threads to one size.  Keeps at least one vertex of a non-empty set.  *rate: work per unit of
 * time, synchronisation included. */
cleave_status clv_graphopt_finish(clv_graphopt *s, clv_vertex_set set,
                                  clv_thread_range threads, double *rate, cleave_error *err);

/* graphopt_collapse.c: collapses runs of layers that one thread does as fast; *cost: of the
 * result. */
cleave_status clv_graphopt_collapse(clv_graphopt *s, int32_t nlayers, int32_t *layer,
                                    int32_t *thread, int64_t *cost, cleave_error *err);

#endif
