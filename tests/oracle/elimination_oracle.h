/* SPDX-License-Identifier: Apache-2.0 */
/* tests/oracle/elimination_oracle.h - the elimination game played on a dense matrix, for
 * graphs of some hundred vertices: independent of graph/elimination.c. */
#ifndef CLV_TESTS_ORACLE_ELIMINATION_ORACLE_H
#define CLV_TESTS_ORACLE_ELIMINATION_ORACLE_H

#include <stdlib.h>

#include "graph/graph.h"

typedef struct played {
    int64_t fill;
    double operations;
    int64_t largest;
    int32_t height;
} played;

/* Only the columns of the first `count` places are judged; copies by vertex, or NULL. */
static inline played play_elimination(const clv_graph *g, const int32_t *order, int32_t count,
                                      const int32_t *copies)
{
    int32_t n = g->nvtx;
    uint8_t *is = calloc((size_t)n * (size_t)n + 1, 1);
    int32_t *place = calloc((size_t)n + 1, sizeof *place);
    int32_t *depth = calloc((size_t)n + 1, sizeof *depth);
    played p = {0, 0, 0, 0};
    if (!is || !place || !depth)
        abort();
    for (int32_t k = 0; k < n; k++)
        place[order[k]] = k;
    for (int32_t v = 0; v < n; v++)
        for (int64_t a = g->xadj[v]; a < g->xadj[v + 1]; a++)
            is[(int64_t)place[v] * n + place[g->adj[a]]] = 1;
    for (int32_t k = 0; k < n; k++)
        for (int32_t i = k + 1; i < n; i++)
            for (int32_t j = k + 1; j < n && is[(int64_t)i * n + k]; j++)
                if (i != j && is[(int64_t)k * n + j])
                    is[(int64_t)i * n + j] = 1;
    for (int32_t k = n - 1; k >= 0; k--) {
        int64_t own = copies ? copies[order[k]] : 1, below = 0;
        depth[k] = 1;
        for (int32_t i = n - 1; i > k; i--)
            if (is[(int64_t)i * n + k]) {
                below += copies ? copies[order[i]] : 1;
                depth[k] = depth[i] + 1; /* at last the first row below: the parent */
            }
        if (k >= count)
            continue;
        p.fill += own * below + own * (own + 1) / 2;
        p.operations += (double)(below + 1) * (double)(below + 1);
        p.largest = below + 1 > p.largest ? below + 1 : p.largest;
        p.height = depth[k] > p.height ? depth[k] : p.height;
    }
    free(is);
    free(place);
    free(depth);
    return p;
}

#endif
