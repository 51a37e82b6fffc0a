/* SPDX-License-Identifier: Apache-2.0 */
/* engine/order/dissection_piece.h - a subgraph in nested dissection
 * (engine/order/dissection.c), with its halo: the adjacent vertices that are eliminated later.
 */
#ifndef CLV_ENGINE_ORDER_DISSECTION_PIECE_H
#define CLV_ENGINE_ORDER_DISSECTION_PIECE_H

#include "base/context.h"
#include "graph/graph.h"

typedef struct clv_piece {
    clv_graph g; /* inner vertices, then the halo, whose rows contain inner vertices only;
                    vwgt is the number of original vertices that each represents */
    int32_t ninner;
    int32_t *vertex; /* by vertex: its number in the parent piece */
} clv_piece;

/* The compressed graph as a piece: dense vertices are left out, and indistinguishable vertices
 * (adjacent and with the same other neighbours) are merged [Ashcraft 1995].  leader[v] is the
 * vertex of the piece that v became; -1: left out.  *ended: the context was stopped before
 * there was a piece. */
cleave_status clv_piece_whole(clv_piece *p, const clv_graph *g, int32_t *leader,
                              clv_context *ctx, bool *ended, cleave_error *err);

/* The piece of the inner vertices v with part[v] == side, with their other neighbours as
 * halo. */
cleave_status clv_piece_cut(clv_piece *child, const clv_piece *p, const int32_t *part,
                            int32_t side, clv_ws *ws, cleave_error *err);

/* *inner becomes the subgraph of the inner vertices. */
cleave_status clv_piece_inner(clv_graph *inner, const clv_piece *p, clv_ws *ws,
                              cleave_error *err);

/* Number of non-zeros in the columns of the inner vertices if these are eliminated in the
 * given order and before the halo.  Nearly linear. */
cleave_status clv_piece_fill(const clv_piece *p, const int32_t *order, clv_ws *ws,
                             int64_t *fill, cleave_error *err);

#endif
