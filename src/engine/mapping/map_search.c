/* SPDX-License-Identifier: Apache-2.0 */
/* engine/mapping/map_search.c - k-way, dual recursive bipartitioning and multisection, see
 * engine/mapping/map_search.h. */
#include "engine/mapping/map_search.h"

#include <string.h>

#include "base/rng.h"
#include "engine/mapping/place_parts.h"
#include "engine/order/line_parts.h"
#include "refine/balance/acyclic_balance.h"
#include "refine/balance/rebalance.h"
#include "refine/placement/placement.h"

/* ---- Along the machine ------------------------------------------------------------------ */

/* Divides recursively along the machine, rebalances if necessary and evaluates.  A division
 * that ended early can be worse than intervals of a line. */
static cleave_status divide(const clv_method_task *task, const clv_division *how,
                            clv_search_result *result, cleave_error *err)
{
    clv_context *ctx = task->ctx;
    double before = clv_clock();
    bool replaced;
    CLV_TRY(clv_recursive_division(&task->t, &task->preset, how, ctx, task->part, err));
    if (clv_context_is_stopped(ctx) && task->t.g->kind == CLEAVE_UNDIRECTED)
        CLV_TRY(clv_line_replace(&task->t, ctx, task->part, &replaced, err));
    clv_partition_state s;
    clv_ws_mark mark = clv_ws_save(ctx->ws);
    CLV_TRY(clv_multilevel_state(&s, &task->t, task->part, ctx, err));
    if (!s.rank)
        CLV_TRY(clv_rebalance(&s, ctx, err));
    else
        CLV_TRY(clv_acyclic_balance(&s, ctx, err));
    *result = (clv_search_result){.runs = 1};
    result->last = (clv_multilevel_result){
        .worth = clv_state_worth(&s), .levels = 1, .initial = clv_clock() - before};
    clv_ws_restore(ctx->ws, mark);
    return CLEAVE_OK;
}

cleave_status clv_partition_multisection(const clv_method_task *task,
                                         clv_search_result *result, cleave_error *err)
{
    static const clv_division groups = {.policy = CLV_POLICY_LEVEL, .groups = true};
    clv_context *ctx = task->ctx;
    int64_t n = task->t.g->nvtx;
    clv_method_task once = *task;
    once.preset = clv_preset_for_groups(&task->preset);
    clv_preset light = clv_preset_after_groups(&task->preset);
    clv_ws_mark mark = clv_ws_save(ctx->ws);
    int32_t *start = once.part = clv_ws_alloc(ctx->ws, n, sizeof *start);
    if (!start)
        return clv_fail_memory(err);
    clv_search_result first;
    CLV_TRY(divide(&once, &groups, &first, err));
    if (clv_context_stop(ctx) && first.last.worth.overload == 0) {
        memcpy(task->part, start, (size_t)n * sizeof *start);
        *result = first;
    } else {
        clv_multilevel_task again = task->t;
        again.start = start;
        CLV_TRY(clv_search(&again, &light, ctx, task->part, result, err));
        result->last.initial += first.last.initial;
    }
    clv_ws_restore(ctx->ws, mark);
    return CLEAVE_OK;
}

cleave_status clv_partition_drb(const clv_method_task *task, clv_search_result *result,
                                cleave_error *err)
{
    clv_division halves = {.policy = task->method->policy};
    return divide(task, &halves, result, err);
}

/* PEs.  With so few, one bad division is a large share of the cost: bench/RESULTS.md,
 * "Mapping" (bump onto lists of 5 PEs).  The number is not tuned. */
enum { few_places = 16 };

/* ---- All parts at once, from several starts --------------------------------------------- */

/* Several candidate mappings; the best so far is in task->part. */
typedef struct rivals {
    const clv_method_task *task;
    int32_t *other;        /* part array of the candidate */
    clv_search_result *is; /* of the best; times are the sum over all candidates */
} rivals;

