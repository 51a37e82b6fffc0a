/* SPDX-License-Identifier: Apache-2.0 */
/* engine/piece_check.h - is every part in one piece within each component of the graph? */
#ifndef CLV_ENGINE_PIECE_CHECK_H
#define CLV_ENGINE_PIECE_CHECK_H

#include "graph/graph.h"

/* *pieces: by how many the pieces of part *where exceed the components that it reaches into,
 * the most over all parts, the smallest part among equals; 0: every part is connected.
 * O(nvtx + narc + nparts). */
cleave_status clv_piece_check(const clv_graph *g, int32_t nparts, const int32_t *part,
                              clv_ws *ws, int32_t *where, int32_t *pieces, cleave_error *err);

#endif
