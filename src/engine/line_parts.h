/* SPDX-License-Identifier: Apache-2.0 */
/* engine/line_parts.h - parts in linear time: vertices on a line, cut where the shares end.
 *
 * What a search that is stopped falls back to: any other first solution of a large graph takes
 * longer than the call has left. */
#ifndef CLV_ENGINE_LINE_PARTS_H
#define CLV_ENGINE_LINE_PARTS_H

#include "engine/multilevel.h"

/* Consecutive vertices of the line (NULL: by number) come to the parts first.. of the task, in
 * proportion to what fixed vertices leave of the shares; with several weights to the mean of
 * the proportions.  Fixed vertices come to their parts.  Parts are off their shares by a
 * vertex at most with one weight and without fixed vertices; others may need rebalancing.
 * O(count * ncon + nparts).  Fails only with CLEAVE_ENOMEM. */
typedef struct clv_line {
    const int32_t *vertex; /* NULL: by number */
    int32_t count;
    int32_t first, nparts; /* parts */
} clv_line;
cleave_status clv_line_cut(const clv_multilevel_task *task, const clv_line *line, clv_ws *ws,
                           int32_t *part, cleave_error *err);

/* Fills and measures s, a state of an undirected graph, from the line of the numbers, or of a
 * breadth-first search where that cuts less by a sample of the edges.  O(nvtx + narc). */
cleave_status clv_line_parts(clv_partition_state *s, clv_context *ctx, cleave_error *err);

/* Puts a line's parts in the place of others, of an undirected graph, that cost more by the
 * same sample; *replaced says whether. */
cleave_status clv_line_replace(const clv_multilevel_task *task, clv_context *ctx,
                               int32_t *part, bool *replaced, cleave_error *err);

/* What the edges of that sample cost: comparable for states of one graph, of which only the
 * parts and the machine are read.  O(nvtx) at most. */
double clv_line_sample(const clv_partition_state *s);

/* The vertices in the order of breadth-first searches, each from the first vertex by number
 * that none has reached.  O(nvtx + narc). */
void clv_line_by_breadth(const clv_graph *g, uint8_t *seen, int32_t *vertex);

#endif