static void keep_better(rivals *r, const clv_search_result *other)
{
    bool better = clv_worth_better(other->last.worth, r->is->last.worth);
    clv_search_count(r->is, &other->last);
    if (!better)
        return;
    r->is->last.worth = other->last.worth;
    memcpy(r->task->part, r->other, (size_t)r->task->t.g->nvtx * sizeof *r->other);
}

/* Partitions for equidistant PEs and then places the parts: distances do not prevent the
 * shortest boundaries. */
static cleave_status try_plain(rivals *r, cleave_error *err)
{
    clv_context *ctx = r->task->ctx;
    clv_multilevel_task plain = r->task->t, again = r->task->t;
    clv_preset less = clv_preset_without_population(&r->task->preset);
    clv_search_result first, second;
    int32_t *start = clv_ws_alloc(ctx->ws, plain.g->nvtx, sizeof *start);
    if (!start)
        return clv_fail_memory(err);
    plain.machine = NULL;
    CLV_TRY(clv_search(&plain, &less, ctx, start, &first, err));
    again.start = start;
    CLV_TRY(clv_search(&again, &less, ctx, r->other, &second, err));
    clv_search_count(r->is, &first.last);
    keep_better(r, &second);
    return CLEAVE_OK;
}

static cleave_status try_independent_runs(rivals *r, cleave_error *err)
{
    enum { stage_apart = 502 };
    clv_context *ctx = r->task->ctx;
    uint64_t seed = ctx->seed;
    cleave_status status = CLEAVE_OK;
    for (int32_t i = 1; i < r->task->preset.search.independent_runs && status == CLEAVE_OK;
         i++) {
        clv_search_result other;
        clv_rng rng = clv_rng_make(seed, stage_apart, 0, (uint64_t)i);
        ctx->seed = clv_rng_u64(&rng);
        if (clv_context_stop(ctx))
            break;
        status = clv_search(&r->task->t, &r->task->preset, ctx, r->other, &other, err);
        if (status == CLEAVE_OK)
            keep_better(r, &other);
    }
    ctx->seed = seed;
    return status;
}

cleave_status clv_partition_kway(const clv_method_task *task, clv_search_result *result,
                                 cleave_error *err)
{
    clv_context *ctx = task->ctx;
    rivals r = {.task = task, .is = result};
    CLV_TRY(clv_search(&task->t, &task->preset, ctx, task->part, result, err));
    if (!task->t.machine || task->t.start || clv_context_stop(ctx))
        return CLEAVE_OK;
    clv_ws_mark mark = clv_ws_save(ctx->ws);
    r.other = clv_ws_alloc(ctx->ws, task->t.g->nvtx, sizeof *r.other);
    if (!r.other)
        return clv_fail_memory(err);
    bool few_parts =
        task->preset.search.independent_runs > 0 && task->t.bounds.nparts <= few_places;
    if (task->preset.search.plain || few_parts)
        CLV_TRY(try_plain(&r, err));
    if (few_parts)
        CLV_TRY(try_independent_runs(&r, err));
    clv_ws_restore(ctx->ws, mark);
    return CLEAVE_OK;
}

cleave_status clv_partition_hierarchy(const clv_method_task *task, clv_search_result *result,
                                      cleave_error *err)
{
    clv_context *ctx = task->ctx;
    rivals r = {.task = task, .is = result};
    clv_method_task kway = *task;
    clv_search_result other;
    CLV_TRY(clv_partition_multisection(task, result, err));
    if (task->t.bounds.nparts > few_places || task->preset.search.independent_runs == 0 ||
        clv_context_stop(ctx))
        return CLEAVE_OK;
    clv_ws_mark mark = clv_ws_save(ctx->ws);
    kway.part = r.other = clv_ws_alloc(ctx->ws, task->t.g->nvtx, sizeof *r.other);
    if (!r.other)
        return clv_fail_memory(err);
    CLV_TRY(clv_partition_kway(&kway, &other, err));
    keep_better(&r, &other);
    clv_ws_restore(ctx->ws, mark);
    return CLEAVE_OK;
}

