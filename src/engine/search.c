/* SPDX-License-Identifier: Apache-2.0 */
/* engine/search.c - see engine/search.h.
 *
 * V-cycles [Walshaw 2004]: coarsening keeps the borders of a solution, which then is the
 * first solution of the coarsest graph and is refined again on other levels.  Generations
 * (engine/generations.h) come after that at the highest effort. */
#include "engine/search.h"

#include <string.h>

#include "base/rng.h"
#include "engine/dag_starts.h"
#include "engine/generations.h"

enum { stage_search = 401 };

typedef struct searching {
    const clv_multilevel_task *task;
    const clv_effort *effort;
    clv_context *ctx;
    int32_t *klass;
    clv_search_result *result;
} searching;

bool clv_search_better(const clv_multilevel_result *a, const clv_multilevel_result *b)
{
    return a->overload != b->overload ? a->overload < b->overload : a->cut < b->cut;
}

void clv_search_count(clv_search_result *sum, const clv_multilevel_result *run)
{
    sum->last.coarsen += run->coarsen;
    sum->last.initial += run->initial;
    sum->last.refine += run->refine;
    if (run->levels > sum->last.levels)
        sum->last.levels = run->levels;
    sum->runs++;
}

/* ---- One run ---------------------------------------------------------------------------- */

static cleave_status run(searching *x, const clv_multilevel_task *task, clv_solution *out,
                         cleave_error *err)
{
    uint64_t seed = x->ctx->seed;
    clv_rng rng = clv_rng_make(seed, stage_search, (uint64_t)x->result->runs, 0);
    x->ctx->seed = clv_rng_u64(&rng);
    cleave_status status = clv_multilevel(task, x->effort, x->ctx, out->part, &out->is, err);
    x->ctx->seed = seed;
    if (status == CLEAVE_OK)
        clv_search_count(x->result, &out->is);
    return status;
}

clv_multilevel_task clv_search_cycle(const clv_multilevel_task *task, const int32_t *a,
                                     const int32_t *b, int32_t *klass)
{
    clv_multilevel_task cycle = *task;
    for (int32_t v = 0; v < task->g->nvtx; v++) {
        /* With very many parts pairs have no number of their own: the borders of a are kept
         * alone. */
        uint32_t both = (uint32_t)a[v];
        if (b && task->nparts < 32768)
            both = both * (uint32_t)task->nparts + (uint32_t)b[v];
        klass[v] = (int32_t)(both * 2 + (task->fixed && task->fixed[v] >= 0));
    }
    cycle.start = a;
    cycle.klass = klass;
    return cycle;
}

static void keep_better(clv_solution *best, clv_solution *other)
{
    if (!clv_search_better(&other->is, &best->is))
        return;
    clv_solution swap = *best;
    *best = *other;
    *other = swap;
}

/* A climb from start, which may be best itself; the better of the two ends up in best. */
static cleave_status climb(searching *x, const clv_solution *start, clv_solution *best,
                           clv_solution *other, cleave_error *err)
{
    clv_multilevel_task task = clv_search_cycle(x->task, start->part, NULL, x->klass);
    CLV_TRY(run(x, &task, other, err));
    keep_better(best, other);
    return CLEAVE_OK;
}

/* ---- DAGs: several starts --------------------------------------------------------------- */

/* Only acyclic steps are allowed on the way, so much depends on where a climb starts: at the
 * engine's own first solution, at a partition that knew no directions, or at slices of a
 * topological order of the whole graph. */
typedef cleave_status start_maker(const clv_multilevel_task *task, const clv_effort *effort,
                                  clv_context *ctx, clv_solution *start, cleave_error *err);

static cleave_status try_starts(searching *x, clv_solution *best, clv_solution *other,
                                cleave_error *err)
{
    /* Slices first: they are there soon, should time be short. */
    static start_maker *const makers[] = {clv_sliced_start, clv_underlying_start};
    const clv_effort *e = x->effort;
    int32_t wanted[] = {e->sliced, e->underlying};
    int64_t n = x->task->g->nvtx;
    clv_solution first = {.is.overload = INT64_MAX}, next = first;
    first.part = clv_ws_alloc(x->ctx->ws, n, sizeof *first.part);
    next.part = clv_ws_alloc(x->ctx->ws, n, sizeof *next.part);
    if (!first.part || !next.part)
        return clv_fail_memory(err);
    for (int i = 0; i < 2; i++) {
        bool have_one = best->is.overload == 0 || first.is.overload == 0;
        if (wanted[i] == 0 || (have_one && clv_context_stop(x->ctx)))
            continue;
        CLV_TRY(makers[i](x->task, e, x->ctx, &next, err));
        if (e->climbs > 1)
            CLV_TRY(climb(x, &next, best, other, err));
        else
            keep_better(&first, &next);
    }
    return e->climbs > 1 ? CLEAVE_OK : climb(x, &first, best, other, err);
}

/* ---- The whole -------------------------------------------------------------------------- */

static cleave_status first_solution(searching *x, clv_solution *best, clv_solution *other,
                                    cleave_error *err)
{
    if (x->task->start) {
        CLV_TRY(clv_given_start(x->task, x->ctx, other, err));
        clv_multilevel_task task = clv_search_cycle(x->task, other->part, NULL, x->klass);
        return run(x, &task, best, err);
    }
    best->is.overload = INT64_MAX;
    if (x->effort->climbs == 0 || x->effort->climbs > 2)
        CLV_TRY(run(x, x->task, best, err));
    if (x->effort->climbs == 0)
        return CLEAVE_OK;
    clv_ws_mark mark = clv_ws_save(x->ctx->ws);
    CLV_TRY(try_starts(x, best, other, err));
    clv_ws_restore(x->ctx->ws, mark);
    return CLEAVE_OK;
}

static cleave_status search(searching *x, clv_solution *best, clv_solution *other,
                            cleave_error *err)
{
    CLV_TRY(first_solution(x, best, other, err));
    for (int32_t i = 0; i < x->effort->cycles && !clv_context_stop(x->ctx); i++)
        CLV_TRY(climb(x, best, best, other, err));
    if (x->effort->population > 0 && !clv_context_stop(x->ctx))
        CLV_TRY(clv_generations(x->task, x->effort, x->ctx, best, x->result, err));
    return CLEAVE_OK;
}

cleave_status clv_search(const clv_multilevel_task *task, const clv_effort *effort,
                         clv_context *ctx, int32_t *part, clv_search_result *result,
                         cleave_error *err)
{
    *result = (clv_search_result){0};
    searching x = {.task = task, .effort = effort, .ctx = ctx, .result = result};
    size_t bytes = (size_t)task->g->nvtx * sizeof *part;
    clv_ws_mark mark = clv_ws_save(ctx->ws);
    clv_solution best = {.part = part}, other = {.part = NULL};
    cleave_status status = CLEAVE_OK;
    if (effort->cycles > 0 || effort->climbs > 0 || task->start) {
        other.part = clv_ws_alloc(ctx->ws, task->g->nvtx, sizeof *other.part);
        x.klass = clv_ws_alloc(ctx->ws, task->g->nvtx, sizeof *x.klass);
        if (!other.part || !x.klass)
            status = clv_fail_memory(err);
    }
    if (status == CLEAVE_OK)
        status = search(&x, &best, &other, err);
    if (status == CLEAVE_OK && best.part != part)
        memcpy(part, best.part, bytes);
    result->last.overload = best.is.overload;
    result->last.cut = best.is.cut;
    clv_ws_restore(ctx->ws, mark);
    return status;
}
