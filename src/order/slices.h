/* SPDX-License-Identifier: Apache-2.0 */
/* order/slices.h - an optimal partition of a topological order into consecutive slices.
 *
 * Kernighan's dynamic program [Optimal sequential partitions of graphs, 1971].  Slices of a
 * topological order are an acyclic partition, and every acyclic partition consists of slices
 * of some topological order; for a given order the program finds the minimum cut. */
#ifndef CLV_ORDER_SLICES_H
#define CLV_ORDER_SLICES_H

#include "base/context.h"
#include "graph/bounds.h"

typedef struct clv_slices_task {
    const clv_graph *g;     /* a DAG */
    const int32_t *order;   /* nvtx: every arc leads forward */
    clv_bounds bounds;      /* nparts: slices, exactly that many; share is not read */
    const int32_t *by_rank; /* nparts: the part that the i-th slice becomes; NULL: part i */
    const int32_t *fixed;   /* nvtx: part or -1; NULL: none */
    bool quick;             /* fewer boundaries where there are many parts */
    clv_context *ctx;       /* polled for the time limit; NULL: none */
} clv_slices_task;

/* Fills part with the minimum cut within the bounds.  No slice is empty while there are enough
 * vertices, except for parts with an upper bound of 0.  *met becomes false when no such slices
 * exist; then the bounds are exceeded about as little as the heaviest vertices allow.  *cut is
 * the weight of the cut, or -1 when the order contradicts the fixed vertices: part is then
 * unchanged.  Where bounds are so loose that too many boundaries are feasible, only those near
 * equal shares of the bounds are tried.  When out of time, unless the credit of the context
 * covers the rest, slices have about equal shares of the bounds: that takes O(nvtx), and *cut
 * becomes INT64_MAX.  O((nvtx + c * narc) log nvtx), where c is how often the ranges of the
 * boundaries overlap: about 2 for 32 parts and an imbalance of 3 %, never above about 5 for
 * large graphs. */
cleave_status clv_slices(const clv_slices_task *task, clv_ws *ws, int32_t *part, int64_t *cut,
                         bool *met, cleave_error *err);

/* The program as published: any number of slices, each within the bounds of the first part;
 * by_rank, fixed and quick are not read.  Fills part and *nparts (0: no such slices or, as
 * above, out of time; part is unchanged).  O((nvtx + narc) log nvtx). */
cleave_status clv_slices_any(const clv_slices_task *task, clv_ws *ws, int32_t *part,
                             int32_t *nparts, int64_t *cut, cleave_error *err);

#endif
