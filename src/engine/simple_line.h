/* SPDX-License-Identifier: Apache-2.0 */
/* engine/simple_line.h - lines in linear time, for orders whose time is over.
 *
 * A line that was only begun may be worse than the numbers of the vertices, or than a
 * breadth-first search: then a longer limit would give less than a short one. */
#ifndef CLV_ENGINE_SIMPLE_LINE_H
#define CLV_ENGINE_SIMPLE_LINE_H

#include "base/context.h"
#include "graph/graph.h"

/* Replaces vertex, an order of an undirected graph, by that of the numbers or of breadth-first
 * searches where a sample of the edges is shorter on that line.  O(nvtx + narc).  Fails only
 * with CLEAVE_ENOMEM. */
cleave_status clv_simple_line_replace(const clv_graph *g, clv_context *ctx, int32_t *vertex,
                                      cleave_error *err);

#endif
