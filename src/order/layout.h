/* SPDX-License-Identifier: Apache-2.0 */
/* order/layout.h - computes coordinates for drawing graphs that have none.
 *
 * Pivot MDS: graph distances to some pivots and their two or three dominant directions
 * [Brandes, Pich 2007].  Then a few sweeps of sparse stress majorisation move every vertex to
 * where the lengths of its edges and its distances to the pivots fit best [Ortmann, Klimenta,
 * Brandes 2017].  Components are laid out separately and placed side by side, the largest
 * first. */
#ifndef CLV_ORDER_LAYOUT_H
#define CLV_ORDER_LAYOUT_H

#include "base/context.h"
#include "graph/graph.h"

/* position: nvtx * ndim (2 or 3), edges about 1 long.  Directions and weights are ignored.
 * Deterministic.  If the context is stopped, position is the current state.  Fails only with
 * CLEAVE_ENOMEM.  O((nvtx + narc) * pivots). */
cleave_status clv_layout(const clv_graph *g, int ndim, clv_context *ctx, double *position,
                         cleave_error *err);

#endif
