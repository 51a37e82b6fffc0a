/* SPDX-License-Identifier: Apache-2.0 */
/* schedule/graphopt.h - the parts of method graphopt [Shah et al. 2022] and what they share.
 *
 * One super layer after the other: a window of vertices (schedule/window.h), divided among
 * the threads by halves (graphopt_split.c), which are solutions of the two-way model
 * (graphopt_model.c), balanced (graphopt_balance.c) and cut to equal sizes
 * (graphopt_finish.c); in the end, what one thread does as fast is left to it
 * (graphopt_collapse.c).
 *
 * Vertices are numbered by ALAP level, then by the number that the caller knows: ascending is
 * a topological order.  Sets of vertices ascend, and hold with a vertex all of its
 * predecessors that are in no earlier layer and in the set that this one was taken from. */
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
    const int32_t *thread; /* of vertices in earlier layers; -1: in none */
    int32_t *part;         /* of vertices in the layer being made: thread; -1: later */
    int64_t *load;         /* by thread, of the layer being made */
    int32_t *local;        /* by vertex: its place in the set at hand; -1 outside */
    int64_t *votes;        /* by thread; zeros between uses */
    double mapped;         /* share of the last window's weight that its layer took */
} clv_graphopt;

static inline int64_t clv_graphopt_weigh(const clv_graphopt *s, clv_vertex_set set)
{
    int64_t sum = 0;
    for (int32_t i = 0; i < set.count; i++)
        sum += s->weight[set.v[i]];
    return sum;
}

/* graphopt_model.c: side[i] of set.v[i] becomes 1, 2 (for the threads of `first`, `second`)
 * or 0: later.  S3 when the set is large.  When the threads are not as many on both sides, so
 * the sizes, as nearly as can be told beforehand. */
cleave_status clv_graphopt_two_way(clv_graphopt *s, clv_vertex_set set, clv_thread_range first,
                                   clv_thread_range second, int32_t *side, cleave_error *err);

/* graphopt_split.c: M1 and S2: part and load of the vertices of the set, for the threads.
 * part is -1 and load 0 before. */
cleave_status clv_graphopt_split(clv_graphopt *s, clv_vertex_set set, clv_thread_range threads,
                                 cleave_error *err);

/* graphopt_balance.c: M2 among the threads. */
cleave_status clv_graphopt_balance(clv_graphopt *s, clv_vertex_set set,
                                   clv_thread_range threads, cleave_error *err);

/* graphopt_finish.c: truncation.  Vertices that can join a thread do, then all threads are cut
 * to one size.  At least one vertex of a set that is not empty is kept.  Returns work done per
 * unit of time, the synchronisation included. */
cleave_status clv_graphopt_finish(clv_graphopt *s, clv_vertex_set set,
                                  clv_thread_range threads, double *rate, cleave_error *err);

/* graphopt_collapse.c: layers that one thread does as fast become one; *cost: of all. */
cleave_status clv_graphopt_collapse(clv_graphopt *s, int32_t nlayers, int32_t *layer,
                                    int32_t *thread, int64_t *cost, cleave_error *err);

#endif
