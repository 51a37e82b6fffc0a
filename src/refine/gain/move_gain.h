/* SPDX-License-Identifier: Apache-2.0 */
/* refine/gain/move_gain.h - the gain of a single move, from the edges of the vertex alone. */
#ifndef CLV_REFINE_GAIN_MOVE_GAIN_H
#define CLV_REFINE_GAIN_MOVE_GAIN_H

#include "refine/state/partition_state.h"

/* The gain in s->cut when v moves, in the current state.  O(degree). */
static inline int64_t clv_move_gain(const clv_partition_state *s, int32_t v, int32_t to)
{
    const clv_graph *g = s->g;
    int32_t from = s->part[v];
    int64_t gain = 0;
    for (int64_t a = g->xadj[v]; a < g->xadj[v + 1]; a++) {
        int32_t p = s->part[g->adj[a]];
        int64_t w = clv_graph_ewgt(g, a);
        gain += clv_state_cost(s, w, from, p) - clv_state_cost(s, w, to, p);
    }
    if (g->kind != CLEAVE_DAG)
        return gain;
    for (int64_t a = g->xpred[v]; a < g->xpred[v + 1]; a++) {
        int32_t p = s->part[g->pred[a]];
        int64_t w = clv_graph_pwgt(g, a);
        gain += clv_state_cost(s, w, from, p) - clv_state_cost(s, w, to, p);
    }
    return gain;
}

#endif
