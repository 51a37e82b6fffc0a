/* SPDX-License-Identifier: Apache-2.0 */
/* refine/state/neighbour_parts.h - the parts of the neighbours of a vertex, each with the
 * weight of the edges into it; and the effect of a move on the bounds.
 *
 * A gatherer has one entry per part and a list of the entries in use, so that evaluating a
 * vertex costs its degree, for any number of parts.  Each thread has its own. */
#ifndef CLV_REFINE_STATE_NEIGHBOUR_PARTS_H
#define CLV_REFINE_STATE_NEIGHBOUR_PARTS_H

#include "refine/state/partition_state.h"

typedef struct clv_neighbour_parts {
    int64_t
        *conn; /* by part; 0 outside clv_neighbour_parts_gather .. clv_neighbour_parts_clear */
    int32_t *touched; /* the parts with conn > 0 */
    int32_t count;    /* of touched */
    bool outside;     /* a neighbour is in another part, maybe through an arc of weight 0 */
} clv_neighbour_parts;

/* False when out of memory.  The caller's clv_ws_restore releases the memory. */
static inline bool clv_neighbour_parts_init(clv_neighbour_parts *f, int32_t nparts, clv_ws *ws)
{
    *f = (clv_neighbour_parts){.conn = clv_ws_zalloc(ws, nparts, sizeof f->conn[0]),
                               .touched = clv_ws_alloc(ws, nparts, sizeof f->touched[0])};
    return f->conn && f->touched;
}

static inline void clv_neighbour_parts_add(clv_neighbour_parts *f, int32_t p, int64_t w)
{
    if (f->conn[p] == 0)
        f->touched[f->count++] = p;
    f->conn[p] += w;
}

static inline void clv_neighbour_parts_gather(clv_neighbour_parts *f,
                                              const clv_partition_state *s, int32_t v)
{
    const clv_graph *g = s->g;
    int32_t own = s->part[v];
    bool outside = false;
    f->count = 0;
    for (int64_t a = g->xadj[v]; a < g->xadj[v + 1]; a++) {
        int32_t p = s->part[g->adj[a]];
        int64_t w = clv_graph_ewgt(g, a);
        outside |= p != own;
        if (w > 0)
            clv_neighbour_parts_add(f, p, w);
    }
    f->outside = outside;
}

static inline void clv_neighbour_parts_clear(clv_neighbour_parts *f)
{
    for (int32_t i = 0; i < f->count; i++)
        f->conn[f->touched[i]] = 0;
}

/* Remaining capacity below the upper bounds of part p once it holds `more` vertices like v
 * (-1, 0 or 1): the minimum over the constraints. */
static inline int64_t clv_state_room(const clv_partition_state *s, int32_t p, int32_t v,
                                     int32_t more)
{
    int32_t ncon = s->g->ncon;
    int64_t room = INT64_MAX;
    for (int32_t c = 0; c < ncon; c++) {
        int64_t i = (int64_t)p * ncon + c;
        int64_t left = s->bounds.max[i] - s->weight[i];
        if (more)
            left -= more * clv_graph_vwgt(s->g, v, c);
        room = left < room ? left : room;
    }
    return room;
}

/* Whether part p exceeds its bound in some constraint. */
static inline bool clv_state_is_over(const clv_partition_state *s, int32_t p)
{
    for (int64_t i = (int64_t)p * s->g->ncon, end = i + s->g->ncon; i < end; i++)
        if (s->weight[i] > s->bounds.max[i])
            return true;
    return false;
}

/* Whether a part is empty but must not be. */
static inline bool clv_state_is_wanting(const clv_partition_state *s, int32_t p)
{
    return s->count[p] == 0 && clv_bounds_wants_vertex(&s->bounds, p);
}

/* The change of clv_state_overload when v moves. */
static inline int64_t clv_state_overload_change(const clv_partition_state *s, int32_t v,
                                                int32_t to)
{
    const clv_graph *g = s->g;
    int32_t from = s->part[v];
    int64_t change = 0;
    for (int32_t c = 0; c < g->ncon; c++) {
        int64_t w = clv_graph_vwgt(g, v, c);
        int64_t i = (int64_t)from * g->ncon + c, j = (int64_t)to * g->ncon + c;
        change += clv_bounds_excess(&s->bounds, i, s->weight[i] - w) -
                  clv_bounds_excess(&s->bounds, i, s->weight[i]);
        change += clv_bounds_excess(&s->bounds, j, s->weight[j] + w) -
                  clv_bounds_excess(&s->bounds, j, s->weight[j]);
    }
    change -= clv_state_is_wanting(s, to);
    change += s->count[from] == 1 && clv_bounds_wants_vertex(&s->bounds, from);
    return change;
}

#endif
