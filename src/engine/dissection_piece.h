/* SPDX-License-Identifier: Apache-2.0 */
/* engine/dissection_piece.h - a part of a graph that is being ordered for elimination, with
 * the vertices around it that are eliminated later.  For engine/dissection.c. */
#ifndef CLV_ENGINE_DISSECTION_PIECE_H
#define CLV_ENGINE_DISSECTION_PIECE_H

#include "base/context.h"
#include "graph/graph.h"

typedef struct clv_piece {
    clv_graph g; /* inner vertices, then the halo, whose rows name inner vertices alone; vwgt
                    says for how many vertices each stands */
    int32_t ninner;
    int32_t *vertex; /* by vertex: what it is in the piece that this one was cut from */
} clv_piece;

/* The reduced graph as a piece: vertices with very many neighbours are left out, and vertices
 * with the same neighbours that are neighbours themselves are one [Ashcraft 1995].  leader[v]
 * says which vertex of the piece v became, -1: left out.  *ended: the context said stop before
 * there was a piece. */
cleave_status clv_piece_whole(clv_piece *p, const clv_graph *g, int32_t *leader,
                              clv_context *ctx, bool *ended, cleave_error *err);

/* The inner vertices v with part[v] == side, and around them what they are next to. */
cleave_status clv_piece_cut(clv_piece *child, const clv_piece *p, const int32_t *part,
                            int32_t side, clv_ws *ws, cleave_error *err);

/* *inner becomes the graph of the inner vertices alone. */
cleave_status clv_piece_inner(clv_graph *inner, const clv_piece *p, clv_ws *ws,
                              cleave_error *err);

/* Non-zeros of the columns of the inner vertices when those are eliminated in this order and
 * before the halo.  Nearly linear. */
cleave_status clv_piece_fill(const clv_piece *p, const int32_t *order, clv_ws *ws,
                             int64_t *fill, cleave_error *err);

#endif
