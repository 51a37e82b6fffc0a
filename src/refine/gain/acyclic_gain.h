/* SPDX-License-Identifier: Apache-2.0 */
/* refine/gain/acyclic_gain.h - gains of moves of DAG vertices between places of a machine.
 *
 * Without a machine only two parts can be worth moving to (refine/state/rank_ends.h).  With a
 * machine, any part between the last of the predecessors and the first of the successors can
 * be: it may be nearer to both.  The candidates are the two ends and a few ranks around the
 * vertex's own. */
#ifndef CLV_REFINE_GAIN_ACYCLIC_GAIN_H
#define CLV_REFINE_GAIN_ACYCLIC_GAIN_H

#include "refine/gain/mapping_gain.h"
#include "refine/state/ranks.h"

enum { clv_most_ranks = 8 }; /* on either side */

/* Gathers the arcs of v both ways by place. */
static inline void clv_acyclic_gather(clv_neighbour_parts *f, const clv_partition_state *s,
                                      int32_t v)
{
    const clv_graph *g = s->g;
    clv_neighbour_parts_gather(f, s, v);
    for (int64_t a = g->xpred[v]; a < g->xpred[v + 1]; a++) {
        int32_t p = s->part[g->pred[a]];
        int64_t w = clv_graph_pwgt(g, a);
        f->outside |= p != s->part[v];
        if (w > 0)
            clv_neighbour_parts_add(f, p, w);
    }
}

/* The next candidate beyond rank r (own at first) towards the rank `end`, which is the last; r
 * itself: none. */
static inline int32_t clv_acyclic_next(int32_t r, int32_t own, int32_t end)
{
    if (r == end)
        return r;
    int32_t step = end > own ? 1 : -1;
    return (r - own) * step >= clv_most_ranks ? end : r + step;
}

#endif
