/* SPDX-License-Identifier: Apache-2.0 */
/* engine/piece_check.c - checks that parts are connected, see engine/piece_check.h.  Pieces of
 * a part are counted by search (evaluate/pieces.c), the components it intersects by a sweep
 * over the vertices sorted by component. */
#include "engine/piece_check.h"

#include "base/group.h"
#include "evaluate/evaluate.h"
#include "graph/topology.h"

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
    int32_t *last = clv_ws_zalloc(ws, nparts, sizeof *last);
    if (!component || !last)
        return clv_fail_memory(err);
    CLV_TRY(
        clv_evaluate_pieces(&(clv_parted_graph){g, nparts, part}, ws, &total, pieces, err));
    if (are_single(nparts, pieces))
        return CLEAVE_OK;
    CLV_TRY(clv_topology_components(g, ws, component, &count, err));
    clv_key_groups by;
    CLV_TRY(clv_key_groups_make(&by, g->nvtx, component, count, ws, err));
    discount(g->nvtx, by.member, component, part, last, pieces);
    return CLEAVE_OK;
}

cleave_status clv_piece_check(const clv_graph *g, int32_t nparts, const int32_t *part,
                              clv_ws *ws, clv_piece_excess *largest, cleave_error *err)
{
    clv_ws_mark mark = clv_ws_save(ws);
    int32_t *excess = clv_ws_alloc(ws, nparts, sizeof *excess);
    cleave_status status =
        excess ? count_excess(g, nparts, part, ws, excess, err) : clv_fail_memory(err);
    *largest = (clv_piece_excess){0, 0};
    for (int32_t p = 0; status == CLEAVE_OK && p < nparts; p++)
        if (excess[p] > largest->pieces)
            *largest = (clv_piece_excess){p, excess[p]};
    clv_ws_restore(ws, mark);
    return status;
}
