/* SPDX-License-Identifier: Apache-2.0 */
/* api/map_compact.c - few vertices onto very many PEs; see api/map_run.h.
 *
 * A vertex that has a PE of its own is best near its neighbours: all of them go into one
 * domain of the machine that has a few times as many PEs as there are vertices.  Searching
 * there costs by the vertices; the whole machine is only walked through to number its PEs. */
#include <string.h>

#include "api/map_run.h"
#include "evaluate/traffic.h"

enum {
    many_times = 8, /* PEs per vertex from which on the machine is too large */
    room = 2        /* PEs per vertex that the domain has at least */
};

bool clv_map_run_is_sparse(const clv_map_run *run)
{
    const clv_map_request *request = run->request;
    const cleave_constraints *c = &request->constraints;
    const clv_machine *m = &run->machine;
    if (!m->t || m->table || !m->t->equal || request->g->kind != CLEAVE_UNDIRECTED)
        return false;
    if (c->fixed || c->groups || c->shares || c->imbalance || c->min || c->max || c->start)
        return false;
    return m->npes / many_times > request->g->nvtx;
}

/* PEs of the smallest domain at the front of the places that has room. */
static int32_t count_front(const clv_target *t, int64_t nvtx)
{
    clv_domain d = t->shape->root(t), half[2];
    while (t->shape->bipartition(t, d, half) && t->shape->pes(t, half[0]) >= room * nvtx)
        d = half[0];
    return t->shape->pes(t, d);
}

/* The first PEs by place as a target of their own, which lives no longer than the whole. */
static cleave_status make_front(clv_target **out, const clv_machine *m, int32_t count,
                                cleave_error *err)
{
    clv_target *whole = clv_target_open(m->t->shape, m->npes);
    *out = NULL;
    if (!whole)
        return clv_fail_memory(err);
    *whole = *m->t;
    whole->arena = (clv_arena){0}; /* stays with its owner */
    return clv_target_sub(out, whole, count, m->pe, err);
}

static cleave_status search_front(clv_map_run *run, const clv_target *front, int32_t *part,
                                  cleave_error *err)
{
    clv_map_request request = *run->request;
    request.t = front;
    clv_map_run inner = {.request = &request, .ctx = run->ctx};
    CLV_TRY(clv_map_run_prepare(&inner, err));
    CLV_TRY(clv_map_run_search(&inner, part, err));
    run->stats = inner.stats;
    for (int32_t v = 0; v < request.g->nvtx; v++)
        part[v] = run->machine.pe[part[v]];
    return CLEAVE_OK;
}

/* No worse than following the numbers over the whole machine. */
static cleave_status heed_identity(const clv_map_run *run, int32_t *part, cleave_error *err)
{
    const clv_graph *g = run->request->g;
    const clv_target *t = run->request->t;
    clv_ws *ws = &run->ctx->ws[0];
    int64_t cost, identity;
    if (run->request->opt.objective == CLEAVE_OBJECTIVE_CONGESTION)
        return CLEAVE_OK;
    CLV_TRY(clv_evaluate_cost_of(g, t, part, ws, &cost, NULL, NULL, err));
    CLV_TRY(clv_evaluate_cost_identity(g, t, ws, &identity, NULL, err));
    if (identity < cost)
        clv_evaluate_identity(g->nvtx, t->npes, part);
    return CLEAVE_OK;
}

cleave_status clv_map_run_compact(clv_map_run *run, int32_t *part, cleave_error *err)
{
    clv_target *front;
    clv_ws *ws = &run->ctx->ws[0];
    CLV_TRY(make_front(&front, &run->machine,
                       count_front(run->machine.t, run->request->g->nvtx), err));
    clv_ws_mark mark = clv_ws_save(ws);
    cleave_status status = search_front(run, front, part, err);
    clv_ws_restore(ws, mark);
    clv_target_free(front);
    return status == CLEAVE_OK ? heed_identity(run, part, err) : status;
}
