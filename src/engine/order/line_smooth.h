/* SPDX-License-Identifier: Apache-2.0 */
/* engine/order/line_smooth.h - local optimisation of a linear order (minimum linear
 * arrangement). */
#ifndef CLV_ENGINE_ORDER_LINE_SMOOTH_H
#define CLV_ENGINE_ORDER_LINE_SMOOTH_H

#include "base/context.h"
#include "graph/graph.h"

/* Vertices in blocks that follow one another on a line: vertex v is in block of[v], in
 * 0..count-1. */
typedef struct clv_line_blocks {
    int32_t count;
    const int32_t *of;
} clv_line_blocks;

/* vertex[p] becomes the vertex at place p: block after block, and within each block sorted by
 * the mean position of its neighbours, repeated `sweeps` times.  O(sweeps * (nvtx + narc)), in
 * parallel; the result does not depend on the number of threads. */
cleave_status clv_line_smooth(const clv_graph *g, clv_line_blocks blocks, int32_t sweeps,
                              clv_context *ctx, int32_t *vertex, cleave_error *err);

/* Moves vertices along the order, each by up to `most` places, to where the sum of the weights
 * that cross all gaps is least, in at most `sweeps` sweeps of alternating direction.  With
 * most = 1 and enough sweeps, no exchange of two consecutive vertices lowers the weight that
 * crosses the gap between them.  In a DAG all arcs stay forward.  O(sweeps * most * narc). */
cleave_status clv_line_carry(const clv_graph *g, int32_t sweeps, int32_t most,
                             clv_context *ctx, int32_t *vertex, cleave_error *err);

#endif
