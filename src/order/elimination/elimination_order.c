/* SPDX-License-Identifier: Apache-2.0 */
/* order/elimination/elimination_order.c - natural and minimum-degree orders, and postorder of
 * the elimination tree [Liu, SIAM J. Matrix Anal. 1990]. */
#include "order/elimination/elimination_order.h"

#include <string.h>

#include "graph/elimination.h"
#include "order/elimination/minimum_degree.h"

cleave_status clv_order_postorder(const clv_graph *g, clv_ws *ws, int32_t *order,
                                  cleave_error *err)
{
    clv_elimination e;
    clv_ws_mark mark = clv_ws_save(ws);
    CLV_TRY(clv_elimination_make(&e, g, order, ws, err));
    int32_t *child = clv_ws_alloc(ws, g->nvtx, sizeof *child);
    int32_t *sibling = clv_ws_alloc(ws, g->nvtx, sizeof *sibling);
    int32_t *post = clv_ws_alloc(ws, g->nvtx, sizeof *post);
    if (!child || !sibling || !post)
        return clv_fail_memory(err);
    clv_elimination_postorder(g->nvtx, e.parent, child, sibling, post);
    for (int32_t k = 0; k < g->nvtx; k++)
        post[k] = order[post[k]];
    if (g->nvtx > 0)
        memcpy(order, post, (size_t)g->nvtx * sizeof *order);
    clv_ws_restore(ws, mark);
    return CLEAVE_OK;
}

cleave_status clv_elimination_order(const clv_graph *g, bool natural, clv_ws *ws,
                                    int32_t *order, cleave_error *err)
{
    for (int32_t v = 0; v < g->nvtx; v++)
        order[v] = v;
    if (natural)
        return CLEAVE_OK;
    const clv_minimum_degree_task task = {.g = g, .ninner = g->nvtx, .dense = true};
    CLV_TRY(clv_minimum_degree(&task, ws, order, err));
    return clv_order_postorder(g, ws, order, err);
}
