/* SPDX-License-Identifier: Apache-2.0 */
/* coarsen/dag_choice.h - the best neighbour of a vertex by the priorities of dagP, common to
 * coarsen/dag_matching.c and coarsen/dag_clustering.c. */
#ifndef CLV_COARSEN_DAG_CHOICE_H
#define CLV_COARSEN_DAG_CHOICE_H

#include "base/rng.h"
#include "coarsen/dag_matching.h"

typedef struct clv_dag_choice {
    int32_t v;         /* -1: none yet */
    bool forward;      /* the arc leads from the vertex to v */
    int64_t wgt, size; /* of the arc and of v */
    uint32_t equals;   /* number of equal choices so far */
} clv_dag_choice;

/* Sum of the weights over all constraints, at most CLV_MOST_WEIGHT. */
static inline int64_t clv_dag_size(const clv_graph *g, int32_t v)
{
    int64_t size = 0;
    for (int32_t c = 0; c < g->ncon; c++) {
        size += clv_graph_vwgt(g, v, c);
        size = size < CLV_MOST_WEIGHT ? size : CLV_MOST_WEIGHT;
    }
    return size;
}

/* > 0: the first precedes the second in the order of the paper. */
static inline int clv_dag_compare(clv_dag_match match, const clv_dag_choice *a,
                                  const clv_dag_choice *b)
{
    __extension__ typedef __int128 int128;
    int128 x = a->wgt, y = b->wgt;
    if (match == CLV_DAG_MATCH_RAND)
        return 0;
    if (match == CLV_DAG_MATCH_NWHEM) {
        x *= b->size;
        y *= a->size;
    }
    return (x > y) - (x < y);
}

/* Ties are broken by reservoir sampling, so that one pass over the row replaces sorting it. */
static inline void clv_dag_offer(clv_dag_choice *best, clv_dag_choice other,
                                 clv_dag_match match, clv_rng *rng)
{
    int order = best->v < 0 ? 1 : clv_dag_compare(match, &other, best);
    if (order < 0)
        return;
    other.equals = order > 0 ? 1 : best->equals + 1;
    if (order > 0 || clv_rng_below(rng, other.equals) == 0)
        *best = other;
    else
        best->equals = other.equals;
}

#endif
