/* SPDX-License-Identifier: Apache-2.0 */
/* order/elimination/elimination_order.h - the orders in which a symmetric matrix with the
 * pattern of a graph is factorised: natural or minimum degree, by the subtrees of the
 * elimination tree.
 *
 * An order is an array of nvtx vertices, the first to be eliminated first. */
#ifndef CLV_ORDER_ELIMINATION_ELIMINATION_ORDER_H
#define CLV_ORDER_ELIMINATION_ELIMINATION_ORDER_H

#include "graph/graph.h"

/* The natural order, or minimum degree and then postorder. */
cleave_status clv_elimination_order(const clv_graph *g, bool natural, clv_ws *ws,
                                    int32_t *order, cleave_error *err);

/* Rearranges an order so that the subtrees of its elimination tree [Liu 1990] are
 * contiguous; the factor has the same non-zeros up to numbering.  O(nvtx + narc log nvtx). */
cleave_status clv_order_postorder(const clv_graph *g, clv_ws *ws, int32_t *order,
                                  cleave_error *err);

#endif
