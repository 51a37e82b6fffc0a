/* SPDX-License-Identifier: Apache-2.0 */
/* engine/order/line_parts.h - partition in linear time: intervals of a linear order of the
 * vertices, in proportion to the shares.
 *
 * The fallback after the deadline: any other initial partition of a large graph would exceed
 * the time limit. */
#ifndef CLV_ENGINE_ORDER_LINE_PARTS_H
#define CLV_ENGINE_ORDER_LINE_PARTS_H

#include "engine/multilevel/multilevel.h"

/* Assigns consecutive vertices of the order (NULL: by number) to nparts parts from `first` on,
 * in proportion to the shares less the fixed vertices; with several weights, to the mean of
 * the proportions.  Fixed vertices go to their parts.  With one weight and no fixed vertices a
 * part deviates from its share by at most one vertex; otherwise rebalancing may be necessary.
 * O(count * ncon + nparts).  Fails only with CLEAVE_ENOMEM. */
typedef struct clv_line {
    const int32_t *vertex; /* NULL: by number */
    int32_t count;
    int32_t first, nparts; /* parts */
} clv_line;
cleave_status clv_line_cut(const clv_multilevel_task *task, const clv_line *line, clv_ws *ws,
                           int32_t *part, cleave_error *err);

/* Fills and evaluates s, the state of an undirected graph, from intervals of the numerical
 * order, or of a breadth-first order if that has a lower cut on a sample of the edges. O(nvtx
 * + narc). */
cleave_status clv_line_parts(clv_partition_state *s, clv_context *ctx, cleave_error *err);

/* Replaces a partition of an undirected graph by intervals if these cost less on that sample;
 * *replaced reports whether it did. */
cleave_status clv_line_replace(const clv_multilevel_task *task, clv_context *ctx,
                               int32_t *part, bool *replaced, cleave_error *err);

/* The same by the communication volume of the sampled vertices: parts with a small cut can
 * have a volume several times that of intervals. */
cleave_status clv_line_replace_by_volume(const clv_multilevel_task *task, clv_context *ctx,
                                         int32_t *part, bool *replaced, cleave_error *err);

/* Cost of the sampled edges, comparable between states of one graph.  Only the parts and the
 * machine of s are read.  O(nvtx) at most. */
double clv_line_sample(const clv_partition_state *s);

/* Samples of the edges are those of every step-th vertex: about 2^14 vertices and 2^17 arcs at
 * most.  The step is odd: with an even one, a sample of a grid has all columns where halves
 * meet, or none. */
int32_t clv_line_sample_step(const clv_graph *g);

/* Fills in the vertices in breadth-first order.  Each search starts from the unvisited vertex
 * of the smallest number.  O(nvtx + narc). */
void clv_line_by_breadth(const clv_graph *g, uint8_t *seen, int32_t *vertex);

#endif
