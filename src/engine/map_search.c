/* SPDX-License-Identifier: Apache-2.0 */
/* engine/map_search.c - see engine/map_search.h. */
#include "engine/map_search.h"

#include <string.h>

#include "base/rng.h"
#include "engine/line_parts.h"
#include "evaluate/traffic.h"
#include "refine/acyclic_balance.h"
#include "refine/placement.h"
#include "refine/ranks.h"
#include "refine/rebalance.h"

/* ---- Methods ---------------------------------------------------------------------------- */

/* Divided along the machine, within the bounds where that can be, and judged. */
static cleave_status divide(const clv_multilevel_task *task, const clv_effort *effort,
                            const clv_division *how, clv_context *ctx, int32_t *part,
                            clv_search_result *result, cleave_error *err)
{
    double before = clv_clock();
    CLV_TRY(clv_divide(task, effort, how, ctx, part, err));
    clv_kway s;
    clv_ws_mark mark = clv_ws_save(ctx->ws);
    CLV_TRY(clv_multilevel_state(&s, task, part, ctx, err));
    if (!s.rank)
        CLV_TRY(clv_rebalance(&s, ctx, err));
    else
        CLV_TRY(clv_acyclic_balance(&s, ctx, err));
    *result = (clv_search_result){.runs = 1};
    result->last = (clv_multilevel_result){.overload = clv_kway_overload(&s),
                                           .cut = s.cut,
                                           .levels = 1,
                                           .initial = clv_clock() - before};
    clv_ws_restore(ctx->ws, mark);
    return CLEAVE_OK;
}

static cleave_status multisection(const clv_multilevel_task *task, const clv_effort *effort,
                                  clv_context *ctx, int32_t *part, clv_search_result *result,
                                  cleave_error *err)
{
    static const clv_division groups = {.policy = CLV_POLICY_LEVEL, .groups = true};
    clv_effort once = *effort, light = *effort;
    once.cycles = once.population = 0;
    /* Along the groups whole parts are where they belong: annealing brought nothing. */
    light.placing = (clv_placement_params){.starts = 1, .rounds = 1};
    clv_ws_mark mark = clv_ws_save(ctx->ws);
    int32_t *start = clv_ws_alloc(ctx->ws, task->g->nvtx, sizeof *start);
    if (!start)
        return clv_fail_memory(err);
    clv_search_result first;
    CLV_TRY(divide(task, &once, &groups, ctx, start, &first, err));
    if (clv_context_stop(ctx) && first.last.overload == 0) {
        memcpy(part, start, (size_t)task->g->nvtx * sizeof *part);
        *result = first;
    } else {
        clv_multilevel_task again = *task;
        again.start = start;
        CLV_TRY(clv_search(&again, &light, ctx, part, result, err));
        result->last.initial += first.last.initial;
    }
    clv_ws_restore(ctx->ws, mark);
    return CLEAVE_OK;
}

enum { few_places = 16 }; /* one unlucky division is much of the cost there */

/* ---- All parts at once, from several starts --------------------------------------------- */

typedef struct rivals {
    const clv_multilevel_task *task;
    const clv_effort *effort;
    clv_context *ctx;
    int32_t *best, *other; /* part arrays */
    clv_search_result *is; /* of best; its times are those of all */
} rivals;

static void keep_better(rivals *r, const clv_search_result *other)
{
    bool better = clv_search_better(&other->last, &r->is->last);
    clv_search_count(r->is, &other->last);
    if (!better)
        return;
    r->is->last.overload = other->last.overload;
    r->is->last.cut = other->last.cut;
    memcpy(r->best, r->other, (size_t)r->task->g->nvtx * sizeof *r->best);
}

/* From a partition for equal PEs, whose parts are placed: the machine is not in the way of the
 * shortest borders. */
