/* SPDX-License-Identifier: Apache-2.0 */
/* engine/piece_check.h - checks that every part is connected within each component of the
 * graph. */
#ifndef CLV_ENGINE_PIECE_CHECK_H
#define CLV_ENGINE_PIECE_CHECK_H

#include "graph/graph.h"

/* *pieces: the largest excess, over all parts, of a part's pieces over the components it
 * intersects; *where: that part, the smallest among equals.  0: every part is connected.
 * O(nvtx + narc + nparts). */
cleave_status clv_piece_check(const clv_graph *g, int32_t nparts, const int32_t *part,
                              clv_ws *ws, int32_t *where, int32_t *pieces, cleave_error *err);

#endif
