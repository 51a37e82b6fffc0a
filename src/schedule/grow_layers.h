/* SPDX-License-Identifier: Apache-2.0 */
/* schedule/grow_layers.h - the parts of direct growth: an order of preference, one growth with
 * a given budget, and the improvement of what has grown. */
#ifndef CLV_SCHEDULE_GROW_LAYERS_H
#define CLV_SCHEDULE_GROW_LAYERS_H

#include "schedule/schedulers.h"

/* In which order threads prefer vertices. */
typedef struct clv_grow_order {
    int32_t *vertex; /* by rank */
    int32_t *start;  /* threads + 1: the ranks at which a thread's home begins and the last
                        ends; NULL: no homes */
} clv_grow_order;

/* schedule/grow_skeleton.c: the same DAG without many arcs that others imply, and without
 * weights of arcs; its arrays come from ws or are g's.  Predecessors are counted only: pred
 * may be NULL.  O(nvtx + narc). */
cleave_status clv_grow_skeleton(clv_graph *out, const clv_graph *g, clv_ws *ws,
                                cleave_error *err);

/* schedule/grow_order.c: what all orders are made from, from ws, the caller restores. */
typedef struct clv_grow_base {
    int32_t *topological; /* vertices, arcs running forward; NULL: as they are numbered */
    int32_t *vertex;      /* by falling weight of the heaviest path from it to a sink */
    int64_t total;        /* weight of all */
    int64_t path;         /* weight of the heaviest path */
} clv_grow_base;
cleave_status clv_grow_base_make(clv_grow_base *base, const clv_graph *g, clv_ws *ws,
                                 cleave_error *err);
/* Homes: `threads` stretches of the topological order that weigh the same.  In each, first
 * what the later homes wait for longest when every thread does its own one after the other:
 * homes then work as a pipeline.  start has threads + 1 places, vertex nvtx.
 * O(nvtx + narc + threads). */
cleave_status clv_grow_order_homes(clv_grow_order *order, const clv_grow_base *base,
                                   const clv_graph *g, int32_t threads, clv_ws *ws,
                                   cleave_error *err);

/* schedule/grow_pass.c: one growth; a thread takes about `budget` per layer, less where not
 * all find as much.  With homes a thread takes nothing of another's.  *layers: how many.
 * After the stop, what is left is one layer of one thread.
 * O((nvtx + narc) times few + threads). */
cleave_status clv_grow_pass(const clv_graph *g, int32_t threads, const clv_grow_order *order,
                            int64_t budget, double sync, clv_context *ctx, int32_t *layer,
                            int32_t *thread, int32_t *layers, cleave_error *err);

/* schedule/grow.c: threads beyond which more are of little use, at most `threads`: with k
 * times as many as fit beside the heaviest path it is at most 1 + 1/k times as long. */
int32_t clv_grow_useful(const clv_grow_base *base, int32_t nvtx, int32_t threads);

/* schedule/grow.c: the budget from which a search may start. */
int64_t clv_grow_budget(const clv_grow_base *base, int32_t threads, bool homes, double sync);

/* schedule/improve_layers.c: layers balanced and merged with their neighbours where the cost
 * (without reads) does not rise; *layers: how many there were, and are; *cost: what it costs
 * then.  About O((nvtx + narc) log layers + threads) at worst, mostly two looks at each arc.
 * After the stop the layers stay as they are. */
cleave_status clv_improve_layers(const clv_graph *g, int32_t threads, double sync,
                                 clv_context *ctx, int32_t *layer, int32_t *thread,
                                 int32_t *layers, double *cost, cleave_error *err);

#endif