static cleave_status try_plain(rivals *r, cleave_error *err)
{
    clv_multilevel_task plain = *r->task, again = *r->task;
    clv_effort less = *r->effort, climb = *r->effort;
    clv_search_result first, second;
    int32_t *start = clv_ws_alloc(r->ctx->ws, plain.g->nvtx, sizeof *start);
    if (!start)
        return clv_fail_memory(err);
    plain.machine = NULL;
    less.population = climb.population = 0;
    CLV_TRY(clv_search(&plain, &less, r->ctx, start, &first, err));
    again.start = start;
    CLV_TRY(clv_search(&again, &climb, r->ctx, r->other, &second, err));
    clv_search_count(r->is, &first.last);
    keep_better(r, &second);
    return CLEAVE_OK;
}

static cleave_status try_apart(rivals *r, cleave_error *err)
{
    enum { stage_apart = 502 };
    uint64_t seed = r->ctx->seed;
    cleave_status status = CLEAVE_OK;
    for (int32_t i = 1; i < r->effort->apart && status == CLEAVE_OK; i++) {
        clv_search_result other;
        clv_rng rng = clv_rng_make(seed, stage_apart, 0, (uint64_t)i);
        r->ctx->seed = clv_rng_u64(&rng);
        if (clv_context_stop(r->ctx))
            break;
        status = clv_search(r->task, r->effort, r->ctx, r->other, &other, err);
        if (status == CLEAVE_OK)
            keep_better(r, &other);
    }
    r->ctx->seed = seed;
    return status;
}

static cleave_status kway(const clv_multilevel_task *task, const clv_effort *effort,
                          clv_context *ctx, int32_t *part, clv_search_result *result,
                          cleave_error *err)
{
    rivals r = {.task = task, .effort = effort, .ctx = ctx, .best = part, .is = result};
    CLV_TRY(clv_search(task, effort, ctx, part, result, err));
    if (!task->machine || task->start || clv_context_stop(ctx))
        return CLEAVE_OK;
    clv_ws_mark mark = clv_ws_save(ctx->ws);
    r.other = clv_ws_alloc(ctx->ws, task->g->nvtx, sizeof *r.other);
    if (!r.other)
        return clv_fail_memory(err);
    bool few = effort->apart > 0 && task->bounds.nparts <= few_places;
    if (effort->plain || few)
        CLV_TRY(try_plain(&r, err));
    if (few)
        CLV_TRY(try_apart(&r, err));
    clv_ws_restore(ctx->ws, mark);
    return CLEAVE_OK;
}

/* Multisection and, where there are but a few PEs, the other way as well. */
static cleave_status hierarchical(const clv_multilevel_task *task, const clv_effort *effort,
                                  clv_context *ctx, int32_t *part, clv_search_result *result,
                                  cleave_error *err)
{
    rivals r = {.task = task, .effort = effort, .ctx = ctx, .best = part, .is = result};
    clv_search_result other;
    CLV_TRY(multisection(task, effort, ctx, part, result, err));
    if (task->bounds.nparts > few_places || effort->apart == 0 || clv_context_stop(ctx))
        return CLEAVE_OK;
    clv_ws_mark mark = clv_ws_save(ctx->ws);
    r.other = clv_ws_alloc(ctx->ws, task->g->nvtx, sizeof *r.other);
    if (!r.other)
        return clv_fail_memory(err);
    CLV_TRY(kway(task, effort, ctx, r.other, &other, err));
    keep_better(&r, &other);
    clv_ws_restore(ctx->ws, mark);
    return CLEAVE_OK;
}

cleave_status clv_map_search(const clv_multilevel_task *task, const clv_effort *effort,
                             const clv_method *method, clv_context *ctx, int32_t *part,
                             clv_search_result *result, cleave_error *err)
{
    clv_division halves = {.policy = method->policy};
    bool hierarchy = task->machine && task->machine->t->levels > 1;
    if (method->kind == CLV_METHOD_DRB)
        return divide(task, effort, &halves, ctx, part, result, err);
    if (method->kind == CLV_METHOD_MULTISECTION)
        return multisection(task, effort, ctx, part, result, err);
    if (method->kind == CLV_METHOD_AUTO && hierarchy && !task->start)
        return hierarchical(task, effort, ctx, part, result, err);
    return kway(task, effort, ctx, part, result, err);
}