/* ---- Efforts are nested ----------------------------------------------------------------- */

cleave_status clv_try_lower_effort(clv_method_function *search, const clv_method_task *task,
                                   clv_search_result *result, cleave_error *err)
{
    clv_context *ctx = task->ctx;
    rivals r = {.task = task, .is = result};
    clv_method_task less = *task;
    clv_search_result other;
    less.effort = clv_preset_nested_effort(task->effort);
    if (less.effort == task->effort || !task->t.machine || task->t.start ||
        task->t.g->kind == CLEAVE_DAG || clv_context_stop(ctx))
        return CLEAVE_OK;
    less.preset = clv_preset_for_partition(less.effort, CLEAVE_UNDIRECTED, true,
                                           task->preset.coarsening.spare_weak);
    clv_ws_mark mark = clv_ws_save(ctx->ws);
    less.part = r.other = clv_ws_alloc(ctx->ws, task->t.g->nvtx, sizeof *r.other);
    if (!r.other)
        return clv_fail_memory(err);
    CLV_TRY(search(&less, &other, err));
    keep_better(&r, &other);
    clv_ws_restore(ctx->ws, mark);
    return CLEAVE_OK;
}

/* ---- One vertex per place --------------------------------------------------------------- */

/* Recursive bisection with unit vertex weights down to single vertices: each place that may
 * hold vertices gets one, as long as there are any. */
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
    CLV_TRY(clv_recursive_division(&singles, clv_preset_of(effort, CLEAVE_UNDIRECTED), &halves,
                                   ctx, part, err));
    *done = true;
    for (int32_t v = 0; v < n; v++)
        *done = *done && ++count[part[v]] <= singles.bounds.max[part[v]];
    return CLEAVE_OK;
}

/* Exchanges whole parts, which are single vertices; *is becomes the result. */
static cleave_status exchange_parts(const clv_multilevel_task *task, cleave_effort effort,
                                    clv_context *ctx, int32_t *part, clv_worth *is,
                                    cleave_error *err)
{
    clv_partition_state s;
    bool acyclic;
    clv_placement_params params = clv_preset_placement_of_vertices(effort);
    CLV_TRY(clv_place_state(&s, task, part, ctx, &acyclic, err));
    CLV_TRY(clv_placement_kway(&s, &params, ctx, err));
    *is = clv_state_worth(&s);
    return CLEAVE_OK;
}

/* part assigns each vertex its own place.  Improves it from there, and from a recursive
 * bisection down to single vertices if no vertex is fixed. */
static cleave_status improve_singles(const clv_multilevel_task *task, cleave_effort effort,
                                     clv_context *ctx, int32_t *part, cleave_error *err)
{
    clv_worth is, other_is;
    bool done = false;
    int32_t *other = clv_ws_alloc(ctx->ws, task->g->nvtx, sizeof *other);
    if (!other)
        return clv_fail_memory(err);
    if (!task->fixed && task->g->kind == CLEAVE_UNDIRECTED)
        CLV_TRY(bisect_to_singles(task, effort, ctx, other, &done, err));
    if (done)
        CLV_TRY(exchange_parts(task, effort, ctx, other, &other_is, err));
    CLV_TRY(exchange_parts(task, effort, ctx, part, &is, err));
    if (done && clv_worth_better(other_is, is))
        memcpy(part, other, (size_t)task->g->nvtx * sizeof *part);
    return CLEAVE_OK;
}

cleave_status clv_spread_singles(const clv_method_task *task, clv_search_result *result,
                                 cleave_error *err)
{
    clv_ws_mark mark = clv_ws_save(task->ctx->ws);
    *result = (clv_search_result){.runs = 1, .last.levels = 1};
    memcpy(task->part, task->t.start, (size_t)task->t.g->nvtx * sizeof *task->part);
    CLV_TRY(improve_singles(&task->t, task->effort, task->ctx, task->part, err));
    clv_ws_restore(task->ctx->ws, mark);
    return CLEAVE_OK;
}
