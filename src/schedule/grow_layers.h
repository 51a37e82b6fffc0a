/* SPDX-License-Identifier: Apache-2.0 */
/* schedule/grow_layers.h - the parts of direct growth: an order of preference, one growth with
 * a given budget, and the improvement of its result. */
#ifndef CLV_SCHEDULE_GROW_LAYERS_H
#define CLV_SCHEDULE_GROW_LAYERS_H

#include "schedule/schedulers.h"

/* The order in which threads prefer vertices. */
typedef struct clv_grow_order {
    int32_t *vertex; /* by rank */
    int32_t *start;  /* threads + 1: the first rank of each thread's home, and the end of the
                        last; NULL: no homes */
} clv_grow_order;

/* schedule/grow_skeleton.c: the same DAG without many of the arcs that others imply, and
 * without arc weights; its arrays are from ws or belong to g.  Predecessors are only counted:
 * pred may be NULL. O(nvtx + narc). */
cleave_status clv_grow_skeleton(clv_graph *out, const clv_graph *g, clv_ws *ws,
                                cleave_error *err);

/* schedule/grow_order.c: the base of all orders; from ws, the caller restores it. */
typedef struct clv_grow_base {
    int32_t *topological; /* a topological order; NULL: the numbers are one */
    int32_t *vertex;      /* by descending weight of the heaviest path from the vertex to a
                             sink */
    int64_t total;        /* total weight */
    int64_t path;         /* weight of the heaviest path */
} clv_grow_base;
cleave_status clv_grow_base_make(clv_grow_base *base, const clv_graph *g, clv_ws *ws,
                                 cleave_error *err);
/* Homes: `threads` ranges of the topological order with equal weights.  In each, vertices are
 * sorted by the time that later homes need after them if every thread does its own home
 * sequentially; homes then work as a pipeline. start has threads + 1 entries, vertex nvtx.
 * O(nvtx + narc + threads). */
cleave_status clv_grow_order_homes(clv_grow_order *order, const clv_grow_base *base,
                                   const clv_graph *g, int32_t threads, clv_ws *ws,
                                   cleave_error *err);

/* What threads take when layers grow. */
typedef struct clv_grow_rule {
    clv_grow_order order;
    int64_t budget; /* weight that a thread takes per layer */
    double sync;    /* cost of a layer */
} clv_grow_rule;

/* schedule/grow_pass.c: one growth; a thread takes about the budget per layer, less if not all
 * threads find as much.  With homes a thread takes vertices of its own home only.  After a
 * stop, the remaining vertices become one layer of one thread.  O(nvtx + narc + threads) times
 * a small factor. */
cleave_status clv_grow_pass(const clv_graph *g, const clv_grow_rule *rule, clv_context *ctx,
                            clv_layering *l, cleave_error *err);

/* schedule/grow.c: the number of threads beyond which more are of little use, at most
 * `threads`: with k times as many threads as total / heaviest path, a schedule is at most 1 +
 * 1/k times as long as the path. */
int32_t clv_grow_useful(const clv_grow_base *base, int32_t nvtx, int32_t threads);

/* schedule/grow.c: initial budget of a search. */
int64_t clv_grow_budget(const clv_grow_base *base, int32_t threads, bool homes, double sync);

/* schedule/improve_layers.c: balances layers and merges adjacent ones if the cost (without
 * reads) does not increase; *cost: after.  About O((nvtx + narc) log layers + threads) in the
 * worst case, usually two visits per arc.  After a stop the layers are unchanged. */
cleave_status clv_improve_layers(const clv_graph *g, double sync, clv_context *ctx,
                                 clv_layering *l, double *cost, cleave_error *err);

#endif
