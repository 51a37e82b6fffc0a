/* SPDX-License-Identifier: Apache-2.0 */
/* refine/state/ranks.c - see refine/state/ranks.h. */
#include "refine/state/ranks.h"

#include "base/group.h"
#include "base/rng.h"
#include "graph/priority_order.h"

typedef struct part_members {
    clv_key_groups by; /* vertices by part */
    int32_t *seen;     /* by part: the last mark with which it was listed */
} part_members;

/* Lists the parts that part p has arcs to, in adj if it is not NULL; returns their number.
 * mark: another one for each call. */
static int64_t list_next(const clv_partition_state *s, const part_members *m, int32_t p,
                         int32_t mark, int32_t *adj)
{
    const clv_graph *g = s->g;
    const int32_t *start = m->by.first, *vertex = m->by.member;
    int32_t *seen = m->seen;
    int64_t count = 0;
    for (int32_t i = start[p]; i < start[p + 1]; i++)
        for (int64_t a = g->xadj[vertex[i]]; a < g->xadj[vertex[i] + 1]; a++) {
            int32_t q = s->part[g->adj[a]];
            if (q == p || seen[q] == mark)
                continue;
            seen[q] = mark;
            if (adj)
                adj[count] = q;
            count++;
        }
    return count;
}

cleave_status clv_ranks_quotient(const clv_partition_state *s, clv_part_arcs *arcs, clv_ws *ws,
                                 cleave_error *err)
{
    int32_t k = s->bounds.nparts;
    arcs->xadj = clv_ws_alloc(ws, (int64_t)k + 1, sizeof *arcs->xadj);
    part_members m = {.seen = clv_ws_zalloc(ws, k, sizeof *m.seen)};
    if (!arcs->xadj || !m.seen)
        return clv_fail_memory(err);
    CLV_TRY(clv_key_groups_make(&m.by, s->g->nvtx, s->part, k, ws, err));
    arcs->xadj[0] = 0;
    for (int32_t p = 0; p < k; p++)
        arcs->xadj[p + 1] = arcs->xadj[p] + list_next(s, &m, p, p + 1, NULL);
    arcs->adj = clv_ws_alloc(ws, arcs->xadj[k], sizeof *arcs->adj);
    if (!arcs->adj)
        return clv_fail_memory(err);
    for (int32_t p = 0; p < k; p++)
        list_next(s, &m, p, -1 - p, arcs->adj + arcs->xadj[p]);
    return CLEAVE_OK;
}

static cleave_status order_parts(const clv_partition_state *s, uint64_t seed, clv_ws *ws,
                                 int32_t *order, bool *acyclic, cleave_error *err)
{
    clv_part_arcs arcs;
    CLV_TRY(clv_ranks_quotient(s, &arcs, ws, err));
    int64_t *lot = seed ? clv_ws_alloc(ws, s->bounds.nparts, sizeof *lot) : NULL;
    if (seed && !lot)
        return clv_fail_memory(err);
    for (int32_t p = 0; lot && p < s->bounds.nparts; p++)
        lot[p] = (int64_t)(clv_hash64(seed ^ (uint64_t)(uint32_t)p) >> 1);
    return clv_priority_order(s->bounds.nparts, arcs.xadj, arcs.adj, lot, ws, order, acyclic,
                              err);
}

cleave_status clv_ranks_make(clv_partition_state *s, uint64_t seed, clv_ws *ws, bool *acyclic,
                             cleave_error *err)
{
    clv_ws_mark mark = clv_ws_save(ws);
    int32_t *order = clv_ws_alloc(ws, s->bounds.nparts, sizeof *order);
    if (!order)
        return clv_fail_memory(err);
    cleave_status status = order_parts(s, seed, ws, order, acyclic, err);
    for (int32_t i = 0; status == CLEAVE_OK && i < s->bounds.nparts; i++)
        s->rank[*acyclic ? order[i] : i] = i;
    clv_ws_restore(ws, mark);
    return status;
}

bool clv_ranks_hold(const clv_partition_state *s)
{
    const clv_graph *g = s->g;
    for (int32_t v = 0; v < g->nvtx; v++)
        for (int64_t a = g->xadj[v]; a < g->xadj[v + 1]; a++)
            if (s->rank[s->part[v]] > s->rank[s->part[g->adj[a]]])
                return false;
    return true;
}