/* ---- What there was before -------------------------------------------------------------- */

/* The state of part; ranks of a DAG's parts when they have an order, else *acyclic is false.
 */
static cleave_status open_state(clv_kway *s, const clv_multilevel_task *task, int32_t *part,
                                clv_context *ctx, bool *acyclic, cleave_error *err)
{
    *acyclic = true;
    CLV_TRY(clv_multilevel_state(s, task, part, ctx, err));
    return s->rank ? clv_ranks_make(s, 0, ctx->ws, acyclic, err) : CLEAVE_OK;
}

static cleave_status go_on_from(const clv_multilevel_task *task, cleave_effort effort,
                                const int32_t *start, clv_context *ctx, int32_t *part,
                                cleave_error *err)
{
    clv_search_result ignored;
    clv_multilevel_task again = *task;
    again.start = start;
    if (task->g->kind == CLEAVE_UNDIRECTED)
        return clv_search(&again, clv_effort_on_machine(effort), ctx, part, &ignored, err);
    memcpy(part, start, (size_t)task->g->nvtx * sizeof *part);
    return clv_map_place(task, effort, true, ctx, part, err);
}

/* Does a sample of the edges say that another mapping is worse? */
static bool looks_worse(const clv_multilevel_task *task, int32_t *other, int32_t *part)
{
    clv_kway s = {.g = task->g, .bounds = task->bounds, .machine = task->machine};
    s.part = other;
    double cost = clv_line_sample(&s);
    s.part = part;
    return 1.02 * cost >= clv_line_sample(&s); /* or hardly better */
}

cleave_status clv_map_heed_identity(const clv_multilevel_task *task, cleave_effort effort,
                                    clv_context *ctx, int32_t *part, cleave_error *err)
{
    const clv_machine *m = task->machine;
    int32_t n = task->g->nvtx;
    clv_kway now, before;
    bool acyclic;
    clv_ws_mark mark = clv_ws_save(ctx->ws);
    int32_t *identity = clv_ws_alloc(ctx->ws, n, sizeof *identity);
    if (!identity)
        return clv_fail_memory(err);
    clv_evaluate_identity(n, m->npes, identity);
    for (int32_t v = 0; v < n; v++)
        identity[v] = m->place[identity[v]];
    if (!clv_context_stop(ctx) || !looks_worse(task, identity, part)) {
        CLV_TRY(clv_multilevel_state(&now, task, part, ctx, err));
        CLV_TRY(open_state(&before, task, identity, ctx, &acyclic, err));
        bool better = clv_kway_overload(&now) > 0 || before.cut < now.cut;
        if (acyclic && clv_kway_overload(&before) == 0 && better)
            CLV_TRY(go_on_from(task, effort, identity, ctx, part, err));
    }
    clv_ws_restore(ctx->ws, mark);
    return CLEAVE_OK;
}

/* ---- Whole parts ------------------------------------------------------------------------ */

cleave_status clv_map_place(const clv_multilevel_task *task, cleave_effort effort, bool moves,
                            clv_context *ctx, int32_t *part, cleave_error *err)
{
    clv_kway s;
    clv_placement_params params = clv_placement_effort_parts(effort);
    clv_effort how = *clv_effort_of(effort, task->g->kind);
    bool acyclic = true, may_move = moves && !clv_context_stop(ctx);
    clv_ws_mark mark = clv_ws_save(ctx->ws);
    CLV_TRY(clv_multilevel_state(&s, task, part, ctx, err));
    if (s.rank && may_move)
        CLV_TRY(clv_ranks_make(&s, 0, ctx->ws, &acyclic, err));
    params = clv_placement_on(&params, task->machine);
    CLV_TRY(clv_placement_kway(&s, &params, ctx, err));
    how.reslices = 0; /* slices know no distances */
    if (may_move && s.rank && acyclic && !clv_context_stop(ctx))
        CLV_TRY(clv_improve(&s, &how, ctx, err));
    clv_ws_restore(ctx->ws, mark);
    return CLEAVE_OK;
}

