/* SPDX-License-Identifier: Apache-2.0 */
/* order/curve.h - space-filling curves: Hilbert (hci) and Morton (zci), in two dimensions and
 * in three.
 *
 * Source: Kaddoura, Ou, Ranka 1995, figures 1 to 3. */
#ifndef CLV_ORDER_CURVE_H
#define CLV_ORDER_CURVE_H

#include "base/context.h"
#include "graph/graph.h"

typedef enum clv_curve { CLV_CURVE_HILBERT, CLV_CURVE_MORTON } clv_curve;

/* Index of a point of integers below 2^bits each, ndim 2 (bits <= 31) or 3 (bits <= 21).  The
 * Morton index of (13, 4) is 178: the first coordinate is the higher bit. */
uint64_t clv_curve_index(clv_curve curve, int32_t ndim, int bits, const uint32_t *point);

/* vertex[p] at place p along the curve; ties by vertex number.  The bounding box is laid onto
 * the grid so that cells are nearly cubes (order/curve_order.c).  Parallel; deterministic.
 * CLEAVE_EINVAL when the graph has no coordinates, or names a vertex whose coordinate is not
 * finite. */
cleave_status clv_curve_order(const clv_graph *g, clv_curve curve, clv_context *ctx,
                              int32_t *vertex, cleave_error *err);

#endif
