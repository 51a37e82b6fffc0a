/* SPDX-License-Identifier: Apache-2.0 */
/* engine/mapping/front_mapping.c - see engine/mapping/front_mapping.h. */
#include "engine/mapping/front_mapping.h"

#include "engine/task_normalise.h"
#include "evaluate/traffic.h"

enum {
    many_times = 8, /* PEs per vertex from which the machine is reduced to a domain */
    room = 2        /* least number of PEs per vertex in the domain */
};

bool clv_front_applies(const clv_map_request *request)
{
    const cleave_constraints *c = &request->constraints;
    const clv_target *t = request->t;
    if (!clv_target_has_distances(t) || t->npes <= clv_most_tabled || !t->equal ||
        request->g->kind != CLEAVE_UNDIRECTED)
        return false;
    if (c->fixed || c->groups || c->shares || c->imbalance || c->min || c->max || c->start)
        return false;
    return t->npes / many_times > request->g->nvtx;
}

cleave_status clv_front_normalise(clv_map_job *job, cleave_error *err)
{
    const clv_map_request *request = job->request;
    clv_map_request alike = *request;
    clv_target flat = {
        .npes = request->t->npes, .equal = true, .per_node = 1, .shape = &clv_shape_equal};
    alike.t = &flat;
    job->request = &alike;
    cleave_status status = clv_normalise_request(job, err);
    job->request = request;
    job->numbered = true;
    return status == CLEAVE_OK ? clv_check_costs(request->g, request->t, NULL, err) : status;
}

/* The smallest first domain that is large enough. */
static clv_domain find_front(const clv_target *t, int64_t nvtx)
{
    clv_domain d = t->shape->root(t), half[2];
    while (t->shape->bipartition(t, d, half) && t->shape->pes(t, half[0]) >= room * nvtx)
        d = half[0];
    return d;
}

/* Lists the PEs of the domain in the order of the recursive halving. */
static cleave_status list_front(const clv_target *t, clv_domain d, int32_t *list, clv_ws *ws,
                                cleave_error *err)
{
    int32_t count = 0, depth = 0;
    clv_domain half[2];
    clv_ws_mark mark = clv_ws_save(ws);
    clv_domain *stack = clv_ws_alloc(ws, t->shape->pes(t, d) + INT64_C(1), sizeof *stack);
    if (!stack)
        return clv_fail_memory(err);
    stack[depth++] = d;
    while (depth > 0) {
        d = stack[--depth];
        if (t->shape->bipartition(t, d, half)) {
            stack[depth++] = half[1];
            stack[depth++] = half[0];
        } else {
            list[count++] = t->shape->pe(t, d);
        }
    }
    clv_ws_restore(ws, mark);
    return CLEAVE_OK;
}

/* Makes a target of the listed PEs.  It must not outlive the whole machine. */
static cleave_status make_front(clv_target **out, const clv_target *t, int32_t count,
                                const int32_t *list, cleave_error *err)
{
    clv_target *whole = clv_target_open(t->shape, t->npes);
    *out = NULL;
    if (!whole)
        return clv_fail_memory(err);
    *whole = *t;
    whole->arena = (clv_arena){0}; /* remains with its owner */
    return clv_target_sub(out, whole, count, list, err);
}

static cleave_status map_onto_front(clv_map_job *job, const clv_target *front,
                                    const int32_t *list, int32_t *part, cleave_error *err)
{
    clv_map_request request = *job->request;
    request.t = front;
    clv_map_job inner = {.request = &request, .ctx = job->ctx};
    CLV_TRY(clv_pipeline_map(&inner, part, err));
    job->stats = inner.stats;
    for (int32_t v = 0; v < request.g->nvtx; v++)
        part[v] = list[part[v]];
    return CLEAVE_OK;
}

/* Takes the mapping by vertex number over the whole machine if that is better. */
static cleave_status prefer_identity(const clv_map_job *job, int32_t *part, cleave_error *err)
{
    const clv_graph *g = job->request->g;
    const clv_target *t = job->request->t;
    clv_ws *ws = &job->ctx->ws[0];
    int64_t cost, identity;
    if (job->request->opt.objective == CLEAVE_OBJECTIVE_CONGESTION)
        return CLEAVE_OK;
    CLV_TRY(clv_evaluate_cost_of(g, t, part, ws, &cost, err));
    CLV_TRY(clv_evaluate_cost_identity(g, t, ws, &identity, NULL, err));
    if (identity < cost)
        clv_evaluate_identity(g->nvtx, t->npes, part);
    return CLEAVE_OK;
}

cleave_status clv_front_search(clv_map_job *job, int32_t *part, cleave_error *err)
{
    const clv_target *t = job->request->t;
    clv_ws *ws = &job->ctx->ws[0];
    clv_target *front;
    clv_ws_mark mark = clv_ws_save(ws);
    clv_domain d = find_front(t, job->request->g->nvtx);
    int32_t count = t->shape->pes(t, d);
    int32_t *list = clv_ws_alloc(ws, count, sizeof *list);
    if (!list)
        return clv_fail_memory(err);
    CLV_TRY(list_front(t, d, list, ws, err));
    CLV_TRY(make_front(&front, t, count, list, err));
    cleave_status status = map_onto_front(job, front, list, part, err);
    clv_ws_restore(ws, mark);
    clv_target_free(front);
    return status == CLEAVE_OK ? prefer_identity(job, part, err) : status;
}
