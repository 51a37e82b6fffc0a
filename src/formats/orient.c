/* SPDX-License-Identifier: Apache-2.0 */
/* formats/orient.c - the DAG of a triangle of a symmetric pattern. */
#include <string.h>

#include "formats/formats.h"

/* Rows of the neighbours above (or below) each vertex; arrays from clv_alloc. */
static cleave_status triangle_rows(clv_rows *rows, const clv_graph *g, bool above,
                                   cleave_error *err)
{
    *rows = (clv_rows){.nvtx = g->nvtx, .known_good = true};
    /* Counted, not halved: a trusted file may be unsymmetric. */
    int64_t count = 0;
    for (int32_t v = 0; v < g->nvtx; v++)
        for (int64_t a = g->xadj[v]; a < g->xadj[v + 1]; a++)
            count += (g->adj[a] > v) == above;
    rows->xadj = clv_alloc((int64_t)g->nvtx + 1, sizeof *rows->xadj);
    rows->adj = clv_alloc(count, sizeof *rows->adj);
    if (g->ewgt)
        rows->ewgt = clv_alloc(count, sizeof *rows->ewgt);
    if (!rows->xadj || !rows->adj || (g->ewgt && !rows->ewgt)) {
        clv_rows_free(rows);
        return clv_fail_memory(err);
    }
    int64_t to = 0;
    for (int32_t v = 0; v < g->nvtx; v++) {
        rows->xadj[v] = to;
        for (int64_t a = g->xadj[v]; a < g->xadj[v + 1]; a++) {
            if ((g->adj[a] > v) != above)
                continue;
            rows->adj[to] = g->adj[a];
            if (g->ewgt)
                rows->ewgt[to] = g->ewgt[a];
            to++;
        }
    }
    rows->xadj[g->nvtx] = to;
    return CLEAVE_OK;
}

cleave_status clv_orient(clv_graph **g, clv_as as, cleave_error *err)
{
    clv_graph *old = *g, *dag;
    clv_rows rows;
    CLV_TRY(triangle_rows(&rows, old, as == CLV_AS_LOWER, err));
    /* All arcs go from smaller to larger numbers or all the other way: there is no cycle. */
    clv_build_rules rules = {.trust = true};
    CLV_TRY(clv_build_graph(&dag, CLEAVE_DAG, &rows, &rules, NULL, err));
    dag->ncon = old->ncon;
    dag->vwgt = old->vwgt;
    dag->vsize = old->vsize;
    dag->ndim = old->ndim;
    dag->coords = old->coords;
    dag->names = old->names;
    dag->format = old->format;
    dag->origin = old->origin;
    dag->entries = old->entries;
    dag->unit = old->unit;
    /* The arena of the old graph owns its attributes and the struct itself: the new graph
     * takes over all its blocks but the rows. */
    clv_arena blocks = old->arena;
    clv_arena_release(&blocks, (void *)old->xadj);
    clv_arena_release(&blocks, (void *)old->adj);
    if (old->ewgt)
        clv_arena_release(&blocks, (void *)old->ewgt);
    clv_arena_move(&dag->arena, &blocks);
    *g = dag;
    return CLEAVE_OK;
}
