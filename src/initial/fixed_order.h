/* SPDX-License-Identifier: Apache-2.0 */
/* initial/fixed_order.h - topological orders in which fixed vertices follow the ranks of their
 * parts, so that slices (order/slices.h) can keep them in place. */
#ifndef CLV_INITIAL_FIXED_ORDER_H
#define CLV_INITIAL_FIXED_ORDER_H

#include "refine/state/partition_state.h"

/* The ranks low[v]..high[v] that fixed ancestors and descendants leave to each vertex; order:
 * any topological order.  Returns false if they leave none to some vertex.  O(nvtx + narc). */
bool clv_fixed_ranks(const clv_partition_state *s, const int32_t *order, int32_t *low,
                     int32_t *high);

/* Moves the vertices of `order` as little as necessary, each to where the slices of its fixed
 * ancestors and descendants are expected.  Does nothing if no vertex is fixed.  by_rank: the
 * part of each rank.  CLEAVE_ECYCLE if the fixed vertices contradict the ranks. O(nvtx +
 * narc). */
cleave_status clv_fixed_order(const clv_partition_state *s, const int32_t *by_rank, clv_ws *ws,
                              int32_t *order, cleave_error *err);

#endif
