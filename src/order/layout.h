/* SPDX-License-Identifier: Apache-2.0 */
/* order/layout.h - coordinates for graphs that have none, to be looked at.
 *
 * Distances along edges to some pivots, their two or three dominant directions [Brandes, Pich
 * 2007], then a few sweeps in which every vertex moves to where the lengths of its edges and
 * its distances to the pivots fit best [Ortmann, Klimenta, Brandes 2017].  Components are laid
 * out one by one and put side by side, the largest first. */
#ifndef CLV_ORDER_LAYOUT_H
#define CLV_ORDER_LAYOUT_H

#include "base/context.h"
#include "graph/graph.h"

/* position: nvtx * ndim (2 or 3), edges about 1 long.  Directions and weights do not count.
 * Deterministic.  When the context says stop, what was reached.  Fails only with
 * CLEAVE_ENOMEM. O((nvtx + narc) * pivots). */
cleave_status clv_layout(const clv_graph *g, int ndim, clv_context *ctx, double *position,
                         cleave_error *err);

#endif
