/* SPDX-License-Identifier: Apache-2.0 */
/* engine/order/dissection_piece.h - a subgraph in nested dissection
 * (engine/order/dissection.c), with its halo: the adjacent vertices that are eliminated later.
 */
#ifndef CLV_ENGINE_ORDER_DISSECTION_PIECE_H
#define CLV_ENGINE_ORDER_DISSECTION_PIECE_H

#include "base/context.h"
#include "graph/graph.h"

typedef struct clv_dissection_piece {
    clv_graph g; /* inner vertices, then the halo, whose rows contain inner vertices only;
                    vwgt is the number of original vertices that each represents */
    int32_t ninner;
    int32_t *vertex; /* by vertex: its number in the parent piece */
} clv_dissection_piece;

/* The compressed graph as a piece: dense vertices are left out, and indistinguishable vertices
 * (adjacent and with the same other neighbours) are merged [Ashcraft 1995].  leader[v] is the
 * vertex of the piece that v became; -1: left out.  *ended: the context was stopped before
 * there was a piece. */
cleave_status clv_dissection_whole(clv_dissection_piece *p, const clv_graph *g,
                                   int32_t *leader, clv_context *ctx, bool *ended,
                                   cleave_error *err);

/* One side of a separated piece: the inner vertices v of *p with part[v] == part_of_side. */
typedef struct clv_dissection_side {
    const clv_dissection_piece *p;
    const int32_t *part;
    int32_t part_of_side;
} clv_dissection_side;

/* The piece of that side, with its other neighbours as halo.  It is in ws; scratch is another
 * workspace, because fresh memory of the size of the graph takes as long as a pass over it. */
cleave_status clv_dissection_cut(clv_dissection_piece *child, const clv_dissection_side *side,
                                 clv_ws *scratch, clv_ws *ws, cleave_error *err);

/* *inner becomes the subgraph of the inner vertices. */
cleave_status clv_dissection_inner(clv_graph *inner, const clv_dissection_piece *p, clv_ws *ws,
                                   cleave_error *err);

/* Number of non-zeros in the columns of the inner vertices if these are eliminated in the
 * given order and before the halo.  Nearly linear. */
cleave_status clv_dissection_fill(const clv_dissection_piece *p, const int32_t *order,
                                  clv_ws *ws, int64_t *fill, cleave_error *err);

#endif
