/* SPDX-License-Identifier: Apache-2.0 */
/* graph/graph.c - creating and freeing graphs. */
#include "graph/graph.h"

clv_graph *clv_graph_new(void)
{
    clv_arena arena = {NULL};
    clv_graph *g = clv_arena_zalloc(&arena, 1, sizeof *g);
    if (g) {
        g->ncon = 1;
        g->arena = arena;
    }
    return g;
}

void clv_graph_free(clv_graph *g)
{
    if (g)
        clv_arena_free(&g->arena);
}