cleave_status clv_map_relieve(const clv_multilevel_task *task, cleave_effort effort,
                              clv_context *ctx, int32_t *part, cleave_error *err)
{
    static const int32_t steps[] = {20, 100, 500, 2000};
    clv_kway s;
    bool acyclic;
    if (clv_context_stop(ctx))
        return CLEAVE_OK;
    clv_ws_mark mark = clv_ws_save(ctx->ws);
    CLV_TRY(open_state(&s, task, part, ctx, &acyclic, err));
    CLV_TRY(clv_placement_relieve_kway(&s, steps[effort], ctx, err));
    clv_ws_restore(ctx->ws, mark);
    return CLEAVE_OK;
}

/* ---- One vertex per place --------------------------------------------------------------- */

/* Bisection of the bare graph, vertex weights aside, into single vertices: each place that
 * may hold something takes one, as long as there are any. */
static cleave_status bisect_to_singles(const clv_multilevel_task *task, cleave_effort effort,
                                       clv_context *ctx, int32_t *part, bool *done,
                                       cleave_error *err)
{
    static const clv_division halves = {.policy = CLV_POLICY_SIZE};
    int32_t n = task->g->nvtx, k = task->bounds.nparts;
    clv_graph bare = *task->g;
    clv_multilevel_task singles = {.g = &bare, .machine = task->machine};
    int32_t *count = clv_ws_zalloc(ctx->ws, k, sizeof *count);
    if (!count)
        return clv_fail_memory(err);
    CLV_TRY(clv_bounds_singles(&singles.bounds, &task->bounds, n, ctx->ws, err));
    bare.ncon = 1;
    clv_graph_set_vwgts(&bare, (clv_weights){0});
    CLV_TRY(clv_divide(&singles, clv_effort_of(effort, CLEAVE_UNDIRECTED), &halves, ctx, part,
                       err));
    *done = true;
    for (int32_t v = 0; v < n; v++)
        *done = *done && ++count[part[v]] <= singles.bounds.max[part[v]];
    return CLEAVE_OK;
}

/* Exchanges whole parts, which are single vertices; *is becomes what that reaches. */
static cleave_status exchange(const clv_multilevel_task *task, cleave_effort effort,
                              clv_context *ctx, int32_t *part, clv_multilevel_result *is,
                              cleave_error *err)
{
    clv_kway s;
    bool acyclic;
    clv_placement_params params = clv_placement_effort(effort);
    CLV_TRY(open_state(&s, task, part, ctx, &acyclic, err));
    CLV_TRY(clv_placement_kway(&s, &params, ctx, err));
    *is = (clv_multilevel_result){.overload = clv_kway_overload(&s), .cut = s.cut};
    return CLEAVE_OK;
}

cleave_status clv_map_spread(const clv_multilevel_task *task, cleave_effort effort,
                             clv_context *ctx, int32_t *part, cleave_error *err)
{
    clv_multilevel_result is, other_is;
    bool done = false;
    clv_ws_mark mark = clv_ws_save(ctx->ws);
    int32_t *other = clv_ws_alloc(ctx->ws, task->g->nvtx, sizeof *other);
    if (!other)
        return clv_fail_memory(err);
    if (!task->fixed && task->g->kind == CLEAVE_UNDIRECTED)
        CLV_TRY(bisect_to_singles(task, effort, ctx, other, &done, err));
    if (done)
        CLV_TRY(exchange(task, effort, ctx, other, &other_is, err));
    CLV_TRY(exchange(task, effort, ctx, part, &is, err));
    if (done && clv_search_better(&other_is, &is))
        memcpy(part, other, (size_t)task->g->nvtx * sizeof *part);
    clv_ws_restore(ctx->ws, mark);
    return CLEAVE_OK;
}
