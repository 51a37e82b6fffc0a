/* SPDX-License-Identifier: Apache-2.0 */
/* engine/piece_check.c - checks that parts are connected, see engine/piece_check.h.  Pieces of
 * a part are counted by search (evaluate/pieces.c), the components it intersects by a sweep
 * over the vertices sorted by component. */
#include "engine/piece_check.h"

#include "evaluate/evaluate.h"
#include "graph/topology.h"

/* Vertices sorted by component: order[start[c] .. start[c + 1]). */
static void bucket(int32_t nvtx, int32_t count, const int32_t *component, int32_t *start,
                   int32_t *order)
{
    for (int32_t v = 0; v < nvtx; v++)
        start[component[v] + 1]++;
    for (int32_t c = 0; c < count; c++)
        start[c + 1] += start[c];
    for (int32_t v = 0; v < nvtx; v++)
        order[start[component[v]]++] = v;
}

/* Subtracts one from pieces for each component that a part intersects. */
static void discount(int32_t nvtx, const int32_t *order, const int32_t *component,
                     const int32_t *part, int32_t *last, int32_t *pieces)
{
    for (int32_t i = 0; i < nvtx; i++) {
        int32_t v = order[i], p = part[v];
        if (last[p] == component[v] + 1)
            continue;
        last[p] = component[v] + 1;
        pieces[p]--;
    }
}

/* Parts of one piece each need no further check. */
static bool are_single(int32_t nparts, int32_t *pieces)
{
    for (int32_t p = 0; p < nparts; p++)
        if (pieces[p] > 1)
            return false;
    for (int32_t p = 0; p < nparts; p++)
        pieces[p] = 0;
    return true;
}

static cleave_status count_excess(const clv_graph *g, int32_t nparts, const int32_t *part,
                                  clv_ws *ws, int32_t *pieces, cleave_error *err)
{
    int32_t count, total;
    int32_t *component = clv_ws_alloc(ws, g->nvtx, sizeof *component);
    int32_t *order = clv_ws_alloc(ws, g->nvtx, sizeof *order);
    int32_t *last = clv_ws_zalloc(ws, nparts, sizeof *last);
    if (!component || !order || !last)
        return clv_fail_memory(err);
    CLV_TRY(clv_evaluate_pieces(g, nparts, part, ws, &total, pieces, err));
    if (are_single(nparts, pieces))
        return CLEAVE_OK;
    CLV_TRY(clv_topology_components(g, ws, component, &count, err));
    int32_t *start = clv_ws_zalloc(ws, (int64_t)count + 1, sizeof *start);
    if (!start)
        return clv_fail_memory(err);
    bucket(g->nvtx, count, component, start, order);
    discount(g->nvtx, order, component, part, last, pieces);
    return CLEAVE_OK;
}

cleave_status clv_piece_check(const clv_graph *g, int32_t nparts, const int32_t *part,
                              clv_ws *ws, int32_t *where, int32_t *pieces, cleave_error *err)
{
    clv_ws_mark mark = clv_ws_save(ws);
    int32_t *excess = clv_ws_alloc(ws, nparts, sizeof *excess);
    cleave_status status =
        excess ? count_excess(g, nparts, part, ws, excess, err) : clv_fail_memory(err);
    *where = *pieces = 0;
    for (int32_t p = 0; status == CLEAVE_OK && p < nparts; p++)
        if (excess[p] > *pieces) {
            *pieces = excess[p];
            *where = p;
        }
    clv_ws_restore(ws, mark);
    return status;
}
