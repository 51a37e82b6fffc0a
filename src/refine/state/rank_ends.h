/* SPDX-License-Identifier: Apache-2.0 */
/* refine/state/rank_ends.h - the rank ends of a DAG vertex: the highest rank of its
 * predecessors and the lowest rank of its successors.
 *
 * They decide which moves keep the ranks, and their gains.  A vertex can move up as far as the
 * first of its successors.  No predecessor is beyond its own part, so of all parts on the way
 * only that of the first successors has arcs to it.  So one part above and one part below can
 * be worth moving to, and their gains need only the two ends. */
#ifndef CLV_REFINE_STATE_RANK_ENDS_H
#define CLV_REFINE_STATE_RANK_ENDS_H

#include "refine/state/partition_state.h"

typedef struct clv_rank_end {
    int32_t rank;   /* of the neighbours at this end; -1 or nparts: there are none */
    int32_t count;  /* of these neighbours */
    int64_t weight; /* of the arcs to them */
} clv_rank_end;

static inline int32_t clv_rank_of(const clv_partition_state *s, int32_t v)
{
    return s->rank[s->part[v]];
}

/* The predecessors of the highest rank. */
static inline clv_rank_end clv_rank_low(const clv_partition_state *s, int32_t v)
{
    const clv_graph *g = s->g;
    clv_rank_end end = {-1, 0, 0};
    for (int64_t a = g->xpred[v]; a < g->xpred[v + 1]; a++) {
        int32_t r = clv_rank_of(s, g->pred[a]);
        if (r < end.rank)
            continue;
        if (r > end.rank)
            end = (clv_rank_end){r, 0, 0};
        end.count++;
        end.weight += clv_graph_pwgt(g, a);
    }
    return end;
}

/* The successors of the lowest rank. */
static inline clv_rank_end clv_rank_high(const clv_partition_state *s, int32_t v)
{
    const clv_graph *g = s->g;
    clv_rank_end end = {s->bounds.nparts, 0, 0};
    for (int64_t a = g->xadj[v]; a < g->xadj[v + 1]; a++) {
        int32_t r = clv_rank_of(s, g->adj[a]);
        if (r > end.rank)
            continue;
        if (r < end.rank)
            end = (clv_rank_end){r, 0, 0};
        end.count++;
        end.weight += clv_graph_ewgt(g, a);
    }
    return end;
}

/* The gain of a move from rank `own` to the part of the neighbours at `there`, if it keeps the
 * ranks; `back` is the other end. */
static inline int64_t clv_rank_gain(const clv_rank_end *there, const clv_rank_end *back,
                                    int32_t own)
{
    return there->weight - (back->rank == own ? back->weight : 0);
}

#endif
