/* SPDX-License-Identifier: Apache-2.0 */
/* tests/refine/merge_parallel.h - the fixture's graphs without parallel edges. */
#ifndef CLV_TESTS_REFINE_MERGE_PARALLEL_H
#define CLV_TESTS_REFINE_MERGE_PARALLEL_H

#include "graph/graph.h"

/* The fixture's rows may name a neighbour twice, which no graph of the library does. */
static inline void merge_parallel(clv_graph *g)
{
    int64_t *xadj = (int64_t *)g->xadj, place = 0, begin = 0;
    int32_t *adj = (int32_t *)g->adj, *ewgt = (int32_t *)g->ewgt;
    for (int32_t v = 0; v < g->nvtx; v++) {
        int64_t end = xadj[v + 1], first = place;
        for (int64_t a = begin; a < end; a++) {
            int64_t b = first;
            while (b < place && adj[b] != adj[a])
                b++;
            if (b < place) {
                if (ewgt)
                    ewgt[b] += ewgt[a];
                continue;
            }
            adj[place] = adj[a];
            if (ewgt)
                ewgt[place] = ewgt[a];
            place++;
        }
        begin = end;
        xadj[v + 1] = place;
    }
    g->narc = place;
}

#endif
