/* SPDX-License-Identifier: Apache-2.0 */
/* refine/connected/connected_improve.c - greedy refinement of the cut by moves that keep parts
 * connected.
 *
 * Every move makes the cut smaller; the best move is first, until none is left. */
#include <string.h>

#include "refine/connected/connected_moves.h"

enum { limit = 128 }; /* of the search for dependent pieces of a vertex */

/* The adjacent part with capacity that the set is connected to most strongly; -1: no gain. */
static int32_t best_target(clv_connected_parts *c)
{
    int32_t best = -1;
    clv_connected_touch(c);
    for (int32_t i = 0; i < c->ntouched; i++) {
        int32_t p = c->touched[i];
        if (c->conn[p] <= c->inner)
            continue;
        if (best >= 0 &&
            (c->conn[p] < c->conn[best] || (c->conn[p] == c->conn[best] && p > best)))
            continue;
        if (clv_connected_fits(c, p))
            best = p;
    }
    return best;
}

static void consider(clv_connected_parts *c, int32_t v)
{
    if (c->home[v] >= 0)
        return;
    clv_connected_alone(c, v);
    int32_t to = clv_connected_may_leave(c) ? best_target(c) : -1;
    if (to >= 0)
        clv_heap_set(&c->heap, v, c->conn[to] - c->inner);
    else
        clv_heap_remove(&c->heap, v);
}

static void try_move(clv_connected_parts *c, int32_t v, int32_t *moved)
{
    const clv_graph *g = c->s->g;
    if (!clv_connected_detach(c, v, limit) || !clv_connected_may_leave(c))
        return;
    int32_t to = best_target(c), count = c->nset;
    if (to < 0)
        return;
    memcpy(moved, c->set, (size_t)count * sizeof *moved);
    clv_connected_move(c, to, true);
    for (int32_t i = 0; i < count; i++)
        for (int64_t a = g->xadj[moved[i]]; a < g->xadj[moved[i] + 1]; a++)
            if (!clv_connected_is_hub(c, g->adj[a]))
                consider(c, g->adj[a]);
}

void clv_connected_improve(clv_connected_parts *c)
{
    clv_partition_state *s = c->s;
    int32_t moved[limit + 1];
    for (int32_t v = 0; v < s->g->nvtx; v++)
        if (s->maybe_boundary[v])
            consider(c, v);
    for (int32_t steps = 1; c->heap.count > 0; steps = steps % 1024 + 1) {
        if (steps == 1024 && clv_context_stop(c->ctx))
            break;
        try_move(c, clv_heap_pop(&c->heap), moved);
    }
    clv_heap_clear(&c->heap);
}
