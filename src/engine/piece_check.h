/* SPDX-License-Identifier: Apache-2.0 */
/* engine/piece_check.h - checks that every part is connected within each component of the
 * graph. */
#ifndef CLV_ENGINE_PIECE_CHECK_H
#define CLV_ENGINE_PIECE_CHECK_H

#include "graph/graph.h"

/* The largest excess, over all parts, of a part's pieces over the components it intersects. */
typedef struct clv_piece_excess {
    int32_t part;   /* the smallest among equals */
    int32_t pieces; /* 0: every part is connected */
} clv_piece_excess;

/* O(nvtx + narc + nparts). */
cleave_status clv_piece_check(const clv_graph *g, int32_t nparts, const int32_t *part,
                              clv_ws *ws, clv_piece_excess *largest, cleave_error *err);

#endif
