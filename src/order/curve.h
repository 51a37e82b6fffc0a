/* SPDX-License-Identifier: Apache-2.0 */
/* order/curve.h - space-filling curves in two and three dimensions: Hilbert (hci) and Morton
 * (zci) [Kaddoura, Ou, Ranka 1995, figures 1 to 3]. */
#ifndef CLV_ORDER_CURVE_H
#define CLV_ORDER_CURVE_H

#include "base/context.h"
#include "graph/graph.h"

typedef enum clv_curve { CLV_CURVE_HILBERT, CLV_CURVE_MORTON } clv_curve;

/* Index of a point with integer coordinates below 2^bits, ndim 2 (bits <= 31) or 3 (bits <=
 * 21). The Morton index of (13, 4) is 178: the first coordinate is the higher bit. */
uint64_t clv_curve_index(clv_curve curve, int32_t ndim, int bits, const uint32_t *point);

/* vertex[p] becomes the vertex at place p along the curve; ties by vertex number.  The
 * bounding box is mapped to the grid so that cells are nearly cubes (order/curve_order.c).
 * Parallel and deterministic.  CLEAVE_EINVAL if the graph has no coordinates or if one is not
 * finite; the message names the vertex. */
cleave_status clv_curve_order(const clv_graph *g, clv_curve curve, clv_context *ctx,
                              int32_t *vertex, cleave_error *err);
/* The same by at most 2^20 cells, the vertices of a cell by number: in linear time and a third
 * of the memory.  Sequential. */
cleave_status clv_curve_order_by_cells(const clv_graph *g, clv_curve curve, clv_context *ctx,
                                       int32_t *vertex, cleave_error *err);

#endif
