/* SPDX-License-Identifier: Apache-2.0 */
/* refine/connected/connected_moves.h - moves that keep parts connected, shared by the steps of
 * refine/connected/connected_parts.c.
 *
 * A move takes v out of its part together with the small pieces that would be disconnected:
 * the set.  It can move to any adjacent part, or to one without vertices in the component. */
#ifndef CLV_REFINE_CONNECTED_CONNECTED_MOVES_H
#define CLV_REFINE_CONNECTED_CONNECTED_MOVES_H

#include "base/queue.h"
#include "refine/state/partition_state.h"

enum {
    clv_connected_most = 4096
}; /* limit on the vertices scanned by the search for small
      pieces */

typedef struct clv_connected_parts {
    clv_partition_state *s;
    clv_context *ctx;
    int32_t *home; /* nvtx: the part a vertex must stay in (fixed, or connecting fixed ones),
                      or -1 */
    int32_t *comp; /* nvtx: connected component; clv_connected_pieces fills it */
    int32_t ncomp;
    clv_heap heap;
    uint8_t *done; /* nvtx: scratch of a step */

    /* The set to move; set[0] is the requested vertex. */
    int32_t *set, nset;
    int64_t *set_weight; /* ncon */
    int64_t inner;       /* edge weight from set[0] to the rest of its part */

    /* Parts adjacent to the set, and the edge weight to each. */
    int32_t *touched, ntouched;
    int64_t *conn;  /* by part; valid for touched parts */
    int32_t *place; /* by part: its index in touched, if that entry confirms it */

    /* Scratch of the search. */
    uint32_t *stamp, now;              /* nvtx */
    int32_t *label;                    /* nvtx: group of a vertex that was reached */
    int32_t *queue, *leader, *pending; /* clv_connected_most */
} clv_connected_parts;

/* Vertices of large degree are not evaluated again for each move of a neighbour. */
static inline bool clv_connected_is_hub(const clv_connected_parts *c, int32_t v)
{
    return c->s->g->xadj[v + 1] - c->s->g->xadj[v] > 1000;
}

/* Adds an edge of weight w, maybe 0, into part p to touched and conn.  These are empty once
 * ntouched is 0. */
static inline void clv_connected_tie(clv_connected_parts *c, int32_t p, int64_t w)
{
    int32_t i = c->place[p];
    if (i >= c->ntouched || c->touched[i] != p) {
        c->place[p] = c->ntouched;
        c->touched[c->ntouched++] = p;
        c->conn[p] = 0;
    }
    c->conn[p] += w;
}

/* All arrays from ws. */
cleave_status clv_connected_open(clv_connected_parts *c, clv_partition_state *s,
                                 clv_context *ctx, cleave_error *err);

/* Sets the set to {v}, even if that disconnects the part: for estimates. */
void clv_connected_alone(clv_connected_parts *c, int32_t v);

/* Sets the set to v and the small pieces that leave with it.  False when v or one of the
 * pieces must stay, or when the answer was not found within `limit` vertices. */
bool clv_connected_detach(clv_connected_parts *c, int32_t v, int32_t limit);

/* Fills touched and conn. */
void clv_connected_touch(clv_connected_parts *c);

bool clv_connected_fits(const clv_connected_parts *c, int32_t to);
/* Whether the lower bound of the set's part holds and a vertex is left after the move. */
bool clv_connected_may_leave(const clv_connected_parts *c);

/* Moves the set; conn[to] is valid if the set touches the part, else pass touches false.
 * Updates the cut. */
void clv_connected_move(clv_connected_parts *c, int32_t to, bool touches);

/* connected_balance.c: reduces the overload by such moves.  Never returns a worse state. */
cleave_status clv_connected_balance(clv_connected_parts *c, cleave_error *err);

/* connected_seed.c: parts that are empty, or have capacity but no boundary with an overloaded
 * part, get vertices of a component where they have none.  Whole small components move first.
 * *moved: whether anything moved. */
cleave_status clv_connected_seed(clv_connected_parts *c, bool *moved, cleave_error *err);

/* connected_improve.c: reduces the cut by such moves, within the bounds. */
void clv_connected_improve(clv_connected_parts *c);

/* connected_join.c: joins pieces with fixed vertices of one part, in one component, by paths
 * as far as possible; the vertices of the paths must then stay. */
cleave_status clv_connected_join(clv_connected_parts *c, cleave_error *err);

/* connected_pieces.c: connected pieces. */
typedef struct clv_connected_piece {
    int32_t part, comp;
    int32_t first;  /* smallest vertex */
    int32_t count;  /* vertices */
    bool has_home;  /* some vertex must stay */
    bool keep;      /* the user's */
    int64_t weight; /* all constraints summed */
} clv_connected_piece;
typedef struct clv_pieces {
    int32_t count;
    int32_t *of;                /* nvtx */
    clv_connected_piece *piece; /* count */
    int32_t *order; /* count: by component and part, heaviest first within those; after
                       the stop, the others of a group follow in any order */
} clv_pieces;
/* Arrays from ws.  Also the components of the graph, c->comp.  O(nvtx + narc + pieces log
 * pieces). */
cleave_status clv_connected_pieces(clv_connected_parts *c, clv_pieces *pieces,
                                   cleave_error *err);
static inline bool clv_pieces_same(const clv_pieces *p, int32_t i, int32_t j)
{
    const clv_connected_piece *a = &p->piece[p->order[i]], *b = &p->piece[p->order[j]];
    return a->comp == b->comp && a->part == b->part;
}

#endif
