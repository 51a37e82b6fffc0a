/* SPDX-License-Identifier: Apache-2.0 */
/* refine/slices.h - the best way to cut a topological order into consecutive pieces.
 *
 * Kernighan's dynamic program [Optimal sequential partitions of graphs, 1971].  Slices of a
 * topological order are an acyclic partition, and every acyclic partition is made of slices
 * of some topological order; for a given order the program finds the lightest cut. */
#ifndef CLV_REFINE_SLICES_H
#define CLV_REFINE_SLICES_H

#include "base/context.h"
#include "graph/bounds.h"

typedef struct clv_slices_task {
    const clv_graph *g;     /* a DAG */
    const int32_t *order;   /* nvtx: every arc runs forward */
    clv_bounds bounds;      /* nparts: slices, exactly that many; share is not read */
    const int32_t *by_rank; /* nparts: the part that the i-th slice becomes; NULL: part i */
    const int32_t *fixed;   /* nvtx: part or -1; NULL: none */
    bool quick;             /* fewer boundaries where there are many parts */
    clv_context *ctx;       /* asked for the time; NULL: there is enough */
} clv_slices_task;

/* Fills part with the lightest cut within the bounds; no slice is empty while there are
 * enough vertices, but for parts with an upper bound of 0.  *met becomes false when there are
 * no such slices; then the bounds are exceeded about as little as the heaviest vertices
 * allow.  *cut is what the cut weighs, or -1 when the order does not suit the fixed vertices:
 * part is left alone then.  Where bounds are so loose that too many boundaries come into
 * question, those near equal shares of the bounds are tried only.  Out of time, unless the
 * credit of the context pays for the rest, slices have about equal shares of the bounds: that
 * takes O(nvtx), and *cut becomes INT64_MAX.
 * O((nvtx + c * narc) log nvtx), c: how often the ranges of the boundaries overlap, some 2 for
 * 32 parts and an imbalance of 3 %, never above some 5 where the graph is large. */
cleave_status clv_slices(const clv_slices_task *task, clv_ws *ws, int32_t *part, int64_t *cut,
                         bool *met, cleave_error *err);

/* The program as published: any number of slices, each within the bounds of one part (nparts
 * is 1).  part and *nparts (0: no such slices or, as above, out of time; part
 * is left alone).  O((nvtx + narc) log nvtx). */
cleave_status clv_slices_any(const clv_graph *g, const int32_t *order, const clv_bounds *each,
                             clv_context *ctx, clv_ws *ws, int32_t *part, int32_t *nparts,
                             int64_t *cut, cleave_error *err);

#endif
