/* SPDX-License-Identifier: Apache-2.0 */
/* evaluate/cut.c - weight of the edges between parts, each undirected edge once. */
#include "evaluate/evaluate.h"

cleave_status clv_evaluate_cut(const clv_graph *g, const int32_t *part, int64_t *cut,
                               cleave_error *err)
{
    int64_t total = 0;
    for (int32_t v = 0; v < g->nvtx; v++) {
        int64_t row = 0; /* fewer than 2^31 neighbours of at most 2^31-1 each: fits */
        for (int64_t a = g->xadj[v]; a < g->xadj[v + 1]; a++) {
            int32_t u = g->adj[a];
            if (part[u] != part[v] && (g->kind == CLEAVE_DAG || u > v))
                row += clv_graph_ewgt(g, a);
        }
        if (!clv_add_i64(total, row, &total))
            return clv_fail(err, CLEAVE_ERANGE, "the weight of the cut exceeds 2^63-1");
    }
    *cut = total;
    return CLEAVE_OK;
}
