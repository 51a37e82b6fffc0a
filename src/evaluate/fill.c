/* SPDX-License-Identifier: Apache-2.0 */
/* evaluate/fill.c - fill and operations of an elimination order.
 *
 * Columns of the factor are counted from the elimination tree [Gilbert, Ng, Peyton 1994]
 * (graph/elimination.h) and never listed: a factor of 10^9 non-zeros is evaluated in seconds.
 */
#include "evaluate/evaluate.h"
#include "graph/elimination.h"

/* Rows above the diagonal of the tree: parents have larger places than children. */
static int32_t tree_height(const clv_elimination *e, int32_t *above)
{
    int32_t height = 0;
    for (int32_t k = e->g->nvtx - 1; k >= 0; k--) {
        above[k] = e->parent[k] < 0 ? 1 : above[e->parent[k]] + 1;
        if (above[k] > height)
            height = above[k];
    }
    return height;
}

static cleave_status count(const clv_graph *g, const int32_t *vertex, clv_ws *ws,
                           clv_fill *fill, cleave_error *err)
{
    clv_elimination e;
    CLV_TRY(clv_elimination_make(&e, g, vertex, ws, err));
    int64_t *column = clv_ws_alloc(ws, g->nvtx, sizeof *column);
    int32_t *above = clv_ws_alloc(ws, g->nvtx, sizeof *above);
    if (!column || !above)
        return clv_fail_memory(err);
    CLV_TRY(clv_elimination_columns(&e, ws, column, err));
    *fill = (clv_fill){.height = tree_height(&e, above)};
    for (int32_t k = 0; k < g->nvtx; k++) {
        int64_t nonzeros = column[k] + 1;
        fill->fill += nonzeros;
        fill->operations += (double)nonzeros * (double)nonzeros;
        if (nonzeros > fill->largest)
            fill->largest = nonzeros;
    }
    return CLEAVE_OK;
}

cleave_status clv_evaluate_fill(const clv_graph *g, const int32_t *vertex, clv_ws *ws,
                                clv_fill *fill, cleave_error *err)
{
    clv_ws_mark mark = clv_ws_save(ws);
    cleave_status status = count(g, vertex, ws, fill, err);
    clv_ws_restore(ws, mark);
    return status;
}
