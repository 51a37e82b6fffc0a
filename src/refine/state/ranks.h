/* SPDX-License-Identifier: Apache-2.0 */
/* refine/state/ranks.h - topological ranks of the parts of a DAG.
 *
 * A partition of a DAG is acyclic when its quotient graph is: then the parts have a
 * topological order, and the rank of a part is its position there.  A single move of v to part
 * p keeps these ranks valid if and only if no predecessor of v is in a part of a higher rank
 * than p and no successor in one of a lower rank. */
#ifndef CLV_REFINE_STATE_RANKS_H
#define CLV_REFINE_STATE_RANKS_H

#include "refine/state/partition_state.h"

/* The quotient graph of a state as bare rows: arcs between different parts, each once. */
typedef struct clv_part_arcs {
    int64_t *xadj; /* nparts + 1 */
    int32_t *adj;
} clv_part_arcs;

/* From ws; the caller restores.  O(nvtx + narc + nparts). */
cleave_status clv_ranks_quotient(const clv_partition_state *s, clv_part_arcs *arcs, clv_ws *ws,
                                 cleave_error *err);

/* Fills s->rank from s->part by Kahn's algorithm: of the parts that can come next, the least
 * by (hash of seed and part, part), or for seed 0 the smallest.  *acyclic becomes false when
 * no order exists; ranks are then some permutation.  O(nvtx + narc + nparts log nparts). */
cleave_status clv_ranks_make(clv_partition_state *s, uint64_t seed, clv_ws *ws, bool *acyclic,
                             cleave_error *err);

/* Whether every arc respects the ranks.  O(narc). */
bool clv_ranks_hold(const clv_partition_state *s);

/* The lowest and the highest rank that v can have while its neighbours stay. */
typedef struct clv_rank_range {
    int32_t low, high;
} clv_rank_range;

static inline clv_rank_range clv_ranks_range(const clv_partition_state *s, int32_t v)
{
    const clv_graph *g = s->g;
    clv_rank_range range = {0, s->bounds.nparts - 1};
    for (int64_t a = g->xpred[v]; a < g->xpred[v + 1]; a++) {
        int32_t r = s->rank[s->part[g->pred[a]]];
        range.low = r > range.low ? r : range.low;
    }
    for (int64_t a = g->xadj[v]; a < g->xadj[v + 1]; a++) {
        int32_t r = s->rank[s->part[g->adj[a]]];
        range.high = r < range.high ? r : range.high;
    }
    return range;
}

#endif
